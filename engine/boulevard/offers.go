package boulevard

import (
	"slices"

	"github.com/mafiabox/mafiabox/engine"
)

// Offers lists what an actor may do.
func (s state) Offers(a engine.Actor) []engine.Offer {
	switch {
	case s.ended:
		return nil
	case a == engine.Host:
		return s.hostOffers()
	case a > 0 && int(a) <= len(s.dealt) && !s.out.has(a.Seat()):
		return append(s.nightOffers(a.Seat()), s.dayOffers(a.Seat())...)
	}
	return nil
}

func when(open bool) engine.Standing {
	if open {
		return engine.Open
	}
	return engine.Later
}

// nightOffers are the verbs of a seat's role, and for the picks that its role
// leaves free a suspicion: every seat has as many picks as the busiest role.
func (s *state) nightOffers(seat engine.Seat) (offers []engine.Offer) {
	now := when(s.phase.Name == engine.Nights)
	for _, verb := range s.does(seat) {
		offers = append(offers, s.nightOffer(seat, verb, now))
	}
	if free := s.picks - s.busy(seat); free > 0 {
		offers = append(offers, engine.Offer{Verb: engine.Suspect, Now: now, Min: 1, Max: free, Seats: s.living()})
	}
	return append(offers, engine.Offer{Verb: engine.Wait, Now: now})
}

func (s *state) nightOffer(seat engine.Seat, verb engine.Verb, now engine.Standing) engine.Offer {
	rule := abilities[verb]
	offer := engine.Offer{Verb: verb, Now: now, Min: rule.targets, Max: rule.targets}
	for _, target := range s.living() {
		switch {
		case target == seat && s.forbidsSelf(verb):
		case verb == engine.Shoot && s.side(target) == Mafia && s.options["friendly_fire"] == "no":
		case target == seat && s.options[rule.self] == "once" && s.selfUsed.has(seat), s.repeats(seat, verb, target):
			offer.Barred = append(offer.Barred, target)
		default:
			offer.Seats = append(offer.Seats, target)
		}
	}
	return offer
}

// forbidsSelf tells whether a seat may never name itself with this verb. The
// Putana never may (source/boulevard.txt, step 2).
func (s *state) forbidsSelf(verb engine.Verb) bool {
	value := s.options[abilities[verb].self]
	return verb == engine.Block || value == "no" || value == "never"
}

// repeats tells whether this would be the same target two nights running where
// the club forbids that.
func (s *state) repeats(seat engine.Seat, verb engine.Verb, target engine.Seat) bool {
	return s.options[abilities[verb].repeat] == "no" && slices.ContainsFunc(s.previous, func(c choice) bool {
		return c.by == seat && c.verb == verb && slices.Contains(c.seats, target)
	})
}

// debates tells whether people may speak now, and votes may follow: day 0 has
// speeches only with the option for it, and a vote only with `day`.
func (s *state) debates() (speeches, votes bool) {
	if s.phase.Name != engine.Day || s.ruling != "" {
		return false, false
	}
	first := s.options["first"]
	return s.phase.N > 0 || first != "night", !s.voted && (s.phase.N > 0 || first == "day")
}

func (s *state) dayOffers(seat engine.Seat) []engine.Offer {
	nominate := engine.Offer{Verb: engine.Nominate, Min: 1, Max: 1, Barred: s.candidates}
	for _, target := range s.living() {
		if !slices.Contains(s.candidates, target) {
			nominate.Seats = append(nominate.Seats, target)
		}
	}
	_, votes := s.debates()
	nominate.Now = when(votes)
	if votes && s.options["nominate"] == "speaker" && s.speaker != seat {
		nominate.Now = engine.Turn
	}
	return []engine.Offer{nominate, {Verb: engine.Vote, Now: when(s.voting()), Min: 1, Max: 1, Seats: s.candidates}}
}

func (s *state) hostOffers() []engine.Offer {
	day := s.phase.Name == engine.Day
	night := s.phase.Name == engine.Nights
	speeches, votes := s.debates()
	runs := s.speaker != 0 || night // a clock that may be held

	speech := engine.Offer{Verb: engine.Speech, Now: when(speeches), Max: 1}
	for _, seat := range s.living() {
		if s.muted.has(seat) {
			speech.Barred = append(speech.Barred, seat)
		} else {
			speech.Seats = append(speech.Seats, seat)
		}
	}
	if s.next() == 0 {
		speech.Min = 1
	}
	about := func(verb engine.Verb, text int) engine.Offer {
		return engine.Offer{Verb: verb, Now: engine.Open, Min: 1, Max: 1, Seats: s.living(), TextMax: text}
	}
	return []engine.Offer{
		{Verb: engine.Night, Now: when(day && s.ruling == "")},
		{Verb: engine.Close, Now: when(night || s.voting() && s.ruling == "")},
		{Verb: engine.Dawn, Now: when(night || s.phase.Name == engine.Closed)},
		speech,
		{Verb: engine.Pass, Now: when(s.speaker != 0)},
		{Verb: engine.Vote, Now: when(votes)},
		{Verb: engine.Votes, Now: when(s.voting() && s.ruling == ""), Min: 1, Max: 1, Seats: s.candidates},
		{Verb: engine.Hold, Now: when(runs && !s.held)},
		{Verb: engine.Go, Now: when(runs && s.held)},
		{Verb: engine.Rule, Now: when(s.ruling != ""), Words: s.answers()},
		about(engine.Warn, engine.TextMax),
		about(engine.Disqualify, engine.TextMax),
		about(engine.Leave, 0),
	}
}
