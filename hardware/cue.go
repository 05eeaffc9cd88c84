package hardware

import (
	"maps"
	"slices"
	"strings"
	"time"
)

// Cue names a pattern of the lamp and the buzzer.
type Cue string

// The cues. Each says something that everybody at the table may know.
const (
	Off     Cue = "off"     // no game: dark and silent
	Ready   Cue = "ready"   // the box is up and a table may be joined
	Night   Cue = "night"   // eyes closed, phones in hand
	Closed  Cue = "closed"  // the night takes no more choices
	Morning Cue = "morning" // eyes open
	Day     Cue = "day"     // people talk: dark and silent
	Vote    Cue = "vote"    // a vote is open
	Ruling  Cue = "ruling"  // the host has to decide
	Ended   Cue = "ended"   // the game is over
	Trouble Cue = "trouble" // the storage takes nothing: somebody has to look at the box
	Ten     Cue = "ten"     // ten seconds of a speech are left
	Time    Cue = "time"    // the speech is over
	Out     Cue = "out"     // somebody is out
	Again   Cue = "again"   // the button wants to be pressed once more
	Refused Cue = "refused" // the button asked for what can't be done now
	Paired  Cue = "paired"  // the button made a page the host's
)

// pattern is what a cue looks and sounds like. The lamp is on and off in turn
// for as long as the cue lasts; an on without an off is steady. The buzzer
// sounds once: on, off, on… An active buzzer has one pitch, so cues are told
// apart by their rhythm of short and long ones, as letters are in Morse code.
// A bell sounds over the cue before, whose lamp goes on.
type pattern struct {
	on, off time.Duration
	sound   []time.Duration
	bell    bool
}

const ms = time.Millisecond

// steady is a lamp that stays on.
const steady = time.Second

// What rhythms are made of.
const (
	dot  = 120 * ms
	dash = 450 * ms
	gap  = 150 * ms
)

var patterns = map[Cue]pattern{
	Off:     {},
	Ready:   {on: 100 * ms, off: 2900 * ms, sound: []time.Duration{dot}},
	Night:   {on: 1000 * ms, off: 1000 * ms, sound: []time.Duration{1200 * ms}}, // longer than a dash, and heard by all with closed eyes
	Closed:  {on: steady, sound: []time.Duration{dash, gap, dot}},
	Morning: {sound: []time.Duration{dot, gap, dot, gap, dot}},
	Day:     {},
	Vote:    {on: 250 * ms, off: 250 * ms, sound: []time.Duration{dot, gap, dash}},
	Ruling:  {on: 1800 * ms, off: 200 * ms, sound: []time.Duration{dot, gap, dash, gap, dot}},
	Ended:   {on: steady, sound: []time.Duration{dash, gap, dash}},
	Trouble: {on: 100 * ms, off: 100 * ms, sound: []time.Duration{dash, gap, dash, gap, dash}},
	Ten:     {bell: true, sound: []time.Duration{dot, gap, dot}},
	Time:    {bell: true, sound: []time.Duration{dash}},
	Out:     {bell: true, sound: []time.Duration{dash, gap, dot, gap, dot}},
	Again:   {bell: true, sound: []time.Duration{dot, gap, dot, gap, dash}},
	Refused: {bell: true, sound: []time.Duration{dot, gap, dot, gap, dot, gap, dot}},
	Paired:  {bell: true, sound: []time.Duration{dash, gap, dot, gap, dash}},
}

// Cues are all cues, in the order of their names.
func Cues() []Cue { return slices.Sorted(maps.Keys(patterns)) }

// Lamp is for how long the lamp is on and off in turn; an on without an off is steady.
func (c Cue) Lamp() (on, off time.Duration) { return patterns[c].on, patterns[c].off }

// Rhythm is how the buzzer sounds, in dots and dashes as of Morse code: "— · ·".
// Empty: it doesn't.
func (c Cue) Rhythm() string {
	var b strings.Builder
	for i, long := range patterns[c].sound {
		switch {
		case i%2 == 1: // silence
			b.WriteString(" ")
		case long <= dot:
			b.WriteString("·")
		case long <= dash:
			b.WriteString("—")
		default:
			b.WriteString("———")
		}
	}
	return b.String()
}

// lampAt tells whether the lamp is on when the pattern has run for t, and in how
// long that changes; zero is never. It is asked with the time since the beginning
// and not step by step, so a late timer makes nothing later but one edge.
func (p pattern) lampAt(t time.Duration) (on bool, next time.Duration) {
	if p.on == 0 || p.off == 0 {
		return p.on > 0, 0
	}
	into := t % (p.on + p.off)
	if into < p.on {
		return true, p.on - into
	}
	return false, p.on + p.off - into
}

// buzzerAt is the same for the buzzer.
func (p pattern) buzzerAt(t time.Duration) (on bool, next time.Duration) {
	end := time.Duration(0)
	for i, long := range p.sound {
		if end += long; t < end {
			return i%2 == 0, end - t
		}
	}
	return false, 0
}

// sooner is the earlier of two changes; zero is never.
func sooner(a, b time.Duration) time.Duration {
	if a == 0 || b > 0 && b < a {
		return b
	}
	return a
}
