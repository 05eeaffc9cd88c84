package boulevard

import (
	"slices"

	"github.com/mafiabox/mafiabox/engine"
)

func (s *state) night() []engine.Event {
	s.round++
	s.choices, s.answered, s.fallen = nil, 0, 0
	s.speaker, s.held = 0, false
	return []engine.Event{s.enter(engine.Nights, s.phase.N+1), s.owed()}
}

// choose notes an act: it replaces an earlier one of the same verb, and wait
// replaces all. The family sees who of its shooters chose what.
func (s *state) choose(c choice) []engine.Event {
	s.choices = slices.DeleteFunc(s.choices, func(o choice) bool {
		return o.by == c.by && (o.verb == c.verb || c.verb == engine.Wait)
	})
	if c.verb != engine.Wait {
		s.choices = append(s.choices, c)
	}
	first := !s.answered.has(c.by)
	s.answered.add(c.by)

	chose := func(to engine.Seat) engine.Event {
		return engine.Event{To: engine.Audience(to), Kind: engine.Chose, Of: c.by, Verb: c.verb, Seats: c.seats}
	}
	events := []engine.Event{chose(c.by)}
	if c.verb == engine.Shoot || c.verb == engine.Wait && s.shoots(c.by) {
		for _, seat := range s.living() {
			if seat != c.by && s.shoots(seat) {
				events = append(events, chose(seat))
			}
		}
	}
	if first {
		events = append(events, s.owed())
	}
	return events
}

// closeNight resolves the night, gives the private answers and tells the host
// what became of each act. Nothing of it is public before dawn.
func (s *state) closeNight() []engine.Event {
	r := s.resolve()
	s.fallen = r.fallen
	s.previous = s.choices
	for _, c := range s.choices {
		if abilities[c.verb].self != "" && slices.Contains(c.seats, c.by) {
			s.selfUsed.add(c.by)
		}
	}
	s.held = false
	events := append(r.answers, r.traces...)
	return append(events, s.enter(engine.Closed, s.phase.N))
}

func (s *state) dawn() []engine.Event {
	var events []engine.Event
	if s.phase.Name == engine.Nights {
		events = s.closeNight()
		events = events[:len(events)-1] // straight on to the morning
	}
	var left []engine.Seat
	for _, seat := range s.living() {
		if s.fallen.has(seat) {
			left = append(left, seat)
			events = append(events, s.leave(seat, engine.ByNight))
		}
	}
	if len(left) == 0 {
		events = append(events, engine.Event{To: engine.All, Kind: engine.Stay})
	}
	s.muted, s.mutedNext = s.mutedNext, 0
	s.spoken, s.voted, s.candidates, s.ballots = 0, false, nil, nil
	return s.after(events, left, func() []engine.Event {
		return []engine.Event{s.enter(engine.Day, s.phase.N)}
	})
}

// resolution is what a night comes to.
type resolution struct {
	fallen  set
	answers []engine.Event // in the order in which the acts were entered
	traces  []engine.Event
}

// resolve goes through the night in the order of source/boulevard.txt: blocks,
// the Lawyer, the swap, protections, attacks. Who falls tonight still acts.
func (s *state) resolve() resolution {
	var blocked, covered set
	for _, c := range s.choices {
		if c.verb == engine.Block {
			blocked.add(c.seats[0])
		}
	}
	for _, c := range s.choices {
		if c.verb == engine.Cover && !blocked.has(c.by) {
			covered.add(c.seats[0])
		}
	}
	// aim is where an act of c that names the seat really goes.
	aim := func(c choice, seat engine.Seat) engine.Seat {
		guarded := s.lawyer == "guard" && covered.has(c.by) && c.verb != engine.Shoot
		if !abilities[c.verb].redirected || guarded {
			return seat
		}
		for _, swap := range s.choices {
			if swap.verb == engine.Swap && !blocked.has(swap.by) {
				switch seat {
				case swap.seats[0]:
					seat = swap.seats[1]
				case swap.seats[1]:
					seat = swap.seats[0]
				}
			}
		}
		return seat
	}

	shot, fired := s.shot(blocked)
	protections, attacks := map[engine.Seat]int{}, map[engine.Seat]int{}
	for _, c := range s.choices {
		switch {
		case c.verb == engine.Heal && !blocked.has(c.by):
			protections[aim(c, c.seats[0])]++
		case c.verb == engine.Attack && !blocked.has(c.by), c.verb == engine.Shoot && fired && c.by == shot.by:
			attacks[aim(c, c.seats[0])]++
		}
	}
	var r resolution
	for seat, n := range attacks {
		if n > protections[seat] {
			r.fallen.add(seat)
		}
	}

	for _, c := range s.choices {
		trace := engine.Event{To: engine.ToHost, Kind: engine.Trace, Of: c.by, Verb: c.verb, Seats: c.seats}
		fate := func(what string, seat engine.Seat) {
			trace.Fates = append(trace.Fates, engine.Fate{What: what, Seat: seat})
		}
		switch {
		case c.verb == engine.Shoot && (!fired || blocked.has(c.by) && s.options["blocked_aim"] == "free"),
			c.verb != engine.Shoot && blocked.has(c.by) && c.verb != engine.Suspect && c.verb != engine.Block:
			fate("blocked", 0)
		case c.verb == engine.Shoot && c.seats[0] != shot.seats[0]:
			fate("overruled", 0)
		default:
			for _, seat := range c.seats {
				if to := aim(c, seat); to != seat {
					fate("swapped", to)
				}
			}
			if c.verb == engine.Shoot || c.verb == engine.Attack {
				if r.fallen.has(aim(c, c.seats[0])) {
					fate("out", 0)
				} else {
					fate("protected", 0)
				}
			} else if len(trace.Fates) == 0 {
				fate("stands", 0)
			}
		}
		r.traces = append(r.traces, trace)
		if answer := s.answer(c, covered, aim); answer != "" {
			if blocked.has(c.by) {
				answer = "none"
			}
			r.answers = append(r.answers, engine.Event{To: engine.Audience(c.by), Kind: engine.Told, Verb: c.verb, Seats: c.seats, Words: []string{answer}})
		}
	}
	return r
}

