package server

import (
	"fmt"
	"html/template"
	"strings"
	"testing"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/server/store"
)

// callsTable is a game by hands in its first night with shots: the given seats
// have phones, and everybody has the role that its seat says.
func callsTable(t *testing.T, rules string, options map[string]string, roles []engine.Role, phones ...int) (*Box, *Table) {
	t.Helper()
	b, _ := open(t, store.Memory())
	t.Cleanup(func() { b.Close() })
	table := b.Tables()[0]
	try := func(do func(*draft) error) {
		t.Helper()
		if err := table.Do("", do); err != nil {
			t.Fatal(err)
		}
	}
	try(func(d *draft) error { return d.setRules(b.cfg.Rulesets, rules) })
	for name, value := range options {
		try(func(d *draft) error { return d.setOption(b.rules(d.doc), name, value) })
	}
	for i := range roles {
		phone := ""
		for _, p := range phones {
			if p == i+1 {
				phone = device(p)
			}
		}
		try(func(d *draft) error { return d.join(b.rules(d.doc), phone, fmt.Sprint("P", i+1), 0) })
	}
	try(func(d *draft) error { return d.deal(b.rules(d.doc), roles) })
	do := doer(t, table)
	do(engine.Night)
	if rules == "sport" {
		do(engine.Dawn)
		do(engine.Night)
	}
	return b, table
}

var sportRoles = []engine.Role{"don", "mafia", "mafia", "sheriff", "town", "town", "town", "town", "town", "town"}

var gangsRoles = []engine.Role{"boss", "gangster", "don", "mafioso", "sheriff", "town", "town", "town", "town", "town", "town", "town"}

// gangsSet settles what the gangs' rules leave open.
func gangsSet(knows string) map[string]string {
	return map[string]string{"first_night_shots": "both", "shot_by": "either", "gang_knows": knows, "killed_asks": "yes"}
}

// enter enters a night act for a seat.
func enter(t *testing.T, table *Table, seat int, verb engine.Verb, seats ...engine.Seat) {
	t.Helper()
	if err := act(table, "", engine.Act{By: engine.Host, For: engine.Seat(seat), Verb: verb, Seats: seats, Via: engine.ByHost}); err != nil {
		t.Fatal(err)
	}
}

// said are the calls of a page, each with what it says and shows.
func said(p hostPage) (lines []string) {
	for _, c := range p.Calls {
		line := c.ID
		for _, who := range c.Callers {
			line += fmt.Sprint(" ", who.Seat)
			if who.Shows != "" {
				line += "=" + who.Shows
			}
		}
		for _, s := range c.Phones {
			line += fmt.Sprint(" phone", s.Seat)
		}
		if c.Nobody {
			line += " nobody"
		}
		lines = append(lines, line)
	}
	return lines
}

// TestCalls: a night without phones is called in order, the signs are shown
// before the close, and a call is made for who is out as well.
func TestCalls(t *testing.T) {
	plain := strings.NewReplacer("\u2068", "", "\u2069", "")
	for name, c := range map[string]struct {
		rules   string
		options map[string]string
		roles   []engine.Role
		phones  []int
		enter   func(*Table)
		want    []string
	}{
		"sport, nobody has a phone": {"sport", nil, sportRoles, nil, func(table *Table) {
			enter(t, table, 1, engine.Seek, 4)
			enter(t, table, 4, engine.Check, 2)
		}, []string{"shoot-mafia 1 2 3", "seek-mafia 1=4 P4: yes", "check-town 4=2 P2: black"}},
		"the don and the sheriff are out": {"sport", nil, sportRoles, nil, func(table *Table) {
			doer(t, table)(engine.Leave, 1)
			doer(t, table)(engine.Leave, 4)
		}, []string{"shoot-mafia 2 3", "seek-mafia nobody", "check-town nobody"}},
		"two have phones": {"sport", nil, sportRoles, []int{2, 4}, func(table *Table) {
			enter(t, table, 1, engine.Seek, 5)
		}, []string{"shoot-mafia 1 3 phone2", "seek-mafia 1=5 P5: no", "check-town phone4"}},
		"an answer that hangs on the shot": {"sport", map[string]string{"shot_asks": "no"}, sportRoles, nil, func(table *Table) {
			enter(t, table, 4, engine.Check, 2)
		}, []string{"shoot-mafia 1 2 3", "seek-mafia 1", "check-town 4"}},
		"boulevard tells nothing before the close": {"boulevard", nil, []engine.Role{"don", "mafia", "commissioner", "doctor", "civilian", "civilian", "civilian"}, nil, func(table *Table) {
			enter(t, table, 3, engine.Check, 2)
		}, []string{"shoot-mafia 1 2", "seek-mafia 1", "check-town 3", "heal-town 4"}},
		"and after it what to show": {"boulevard", nil, []engine.Role{"don", "mafia", "commissioner", "doctor", "civilian", "civilian", "civilian"}, nil, func(table *Table) {
			enter(t, table, 3, engine.Check, 2)
			doer(t, table)(engine.Close)
		}, []string{"shoot-mafia 1 2", "seek-mafia 1", "check-town 3=2 P2: mafia", "heal-town 4"}},
		"a gang whose members don't know each other": {"gangs", gangsSet("nobody"), gangsRoles, nil, func(*Table) {
		}, []string{"shoot-irish-boss 1", "seek-irish 1", "shoot-irish-gangster 2", "shoot-italian-don 3", "seek-italian 3", "shoot-italian-mafioso 4", "check-town 5"}},
		"a gang whose members do": {"gangs", gangsSet("each_other"), gangsRoles, nil, func(*Table) {
		}, []string{"shoot-irish 1 2", "seek-irish 1", "shoot-italian 3 4", "seek-italian 3", "check-town 5"}},
		"everybody has a phone": {"boulevard", nil, []engine.Role{"don", "mafia", "commissioner", "doctor", "civilian"}, []int{1, 2, 3, 4, 5}, func(*Table) {}, nil},
	} {
		b, table := callsTable(t, c.rules, c.options, c.roles, c.phones...)
		c.enter(table)
		got := said(b.hostPage(table, table.now.Load(), words{b.texts.in("en")}, device(99), 0))
		if is, want := plain.Replace(strings.Join(got, "\n")), strings.Join(c.want, "\n"); is != want {
			t.Errorf("%s:\n%s\nwant\n%s", name, is, want)
		}
	}
}

