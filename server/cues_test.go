package server

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/record"
	"github.com/mafiabox/mafiabox/engine/rulesets"
)

// TestCuesOfRecords: each game cue comes in games that are known to need it, a
// phase is told once, and a ruling when the host is asked and not again. The lamp
// is always that of what the game is at.
func TestCuesOfRecords(t *testing.T) {
	paths, err := filepath.Glob("../engine/testdata/*/*.mafia")
	if err != nil || len(paths) < 100 {
		t.Fatal(len(paths), err)
	}
	heard := make(map[string]map[Cue]int) // by rule system
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		rec, err := record.Parse(text, rulesets.All)
		if err != nil {
			continue // a record of what can't be read
		}
		setup, err := rec.Header.Setup()
		if err != nil {
			continue
		}
		g, _, err := engine.Begin(rec.Header.Rules, setup)
		if err != nil {
			continue
		}
		cues := heard[rec.Header.Rules.ID()]
		if cues == nil {
			cues = make(map[Cue]int)
			heard[rec.Header.Rules.ID()] = cues
		}
		was := g.Seen(engine.All)
		lit := state(&was)
		cues[lit]++
		for _, line := range rec.Lines {
			next, _, err := g.Do(line.Act)
			if err != nil {
				continue
			}
			g = next
			is := g.Seen(engine.All)
			plays := cuesOf(&was, &is)
			for _, cue := range plays {
				cues[cue]++
				if cue != CueOut { // a bell, which leaves the lamp alone
					lit = cue
				}
			}
			if want := state(&is); lit != want && !(want == CueDay && lit == CueMorning) {
				t.Errorf("%s: after act %d the panel plays %q, and the lamp says %q and not %q", path, g.LastNo(), plays, lit, want)
			}
			if asked := len(g.Seen(engine.ToHost).Ruling) > 0; asked != is.Undecided || slices.Contains(plays, CueRuling) != (asked && !was.Undecided) {
				t.Errorf("%s: after act %d the panel plays %q, the host is asked: %v", path, g.LastNo(), plays, asked)
			}
			if out(is) > out(was) && is.Phase.Name == engine.Day && !is.Undecided && !slices.Contains(plays, CueOut) && !slices.Contains(plays, CueMorning) {
				t.Errorf("%s: after act %d somebody has left, and the panel plays %q", path, g.LastNo(), plays)
			}
			if again := cuesOf(&is, &is); len(again) > 0 {
				t.Errorf("%s: after act %d the panel plays %q once more", path, g.LastNo(), again)
			}
			was = is
		}
	}
	for rules, want := range map[string][]Cue{
		"boulevard": {CueNight, CueClosed, CueMorning, CueOut, CueVote, CueRuling, CueEnded},
		"sport":     {CueNight, CueClosed, CueMorning, CueOut, CueVote, CueRuling, CueEnded},
		"gangs":     {CueNight, CueClosed, CueMorning, CueOut, CueVote, CueRuling, CueEnded},
		"forum":     {CueNight, CueOut, CueVote, CueRuling, CueEnded},
	} {
		for _, cue := range want {
			if heard[rules][cue] == 0 {
				t.Errorf("no record of %s has the cue %s: %v", rules, cue, heard[rules])
			}
		}
	}
}
