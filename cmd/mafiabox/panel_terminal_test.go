package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestPanelOnTerminal: who tries the box at a terminal has the panel there: it
// tells cues, and Enter presses the button.
func TestPanelOnTerminal(t *testing.T) {
	box := exec.Command("script", "-qefc", program+" serve --listen 127.0.0.1:0 --panel sim --data "+t.TempDir(), "/dev/null")
	keys, err := box.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := box.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := box.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		keys.Write([]byte{3}) // Ctrl-C, as the terminal sends it
		box.Wait()
	}()
	lines := bufio.NewScanner(out)
	until := func(want string) {
		t.Helper()
		for lines.Scan() {
			if strings.Contains(lines.Text(), want) {
				return
			}
		}
		t.Fatalf("the terminal never says %q", want)
	}
	until(typedHelp)
	until("panel: ready    ·")
	keys.Write([]byte("\n")) // nobody sits at the table
	until("panel: refused  · · · ·")
	keys.Write([]byte("what\n"))
	until(typedHelp)
	keys.Write([]byte("LONG\n")) // no phone asks
	until("panel: refused  · · · ·")
}

// TestNoTerminal: where nobody sits nothing is said of the keyboard, also when
// the standard input is a device, as for a service.
func TestNoTerminal(t *testing.T) {
	t.Parallel()
	b := start(t) // with /dev/null
	host := b.client()
	host.post("/host", form("code", hostCode))
	eventually(t, "a cue is shown", func() bool { return host.panel() == "ready. lamp: blinks" })
	if out := b.out.String(); strings.Contains(out, typedHelp) {
		t.Errorf("the box says:\n%s", out)
	}
}

// TestKeyboardStays: what is typed is heard also when descriptor 0 was closed
// and became another file.
func TestKeyboardStays(t *testing.T) {
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close()
	n, err := unix.IoctlGetInt(int(terminal.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(terminal.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	standard := func(path string) {
		t.Helper()
		f, err := os.OpenFile(path, os.O_RDWR|unix.O_NOCTTY, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := unix.Dup3(int(f.Fd()), 0, 0); err != nil {
			t.Fatal(err)
		}
	}
	before, err := unix.Dup(0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { unix.Dup3(before, 0, 0); unix.Close(before) }()
	standard(os.DevNull)
	if keyboard() != nil {
		t.Error("there is a keyboard where there is no terminal")
	}
	standard(fmt.Sprint("/dev/pts/", n))
	keys := keyboard()
	if keys == nil {
		t.Fatal("there is no keyboard at a terminal")
	}
	defer keys.Close()
	standard(os.DevNull)
	terminal.WriteString("hold\n")
	if line, err := bufio.NewReader(keys).ReadString('\n'); line != "hold\n" {
		t.Errorf("typed hold, heard %q (%v)", line, err)
	}
}