// shot is the family's choice, and whether it is fired: by whoever of those who
// shoot is alive and not blocked. Who was removed during the night counts as an
// ordinary shooter with the act he had sent.
func (s *state) shot(blocked set) (target choice, fired bool) {
	free := s.options["blocked_aim"] == "free"
	for i := range s.dealt {
		seat := engine.Seat(i + 1)
		absent := s.out.has(seat) && !slices.ContainsFunc(s.choices, func(c choice) bool { return c.by == seat && c.verb == engine.Shoot })
		fired = fired || s.shoots(seat) && !absent && !blocked.has(seat)
	}
	votes := map[engine.Seat]int{}
	for _, c := range s.choices {
		if c.verb == engine.Shoot && !(free && blocked.has(c.by)) {
			votes[c.seats[0]]++
		}
	}
	for _, c := range s.choices {
		if c.verb != engine.Shoot || free && blocked.has(c.by) {
			continue
		}
		if s.options["shot_choice"] == "don" && s.role(c.by) == don && !s.out.has(c.by) {
			return c, fired
		}
		more := votes[c.seats[0]] - votes[firstOf(target.seats)]
		if s.options["shot_choice"] == "last" {
			more = 0
		}
		if target.by == 0 || more > 0 || more == 0 && c.no > target.no {
			target = c
		}
	}
	return target, fired && target.by != 0
}

func firstOf(seats []engine.Seat) engine.Seat {
	if len(seats) == 0 {
		return 0
	}
	return seats[0]
}

// answer is what an act asks, as it would be answered unblocked; "" when it asks nothing.
func (s *state) answer(c choice, covered set, aim func(choice, engine.Seat) engine.Seat) string {
	switch c.verb {
	case engine.Check:
		seat := aim(c, c.seats[0])
		return s.reads(seat, covered.has(seat))
	case engine.Seek:
		if s.role(aim(c, c.seats[0])) == commissioner {
			return "yes"
		}
		return "no"
	case engine.Compare:
		a, b := aim(c, c.seats[0]), aim(c, c.seats[1])
		if s.compares(a, covered.has(a)) == s.compares(b, covered.has(b)) {
			return "same"
		}
		return "different"
	}
	return ""
}

// reads is what the Commissioner learns of a seat: "mafia" or "clear".
func (s *state) reads(seat engine.Seat, covered bool) string {
	reading := "clear"
	switch {
	case s.role(seat) == don:
		reading = s.options["don_reads"]
	case s.side(seat) == Mafia:
		reading = "mafia"
	case s.side(seat) == Maniac:
		reading = s.options["maniac_reads"]
	}
	switch {
	case !covered:
	case s.lawyer == "check_cover":
		return "clear"
	case s.lawyer == "flip" && reading == "clear":
		return "mafia"
	case s.lawyer == "flip":
		return "clear"
	}
	return reading
}

// compares is the side that the Journalist finds a seat on. With
// `lawyer_scope all_checks` a client counts as of the side he reads as.
func (s *state) compares(seat engine.Seat, covered bool) engine.Side {
	if covered && s.options["lawyer_scope"] == "all_checks" && s.lawyer != "guard" {
		if s.reads(seat, covered) == "mafia" {
			return Mafia
		}
		return Town
	}
	return s.side(seat)
}
