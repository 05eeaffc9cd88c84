package engine

import (
	"reflect"
	"slices"
)

// Private answers are given once: a night that is closed again, or done again
// by a correction, tells only what came out differently.

// settle compares the answers of a step with those that were given already in
// this round: what is the same is not told again, what differs is told as
// corrected, what is gone is told as none.
func (g *Game) settle(before status, s *step) (told []Event) {
	raw := answers(s.events)
	reads := before.phase.Name == Nights && s.moment.phase.Name != Nights && s.act.Verb != End && !s.act.Verb.Conduct()
	if len(raw) == 0 && !reads {
		return s.events
	}
	if len(g.given) == 0 {
		g.given = raw
		return s.events
	}
	var events, seen []Event
	for _, e := range g.given {
		if gone := !slices.ContainsFunc(raw, e.answersLike); gone {
			e.Words, e.Corrected = []string{"none"}, true
			events = append(events, e)
			if !slices.ContainsFunc(g.given, func(o Event) bool { return reflect.DeepEqual(o, e) }) {
				told = append(told, e)
			}
		}
	}
	for _, e := range s.events {
		if !e.isAnswer() {
			events, told = append(events, e), append(told, e)
			continue
		}
		was := like(g.given, e)
		if reflect.DeepEqual(plain(was), plain(like(raw, e))) {
			e.Corrected = was[len(like(seen, e))].Corrected
			events = append(events, e)
		} else {
			e.Corrected = len(was) > 0
			events, told = append(events, e), append(told, e)
		}
		seen = append(seen, e)
	}
	s.events = events
	g.given = answers(events)
	return told
}

// isAnswer tells whether the event is a private answer to an act.
func (e Event) isAnswer() bool {
	return e.Kind == Told && e.Verb != ToldRole && e.Verb != ToldAlly && e.Verb != Whisper && e.Verb != ""
}

func (e Event) answersLike(o Event) bool { return e.To == o.To && e.Verb == o.Verb }

func answers(events []Event) (told []Event) {
	for _, e := range events {
		if e.isAnswer() {
			told = append(told, e)
		}
	}
	return told
}

func like(events []Event, e Event) (same []Event) {
	for _, o := range events {
		if e.answersLike(o) {
			same = append(same, o)
		}
	}
	return same
}

// plain is events without the marks of corrections.
func plain(events []Event) (unmarked []Event) {
	for _, e := range events {
		if e.isAnswer() && e.Corrected {
			e.Corrected = false
		}
		unmarked = append(unmarked, e)
	}
	return unmarked
}
