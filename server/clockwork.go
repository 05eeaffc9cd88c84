package server

import (
	"time"

	"github.com/mafiabox/mafiabox/engine"
)

// clockwork is the clock of a speech: what is left of it, and since when it
// runs. It is made from the acts of the game alone.
type clockwork struct {
	left  time.Duration
	since time.Time // zero while it stands
}

// after is the clock after an act and its events.
func (c clockwork) after(a engine.Act, events []engine.Event, now time.Time) clockwork {
	switch a.Verb {
	case engine.Hold, engine.Stop:
		c = c.stand(now)
	case engine.Go, engine.Resume:
		if c.left > 0 && c.since.IsZero() {
			c.since = now
		}
	case engine.Pass, engine.Night, engine.Vote:
		if a.By == engine.Host {
			c = clockwork{}
		}
	}
	for _, e := range events {
		if e.Kind == engine.Speaks {
			c = clockwork{time.Duration(e.N) * time.Second, now}
		}
	}
	return c
}

// Left is the time that is left, never below zero.
func (c clockwork) Left(now time.Time) time.Duration {
	if !c.since.IsZero() {
		return max(0, c.left-now.Sub(c.since))
	}
	return c.left
}

func (c clockwork) stand(now time.Time) clockwork { return clockwork{left: c.Left(now)} }

// paused is the clock after the box was away: it goes on when the host says so.
func (c clockwork) paused() clockwork { return clockwork{left: c.left} }
