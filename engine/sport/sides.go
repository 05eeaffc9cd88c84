package sport

import "github.com/mafiabox/mafiabox/engine"

// sides are the red and the black of the regulation.
type sides struct{}

func (sides) black(t *Table, seat engine.Seat) bool {
	return t.Role(seat) == don || t.Role(seat) == mafia
}

// Allies: the black know each other from the deal.
func (s sides) Allies(t *Table, _ string) (events []engine.Event) {
	for _, seat := range t.Living() {
		for _, ally := range t.Living() {
			if seat != ally && s.black(t, seat) && s.black(t, ally) {
				events = append(events, Ally(t, seat, ally))
			}
		}
	}
	return events
}

// Ally tells a seat who is on its side.
func Ally(t *Table, to, of engine.Seat) engine.Event {
	return engine.Event{To: engine.Audience(to), Kind: engine.Told, Verb: engine.ToldAlly, Seats: []engine.Seat{of}, Words: []string{string(t.Role(of))}}
}

// Acts: the black shoot, the don looks for the sheriff, the sheriff checks.
func (sides) Acts(t *Table, seat engine.Seat) []Act {
	sure := t.Option("shot_asks") == "yes"
	switch t.Role(seat) {
	case don:
		return []Act{{Verb: engine.Shoot, Targets: 1}, {engine.Seek, 1, sure}}
	case mafia:
		return []Act{{Verb: engine.Shoot, Targets: 1}}
	case sheriff:
		return []Act{{engine.Check, 1, sure}}
	}
	return nil
}

// Resolve: the shot hits when every living black has named the same seat.
func (s sides) Resolve(t *Table) (o Outcome) {
	var target engine.Seat
	shots, agreed := 0, true
	for _, c := range t.Choices() {
		if c.Verb == engine.Shoot {
			agreed = agreed && (shots == 0 || c.Seats[0] == target)
			target = c.Seats[0]
			shots++
		}
	}
	for _, seat := range t.Living() {
		if s.black(t, seat) {
			shots--
		}
	}
	if agreed && target != 0 && shots == 0 {
		o.Fallen = append(o.Fallen, target)
	} else {
		target = 0
	}
	for _, c := range t.Choices() {
		fate := "stands"
		switch {
		case c.Verb == engine.Shoot && target != 0:
			fate = "out"
		case c.Verb == engine.Shoot:
			fate = "missed"
		}
		var answer string
		switch c.Verb {
		case engine.Seek:
			answer = YesNo(t.Role(c.Seats[0]) == sheriff)
		case engine.Check:
			answer = "red"
			if s.black(t, c.Seats[0]) {
				answer = "black"
			}
		}
		if c.By == target && t.Option("shot_asks") == "no" && answer != "" {
			answer, fate = "none", "blocked"
		}
		o.Traces = append(o.Traces, TraceOf(c, fate))
		if answer != "" {
			o.Answers = append(o.Answers, Answer(c.By, c.Verb, c.Seats[0], answer))
		}
	}
	return o
}

// YesNo is a search's answer.
func YesNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

// Answer tells a seat privately what an act about another has given.
func Answer(to engine.Seat, verb engine.Verb, of engine.Seat, word string) engine.Event {
	return engine.Event{To: engine.Audience(to), Kind: engine.Told, Verb: verb, Seats: []engine.Seat{of}, Words: []string{word}}
}

// TraceOf tells the host what became of an act of the night.
func TraceOf(c Choice, fate string) engine.Event {
	return engine.Event{To: engine.ToHost, Kind: engine.Trace, Of: c.By, Verb: c.Verb, Seats: c.Seats, Fates: []engine.Fate{{What: fate}}}
}

// Verdict: no black left, or as many of them as of the red.
func (s sides) Verdict(t *Table) Verdict {
	black := 0
	for _, seat := range t.Living() {
		if s.black(t, seat) {
			black++
		}
	}
	switch red := len(t.Living()) - black; {
	case black == 0:
		return Verdict{Over: true, Winner: Town}
	case black >= red:
		return Verdict{Over: true, Winner: Mafia}
	}
	return Verdict{}
}

// Defeat: the other team wins.
func (s sides) Defeat(t *Table, seat engine.Seat) engine.Side {
	if s.black(t, seat) {
		return Town
	}
	return Mafia
}
