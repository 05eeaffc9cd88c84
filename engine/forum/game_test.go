package forum_test

import (
	"errors"
	"testing"
	"time"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/forum"
	"github.com/mafiabox/mafiabox/engine/record"
)

// TestCast: a quarter of the mafia, to the nearest whole, and one inspector.
func TestCast(t *testing.T) {
	for seats, mafia := range map[int]int{5: 1, 6: 2, 7: 2, 9: 2, 10: 3, 11: 3, 13: 3, 14: 4, 40: 10} {
		cast := forum.Standard.Cast(seats)
		count := make(map[engine.Role]int)
		for _, role := range cast {
			count[role]++
		}
		if len(cast) != seats || count["mafia"] != mafia || count["inspector"] != 1 {
			t.Errorf("%d seats: %v", seats, count)
		}
	}
}

// TestSetup: what the game can't begin with says why.
func TestSetup(t *testing.T) {
	for problem, spoil := range map[string]func(*engine.Setup){
		"draw":           func(s *engine.Setup) { s.Draws = map[string]string{"known_mafia": "5"} },
		"seats":          func(s *engine.Setup) { s.Seats = 41 },
		"count":          func(s *engine.Setup) { s.Roles = s.Roles[1:] },
		"role":           func(s *engine.Setup) { s.Roles[10] = "don" },
		"deal":           func(s *engine.Setup) { s.Roles[10] = "inspector" },
		"no_black":       func(s *engine.Setup) { s.Roles[0], s.Roles[1], s.Roles[2] = "town", "town", "town" },
		"too_many_black": func(s *engine.Setup) { s.Roles[10], s.Roles[9], s.Roles[8] = "mafia", "mafia", "mafia" },
		"option":         func(s *engine.Setup) { s.Options = map[string]string{"zone": "Local"} },
	} {
		setup := engine.Setup{Seats: 11, Roles: forum.Standard.Cast(11)}
		spoil(&setup)
		_, _, err := engine.Begin(forum.Standard, setup)
		var why *engine.SetupError
		if !errors.As(err, &why) || why.Problem != problem {
			t.Errorf("%s: %v", problem, err)
		}
	}
	roles := []engine.Role{"town", "mafia", "inspector", "mafia"}
	if among := forum.Standard.Draws()[0].Among(roles); len(among) != 2 || among[0] != "2" || among[1] != "4" {
		t.Errorf("one of %v is drawn", among)
	}
}

