package server

import (
	"errors"
	"fmt"
	"testing"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/record"
	"github.com/mafiabox/mafiabox/engine/rulesets"
	"github.com/mafiabox/mafiabox/server/store"
)

// season plays games of days on a box, closed by the host.
type season struct {
	t *testing.T
	b *Box
}

var (
	campers  = []string{"Anna", "Boris", "Clara", "Dmitri", "Emma", "Fyodor", "Grace"}
	reserves = []string{"Hanna", "Igor", "Julia", "Kirill", "Lena", "Max", "Nora"}
)

func (c season) do(table *Table, do func(*draft) error) {
	c.t.Helper()
	if err := table.Do("", do); err != nil {
		c.t.Fatal(err)
	}
}

// choose chooses the game and seats people.
func (c season) choose(table *Table, names ...string) {
	c.t.Helper()
	rules, _ := rulesets.Find(rulesets.All, "forum")
	c.do(table, func(d *draft) error {
		return errors.Join(d.setRules(rulesets.All, rules.ID()), d.setOption(rules, "deadlines", "no"))
	})
	for _, name := range names {
		c.do(table, func(d *draft) error { return d.join(rules, "", name, 0) })
	}
}

// deal gives the roles in the usual order: the mafia first, then the Inspector.
func (c season) deal(table *Table) error {
	return table.Do("", func(d *draft) error {
		rules := c.b.rules(d.doc)
		return d.deal(rules, rules.Cast(len(d.doc.People)))
	})
}

func (c season) acts(table *Table, lines ...string) {
	c.t.Helper()
	for _, line := range lines {
		a, err := record.ParseAct(line, 40)
		if err == nil {
			err = act(table, "", a)
		}
		if err != nil {
			c.t.Fatalf("%s: %v", line, err)
		}
	}
}

// play plays a game of seven in which Grace misses two votes and Fyodor is suspended.
func (c season) play(table *Table) {
	c.t.Helper()
	if err := c.deal(table); err != nil {
		c.t.Fatal(err)
	}
	c.acts(table, "1 vote 4", "2 vote 4", "3 vote 4", "4 vote 1", "5 vote 4", "6 vote 4", "host close", "1 whack 5", "3 guess 1",
		"1 vote 3", "2 vote 3", "3 vote 1", "6 vote 1", "host close", `host suspend 6 "x"`)
	if n := len(c.b.club.suspended()); n != 0 {
		c.t.Errorf("%d are suspended while the game is on", n)
	}
	c.acts(table, `host disqualify 1 "x"`, `host disqualify 2 "x"`)
}

func (c season) next(table *Table) {
	c.t.Helper()
	c.do(table, func(d *draft) error { return d.next() })
}

// refused tells the problem of joining under a name, if any.
func (c season) refused(table *Table, name string) string {
	var p problem
	err := table.Do("", func(d *draft) error {
		if err := d.join(c.b.rules(d.doc), "", name, 0); err != nil {
			return err
		}
		return d.part(engine.Seat(len(d.doc.People)))
	})
	if errors.As(err, &p) {
		return p.Key
	}
	if err != nil {
		c.t.Error(err)
	}
	return ""
}

func seatCalled(table *Table, name string) engine.Seat {
	for i, n := range table.now.Load().doc.names() {
		if n == name {
			return engine.Seat(i + 1)
		}
	}
	return 0
}

func newSeason(t *testing.T, s store.Store) season {
	b, _ := open(t, s)
	return season{t, b}
}

