package rulesets_test

import (
	"slices"
	"testing"
	"time"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/enginetest"
	"github.com/mafiabox/mafiabox/engine/rulesets"
)

// TestLeaksAreFound makes a hole in every rule system and compares pairs until
// it shows. A hole that stays hidden would mean that TestSecrecy proves nothing.
func TestLeaksAreFound(t *testing.T) {
	fit := make(map[string]bool) // by hole
	defer func() {
		for _, h := range holes {
			if !fit[h.name] && !t.Failed() {
				t.Errorf("no rules are open to this: %s", h.name)
			}
		}
	}()
	for _, rules := range rulesets.All {
		if s := follow(holed{Ruleset: rules}, 1, 100); s.leak != "" {
			t.Fatalf("found without a hole, with seed %d: %s", s.seed, s.leak)
		}
		for _, h := range holes {
			fits := h.fits(rules)
			fit[h.name] = fit[h.name] || fits
			t.Run(rules.ID()+"/"+h.name, func(t *testing.T) {
				if !fits {
					t.Skip("these rules tell nothing of the kind")
				}
				s := follow(holed{rules, h}, 1, 900) // the rarest shows in one of several hundred
				if s.leak == "" {
					t.Fatalf("not found: %s", s)
				}
				t.Logf("found by the pair of seed %d", s.seed)
			})
		}
	}
}

// hole is a way to betray a secret. It knows no rule system.
type hole struct {
	name    string
	tells   func(before, after porous, a engine.Act, events []engine.Event) (porous, []engine.Event)
	offers  func(s porous, by engine.Seat, offers []engine.Offer) []engine.Offer
	refuses func(s porous, a engine.Act) error
	needs   func(phase engine.Phase, events []engine.Event) bool // what rules must tell for it to show; nil: nothing
}

// fits tells whether games by these rules tell what the hole would betray.
func (h hole) fits(rules engine.Ruleset) bool {
	if h.needs == nil {
		return true
	}
	for seed := range uint64(60) {
		var phase engine.Phase
		for _, t := range enginetest.Play(rules, seed+1).Tries {
			if h.needs(phase, t.Events) {
				return true
			}
			for _, e := range t.Events {
				if e.Kind == engine.PhaseIs {
					phase = engine.Phase{Name: e.Words[0], N: e.N}
				}
			}
		}
	}
	return false
}

// toAllies tells whether a choice is told to another seat than its own.
func toAllies(_ engine.Phase, events []engine.Event) bool {
	return slices.ContainsFunc(events, func(e engine.Event) bool {
		return e.Kind == engine.Chose && e.To > 0 && e.Of != engine.Seat(e.To)
	})
}

// owedByNight tells whether it is said how many still owe an answer.
func owedByNight(phase engine.Phase, events []engine.Event) bool {
	kinds := func(k engine.Kind) bool {
		return slices.ContainsFunc(events, func(e engine.Event) bool { return e.Kind == k })
	}
	return phase.Name == engine.Nights && kinds(engine.Owed) && !kinds(engine.PhaseIs)
}

// votesInSecret tells whether it is not said for whom a vote is.
func votesInSecret(phase engine.Phase, events []engine.Event) bool {
	return phase.Name == engine.Voting && slices.ContainsFunc(events, func(e engine.Event) bool {
		return e.Kind == engine.Voted && len(e.Seats)+len(e.Words) == 0
	})
}

// twoFall tells whether two seats leave in one later night.
func twoFall(phase engine.Phase, events []engine.Event) bool {
	fallen := 0
	for _, e := range events {
		if e.Kind == engine.Out && e.Words[0] == engine.ByNight {
			fallen++
		}
	}
	return fallen > 1 && phase.N >= 3
}

