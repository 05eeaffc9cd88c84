package server

import (
	"time"

	"github.com/mafiabox/mafiabox/engine"
)

// Cue names what the lamp and the buzzer of the panel show. The panel stands
// where everybody sees and hears it: of a game its cues follow from what all may
// know, in kind and in moment. Those that answer the button are of the button.
type Cue string

// The cues.
const (
	CueReady   Cue = "ready"   // a table may be joined
	CueNight   Cue = "night"   // falls
	CueClosed  Cue = "closed"  // the night takes no more choices
	CueMorning Cue = "morning" // is announced
	CueDay     Cue = "day"     // people talk
	CueOut     Cue = "out"     // somebody has left by day
	CueRuling  Cue = "ruling"  // the game waits for the host
	CueVote    Cue = "vote"    // opens
	CueEnded   Cue = "ended"   // the game is over
	CueTen     Cue = "ten"     // seconds are left
	CueTime    Cue = "time"    // is up
	CueAgain   Cue = "again"   // the button wants a second press
	CueRefused Cue = "refused" // what the button was pressed for can't be done now
	CuePaired  Cue = "paired"  // a phone is host by the button
	CueTrouble Cue = "trouble" // the box can't store
)

// cueOf is what a table's moment shows after another; "" when it shows nothing
// new. A nil moment is one of no game.
func cueOf(was, is *engine.Seen) Cue {
	switch {
	case is == nil && was == nil:
		return ""
	case is == nil:
		return CueReady
	}
	left := 0
	if was != nil {
		left = out(*is) - out(*was)
	}
	decided := was != nil && was.Undecided && !is.Undecided
	switch {
	case is.Undecided && (was == nil || !was.Undecided):
		return CueRuling
	case was != nil && was.Phase == is.Phase && !decided:
		if left > 0 {
			return CueOut
		}
		return ""
	}
	switch is.Phase.Name {
	case engine.Nights:
		return CueNight
	case engine.Closed:
		return CueClosed
	case engine.Voting, engine.Runoff, engine.Split, engine.Special:
		return CueVote
	case engine.Ended:
		return CueEnded
	case engine.Day:
		switch {
		case was != nil && (was.Phase.Name == engine.Closed || was.Phase.Name == engine.Nights):
			return CueMorning
		case left > 0:
			return CueOut
		}
		return CueDay
	}
	return CueReady // the deal
}

func out(s engine.Seen) (n int) {
	for _, seat := range s.Seats {
		if seat.Out {
			n++
		}
	}
	return n
}

// public is what everybody may see of a moment; nil without a game.
func (m *moment) public() *engine.Seen {
	if !m.plays() {
		return nil
	}
	s := m.game.Seen(engine.All)
	return &s
}

// lastStretch is what is left at the first mark of a clock.
const lastStretch = 10 * time.Second

// mark is what is heard when a clock has gone from one time left to another.
func mark(was, left time.Duration) Cue {
	switch {
	case was > 0 && left <= 0:
		return CueTime
	case was > lastStretch && left <= lastStretch:
		return CueTen
	}
	return ""
}

// untilMark is how long a running clock goes to its next mark.
func untilMark(left time.Duration) time.Duration {
	if left > lastStretch {
		return left - lastStretch
	}
	return left
}

// state is the cue of a moment by itself, when the panel comes to it.
func state(is *engine.Seen) Cue {
	if is == nil {
		return CueReady
	}
	return cueOf(nil, is)
}
