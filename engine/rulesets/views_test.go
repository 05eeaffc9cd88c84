package rulesets_test

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/record"
)

// public tells what in a view is not public.
func public(s engine.Seen, who string) string {
	if s.Role != "" || len(s.Allies)+len(s.Chosen)+len(s.Answers)+len(s.Notes)+len(s.Letters)+len(s.Traces)+len(s.Ruling) > 0 {
		return fmt.Sprintf("%s sees a secret: %+v", who, s)
	}
	for _, seat := range s.Seats {
		if seat.Role != "" && !seat.Public || seat.Answered {
			return fmt.Sprintf("%s sees a secret of %d", who, seat.Seat)
		}
	}
	for _, e := range s.News {
		if e.To != engine.All {
			return who + " sees news for another"
		}
	}
	return ""
}

// own tells what a seat sees that is not its own, or that it may not look at now.
func own(g engine.Game, seat engine.Seat) string {
	s := g.Seen(engine.Audience(seat))
	for _, events := range [][]engine.Event{s.Allies, s.Chosen, s.Answers, s.Notes, s.Letters} {
		for _, e := range events {
			if e.To != s.Viewer {
				return fmt.Sprintf("%d sees %s", seat, record.FormatEvent(e))
			}
		}
	}
	if s.Traces != nil || s.Ruling != nil {
		return fmt.Sprintf("%d sees what is the host's", seat)
	}
	if s.Over {
		return ""
	}
	for _, o := range g.Offers(engine.Actor(seat)) {
		aloud := o.Verb == engine.BestMove || o.Verb == engine.Nominate || o.Verb == engine.Post
		letter := o.Verb == engine.Whisper && !slices.Contains(o.Words, "mafia") && !slices.Contains(o.Words, "gang")
		if o.Now == engine.Open && g.IsOut(seat) && !aloud && !letter {
			return fmt.Sprintf("%d is out and may %s", seat, o.Verb)
		}
	}
	if g.IsOut(seat) {
		for _, e := range s.Letters {
			if e.Words[0] != "out" && e.Words[0] != "host" {
				return fmt.Sprintf("%d is out and reads %s", seat, record.FormatEvent(e))
			}
		}
		s.Letters = nil
		return public(s, "who is out")
	}
	if night := s.Phase.Name == engine.Nights || s.Phase.Name == engine.Closed; night || s.Phase.Name == "" {
		return ""
	}
	_, table := g.Setup().Options["peek"]
	if table && (s.Answers != nil || slices.ContainsFunc(s.Chosen, func(e engine.Event) bool { return !e.Verb.ByDay() })) {
		return fmt.Sprintf("%d sees its night by day", seat)
	}
	// By day every living seat is offered the same.
	other := seat%engine.Seat(g.Setup().Seats) + 1
	if theirs := g.Seen(engine.Audience(other)).Offers; !g.IsOut(other) && !sameVerbs(theirs, s.Offers) {
		return fmt.Sprintf("by day %d is offered %v and %d is offered %v", seat, s.Offers, other, theirs)
	}
	return ""
}

func sameVerbs(a, b []engine.Offer) bool {
	return slices.EqualFunc(a, b, func(a, b engine.Offer) bool { return a.Verb == b.Verb })
}

// owed must be as many as the living who haven't answered, in a night that asks
// them, or voted.
func owed(g engine.Game) string {
	s := g.Seen(engine.ToHost)
	if len(s.Ruling) > 0 || s.Stopped {
		return ""
	}
	n := 0
	for _, seat := range s.Seats {
		switch {
		case seat.Out:
		case s.Phase.Name == engine.Nights && !seat.Answered && may(g, seat.Seat, engine.Wait):
			n++
		case !seat.Voted && s.Phase.Name != engine.Nights && may(g, seat.Seat, engine.Vote):
			n++
		}
	}
	if n != s.Owed {
		return fmt.Sprintf("%d owed, %d have not answered", s.Owed, n)
	}
	return ""
}

// may tells whether a seat may do something now: with Wait it may answer, if
// only that it wishes nothing.
func may(g engine.Game, seat engine.Seat, verb engine.Verb) bool {
	return slices.ContainsFunc(g.Offers(engine.Actor(seat)), func(o engine.Offer) bool {
		return o.Verb == verb && o.Now == engine.Open
	})
}