var holes = []hole{
	{name: "a public event depends on a choice", tells: func(before, after porous, a engine.Act, events []engine.Event) (porous, []engine.Event) {
		if before.phase.Name == engine.Nights && len(a.Seats) > 0 && a.By > 0 && before.few(a.Seats[0]) {
			events = append(events, engine.Event{To: engine.All, Kind: engine.Asked, N: 1})
		}
		return after, events
	}},
	{name: "an answer goes to the neighbour, too", tells: func(_, after porous, _ engine.Act, events []engine.Event) (porous, []engine.Event) {
		for _, e := range slices.Clone(events) {
			if e.Kind == engine.Told && e.Verb != "" && e.To > 0 {
				e.To = engine.Audience(int(e.To)%len(after.roles) + 1)
				events = append(events, e)
			}
		}
		return after, events
	}},
	{name: "an ally's choice goes to the neighbour, too", needs: toAllies, tells: func(_, after porous, _ engine.Act, events []engine.Event) (porous, []engine.Event) {
		for _, e := range slices.Clone(events) {
			if e.Kind == engine.Chose && e.To > 0 && e.Of != engine.Seat(e.To) {
				e.To = engine.Audience(int(e.To)%len(after.roles) + 1)
				events = append(events, e)
			}
		}
		return after, events
	}},
	{name: "an offer bars whom a role bars", offers: func(s porous, by engine.Seat, offers []engine.Offer) []engine.Offer {
		offers = slices.Clone(offers)
		for i, o := range offers {
			offers[i].Seats = slices.DeleteFunc(slices.Clone(o.Seats), func(seat engine.Seat) bool { return seat != by && s.few(seat) })
		}
		return offers
	}},
	{name: "a refusal depends on a role", refuses: func(s porous, a engine.Act) error {
		if s.phase.Name == engine.Nights && a.By > 0 && len(a.Seats) > 0 && !s.few(a.By.Seat()) && s.few(a.Seats[0]) {
			return engine.RefusedLimit
		}
		return nil
	}},
	{name: "those of a side owe nothing", needs: owedByNight, tells: func(_, after porous, _ engine.Act, events []engine.Event) (porous, []engine.Event) {
		events = slices.Clone(events)
		for i, e := range events {
			if e.Kind == engine.Owed && after.phase.Name == engine.Nights {
				events[i].N = after.owe(func(s engine.Seat) bool { return !after.few(s) })
			}
		}
		return after, events
	}},
	{name: "the night closes once a side has answered", tells: func(before, after porous, a engine.Act, events []engine.Event) (porous, []engine.Event) {
		if before.phase.Name != engine.Nights || a.By <= 0 || after.owe(after.few) > 0 || !opens(after.State, engine.Close) {
			return after, events
		}
		closed, more, err := after.State.Do(engine.Act{By: engine.Host, Verb: engine.Close})
		if err != nil {
			return after, events
		}
		after.State = closed
		return after.noting(engine.Act{}, more), append(events, more...)
	}},
	{name: "a tally is ordered by its voters", needs: votesInSecret, tells: func(before, after porous, _ engine.Act, events []engine.Event) (porous, []engine.Event) {
		events = slices.Clone(events)
		for i, e := range events {
			first := slices.IndexFunc(before.chosen, func(s engine.Seat) bool { return s != 0 })
			if e.Kind == engine.Tallied && first >= 0 && len(e.Tally) > 0 && before.chosen[first] != e.Tally[0].Seat {
				events[i].Tally = slices.Clone(e.Tally)
				slices.Reverse(events[i].Tally)
			}
		}
		return after, events
	}},
	{name: "late: who leaves first depends on who attacked", needs: twoFall, tells: func(before, after porous, _ engine.Act, events []engine.Event) (porous, []engine.Event) {
		var places []int
		for i, e := range events {
			if e.Kind == engine.Out && e.Words[0] == engine.ByNight {
				places = append(places, i)
			}
		}
		if before.phase.N < 3 || len(places) < 2 {
			return after, events
		}
		by := 1 + slices.Index(before.chosen, events[places[0]].Of)
		events = slices.Clone(events)
		if by%2 == 0 {
			events[places[0]], events[places[1]] = events[places[1]], events[places[0]]
		}
		return after, events
	}},
	{name: "late: the morning comes before its news where a side asked for it", tells: func(before, after porous, _ engine.Act, events []engine.Event) (porous, []engine.Event) {
		if night := before.phase.Name == engine.Nights || before.phase.Name == engine.Closed; !night || before.phase.N < 3 || after.phase.Name != engine.Day {
			return after, events
		}
		for i, s := range before.chosen {
			if s != 0 && before.few(s) && before.few(engine.Seat(i+1)) {
				events = slices.Clone(events)
				slices.Reverse(events)
				break
			}
		}
		return after, events
	}},
}

