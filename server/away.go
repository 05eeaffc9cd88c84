package server

import (
	"fmt"
	"slices"
	"time"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/server/store"
)

// While nobody has said what time it is, a game with deadlines stands still.
// What players send then is held, and done as of the moment at which they sent
// it once that is known: a vote after the round's end was too late.

// away is a time in which the box was off.
type away struct {
	After int       `json:"after"` // the number of the last act before
	From  time.Time `json:"from"`
	To    time.Time `json:"to"`
}

const (
	aliveStep = 2 * time.Minute // how often it is noted that the box is on
	awayLeast = 5 * time.Minute // to be worth a word
	keptAways = 50
	longAway  = 7 * 24 * time.Hour // more than that in a game is rather a slip of the finger
)

// settle brings the game up to the time, once that is known: it goes on from
// when the box went off, takes what was held, and closes what is due.
func (d *draft) settle() error {
	if !d.known {
		return nil
	}
	d.quiet, d.heard = true, true // pages say whether it is
	if !d.dated() || d.game.Ended() {
		return nil
	}
	if !d.settled {
		d.wasAway()
	}
	d.settled = true
	waiting, now := d.doc.Held, d.time
	d.doc.Held = nil
	for _, h := range waiting {
		if !h.Late {
			h = d.release(h, now)
		}
		if h.Late && now.Sub(h.Told) < lateStays {
			d.doc.Held = append(d.doc.Held, h)
		}
	}
	d.dirty = d.dirty || len(waiting) > 0
	d.time = now
	d.fall()
	d.doc.Alive, d.dirty = now, true
	return nil
}

// settleNow brings the game up to the time where that failed before: the disk
// may have been full.
func (t *Table) settleNow() {
	m := t.now.Load()
	if _, known := t.box.Time(); m.dated() && !m.settled && known && m.frozen == "" && !m.game.Ended() {
		t.work([]request{{at: t.box.cfg.Now(), do: (*draft).settle, reply: make(chan answer, 1)}})
	}
}

// wasAway notes for how long the box was off. Where the club says so the
// deadlines move by that time.
func (d *draft) wasAway() {
	from := d.doc.Alive
	to, _ := d.box.timeAt(d.box.opened)
	due := d.game.Due()
	over := !due.IsZero() && due.After(from) && !due.After(to)
	if from.IsZero() || to.Sub(from) < awayLeast && !over || !to.After(from) {
		return
	}
	if d.doc.house(d.game.Rules(), "away") == "move" && !d.game.Seen(engine.All).Stopped {
		now := d.time
		for i, verb := range []engine.Verb{engine.Stop, engine.Resume} {
			d.time = []time.Time{from, to}[i]
			d.advance(d.time)
			if _, err := d.do(engine.Act{By: engine.Host, Verb: verb, Via: engine.ByBox}); err != nil {
				d.box.log.Warn("the deadline does not move", "table", d.table, "error", err)
			}
		}
		d.time = now
	}
	d.doc.Away = append(d.doc.Away[max(0, len(d.doc.Away)-keptAways):], away{After: d.game.LastNo(), From: from, To: to})
	d.dirty, d.heard = true, true
}

// saveAlive notes that the box is on, for a game with deadlines.
func (t *Table) saveAlive(every time.Duration) {
	m := t.now.Load()
	now, known := t.box.Time()
	if !m.dated() || !known || m.frozen != "" || m.game.Ended() || now.Sub(m.doc.Alive) < every {
		return
	}
	after := *m
	after.doc = m.doc.clone()
	after.doc.Alive = now
	if err := t.box.store.Commit(store.Change{Table: t.id, Doc: after.doc.encode()}); err != nil {
		t.box.log.Warn("that the box is on is not stored", "table", t.id, "error", err)
		return
	}
	t.now.Store(&after)
}

// lastKnown is the latest moment that the box remembers.
func (b *Box) lastKnown() (last time.Time) {
	for _, t := range b.Tables() {
		m := t.now.Load()
		last = latest(latest(last, m.doc.Alive), m.due.moved)
	}
	return last
}

// runsDated tells whether a game with deadlines is on at any table.
func (b *Box) runsDated() bool {
	return slices.ContainsFunc(b.Tables(), func(t *Table) bool {
		m := t.now.Load()
		return m.dated() && !m.game.Ended()
	})
}

// confirm takes what time a host says it is. A time before what the box
// remembers is odd, and so is one long after it, by which every deadline until
// then would pass at once: these are taken only when he is sure.
func (b *Box) confirm(says time.Time, sure bool) error {
	b.hours.mu.Lock()
	right := b.cfg.Trusted && !b.hours.odd
	b.hours.mu.Unlock()
	if right {
		return say("time_known")
	}
	last := b.lastKnown()
	was := last.In(says.Location()).Format("2006-01-02 15:04")
	switch ahead := says.Sub(last); {
	case sure:
	case ahead < -time.Minute:
		return say("time_earlier", "Last", was)
	case ahead > longAway && b.runsDated():
		return say("time_far", "Last", was, "Days", int(ahead/(24*time.Hour)))
	}
	machine := b.cfg.Now()
	err := b.club.change(func(c *clubDoc) error {
		c.Hours = confirmed{Boot: b.cfg.Boot, Ahead: says.Sub(machine.Round(0))}
		return nil
	})
	if err != nil {
		return err
	}
	b.hours.set(machine, says)
	b.log.Info("a host has said what time it is", "time", says, "machine", machine)
	for _, t := range b.Tables() {
		if err := t.Do("", (*draft).settle); err != nil {
			return fmt.Errorf("table %s: %w", t.id, err)
		}
	}
	return nil
}
