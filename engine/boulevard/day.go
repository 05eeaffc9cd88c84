package boulevard

import (
	"slices"
	"strconv"

	"github.com/mafiabox/mafiabox/engine"
)

// next is the next living seat whose speech is due, in seat order; 0: none.
func (s *state) next() engine.Seat {
	for _, seat := range s.living() {
		if !s.spoken.has(seat) && !s.muted.has(seat) {
			return seat
		}
	}
	return 0
}

func (s *state) speech(to []engine.Seat) []engine.Event {
	seat := s.next()
	if len(to) > 0 {
		seat = to[0]
	}
	s.spoken.add(seat)
	return []engine.Event{s.speaks(seat, "speech_s")}
}

// speaks gives a seat the word for as many seconds as the option says.
func (s *state) speaks(seat engine.Seat, option string) engine.Event {
	s.speaker, s.held = seat, false
	seconds, _ := strconv.Atoi(s.options[option])
	return engine.Event{To: engine.All, Kind: engine.Speaks, Of: seat, N: seconds}
}

func (s *state) nominate(by, seat engine.Seat) []engine.Event {
	s.candidates = append(s.candidates, seat)
	return []engine.Event{{To: engine.All, Kind: engine.Nominated, Of: by, Seats: []engine.Seat{seat}}}
}

// openVote opens the vote; without a candidate nobody leaves.
func (s *state) openVote() []engine.Event {
	s.speaker, s.held = 0, false
	if len(s.candidates) == 0 {
		s.voted = true
		return []engine.Event{{To: engine.All, Kind: engine.Stay}, s.enter(engine.Day, s.phase.N)}
	}
	s.round++
	return s.poll(engine.Voting)
}

// poll asks for votes on the candidates.
func (s *state) poll(phase string) []engine.Event {
	s.ballots = make([]engine.Seat, len(s.dealt)+1)
	return []engine.Event{s.enter(phase, s.phase.N), s.running(), s.owed()}
}

func (s *state) running() engine.Event {
	return engine.Event{To: engine.All, Kind: engine.Candidates, Seats: slices.Clone(s.candidates)}
}

func (s *state) vote(by, seat engine.Seat) []engine.Event {
	first := s.ballots[by] == 0
	s.ballots[by] = seat
	voted := engine.Event{To: engine.All, Kind: engine.Voted, Of: by}
	if s.options["open_vote"] == "yes" {
		voted.Seats = []engine.Seat{seat}
	}
	events := []engine.Event{{To: engine.Audience(by), Kind: engine.Chose, Of: by, Verb: engine.Vote, Seats: []engine.Seat{seat}}, voted}
	if first {
		events = append(events, s.owed())
	}
	return events
}

// count closes the vote: most votes leaves, a tie goes by the option.
func (s *state) count() []engine.Event {
	tally := engine.Event{To: engine.All, Kind: engine.Tallied}
	top := 0
	for _, candidate := range s.candidates {
		n := 0
		for _, ballot := range s.ballots {
			if ballot == candidate {
				n++
			}
		}
		top = max(top, n)
		tally.Tally = append(tally.Tally, engine.Count{Seat: candidate, Votes: n})
	}
	events := []engine.Event{tally}
	var tied []engine.Seat
	for _, c := range tally.Tally {
		if c.Votes == top && top > 0 {
			tied = append(tied, c.Seat)
		}
	}
	if len(tied) == 0 {
		return s.nobody(events)
	}
	if len(tied) == 1 {
		return s.exile(events, tied[0])
	}
	events = append(events, engine.Event{To: engine.All, Kind: engine.Tie, Seats: tied})
	switch {
	case s.options["day_tie"] == "ask":
		s.tied = tied
		return append(events, s.ask("day-tie"))
	case s.options["day_tie"] == "revote_then_nobody" && s.phase.Name == engine.Voting:
		s.candidates = slices.Clone(tied)
		return append(events, s.poll(engine.Runoff)...)
	}
	return s.nobody(events)
}

// nobody ends the vote without an exit.
func (s *state) nobody(events []engine.Event) []engine.Event {
	s.voted, s.candidates = true, nil
	return append(events, engine.Event{To: engine.All, Kind: engine.Stay}, s.enter(engine.Day, s.phase.N))
}

// exile ends the vote: the seat leaves, with a last word.
func (s *state) exile(events []engine.Event, seat engine.Seat) []engine.Event {
	s.voted, s.candidates = true, nil
	events = append(events, s.leave(seat, engine.ByVote))
	return s.after(events, []engine.Seat{seat}, func() []engine.Event {
		return []engine.Event{s.enter(engine.Day, s.phase.N), s.speaks(seat, "last_word_s")}
	})
}

// warn counts a breach: the first is a warning, a repeated one costs the next day's speech.
func (s *state) warn(seat engine.Seat) []engine.Event {
	s.warnings[seat]++
	events := []engine.Event{{To: engine.All, Kind: engine.Warned, Of: seat, N: s.warnings[seat]}}
	if s.warnings[seat] > 1 {
		s.mutedNext.add(seat)
		events = append(events, engine.Event{To: engine.All, Kind: engine.Muted, Of: seat})
	}
	return events
}

// remove takes a seat out at once, and with it the votes by and for it. What
// it had sent this night stands.
func (s *state) remove(seat engine.Seat, cause string) []engine.Event {
	events := []engine.Event{s.leave(seat, cause)}
	if s.speaker == seat {
		s.speaker, s.held = 0, false
	}
	ran := slices.Contains(s.candidates, seat)
	s.candidates = slices.DeleteFunc(s.candidates, func(c engine.Seat) bool { return c == seat })
	for voter, ballot := range s.ballots {
		if ballot == seat || engine.Seat(voter) == seat {
			s.ballots[voter] = 0
		}
	}
	return s.after(events, []engine.Seat{seat}, func() (opened []engine.Event) {
		switch {
		case s.ruling == "day-tie" && slices.Contains(s.tied, seat):
			s.tied = slices.DeleteFunc(slices.Clone(s.tied), func(t engine.Seat) bool { return t == seat })
			return []engine.Event{s.ask("day-tie")} // about those who remain
		case s.ruling != "":
			return nil // the vote is closed
		}
		if s.voting() && ran {
			opened = append(opened, s.running())
		}
		if s.voting() || s.phase.Name == engine.Nights {
			opened = append(opened, s.owed())
		}
		return opened
	})
}
