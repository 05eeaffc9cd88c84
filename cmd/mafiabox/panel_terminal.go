package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/mafiabox/mafiabox/hardware"
	"golang.org/x/sys/unix"
)

// For who tries the box without pins, the terminal is the panel as well: it
// tells each cue, and a line typed there presses the button. What the panel shows
// everybody at the table may know, so it may stand there.

// typed are the lines that press the button, and for how long.
var typed = map[string]time.Duration{"": 0, "hold": 2 * time.Second, "long": 3 * time.Second}

const typedOnPins = "The panel is on its pins now: press the button there."

const typedHelp = "Here is the panel, too: Enter presses the button, hold and Enter pauses the clock, long and Enter makes the phone that asks a host."

// keyboard is what is typed at the terminal; nil: there is none, as for a service.
// It is a descriptor of its own: who looks for pins may lose descriptor 0.
func keyboard() *os.File {
	if !isTerminal(os.Stdin) {
		return nil
	}
	fd, err := unix.FcntlInt(os.Stdin.Fd(), unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil
	}
	return os.NewFile(uintptr(fd), os.Stdin.Name())
}

// pressByLine presses the button at each line, until there are no more.
func pressByLine(lines io.Reader, panel *hardware.Panel) {
	for s := bufio.NewScanner(lines); s.Scan(); {
		held, known := typed[strings.ToLower(strings.TrimSpace(s.Text()))]
		switch {
		case panel.State().Form != hardware.Simulated:
			fmt.Println(typedOnPins)
		case known:
			panel.Press(held)
		default:
			fmt.Println(typedHelp)
		}
	}
}

// cueLine is a cue as the terminal tells it.
func cueLine(cue hardware.Cue) string {
	return strings.TrimRight(fmt.Sprintf("panel: %-8s %s", cue, cue.Rhythm()), " ")
}
