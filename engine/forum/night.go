package forum

import "github.com/mafiabox/mafiabox/engine"

// night is what was sent in a night, as it stands.
type night struct {
	whack, whacker engine.Seat
	guess          engine.Seat
}

// choose notes what a seat sends at night. The mafia see each other's whack;
// the last one counts, whoever of the living sent it (source/forum.txt, 5 to 7).
func (s *state) choose(by engine.Seat, verb engine.Verb, target engine.Seat) (events []engine.Event) {
	told := []engine.Seat{by}
	switch verb {
	case engine.Whack:
		s.whack, s.whacker = target, by
		told = s.black()
	case engine.Guess:
		s.guess = target
	}
	for _, seat := range told {
		events = append(events, engine.Event{To: engine.Audience(seat), Kind: engine.Chose, Of: by, Verb: verb, Seats: []engine.Seat{target}})
	}
	return events
}

// bothIn tells whether the night ends now: with the whack and the guess
// (source/forum.txt, 7). An Inspector who is out is not waited for.
func (s *state) bothIn() bool {
	return s.options["night_end"] == "both" && s.whack != 0 && (s.guess != 0 || !s.lives(s.seeker()))
}

// endNight executes the whack: the day begins, then the victim is announced.
func (s *state) endNight() []engine.Event {
	if s.whack == 0 {
		return s.missedWhack()
	}
	fate, morning := "out", engine.Event{To: engine.All, Kind: engine.Stay}
	if s.lives(s.whack) {
		morning = s.leaves(s.whack, engine.ByNight)
	} else {
		fate = "stands" // who was to fall had left before
	}
	events := []engine.Event{
		{To: engine.ToHost, Kind: engine.Trace, Of: s.whacker, Verb: engine.Whack, Seats: []engine.Seat{s.whack}, Fates: []engine.Fate{{What: fate}}},
		s.enter(engine.Day, s.phase.N+1),
		morning,
	}
	if end := s.verdict(); end != nil {
		return append(events, end...)
	}
	return append(events, s.morning()...)
}

// missedWhack forfeits the whack (source/forum.txt, 5 and 8b). The rules only
// subject the mafia to the reveal of the last exile's role, so the host may be asked.
func (s *state) missedWhack() []engine.Event {
	if s.exile == 0 || s.shown.has(s.exile) {
		return s.makesUp(nil)
	}
	if s.options["missed_whack_reveal"] == "ask" {
		return []engine.Event{s.ask("missed-whack-reveal", "yes", "no")}
	}
	return s.reveal(s.options["missed_whack_reveal"])
}

func (s *state) reveal(choice string) []engine.Event {
	if choice == "yes" {
		return s.makesUp([]engine.Event{s.roleOf(s.exile)})
	}
	return s.makesUp(nil)
}

// makesUp gives the town another vote for the missed whack: when the number
// alive is even (source/forum.txt, 5a), or always (8b has no such condition).
func (s *state) makesUp(events []engine.Event) []engine.Event {
	if s.makeUp == "always" || len(s.living())%2 == 0 {
		return append(events, s.opens(engine.Special, s.phase.N)...)
	}
	events = append(events, s.enter(engine.Day, s.phase.N+1), engine.Event{To: engine.All, Kind: engine.Stay})
	return append(events, s.morning()...)
}

// morning answers the Inspector, if he is there to be answered, and opens the
// day's vote.
func (s *state) morning() (events []engine.Event) {
	if seat := s.seeker(); s.guess != 0 && s.lives(seat) {
		word := "no"
		if s.role(s.guess) == mafia {
			word = "yes"
		}
		events = append(events, engine.Event{To: engine.Audience(seat), Kind: engine.Told, Verb: engine.Guess, Seats: []engine.Seat{s.guess}, Words: []string{word}})
	}
	s.night = night{}
	return append(events, s.start()...)
}
