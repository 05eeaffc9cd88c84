package server

import (
	"time"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/record"
	"github.com/mafiabox/mafiabox/server/store"
)

// change is what happens in the table's game, to be stored.
func (d *draft) change() *store.Change {
	if n := len(d.games); n == 0 || d.games[n-1].Game != d.doc.Game {
		d.games = append(d.games, store.Change{Table: d.table, Game: d.doc.Game})
	}
	return &d.games[len(d.games)-1]
}

// act does an act of the running game on the draft, at the moment that it is now.
func (d *draft) act(a engine.Act) error {
	if !d.game.Begun() {
		return engine.RefusedPhase
	}
	if !d.dated() {
		_, err := d.do(a)
		return err
	}
	if !d.timely() {
		return d.hold(a)
	}
	d.advance(d.time)
	events, err := d.do(a)
	if err == nil {
		d.counted(a, events)
	}
	return err
}

// do does an act, whatever the time.
func (d *draft) do(a engine.Act) ([]engine.Event, error) {
	a.At = d.now
	switch {
	case d.dated() && !d.known:
		a.At = time.Time{} // a wrong moment in the thread is worse than none
	case d.dated():
		a.At = d.time
	}
	phase := d.game.Phase()
	game, events, err := d.game.Do(a)
	if err != nil {
		return nil, err
	}
	a.No = game.LastNo()
	line := store.Act{No: a.No, Line: record.FormatAct(a), Key: d.key, Rules: rulesVersion}
	if again, err := record.ParseAct(line.Line, game.Setup().Seats); err != nil || record.FormatAct(again) != line.Line {
		return nil, say("bad_form") // it could not be read back
	}
	for _, e := range events {
		line.Events = append(line.Events, record.FormatEvent(e))
	}
	before := d.game
	d.due = d.due.follow(before, a, game)
	d.turnPage(game)
	d.game = game
	d.noteSuspended(before, a)
	d.heard = d.heard || a.Verb != engine.Note && a.Verb != engine.Advance || len(events) > 0
	change := d.change()
	change.Acts = append(change.Acts, line)
	if game.Phase() != phase {
		d.stepAt, d.asked = d.now, confirm{}
	}
	d.noteReaders(a, events)
	was := d.clock
	d.clock = was.follow(game, d.now)
	d.noteClock(was)
	return events, nil
}