// tallied: as many votes are counted as were cast, or as many as there are
// voters where who casts none counts for the last candidate.
func tallied(before engine.Game, events []engine.Event) string {
	voters := 0
	cast := make(map[engine.Seat]engine.Seat)            // by voter; for 0 where votes are secret
	for _, s := range before.Seen(engine.ToHost).Seats { // who had voted for somebody removed is secret, where votes are
		if s.Out {
			continue
		}
		voters++
		if s.Voted {
			cast[s.Seat] = s.VotedFor
		}
	}
	for _, e := range events {
		switch {
		case e.Kind == engine.PhaseIs:
			clear(cast)
		case e.Kind == engine.Out:
			voters--
			maps.DeleteFunc(cast, func(by, of engine.Seat) bool { return by == e.Of || of == e.Of })
		case e.Kind == engine.Voted && len(e.Words) > 0: // null
			delete(cast, e.Of)
		case e.Kind == engine.Voted && len(e.Seats) > 0:
			cast[e.Of] = e.Seats[0]
		case e.Kind == engine.Tallied:
			sum := 0
			for _, c := range e.Tally {
				sum += c.Votes
			}
			if sum != len(cast) && (sum != voters || deadlines(before)) {
				return fmt.Sprintf("%d votes counted, %d cast", sum, len(cast))
			}
		}
	}
	return ""
}

// deadlines tells whether these rules have any.
func deadlines(g engine.Game) bool {
	return slices.ContainsFunc(g.Rules().Options(), func(o engine.Option) bool { return o.Zone })
}

// order is that of the results of one act. Where there are deadlines it is that
// of each close and of each phase: one act may pass several.
var order = [][]engine.Kind{
	{engine.Told}, {engine.Trace}, {engine.Warned, engine.Muted, engine.Fouls}, {engine.Tallied}, {engine.Missed}, {engine.Tie, engine.AskAll},
	{engine.Out}, {engine.Void, engine.Stay}, {engine.Win, engine.Draw}, {engine.RoleIs}, {engine.PhaseIs},
	{engine.Candidates, engine.Owed, engine.Speaks, engine.Ruling, engine.Closes},
}

func ordered(g engine.Game, a engine.Act, events []engine.Event) string {
	if a.Mends || a.Verb == engine.Undo || a.Verb == engine.Replay {
		return ""
	}
	rank := -1
	for _, e := range events {
		r := slices.IndexFunc(order, func(kinds []engine.Kind) bool { return slices.Contains(kinds, e.Kind) })
		switch {
		case deadlines(g) && e.Kind == engine.Told: // an answer comes after the victim
			continue
		case deadlines(g) && (e.Kind == engine.Tallied || e.Kind == engine.Trace):
			rank = -1
		}
		if r >= 0 && r < rank {
			return "out of order: " + record.FormatEvent(e)
		}
		rank = max(rank, r)
		if opens := []engine.Kind{engine.PhaseIs, engine.Closes, engine.Owed}; deadlines(g) && slices.Contains(opens, e.Kind) {
			rank = -1
		}
	}
	return ""
}

// untold: who is told nothing sees nothing new.
func untold(before, after engine.Game, a engine.Act, events []engine.Event, seat engine.Seat) string {
	viewer := engine.Audience(seat)
	if a.Subject() <= 0 || a.Mends || a.Verb == engine.Post || slices.ContainsFunc(events, func(e engine.Event) bool { return e.To == engine.All || e.To == viewer }) {
		return ""
	}
	for _, v := range []engine.Audience{engine.All, viewer} {
		if !reflect.DeepEqual(before.Seen(v), after.Seen(v)) {
			return fmt.Sprintf("%d was told nothing and sees something new", v)
		}
	}
	return ""
}

// invented: whatever was mended, a seat is shown nothing that was never told to it.
func invented(after engine.Game, seat engine.Seat) string {
	viewer := engine.Audience(seat)
	told := make(map[string]bool)
	note := func(events []engine.Event) {
		for _, e := range events {
			if e.To == viewer || e.To == engine.All {
				e.Corrected = false
				told[record.FormatEvent(e)] = true
			}
		}
	}
	note(after.Opening())
	for _, entry := range after.Log() {
		note(entry.Events)
	}
	seen := after.Seen(viewer)
	for _, e := range slices.Concat(seen.News, seen.Allies, seen.Chosen, seen.Answers, seen.Notes, seen.Letters) {
		e.Corrected = false
		if e.To != viewer && e.To != engine.All {
			return fmt.Sprintf("%d is shown what was told to %d: %s", seat, e.To, record.FormatEvent(e))
		}
		if !told[record.FormatEvent(e)] {
			return fmt.Sprintf("%d is shown what nobody told it: %s", seat, record.FormatEvent(e))
		}
	}
	return ""
}
