package sport

import (
	"slices"

	"github.com/mafiabox/mafiabox/engine"
)

// tie follows a vote in which these have most votes. They speak and are voted
// on again; when the same are tied again the table is asked about all of them.
func (t *Table) tie(events []engine.Event, top []engine.Seat) []engine.Event {
	events = append(events, engine.Event{To: engine.All, Kind: engine.Tie, Seats: top})
	switch {
	case t.tied == nil && len(top) == len(t.Living()):
		if t.Option("tie_of_all") == "ask_draw" {
			return append(events, t.ask("tie-of-all", []string{"draw", "play-on"}))
		}
		return t.nobody(events, engine.Stay)
	case t.tied == nil:
		return t.split(events, top)
	case len(top) < len(t.running):
		if t.Option("shrinking_split") == "stay" {
			return t.nobody(events, engine.Stay)
		}
		return t.split(events, top)
	case !t.asks(len(top)):
		return t.nobody(events, engine.Stay)
	}
	t.asking, t.hands = true, 0
	events = append(events, engine.Event{To: engine.All, Kind: engine.AskAll, Seats: top})
	return append(events, t.enter(engine.Split, t.phase.N))
}

// split gives the tied the word once more.
func (t *Table) split(events []engine.Event, top []engine.Seat) []engine.Event {
	order := t.candidates()
	t.tied = slices.DeleteFunc(order, func(c engine.Seat) bool { return !slices.Contains(top, c) })
	t.argued, t.running = 0, nil
	return append(events, t.enter(engine.Split, t.phase.N))
}

// asks tells whether so many tied twice are asked about.
func (t *Table) asks(tied int) bool {
	if t.Option("second_tie") == "stay" {
		return false
	}
	switch living := len(t.Living()); {
	case living == 4 && tied == 2:
		return t.Option("two_of_four") == "ask"
	case living == 9 && tied == 3:
		return t.Option("three_of_nine") == "ask" ||
			t.Option("three_of_nine") == "nobody_day1" && t.phase.N != t.zeroDay()+1
	}
	return true
}

// raise are hands for the leaving of all. Like votes they are secret until the
// close, unless votes are open.
func (t *Table) raise(seats ...engine.Seat) (events []engine.Event) {
	for _, seat := range seats {
		t.hands.add(seat)
		events = append(events, engine.Event{To: engine.Audience(seat), Kind: engine.Chose, Of: seat, Verb: engine.Raise})
		if t.Option("open_vote") == "yes" {
			events = append(events, engine.Event{To: engine.All, Kind: engine.Voted, Of: seat})
		}
	}
	return events
}

// countHands closes the question: all leave when more than half of the living are for it.
func (t *Table) countHands() []engine.Event {
	hands := 0
	for _, seat := range t.Living() {
		if t.hands.has(seat) {
			hands++
		}
	}
	if 2*hands <= len(t.Living()) {
		return t.nobody(nil, engine.Stay)
	}
	return t.exile(nil, slices.Clone(t.running))
}
