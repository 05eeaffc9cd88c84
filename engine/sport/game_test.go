package sport_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/record"
	"github.com/mafiabox/mafiabox/engine/sport"
)

// begin begins a game with seats 1 to 3 black, the first the don, and 4 the
// sheriff; options are "name value".
func begin(t testing.TB, options ...string) engine.Game {
	t.Helper()
	setup := engine.Setup{Seats: 10, Options: map[string]string{}, Roles: []engine.Role{
		"don", "mafia", "mafia", "sheriff", "town", "town", "town", "town", "town", "town",
	}}
	for _, o := range options {
		name, value, _ := strings.Cut(o, " ")
		setup.Options[name] = value
	}
	g, _, err := engine.Begin(sport.Standard, setup)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// do does acts as a record writes them.
func do(t testing.TB, g *engine.Game, acts ...string) {
	t.Helper()
	for _, line := range acts {
		act, err := record.ParseAct(line, g.Setup().Seats)
		if err == nil {
			*g, _, err = g.Do(act)
		}
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
}

// TestMutedSeen: a lost speech is shown until its turn has come, today's or
// the next day's.
func TestMutedSeen(t *testing.T) {
	g := begin(t)
	muted := func(when string, want bool) {
		t.Helper()
		if got := g.Seen(engine.All).Seats[4].Muted; got != want {
			t.Errorf("%s: muted %v", when, got)
		}
	}
	do(t, &g, "host night", "host dawn", "host foul 5", "host foul 5", "host foul 5")
	muted("before its turn", true)
	do(t, &g, "host speech 5")
	muted("in its turn", false)

	g = begin(t)
	do(t, &g, "host night", "host dawn", "host speech 5", "host foul 5", "host foul 5", "host foul 5", "host pass")
	muted("after its turn", true)
	do(t, &g, "host night", "host dawn")
	muted("on the next day", true)
	do(t, &g, "host speech 5")
	muted("in that day's turn", false)
}

// TestTechnicalFoulsSeen: they are counted apart, and a foul names a seat.
func TestTechnicalFoulsSeen(t *testing.T) {
	g := begin(t, "tech_fouls two_out")
	do(t, &g, "host foul 5", "host foul 5", "host foul 5 technical")
	if s := g.Seen(engine.All).Seats[4]; s.Fouls != 2 || s.Technical != 1 {
		t.Errorf("%d fouls, %d technical", s.Fouls, s.Technical)
	}
	if _, _, err := g.Do(engine.Act{By: engine.Host, Verb: engine.Foul, Word: "technical"}); err != engine.RefusedTarget {
		t.Errorf("a technical foul of nobody: %v", err)
	}
}

// TestSplitSeen: who is tied, and whether all of them leave, shows while it is open.
func TestSplitSeen(t *testing.T) {
	g := begin(t)
	do(t, &g, "host night", "host dawn", "host speech 5", "5 nominate 6", "host speech 6", "6 nominate 7", "host vote", "host votes 6: 1 2 3 4 5", "host close")
	if s := g.Seen(engine.All); !slices.Equal(s.Tied, []engine.Seat{6, 7}) || s.AskAll != nil || s.Phase.Name != engine.Split {
		t.Errorf("tied: %+v", s)
	}
	do(t, &g, "host vote", "host votes 6: 1 2 3 4 5", "host close")
	if s := g.Seen(engine.All); !slices.Equal(s.AskAll, []engine.Seat{6, 7}) {
		t.Errorf("asked about all: %+v", s)
	}
	do(t, &g, "8 raise")
	if s := g.Seen(8); len(s.Chosen) != 1 || s.Chosen[0].Verb != engine.Raise {
		t.Errorf("who has raised a hand sees %v", s.Chosen)
	}
	if s := g.Seen(engine.All); s.Seats[7].Voted || s.Chosen != nil {
		t.Errorf("everybody sees the hand: %+v", s.Seats[7])
	}
	do(t, &g, "host close")
	if s := g.Seen(engine.All); s.AskAll != nil || s.Phase.Name != engine.Day {
		t.Errorf("closed: %+v", s)
	}
}

// TestBestMoveSeen: it is said aloud, by a seat that is out.
func TestBestMoveSeen(t *testing.T) {
	g := begin(t)
	do(t, &g, "host night", "host dawn", "host night", "1 shoot 7", "2 shoot 7", "3 shoot 7", "host dawn")
	if s := g.Seen(7); len(s.Offers) != 1 || s.Offers[0].Verb != engine.BestMove {
		t.Errorf("the victim is offered %v", s.Offers)
	}
	do(t, &g, "7 bestmove 1 2 9")
	news := g.Seen(engine.All).News
	if last := news[len(news)-1]; last.Verb != engine.BestMove || len(last.Seats) != 3 {
		t.Errorf("news: %v", news)
	}
	if s := g.Seen(7); s.Offers != nil {
		t.Errorf("once said: %v", s.Offers)
	}
}

// TestRulingEnds: a ruling that a removal has settled keeps nobody waiting.
func TestRulingEnds(t *testing.T) {
	g := begin(t, "tie_of_all ask_draw")
	do(t, &g, "host leave 2", "host leave 3", "host leave 5", "host leave 6", "host leave 7", "host night", "host dawn", "host night", "host dawn")
	for _, s := range []string{"1", "4", "8", "9", "10"} {
		do(t, &g, "host speech "+s, s+" nominate "+s)
	}
	do(t, &g, "host vote", "1 vote 1", "4 vote 4", "8 vote 8", "9 vote 9", "10 vote 10", "host close")
	if s := g.Seen(engine.ToHost); len(s.Ruling) == 0 {
		t.Fatal("no ruling is asked for")
	}
	do(t, &g, "host leave 10")
	if s := g.Seen(engine.ToHost); len(s.Ruling) > 0 {
		t.Errorf("still asked: %v", s.Ruling)
	}
	do(t, &g, "host night")
}
