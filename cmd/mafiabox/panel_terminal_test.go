package main

import (
	"bufio"
	"os/exec"
	"strings"
	"testing"
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
