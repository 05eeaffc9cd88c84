package forum_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/forum"
	"github.com/mafiabox/mafiabox/engine/record"
)

var players = []string{
	"Tundra77", "Scotty Brass", "themountainman", "KilnWorker029", "kilnjester", "Reckless", "bluejay_44",
	"No Horizon", "Ant_in_the_jar", "AntF", "TripleJ", "Old Hand", "oatsmith",
}

// begin begins a game of these players, with options as "name value".
func begin(t testing.TB, names []string, options ...string) engine.Game {
	t.Helper()
	setup := engine.Setup{
		Seats: max(11, len(names)), Names: names, Options: map[string]string{},
		Start: time.Date(2026, 5, 4, 16, 0, 0, 0, time.UTC), // a Monday
	}
	setup.Roles = forum.Standard.Cast(setup.Seats)
	for _, o := range options {
		name, value, _ := strings.Cut(o, " ")
		setup.Options[name] = value
	}
	g, _, err := engine.Begin(forum.Standard, setup)
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

// reads is what a post of seat 12 would count as.
func reads(g engine.Game, text string) string {
	var lines []string
	for _, e := range g.Reads(12, text) {
		lines = append(lines, strings.TrimPrefix(strings.TrimPrefix(record.FormatEvent(e), "12 "), "all "))
	}
	return strings.Join(lines, ", ")
}

// TestTyped: how people write votes, and what counts (rules/forum.md, votes).
func TestTyped(t *testing.T) {
	g := begin(t, players)
	for _, c := range []struct{ text, want string }{
		// The form.
		{"Old Hand > Tundra77", "voted 12 1"},
		{"Old Hand>Tundra77", "voted 12 1"},
		{"Old Hand -> Tundra77", "voted 12 1"},
		{"Old Hand->Tundra77", "voted 12 1"},
		{"Old Hand &gt; Tundra77", "voted 12 1"},
		{"  old_hand   >   TUNDRA77  ", "voted 12 1"},
		{"I think\r\nOld Hand > Tundra77\r\nthat is all", "voted 12 1"},
		{"Please nobody write Old Hand > Tundra77", ""},
		{"> Old Hand > Tundra77", ""},
		{"the score was 5 > 3", ""},
		{"Old Hand votes Tundra77", ""},
		{"unvite", ""},
		{"", ""},
		{"Old Hand >", "refused unknown"},

		// The voter is the author.
		{"OH > Reckless", "voted 12 6"},
		{"old > Reckless", "voted 12 6"},
		{"Old Hnd > Reckless", "voted 12 6"},
		{"Tundra77 > Reckless", "asked 6"},
		{"Ant > Reckless", "asked 6"},

		// Names in full.
		{"Old Hand > Scotty Brass", "voted 12 2"},
		{"Old Hand > scottybrass", "voted 12 2"},
		{"Old Hand > bluejay 44", "voted 12 7"},
		{"Old Hand > **Reckless**!", "voted 12 6"},
		{"Old Hand > No Horizon", "voted 12 8"},
		{"Old Hand > Old Hand", "voted 12 12"},

		// Shortened.
		{"Old Hand > reck", "voted 12 6"},
		{"Old Hand > SB", "voted 12 2"},
		{"Old Hand > R", "voted 12 6"},
		{"Old Hand > TJ", "voted 12 11"},
		{"Old Hand > B44", "voted 12 7"},
		{"Old Hand > KW029", "voted 12 4"},
		{"Old Hand > k029", "voted 12 4"},
		{"Old Hand > T77", "voted 12 1"},
		{"Old Hand > Worker", "voted 12 4"},
		{"Old Hand > jar", "voted 12 9"},
		{"Old Hand > Ant", "asked 9 10"},
		{"Old Hand > T", "asked 1 3 11"},
		{"Old Hand > kiln", "asked 4 5"},
		{"Old Hand > 44", "asked 7"},

		// Misspelt.
		{"Old Hand > Tundr77", "voted 12 1"},
		{"Old Hand > Rekless", "voted 12 6"},
		{"Old Hand > Recklss!", "voted 12 6"},
		{"Old Hand > themountianman", "voted 12 3"},
		{"Old Hand > Ancf", "voted 12 10"},
		{"Old Hand > Dramless", "refused unknown"},
		{"Old Hand > zipcode", "refused unknown"},
		{"Old Hand > count?", "refused unknown"},

		// A name, and other words.
		{"Old Hand > Scotty Bras's slot", "voted 12 2"},
		{"Old Hand > themountainman L - 1", "voted 12 3"},
		{"Old Hand > Tundra77 final", "voted 12 1"},
		{"Old Hand > Tundra77 (again)", "voted 12 1"},
		{"Old Hand > Worker, I think", "asked 4"},
		{"Old Hand > Ant or so", "asked 9 10"},
		{"Old Hand > Ant or", "asked 9 10"},
		{"Old Hand > Scoty Bras", "voted 12 2"},
		{"Old Hand > T 77", "voted 12 1"},
		{"Old Hand > Tundra77 or Reckless", "refused target"},
		{"Old Hand > Tundra77, Scotty Brass", "refused target"},
		{"Old Hand > Reckless/Tundra77", "refused target"},
		{"Old Hand > Tundra77 or Rekless", "asked 1 6"},
		{"Old Hand > Tundra77 > Tundra77", "voted 12 1"},

		// No vote yet.
		{"Old Hand > null", "voted 12 null"},
		{"Old Hand > NULL", "voted 12 null"},
		{"Old Hand > null for now", "voted 12 null"},
		{"Old Hand > null, Reckless", "refused target"},

		// Several lines.
		{"Old Hand > Tundra77\nchanged my mind\nOld Hand > Reckless", "voted 12 6"},
		{"Old Hand > Reckless\nOld Hand > Ant", "voted 12 6"},
		{"Old Hand > Ant\nOld Hand > Reckless", "voted 12 6"},
		{"Old Hand > zipcode\nOld Hand > Ant", "asked 9 10"},

		// Locks.
		{"Old Hand > Reckless lock", "voted 12 6, chose 12 lock"},
		{"Old Hand > Reckless LOCKED.", "voted 12 6, chose 12 lock"},
		{"Old Hand > Reckless, locked, sorry", "voted 12 6, chose 12 lock"},
		{"Old Hand > SB (lock)", "voted 12 2, chose 12 lock"},
		{"Old Hand > Reckless not locked", "voted 12 6"},
		{"Old Hand > Rekless locked", "voted 12 6, chose 12 lock"},
		{"Old Hand > Reckless\nLock", "voted 12 6, chose 12 lock"},
		{"lock\nOld Hand > Reckless", "voted 12 6"},
		{"Old Hand > null lock", "voted 12 null, refused limit"},
		{"lock", "refused limit"},
		{"> lock", ""}, // somebody else's
		{"I would not lock yet", ""},
		{"Old Hand > Ant\nlock", "asked 9 10"},
	} {
		if got := reads(g, c.text); got != c.want {
			t.Errorf("%q: %s, not %s", c.text, got, c.want)
		}
	}
}

// TestTypedNow: what the state of the game has to do with it.
func TestTypedNow(t *testing.T) {
	want := func(g engine.Game, text, want string) {
		t.Helper()
		if got := reads(g, text); got != want {
			t.Errorf("%q: %s, not %s", text, got, want)
		}
	}
	g := begin(t, players, "self_vote no")
	want(g, "Old Hand > Old Hand", "refused target")
	do(t, &g, "12 vote 6")
	want(g, "locked", "chose 12 lock")
	want(g, "Old Hand > Reckless", "voted 12 6")
	do(t, &g, "12 lock")
	want(g, "lock", "chose 12 lock") // again, as a vote is told again
	want(g, "Old Hand > Tundra77", "voted 12 1, chose 12 unlock")
	do(t, &g, `host disqualify 10 "x"`)
	want(g, "Old Hand > AntF", "refused target")
	want(g, "Old Hand > Ant", "asked 9")
	do(t, &g, "clock 2026-05-05T16:00:00Z", "1 whack 12")
	want(g, "Old Hand > Tundra77", "refused phase")
	want(g, "Old Hand > zipcode", "refused unknown")
	want(g, "good night", "")
	do(t, &g, "clock 2026-05-06T10:00:00Z")
	want(g, "Old Hand > Tundra77", "refused dead")
	want(g, "lock", "refused dead")
	want(g, strings.Repeat("я", engine.PostMax/2)+"x", "refused limit")

	g = begin(t, players)
	do(t, &g, "1 vote 2", "2 vote 1", "clock 2026-05-05T16:00:00Z")
	want(g, "Old Hand > Reckless", "refused target")
	want(g, "Old Hand > S", "voted 12 2")
	want(g, "Old Hand > T", "asked 1")

	g = begin(t, make([]string, 12)) // whose names are their numbers
	for _, text := range []string{"12->1 lock", "12 > 1 lock", "12>1, locked", "12 > 1\nlock"} {
		want(g, text, "voted 12 1, chose 12 lock")
	}
	for _, e := range g.Reads(3, "3 > 11") {
		if e.Kind == engine.Voted && e.Seats[0] != 11 {
			t.Error("a seat's number is its name")
		}
	}
}

// TestReadsChangesNothing: a preview is none of the game's acts.
func TestReadsChangesNothing(t *testing.T) {
	g := begin(t, players)
	before := g.Seen(engine.ToHost)
	reads(g, "Old Hand > Tundra77")
	if now := g.Seen(engine.ToHost); now.Posts != before.Posts || now.Owed != before.Owed || len(g.Log()) != 0 {
		t.Error("it was posted")
	}
	if events := g.Reads(engine.Guest, "Old Hand > Tundra77"); len(events) != 1 || events[0].Words[0] != string(engine.RefusedRole) {
		t.Errorf("a guest: %v", events)
	}
}

// FuzzTyped: whatever is posted counts as at most one vote, for somebody who
// may be voted for; and the same as its own preview.
func FuzzTyped(f *testing.F) {
	for _, text := range []string{"Old Hand > Tundra77 lock", "OH->SB\nlocked", "Old Hand &gt; null", "a > b > c", "Old Hand > Ant or Rekless", "> >", "Old Hand > \u0130\xff"} {
		f.Add(text)
	}
	g := begin(f, players, "self_vote no")
	do(f, &g, `host disqualify 3 "x"`)
	f.Fuzz(func(t *testing.T, text string) {
		began := time.Now()
		_, events, err := g.Do(engine.Act{By: 12, Verb: engine.Post, Text: text})
		if took := time.Since(began); took > time.Second {
			t.Errorf("took %v", took)
		}
		if (err != nil) != (len(text) > engine.PostMax) {
			t.Errorf("%v", err)
		}
		voted := 0
		for _, e := range events {
			switch e.Kind {
			case engine.Voted:
				voted++
				if slices.Contains(e.Seats, 3) || slices.Contains(e.Seats, 12) {
					t.Errorf("voted for %v", e.Seats)
				}
			case engine.Asked:
				if voted > 0 {
					t.Error("voted and asked")
				}
			}
		}
		if voted > 1 {
			t.Errorf("%d votes", voted)
		}
	})
}
