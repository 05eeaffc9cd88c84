package server

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/mafiabox/mafiabox/engine"
)

// TestOffOverTheDeadline: the box was off when a round ended. With a clock that
// is right the round closes as of its deadline once it is on again; the thread
// can say when it was away.
func TestOffOverTheDeadline(t *testing.T) {
	c := newCamp(t, 11, monday)
	for seat := 1; seat <= 11; seat++ {
		c.says(seat, engine.Vote, 5)
	}
	c.passes(20 * time.Hour)
	c.off()
	c.clock.pass(10 * time.Hour)
	c.start(true, "boot 2")
	c.settles()
	c.phase(engine.Phase{Name: engine.Nights, N: 1})
	c.due("Wed 2026-05-06 06:00:00 EDT") // the night began at the deadline, not when the box came back
	m := c.table.now.Load()
	if len(m.doc.Away) != 1 || m.doc.Away[0].To.Sub(m.doc.Away[0].From) != 10*time.Hour {
		t.Errorf("away: %v", m.doc.Away)
	}
	c.replays()
}

// TestTimeNotKnown: without a clock that is right nothing closes until a host
// says what time it is; meanwhile votes are taken, and count as of the moment at
// which they were sent.
func TestTimeNotKnown(t *testing.T) {
	for name, clock := range map[string]struct {
		off   time.Duration // how long
		shows time.Duration // by how much its clock is wrong then
		host  time.Duration // how long after the start somebody says the time
		first bool          // the first vote is in time
	}{
		"three hours behind, back before the deadline": {off: 3 * time.Hour, shows: -3 * time.Hour, host: 2 * time.Hour, first: true},
		"three hours behind, back after it":            {off: 5 * time.Hour, shows: -3 * time.Hour, host: time.Hour},
		"three days back":                              {off: 3*time.Hour + 30*time.Minute, shows: -72 * time.Hour, host: time.Hour, first: true},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCamp(t, 11, monday, "late_vote_h 0")
			for seat := 3; seat <= 11; seat++ {
				c.says(seat, engine.Vote, 5)
			}
			c.passes(20 * time.Hour) // four are left
			c.off()
			c.clock.pass(clock.off + clock.shows)
			c.start(false, "boot 2")
			if answer := c.says(1, engine.Vote, 6); answer != "kept <nil>" {
				t.Errorf("a vote is answered %q", answer)
			}
			c.clock.pass(clock.host)
			if answer := c.says(2, engine.Vote, 6); answer != "kept <nil>" {
				t.Errorf("a vote is answered %q", answer)
			}
			for seat := 3; seat <= 11; seat++ {
				c.says(seat, engine.Lock, 0)
			}
			c.phase(engine.Phase{Name: engine.Day, N: 1})
			if err := c.table.Do("", func(d *draft) error {
				return d.act(engine.Act{By: engine.Host, Verb: engine.Disqualify, Seats: []engine.Seat{1}})
			}); !isProblem(err, "time_unsure") {
				t.Errorf("a host's act that may close the round: %v", err)
			}
			if err := act(c.table, "", engine.Act{By: 7, Verb: engine.Post, Text: "Is it day?"}); err != nil {
				t.Error(err)
			}
			c.off() // the power goes once more
			c.clock.pass(time.Minute)
			c.start(false, "boot 3")
			c.says(2, engine.Vote, 7)
			if err := c.box.confirm(c.clock.Now().Add(-clock.shows), false); err != nil {
				t.Fatal(err)
			}
			c.settles()
			c.phase(engine.Phase{Name: engine.Nights, N: 1})
			c.due("Wed 2026-05-06 06:00:00 EDT")
			// What was held in an earlier start of the machine counts in favour of who
			// sent it; what came after the deadline in this one doesn't.
			if !c.told("all tally 5:9 6:2") {
				t.Error("the tally is another")
			}
			m := c.table.now.Load()
			late := 0
			for _, h := range m.doc.Held {
				if h.Late && strings.HasPrefix(h.Line, "2 vote 7") {
					late++
				}
			}
			if late != 1 || len(m.doc.Away) != 1 {
				t.Errorf("late: %v; away: %v", m.doc.Held, m.doc.Away)
			}
			c.replays()
		})
	}
}

