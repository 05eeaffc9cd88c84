package sport

import (
	"slices"

	"github.com/mafiabox/mafiabox/engine"
)

// night is what a night holds until its morning.
type night struct {
	chosen   []Choice // as entered: a new one of the same verb goes to the end
	answered set      // who has sent anything
	fallen   set      // out at dawn
	early    int      // how many left before the first night with shots
}

// shooting tells whether a night with acts is open: night 0 is for agreeing only.
func (t *Table) shooting() bool {
	return t.phase.Name == engine.Nights && t.phase.N > 0 && t.pending == ""
}

func (t *Table) openNight() []engine.Event {
	t.speaker, t.held = 0, false
	n := 0
	if t.phase.Name == engine.Day {
		if t.dayCounts() {
			return t.finish([]engine.Event{won("")})
		}
		n = t.phase.N + 1 - t.zeroDay()
		t.void, t.voidNext = t.voidNext, false // a vote that was not held lapses
	}
	t.round++
	if n == 1 {
		t.early = len(t.Dealt) - len(t.Living())
	}
	t.chosen, t.answered, t.fallen = nil, 0, 0
	t.words, t.leaving, t.victims, t.best = nil, 0, 0, 0
	t.spoken, t.nominations, t.decided, t.poll = 0, nil, false, poll{}
	t.calm = true
	events := []engine.Event{t.enter(engine.Nights, n)}
	if n > 0 {
		events = append(events, t.owed())
	}
	return events
}

// choose notes an act: it replaces an earlier one of the same verb, and wait
// replaces all. Only its seat learns of it: the black don't see each other's.
func (t *Table) choose(c Choice) []engine.Event {
	t.chosen = slices.DeleteFunc(t.chosen, func(o Choice) bool {
		return o.By == c.By && (o.Verb == c.Verb || c.Verb == engine.Wait)
	})
	if c.Verb != engine.Wait {
		t.chosen = append(t.chosen, c)
	}
	first := !t.answered.has(c.By)
	t.answered.add(c.By)
	events := []engine.Event{{To: engine.Audience(c.By), Kind: engine.Chose, Of: c.By, Verb: c.Verb, Seats: c.Seats}}
	if first {
		events = append(events, t.owed())
	}
	return events
}

// Choices are tonight's acts of the living, in the order entered.
func (t *Table) Choices() (chosen []Choice) {
	for _, c := range t.chosen {
		if t.Lives(c.By) {
			chosen = append(chosen, c)
		}
	}
	return chosen
}

// closeNight gives the private answers and tells the host what became of each
// act. Nothing of it is public before dawn.
func (t *Table) closeNight() []engine.Event {
	var outcome Outcome
	if t.shooting() {
		outcome = t.Sides.Resolve(t)
	}
	for _, seat := range outcome.Fallen {
		t.fallen.add(seat)
	}
	t.held = false
	events := append(outcome.Answers, outcome.Traces...)
	return append(events, t.enter(engine.Closed, t.phase.N))
}

func (t *Table) dawn() []engine.Event {
	var events []engine.Event
	if t.phase.Name == engine.Nights {
		events = t.closeNight()
		events = events[:len(events)-1] // straight on to the morning
	}
	var left []engine.Seat
	for _, seat := range t.Living() {
		if t.fallen.has(seat) {
			left = append(left, seat)
		}
	}
	shots := t.phase.N > 0
	if shots && t.nightCounts(len(left) == 0) {
		return t.finish(append(events, engine.Event{To: engine.All, Kind: engine.Stay}, won("")))
	}
	for _, seat := range left {
		events = append(events, t.leaves(seat, engine.ByNight))
		t.leaving.add(seat)
		t.victims.add(seat)
	}
	if len(left) == 0 && shots {
		events = append(events, engine.Event{To: engine.All, Kind: engine.Stay})
	}
	if t.phase.N == 1 && t.Option("best_move") != "off" && (t.early < 2 || t.Option("best_move_after_double_exit") == "yes") {
		t.best = t.victims
	}
	t.wakes()
	t.words = left
	if len(left) == 0 {
		return append(events, t.opens(opensMorning)...)
	}
	return t.after(events, opensMorning)
}
