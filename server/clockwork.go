package server

import (
	"slices"
	"strconv"
	"time"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/server/store"
)

// clockwork is the table's clock: of a speech, of the black's agreement, of the
// free seating. What it is of, and whether it stands, is the game's; here is
// only how much of it is left.
type clockwork struct {
	no    int           // the act that set it going; 0: there is none
	left  time.Duration // at since
	since time.Time     // zero while it stands
	past  []clockwork   // those before, as they were left: an undo goes back to one
}

// pastClocks is how many of them are kept: a whole day of speeches.
const pastClocks = 32

// clockNote is a clock as it is stored: what is left of it after a power cut.
type clockNote struct {
	No   int           `json:"no"`
	Left time.Duration `json:"left"`
}

// noteStep is how much of a running clock a power cut may give back.
const noteStep = 5 * time.Second

// timed is what is timed now: the act that set the clock going, a name for it,
// and how long it has in all.
func timed(g engine.Game, s engine.Seen) (no int, name string, length time.Duration) {
	seconds := func(option string) time.Duration {
		n, _ := strconv.Atoi(g.Setup().Options[option])
		return time.Duration(n) * time.Second
	}
	switch {
	case s.Speaker != 0:
		return g.Latest(engine.Speaks), "", time.Duration(s.Speech) * time.Second
	case s.Phase.N == 0 && s.Phase.Name == engine.Nights:
		return g.Since(), "agreement", seconds("agreement_s")
	case s.Phase.N == 0 && s.Phase.Name == engine.Closed:
		return g.Latest(engine.PhaseIs), "seating", seconds("free_seating_s")
	}
	return 0, "", 0
}

// follow is the clock after an act of the game.
func (c clockwork) follow(g engine.Game, now time.Time) clockwork {
	s := g.Seen(engine.All)
	no, _, length := timed(g, s)
	if no != c.no {
		c = c.turn(no, length, now)
	}
	switch runs := no != 0 && !s.Held && !s.Stopped; {
	case !runs && !c.since.IsZero():
		c.left, c.since = c.Left(now), time.Time{}
	case runs && c.since.IsZero() && c.left > 0:
		c.since = now
	}
	return c
}

// turn is another clock: a new one, or one to which an undo goes back, with
// what was left of it.
func (c clockwork) turn(no int, length time.Duration, now time.Time) clockwork {
	past := c.past
	if c.no != 0 {
		past = append(slices.Clone(past[max(0, len(past)-pastClocks):]), clockwork{no: c.no, left: c.Left(now)})
	}
	for _, p := range past {
		if p.no == no {
			length = p.left
		}
	}
	return clockwork{no: no, left: length, past: past}
}

// Left is the time that is left, never below zero.
func (c clockwork) Left(now time.Time) time.Duration {
	if c.since.IsZero() {
		return c.left
	}
	return max(0, c.left-max(0, now.Sub(c.since)))
}

// Runs tells whether time passes now.
func (c clockwork) Runs(now time.Time) bool { return !c.since.IsZero() && c.Left(now) > 0 }

// note is the clock as it is stored.
func (c clockwork) note(now time.Time) clockNote { return clockNote{c.no, c.Left(now)} }

// again is the clock after the box was away: what was noted last runs on from now.
func (c clockwork) again(note clockNote, now time.Time) clockwork {
	if c.no == note.No {
		c.left = note.Left
	}
	if !c.since.IsZero() {
		c.since = now
	}
	return c
}

// noteClock keeps with an act how its clock stands then, where the act has set
// it going, paused it or let it go on.
func (d *draft) noteClock(was clockwork) {
	if c := d.clock; c.no != was.no || c.since != was.since {
		d.doc.Clock, d.dirty = c.note(d.now), true
	}
}

// saveClock stores how far a running clock has come: from time to time, and
// when the box ends. It shows nothing new, so nobody is told.
func (t *Table) saveClock(every time.Duration) {
	m := t.now.Load()
	note := m.clock.note(t.box.cfg.Now())
	if m.clock.since.IsZero() || m.frozen != "" || m.doc.Clock.No == note.No && m.doc.Clock.Left-note.Left < every {
		return
	}
	after := *m
	after.doc = m.doc.clone()
	after.doc.Clock = note
	if err := t.box.store.Commit(store.Change{Table: t.id, Doc: after.doc.encode()}); err != nil {
		t.box.log.Warn("the clock is not stored", "table", t.id, "error", err)
		return
	}
	t.now.Store(&after)
}
