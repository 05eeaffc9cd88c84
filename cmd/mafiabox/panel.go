package main

import (
	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/hardware"
	"github.com/mafiabox/mafiabox/server"
)

// drive joins the panel to the first table: its lamp and buzzer follow what
// everybody may see, its button takes the next step.
func drive(box *server.Box, panel hardware.Panel) {
	go func() {
		for range panel.Presses() {
			_ = box.Press() // what can't be done now is done by nobody
		}
	}()
	last := ""
	box.WatchPublic(func(phase string) {
		panel.Show(cue(last, phase))
		last = phase
	}, func(mark server.Mark) {
		panel.Show(map[server.Mark]hardware.Cue{server.TenSeconds: hardware.Ten, server.TimeUp: hardware.Time}[mark])
	})
}

// cue is what the panel shows in a phase that follows another.
func cue(last, phase string) hardware.Cue {
	switch phase {
	case engine.Nights:
		return hardware.Night
	case engine.Closed:
		return hardware.Closed
	case engine.Voting, engine.Runoff, engine.Split, engine.Special:
		return hardware.Vote
	case engine.Ended:
		return hardware.Ended
	case engine.Day:
		if last == engine.Closed || last == engine.Nights {
			return hardware.Morning
		}
		return hardware.Day
	}
	return hardware.Ready
}
