package hardware

import (
	"maps"
	"slices"
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
	Ended   Cue = "ended"   // the game is over
	Ten     Cue = "ten"     // ten seconds of a speech are left
	Time    Cue = "time"    // the speech is over
	Error   Cue = "error"   // the box needs somebody to look at its screen
)

// pattern is what a cue looks and sounds like. The lamp is on and off in turn
// for as long as the cue lasts; an on without an off is steady. The buzzer
// sounds once: on, off, on… An active buzzer has one pitch, so cues differ by
// number and length. A bell sounds over the cue before, whose lamp goes on.
type pattern struct {
	on, off time.Duration
	sound   []time.Duration
	bell    bool
}

const ms = time.Millisecond

// steady is a lamp that stays on.
const steady = time.Second

var patterns = map[Cue]pattern{
	Off:     {},
	Ready:   {on: 100 * ms, off: 2900 * ms, sound: []time.Duration{120 * ms}},
	Night:   {on: 1000 * ms, off: 1000 * ms, sound: []time.Duration{1200 * ms}},
	Closed:  {on: steady, sound: []time.Duration{150 * ms, 150 * ms, 150 * ms}},
	Morning: {sound: []time.Duration{150 * ms, 150 * ms, 150 * ms, 150 * ms, 150 * ms}},
	Day:     {},
	Vote:    {on: 250 * ms, off: 250 * ms, sound: []time.Duration{150 * ms}},
	Ended:   {on: steady, sound: []time.Duration{600 * ms, 300 * ms, 600 * ms}},
	Ten:     {bell: true, sound: []time.Duration{100 * ms, 100 * ms, 100 * ms}},
	Time:    {bell: true, sound: []time.Duration{900 * ms}},
	Error:   {on: 100 * ms, off: 100 * ms, sound: []time.Duration{60 * ms, 60 * ms, 60 * ms, 60 * ms, 60 * ms, 60 * ms, 60 * ms}},
}

// Cues are all cues, in the order of their names.
func Cues() []Cue { return slices.Sorted(maps.Keys(patterns)) }

// at tells how the outputs stand when the pattern has run for t, and in how
// long that changes; zero is never. It is asked with the time since the
// beginning and not step by step, so a late timer makes nothing later but one edge.
func (p pattern) at(t time.Duration) (lamp, buzzer bool, next time.Duration) {
	switch {
	case p.on > 0 && p.off == 0:
		lamp = true
	case p.on > 0:
		into := t % (p.on + p.off)
		lamp = into < p.on
		if next = p.on + p.off - into; lamp {
			next = p.on - into
		}
	}
	end := time.Duration(0)
	for i, long := range p.sound {
		if end += long; t < end {
			buzzer = i%2 == 0
			if left := end - t; next == 0 || left < next {
				next = left
			}
			break
		}
	}
	return lamp, buzzer, next
}

// lamp is the pattern without its sound.
func (p pattern) lamp() pattern { return pattern{on: p.on, off: p.off} }

// sooner is the earlier of two changes; zero is never.
func sooner(a, b time.Duration) time.Duration {
	if a == 0 || b > 0 && b < a {
		return b
	}
	return a
}
