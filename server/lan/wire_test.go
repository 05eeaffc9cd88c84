package lan

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// The box is tried on wires: network namespaces joined by a bridge, boxes in
// some of them and Avahi in others, or beside a box. A namespace has no name and
// lasts as long as a process that waits for the end of its input, so that nothing
// stays behind even when the test is killed.

// helperEnv tells a test binary that it is such a process, and which.
const helperEnv = "MAFIABOX_LAN_HELPER"

// port is where boxes say that they serve.
const port = 8123

func TestMain(m *testing.M) {
	switch os.Getenv(helperEnv) {
	case "":
		flag.Parse()
		if flag.Lookup("test.fuzz").Value.String() == "" {
			_ = flag.Set("test.parallel", "12") // wires wait most of the time
		}
		os.Exit(m.Run())
	case "box":
		helpBox()
	case "squatter":
		helpSquatter()
	case "avahi":
		if err := helpAvahi(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// helpBox follows the network until its input ends, and says what it is called.
func helpBox() {
	ctx, cancel := context.WithCancel(context.Background())
	go func() { _, _ = io.Copy(io.Discard, os.Stdin); cancel() }()
	n := Look("mafia", netip.AddrPortFrom(netip.IPv6Unspecified(), port), slog.New(slog.NewTextHandler(os.Stderr, nil)))
	n.Follow(ctx, func() { fmt.Fprintf(os.Stderr, "called=%s at=%v\n", n.Host(), n.Addresses()) })
}

// helpSquatter holds the group's port for itself until its input ends.
func helpSquatter() {
	for _, network := range []string{"udp4", "udp6"} {
		conn, err := net.ListenPacket(network, fmt.Sprint(":", groupPort))
		if err != nil {
			panic(err)
		}
		defer conn.Close()
	}
	fmt.Println("squatting")
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// helpAvahi runs a message bus and Avahi until its input ends, when Avahi says
// goodbye. Both end with it, as it is the first process of its process namespace.
func helpAvahi() error {
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
		for range 500 { // the bus must listen before Avahi looks for it
			if _, err := os.Stat(filepath.Join(dir, "bus")); err == nil {
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
	_, _ = io.Copy(io.Discard, os.Stdin)
	_ = avahi.Process.Signal(syscall.SIGTERM)
	return avahi.Wait()
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

// process is one of a test: its output is kept, and it ends with its input.
type process struct {
	cmd  *exec.Cmd
	hold io.Closer
	mu   sync.Mutex
	out  bytes.Buffer
	done chan struct{}
}

func (p *process) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.out.Write(b)
}

func (p *process) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.out.String()
}

func begin(t *testing.T, cmd *exec.Cmd, flags uintptr) *process {
	t.Helper()
	p := &process{cmd: cmd, done: make(chan struct{})}
	cmd.Stdout, cmd.Stderr = p, p
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: flags}
	var err error
	if p.hold, err = cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Skipf("no new namespaces on this machine: %v", err)
	}
	go func() { _ = cmd.Wait(); close(p.done) }()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-p.done
		if t.Failed() {
			t.Logf("%s said:\n%s", strings.Join(cmd.Args, " "), p)
		}
	})
	return p
}

// end ends its input and waits until it has said goodbye.
func (p *process) end(t *testing.T) {
	t.Helper()
	_ = p.hold.Close()
	select {
	case <-p.done:
	case <-time.After(10 * time.Second):
		t.Fatalf("it doesn't end:\n%s", p)
	}
}

// place is a network namespace with an interface net0 on the bridge.
type place struct {
	*testing.T
	hold *process
}

// newPlace is one without any interface.
func newPlace(t *testing.T) *place {
	p := &place{t, begin(t, exec.Command("cat"), syscall.CLONE_NEWNET)}
	p.ip("link set lo up")
	return p
}

// command is a command in the place.
func (p *place) command(args ...string) *exec.Cmd {
	return exec.Command("nsenter", append([]string{"--net", "--target", fmt.Sprint(p.hold.cmd.Process.Pid)}, args...)...)
}

// ip runs ip there.
func (p *place) ip(args string, with ...any) {
	p.Helper()
	args = fmt.Sprintf(args, with...)
	if out, err := p.command(strings.Fields("ip " + args)...).CombinedOutput(); err != nil {
		p.Fatalf("ip %s: %v\n%s", args, err, out)
	}
}

// helper starts the test binary there as one of its helpers.
func (p *place) helper(name string, flags uintptr, env ...string) *process {
	cmd := p.command(os.Args[0], "-test.run=^$")
	cmd.Env = append(append(os.Environ(), helperEnv+"="+name), env...)
	return begin(p.T, cmd, flags)
}

// boxHere starts a box there.
func (p *place) boxHere() *process { return p.helper("box", 0) }

// wires is a bridge and what is joined to it.
type wires struct {
	*testing.T
	bridge *place
	ports  int
}

func newWires(t *testing.T) *wires {
	w := &wires{T: t, bridge: newPlace(t)}
	w.bridge.ip("link add sw type bridge mcast_snooping 0")
	w.bridge.ip("link set sw up")
	return w
}

// place joins another place, by an interface that is down.
func (w *wires) place() *place {
	p := newPlace(w.T)
	w.join(p, "net0")
	return p
}

func (w *wires) join(p *place, name string) {
	w.ports++
	w.bridge.ip("link add p%d type veth peer name %s netns %d", w.ports, name, p.hold.cmd.Process.Pid)
	w.bridge.ip("link set p%d master sw up", w.ports)
}

// up gives an interface its addresses, as a network does.
func (p *place) up(name string, addrs ...string) {
	p.Helper()
	for _, a := range addrs {
		if strings.Contains(a, ":") {
			a += " nodad" // an address that is asked for is of no use for a second
		}
		p.ip("addr add %s dev %s", a, name)
	}
	p.ip("link set %s up", name)
}

// says waits until the process has said something.
func (p *process) says(t *testing.T, what string) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if strings.Contains(p.String(), what) {
			return
		}
	}
	t.Fatalf("it never says %q:\n%s", what, p)
}
