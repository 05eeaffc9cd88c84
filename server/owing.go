package server

import (
	"slices"

	"github.com/mafiabox/mafiabox/engine"
)

// A night waits for its phones, and for the calls to those who have none. How
// many phones have answered is public: each sends a form, whatever its role.
// Of who has no phone only a few ever answer, and how many those are would tell
// who is left, so they are not counted where everybody sees it.

// phonesOwing is how many phones of those at the table have not answered
// tonight, and how many phones there are.
func (m *moment) phonesOwing() (owing, phones int) {
	seen := m.game.Seen(engine.ToHost)
	for i, s := range seen.Seats {
		if s.Out || m.doc.People[i].Device == "" {
			continue
		}
		phones++
		if !s.Answered && seen.Phase.N > 0 {
			owing++
		}
	}
	return owing, phones
}

// owing is for whom what is open still waits, as the host may know it. A seat
// without a phone is waited for at night only when its role does something.
func (m *moment) owing(seen engine.Seen) (seats []engine.Seat) {
	for i, s := range seen.Seats {
		waits := !s.Voted && seen.Owed > 0
		if seen.Phase.Name == engine.Nights {
			waits = !s.Answered && seen.Phase.N > 0 && (m.doc.People[i].Device != "" || m.called(s.Seat))
		}
		if !s.Out && waits {
			seats = append(seats, s.Seat)
		}
	}
	return seats
}

// anyOwing tells whether somebody is waited for, as far as who sees that may know.
// A night tells only the host whom it calls, so to all others it waits for
// everybody without a phone until it is over.
func (m *moment) anyOwing(seen engine.Seen) bool {
	switch {
	case seen.Viewer == engine.ToHost:
		return len(m.owing(seen)) > 0
	case seen.Phase.Name != engine.Nights:
		return seen.Owed > 0
	case seen.Phase.N == 0: // nobody is asked anything
		return false
	}
	owing, _ := m.phonesOwing()
	return owing > 0 || slices.ContainsFunc(seen.Seats, func(s engine.SeatSeen) bool { return !s.Out && m.doc.People[s.Seat-1].Device == "" })
}

// called tells whether a seat's role does something in this night.
func (m *moment) called(seat engine.Seat) bool {
	return slices.ContainsFunc(m.game.Offers(engine.Actor(seat)), func(o engine.Offer) bool { return o.Now == engine.Open && nightly(o) })
}

// byHand tells whether nobody at the table has a phone.
func (m *moment) byHand() bool {
	return !slices.ContainsFunc(m.doc.People, func(p person) bool { return p.Device != "" })
}
