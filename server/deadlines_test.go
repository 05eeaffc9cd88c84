package server

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/record"
	"github.com/mafiabox/mafiabox/engine/rulesets"
	"github.com/mafiabox/mafiabox/server/store"
)

// camp is a table that plays rounds with deadlines, in false time.
type camp struct {
	t     *testing.T
	store store.Store
	clock *testClock
	box   *Box
	table *Table
}

// monday is a day on which no weekend is near.
var monday = time.Date(2026, 5, 4, 16, 0, 0, 0, time.UTC) // noon in New York

// newCamp begins a game of n seats; seats 1 to n/4 are of the mafia, the next
// is the Inspector.
func newCamp(t *testing.T, n int, at time.Time, options ...string) *camp {
	t.Helper()
	c := &camp{t: t, store: store.Memory(), clock: &testClock{now: at}}
	c.start(true, "boot 1")
	t.Cleanup(func() {
		if c.box != nil {
			c.box.Close()
		}
	})
	rules, _ := rulesets.Find(rulesets.All, "forum")
	c.do(func(d *draft) error { return d.setRules(rulesets.All, rules.ID()) })
	for i := range n {
		c.do(func(d *draft) error { return d.join(rules, device(i+1), fmt.Sprint("P", i+1), 0) })
	}
	for _, o := range options {
		name, value, _ := strings.Cut(o, " ")
		c.do(func(d *draft) error { return d.setOption(rules, name, value) })
	}
	c.do(func(d *draft) error { return d.deal(rules, rules.Cast(n)) })
	return c
}

// start switches the box on: with a clock that is right, or not.
func (c *camp) start(trusted bool, boot string) {
	c.t.Helper()
	config := openConfig()
	config.Store, config.Now, config.After, config.Trusted, config.Boot = c.store, c.clock.Now, c.clock.After, trusted, boot
	var err error
	if c.box, err = Open(config); err != nil {
		c.t.Fatal(err)
	}
	c.table = c.box.Tables()[0]
}

// off switches it off, at once.
func (c *camp) off() {
	c.box.Close()
	c.box = nil
}

func (c *camp) do(do func(*draft) error) {
	c.t.Helper()
	if err := c.table.Do("", do); err != nil {
		c.t.Fatal(err)
	}
}

// says is what a seat's act is answered.
func (c *camp) says(seat int, verb engine.Verb, target int) string {
	c.t.Helper()
	m := c.table.now.Load()
	return c.sends(m.of(), seat, verb, target)
}

// sends is says with a form of some moment.
func (c *camp) sends(of string, seat int, verb engine.Verb, target int) string {
	a := engine.Act{By: engine.Actor(seat), Verb: verb}
	if target != 0 {
		a.Seats = []engine.Seat{engine.Seat(target)}
	}
	told := c.table.ask("", func(d *draft) error {
		if of != d.of() {
			return d.stale()
		}
		return d.act(a)
	})
	switch {
	case told.err != nil:
		p, _ := told.err.(problem)
		return strings.TrimSpace(told.err.Error() + " " + fmt.Sprint(p.Args["Closed"]))
	case told.word != nil:
		return strings.TrimSpace(told.word.Key + " " + fmt.Sprint(told.word.Args["At"]))
	}
	return ""
}

// passes lets time pass and the table do what is due.
func (c *camp) passes(d time.Duration) {
	c.t.Helper()
	c.clock.pass(d)
	c.settles()
}

// settles waits until nothing is due any more.
func (c *camp) settles() {
	c.t.Helper()
	for range 5000 { // of a slow machine
		m := c.table.now.Load()
		now, known := c.box.Time()
		if due := m.game.Due(); !known || due.IsZero() || due.After(now) {
			return
		}
		c.clock.pass(0)
		time.Sleep(time.Millisecond)
	}
	c.t.Fatal("what is due doesn't happen by itself")
}

func (c *camp) seen() engine.Seen { return c.table.now.Load().game.Seen(engine.All) }

func (c *camp) phase(want engine.Phase) {
	c.t.Helper()
	if got := c.seen().Phase; got != want {
		c.t.Fatalf("it is %v, want %v", got, want)
	}
}

// due checks the next deadline, in the game's zone.
func (c *camp) due(want string) {
	c.t.Helper()
	m := c.table.now.Load()
	if got := m.game.Due().In(m.zone(m.game.Rules())).Format("Mon 2006-01-02 15:04:05 MST"); got != want {
		c.t.Errorf("it closes at %s, want %s", got, want)
	}
}

// told tells whether everybody was told an event of this form.
func (c *camp) told(want string) bool {
	for _, e := range c.table.now.Load().game.Log() {
		for _, event := range e.Events {
			if record.FormatEvent(event) == want {
				return true
			}
		}
	}
	return false
}

// replays checks that the stored record is one that can be played again.
func (c *camp) replays() {
	c.t.Helper()
	m := c.table.now.Load()
	g, err := c.store.Game("1", m.doc.Game)
	if err != nil {
		c.t.Fatal(err)
	}
	rec, err := record.Parse(g.Text(), rulesets.All)
	if err != nil {
		c.t.Fatalf("the record can't be read: %v\n%s", err, g.Text())
	}
	if found := record.Verify(rec); len(found) > 0 {
		c.t.Errorf("the record doesn't replay: %v\n%s", found, g.Text())
	}
}

