package enginetest_test

import (
	"strings"
	"testing"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/enginetest"
)

// toy is a small rule system of its own: by night everybody suspects somebody,
// and one of two sides, which was drawn, would strike first.
type toy struct{ betrays bool }

type toyState struct {
	toy
	setup engine.Setup
	night int
	open  bool
}

func (toy) ID() string               { return "toy" }
func (toy) Seats() (int, int)        { return 4, 4 }
func (toy) Options() []engine.Option { return nil }
func (toy) Draws() []engine.Drawn {
	return []engine.Drawn{{Name: "first", Values: []string{"reds", "blues"}}}
}
func (toy) Cast(int) []engine.Role { return []engine.Role{"red", "red", "blue", "blue"} }
func (toy) Roles() []engine.RoleInfo {
	return []engine.RoleInfo{{Role: "red", Side: "reds", Many: true}, {Role: "blue", Side: "blues", Many: true}}
}

func (t toy) New(setup engine.Setup) (engine.State, []engine.Event, error) {
	return toyState{toy: t, setup: setup}, []engine.Event{{To: engine.All, Kind: engine.PhaseIs, Words: []string{engine.Day}}}, nil
}

func (s toyState) Round() int { return s.night }

func (s toyState) Offers(a engine.Actor) []engine.Offer {
	standing := map[bool]engine.Standing{true: engine.Open}
	switch {
	case a == engine.Host:
		return []engine.Offer{{Verb: engine.Night, Now: standing[!s.open]}, {Verb: engine.Close, Now: standing[s.open]}}
	case a > 0:
		return []engine.Offer{{Verb: engine.Suspect, Now: standing[s.open], Min: 1, Max: 1, Seats: []engine.Seat{1, 2, 3, 4}}}
	}
	return nil
}

func (s toyState) Do(a engine.Act) (engine.State, []engine.Event, error) {
	switch a.Verb {
	case engine.Night:
		s.night, s.open = s.night+1, true
		return s, []engine.Event{{To: engine.All, Kind: engine.PhaseIs, Words: []string{engine.Nights}, N: s.night}}, nil
	case engine.Close:
		s.open = false
		events := []engine.Event{{To: engine.All, Kind: engine.Stay}, {To: engine.All, Kind: engine.PhaseIs, Words: []string{engine.Day}, N: s.night}}
		if s.betrays && s.night == 3 && s.setup.Draws["first"] == "reds" {
			events[0], events[1] = events[1], events[0]
		}
		return s, events, nil
	}
	return s, []engine.Event{{To: engine.Audience(a.By), Kind: engine.Chose, Of: a.By.Seat(), Verb: a.Verb, Seats: a.Seats}}, nil
}

// TestDrawnOutcomes: what was drawn differs in the second game, too, and shows
// when a rule system betrays it.
func TestDrawnOutcomes(t *testing.T) {
	follow := func(rules engine.Ruleset, seed uint64) enginetest.Course {
		game, _, err := engine.Begin(rules, engine.Setup{Seats: 4, Roles: rules.Cast(4), Draws: map[string]string{"first": "reds"}})
		if err != nil {
			t.Fatal(err)
		}
		var acts []engine.Act
		for range 4 {
			acts = append(acts, engine.Act{By: engine.Host, Verb: engine.Night})
			for seat := range 4 {
				acts = append(acts, engine.Act{By: engine.Actor(seat + 1), Verb: engine.Suspect, Seats: []engine.Seat{1}})
			}
			acts = append(acts, engine.Act{By: engine.Host, Verb: engine.Close})
		}
		return enginetest.NewPairs(enginetest.Retry(game, acts), 1, seed).Follow()
	}
	drawn, found := 0, 0
	for seed := range uint64(20) {
		c := follow(toy{}, seed)
		if c.Leak != "" || c.End != enginetest.Whole {
			t.Fatalf("%s %s", c.End, c.Leak)
		}
		if c.Other.Setup().Draws["first"] == "blues" {
			drawn++
		}
		if c := follow(toy{betrays: true}, seed); strings.HasPrefix(c.Leak, "host close") {
			found++
		}
	}
	if drawn == 0 || found == 0 {
		t.Errorf("of 20 pairs %d have another draw, %d betray it", drawn, found)
	}
}
