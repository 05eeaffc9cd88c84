package server

import (
	"time"

	"github.com/mafiabox/mafiabox/engine"
)

// Mark is a moment of a clock at which everybody hears something.
type Mark string

// The marks of a clock.
const (
	TenSeconds Mark = "ten"  // are left
	TimeUp     Mark = "time" // is over
)

// lastStretch is what is left at the first mark.
const lastStretch = 10 * time.Second

// mark is what is heard when a clock has gone from one time left to another.
func mark(was, left time.Duration) Mark {
	switch {
	case was > 0 && left <= 0:
		return TimeUp
	case was > lastStretch && left <= lastStretch:
		return TenSeconds
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

// Public is what everybody may see of the first table: what the panel shows.
func (b *Box) Public() (phase string, over bool) {
	m := b.Tables()[0].now.Load()
	if !m.plays() {
		return string(lobby), false
	}
	s := m.game.Seen(engine.All)
	return s.Phase.Name, s.Over
}

// WatchPublic shows the first table's public phase, now and after each change,
// and rings at the marks of its clock, until the box closes.
func (b *Box) WatchPublic(show func(phase string), ring func(Mark)) {
	t := b.Tables()[0]
	w, stop := t.watch("", false)
	defer stop()
	last := "" // phase
	var was clockNote
	for {
		if phase, _ := b.Public(); phase != last {
			last = phase
			show(phase)
		}
		m, now := t.now.Load(), b.cfg.Now()
		clock := m.clock.note(now)
		if clock.No == was.No {
			if m := mark(was.Left, clock.Left); m != "" {
				ring(m)
			}
		}
		was = clock
		var next <-chan time.Time
		if m.clock.Runs(now) {
			next = b.cfg.After(untilMark(clock.Left))
		}
		select {
		case <-next:
		case <-w.changed:
		case <-b.closing:
			return
		}
	}
}
