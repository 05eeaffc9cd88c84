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
	for try := range 40 {
		setup := was
		setup.Roles = p.exchange(was.Roles, n)
		setup.Draws = redrawn(p.rng, first, setup.Roles)
		if slices.Equal(setup.Roles, was.Roles) && (try < 20 || maps.Equal(setup.Draws, was.Draws)) {
			continue // other roles tell more than another draw
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

// redrawn are the random outcomes drawn again, now and then, for another deal.
func redrawn(rng *rand.Rand, g engine.Game, roles []engine.Role) map[string]string {
	draws := maps.Clone(g.Setup().Draws)
	for _, d := range g.Rules().Draws() {
		if among := d.Among(roles); len(among) > 0 && rng.IntN(2) == 0 {
			draws[d.Name] = pick(rng, among)
		}
	}
	return draws
}
