package server

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/record"
	"github.com/mafiabox/mafiabox/engine/rulesets"
)

// TestCuesOfRecords: each game cue comes in games that are known to need it, a
// phase is told once, and a ruling when the host is asked and not again.
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
		cues[state(&was)]++
		for _, line := range rec.Lines {
			next, _, err := g.Do(line.Act)
			if err != nil {
				continue
			}
			g = next
			is := g.Seen(engine.All)
			cue := cueOf(&was, &is)
			cues[cue]++
			if asked := len(g.Seen(engine.ToHost).Ruling) > 0; asked != is.Undecided || (cue == CueRuling) != (asked && !was.Undecided) {
				t.Errorf("%s: after act %d the panel plays %q, the host is asked: %v", path, g.LastNo(), cue, asked)
			}
			if again := cueOf(&is, &is); again != "" {
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
