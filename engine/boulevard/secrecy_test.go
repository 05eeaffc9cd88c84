package boulevard_test

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/boulevard"
)

// TestOthersRolesDontShow: two games differ only in that two seats have
// exchanged their roles. Up to the first close a third seat that knows neither
// sees, is offered and is refused the same in both, whatever it tries; and so
// does the table screen.
func TestOthersRolesDontShow(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 0))
	for range 3000 {
		setup := anySetup(rng)
		me, a, b := engine.Seat(1+rng.IntN(setup.Seats)), rng.IntN(setup.Seats), rng.IntN(setup.Seats)
		black := func(seat int) bool {
			role := setup.Roles[seat]
			return role == "don" || role == "mafia" || role == "lawyer"
		}
		if int(me)-1 == a || int(me)-1 == b || black(int(me)-1) && (black(a) || black(b)) {
			continue // it would know
		}
		other := setup
		other.Roles = append([]engine.Role(nil), setup.Roles...)
		other.Roles[a], other.Roles[b] = other.Roles[b], other.Roles[a]
		one, _, err := engine.Begin(boulevard.Standard, setup)
		two, _, err2 := engine.Begin(boulevard.Standard, other)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		same := func(after engine.Act) {
			t.Helper()
			for _, viewer := range []engine.Audience{engine.Audience(me), engine.All} {
				if x, y := one.Seen(viewer), two.Seen(viewer); !reflect.DeepEqual(x, y) {
					t.Fatalf("%v, seat %d, %d and %d exchanged, after %+v: %d sees\n%+v\nor\n%+v", setup, me, a+1, b+1, after, viewer, x, y)
				}
			}
		}
		try := func(act engine.Act) {
			t.Helper()
			var err, err2 error
			one, _, err = one.Do(act)
			two, _, err2 = two.Do(act)
			if err != err2 {
				t.Fatalf("%v, seat %d, %d and %d exchanged: %+v: %v or %v", setup, me, a+1, b+1, act, err, err2)
			}
			same(act)
		}
		same(engine.Act{})
		if setup.Options["lawyer"] == "ask" {
			try(engine.Act{By: engine.Host, Verb: engine.Rule, Word: "guard"})
		}
		try(engine.Act{By: engine.Host, Verb: engine.Night})
		for range 12 {
			if rng.IntN(3) == 0 {
				try(engine.Act{By: engine.Actor(1 + rng.IntN(setup.Seats)), Verb: engine.Wait})
				continue
			}
			act := engine.Act{By: engine.Actor(me), Verb: nightVerbs[rng.IntN(len(nightVerbs))]}
			for range 1 + rng.IntN(2) {
				act.Seats = append(act.Seats, engine.Seat(1+rng.IntN(setup.Seats)))
			}
			try(act)
		}
	}
}

var nightVerbs = []engine.Verb{
	engine.Shoot, engine.Attack, engine.Block, engine.Cover, engine.Swap, engine.Heal, engine.Check, engine.Seek, engine.Compare, engine.Suspect,
}

// anySetup is a game of twelve with every role, dealt and with options at random.
func anySetup(rng *rand.Rand) engine.Setup {
	s := engine.Setup{Seats: 12, Options: map[string]string{}}
	for _, o := range boulevard.Standard.Options() {
		s.Options[o.Name] = o.Values[rng.IntN(len(o.Values))]
	}
	s.Options["barman"] = "on"
	s.Roles = engine.Deal([]engine.Role{
		"don", "mafia", "lawyer", "commissioner", "doctor", "putana", "maniac", "journalist", "barman", "civilian", "civilian", "civilian",
	}, rng.Uint64())
	return s
}
