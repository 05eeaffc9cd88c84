package main

import (
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"github.com/mafiabox/mafiabox/hardware"
	"github.com/mafiabox/mafiabox/server"
)

// panelFlags are the settings of the panel.
type panelFlags struct {
	Panel       string       `help:"Button, lamp and buzzer: pins where there are any (auto), drawn on the host's page (sim), or none (off)." enum:"auto,sim,off" default:"auto" env:"MAFIABOX_PANEL"`
	PanelButton hardware.Pin `help:"Pin of the button: its number, its name (GPIO17), or chip and line (gpiochip0:17). It is pressed when low; with -high behind it when high." default:"GPIO17" env:"MAFIABOX_PANEL_BUTTON"`
	PanelLamp   hardware.Pin `help:"Pin of the lamp, lit when high; with -low behind it when low." default:"GPIO27" env:"MAFIABOX_PANEL_LAMP"`
	PanelBuzzer hardware.Pin `help:"Pin of the buzzer, sounding when high; with -low behind it when low." default:"GPIO22" env:"MAFIABOX_PANEL_BUZZER"`
}

func (f panelFlags) options() hardware.Options {
	return hardware.Options{Mode: f.Panel, Button: f.PanelButton, Lamp: f.PanelLamp, Buzzer: f.PanelBuzzer}
}

// panelOffCmd turns lamp and buzzer off after a box that could not: the unit
// runs it whenever the box has ended.
type panelOffCmd struct {
	panelFlags `embed:""`
}

// Run turns them off.
func (c *panelOffCmd) Run() error { return hardware.TurnOff(c.options()) }

// shows is what shows a cue: the panel, and the terminal while that is the panel,
// for want of pins. There a line that is typed is a press.
func shows(panel *hardware.Panel, keys *os.File) func(server.Cue) {
	if keys != nil && panel.State().Form != hardware.None {
		go pressByLine(keys, panel)
	}
	reads := isTerminal(os.Stdout)
	var was atomic.Bool // the terminal was the panel
	return func(cue server.Cue) {
		is := panel.State().Form == hardware.Simulated
		if !was.Swap(is) && is && keys != nil {
			fmt.Println(typedHelp)
		}
		panel.Show(hardware.Cue(cue))
		if is && reads {
			fmt.Println(cueLine(hardware.Cue(cue)))
		}
	}
}

// consolePanel is the panel as its table's console draws it.
type consolePanel struct{ *hardware.Panel }

// glow is for how long a rhythm that begins is drawn as one that sounds: longer
// than any does, as a console may rest before it draws.
const glow = 2 * time.Second

// Shows is what it shows now, and has shown before.
func (p consolePanel) Shows() (now server.PanelNow, before []server.PanelShow) {
	for _, c := range p.History() {
		before = append(before, server.PanelShow{At: c.At, Cue: string(c.Cue), Lamp: c.Lamp, Buzzer: c.Buzzer})
	}
	s := p.State()
	now = server.PanelNow{
		Cue: string(s.Cue), Begun: s.Begun, Rings: time.Since(s.Begun) < glow,
		Lights: string(s.Lights), Lamp: "on", Silent: s.Silent,
	}
	switch on, off := s.Lights.Lamp(); {
	case on == 0:
		now.Lamp = "off"
	case off > 0:
		now.Lamp = "blinks"
	}
	return now, before
}

// Drawn tells whether the console is the panel, for want of pins.
func (p consolePanel) Drawn() bool { return p.State().Form == hardware.Simulated }

// Held tells whether the button is held now.
func (p consolePanel) Held() bool { return p.State().Down }

// Cues are the names of all cues.
func (p consolePanel) Cues() (names []string) {
	for _, cue := range hardware.Cues() {
		names = append(names, string(cue))
	}
	return names
}

// Rhythm is how the buzzer sounds at a cue, in dots and dashes.
func (p consolePanel) Rhythm(cue string) string { return hardware.Cue(cue).Rhythm() }

// About says what the panel is made of, as a text with its arguments.
func (p consolePanel) About() (key string, args []any) {
	switch s := p.State(); {
	case s.Form == hardware.Pins:
		return "panel.is.pins", []any{"Button", s.Button, "Lamp", s.Lamp, "Buzzer", s.Buzzer}
	case s.Fault.Key != "":
		return s.Fault.Key, []any{"Pin", s.Fault.Pin}
	}
	return "panel.is.drawn", nil
}
