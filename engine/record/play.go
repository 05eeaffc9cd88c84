package record

import (
	"errors"
	"iter"

	"github.com/mafiabox/mafiabox/engine"
)

// Step is one moment of a record that is played: a line and what it led to.
type Step struct {
	Line   Line // its act is zero at the beginning
	Events []engine.Event
	Game   engine.Game // after the act; only while Err is nil
	Err    error       // why the game could not begin, an *engine.SetupError
}

// Opening tells whether this is the beginning, which has no act.
func (s Step) Opening() bool { return s.Line.Act.Verb == "" }

// Play plays a record: first the beginning, then each act. An act that the game
// refuses changes nothing and leads to a `refused`; when the game could not
// even begin, all are refused.
func Play(r *Record) iter.Seq[Step] {
	return func(yield func(Step) bool) {
		step := begin(r)
		if !yield(step) {
			return
		}
		for _, line := range r.Lines {
			step.do(line)
			if !yield(step) {
				return
			}
		}
	}
}

func begin(r *Record) Step {
	step := Step{Line: Line{Checks: r.Checks}}
	setup, err := r.Setup()
	if err == nil {
		step.Game, step.Events, err = engine.Begin(r.Rules, setup)
	}
	if err != nil {
		step.Events, step.Err = refused(engine.Host, engine.RefusedSetup), err
	}
	return step
}

// do goes on to the next line.
func (s *Step) do(line Line) {
	s.Line = line
	var err error = engine.RefusedSetup
	if s.Err == nil {
		s.Game, s.Events, err = s.Game.Do(line.Act)
	}
	var refusal engine.Refusal
	if errors.As(err, &refusal) {
		s.Events = refused(line.Act.By, refusal)
	}
}

// refused is told to who entered the act.
func refused(to engine.Actor, why engine.Refusal) []engine.Event {
	return []engine.Event{{To: engine.Audience(to), Kind: engine.Refused, Words: []string{string(why)}}}
}

// results are the events as `=` lines, without the sign.
func (s Step) results() []string {
	var lines []string
	for _, e := range s.Events {
		lines = append(lines, FormatEvent(e))
	}
	return lines
}

// offers are the open offers of an actor as `=` lines, without the sign. They
// are no events: they stand in no order among the results.
func (s Step) offers(a engine.Actor) []string {
	if s.Err != nil {
		return nil
	}
	var lines []string
	for _, o := range s.Game.Offers(a) {
		if o.Now == engine.Open {
			lines = append(lines, FormatOffer(a, o))
		}
	}
	return lines
}
