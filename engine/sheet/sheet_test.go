package sheet_test

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/record"
	"github.com/mafiabox/mafiabox/engine/rulesets"
	"github.com/mafiabox/mafiabox/engine/sheet"
)

// recorded are the records of testdata that match, by name, as the games that
// they come to. Who plays on at the end of its record is ended there.
func recorded(t testing.TB, patterns ...string) map[string]engine.Game {
	t.Helper()
	all := make(map[string]engine.Game)
	for _, pattern := range patterns {
		paths, err := filepath.Glob("../testdata/" + pattern + "/*.mafia")
		if err != nil || len(paths) == 0 {
			t.Fatalf("%s: no records (%v)", pattern, err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			r, err := record.Parse(text, rulesets.All)
			if err != nil {
				t.Fatal(path, err)
			}
			var g engine.Game
			for step := range record.Play(r) {
				g = step.Game
			}
			if !g.Begun() {
				continue // a setup that is refused
			}
			if !g.Ended() {
				if g, _, err = g.Do(engine.Act{By: engine.Host, Verb: engine.End}); err != nil {
					t.Fatal(path, err)
				}
			}
			all[strings.TrimPrefix(path, "../testdata/")] = g
		}
	}
	return all
}

// played is a game by acts as a record writes them, in which 1 is the don, 2
// and 3 are black and 4 is the sheriff. It is ended where it is not over.
func played(t testing.TB, options map[string]string, acts ...string) engine.Game {
	t.Helper()
	rules, _ := rulesets.Find(rulesets.All, "sport")
	g, _, err := engine.Begin(rules, engine.Setup{Seats: 10, Options: options, Roles: []engine.Role{
		"don", "mafia", "mafia", "sheriff", "town", "town", "town", "town", "town", "town",
	}})
	for _, line := range append(acts, "host end") {
		if err != nil {
			t.Fatal(err)
		}
		if g.Ended() {
			break
		}
		act, problem := record.ParseAct(line, 10)
		if problem != nil {
			t.Fatal(line, problem)
		}
		if g, _, err = g.Do(act); err != nil {
			t.Fatal(line, err)
		}
	}
	return g
}

func of(t testing.TB, g engine.Game) sheet.Sheet {
	t.Helper()
	s, ok := sheet.Of(g)
	if !ok {
		t.Fatal("no sheet")
	}
	return s
}

// TestTimes: a game lasts from its first act to its last; an appeal of days later
// is none of it.
func TestTimes(t *testing.T) {
	began := time.Date(2026, 5, 4, 19, 0, 0, 0, time.UTC)
	like := played(t, nil)
	g, _, err := engine.Begin(like.Rules(), like.Setup())
	if err != nil {
		t.Fatal(err)
	}
	for _, act := range []engine.Act{
		{By: engine.Host, Verb: engine.Night, At: began},
		{By: engine.Host, Verb: engine.End, At: began.Add(time.Hour)},
		{By: engine.Host, Verb: engine.Appeal, Seats: []engine.Seat{2}, Text: "the vote", At: began.AddDate(0, 0, 3)},
	} {
		if g, _, err = g.Do(act); err != nil {
			t.Fatal(act.Verb, err)
		}
	}
	if s := of(t, g); !s.Began.Equal(began) || s.Ended.Sub(began) != time.Hour {
		t.Errorf("from %v to %v", s.Began, s.Ended)
	}
}

// TestTallies: the votes on the sheet come to each tally that was announced,
// and who is out, the fouls and the result are those that everybody saw.
func TestTallies(t *testing.T) {
	polls := 0
	for name, g := range recorded(t, "sport*", "gangs*") {
		s := of(t, g)
		var want, got [][]engine.Count
		for _, e := range g.Course() {
			for _, told := range e.Events {
				if told.Kind == engine.Tallied {
					want = append(want, told.Tally)
				}
			}
		}
		for _, d := range s.Days {
			for _, p := range d.Polls {
				var tally []engine.Count
				for _, c := range p.Candidates {
					tally = append(tally, engine.Count{Seat: c, Votes: len(p.For(c))})
				}
				got = append(got, tally)
				polls++
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: the votes come to %v, announced were %v", name, got, want)
		}
		seen := g.Seen(engine.All)
		for i, line := range s.Seats {
			public, cause := seen.Seats[i], ""
			if line.Left != nil {
				cause = line.Left.Cause
			}
			if public.Cause != cause || public.Fouls != len(line.Fouls) || public.Technical != len(line.Technical) || public.Role != line.Role {
				t.Errorf("%s: seat %d is %+v, and seen as %+v", name, i+1, line, public)
			}
		}
		if s.Winner != seen.Winner || s.Drawn != seen.Drawn {
			t.Errorf("%s: result %q %v, seen as %q %v", name, s.Winner, s.Drawn, seen.Winner, seen.Drawn)
		}
	}
	if polls < 100 {
		t.Errorf("only %d votes", polls)
	}
}

// TestWhatStands: acts that were taken back, corrected or played again show as
// they counted, and votes in whichever way they were given.
func TestWhatStands(t *testing.T) {
	s := of(t, played(t, nil,
		"host night", "host dawn",
		"host foul 9", "host foul 10", "host undo", // 10 has none
		"host speech 5", "5 nominate 6", "host undo", "5 nominate 7", "host speech 6", "6 nominate 8",
		"host vote", "1 vote 7", "host for 2 vote 7", "3 vote 8", "host correct 3 vote 7", "host votes 8: 4 5", "host replay \"again\"",
		"1 vote 7", "2 vote 7", "host for 3 vote 7", "4 vote 8", "host correct 4 vote 7", "host votes 7: 5", "host close",
		"host vote", "host votes 7: 1 2 3 4 6", "host close",
		"1 raise", "host raise 4 2", "host close",
		"host night", "1 shoot 5", "1 shoot 6", "2 shoot 6", "3 shoot 5", "host correct 3 shoot 6", "1 seek 5", "1 seek 4", "4 check 7", "5 suspect 1", "4 wait", "4 check 2", "host close",
		"host correct 4 check 9", "host dawn", "6 bestmove 1 2 9",
	))
	if len(s.Days) != 2 || len(s.Nights) != 1 {
		t.Fatalf("%d days, %d nights", len(s.Days), len(s.Nights))
	}
	zero := s.Days[0]
	for what, pair := range map[string][2]any{
		"nominations": {zero.Nominations, []sheet.Nomination{{By: 5, Of: 7}, {By: 6, Of: 8}}},
		"votes":       {zero.Polls[0].Votes, []engine.Seat{7, 7, 7, 7, 7, 8, 8, 8, 8, 8}},
		"split":       {zero.Polls[1].Votes, []engine.Seat{7, 7, 7, 7, 8, 7, 8, 8, 8, 8}},
		"asked":       {zero.Asked, []engine.Seat{7, 8}},
		"hands":       {zero.Hands, []engine.Seat{1, 2, 4}},
		"fouls":       {len(s.Seats[8].Fouls)*10 + len(s.Seats[9].Fouls), 10},
		"best move":   {s.Seats[5].BestMove, []engine.Seat{1, 2, 9}},
		"night": {s.Nights[0].Acts, []sheet.Act{
			{By: 1, Verb: engine.Shoot, Seats: []engine.Seat{6}, Fate: "out"},
			{By: 2, Verb: engine.Shoot, Seats: []engine.Seat{6}, Fate: "out"},
			{By: 3, Verb: engine.Shoot, Seats: []engine.Seat{6}, Fate: "out"},
			{By: 1, Verb: engine.Seek, Seats: []engine.Seat{4}, Answers: []string{"yes"}, Fate: "stands"},
			{By: 4, Verb: engine.Check, Seats: []engine.Seat{9}, Answers: []string{"red"}, Fate: "stands"},
		}},
	} {
		if !reflect.DeepEqual(pair[0], pair[1]) {
			t.Errorf("%s: %+v, want %+v", what, pair[0], pair[1])
		}
	}
}

// TestSecret: there is no sheet before the end, nor under rules without one.
func TestSecret(t *testing.T) {
	for _, rules := range rulesets.All {
		if _, ok := sheet.Of(engine.Game{}); ok {
			t.Error("a game that is none has a sheet")
		}
		if has := sheet.Has(rules); has != slices.Contains([]string{"sport", "gangs"}, rules.ID()) {
			t.Errorf("%s has a sheet: %v", rules.ID(), has)
		}
	}
	rules, _ := rulesets.Find(rulesets.All, "sport")
	g, _, err := engine.Begin(rules, engine.Setup{Seats: 10, Roles: rules.Cast(10)})
	if _, ok := sheet.Of(g); err != nil || ok {
		t.Error("a game that goes on has a sheet", err)
	}
}

// TestGangs: two checks of one night, the search of both leaders, and whose
// shots counted.
func TestGangs(t *testing.T) {
	for name, g := range recorded(t, "gangs") {
		s := of(t, g)
		if s.Exports() {
			t.Errorf("%s: rating sites do not know this game", name)
		}
		for _, n := range s.Nights {
			for _, a := range n.Acts {
				if a.Verb != engine.Shoot && len(a.Answers) != len(a.Seats) {
					t.Errorf("%s: night %d: %+v", name, n.N, a)
				}
				hit := slices.Contains(n.Out, a.Seats[0])
				if a.Verb == engine.Shoot && (a.Fate == "out") != hit {
					t.Errorf("%s: night %d: %+v, out are %v", name, n.N, a, n.Out)
				}
			}
		}
	}
}