// TestSuspensions: who missed two votes or was suspended sits out the next game
// of these rules, at every table, under any look-alike of the name; and is back
// once that game has begun.
func TestSuspensions(t *testing.T) {
	s := store.Memory()
	c := newSeason(t, s)
	defer func() { c.b.Close() }()
	table := c.b.Tables()[0]
	c.choose(table, campers...)
	c.play(table)
	c.next(table)

	c.b.Close()
	c = newSeason(t, s) // the plug was pulled
	table = c.b.Tables()[0]
	other, err := c.b.NewTable()
	if err != nil {
		t.Fatal(err)
	}
	c.choose(other, reserves...)
	for _, name := range []string{"Grace", "grace", "GRACE ", "Grаcе" /* of Cyrillic letters */, "G r a c e"} {
		if got := c.refused(other, name); got != "suspended_missed" {
			t.Errorf("%q: %q", name, got)
		}
	}
	if got := c.refused(other, "Fyodor"); got != "suspended_conduct" {
		t.Error("who was suspended:", got)
	}
	for _, name := range []string{"Anna", "Graces", "Dmitri"} {
		if got := c.refused(other, name); got != "" {
			t.Errorf("%s: %s", name, got)
		}
	}
	var p problem
	rename := func(d *draft) error { return d.rename(1, "Grace") }
	if err := other.Do("", rename); !errors.As(err, &p) || p.Key != "suspended_missed" {
		t.Error("renamed:", err)
	}
	if err := c.deal(table); !errors.As(err, &p) || p.Key != "suspended_seated" || p.Args["Name"] != "Fyodor" {
		t.Error("with the suspended on their seats:", err)
	}
	page := c.b.hostPage(table, table.now.Load(), words{c.b.texts.in("en")}, "", 0)
	if !page.Seats[5].SitsOut || !page.Seats[6].SitsOut || page.Seats[0].SitsOut || page.Lobby.Problem == "" {
		t.Error("the lobby doesn't show who sits out")
	}

	// Another game takes everybody in.
	c.do(other, func(d *draft) error { return d.setRules(rulesets.All, "boulevard") })
	if got := c.refused(other, "Grace"); got != "" {
		t.Error("in another game:", got)
	}
	c.do(other, func(d *draft) error { return d.deal(c.b.rules(d.doc), nil) })
	c.acts(other, "host night", "host end")
	c.next(other)
	c.choose(other)
	if got := c.refused(other, "Grace"); got != "suspended_missed" {
		t.Error("another game was played meanwhile:", got)
	}

	// A wrong deal is no game.
	if err := c.deal(other); err != nil {
		t.Fatal(err)
	}
	c.next(other)
	if got := c.refused(other, "Grace"); got != "suspended_missed" {
		t.Error("after a wrong deal:", got)
	}

	// The next game.
	if err := c.deal(other); err != nil {
		t.Fatal(err)
	}
	if len(c.b.club.suspended()) == 0 {
		t.Error("lifted before anything happened")
	}
	c.acts(other, "1 vote 2")
	if all := c.b.club.suspended(); len(all) != 0 {
		t.Errorf("the next game has begun: %v", all)
	}
	if err := c.deal(table); err != nil {
		t.Error(err)
	}
	c.b.Close()
	c = newSeason(t, s)
	if all := c.b.club.suspended(); len(all) != 0 {
		t.Errorf("after a restart: %v", all)
	}
}

// TestSuspensionOfAGameMeanwhile: a game that was dealt before somebody was
// suspended is not the one to sit out.
func TestSuspensionOfAGameMeanwhile(t *testing.T) {
	c := newSeason(t, store.Memory())
	defer c.b.Close()
	table := c.b.Tables()[0]
	other, err := c.b.NewTable()
	if err != nil {
		t.Fatal(err)
	}
	c.choose(table, campers...)
	c.choose(other, reserves...)
	if err := c.deal(other); err != nil {
		t.Fatal(err)
	}
	c.play(table)
	c.acts(other, "1 vote 2", "host end")
	c.next(other)
	if got := c.refused(other, "Grace"); got != "suspended_missed" {
		t.Errorf("%q", got)
	}
	c.next(table)
	for _, name := range []string{"Fyodor", "Grace"} {
		c.do(table, func(d *draft) error { return d.part(seatCalled(table, name)) })
	}
	if err := c.deal(table); err != nil {
		t.Fatal(err)
	}
	c.acts(table, "1 vote 2")
	if got := c.refused(other, "Grace"); got != "" {
		t.Errorf("%q after the next game has begun", got)
	}
}

// TestSuspensionAndPowerCuts: the act that ends a game and the suspensions are
// stored together or not at all, and once.
func TestSuspensionAndPowerCuts(t *testing.T) {
	s := &flaky{Store: store.Memory()}
	c := newSeason(t, s)
	defer func() { c.b.Close() }()
	table := c.b.Tables()[0]
	c.choose(table, campers...)
	if err := c.deal(table); err != nil {
		t.Fatal(err)
	}
	c.acts(table, `host suspend 6 "x"`, `host suspend 7 "x"`)
	end := engine.Act{By: engine.Host, Verb: engine.End}
	commits := s.commits
	s.set(true, 0)
	if err := act(table, "end", end); err == nil {
		t.Fatal("ended on a broken disk")
	}
	if len(c.b.club.suspended()) != 0 || table.now.Load().game.Ended() {
		t.Error("half of it was done")
	}
	s.set(false, 0)
	for range 2 {
		if err := act(table, "end", end); err != nil {
			t.Fatal(err)
		}
	}
	if n := s.commits - commits; n != 2 {
		t.Errorf("%d transactions, one of which failed", n)
	}
	for _, again := range []bool{false, true} {
		if again {
			c.b.Close()
			c = newSeason(t, s)
			if err := act(c.b.Tables()[0], "end", end); err != nil {
				t.Error("the form comes again:", err)
			}
		}
		all := c.b.club.suspended()
		if got := fmt.Sprint(all); got != "[{1 Fyodor forum conduct 2026-05-04} {2 Grace forum conduct 2026-05-04}]" {
			t.Errorf("opened again %v: %s", again, got)
		}
	}
}
