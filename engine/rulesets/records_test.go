package rulesets_test

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/record"
	"github.com/mafiabox/mafiabox/engine/rulesets"
)

// recordTexts are the files of every record under testdata, by their path there.
func recordTexts(t testing.TB) map[string][]byte {
	all := make(map[string][]byte)
	err := filepath.WalkDir("../testdata", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".mafia") {
			return err
		}
		all[strings.TrimPrefix(filepath.ToSlash(path), "../testdata/")], err = os.ReadFile(path)
		return err
	})
	if err != nil || len(all) == 0 {
		t.Fatalf("%d records: %v", len(all), err)
	}
	return all
}

// records reads every record under testdata, by its path there.
func records(t *testing.T) map[string]*record.Record {
	all := make(map[string]*record.Record)
	for name, text := range recordTexts(t) {
		r, err := record.Parse(text, rulesets.All)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		all[name] = r
	}
	return all
}

// TestRecords holds every record under testdata against the engine.
func TestRecords(t *testing.T) {
	for name, r := range records(t) {
		t.Run(name, func(t *testing.T) {
			for _, m := range record.Verify(r) {
				t.Errorf("%s:%s", filepath.Base(name), m)
			}
		})
	}
}

// TestRecordsCoverOptions fails when an option has a value that no record sets.
func TestRecordsCoverOptions(t *testing.T) {
	set := make(map[string][]string) // by rule system and option
	for _, r := range records(t) {
		for _, s := range r.Options {
			key := r.Rules.ID() + " " + s.Name
			set[key] = append(set[key], s.Value)
		}
	}
	for _, rules := range rulesets.All {
		for _, o := range rules.Options() {
			values := set[rules.ID()+" "+o.Name]
			for _, v := range o.Values {
				if !slices.Contains(values, v) {
					t.Errorf("no record sets %s %s", o.Name, v)
				}
			}
			if o.Max > 0 && !slices.ContainsFunc(values, func(v string) bool { return v != o.Values[0] }) {
				t.Errorf("no record sets %s to anything but %s", o.Name, o.Values[0])
			}
		}
	}
}

// refusals are the codes that each rule system can give.
var refusals = map[string][]engine.Refusal{
	"boulevard": usual, "sport": usual, "gangs": usual,
	"forum": append(slices.DeleteFunc(slices.Clone(usual), func(r engine.Refusal) bool { return r == engine.RefusedTurn }), engine.RefusedUnknown), // nobody has the word
}

var usual = []engine.Refusal{
	engine.RefusedEnded, engine.RefusedStopped, engine.RefusedRuling, engine.RefusedRevealed, engine.RefusedDead, engine.RefusedRole,
	engine.RefusedPhase, engine.RefusedTurn, engine.RefusedTarget, engine.RefusedLimit, engine.RefusedSetup,
}

// TestRecordsCoverResults fails when no record expects one of the endings, or
// one of the refusals.
func TestRecordsCoverResults(t *testing.T) {
	expected := make(map[string]map[string]bool)
	for _, r := range records(t) {
		id := r.Rules.ID()
		if expected[id] == nil {
			expected[id] = make(map[string]bool)
		}
		checks := r.Checks
		for _, l := range r.Lines {
			checks = append(checks, l.Checks...)
		}
		for _, c := range checks {
			if _, said, ok := strings.Cut(c.Words, " "); ok && !c.Never {
				expected[id][said] = true
			}
		}
	}
	for _, rules := range rulesets.All {
		want := map[string]bool{"draw": slices.Contains(draws, rules.ID())}
		for _, info := range rules.Roles() {
			want["win "+string(info.Side)] = true
		}
		for _, code := range refusals[rules.ID()] {
			want["refused "+string(code)] = true
		}
		for _, code := range rulings[rules.ID()] {
			want["ruling "+code] = true
		}
		maps.DeleteFunc(want, func(_ string, wanted bool) bool { return !wanted })
		for _, said := range slices.Sorted(maps.Keys(want)) {
			begins := func(s string) bool { return strings.HasPrefix(s+" ", said+" ") }
			if !slices.ContainsFunc(slices.Collect(maps.Keys(expected[rules.ID()])), begins) {
				t.Errorf("%s: no record expects %q", rules.ID(), said)
			}
		}
	}
}