// TestLastSecond: twenty-five seats vote in the deadline's last second, and
// again in the second of the deadline. Each is told when it was counted, or that
// it was too late; and what was counted is what closes the round.
func TestLastSecond(t *testing.T) {
	c := newCamp(t, 25, monday, "late_vote_h 0")
	c.due("Tue 2026-05-05 12:00:00 EDT")
	of := c.table.now.Load().of()
	c.clock.pass(24*time.Hour - time.Second)
	answers := make(chan string, 50)
	for seat := 1; seat <= 25; seat++ {
		go func() { answers <- c.sends(of, seat, engine.Vote, 1+seat%2) }()
	}
	for range 25 {
		if a := <-answers; a != "counted 11:59:59" {
			t.Errorf("in the last second: %q", a)
		}
	}
	c.clock.pass(time.Second)
	for seat := 1; seat <= 25; seat++ {
		go func() { answers <- c.sends(of, seat, engine.Vote, 1) }()
	}
	for range 25 {
		if a := <-answers; a != "too_late 12:00:00" {
			t.Errorf("in the deadline's second: %q", a)
		}
	}
	c.settles()
	c.phase(engine.Phase{Name: engine.Nights, N: 1})
	if !c.told("all out 2 vote") || c.seen().Seats[0].Out {
		t.Error("13 of 25 had voted for seat 2")
	}
	c.replays()
}

// TestClosesByItself: with nobody there a round closes, and the next, in order.
func TestClosesByItself(t *testing.T) {
	c := newCamp(t, 11, monday)
	for seat := 1; seat <= 11; seat++ {
		c.says(seat, engine.Vote, 4)
	}
	c.passes(24*time.Hour - time.Second)
	c.phase(engine.Phase{Name: engine.Day, N: 1})
	c.passes(time.Second)
	c.phase(engine.Phase{Name: engine.Nights, N: 1})
	c.due("Wed 2026-05-06 06:00:00 EDT")
	c.passes(18 * time.Hour) // no whack: ten are alive, and nobody asks to see the exile's role but the host
	if r := c.table.now.Load().game.Seen(engine.ToHost).Ruling; len(r) == 0 {
		t.Error("the host is not asked")
	}
	c.replays()
}

// TestTwoSecondMisses: two who miss their second vote at one close both leave.
func TestTwoSecondMisses(t *testing.T) {
	c := newCamp(t, 11, monday)
	vote := func(voters ...int) {
		for _, seat := range voters {
			if c.says(seat, engine.Vote, 11) == "" {
				t.Fatal("no word")
			}
		}
	}
	for seat := 1; seat <= 9; seat++ {
		c.says(seat, engine.Vote, 5+seat%2) // 5 and 6: five and four
	}
	c.passes(24 * time.Hour)
	c.passes(6 * time.Hour)
	c.phase(engine.Phase{Name: engine.Nights, N: 1})
	if !c.told("all missed 10 1") || !c.told("all missed 11 1") {
		t.Error("the first misses are not announced")
	}
	c.says(1, engine.Whack, 7)
	c.says(4, engine.Guess, 1)
	c.phase(engine.Phase{Name: engine.Day, N: 2})
	vote(1, 2, 3, 4, 5, 8, 9)
	c.passes(100 * time.Hour)
	for _, seat := range []int{10, 11} {
		if !c.told(fmt.Sprintf("all missed %d 2", seat)) || !c.told(fmt.Sprintf("all out %d missed", seat)) {
			t.Errorf("seat %d is not out by its second miss", seat)
		}
	}
	c.replays()
}

// TestWeekendInAnExtension: an extension that would end in a weekend ends on
// Monday morning, in the zone of the game.
func TestWeekendInAnExtension(t *testing.T) {
	c := newCamp(t, 5, time.Date(2026, 5, 5, 16, 0, 0, 0, time.UTC), "zone Europe/Berlin", "round_h 24")
	for seat := 1; seat <= 5; seat++ {
		c.says(seat, engine.Vote, 5)
	}
	c.passes(24 * time.Hour)
	c.says(1, engine.Whack, 4)
	c.says(2, engine.Guess, 1)
	c.phase(engine.Phase{Name: engine.Day, N: 2})
	c.due("Thu 2026-05-07 18:00:00 CEST")
	c.do(func(d *draft) error { return d.act(engine.Act{By: engine.Host, Verb: engine.Extend, Word: "20h"}) })
	c.due("Fri 2026-05-08 14:00:00 CEST")
	c.do(func(d *draft) error { return d.act(engine.Act{By: engine.Host, Verb: engine.Extend, Word: "6h"}) })
	c.due("Mon 2026-05-11 08:00:00 CEST")
	c.passes(2 * 24 * time.Hour)
	c.phase(engine.Phase{Name: engine.Day, N: 2})
	c.replays()
}

// TestSummerTime: a day of 24 hours is one when clocks are put forward or back,
// and what is announced is the time that people read.
func TestSummerTime(t *testing.T) {
	for start, want := range map[string]string{
		"2026-03-28T12:00:00+01:00": "Sun 2026-03-29 13:00:00 CEST",
		"2026-10-24T12:00:00+02:00": "Sun 2026-10-25 11:00:00 CET",
	} {
		at, err := time.Parse(time.RFC3339, start)
		if err != nil {
			t.Fatal(err)
		}
		c := newCamp(t, 5, at, "zone Europe/Berlin")
		c.due(want)
		c.passes(24*time.Hour - time.Second)
		c.phase(engine.Phase{Name: engine.Day, N: 1})
		c.replays()
	}
}
