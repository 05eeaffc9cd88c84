package server

import (
	"slices"

	"github.com/mafiabox/mafiabox/engine"
)

// foulsView is giving fouls, and those given.
type foulsView struct {
	Seats     []foulSeat
	Technical []foulSeat // nil where the club doesn't count them
	Given     []foulView // the latest first
}

// foulSeat is a seat with what one foul more would do to it.
type foulSeat struct {
	seatView
	On   *view  // the page, for the form
	Word string // of a technical one
	Had  int    // how many it has
	Asks string // before it takes effect; empty: a tap gives it
	Gone bool   // it would be out
}

// foulView is a foul that was given: what, and when.
type foulView struct {
	No         int // of the act
	What, When string
	Undo       bool
}

func (p *view) fouls(g engine.Game, seen engine.Seen, o engine.Offer) *foulsView {
	v := &foulsView{Given: p.given(g, p.Seats)}
	for _, s := range offered(o, p.Seats) {
		v.Seats = append(v.Seats, p.foul(g, seen, s, "", s.Fouls))
		if slices.Contains(o.Words, "technical") {
			v.Technical = append(v.Technical, p.foul(g, seen, s, "technical", s.Technical))
		}
	}
	return v
}

// foul tells what a foul would do, by trying it.
func (p *view) foul(g engine.Game, seen engine.Seen, s seatView, word string, had int) foulSeat {
	w, v := p.words, foulSeat{seatView: s, On: p, Word: word, Had: had}
	_, events, err := g.Do(engine.Act{By: engine.Host, Verb: engine.Foul, Seats: []engine.Seat{s.Seat}, Word: word})
	if err != nil || s.Out {
		return v
	}
	for _, e := range events {
		switch e.Kind {
		case engine.Out:
			v.Gone = true
			v.Asks = w.T("fouls.out") + " " + w.removal(seen)
		case engine.Muted:
			v.Asks = w.T("fouls.muted")
		case engine.Fouls:
			if e.N == 3 && word == "" && g.Setup().Options["third_foul"] == "speech_30" {
				v.Asks = w.T("fouls.short")
			}
		}
	}
	return v
}

// removal is what becomes of the vote when a seat is removed now, as a rule
// says it: who was shot tonight is nobody's to know yet.
func (w words) removal(seen engine.Seen) string {
	debates := slices.ContainsFunc(seen.Offers, func(o engine.Offer) bool { return o.Verb == engine.Vote && o.Now == engine.Open })
	switch name := seen.Phase.Name; {
	case name == engine.Voting, name == engine.Split:
		return w.T("removal.running")
	case name != engine.Day:
		return w.T("removal.night")
	case debates:
		return w.T("removal.today")
	}
	return w.T("removal.next")
}

// given are the fouls of the game so far that count, with where they were given.
func (w words) given(g engine.Game, seats []seatView) (all []foulView) {
	var phase engine.Phase
	var speaker engine.Seat
	for _, entry := range g.Course() {
		for _, e := range entry.Events {
			switch e.Kind {
			case engine.Fouls:
				v := foulView{No: entry.Act.No, What: w.event(e, seats), When: w.phase(phase)}
				if speaker != 0 {
					v.When += ", " + w.T("fouls.speech", "Who", who(seats, speaker))
				}
				_, _, err := g.Do(engine.Act{By: engine.Host, Verb: engine.Undo, N: v.No})
				v.Undo = err == nil
				all = append(all, v)
			case engine.PhaseIs:
				phase, speaker = engine.Phase{Name: e.Words[0], N: e.N}, 0
			case engine.Speaks:
				speaker = e.Of
			}
		}
		if entry.Act.Verb == engine.Pass {
			speaker = 0
		}
	}
	slices.Reverse(all)
	return all
}
