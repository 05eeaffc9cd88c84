package forum

import (
	"cmp"
	"slices"

	"github.com/mafiabox/mafiabox/engine"
)

// count closes the vote: the tally, who has missed it, and who leaves
// (source/forum.txt, 3e to 3g and 4).
func (s *state) count() []engine.Event {
	tally := s.tally()
	events := []engine.Event{{To: engine.All, Kind: engine.Tallied, Tally: tally}}
	var twice []engine.Seat
	for _, seat := range s.idle() {
		s.missed[seat]++
		events = append(events, engine.Event{To: engine.All, Kind: engine.Missed, Of: seat, N: s.missed[seat]})
		if s.missed[seat] > 1 {
			twice = append(twice, seat)
		}
	}
	var top []engine.Seat
	for _, c := range tally {
		if c.Votes == tally[0].Votes {
			top = append(top, c.Seat)
		}
	}
	switch {
	case len(twice) > 1 && s.options["two_missed"] == "ask":
		s.about = twice
		return append(events, s.ask("two-missed", "all-leave", "nobody"))
	case len(twice) > 0: // they are the day's exile, and the vote is void
		return s.exiles(events, engine.ByMissed, twice...)
	case len(top) == 0:
		return append(events, s.ask("no-votes", "runoff-all", "nobody"))
	case len(top) == 1:
		return s.exiles(events, engine.ByVote, top[0])
	}
	events = append(events, engine.Event{To: engine.All, Kind: engine.Tie, Seats: top})
	if limit := s.number("runoff_limit"); limit > 0 && s.runoffs >= limit {
		s.about = top
		return append(events, s.ask("runoff-limit", "runoff", "nobody"))
	}
	return append(events, s.runsOff(top)...)
}

// tally is who has votes, most first, equal ones by seat.
func (s *state) tally() (tally []engine.Count) {
	for _, seat := range s.living() {
		votes := 0
		for _, target := range s.votes {
			if target == seat {
				votes++
			}
		}
		if votes > 0 {
			tally = append(tally, engine.Count{Seat: seat, Votes: votes})
		}
	}
	slices.SortStableFunc(tally, func(a, b engine.Count) int { return cmp.Compare(b.Votes, a.Votes) })
	return tally
}

// leaves takes a seat out.
func (s *state) leaves(seat engine.Seat, cause string) engine.Event {
	s.out.add(seat)
	if cause == engine.ByVote || cause == engine.ByMissed {
		s.exile = seat
	}
	return engine.Event{To: engine.All, Kind: engine.Out, Of: seat, Words: []string{cause}}
}

// exiles ends the vote: these leave.
func (s *state) exiles(events []engine.Event, cause string, seats ...engine.Seat) []engine.Event {
	for _, seat := range seats {
		events = append(events, s.leaves(seat, cause))
	}
	return s.after(events)
}

// nobody ends the vote without an exit.
func (s *state) nobody(events []engine.Event) []engine.Event {
	return s.after(append(events, engine.Event{To: engine.All, Kind: engine.Stay}))
}

// after follows a vote that is over: the end, the night, or after a special
// vote the day.
func (s *state) after(events []engine.Event) []engine.Event {
	if end := s.verdict(); end != nil {
		return append(events, end...)
	}
	if s.special {
		return append(append(events, s.enter(engine.Day, s.phase.N+1)), s.morning()...)
	}
	return append(events, s.opens(engine.Nights, s.phase.N)...)
}

// twoMissed is the ruling on two or more second misses at one close. The vote
// is void either way.
func (s *state) twoMissed(choice string) []engine.Event {
	if choice == "nobody" || len(s.about) == 0 {
		return s.nobody(nil)
	}
	return s.exiles(nil, engine.ByMissed, s.about...)
}

// untied is the ruling on a vote that nobody decided: without a single vote, or
// tied too often.
func (s *state) untied(choice string) []engine.Event {
	players := s.about
	if choice == "runoff-all" {
		players = s.living()
	}
	if choice == "nobody" || len(players) == 0 {
		return s.nobody(nil)
	}
	return s.runsOff(players)
}

// verdict is the end of the game, once a side has won: the mafia must outnumber
// the others (source/forum.txt, 9).
func (s *state) verdict() []engine.Event {
	black := len(s.black())
	switch others := len(s.living()) - black; {
	case black == 0:
		return s.finish([]engine.Event{won(Town)})
	case black > others:
		return s.finish([]engine.Event{won(Mafia)})
	}
	return nil
}

func won(side engine.Side) engine.Event {
	return engine.Event{To: engine.All, Kind: engine.Win, Words: []string{string(side)}}
}

// finish ends the game: all roles are public, and who is suspended
// (source/forum.txt, 11 and 12).
func (s *state) finish(events []engine.Event) []engine.Event {
	s.ended, s.pending, s.choices = true, "", nil
	for _, seat := range s.all() {
		events = append(events, s.roleOf(seat))
	}
	for _, seat := range s.seats(s.suspended.has) {
		events = append(events, engine.Event{To: engine.All, Kind: engine.Suspended, Of: seat})
	}
	return append(events, s.enter(engine.Ended, 0))
}

// roleOf makes a seat's role public.
func (s *state) roleOf(seat engine.Seat) engine.Event {
	s.shown.add(seat)
	return engine.Event{To: engine.All, Kind: engine.RoleIs, Of: seat, Words: []string{string(s.role(seat))}}
}
