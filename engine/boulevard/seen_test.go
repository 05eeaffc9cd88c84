package boulevard_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/boulevard"
)

// TestPeek: when a phone may show its seat's role, and whom it knows.
func TestPeek(t *testing.T) {
	for peek, want := range map[string]struct{ deal, night, day bool }{
		"night":     {deal: true, night: true},
		"always":    {deal: true, night: true, day: true},
		"deal_only": {deal: true},
	} {
		g := begin(t, boulevard.Standard, nine, "peek "+peek)
		looks := func(when string, want bool) {
			t.Helper()
			seen := g.Seen(1)
			if role := seen.Role != ""; role != want || (len(seen.Allies) > 0) != want || (seen.Seats[1].Role != "") != want {
				t.Errorf("peek %s, %s: role %q, allies %v", peek, when, seen.Role, seen.Allies)
			}
		}
		looks("at the deal", want.deal)
		do(t, &g, "host night")
		looks("at night", want.night)
		do(t, &g, "host close")
		looks("closed", want.night)
		do(t, &g, "host dawn")
		looks("by day", want.day)
		do(t, &g, "3 nominate 5", "host vote")
		looks("during a vote", want.day)
		do(t, &g, "host leave 1")
		looks("out", false)
		do(t, &g, "host end")
		looks("when it is over", true)
	}
}

// TestDayPagesAreTheSame: by day nothing on a living seat's page comes from its
// role or its night.
func TestDayPagesAreTheSame(t *testing.T) {
	g := begin(t, boulevard.Standard, nine)
	do(t, &g, "host night", "1 shoot 5", "1 seek 6", "6 check 1", "3 heal 3", "7 block 4", "host dawn", "host speech", "3 nominate 2")
	page := func(viewer engine.Audience) engine.Seen {
		seen := g.Seen(viewer)
		seen.Viewer, seen.Chosen = 0, append([]engine.Event(nil), seen.Chosen...)
		return seen
	}
	for _, seat := range []engine.Audience{2, 3, 4, 6, 7, 8, 9} {
		if got, want := page(seat), page(1); !reflect.DeepEqual(got, want) {
			t.Errorf("%d sees\n%+v\n1 sees\n%+v", seat, got, want)
		}
	}
	if out := g.Seen(5); out.Offers != nil || out.Role != "" {
		t.Errorf("who is out sees %+v", out)
	}
}

// TestWhatIsUndoneIsGone: an undone or replayed act leaves nothing behind.
func TestWhatIsUndoneIsGone(t *testing.T) {
	g := begin(t, boulevard.Standard, nine)
	do(t, &g, "host night")
	before := map[engine.Audience]engine.Seen{1: g.Seen(1), 2: g.Seen(2), engine.All: g.Seen(engine.All), engine.ToHost: g.Seen(engine.ToHost)}
	same := func(how string) {
		t.Helper()
		for viewer, want := range before {
			if got := g.Seen(viewer); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %d sees\n%+v\nnot\n%+v", how, viewer, got, want)
			}
		}
	}
	do(t, &g, "1 shoot 5", "host undo")
	same("undone")
	do(t, &g, "1 shoot 5", "6 check 1", "host close", `host replay "x"`)
	same("replayed while closed")
	do(t, &g, "1 shoot 5", "host dawn", `host replay "x"`)
	same("replayed after dawn")
}

// TestMutedSeen: a mute is shown until the day that it costs is over.
func TestMutedSeen(t *testing.T) {
	g := begin(t, boulevard.Standard, nine, "first acquaintance")
	muted := func(when string, want bool) {
		t.Helper()
		if got := g.Seen(engine.All).Seats[4].Muted; got != want {
			t.Errorf("%s: muted %v", when, got)
		}
	}
	do(t, &g, `host warn 5 "a"`, `host warn 5 "b"`)
	muted("warned in day 0", true)
	do(t, &g, "host night", "host close", "host dawn")
	muted("day 1", true)
	do(t, &g, "3 nominate 6", "host vote", "host close")
	muted("still day 1", true)
	do(t, &g, "host night")
	do(t, &g, "host dawn")
	muted("day 2", false)
}

// TestRemovedCandidateSeen: who voted for a seat that went home is shown as
// not having voted, to himself, to the host, and to all where votes are open.
func TestRemovedCandidateSeen(t *testing.T) {
	for open, publicly := range map[string]bool{"no": true, "yes": false} {
		g := begin(t, boulevard.Standard, nine, "first day", "open_vote "+open)
		do(t, &g, "3 nominate 5", "4 nominate 6", "host vote", "1 vote 5", "2 vote 6", "host leave 5")
		voted := func(viewer engine.Audience) []bool {
			s := g.Seen(viewer).Seats
			return []bool{s[0].Voted, s[1].Voted}
		}
		for viewer, want := range map[engine.Audience][]bool{1: {false, true}, 2: {publicly, true}, engine.All: {publicly, true}, engine.ToHost: {false, true}} {
			if got := voted(viewer); !slices.Equal(got, want) {
				t.Errorf("open_vote %s: %d sees that 1 and 2 have voted: %v", open, viewer, got)
			}
		}
		if chosen := g.Seen(1).Chosen; len(chosen) > 0 {
			t.Errorf("1 still sees its vote: %v", chosen)
		}
	}
}

// TestNothingOwedWhenClosed: a closed night and a counted vote owe nothing; a
// reopened night owes again.
func TestNothingOwedWhenClosed(t *testing.T) {
	g := begin(t, boulevard.Standard, nine, "day_tie ask")
	owed := func(want int) {
		t.Helper()
		if got := g.Seen(engine.All).Owed; got != want {
			t.Errorf("%d owed, want %d", got, want)
		}
	}
	do(t, &g, "host night", "1 shoot 5")
	owed(8)
	do(t, &g, "host close")
	owed(0)
	do(t, &g, "host undo")
	owed(8)
	do(t, &g, "host dawn", "3 nominate 1", "4 nominate 6", "host vote", "1 vote 6", "2 vote 1")
	owed(6)
	do(t, &g, "host close")
	owed(0)
}

// TestSpeechNo: it counts speeches, and nothing that was done in secret.
func TestSpeechNo(t *testing.T) {
	g := begin(t, boulevard.Standard, nine, "first acquaintance")
	do(t, &g, "host speech", "host hold")
	if s := g.Seen(engine.All); s.SpeechNo != 1 || !s.Held {
		t.Errorf("%+v", s)
	}
	do(t, &g, "host pass")
	if s := g.Seen(engine.All); s.Held || s.Speaker != 0 {
		t.Errorf("a speech that has ended is held: %+v", s)
	}
	do(t, &g, "host night", "1 shoot 5", "1 shoot 6", "host dawn", "host speech")
	if n := g.Seen(engine.All).SpeechNo; n != 2 {
		t.Errorf("speech %d", n)
	}
}

// TestReasonOutlivesReplay: a stop stays, with its reason, over a replay.
func TestReasonOutlivesReplay(t *testing.T) {
	g := begin(t, boulevard.Standard, nine)
	do(t, &g, "host night", `host stop "a noise"`, `host replay "x"`)
	if s := g.Seen(3); !s.Stopped || s.Reason != "a noise" || s.Offers != nil {
		t.Errorf("%+v", s)
	}
	do(t, &g, "host end")
	if s := g.Seen(3); s.Stopped || s.Reason != "" {
		t.Errorf("%+v", s)
	}
}
