package sport

import (
	"slices"

	"github.com/mafiabox/mafiabox/engine"
)

// Offers lists what an actor may do.
func (t Table) Offers(a engine.Actor) []engine.Offer {
	switch {
	case t.ended:
		return nil
	case a == engine.Host:
		return t.hostOffers()
	case a <= 0 || int(a) > len(t.Dealt):
		return nil
	case t.out.has(a.Seat()):
		return t.farewell(a.Seat())
	}
	return append(t.nightOffers(a.Seat()), t.dayOffers(a.Seat())...)
}

func when(open bool) engine.Standing {
	if open {
		return engine.Open
	}
	return engine.Later
}

// nightOffers are what a seat's role does, and for the picks that its role
// leaves free a suspicion: every seat has as many picks as the busiest role.
func (t *Table) nightOffers(seat engine.Seat) (offers []engine.Offer) {
	now, free := when(t.shooting()), t.Picks
	for _, act := range t.Sides.Acts(t, seat) {
		free -= act.Targets
		offers = append(offers, engine.Offer{Verb: act.Verb, Now: now, Min: act.Targets, Max: act.Targets, Seats: t.Living(), AtOnce: act.AtOnce})
	}
	if free > 0 {
		offers = append(offers, engine.Offer{Verb: engine.Suspect, Now: now, Min: 1, Max: free, Seats: t.Living()})
	}
	return append(offers, engine.Offer{Verb: engine.Wait, Now: now})
}

func (t *Table) dayOffers(seat engine.Seat) []engine.Offer {
	offers := []engine.Offer{t.nominateOffer(seat)}
	if t.Option("withdraw") == "explicit" {
		withdraw := engine.Offer{Verb: engine.Withdraw, Now: when(t.debates())}
		switch {
		case withdraw.Now != engine.Open:
		case t.speaker != seat:
			withdraw.Now = engine.Turn
		case !t.hasNominated(seat):
			withdraw.Now = engine.Spent
		}
		offers = append(offers, withdraw)
	}
	vote := engine.Offer{Verb: engine.Vote, Now: when(t.polling()), Min: 1, Max: 1, Seats: t.running}
	if t.polling() && t.ballots[seat] != 0 {
		vote.Now = engine.Spent
	}
	raise := engine.Offer{Verb: engine.Raise, Now: when(t.asking)}
	if t.asking && t.hands.has(seat) {
		raise.Now = engine.Spent
	}
	offers = append(offers, vote, raise)
	if t.Option("best_move") != "off" {
		offers = append(offers, engine.Offer{Verb: engine.BestMove})
	}
	return offers
}

// nominateOffer: one may nominate in one's own speech, while the vote is still to come.
func (t *Table) nominateOffer(seat engine.Seat) engine.Offer {
	offer := engine.Offer{Verb: engine.Nominate, Now: when(t.debates()), Min: 1, Max: 1, Barred: t.candidates()}
	for _, target := range t.Living() {
		if !slices.Contains(offer.Barred, target) {
			offer.Seats = append(offer.Seats, target)
		}
	}
	switch {
	case offer.Now != engine.Open:
	case t.speaker != seat:
		offer.Now = engine.Turn
	case t.hasNominated(seat) && t.Option("withdraw") != "replace":
		offer.Now = engine.Spent
	}
	return offer
}

// farewell is what a seat may do that is out: the victim of the first night
// names its best move, and where the club plays so a victim nominates.
func (t *Table) farewell(seat engine.Seat) (offers []engine.Offer) {
	if t.best.has(seat) {
		offer := engine.Offer{Verb: engine.BestMove, Now: engine.Open, Min: 1, Max: 3}
		for i := range t.Dealt {
			if other := engine.Seat(i + 1); other != seat {
				offer.Seats = append(offer.Seats, other)
			}
		}
		offers = append(offers, offer)
	}
	if t.victims.has(seat) && t.Option("victim_nominates") == "yes" {
		if offer := t.nominateOffer(seat); offer.Now == engine.Open {
			offers = append(offers, offer)
		}
	}
	return offers
}

func (t *Table) hostOffers() []engine.Offer {
	free := t.pending == ""
	day := free && t.phase.Name == engine.Day
	night := free && t.phase.Name == engine.Nights
	split := free && t.phase.Name == engine.Split && !t.asking
	runs := t.speaker != 0 || night // a clock that may be held

	speech := engine.Offer{Verb: engine.Speech, Now: when(day || split), Max: 1, Seats: t.tied}
	if !split {
		speech.Seats = t.heard()
	}
	if t.next() == 0 {
		speech.Min = 1
	}
	raise := engine.Offer{Verb: engine.Raise, Now: when(t.asking), Min: 1, Max: len(t.Dealt)}
	for _, seat := range t.Living() {
		if t.hands.has(seat) {
			raise.Barred = append(raise.Barred, seat)
		} else {
			raise.Seats = append(raise.Seats, seat)
		}
	}
	about := func(verb engine.Verb, seats []engine.Seat, text int) engine.Offer {
		return engine.Offer{Verb: verb, Now: engine.Open, Min: 1, Max: 1, Seats: seats, TextMax: text}
	}
	foul := about(engine.Foul, t.heard(), 0)
	if t.Option("tech_fouls") != "off" {
		foul.Words, foul.Beside = []string{"technical"}, true
	}
	rulings := t.rulings()
	return []engine.Offer{
		{Verb: engine.Night, Now: when(day || free && t.phase.Name == "")},
		{Verb: engine.Close, Now: when(night || t.polling() || t.asking)},
		{Verb: engine.Dawn, Now: when(night || free && t.phase.Name == engine.Closed)},
		speech,
		{Verb: engine.Pass, Now: when(t.speaker != 0)},
		{Verb: engine.Vote, Now: when(day && !t.decided || split)},
		{Verb: engine.Votes, Now: when(t.polling()), Min: 1, Max: 1, Seats: t.running},
		raise,
		{Verb: engine.Hold, Now: when(runs && !t.held)},
		{Verb: engine.Go, Now: when(runs && t.held)},
		{Verb: engine.Rule, Now: when(len(rulings) > 0), Words: rulings},
		foul,
		about(engine.Disqualify, t.Living(), engine.TextMax),
		about(engine.Leave, t.Living(), 0),
	}
}
