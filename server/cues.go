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

// cuesOf are what a table's moment shows after another, in turn: that somebody has
// left by day rings over what the table has come to. A nil moment is one of no game.
func cuesOf(was, is *engine.Seen) (cues []Cue) {
	switch {
	case was == nil && is == nil:
		return nil
	case was == nil || is == nil:
		return []Cue{state(is)}
	}
	cue, same := state(is), was.Phase == is.Phase && was.Undecided == is.Undecided
	switch {
	case same:
	case cue == CueDay && (was.Phase.Name == engine.Closed || was.Phase.Name == engine.Nights):
		return []Cue{CueMorning} // which tells by itself who has left
	default:
		cues = append(cues, cue)
	}
	if out(*is) > out(*was) && (same || cue == CueDay) {
		cues = append(cues, CueOut)
	}
	return cues
}

// state is the cue of a moment by itself, whose lamp is lit for as long as it lasts.
func state(is *engine.Seen) Cue {
	switch {
	case is == nil:
		return CueReady
	case is.Undecided:
		return CueRuling
	}
	switch is.Phase.Name {
	case engine.Nights:
		return CueNight
	case engine.Closed:
		return CueClosed
	case engine.Day:
		return CueDay
	case engine.Voting, engine.Runoff, engine.Split, engine.Special:
		return CueVote
	case engine.Ended:
		return CueEnded
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
