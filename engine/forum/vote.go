package forum

import (
	"slices"

	"github.com/mafiabox/mafiabox/engine"
)

// poll is the vote of one round.
type poll struct {
	votes   []engine.Seat // by voter; 0: none, or null, which counts as none
	locks   set
	runoff  []engine.Seat // who stands, in a runoff
	runoffs int           // how many there were since the first vote
	special bool          // the vote makes up for a missed whack: the day follows it
	about   []engine.Seat // whom the ruling is about that the host is asked for
}

// opens goes to a phase and begins its round.
func (s *state) opens(name string, n int) []engine.Event {
	return append([]engine.Event{s.enter(name, n)}, s.start()...)
}

// start begins the round of this phase: a vote without votes, or a night.
func (s *state) start() []engine.Event {
	s.round++
	s.poll = poll{votes: make([]engine.Seat, len(s.dealt)+1), special: s.phase.Name == engine.Special}
	if s.phase.Name == engine.Nights {
		s.night = night{}
	}
	return s.started()
}

// started says when the round ends, and how many still owe a vote.
func (s *state) started() []engine.Event {
	events := s.schedule()
	if s.phase.Name == engine.Nights {
		return events // how many are missing would tell who is out
	}
	return append(events, s.owed())
}

// runsOff begins a runoff. Votes for its players are carried over, without
// their locks; all others lapse (source/forum.txt, 3e).
func (s *state) runsOff(players []engine.Seat) []engine.Event {
	s.round++
	s.runoff, s.runoffs, s.locks, s.about = players, s.runoffs+1, 0, nil
	events := []engine.Event{s.enter(engine.Runoff, s.phase.N), {To: engine.All, Kind: engine.Candidates, Seats: players}}
	for i, target := range s.votes {
		switch {
		case target == 0:
		case slices.Contains(players, target):
			events = append(events, voted(engine.Seat(i), target))
		default:
			s.votes[i] = 0
		}
	}
	return append(events, s.started()...)
}

// voting tells whether votes are taken.
func (s *state) voting() bool {
	return s.pending == "" && !s.ended && s.phase.Name != engine.Nights
}

// standing are those for whom this voter may vote.
func (s *state) standing(voter engine.Seat) []engine.Seat {
	seats := s.runoff
	if s.phase.Name != engine.Runoff {
		seats = s.living()
	}
	if s.options["self_vote"] == "yes" {
		return seats
	}
	return slices.DeleteFunc(slices.Clone(seats), func(seat engine.Seat) bool { return seat == voter })
}

// idle are the living without a vote.
func (s *state) idle() []engine.Seat {
	return s.seats(func(seat engine.Seat) bool { return s.lives(seat) && s.votes[seat] == 0 })
}

func (s *state) owed() engine.Event {
	return engine.Event{To: engine.All, Kind: engine.Owed, N: len(s.idle())}
}

func voted(by, target engine.Seat) engine.Event {
	if target == 0 {
		return engine.Event{To: engine.All, Kind: engine.Voted, Of: by, Words: []string{"null"}}
	}
	return engine.Event{To: engine.All, Kind: engine.Voted, Of: by, Seats: []engine.Seat{target}}
}

// vote gives a vote, or takes it back for a place-holder: target 0 (source/forum.txt, 3d).
func (s *state) vote(by, target engine.Seat) []engine.Event {
	events := []engine.Event{voted(by, target)}
	changed := s.votes[by] != target
	s.votes[by] = target
	if s.locks.has(by) && (target == 0 || changed && s.options["lock_keeps"] == "no") {
		events = append(events, s.lock(by, engine.Unlock)...)
	}
	events = append(events, s.owed())
	if target != 0 && !s.early() {
		events = append(events, s.lateVote()...)
	}
	return events
}

// lock says that the round may end with this vote, or no longer (source/forum.txt, 16).
func (s *state) lock(by engine.Seat, verb engine.Verb) []engine.Event {
	if verb == engine.Lock {
		s.locks.add(by)
	} else {
		s.locks.drop(by)
	}
	return []engine.Event{{To: engine.All, Kind: engine.Chose, Of: by, Verb: verb}}
}

// endangered tells whether a seat is in jeopardy: somebody votes for it, or it
// stands in a runoff.
func (s *state) endangered(seat engine.Seat) bool {
	if s.phase.Name == engine.Runoff {
		return slices.Contains(s.runoff, seat)
	}
	return slices.Contains(s.votes, seat)
}

// complete tells whether enough have locked for the round to end: all who are
// not in jeopardy, in a D5 any two (source/forum.txt, 16).
func (s *state) complete() bool {
	locked := s.seats(s.locks.has)
	if s.isD5() {
		return len(locked) >= 2
	}
	free := slices.DeleteFunc(s.living(), s.endangered)
	return len(free) > 0 && !slices.ContainsFunc(free, func(seat engine.Seat) bool { return !s.locks.has(seat) })
}

// isD5 tells whether this is the day that the rules call D5 without saying
// which: the fifth, when eleven began and nothing was missed three are alive.
func (s *state) isD5() bool {
	switch s.options["d5"] {
	case "three_alive":
		return len(s.living()) == 3
	case "five_alive":
		return len(s.living()) == 5
	case "fifth_day":
		return s.phase.N == 5
	}
	return false
}

// early tells whether the vote closes before its end.
func (s *state) early() bool { return s.complete() && !s.onWeekend() }

// remove takes a seat out at once, and with it the votes by and for it. What it
// had sent tonight stands.
func (s *state) remove(seat engine.Seat, cause string) []engine.Event {
	events := []engine.Event{s.leaves(seat, cause)}
	for i, target := range s.votes {
		if engine.Seat(i) == seat || target == seat {
			s.votes[i] = 0
			s.locks.drop(engine.Seat(i))
		}
	}
	gone := func(other engine.Seat) bool { return other == seat }
	s.runoff, s.about = slices.DeleteFunc(s.runoff, gone), slices.DeleteFunc(s.about, gone)
	if end := s.verdict(); end != nil {
		return append(events, end...)
	}
	switch {
	case !s.voting():
		return events
	case s.phase.Name == engine.Runoff && len(s.runoff) == 0:
		return s.nobody(events)
	}
	return append(events, s.owed())
}
