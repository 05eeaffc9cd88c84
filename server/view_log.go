package server

import (
	"fmt"

	"github.com/mafiabox/mafiabox/engine"
)

// entryView is one act in the host's log.
type entryView struct {
	No      int
	Text    string
	Results []string
	Void    bool // taken back, or of a round that was started again
	Old     bool // the same seat has sent the same again since
	Undo    bool
	Correct *offerView
}

// logged is how many acts the console lists at the most.
const logged = 60

// log lists the acts since the last announcement, the last first, with what can
// still be mended; the one that announced closes the list.
func (w words) log(g engine.Game, seats []seatView) (entries []entryView) {
	all := g.Log()
	open, later, stands := true, make(map[string]bool), g.Stands()
	for i := len(all) - 1; i >= 0 && open && len(entries) < logged; i-- {
		a := all[i].Act
		open = a.Verb.Conduct() || !engine.Announces(all[i].Events)
		if a.Verb == engine.Hold || a.Verb == engine.Go {
			continue
		}
		e := entryView{No: a.No, Text: w.act(a, seats), Void: !stands[a.No]}
		if seat := a.Subject().Seat(); seat != 0 && !e.Void && a.Verb != engine.Nominate {
			of := fmt.Sprint(seat, a.Verb)
			e.Old = later[of] || later[fmt.Sprint(seat, engine.Wait)]
			later[of] = true
		}
		for _, told := range all[i].Events {
			if told.Kind != engine.Owed && told.Kind != engine.Chose {
				e.Results = append(e.Results, w.event(told, seats))
			}
		}
		if open && !e.Void && !e.Old && !g.Ended() {
			_, _, err := g.Do(engine.Act{By: engine.Host, Verb: engine.Undo, N: a.No})
			e.Undo = err == nil
		}
		if seat := a.Subject().Seat(); seat != 0 && e.Undo && !e.Old && len(a.Seats) > 0 {
			e.Correct = w.correction(a, seats)
		}
		entries = append(entries, e)
	}
	return entries
}

// correction is the form that replaces an accepted act by one of the same verb.
func (w words) correction(a engine.Act, seats []seatView) *offerView {
	v := offerView{Verb: a.Verb, For: a.Subject().Seat(), Label: w.T("correct"), Ask: w.ask(a.Verb, 0, 1), Many: len(a.Seats), Needs: true}
	for _, s := range seats {
		if !s.Out {
			v.Seats = append(v.Seats, s)
		}
	}
	return &v
}

// undoable is the host's own last act, if it can be taken back. What a phone has
// sent since is no slip of the host's, and stands.
func (w words) undoable(g engine.Game, seats []seatView) *entryView {
	all, stands := g.Log(), g.Stands()
	for i := len(all) - 1; i >= 0; i-- {
		a := all[i].Act
		if a.By != engine.Host || !stands[a.No] || a.Verb == engine.Undo || a.Verb.Skipped() {
			continue
		}
		if _, _, err := g.Do(engine.Act{By: engine.Host, Verb: engine.Undo, N: a.No}); err != nil {
			return nil
		}
		return &entryView{No: a.No, Text: w.act(a, seats)}
	}
	return nil
}
