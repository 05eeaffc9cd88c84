package server

import (
	"slices"

	"github.com/mafiabox/mafiabox/engine"
)

// steps are the acts of a host that lead a game on, the likeliest first.
var steps = []engine.Verb{engine.Close, engine.Dawn, engine.Vote, engine.Night, engine.Speech, engine.Pass, engine.Hold, engine.Go}

// nextStep is what the large button and the real one do: the step that a host
// most likely wants in this phase.
func nextStep(s engine.Seen) (engine.Verb, bool) {
	open := openSteps(s)
	if len(s.Candidates) == 0 { // a vote without a candidate is a choice, never the next step
		open = slices.DeleteFunc(open, func(v engine.Verb) bool { return v == engine.Vote })
	}
	// The night of a game that has none yet begins it; speeches are offered beside it.
	if len(open) == 0 || s.Stopped {
		return "", false
	}
	switch open[0] {
	case engine.Close, engine.Dawn, engine.Vote, engine.Night:
		return open[0], true
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
