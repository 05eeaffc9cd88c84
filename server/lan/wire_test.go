package lan

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The announcer is tried on a wire: two network namespaces joined by a veth
// pair, the announcer in one and Avahi in the other. The test binary starts
// itself as the first process of each; the namespaces have no name and end
// with it, so that nothing stays behind even when the test is killed.

// helperEnv tells a test binary that it is such a process, and which.
const helperEnv = "MAFIABOX_LAN_HELPER"

func TestMain(m *testing.M) {
	switch os.Getenv(helperEnv) {
	case "":
		os.Exit(m.Run())
	case "box":
		box()
	case "house":
		if err := house(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// announcement is what the box announces, as it is handed to its process.
type announcement struct {
	Name string
	Port int
	Txt  []string
}

// box announces until its input ends, then says goodbye. It stays, as the wire
// would go with it, and a listener forgets all that it heard on a wire that is gone.
func box() {
	var a announcement
	if err := json.Unmarshal([]byte(os.Getenv("MAFIABOX_LAN_SAYS")), &a); err != nil {
		panic(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	go func() { _, _ = io.Copy(io.Discard, os.Stdin); cancel() }()
	Announce(ctx, a.Name, a.Port, a.Txt, slog.New(slog.NewTextHandler(os.Stderr, nil)))
	time.Sleep(time.Hour) // until it is killed
}

// house runs a message bus and Avahi until its input ends. Both end with it,
// as it is the first process of its process namespace.
func house() error {
	dir := os.Getenv("MAFIABOX_LAN_DIR")
	// Avahi's socket has a fixed place; here it is a private one.
	if err := syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("private mounts: %w", err)
	}
	if err := syscall.Mount("tmpfs", "/run", "tmpfs", 0, ""); err != nil {
		return fmt.Errorf("private /run: %w", err)
	}
	bus := exec.Command("dbus-daemon", "--nofork", "--config-file="+filepath.Join(dir, "bus.conf"))
	avahi := exec.Command("avahi-daemon", "--no-drop-root", "--no-chroot", "--no-rlimits", "--file="+filepath.Join(dir, "avahi.conf"))
	for _, c := range []*exec.Cmd{bus, avahi} {
		c.Stdout, c.Stderr = os.Stderr, os.Stderr
		if err := c.Start(); err != nil {
			return err
		}
		for range 100 { // the bus must listen before Avahi looks for it
			if _, err := os.Stat(filepath.Join(dir, "bus")); err == nil {
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
	_, err := io.Copy(io.Discard, os.Stdin)
	return err
}

// namespace is a process of this test in namespaces of its own.
type namespace struct {
	cmd  *exec.Cmd
	hold io.Closer // its input: closed, the process ends
}

// start starts the test binary as a helper in new namespaces.
func start(t *testing.T, helper string, flags uintptr, env ...string) namespace {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	cmd.Env = append(append(os.Environ(), helperEnv+"="+helper), env...)
	return begin(t, cmd, flags)
}

func begin(t *testing.T, cmd *exec.Cmd, flags uintptr) namespace {
	t.Helper()
	cmd.Stdout, cmd.Stderr = t.Output(), t.Output()
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: flags | syscall.CLONE_NEWNET}
	hold, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Skipf("no new namespaces on this machine: %v", err)
	}
	n := namespace{cmd, hold}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	return n
}

// net is a command in the namespace's network.
func (n namespace) net(args ...string) *exec.Cmd {
	return exec.Command("nsenter", append([]string{"--net", "--target", fmt.Sprint(n.cmd.Process.Pid)}, args...)...)
}

// ip runs ip there.
func (n namespace) ip(t *testing.T, args string) {
	t.Helper()
	if out, err := n.net(strings.Fields("ip " + args)...).CombinedOutput(); err != nil {
		t.Fatalf("ip %s: %v\n%s", args, err, out)
	}
}

// needs skips the test where it can't be run, and says what is missing.
func needs(t *testing.T, programs ...string) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	if os.Geteuid() != 0 {
		t.Skip("needs root, to make network namespaces")
	}
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			t.Skipf("needs %s (packages iproute2, util-linux, dbus, avahi-daemon, avahi-utils)", p)
		}
	}
}

const busConf = `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <listen>unix:path=%s/bus</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow user="*"/> <allow own="*"/> <allow send_destination="*"/> <allow eavesdrop="true"/>
  </policy>
</busconfig>
`

const avahiConf = `[server]
host-name=listener
allow-interfaces=mb1
use-ipv4=yes
use-ipv6=no
[wide-area]
enable-wide-area=no
[publish]
disable-publishing=yes
`

// wire is two namespaces joined by a veth pair: a box at mb0, and a house at
// mb1 in which Avahi listens.
type wire struct {
	*testing.T
	dir        string
	bus        string // the setting that leads to the house's message bus
	box, house namespace
}

// newWire joins the box to a house of its own. The box has no address yet.
func newWire(t *testing.T, boxIn func() namespace) *wire {
	needs(t, "ip", "nsenter", "dbus-daemon", "avahi-daemon", "avahi-browse")
	dir, err := os.MkdirTemp("", "lan") // short, as a socket's path must be
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	for name, text := range map[string]string{"bus.conf": fmt.Sprintf(busConf, dir), "avahi.conf": avahiConf} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	w := &wire{T: t, dir: dir, bus: "DBUS_SYSTEM_BUS_ADDRESS=unix:path=" + dir + "/bus", box: boxIn()}
	w.house = start(t, "house", syscall.CLONE_NEWNS|syscall.CLONE_NEWPID, "MAFIABOX_LAN_DIR="+dir, w.bus)
	w.box.ip(t, "link set lo up")
	w.box.ip(t, fmt.Sprint("link add mb0 type veth peer name mb1 netns ", w.house.cmd.Process.Pid))
	w.house.ip(t, "addr add 10.99.0.2/24 dev mb1")
	w.house.ip(t, "link set mb1 up")
	return w
}

// up gives the box its address, as a network does that comes late.
func (w *wire) up() {
	w.Helper()
	time.Sleep(time.Second)
	w.box.ip(w.T, "addr add 10.99.0.1/24 dev mb0")
	w.box.ip(w.T, "link set mb0 up")
}

// found waits until the house finds these services. Fields of a line:
// =;interface;protocol;name;type;domain;host;address;port;text.
func (w *wire) found(what string, ok func(lines []string) bool) {
	w.Helper()
	var last string
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		if _, err := os.Stat(filepath.Join(w.dir, "bus")); err != nil {
			continue
		}
		// Without -k it prints a title for the type; and the name of the
		// interface is looked up where it runs.
		cmd := w.house.net("avahi-browse", "-rptk", "_http._tcp")
		cmd.Env = append(os.Environ(), w.bus)
		out, err := cmd.CombinedOutput()
		last = string(out)
		if err != nil {
			continue // Avahi is not on the bus yet
		}
		var lines []string
		for line := range strings.Lines(last) {
			if strings.HasPrefix(line, "=;") {
				lines = append(lines, strings.TrimSpace(line))
			}
		}
		if ok(lines) {
			w.Logf("%s:\n%s", what, last)
			return
		}
	}
	w.Fatalf("not found: %s; avahi-browse says:\n%s", what, last)
}

// TestAnnounceOnWire has the announcer found by Avahi: by name, port, text and
// address, after the network came up late, after the address changed, and not
// any more once it said goodbye.
func TestAnnounceOnWire(t *testing.T) {
	says, _ := json.Marshal(announcement{"Ann's Mafia box", 8123, []string{"path=/j"}})
	w := newWire(t, func() namespace { return start(t, "box", 0, "MAFIABOX_LAN_SAYS="+string(says)) })
	w.box.ip(t, "link add docker0 type veth peer name veth9") // must not be announced
	w.box.ip(t, "addr add 172.17.0.1/16 dev docker0")
	w.box.ip(t, "link set docker0 up")
	w.up()

	at1 := `=;mb1;IPv4;Ann\039s\032Mafia\032box;_http._tcp;local;mafia.local;10.99.0.1;8123;"path=/j"`
	w.found("the box, once it is up", func(l []string) bool { return len(l) == 1 && l[0] == at1 })

	w.box.ip(t, "addr del 10.99.0.1/24 dev mb0")
	w.box.ip(t, "addr add 10.99.0.7/24 dev mb0")
	at7 := strings.Replace(at1, "10.99.0.1", "10.99.0.7", 1)
	w.found("its new address", func(l []string) bool { return len(l) == 1 && l[0] == at7 })

	_ = w.box.hold.Close()
	w.found("nothing, after the goodbye", func(l []string) bool { return len(l) == 0 })
}

// TestProgramOnWire has the real program found, and its first page opened from
// the house at the address and port that were announced.
func TestProgramOnWire(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "mafiabox")
	w := newWire(t, func() namespace {
		if out, err := exec.Command("go", "build", "-o", program, "../../cmd/mafiabox").CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return begin(t, exec.Command(program, "--listen", ":8123", "--data", filepath.Join(dir, "data"), "--panel", "off"), 0)
	})
	w.up()
	w.found("the box", func(l []string) bool {
		return len(l) == 1 && strings.HasPrefix(l[0], "=;mb1;IPv4;mafiabox;_http._tcp;local;mafia.local;10.99.0.1;8123;")
	})
	out, err := w.house.net("curl", "-sS", "--max-time", "5", "http://10.99.0.1:8123/").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "<main") {
		t.Errorf("its page from the house: %v\n%s", err, out)
	}
	_ = w.box.cmd.Process.Signal(syscall.SIGTERM)
	w.found("nothing, after the goodbye", func(l []string) bool { return len(l) == 0 })
}
