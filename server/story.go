package server

import (
	"cmp"
	"slices"

	"github.com/mafiabox/mafiabox/engine"
)

// storyLine is one act of a finished game, with what it led to.
type storyLine struct {
	Heading string // of a new phase, instead of an act
	Text    string
	Results []string
	Void    bool // undone, or of a round that was replayed
}

// story tells a finished game from its log, to everybody.
func (w words) story(g engine.Game, seats []seatView) (lines []storyLine) {
	stands := g.Stands()
	for _, entry := range g.Story() {
		switch entry.Act.Verb {
		case engine.Note, engine.Undo, engine.Hold, engine.Go:
			continue // the host's own, and what led to nothing
		}
		line := storyLine{Text: w.act(entry.Act, seats), Void: !stands[entry.Act.No]}
		for _, e := range entry.Events {
			switch e.Kind {
			case engine.PhaseIs:
				line.Heading = w.event(e, seats)
			case engine.Trace:
				if e.Verb != engine.Suspect {
					line.Results = append(line.Results, w.event(e, seats))
				}
			case engine.Owed, engine.Chose, engine.Voted, engine.Candidates, engine.Ruling, engine.Decision, engine.Nominated, engine.Speaks, engine.Stopped, engine.Resumed:
			default:
				line.Results = append(line.Results, w.event(e, seats))
			}
		}
		lines = append(lines, line)
	}
	return lines
}

// guessView is how well a seat of the town suspected in a finished game.
type guessView struct {
	seatView
	Hits, Of int
}

// suspicions ranks who of the town suspected best: whom they suspected in the
// nights that stand, and how many of those were not of the town.
func suspicions(g engine.Game, seats []seatView) (all []guessView) {
	sides := make(map[engine.Role]engine.Side)
	for _, r := range g.Rules().Roles() {
		sides[r.Role] = r.Side
	}
	town := func(s engine.Seat) bool { return sides[g.Setup().Roles[s-1]] == "town" }
	by := make(map[engine.Seat]*guessView)
	tonight, stands := make(map[engine.Seat][]engine.Seat), g.Stands()
	for _, entry := range g.Story() {
		seat := entry.Act.Subject().Seat()
		switch {
		case !stands[entry.Act.No]:
			continue
		case entry.Act.Verb == engine.Suspect:
			tonight[seat] = entry.Act.Seats
		case entry.Act.Verb == engine.Wait:
			delete(tonight, seat)
		}
		if !slices.ContainsFunc(entry.Events, func(e engine.Event) bool { return e.Kind == engine.PhaseIs }) {
			continue
		}
		for seat, suspected := range tonight { // the night is over: what was sent last counts
			if by[seat] == nil {
				by[seat] = &guessView{seatView: seats[seat-1]}
			}
			for _, s := range suspected {
				by[seat].Of++
				if !town(s) {
					by[seat].Hits++
				}
			}
		}
		clear(tonight)
	}
	for seat, v := range by {
		if !town(seat) {
			continue
		}
		all = append(all, *v)
	}
	slices.SortFunc(all, func(a, b guessView) int {
		return cmp.Or(cmp.Compare(b.Hits*a.Of, a.Hits*b.Of), cmp.Compare(b.Hits, a.Hits), cmp.Compare(a.Seat, b.Seat))
	})
	return all
}
