package rulesets_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"sync"
	"testing"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/enginetest"
	"github.com/mafiabox/mafiabox/engine/rulesets"
)

var pairs = flag.Uint64("pairs", 200, "how many pairs of games of each rule system to compare")

// TestSecrecy plays pairs of games that differ only in what one viewer can't
// know: until he learns something by the rules, all that he is told, offered,
// refused and shown is the same in both.
func TestSecrecy(t *testing.T) {
	for _, rules := range rulesets.All {
		t.Run(rules.ID(), func(t *testing.T) {
			n := *pairs
			first := uint64(1)
			if *oneSeed != 0 {
				first, n = *oneSeed, *oneSeed
			}
			s := follow(rules, first, n)
			if s.leak != "" {
				t.Fatalf("go test -run 'Secrecy/%s' ./engine/rulesets -seed %d\n%s", rules.ID(), s.seed, s.leak)
			}
			if *oneSeed != 0 {
				return
			}
			t.Log(s)
			for _, what := range s.empty(reach[rules.ID()]) {
				t.Error(what)
			}
		})
	}
}

// score is what many pairs came to.
type score struct {
	pairs, dealt int
	past         [9]int // by closes: the pairs that passed as many, or more
	other        [9]int // of them with other roles
	ends         map[enginetest.Ending]int
	leak         string
	seed         uint64 // of the leak
}

// reaches are the pairs that must pass the third close, as shares, and of them
// those with other roles.
type reaches struct{ third, other float64 }

// reach is what many pairs must come to. Random pairs come to 0.7 and 0.55, in
// forum to 0.25 and 0.17: only its nights hide anything, many of its games have
// fewer than three, and where a night ends with the whack and the guess it
// seldom ends with the same act in both games.
var reach = map[string]reaches{
	"boulevard": {0.55, 0.4}, "sport": {0.55, 0.4}, "gangs": {0.55, 0.4},
	"forum": {0.2, 0.12},
}

// cutShort is the share of pairs that at the most may end by the host or
// because somebody can do nothing like it. It comes to less than 0.01.
const cutShort = 0.05

// empty tells why the pairs prove too little.
func (s score) empty(r reaches) (why []string) {
	share := func(n int) float64 { return float64(n) / float64(s.pairs) }
	if share(s.past[3]) < r.third || share(s.other[3]) < r.other {
		why = append(why, fmt.Sprintf("too few pairs pass the third close: %s", s))
	}
	if share(s.ends[enginetest.ByHost]+s.ends[enginetest.Stuck]) > cutShort {
		why = append(why, fmt.Sprintf("too many pairs end where nobody learned anything: %s", s))
	}
	return why
}

func (s score) String() string {
	text := fmt.Sprintf("%d pairs, %d with other roles; ended %v; past the closes", s.pairs, s.dealt, s.ends)
	for n, of := range s.past {
		text += fmt.Sprintf(" %d: %.0f%% (%.0f%%)", n, 100*float64(of)/float64(s.pairs), 100*float64(s.other[n])/float64(s.pairs))
	}
	return text
}

// follow plays the pairs of some seeds until the first leak.
func follow(rules engine.Ruleset, first, last uint64) score {
	var (
		all  sync.WaitGroup
		mu   sync.Mutex
		next = first
		s    = score{ends: map[enginetest.Ending]int{}}
	)
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // much garbage, little of it kept
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			for {
				mu.Lock()
				seed := next
				next++
				leaked := s.leak != ""
				mu.Unlock()
				if seed > last || leaked {
					return
				}
				p := pair(rules, seed)
				c := p.Follow()
				mu.Lock()
				s.count(c)
				if c.Leak != "" && (s.leak == "" || seed < s.seed) {
					s.leak, s.seed = report(p, c), seed
				}
				mu.Unlock()
			}
		})
	}
	all.Wait()
	return s
}

// pair is a random game with a random viewer: a seat, or everybody.
func pair(rules engine.Ruleset, seed uint64) *enginetest.Pairs {
	script := enginetest.Play(rules, seed)
	rng := rand.New(rand.NewPCG(seed, 3))
	viewer := engine.Audience(1 + rng.IntN(script.Game().Setup().Seats))
	if rng.IntN(5) == 0 {
		viewer = engine.All
	}
	return enginetest.NewPairs(script, viewer, seed)
}

func (s *score) count(c enginetest.Course) {
	s.pairs++
	s.ends[c.End]++
	if c.Dealt {
		s.dealt++
	}
	for n := range min(len(s.past), c.Closes+1) {
		s.past[n]++
		if c.Dealt {
			s.other[n]++
		}
	}
}

// report is a leak with both games, as far as they keep their acts.
func report(p *enginetest.Pairs, c enginetest.Course) string {
	last := c.Pair[len(c.Pair)-1]
	who := fmt.Sprint("seat ", p.Viewer)
	if p.Viewer == engine.All {
		who = "everybody"
	}
	return fmt.Sprintf("what %s can't know shows: %s\n--- one\n%s\n--- the other\n%s", who, c.Leak, tail(last.A, last.A.Log()), tail(last.B, last.B.Log()))
}
