package rulesets_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/enginetest"
)

// TestSecrecyOfRecords compares every record with games that differ from it in
// what one viewer can't know, for each seat and for everybody.
func TestSecrecyOfRecords(t *testing.T) {
	all := records(t)
	s := score{ends: map[enginetest.Ending]int{}}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		r := all[name]
		setup, err := r.Setup()
		if err != nil {
			continue // a record of a deal that doesn't fit
		}
		game, _, err := engine.Begin(r.Rules, setup)
		if err != nil {
			continue
		}
		var acts []engine.Act
		for _, line := range r.Lines {
			acts = append(acts, line.Act)
		}
		script := enginetest.Retry(game, acts)
		for _, viewer := range viewers(game) {
			if viewer == engine.ToHost || testing.Short() && viewer > 3 {
				continue
			}
			p := enginetest.NewPairs(script, viewer, uint64(viewer+100))
			p.Deals, p.Draws = 2, 8
			c := p.Follow()
			if c.Leak != "" {
				t.Fatalf("%s: %s", name, report(p, c))
			}
			s.count(c)
		}
	}
	t.Log(s)
}
