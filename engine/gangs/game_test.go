package gangs_test

import (
	"errors"
	"reflect"
	"testing"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/gangs"
	"github.com/mafiabox/mafiabox/engine/record"
)

// begin begins a game dealt in the order of the usual set.
func begin(t testing.TB, first string, options map[string]string) engine.Game {
	t.Helper()
	set := map[string]string{"first_night_shots": "turn", "shot_by": "leader", "gang_knows": "each_other", "killed_asks": "yes"}
	for name, value := range options {
		set[name] = value
	}
	g, _, err := engine.Begin(gangs.Standard, engine.Setup{
		Seats: 12, Roles: gangs.Standard.Cast(12), Options: set, Draws: map[string]string{"first_gang": first},
	})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func do(t testing.TB, g *engine.Game, acts ...string) {
	t.Helper()
	for _, line := range acts {
		act, err := record.ParseAct(line, g.Setup().Seats)
		if err == nil {
			*g, _, err = g.Do(act)
		}
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
}

// TestOrderIsNotShown: two games that differ only in the drawn order are the
// same to every seat and to the town until a morning.
func TestOrderIsNotShown(t *testing.T) {
	one, two := begin(t, "irish", nil), begin(t, "italian", nil)
	for _, act := range []string{"host night", "1 shoot 6", "3 shoot 7", "1 seek 5", "5 check 1 3", "2 suspect 8 9", "12 wait", "host close"} {
		do(t, &one, act)
		do(t, &two, act)
		for viewer := engine.Audience(0); viewer <= 12; viewer++ {
			who := viewer
			if who == 0 {
				who = engine.All
			}
			if a, b := one.Seen(who), two.Seen(who); !reflect.DeepEqual(a, b) {
				t.Fatalf("after %s %d sees\n%+v\nor\n%+v", act, who, a, b)
			}
		}
	}
	do(t, &one, "host dawn")
	do(t, &two, "host dawn")
	if !one.IsOut(6) || one.IsOut(7) || !two.IsOut(7) || two.IsOut(6) {
		t.Error("the order does not decide")
	}
}

// TestSetup: what the game can't begin with says why.
func TestSetup(t *testing.T) {
	good := engine.Setup{Seats: 12, Roles: gangs.Standard.Cast(12), Draws: map[string]string{"first_gang": "irish"}}
	for problem, spoil := range map[string]func(*engine.Setup){
		"draw":  func(s *engine.Setup) { s.Draws = nil },
		"seats": func(s *engine.Setup) { s.Seats = 11 },
		"count": func(s *engine.Setup) { s.Roles = s.Roles[1:] },
		"role":  func(s *engine.Setup) { s.Roles[0] = "mafia" },
		"deal":  func(s *engine.Setup) { s.Roles[0] = "town" },
	} {
		bad := good
		bad.Roles = gangs.Standard.Cast(12)
		spoil(&bad)
		_, _, err := engine.Begin(gangs.Standard, bad)
		var why *engine.SetupError
		if !errors.As(err, &why) || why.Problem != problem {
			t.Errorf("%s: %v", problem, err)
		}
	}
	if draws := gangs.Standard.Draws(); len(draws) != 1 || len(draws[0].Values) != 2 {
		t.Errorf("draws %v", draws)
	}
}

// TestLetters: what a gang writes is shown while its channel is open, and to no other.
func TestLetters(t *testing.T) {
	g := begin(t, "irish", map[string]string{"gang_channel": "night"})
	do(t, &g, "host night", `1 whisper gang "six"`)
	letters := func(want ...int) {
		t.Helper()
		for i, n := range want {
			if got := len(g.Seen(engine.Audience(i + 1)).Letters); got != n {
				t.Errorf("seat %d sees %d letters", i+1, got)
			}
		}
	}
	letters(1, 1, 0, 0, 0)
	do(t, &g, "host dawn")
	letters(0, 0, 0, 0, 0)
	do(t, &g, "host night")
	letters(1, 1, 0, 0, 0)
}
