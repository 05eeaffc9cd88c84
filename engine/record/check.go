package record

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mafiabox/mafiabox/engine"
)

// Mismatch is a check that does not hold.
type Mismatch struct {
	Line int
	Want string
	Got  string
}

func (m Mismatch) String() string {
	return fmt.Sprintf("%d: want %s, got %s", m.Line, m.Want, m.Got)
}

// Verify plays a record and compares it with its checks. An act without checks
// is not compared.
func Verify(r *Record) []Mismatch {
	var all []Mismatch
	for step := range Play(r) {
		if len(step.Line.Checks) > 0 {
			all = append(all, step.verify(r.Seats)...)
		}
	}
	return all
}

// NotBegun tells why a record's game could not begin, an *engine.SetupError, or
// nil. So it does when the record expects that. Else every act is refused, and a
// record without a check of it would hold.
func NotBegun(r *Record) error {
	checks := slices.Clone(r.Checks)
	for _, l := range r.Lines {
		checks = append(checks, l.Checks...)
	}
	if slices.ContainsFunc(checks, Check.expectsNoGame) {
		return nil
	}
	return begin(r).Err
}

func (c Check) expectsNoGame() bool {
	words := parseResult(c.Words)
	return !c.Never && len(words) > 2 && words[1].isOneOf(string(engine.Refused)) && words[2].isOneOf(string(engine.RefusedSetup))
}

func (s Step) verify(seats int) []Mismatch {
	var failed []Mismatch
	var results []result
	for _, line := range s.results() {
		results = append(results, parseResult(line))
	}
	next := 0 // what is before it stands above the last `=` line that held
	for _, c := range s.Line.Checks {
		want, among, from := parseResult(c.Words), results, next
		if want.isOffer() { // no event: in no order
			among, from = s.offersTo(want[0], seats), 0
		}
		if c.Never {
			if i := slices.IndexFunc(among, want.begins); i >= 0 {
				failed = append(failed, Mismatch{c.Number, "no " + c.Words, join(among[i])})
			}
			continue
		}
		i := slices.IndexFunc(among[from:], want.begins)
		switch {
		case i >= 0 && want.isOffer():
		case i >= 0:
			next = from + i + 1
		case slices.ContainsFunc(among, want.begins):
			failed = append(failed, Mismatch{c.Number, c.Words, "it before the line above"})
		default:
			failed = append(failed, Mismatch{c.Number, c.Words, want.nearest(among)})
		}
	}
	return failed
}

// result is the words of a result, or those with which it should begin.
type result []word

// parseResult splits a line that is known to be well written.
func parseResult(line string) result {
	words, _ := split(line)
	return words
}

func (r result) begins(whole result) bool {
	return len(r) <= len(whole) && slices.Equal(r, whole[:len(r)])
}

func (r result) isOffer() bool { return len(r) > 1 && r[1].isOneOf(string(engine.Offered)) }

// nearest are the results that have most in common with what was wanted.
func (r result) nearest(results []result) string {
	most := 0
	var lines []string
	for _, o := range results {
		same := 0
		for same < min(len(r), len(o)) && r[same] == o[same] {
			same++
		}
		if same > most {
			most, lines = same, nil
		}
		if same == most {
			lines = append(lines, join(o))
		}
	}
	if len(lines) == 0 {
		return "nothing"
	}
	return strings.Join(lines, "; ")
}

// offersTo are the open offers of the actor that a check names.
func (s Step) offersTo(who word, seats int) (all []result) {
	for _, a := range actors(seats) {
		if formatActor(a) == who.text {
			for _, line := range s.offers(a) {
				all = append(all, parseResult(line))
			}
		}
	}
	return all
}

// actors are those who may have offers.
func actors(seats int) []engine.Actor {
	all := []engine.Actor{engine.Host}
	for i := range seats {
		all = append(all, engine.Actor(i+1))
	}
	return append(all, engine.Guest)
}
