package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// machine is an emulated one for ARM, with Debian's kernel, the program, and a
// GPIO chip of eight lines. What its console prints is the output of the box,
// which is one that runs inside.
type machine struct {
	*box
	console io.Writer // takes lines for its shell
	lines   *bufio.ReadWriter
	chip    string // as QEMU names the GPIO chip
}

const (
	// chipAt is where the chip of QEMU's machine "virt", a PL061, has its registers.
	chipAt = 0x09030000
	// installer is where Debian's installer for the network keeps a kernel, and
	// an initrd with modules and a shell.
	installer = "/usr/lib/debian-installer/images/*/arm64/text/debian-installer/arm64"
)

// machineInit is the first process: it does what the console tells it to.
const machineInit = `#!/bin/sh
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
stty -echo
modprobe virtio_pci
modprobe virtio_net
ip link set lo up
ip link set eth0 up
ip addr add 10.0.2.15/24 dev eth0
echo 'the machine is up'
while read -r line; do eval "$line"; done
`

// boot builds the program for the machine and turns it on. The names are those of
// the chip's lines.
func boot(t *testing.T, names ...string) *machine {
	t.Helper()
	dir := t.TempDir()
	images, _ := filepath.Glob(installer) // the pattern is a good one
	_, noQEMU := exec.LookPath("qemu-system-aarch64")
	_, noCpio := exec.LookPath("cpio")
	_, noTree := exec.LookPath("fdtput")
	if err := errors.Join(noQEMU, noCpio, noTree); err != nil || len(images) == 0 {
		if os.Geteuid() != 0 {
			t.Skip("no machine to emulate: `make test-all` as root installs one")
		}
		t.Fatalf("the machine is not whole: %v, and %d of Debian's installer in %s", err, len(images), installer)
	}
	do := func(name string, args ...string) {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
	}
	build := exec.Command("go", "build", "-o", filepath.Join(dir, "mafiabox"), ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH=arm64")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := os.WriteFile(filepath.Join(dir, "start"), []byte(machineInit), 0o755); err != nil {
		t.Fatal(err)
	}
	// The kernel unpacks one archive after another.
	do("sh", "-ec", `printf 'start\nmafiabox\n' | cpio --quiet -o -H newc >initrd; cat "$1" >>initrd`, "sh", filepath.Join(images[0], "initrd.gz"))
	board := []string{"-cpu", "cortex-a53", "-smp", "2", "-m", "1G", "-accel", "tcg", "-nodefaults", "-display", "none"}
	do("qemu-system-aarch64", append(board, "-M", "virt,dumpdtb=tree")...)
	do("fdtput", append([]string{"-t", "s", "tree", fmt.Sprintf("/pl061@%x", chipAt), "gpio-line-names"}, names...)...)

	m := &machine{box: &box{t: t, dir: dir, out: &output{ready: make(chan string, 1)}}}
	m.cmd = exec.Command("qemu-system-aarch64", append(board, "-M", "virt", "-dtb", "tree", "-no-reboot", "-serial", "stdio",
		"-kernel", filepath.Join(images[0], "linux"), "-initrd", "initrd", "-append", "rdinit=/start console=ttyAMA0 quiet panic=-1",
		"-netdev", "user,id=net,restrict=on,hostfwd=tcp:127.0.0.1:0-:8080", "-device", "virtio-net-pci,netdev=net,romfile=",
		"-qmp", "unix:monitor,server=on,wait=off", "-qtest", "unix:lines,server=on,wait=off", "-qtest-log", "none")...)
	m.cmd.Dir, m.cmd.Stderr = dir, &lockedWriter{o: m.out}
	console, err := m.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	printed, err := m.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := m.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.kill)
	m.console = console
	go m.out.read(printed)
	m.monitor()
	lines := m.dial("lines")
	m.lines = bufio.NewReadWriter(bufio.NewReader(lines), bufio.NewWriter(lines))
	m.says("the machine is up")
	return m
}

// dial connects to one of QEMU's sockets.
func (m *machine) dial(name string) (conn net.Conn) {
	m.t.Helper()
	m.until("QEMU listens", func() bool {
		var err error
		conn, err = net.Dial("unix", filepath.Join(m.dir, name))
		return err == nil
	})
	m.t.Cleanup(func() { conn.Close() })
	return conn
}

var (
	forwarded = regexp.MustCompile(`HOST_FORWARD\]\s+\d+\s+127\.0\.0\.1\s+(\d+)`)
	chipName  = regexp.MustCompile(`(device\[\d+\]) \(pl061\)`)
)

// monitor asks QEMU which port leads to the box, and what the chip's name is.
func (m *machine) monitor() {
	m.t.Helper()
	conn := m.dial("monitor")
	defer conn.Close()
	answers := json.NewDecoder(conn)
	var greeting any
	err := answers.Decode(&greeting)
	ask := func(command string) string {
		var answer struct{ Return any }
		if err == nil {
			_, err = fmt.Fprintln(conn, command)
		}
		if err == nil {
			err = answers.Decode(&answer)
		}
		return fmt.Sprint(answer.Return)
	}
	ask(`{"execute": "qmp_capabilities"}`)
	ports := ask(`{"execute": "human-monitor-command", "arguments": {"command-line": "info usernet"}}`)
	devices := ask(`{"execute": "human-monitor-command", "arguments": {"command-line": "info qom-tree /machine/unattached"}}`)
	port, chip := forwarded.FindStringSubmatch(ports), chipName.FindStringSubmatch(devices)
	if err != nil || port == nil || chip == nil {
		m.t.Fatalf("QEMU's monitor: %v\n%s\n%s", err, ports, devices)
	}
	m.addr, m.chip = "127.0.0.1:"+port[1], "/machine/unattached/"+chip[1]
	m.url = "http://" + m.addr
}

// run has the machine's shell do something.
func (m *machine) run(command string) {
	m.t.Helper()
	if _, err := fmt.Fprintln(m.console, command); err != nil {
		m.t.Fatalf("%v\n%s", err, m.out)
	}
}

// says waits until the console has printed this.
func (m *machine) says(what string) {
	m.t.Helper()
	m.until(what+" on the console", func() bool { return strings.Contains(m.out.String(), what) })
}

// until is eventually for a machine without hurry, whose console tells why not.
func (m *machine) until(what string, is func() bool) {
	m.t.Helper()
	for end := time.Now().Add(2 * patience); !is(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			m.t.Fatalf("never: %s\n%s", what, m.out)
		}
	}
}

// drive puts a line of the chip, an input, to a level from outside.
func (m *machine) drive(line int, high bool) {
	level := 0
	if high {
		level = 1
	}
	m.line(fmt.Sprintf("set_irq_in %s unnamed-gpio-in %d %d", m.chip, line, level))
}

// high tells the level of a line of the chip, as its register has it.
func (m *machine) high(line int) bool {
	return m.line(fmt.Sprintf("readl %#x", chipAt+4<<line)) != "OK 0x0000000000000000" // the address says which lines are asked for
}

// line does something to the chip, past the machine's processor.
func (m *machine) line(command string) string {
	m.t.Helper()
	fmt.Fprintln(m.lines, command)
	err := m.lines.Flush()
	answer := ""
	if err == nil {
		answer, err = m.lines.ReadString('\n')
	}
	if err != nil || !strings.HasPrefix(answer, "OK") {
		m.t.Fatalf("%s: %q %v\n%s", command, answer, err, m.out)
	}
	return strings.TrimSpace(answer)
}
