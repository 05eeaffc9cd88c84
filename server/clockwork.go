package server

import (
	"time"

	"github.com/mafiabox/mafiabox/engine"
)

// clockwork is the clock of a speech: what is left of it, and since when it
// runs. It is made from the acts of the game alone.
type clockwork struct {
	left          time.Duration
	since         time.Time // zero while it stands
	held, stopped bool      // what it stands for
}

// after is the clock after an act and its events.
func (c clockwork) after(a engine.Act, events []engine.Event, now time.Time) clockwork {
	switch a.Verb {
	case engine.Hold, engine.Go:
		c.held = a.Verb == engine.Hold
	case engine.Stop, engine.Resume:
		c.stopped = a.Verb == engine.Stop
	}
	for _, e := range events {
		if e.Kind == engine.Speaks {
			c = clockwork{left: time.Duration(e.N) * time.Second, stopped: c.stopped}
		}
	}
	switch stands := c.held || c.stopped; {
	case stands && !c.since.IsZero():
		c.left, c.since = c.Left(now), time.Time{}
	case !stands && c.left > 0 && c.since.IsZero():
		c.since = now
	}
	return c
}

// matching is the clock as the game has it: none without a speaker; and where
// an undo gave the word back, all of its time, standing until the next act.
func (c clockwork) matching(g engine.Game) clockwork {
	s := g.Seen(engine.All)
	switch {
	case s.Speaker == 0:
		return clockwork{stopped: c.stopped}
	case c.left == 0 && c.since.IsZero():
		c.left = time.Duration(s.Speech) * time.Second
	}
	c.held = s.Held
	return c
}

// Left is the time that is left, never below zero.
func (c clockwork) Left(now time.Time) time.Duration {
	if !c.since.IsZero() {
		return max(0, c.left-now.Sub(c.since))
	}
	return c.left
}

// moved is the clock after the box was away: what was left at the last act
// before runs on from now.
func (c clockwork) moved(last, now time.Time) clockwork {
	if !c.since.IsZero() {
		c.left, c.since = c.Left(last), now
	}
	return c
}
