package engine

import (
	"reflect"
	"slices"
)

// Undo, Correct and Replay change the list of acts that stand, never a state:
// the acts are done again from the first that differs.

// lastCounted is the number of the last act that Undo takes back.
func (g Game) lastCounted() (no int, ok bool) {
	for _, s := range g.steps[1:] {
		if !s.act.Verb.Skipped() {
			no = max(no, s.no, s.act.No)
		}
	}
	return no, no > 0
}

// undo takes back the last act that counted, or act N.
func (g Game) undo(a Act) (Game, []Event, error) {
	if a.By != Host || a.For != 0 {
		return g, nil, RefusedRole
	}
	no := a.N
	if no == 0 {
		no, _ = g.lastCounted()
	}
	var acts []*step
	first := -1
	for i, s := range g.steps {
		switch {
		case i == 0 || s.act.Verb.Skipped():
		case s.no == no && s.act.Verb == Replay:
			return g.unreplay(no)
		case s.no == no: // with its corrections
			if first < 0 {
				first = i
			}
			continue
		case s.act.No == no: // only the last correction
			last := len(s.was) - 1
			s, first = s.mended(s.was[last], s.was[:last]), i
		case slices.ContainsFunc(s.was, func(w Act) bool { return w.No == no }):
			was := slices.DeleteFunc(slices.Clone(s.was), func(w Act) bool { return w.No == no })
			s, first = s.mended(s.act, was), i
		}
		if first >= 0 {
			acts = append(acts, s)
		}
	}
	if first < 0 {
		return g, nil, RefusedTarget
	}
	return g.redo(first, acts, -1)
}

// correct replaces the accepted act of a seat in the open round.
func (g Game) correct(a Act) (Game, []Event, error) {
	if a.By != Host || a.For == 0 {
		return g, nil, RefusedRole
	}
	act := subjective(a)
	if act.Verb.written() {
		return g, nil, RefusedTarget
	}
	opening := g.opening()
	i := len(g.steps) - 1
	for i > 0 && !(g.steps[i].act.By == act.By && (g.steps[i].act.Verb == act.Verb || g.steps[i].act.Verb == Wait)) {
		i--
	}
	if i <= opening {
		offer, has := g.last().offers(act.By).find(act.Verb)
		switch {
		case Announces(g.steps[opening].events) && offer.Now != Open,
			i > 0 && len(announcements(g.steps[i:])) > 0:
			return g, nil, RefusedRevealed
		case !has && !g.IsOut(a.For):
			return g, nil, RefusedRole
		}
		return g, nil, RefusedTarget
	}
	if g.steps[i].act.Verb != act.Verb {
		return g, nil, RefusedTarget // withdrawn since
	}
	acts := slices.Clone(g.steps[i:])
	acts[0] = acts[0].mended(act, append(slices.Clone(acts[0].was), acts[0].act))
	return g.redo(i, acts, i)
}

// mended is the step with another act in the place of its own, to be done again.
func (s *step) mended(act Act, was []Act) *step {
	return &step{act: act, was: was, no: s.no, before: s.before, state: s.state, moment: s.moment}
}

// opening is the step that opened the round to which corrections go back: the
// night until it is announced, or the vote, each of its runoffs for itself.
func (g Game) opening() int {
	for i := len(g.steps) - 1; i > 0; i-- {
		for _, e := range g.steps[i].events {
			if e.Kind == PhaseIs && e.Words[0] != Closed {
				return i
			}
		}
	}
	return 0
}

// redo does acts again from step number first on, in place of the steps that
// stood there. Which of them is a correction is told by its place, or -1.
func (g Game) redo(first int, acts []*step, corrected int) (Game, []Event, error) {
	old := g
	if !g.steps[first].act.Verb.Conduct() {
		for _, s := range g.steps[first:] {
			if !s.act.Verb.Conduct() && Announces(s.events) {
				return old, nil, RefusedRevealed
			}
		}
	}
	g, at, err := g.retake(first, acts)
	switch {
	case err == nil:
	case at == corrected:
		return old, nil, err
	case len(announcements(old.steps[first:])) > 0:
		return old, nil, RefusedRevealed
	default:
		return old, nil, RefusedTarget
	}
	if !reflect.DeepEqual(announcements(old.steps[first:]), announcements(g.steps[first:])) {
		return old, nil, RefusedRevealed
	}
	return g, g.changes(old, first, corrected), nil
}

