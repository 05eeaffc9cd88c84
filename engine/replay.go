package engine

import (
	"reflect"
	"slices"
)

// replay starts the round again from its opening. Conduct and what was written
// stay; who was out, votes, choices and limits are as they were.
func (g Game) replay(a Act) (Game, []Event, error) {
	if a.By != Host || a.For != 0 {
		return g, nil, RefusedRole
	}
	old, round := g, g.last().state.Round()
	a.Moment = g.moment() // the round's own clock acts go; time doesn't go back
	opening := slices.IndexFunc(g.steps, func(s *step) bool { return s.state.Round() == round })
	g.steps = g.steps[: opening+1 : opening+1]
	g.given = nil
	acts := []*step{{act: a, no: a.No, before: &old, state: g.last().state, moment: old.now()}}
	for _, s := range old.steps[opening+1:] {
		if s.act.Verb.outlasts() {
			acts = append(acts, s)
		}
	}
	for _, s := range acts {
		n, err := g.last().again(s)
		if err != nil {
			continue // conduct that no longer applies
		}
		g.steps = append(g.steps, n)
	}
	var told []Event
	for _, e := range g.steps[opening].events {
		switch e.Kind {
		case PhaseIs:
			told = append(told, e)
		case Candidates:
			told = append(told, g.latest(Candidates)...)
		}
	}
	// Conduct may lead elsewhere now that those who had left are back.
	told = append(told, g.news(old, opening+1, -1)...)
	if g.now().ended {
		return g, append(told, g.latest(PhaseIs)...), nil
	}
	if g.now().ruling {
		told = append(told, g.latest(Ruling)...)
	}
	return g, slices.Concat(told, g.latest(Owed), g.latest(Closes)), nil
}

// unreplay puts a round back that was started again, while nothing that counts
// was done since. What was written, decided or stopped since stays.
func (g Game) unreplay(no int) (Game, []Event, error) {
	if last, _ := g.lastCounted(); last != no {
		return g, nil, RefusedTarget
	}
	old, i := g, slices.IndexFunc(g.steps, func(s *step) bool { return s.no == no })
	before := *g.steps[i].before
	void := before.steps[i:]
	before.steps = slices.Concat(g.steps[:i], void)
	var acts []*step
	for _, s := range void {
		if _, stands := g.step(s); stands || !s.act.Verb.outlasts() {
			acts = append(acts, s)
		}
	}
	var since []*step
	for _, s := range g.steps[i+1:] {
		if _, known := before.step(s); !known {
			since = append(since, s)
		}
	}
	g, _, err := before.retake(i, append(acts, since...))
	if err != nil {
		return old, nil, RefusedTarget
	}
	first := len(g.steps) - len(since)
	// Time has moved on since: the one round may have ended by it, or the other
	// would have.
	if !reflect.DeepEqual(announcements(since), announcements(g.steps[first:])) {
		return old, nil, RefusedRevealed
	}
	return g, g.changes(old, first, -1), nil
}
