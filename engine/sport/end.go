package sport

import "github.com/mafiabox/mafiabox/engine"

// quiet counts the nights and days in a row without an exit.
type quiet struct {
	nights, days int
	calm         bool // nobody has left in this night or on this day
	counted      bool // this day is among them
}

func (t *Table) leaves(seat engine.Seat, cause string) engine.Event {
	t.out.add(seat)
	t.quiet.nights, t.quiet.days, t.calm = 0, 0, false
	return engine.Event{To: engine.All, Kind: engine.Out, Of: seat, Words: []string{cause}}
}

// opening is what opens after an exit when the game goes on.
type opening int

const (
	opensNothing opening = iota // a removal between votes
	opensDay                    // the day's vote is over
	opensMorning
)

// after follows exits: the end if there is one, a ruling, otherwise what opens next.
func (t *Table) after(events []engine.Event, open opening) []engine.Event {
	switch verdict := t.Sides.Verdict(t); {
	case verdict.Over:
		return t.finish(append(events, won(verdict.Winner)))
	case verdict.Ask != "":
		if t.pending != verdict.Ask {
			t.then = open
		}
		return append(events, t.ask(verdict.Ask, verdict.Choices))
	case t.pending != "" && t.phase.Name != "": // who left since has settled it
		open, t.pending, t.choices = t.then, "", nil
	}
	return append(events, t.opens(open)...)
}

func (t *Table) opens(open opening) []engine.Event {
	switch open {
	case opensMorning:
		return append([]engine.Event{t.enter(engine.Day, t.phase.N+t.zeroDay())}, t.lastWord()...)
	case opensDay:
		return append([]engine.Event{t.enter(engine.Day, t.phase.N)}, t.lastWord()...)
	}
	if t.shooting() {
		return []engine.Event{t.owed()}
	}
	return nil
}

// won is the announcement of who wins, or of a draw.
func won(winner engine.Side) engine.Event {
	if winner == "" {
		return engine.Event{To: engine.All, Kind: engine.Draw}
	}
	return engine.Event{To: engine.All, Kind: engine.Win, Words: []string{string(winner)}}
}

// finish ends the game; all roles are public.
func (t *Table) finish(events []engine.Event) []engine.Event {
	t.ended, t.pending, t.choices, t.speaker, t.held = true, "", nil, 0, false
	for i, role := range t.Dealt {
		events = append(events, engine.Event{To: engine.All, Kind: engine.RoleIs, Of: engine.Seat(i + 1), Words: []string{string(role)}})
	}
	return append(events, t.enter(engine.Ended, 0))
}

// dayCounts adds a day that is over, once, and tells whether the game is a draw.
func (t *Table) dayCounts() bool {
	if !t.counted && t.calm {
		t.quiet.days++
	}
	t.counted = true
	return t.stale()
}

// nightCounts adds a night that is over and tells whether the game is a draw.
func (t *Table) nightCounts(missed bool) bool {
	if missed && t.calm {
		t.quiet.nights++
		return t.stale()
	}
	return false
}

// stale tells whether nobody has left for so long that the game is a draw.
func (t *Table) stale() bool {
	switch t.Option("draw_after") {
	case "3+3":
		return t.quiet.nights >= 3 && t.quiet.days >= 3
	case "3+2":
		return t.quiet.nights >= 3 && t.quiet.days >= 2
	}
	return false
}