// retake does acts again from step number first on. With an error it tells at
// which step an act no longer fits.
func (g Game) retake(first int, acts []*step) (Game, int, error) {
	old := g
	g.steps = g.steps[:first:first]
	for i, s := range acts {
		n, err := g.last().again(s)
		if err != nil {
			return old, first + i, err
		}
		if was, ok := old.step(s); ok && reflect.DeepEqual(plain(n.events), plain(was.events)) {
			n.events = was.events // its answers keep the mark of an earlier correction
		} else if n.state.Round() == old.last().state.Round() {
			g.settle(g.now(), n)
		}
		g.steps = append(g.steps, n)
	}
	return g, 0, nil
}

// again does a step's act once more after this one. Time moves on whatever has
// become of the game, and a replay needs the round that it started again.
func (s *step) again(old *step) (*step, error) {
	verb := old.act.Verb
	waits := s.moment.ruling && !verb.Conduct() && !verb.mending() && verb != Stop
	if verb != Advance && (s.moment.ended || waits) || verb == Replay && s.state.Round() != old.state.Round() {
		return nil, RefusedTarget
	}
	n, err := s.next(old.act)
	if err != nil {
		return nil, err
	}
	n.no, n.was, n.before = old.no, old.was, old.before
	if verb == Replay && !n.moment.ended {
		if stopped := old.moment.stopped; stopped != s.moment.stopped { // a stop outlasts the round, either way
			n.state, _, _ = n.state.Do(Act{By: Host, Verb: map[bool]Verb{true: Stop, false: Resume}[stopped]})
		}
		n.moment.stopped, n.moment.reason = old.moment.stopped, old.moment.reason
	}
	return n, nil
}

// step is the step at which the same act stands in this game.
func (g Game) step(s *step) (*step, bool) {
	i := slices.IndexFunc(g.steps, func(o *step) bool { return o.no == s.no && o.act.By == s.act.By })
	if i < 0 {
		return &step{}, false
	}
	return g.steps[i], true
}

// news are what the new course of a game tells that the old one did not, from
// step number first on: of a corrected act everything, of the others what came
// out differently.
func (g Game) news(old Game, first, corrected int) (told []Event) {
	for i := first; i < len(g.steps); i++ {
		was, _ := old.step(g.steps[i])
		for _, e := range g.steps[i].events {
			known := i != corrected && slices.ContainsFunc(was.events, func(o Event) bool { return reflect.DeepEqual(o, e) })
			if !known && e.Kind != PhaseIs && e.Kind != Owed && e.Kind != Closes && e.Kind != Ruling {
				told = append(told, e)
			}
		}
	}
	return told
}

// changes are the news, and where the game stands now, if it stands elsewhere.
func (g Game) changes(old Game, first, corrected int) []Event {
	told := g.news(old, first, corrected)
	if g.now().phase != old.now().phase {
		told = append(told, g.latest(PhaseIs)...)
	}
	if g.now().ruling && (!old.now().ruling || !reflect.DeepEqual(g.latest(Ruling), old.latest(Ruling))) {
		told = append(told, g.latest(Ruling)...)
	}
	for _, k := range []Kind{Owed, Closes} {
		if now := g.latest(k); !reflect.DeepEqual(now, old.latest(k)) {
			told = append(told, now...)
		}
	}
	return told
}

// latest is the last event of a kind in the acts that stand; of what is owed
// only in the phase that it is owed in.
func (g Game) latest(k Kind) []Event {
	for i := len(g.steps) - 1; i >= 0; i-- {
		for j := len(g.steps[i].events) - 1; j >= 0; j-- {
			switch e := g.steps[i].events[j]; {
			case e.Kind == k:
				return []Event{e}
			case e.Kind == PhaseIs && k == Owed:
				return nil
			}
		}
	}
	return nil
}

// Announces tells whether the events hold an announcement: what closes a round,
// and what undo and correct don't go behind.
func Announces(events []Event) bool { return slices.ContainsFunc(events, Event.announces) }

func (e Event) announces() bool {
	switch e.Kind {
	case Tallied, Tie, Out, Stay, Void, RoleIs, Win, Draw:
		return e.To == All
	}
	return false
}

func announcements(steps []*step) (public []Event) {
	for _, s := range steps {
		for _, e := range s.events {
			if e.announces() {
				public = append(public, e)
			}
		}
	}
	return public
}
