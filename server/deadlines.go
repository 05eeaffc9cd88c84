package server

import (
	"time"

	"github.com/mafiabox/mafiabox/engine"
)

// A game with deadlines is told by clock acts how late it is: before each other
// act, and when something is due. What falls due on the way is the game's own.

// dues is how such a game stands in time.
type dues struct {
	moved  time.Time // so far the game's time has come
	closed time.Time // when the last round ended
}

// follow is how the game stands after an act.
func (d dues) follow(before engine.Game, a engine.Act, after engine.Game) dues {
	if a.Verb == engine.Advance {
		d.moved = latest(d.moved, a.Moment)
	}
	if before.Since() != after.Since() {
		d.closed = d.moved
		if due := before.Due(); a.Verb == engine.Advance && !due.IsZero() {
			d.closed = due
		}
	}
	return d
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// timely tells whether the game's time is the time on the wall.
func (d *draft) timely() bool { return d.known && d.settled }

// advance moves the game's time on, by whole seconds.
func (d *draft) advance(to time.Time) {
	to = to.In(d.zone(d.game.Rules())).Truncate(time.Second)
	if !to.After(d.due.moved) {
		return
	}
	if _, err := d.do(engine.Act{By: engine.Clock, Verb: engine.Advance, Moment: to, Via: engine.ByBox}); err != nil {
		panic(err) // a clock act is never refused
	}
}

// fall does what is due by now.
func (d *draft) fall() {
	if !d.dated() || !d.timely() {
		return
	}
	if due := d.game.Due(); !due.IsZero() && !due.After(d.time) {
		d.advance(d.time)
	}
}

// stale is why a form of an earlier moment is worth nothing now.
func (d *draft) stale() error {
	if !d.dated() || d.due.closed.IsZero() {
		return engine.RefusedPhase
	}
	zone := d.zone(d.game.Rules())
	return say("too_late", "Closed", d.due.closed.In(zone).Format(time.TimeOnly), "Now", d.time.In(zone).Format(time.TimeOnly))
}

// counted says of a vote when it was counted.
func (d *draft) counted(a engine.Act, events []engine.Event) {
	votes := a.Verb == engine.Vote || a.Verb == engine.Lock || a.Verb == engine.Unlock
	for _, e := range events {
		votes = votes || a.Verb == engine.Post && e.Kind == engine.Voted
	}
	if votes && a.By.Seat() != 0 {
		word := say("counted", "At", d.time.In(d.zone(d.game.Rules())).Format(time.TimeOnly))
		d.word = &word
	}
}

// wakeup rings when something is due at a table.
type wakeup struct {
	at    time.Time
	rings <-chan time.Time
}

// longestWait is how long a wakeup trusts that time passes as it should: a
// machine that slept, or was set, is found out after that.
const longestWait = time.Minute

// set sets it for what is due next.
func (a *wakeup) set(t *Table) {
	var due time.Time
	m := t.now.Load()
	now, known := t.box.Time()
	if m.dated() && known && m.settled && m.frozen == "" {
		due = m.game.Due()
	}
	switch {
	case due.IsZero():
		*a = wakeup{}
	case !due.Equal(a.at):
		*a = wakeup{due, t.box.cfg.After(max(0, min(due.Sub(now), longestWait)))}
	}
}

// falls does what is due, after what was asked for before that.
func (t *Table) falls() wakeup {
	due := request{at: t.box.cfg.Now(), do: func(*draft) error { return nil }, reply: make(chan answer, 1)}
	all := t.gather(due)
	t.work(append(all[1:], due))
	if answer := <-due.reply; answer.err != nil { // it could not be stored: again, but not at once
		return wakeup{t.now.Load().game.Due(), t.box.cfg.After(time.Second)}
	}
	return wakeup{}
}