// holed is a rule system with a hole.
type holed struct {
	engine.Ruleset
	hole hole
}

// porous is a state of it, with what the hole looks at.
type porous struct {
	engine.State
	hole   hole
	roles  []engine.Role
	sides  map[engine.Role]engine.Side
	phase  engine.Phase
	out    []bool        // by seat, the first is seat 1
	acted  []bool        // since the phase began
	chosen []engine.Seat // whom each named first since then
}

func (h holed) New(setup engine.Setup) (engine.State, []engine.Event, error) {
	state, events, err := h.Ruleset.New(setup)
	if err != nil {
		return nil, nil, err
	}
	n := len(setup.Roles)
	s := porous{State: state, hole: h.hole, roles: setup.Roles, sides: map[engine.Role]engine.Side{}, out: make([]bool, n), acted: make([]bool, n), chosen: make([]engine.Seat, n)}
	for _, info := range h.Roles() {
		s.sides[info.Role] = info.Side
	}
	return s.noting(engine.Act{}, events), events, nil
}

// Due is that of the state: a hole leaves the deadlines as they are.
func (s porous) Due() time.Time {
	if timed, ok := s.State.(engine.Timed); ok {
		return timed.Due()
	}
	return time.Time{}
}

func (s porous) Offers(a engine.Actor) []engine.Offer {
	offers := s.State.Offers(a)
	if s.hole.offers != nil && a > 0 {
		return s.hole.offers(s, a.Seat(), offers)
	}
	return offers
}

func (s porous) Do(a engine.Act) (engine.State, []engine.Event, error) {
	if s.hole.refuses != nil {
		if err := s.hole.refuses(s, a); err != nil {
			return nil, nil, err
		}
	}
	state, events, err := s.State.Do(a)
	if err != nil {
		return nil, nil, err
	}
	after := s
	after.State = state
	after = after.noting(a, events)
	if s.hole.tells != nil {
		after, events = s.hole.tells(s, after, a, events)
	}
	return after, events, nil
}

// noting keeps what an act and its events were.
func (s porous) noting(a engine.Act, events []engine.Event) porous {
	s.out, s.acted, s.chosen = slices.Clone(s.out), slices.Clone(s.acted), slices.Clone(s.chosen)
	if a.By > 0 {
		s.acted[a.By-1] = true
		if len(a.Seats) > 0 {
			s.chosen[a.By-1] = a.Seats[0]
		}
	}
	for _, e := range events {
		switch {
		case e.Kind == engine.Out:
			s.out[e.Of-1] = true
		case e.Kind == engine.PhaseIs:
			s.phase = engine.Phase{Name: e.Words[0], N: e.N}
			if e.Words[0] != engine.Closed {
				clear(s.acted)
				clear(s.chosen)
			}
		}
	}
	return s
}

// few tells whether a seat is on a side that fewer seats are on than on another.
func (s porous) few(seat engine.Seat) bool {
	count := make(map[engine.Side]int)
	for _, r := range s.roles {
		count[s.sides[r]]++
	}
	mine := count[s.sides[s.roles[seat-1]]]
	for _, n := range count {
		if n > mine {
			return true
		}
	}
	return false
}

// owe counts the living of a kind who haven't acted in this phase.
func (s porous) owe(of func(engine.Seat) bool) (n int) {
	for i := range s.roles {
		if !s.out[i] && !s.acted[i] && of(engine.Seat(i+1)) {
			n++
		}
	}
	return n
}

func opens(s engine.State, verb engine.Verb) bool {
	return slices.ContainsFunc(s.Offers(engine.Host), func(o engine.Offer) bool { return o.Verb == verb && o.Now == engine.Open })
}