// TestZones: a zone is a name that means the same everywhere.
func TestZones(t *testing.T) {
	zone, _ := engine.FindOption(forum.Standard, "zone")
	for name, want := range map[string]bool{"America/New_York": true, "Europe/Berlin": true, "UTC": true, "": false, "Local": false, "Nowhere": false, "../etc/passwd": false} {
		if zone.Allows(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
}

// TestDue: when the table is to move the clock, and when nothing falls due.
func TestDue(t *testing.T) {
	due := func(g engine.Game, want string) {
		t.Helper()
		moment := time.Time{}
		if want != "" {
			moment, _ = time.Parse(time.RFC3339, want)
		}
		if got := g.Due(); !got.Equal(moment) {
			t.Errorf("due %v, not %v", got, moment)
		}
	}
	g := begin(t, nil, "missed_whack_reveal no", "two_missed ask")
	due(g, "2026-05-05T12:00:00-04:00")
	do(t, &g, "1 vote 11", "clock 2026-05-05T12:00:00-04:00", `host stop "x"`)
	due(g, "")
	do(t, &g, "host resume")
	due(g, "2026-05-06T06:00:00-04:00")
	do(t, &g, "clock 2026-05-07T06:00:00-04:00") // the special vote, and nobody in it
	if len(g.Seen(engine.ToHost).Ruling) == 0 {
		t.Fatal("no ruling")
	}
	due(g, "")
	do(t, &g, "host end")
	due(g, "")

	// Locks that are complete on a weekend close the vote when it ends.
	g = begin(t, nil)
	for _, seat := range []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10"} {
		do(t, &g, seat+" vote 11")
	}
	do(t, &g, "11 vote 1", "host extend 72h", "host extend 72h", "clock 2026-05-09T12:00:00-04:00")
	due(g, "2026-05-11T12:00:00-04:00")
	for _, seat := range []string{"2", "3", "4", "5", "6", "7", "8", "9", "10"} {
		do(t, &g, seat+" lock")
	}
	due(g, "2026-05-11T08:00:00-04:00")
	do(t, &g, "5 unlock")
	due(g, "2026-05-11T12:00:00-04:00")
}

// TestSeenVotes: who votes for whom, who owes a vote, who has locked, until when.
func TestSeenVotes(t *testing.T) {
	g := begin(t, nil)
	do(t, &g, "1 vote 11", "1 lock", "2 vote 11", "3 vote null")
	s := g.Seen(engine.All)
	if s.Dealing || s.Owed != 9 || !s.Deadline.Equal(time.Date(2026, 5, 5, 16, 0, 0, 0, time.UTC)) {
		t.Errorf("%+v", s)
	}
	if one, two, three := s.Seats[0], s.Seats[1], s.Seats[2]; !one.Voted || one.VotedFor != 11 || !one.Locked || two.Locked || three.Voted {
		t.Errorf("%+v", s.Seats[:3])
	}
	do(t, &g, "1 vote 10")
	if s := g.Seen(engine.All).Seats[0]; s.Locked || s.VotedFor != 10 {
		t.Errorf("%+v", s)
	}
	do(t, &g, "clock 2026-05-05T12:00:00-04:00")
	s = g.Seen(5)
	if s.Phase.Name != engine.Runoff || s.Owed != 9 || len(s.Candidates) != 2 || s.Seats[0].VotedFor != 10 || s.Seats[4].Missed != 1 {
		t.Errorf("%+v", s)
	}
}

// TestSeenSecrets: the living look at what is theirs at any time, who is out
// sees what is public and the letters that are still his.
func TestSeenSecrets(t *testing.T) {
	g := begin(t, nil, "night_end both")
	do(t, &g, `1 whisper mafia "hello"`, `4 whisper host "hello"`, `host whisper 4 "yes"`, `host suspend 4 "x"`)
	for viewer, letters := range map[engine.Audience]int{1: 1, 2: 1, 4: 2, 5: 0, engine.All: 0, engine.ToHost: 3} {
		if got := len(g.Seen(viewer).Letters); got != letters {
			t.Errorf("%d has %d letters", viewer, got)
		}
	}
	if !g.Seen(4).Seats[3].Suspended || !g.Seen(engine.ToHost).Seats[3].Suspended || g.Seen(5).Seats[3].Suspended {
		t.Error("who is suspended is told to that seat alone")
	}
	do(t, &g, "5 vote 2", "clock 2026-05-05T12:00:00-04:00", "1 whack 5", "4 guess 1")
	if s := g.Seen(4); s.Role != "inspector" || len(s.Allies) != 1 || len(s.Answers) != 1 {
		t.Errorf("by day the inspector sees %+v", s)
	}
	s := g.Seen(2)
	if s.Role != "" || s.Allies != nil || s.Letters != nil || s.Chosen != nil || s.Seats[0].Role != "" {
		t.Errorf("who is out sees %+v", s)
	}
}

// TestEveryHourCanBeGiven: what a host's offer of extensions says a record can hold.
func TestEveryHourCanBeGiven(t *testing.T) {
	g := begin(t, nil)
	for _, o := range g.Offers(engine.Host) {
		if o.Verb != engine.Extend {
			continue
		}
		for _, word := range o.Words {
			if _, err := record.ParseAct("host extend "+word, 11); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestVoteIsOneThing: a vote is for a seat or null. What names both could stand
// in no record.
func TestVoteIsOneThing(t *testing.T) {
	g := begin(t, nil)
	_, _, err := g.Do(engine.Act{By: 3, Verb: engine.Vote, Seats: []engine.Seat{5}, Word: "null"})
	if err != engine.RefusedTarget {
		t.Errorf("answered %v", err)
	}
}
