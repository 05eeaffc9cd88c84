package engine

import (
	"slices"
	"unicode/utf8"
)

// offers are what one actor may do.
type offers []Offer

func (s *step) offers(a Actor) offers { return s.state.Offers(a) }

// find is the offer of that verb.
func (o offers) find(v Verb) (Offer, bool) {
	i := slices.IndexFunc(o, func(o Offer) bool { return o.Verb == v })
	if i < 0 {
		return Offer{}, false
	}
	return o[i], true
}

// open tells whether the verb may be done now.
func (o offers) open(v Verb) bool {
	offer, ok := o.find(v)
	return ok && offer.Now == Open
}

// fits tells why an act does not fit the offers, as a Refusal.
func (o offers) fits(a Act) error {
	offer, ok := o.find(a.Verb)
	if !ok {
		return RefusedRole
	}
	switch offer.Now {
	case Later:
		return RefusedPhase
	case Turn:
		return RefusedTurn
	case Spent:
		return RefusedLimit
	}
	return offer.takes(a)
}

// takes tells why an act names what the offer doesn't have, as a Refusal.
func (o Offer) takes(a Act) error {
	needed := o.Max == 0 && len(o.Words) > 0
	switch {
	case a.N != 0 && a.Verb != Undo || a.N < 0 || !a.Moment.IsZero():
		return RefusedTarget
	case a.Word == "" && needed, a.Word != "" && !slices.Contains(o.Words, a.Word):
		return RefusedTarget
	case len(a.Seats) == 0 && a.Word != "" && !o.Beside:
		return o.writes(a)
	case len(a.Seats) > 0 && a.Word != "" && !o.Beside:
		return RefusedTarget // either, not both
	case len(a.Seats) < o.Min, len(a.Seats) > o.Max, !distinct(a.Seats):
		return RefusedTarget
	}
	err := o.writes(a)
	for _, seat := range a.Seats {
		switch {
		case slices.Contains(o.Seats, seat):
		case slices.Contains(o.Barred, seat):
			err = RefusedLimit
		default:
			return RefusedTarget
		}
	}
	return err
}

func (o Offer) writes(a Act) error {
	if utf8.RuneCountInString(a.Text) > o.TextMax {
		return RefusedLimit
	}
	return nil
}

// Offers lists what an actor may do: what the rule system offers, and what the
// engine itself lets a host do. A game that has ended, is stopped or waits for
// a ruling offers only what it still takes.
func (g Game) Offers(a Actor) []Offer {
	all := g.last().offers(a)
	if a == Host {
		all = append(all[:len(all):len(all)], g.hostOffers()...)
	}
	var offered []Offer
	for _, o := range all {
		if g.closedTo(g.now(), Act{By: a, Verb: o.Verb}) {
			o.Now = Later // for everybody, whoever's turn it was
		}
		offered = append(offered, o)
	}
	return offered
}

// hostOffers are the acts of a host that every rule system has.
func (g Game) hostOffers() offers {
	standing := func(open bool) Standing {
		if open {
			return Open
		}
		return Later
	}
	now := g.now()
	_, undoable := g.lastCounted()
	var all []Seat
	for i := range g.setup.Seats {
		all = append(all, Seat(i+1))
	}
	return offers{
		{Verb: Undo, Now: standing(undoable)},
		{Verb: Replay, Now: standing(!now.ended), TextMax: TextMax},
		{Verb: Decide, Now: standing(!now.ended), TextMax: TextMax},
		{Verb: Stop, Now: standing(!now.stopped && !now.ended), TextMax: TextMax},
		{Verb: Resume, Now: standing(now.stopped)},
		{Verb: Note, Now: Open, TextMax: TextMax},
		{Verb: Appeal, Now: standing(now.ended), Min: 1, Max: 1, Seats: all, TextMax: TextMax},
		{Verb: End, Now: standing(!now.ended)},
	}
}
