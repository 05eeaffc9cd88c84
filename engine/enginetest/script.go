package enginetest

import (
	"math/rand/v2"

	"github.com/mafiabox/mafiabox/engine"
)

// Script is a game as it was played: what was tried in it, and the game before
// each try.
type Script struct {
	Tries []Try
	games []engine.Game // before each try, and after the last
}

// Try is an act with what it led to.
type Try struct {
	Act    engine.Act
	Events []engine.Event
	Err    error
}

// longest is how many acts a random script tries.
const longest = 260

// Play is a random game with nights in which most seats act, and now and then
// with everything that a host and confused players can do to it.
func Play(rules engine.Ruleset, seed uint64) *Script {
	p := NewPlayer(rules, seed)
	p.calm = pick(p.Rng, []int{0, 0, 40})
	p.wild = pick(p.Rng, []int{0, 10, 30})
	p.tired, p.abandon = longest-40, longest
	haste := pick(p.Rng, []int{4, 8, 30})
	s := begin(p.Game)
	for p.Acts < longest && !p.Game.Ended() {
		p.haste = 45
		if asks(p.Game.Phase()) || p.Game.Seen(engine.All).Owed > 0 {
			p.haste = haste
		}
		s.try(p.Next())
		p.Game = s.last()
	}
	return s
}

// Retry is a game that is played again by its acts, such as those of a record.
func Retry(g engine.Game, acts []engine.Act) *Script {
	s := begin(g)
	for _, a := range acts {
		s.try(a)
	}
	return s
}

func begin(g engine.Game) *Script { return &Script{games: []engine.Game{g}} }

// Game is the game before the first try.
func (s *Script) Game() engine.Game { return s.games[0] }

func (s *Script) last() engine.Game { return s.games[len(s.games)-1] }

func (s *Script) try(a engine.Act) {
	if a.No == 0 {
		a.No = s.last().LastNo() + 1
	}
	after, events, err := s.last().Do(a)
	s.Tries = append(s.Tries, Try{a, events, err})
	s.games = append(s.games, after)
}

// asks tells whether seats answer or vote in a phase, until somebody closes it.
func asks(p engine.Phase) bool {
	switch p.Name {
	case engine.Nights, engine.Voting, engine.Split, engine.Runoff, engine.Special:
		return true
	}
	return false
}

// section is where the steering goes back to: the tries up to the next that
// announces something.
func (s *Script) section(from int) (to int) {
	for i := from; i < len(s.Tries); i++ {
		if engine.Announces(s.Tries[i].Events) {
			return i + 1
		}
	}
	return len(s.Tries)
}

// shuffled are the seats in random order.
func shuffled(rng *rand.Rand, seats []engine.Seat) []engine.Seat {
	mixed := append([]engine.Seat(nil), seats...)
	rng.Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
	return mixed
}
