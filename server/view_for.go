package server

import (
	"fmt"
	"html/template"
	"slices"

	"github.com/mafiabox/mafiabox/engine"
)

// forView is what the host may enter for one player.
type forView struct {
	words
	Seat    seatView
	Role    string     // to show to a player without a phone, behind a hold
	Chosen  []string   // what was sent or entered for the seat, behind a hold
	Answers []string   // behind a hold
	Picks   []pickView // the night's form: that of the seat's own page, with as many picks for every seat
	Nothing bool       // it may be left empty
	Mends   bool       // the night is closed: what is picked corrects what was sent
	Offers  []offerView
}

// Keeps is the seat for which the host enters.
func (p hostPage) Keeps() template.URL {
	if p.For == nil {
		return ""
	}
	return template.URL(fmt.Sprintf("for=%d&", p.For.Seat.Seat))
}

// enteringFor is what the host may enter for one player. The night's form looks
// the same for every seat: whoever stands behind the host, or a host who plays
// himself, learns no role from it.
func (w words) enteringFor(g engine.Game, seen engine.Seen, seats []seatView, from engine.Seat) *forView {
	if from < 1 || int(from) > len(seats) || seats[from-1].Out {
		return nil
	}
	v := &forView{words: w, Seat: seats[from-1], Role: w.role(seen.Seats[from-1].Role), Mends: seen.Phase.Name == engine.Closed}
	for _, e := range seen.Chosen {
		if e.Of == from && e.To == engine.Audience(from) {
			v.Chosen = append(v.Chosen, w.event(e, seats))
		}
	}
	for _, e := range seen.Answers {
		if e.To == engine.Audience(from) {
			v.Answers = append(v.Answers, w.event(e, seats))
		}
	}
	if night, ok := atNight(g); ok {
		_, v.Nothing = offerOf(night.Offers(engine.Actor(from)), engine.Wait)
		v.Picks = w.picks(night.Seen(engine.Audience(from)), seats)
		for _, pick := range v.Picks {
			for i := range pick.Seats {
				pick.Seats[i].Shut = false // the box refuses what may not be: even a finger on it tells nothing
			}
		}
		return v
	}
	for _, o := range g.Offers(engine.Actor(from)) {
		if o.Now == engine.Open && !ownWords(o.Verb) {
			o.Seats = append(o.Seats[:len(o.Seats):len(o.Seats)], o.Barred...)
			v.Offers = append(v.Offers, w.offer(o, seats, from))
		}
	}
	return v
}

// atNight is the game while its night is open; once that is closed, and until
// the morning, it is the game as it was before that.
func atNight(g engine.Game) (engine.Game, bool) {
	switch g.Phase().Name {
	case engine.Nights:
		return g, true
	case engine.Closed:
		for _, entry := range slices.Backward(g.Log()) {
			if entry.Act.Verb == engine.Close {
				night, _, err := g.Do(engine.Act{By: engine.Host, Verb: engine.Undo, N: entry.Act.No})
				return night, err == nil && night.Phase().Name == engine.Nights
			}
		}
	}
	return g, false
}

// enteredActs are the acts of a night's form that the host fills in for a seat.
// After the close they correct what was sent, and leave the rest as it is.
func enteredActs(g engine.Game, seat engine.Seat, picks []engine.Seat) ([]engine.Act, error) {
	night, ok := atNight(g)
	if !ok || seat < 1 || int(seat) > g.Setup().Seats {
		return nil, engine.RefusedPhase
	}
	var acts []engine.Act
	for _, a := range nightActs(night.Seen(engine.Audience(seat)), seat, picks) {
		a.By, a.For, a.Via, a.Mends = engine.Host, seat, engine.ByHost, g.Phase().Name == engine.Closed
		if !a.Mends || a.Verb != engine.Wait {
			acts = append(acts, a)
		}
	}
	if len(acts) == 0 {
		return nil, say("pick_somebody")
	}
	return acts, nil
}

// ownWords tells whether an act is what somebody writes: nobody does so for
// another.
func ownWords(v engine.Verb) bool { return v == engine.Post || v == engine.Whisper }
