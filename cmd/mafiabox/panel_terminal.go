package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/mafiabox/mafiabox/hardware"
)

// For who tries the box without pins, the terminal is the panel as well: it
// tells each cue, and a line typed there presses the button. What the panel shows
// everybody at the table may know, so it may stand there.

// typed are the lines that press the button, and for how long.
var typed = map[string]time.Duration{"": 0, "hold": 2 * time.Second, "long": 3 * time.Second}

const typedHelp = "Here is the panel, too: Enter presses the button, hold and Enter pauses the clock, long and Enter makes the phone that asks a host."

// pressByLine presses the button at each line, until there are no more.
func pressByLine(lines io.Reader, panel *hardware.Panel) {
	for s := bufio.NewScanner(lines); s.Scan(); {
		if held, known := typed[strings.ToLower(strings.TrimSpace(s.Text()))]; known {
			panel.Press(held)
		} else {
			fmt.Println(typedHelp)
		}
	}
}

// cueLine is a cue as the terminal tells it.
func cueLine(cue hardware.Cue) string {
	return strings.TrimRight(fmt.Sprintf("panel: %-8s %s", cue, cue.Rhythm()), " ")
}
