package enginetest

import (
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/mafiabox/mafiabox/engine"
)

// deal begins a second game with other roles and drawn outcomes, as far as the
// viewer was not told them; with the same when he was told all of them.
func (p *Pairs) deal(n int) engine.Game {
	first := p.script.games[0]
	was, opening := first.Setup(), told(first.Opening(), p.Viewer)
	for range 40 {
		setup := was
		setup.Roles, setup.Draws = p.exchange(was.Roles, n), redrawn(p.rng, first)
		if slices.Equal(setup.Roles, was.Roles) && maps.Equal(setup.Draws, was.Draws) {
			continue
		}
		b, events, err := engine.Begin(first.Rules(), setup)
		if err == nil && rulings(events) == rulings(first.Opening()) && slices.EqualFunc(told(events, p.Viewer), opening, equal) {
			return b
		}
	}
	return first
}

// exchange gives the roles of seats to one another: of a few, or of all; most
// of the time only of those whose roles nobody learns before the end.
func (p *Pairs) exchange(roles []engine.Role, n int) []engine.Role {
	roles = slices.Clone(roles)
	everybody := p.rng.IntN(3) == 0
	var seats []engine.Seat
	for i := range roles {
		s := engine.Seat(i + 1)
		if engine.Audience(s) != p.Viewer && !slices.Contains(p.allies, s) && (everybody || !p.revealed(s)) {
			seats = append(seats, s)
		}
	}
	seats = shuffled(p.rng, seats)
	if few := 2 + p.rng.IntN(3); n > 0 || p.rng.IntN(2) == 0 {
		seats = seats[:min(few, len(seats))]
	}
	for i, j := range p.rng.Perm(len(seats)) {
		a, b := seats[i]-1, seats[j]-1
		roles[a], roles[b] = roles[b], roles[a]
	}
	return roles
}

// revealed tells whether a seat's role became public before the game ended.
func (p *Pairs) revealed(s engine.Seat) bool {
	return slices.ContainsFunc(p.script.Tries, func(t Try) bool {
		return !ends(t.Events) && slices.ContainsFunc(t.Events, func(e engine.Event) bool { return e.Kind == engine.RoleIs && e.Of == s })
	})
}

func ends(events []engine.Event) bool {
	return slices.ContainsFunc(events, func(e engine.Event) bool { return e.Kind == engine.PhaseIs && e.Words[0] == engine.Ended })
}

// redrawn are drawn outcomes that may differ: what else a draw may be the rules
// alone know, so a side is proposed and Begin refuses what doesn't fit.
func redrawn(rng *rand.Rand, g engine.Game) map[string]string {
	draws := maps.Clone(g.Setup().Draws)
	for _, name := range slices.Sorted(maps.Keys(draws)) {
		if rng.IntN(2) == 0 {
			draws[name] = string(pick(rng, g.Rules().Roles()).Side)
		}
	}
	return draws
}
