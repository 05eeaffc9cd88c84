package server

import (
	"cmp"
	"slices"

	"github.com/mafiabox/mafiabox/engine"
)

// storyLine is a line of a finished game's story: an act with what it led to, or
// a phase that begins with what is told there.
type storyLine struct {
	Heading string // of the phase
	Text    string // of the act; empty where only what it led to is worth telling
	Results []string
	Void    bool // undone, or of a round that was replayed
}

// story tells a finished game from its log, to everybody. What a night or a vote
// led to stands with its choices, before the next phase begins.
func (w words) story(g engine.Game, seats []seatView) (lines []storyLine) {
	stands := g.Stands()
	for _, entry := range g.Story() {
		a := entry.Act
		switch a.Verb {
		case engine.Note, engine.Appeal, engine.Undo, engine.Hold, engine.Go, engine.Whisper:
			continue // the host's own, what led to nothing, and letters: nobody else was to read them
		}
		if a.Verb == engine.Post {
			a.Text = "" // what was written stands in the thread
		}
		before, heading, after := w.chapters(entry.Events, seats)
		line := storyLine{Text: w.act(a, seats), Results: before, Void: !stands[a.No]}
		if a.Subject() == engine.Host && slices.Contains([]engine.Verb{engine.Night, engine.Close, engine.Dawn, engine.Vote}, a.Verb) {
			line.Text = "" // the headings say so
		}
		if a.Verb == engine.Advance {
			line.Text = "" // time went on by itself
		}
		if line.Text != "" || len(line.Results) > 0 {
			lines = append(lines, line)
		}
		if heading != "" {
			lines = append(lines, storyLine{Heading: heading, Results: after, Void: line.Void})
		}
	}
	return lines
}

// chapters are an act's results in words: those of the phase in which it was
// done, and those of the phase that it begins, if any. The close of a night
// begins none, and with the end go who has won and all roles.
func (w words) chapters(events []engine.Event, seats []seatView) (before []string, heading string, after []string) {
	ends := slices.ContainsFunc(events, func(e engine.Event) bool { return e.Kind == engine.PhaseIs && e.Words[0] == engine.Ended })
	into := &before
	for _, e := range events {
		switch e.Kind {
		case engine.PhaseIs:
			if e.Words[0] != engine.Closed {
				heading, into = w.event(e, seats), &after
			}
			continue
		case engine.Owed, engine.Chose, engine.Voted, engine.Candidates, engine.Ruling, engine.Decision, engine.Nominated, engine.Speaks, engine.Stopped, engine.Resumed, engine.Asked, engine.Refused:
			continue // the act says it, or it was said to its author alone
		case engine.Trace:
			if e.Verb == engine.Suspect {
				continue
			}
		case engine.Win, engine.Draw, engine.RoleIs:
			if ends {
				into = &after
			}
		}
		*into = append(*into, w.told(e, seats))
	}
	return before, heading, after
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
