package rulesets_test

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/enginetest"
	"github.com/mafiabox/mafiabox/engine/record"
	"github.com/mafiabox/mafiabox/engine/rulesets"
)

var (
	oneSeed = flag.Uint64("seed", 0, "play only the random game of this seed")
	games   = flag.Uint64("games", 1000, "how many random games of each rule system to play")
)

// TestRandomPlay plays many games of every rule system at random and holds each
// of them against what is true of any game.
func TestRandomPlay(t *testing.T) {
	for _, rules := range rulesets.All {
		t.Run(rules.ID(), func(t *testing.T) {
			if *oneSeed != 0 {
				play(t, rules, *oneSeed)
				return
			}
			n := *games
			if testing.Short() {
				n = min(n, 500)
			}
			seen := playAll(t, rules, n)
			if t.Failed() {
				return
			}
			for _, what := range slices.Sorted(maps.Keys(seen)) {
				t.Logf("%6d %s", seen[what], what)
			}
			for _, ending := range possible(rules) {
				if seen[ending] == 0 {
					t.Errorf("none of %d games ended with %q", n, ending)
				}
			}
			for what, each := range mended {
				if least := int(float64(n) * each); seen[what] < least {
					t.Errorf("%d times %s in %d games, expected %d at least", seen[what], what, n, least)
				}
			}
		})
	}
}

// mended is how often a game is mended, at the least: else all that is held
// against corrections, undos and replays would be held against nothing.
var mended = map[string]float64{"correct": 0.2, "undo": 0.6, "replay": 0.1, "removal": 0.3}

// playAll plays the games of the seeds 1 to n and counts what they came to.
func playAll(t *testing.T, rules engine.Ruleset, n uint64) map[string]int {
	var (
		all  sync.WaitGroup
		mu   sync.Mutex
		next uint64
		seen = map[string]int{}
	)
	percent := debug.SetGCPercent(400) // much garbage, little of it kept
	defer debug.SetGCPercent(percent)
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			for {
				mu.Lock()
				next++
				seed := next
				mu.Unlock()
				if seed > n || t.Failed() {
					return
				}
				ways := play(t, rules, seed)
				mu.Lock()
				for _, way := range ways {
					seen[way]++
				}
				mu.Unlock()
			}
		})
	}
	all.Wait()
	return seen
}

// rulings are what each rule system asks the host for, besides the open points
// that have the name of their option.
var rulings = map[string][]string{
	"boulevard": {"duel", "day-tie"},
	"sport":     {"tie-of-all"},
	"gangs":     {"tie-of-all", "final-state"},
	"forum":     {"no-votes", "two-missed", "runoff-limit", "missed-whack-reveal", "missed_whack_round"},
}

// draws are the rule systems in which nobody may win.
var draws = []string{"boulevard", "sport", "gangs"}

// possible are the endings that random play must come to, and the rulings that end games.
func possible(rules engine.Ruleset) []string {
	endings := []string{"abandoned"}
	if slices.Contains(draws, rules.ID()) {
		endings = append(endings, "draw")
	}
	for _, code := range rulings[rules.ID()] {
		if code == "duel" || code == "final-state" || rules.ID() == "forum" {
			endings = append(endings, "ruling "+code)
		}
	}
	for _, info := range rules.Roles() {
		if side := string(info.Side); !slices.Contains(endings, side) {
			endings = append(endings, side)
		}
	}
	return endings
}

// play plays one game to its end and tells how it ended, what the host was asked
// for, and each time that it was mended.
func play(t *testing.T, rules engine.Ruleset, seed uint64) (ways []string) {
	p := enginetest.NewPlayer(rules, seed)
	c := newChecker(p)
	var played []engine.Entry
	fail := func(what any) {
		t.Errorf("go test -run RandomPlay/%s ./engine/rulesets -seed %d\n%v\n%s", rules.ID(), seed, what, tail(p.Game, played))
	}
	defer func() {
		if r := recover(); r != nil {
			buf := make([]byte, 4<<10)
			fail(fmt.Sprintf("panic: %v\n%s", r, buf[:runtime.Stack(buf, false)]))
		}
	}()
	for !p.Game.Ended() {
		if p.Acts > enginetest.MostActs {
			fail("no end")
			return nil
		}
		a := p.Next()
		after, events, err := p.Game.Do(a)
		if what := c.check(a, after, events, err); what != "" {
			fail(fmt.Sprintf("%s: %v %v\n%s", record.FormatAct(a), events, err, what))
			return nil
		}
		if p.Game = after; err == nil {
			a.No = after.LastNo()
			played = append(played, engine.Entry{Act: a, Events: events})
		}
	}
	if what := c.ended(); what != "" {
		fail(what)
		return nil
	}
	if what := replays(p.Game, played, seed%4 == 0); what != "" {
		fail(what)
		return nil
	}
	for _, entry := range played {
		switch a := entry.Act; {
		case a.Mends:
			ways = append(ways, "correct")
		case a.Verb == engine.Undo, a.Verb == engine.Replay:
			ways = append(ways, string(a.Verb))
		case a.Verb == engine.Leave, a.Verb == engine.Disqualify:
			ways = append(ways, "removal")
		}
		for _, e := range entry.Events {
			if way := "ruling " + strings.Join(e.Words[:min(1, len(e.Words))], ""); e.Kind == engine.Ruling && !slices.Contains(ways, way) {
				ways = append(ways, way)
			}
		}
	}
	switch seen := p.Game.Seen(engine.All); {
	case seen.Drawn:
		return append(ways, "draw")
	case seen.Winner == "":
		return append(ways, "abandoned")
	default:
		return append(ways, string(seen.Winner))
	}
}

// replays tells what is wrong with the record of a game: written, read and
// played again it must be the same game. Every result is compared; thorough is
// to compare them once more as the checks of the record.
func replays(g engine.Game, played []engine.Entry, thorough bool) string {
	var out bytes.Buffer
	if err := record.Write(&out, record.Header{}, g, played); err != nil {
		return err.Error()
	}
	r, err := record.Parse(out.Bytes(), rulesets.All)
	if err != nil {
		return err.Error()
	}
	if thorough {
		if failed := record.Verify(r); len(failed) > 0 {
			return fmt.Sprint("the record does not hold: ", failed)
		}
	}
	again, events, err := engine.Begin(g.Rules(), g.Setup())
	if err != nil || !reflect.DeepEqual(events, g.Opening()) {
		return fmt.Sprintf("replayed, it begins with %v %v", events, err)
	}
	for i, line := range r.Lines {
		again, events, err = again.Do(line.Act)
		if err != nil || !reflect.DeepEqual(events, played[i].Events) {
			return fmt.Sprintf("replayed, %s leads to %v %v", record.FormatAct(line.Act), events, err)
		}
	}
	return differs(again, seenByAll(g))
}

// viewers are all who may look at a game.
func viewers(g engine.Game) []engine.Audience {
	all := []engine.Audience{engine.All, engine.ToHost}
	for i := range g.Setup().Seats {
		all = append(all, engine.Audience(i+1))
	}
	return all
}

// tail is the record of a game's acts, without most of its beginning.
func tail(g engine.Game, played []engine.Entry) string {
	var out bytes.Buffer
	if err := record.Write(&out, record.Header{}, g, played); err != nil {
		return err.Error()
	}
	lines := bytes.Split(out.Bytes(), []byte("\n"))
	head := slices.IndexFunc(lines, func(l []byte) bool { return string(l) == "begin" }) + 1
	return string(bytes.Join(slices.Concat(lines[:head], lines[max(head, len(lines)-80):]), []byte("\n")))
}
