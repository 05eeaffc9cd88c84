package server

import (
	"fmt"
	"slices"
	"time"

	"github.com/mafiabox/mafiabox/engine"
)

// A step leads the game on: by the large button of the console, or by the real
// one. A press right after a step does nothing, so that a double press never
// skips the private answers; a step that cuts somebody short wants a
// second press.
const (
	stepRest    = 2 * time.Second
	stepConfirm = 5 * time.Second
)

// confirm is a step that waits for its second press.
type confirm struct {
	verb engine.Verb
	at   time.Time
}

// step does the next step of the phase, if it is the one that was meant: the
// page of a host may be a moment old.
func (d *draft) step(meant engine.Verb, via engine.Source) error {
	if d.doc.Stage != playing {
		return say("nothing_to_step")
	}
	if d.now.Sub(d.stepAt) < stepRest {
		return nil
	}
	seen := d.game.Seen(engine.ToHost)
	verb, ok := nextStep(seen)
	knows := seen
	if via == engine.ByButton { // whether it asks is heard by everybody
		knows = d.game.Seen(engine.All)
	}
	switch {
	case seen.Stopped:
		return engine.RefusedStopped
	case !ok:
		return say("nothing_to_step")
	case meant != "" && meant != verb:
		return nil
	case !d.sure(verb, knows):
		return nil
	}
	act := engine.Act{By: engine.Host, Verb: verb, Via: via}
	if e, ok := spoken(d.game); ok && verb == engine.Speech {
		act.Seats = []engine.Seat{e.Of} // as the record says who had the word
	}
	if err := d.act(act); err != nil {
		return err
	}
	d.stepAt = d.now // a speech changes no phase, and is a step all the same
	return nil
}

// stepAside does a step that is not the next one, by a button of its own. It
// asks as the large one does, and rests like it where it opens another phase.
func (d *draft) stepAside(verb engine.Verb) error {
	if d.doc.Stage != playing {
		return say("nothing_to_step")
	}
	seen := d.game.Seen(engine.ToHost)
	switch {
	case !slices.Contains(openSteps(seen), verb):
		return engine.RefusedPhase
	case !ofClock(verb) && d.now.Sub(d.stepAt) < stepRest, !d.sure(verb, seen):
		return nil
	}
	return d.act(engine.Act{By: engine.Host, Verb: verb, Via: engine.ByPhone})
}

// ofClock tells whether a step is about the running clock alone.
func ofClock(verb engine.Verb) bool {
	return verb == engine.Pass || verb == engine.Hold || verb == engine.Go
}

// sure tells whether a step may be taken now. One that cuts somebody short is
// asked about first, and taken at its second press.
func (d *draft) sure(verb engine.Verb, seen engine.Seen) bool {
	if !d.early(verb, seen, d.now) || d.asked.verb == verb && d.now.Sub(d.asked.at) <= stepConfirm {
		return true
	}
	d.asked, d.quiet = confirm{verb, d.now}, true
	return false
}

// of names the moment of a form: the game, its phase, and the act that opened
// it. A form of an earlier moment is worth nothing: it may have waited in a
// phone that had no network, or been tapped twice.
func (m *moment) of() string {
	if !m.plays() {
		return ""
	}
	p, since, public := m.game.Phase(), m.game.Since(), 0
	for _, e := range m.game.Log() { // only those that all were told of: every page has this, and how often others chose is secret
		if e.Act.No <= since && slices.ContainsFunc(e.Events, func(e engine.Event) bool { return e.To == engine.All && e.Kind != engine.Owed }) {
			public++
		}
	}
	return fmt.Sprintf("%d.%s.%d.%d", m.doc.Game, p.Name, p.N, public)
}

// early tells whether a step cuts somebody short, as far as who sees that may
// know: who still owes an answer or a vote, or who has the word while the clock runs.
func (m *moment) early(verb engine.Verb, seen engine.Seen, now time.Time) bool {
	switch verb {
	case engine.Close:
		if m.anyOwing(seen) {
			return true
		}
		fallthrough
	case engine.Night, engine.Vote, engine.Dawn:
		return m.clock.Runs(now)
	}
	return false
}

// forget drops a step that nobody confirmed in time.
func (t *Table) forget() {
	m := t.now.Load()
	if m.asked.verb == "" || t.box.cfg.Now().Sub(m.asked.at) <= stepConfirm {
		return
	}
	after := *m
	after.asked = confirm{}
	t.now.Store(&after)
	t.wakeHosts()
}

// steps are the acts of a host that lead a game on, the likeliest first.
var steps = []engine.Verb{engine.Close, engine.Dawn, engine.Vote, engine.Night, engine.Speech, engine.Pass, engine.Hold, engine.Go}

// nextStep is what the large button and the real one do: the step that a host
// most likely wants in this phase. By day everybody speaks before the vote, and
// a vote without a candidate is never it.
func nextStep(s engine.Seen) (engine.Verb, bool) {
	if s.Stopped {
		return "", false
	}
	open := openSteps(s)
	for _, verb := range []engine.Verb{engine.Close, engine.Dawn, engine.Speech, engine.Vote, engine.Night} {
		switch {
		case !slices.Contains(open, verb),
			verb == engine.Speech && s.Phase.N > 0 && !slices.Contains(open, engine.Vote), // the vote is over
			verb == engine.Vote && len(s.Candidates) == 0:
		default:
			return verb, true
		}
	}
	return "", false
}

// openSteps are the steps that can be taken now.
func openSteps(s engine.Seen) (open []engine.Verb) {
	for _, verb := range steps {
		if slices.ContainsFunc(s.Offers, func(o engine.Offer) bool { return o.Verb == verb && o.Now == engine.Open && o.Min == 0 }) {
			open = append(open, verb)
		}
	}
	return open
}