// TestCallsAreSecret: a host who plays gets no calls, and how many without a
// phone have been entered is on no page that others see.
func TestCallsAreSecret(t *testing.T) {
	b, table := callsTable(t, "sport", nil, sportRoles, 2, 5)
	w := words{b.texts.in("en")}
	m := table.now.Load()
	if p := b.hostPage(table, m, w, device(5), 0); p.Calls != nil {
		t.Errorf("a host who plays is told who wakes: %v", said(p))
	}
	public := func() string {
		m := table.now.Load()
		screen, err := b.draw("screen-main", b.screenPage(table, m, w))
		if err != nil {
			t.Fatal(err)
		}
		seat, err := b.draw("seat-main", b.seatPage(table, m, w, 5))
		if err != nil {
			t.Fatal(err)
		}
		console := b.hostPage(table, m, w, device(99), 0)
		return string(unkeyed(screen)) + string(unkeyed(seat)) + fmt.Sprint(console.Owed, console.Asked)
	}
	was := public()
	if !strings.Contains(was, "2 players still to answer") || !strings.Contains(was, "0 of 2") {
		t.Errorf("two phones are waited for:\n%s", was)
	}
	for _, seat := range []int{1, 3} {
		enter(t, table, seat, engine.Shoot, 7)
	}
	enter(t, table, 1, engine.Seek, 4)
	if is := public(); is != was {
		t.Errorf("what was entered shows:\n%s\nwas\n%s", is, was)
	}
	early := func() bool {
		m := table.now.Load()
		return m.early(engine.Close, m.game.Seen(engine.ToHost), b.cfg.Now())
	}
	for seat := range 2 {
		if err := act(table, "", waits([]int{2, 5}[seat])); err != nil {
			t.Fatal(err)
		}
	}
	if !early() {
		t.Error("the sheriff is not waited for")
	}
	enter(t, table, 4, engine.Check, 1)
	if early() {
		t.Error("somebody is waited for whose role does nothing")
	}
}

// TestRemovalSaysWhatItCosts: before a removal is confirmed the console says what
// becomes of the vote.
func TestRemovalSaysWhatItCosts(t *testing.T) {
	b, table, _ := sportTable(t, store.Memory())
	defer b.Close()
	do, w := doer(t, table), words{b.texts.in("en")}
	says := func(want string) {
		t.Helper()
		p := b.hostPage(table, table.now.Load(), w, device(99), 0)
		page, err := b.draw("host-main", p)
		if err != nil {
			t.Fatal(err)
		}
		if p.Removal != w.T(want) || strings.Count(string(page), template.HTMLEscapeString(p.Removal)) < 3 { // to disqualify, to leave, and the fourth foul
			t.Errorf("the console says %q, want %q", p.Removal, w.T(want))
		}
	}
	for range 3 {
		do(engine.Foul, 9)
	}
	do(engine.Night)
	says("removal.night")
	do(engine.Dawn)
	says("removal.today")
	for _, seat := range []engine.Seat{1, 2} {
		do(engine.Speech, seat)
		if err := act(table, "", engine.Act{By: engine.Actor(seat), Verb: engine.Nominate, Seats: []engine.Seat{seat}}); err != nil {
			t.Fatal(err)
		}
	}
	do(engine.Vote)
	says("removal.running")
	do(engine.Votes, 1, 3, 4, 5, 6, 7, 8, 9, 10)
	do(engine.Close)
	says("removal.next")
	p := b.hostPage(table, table.now.Load(), w, device(99), 0)
	for _, s := range p.Fouls.Seats {
		switch {
		case s.Seat == 9 && (!s.Gone || !strings.Contains(s.Asks, w.T("fouls.out"))):
			t.Errorf("the fourth foul says %q", s.Asks)
		case s.Seat != 9 && s.Asks != "":
			t.Errorf("a first foul asks: %q", s.Asks)
		}
	}
}

// TestCallsFit: also with its calls a console of a night has the one size.
func TestCallsFit(t *testing.T) {
	b, _ := open(t, store.Memory())
	defer b.Close()
	for _, seats := range []int{5, 12, 20} {
		for _, m := range longGame(t, seats, strings.Repeat("&", 24), 2) {
			m.doc = m.doc.clone()
			for i := range m.doc.People {
				m.doc.People[i].Device = ""
			}
			for _, lang := range []string{"en", "ru"} {
				p := b.hostPage(b.Tables()[0], m, words{b.texts.in(lang)}, device(99), 3)
				page, err := b.draw("host", p)
				if err != nil || night(m) && (len(page) > hostSize(m) || p.Calls == nil && m.game.Phase().N > 0) {
					t.Errorf("%d seats, %s, %v: a console of %d bytes in one of %d, %d calls (%v)", seats, lang, m.game.Phase(), len(page), hostSize(m), len(p.Calls), err)
				}
			}
		}
	}
}