// TestTimeOfAVote: in one start of the machine each held vote is counted at its
// own moment, once the time is known.
func TestTimeOfAVote(t *testing.T) {
	c := newCamp(t, 11, monday, "late_vote_h 0")
	for seat := 3; seat <= 11; seat++ {
		c.says(seat, engine.Vote, 5)
	}
	c.passes(20 * time.Hour)
	c.off()
	c.clock.pass(10 * time.Second) // of which the clock knows; it was three hours
	c.start(false, "boot 2")
	c.says(1, engine.Vote, 6)
	c.clock.pass(59 * time.Minute)
	c.says(2, engine.Vote, 6)
	c.clock.pass(time.Minute) // the deadline, now
	c.says(2, engine.Vote, 7)
	c.says(1, engine.Vote, 7)
	c.clock.pass(time.Minute)
	if err := c.box.confirm(monday.Add(24*time.Hour+time.Minute), false); err != nil {
		t.Fatal(err)
	}
	if !c.told("all tally 5:9 6:2") {
		t.Error("the votes of before the deadline don't count, or those after it do")
	}
	c.phase(engine.Phase{Name: engine.Nights, N: 1})
	// What the host has said holds as long as the machine runs.
	c.off()
	c.start(false, "boot 2")
	if now, known := c.box.Time(); !known || !now.Equal(monday.Add(24*time.Hour+time.Minute)) {
		t.Errorf("after a start of the program it is %v (%v)", now, known)
	}
	c.off()
	c.start(false, "boot 3")
	if _, known := c.box.Time(); known {
		t.Error("after a start of the machine the time is known")
	}
	c.replays()
}

// TestDeadlineMoves: where the club says so the deadline moves by the time in
// which the box was off.
func TestDeadlineMoves(t *testing.T) {
	c := newCamp(t, 11, monday, "away move")
	c.passes(20 * time.Hour)
	c.off()
	c.clock.pass(10 * time.Hour)
	c.start(true, "boot 2")
	c.settles()
	c.phase(engine.Phase{Name: engine.Day, N: 1})
	c.due("Tue 2026-05-05 22:00:00 EDT")
	if !c.told("all stopped \"\"") && !c.told("all stopped") || !c.told("all resumed") {
		t.Error("nobody is told")
	}
	c.replays()
}

// TestClockBehindTheBox: a hardware clock that shows a time before what the box
// remembers is not believed.
func TestClockBehindTheBox(t *testing.T) {
	c := newCamp(t, 5, monday)
	c.passes(10 * time.Hour)
	c.off()
	c.clock.pass(-72 * time.Hour)
	c.start(true, "boot 2")
	if _, known := c.box.Time(); known {
		t.Error("it is believed")
	}
	if err := c.box.confirm(monday, false); !isProblem(err, "time_earlier") {
		t.Errorf("a time before what the box remembers: %v", err)
	}
	if err := c.box.confirm(monday.Add(11*time.Hour), false); err != nil {
		t.Error(err)
	}
	if _, known := c.box.Time(); !known {
		t.Error("a host is not believed")
	}
}

// TestTimeFarAhead: a slip of the finger in the date lets no deadlines pass.
func TestTimeFarAhead(t *testing.T) {
	c := unknown(t, 5)
	if err := c.posts("", 1, "What time is it?"); err != nil {
		t.Fatal(err)
	}
	entries, err := c.box.threadPage(c.table, c.table.now.Load(), 1)
	if err != nil || len(entries) != 1 || !entries[0].Act.At.IsZero() {
		t.Errorf("a post of a moment that the box doesn't know has one: %v %v", entries, err)
	}
	if err := c.box.confirm(monday.AddDate(0, 1, 0), false); !isProblem(err, "time_far") {
		t.Errorf("a month later: %v", err)
	}
	c.phase(engine.Phase{Name: engine.Day, N: 1})
	if err := c.box.confirm(monday.AddDate(0, 1, 0), true); err != nil {
		t.Error(err)
	}
	c.off()
	c.start(false, "boot 3")
	c.comes(31*24*time.Hour + 23*time.Hour)
}

func isProblem(err error, key string) bool {
	var p problem
	return errors.As(err, &p) && p.Key == key
}
