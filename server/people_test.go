package server

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/rulesets"
	"github.com/mafiabox/mafiabox/server/store"
)

// TestHostDevices: several devices lead a table, any of them may be sent away,
// and the last one can't.
func TestHostDevices(t *testing.T) {
	b, table, _ := dealt(t, store.Memory(), 7)
	do := func(f func(*draft) error) error { return table.Do("", f) }
	first, second := device(50), device(51)
	add := func(device string) {
		if err := do(func(d *draft) error { return d.addHost(device) }); err != nil {
			t.Fatal(err)
		}
	}
	hosts := func() []string { return table.now.Load().doc.Hosts }
	was := len(hosts())
	add(first)
	add(second)
	add(second)
	if got := hosts(); len(got) != was+2 {
		t.Fatalf("%d hosts", len(got))
	}
	if n := table.now.Load().doc.Led; n != was+2 {
		t.Errorf("the table is told of %d host devices", n)
	}
	var p problem
	if err := do(func(d *draft) error { return d.dropHost("nobody") }); !errors.As(err, &p) || p.Key != "no_such_host" {
		t.Error(err)
	}
	for len(hosts()) > 1 {
		if err := do(func(d *draft) error { return d.dropHost(hostID(hosts()[0])) }); err != nil {
			t.Fatal(err)
		}
	}
	if err := do(func(d *draft) error { return d.dropHost(hostID(hosts()[0])) }); !errors.As(err, &p) || p.Key != "last_host" || len(hosts()) != 1 {
		t.Error(err, hosts())
	}
	if n := table.now.Load().doc.Led; n != was+2 {
		t.Errorf("once they are sent away the table is told of %d", n)
	}
	// The count is of one game.
	err := do(func(d *draft) error {
		return errors.Join(d.act(engine.Act{By: engine.Host, Verb: engine.End}), d.next(), d.deal(b.rules(d.doc), nil))
	})
	if n := table.now.Load().doc.Led; err != nil || n != 1 {
		t.Error("the next game begins with", n, "host devices", err)
	}
}

// TestOwnTicket: the ticket that a phone's page shows moves its seat once, also
// after a restart; the new phone has another.
func TestOwnTicket(t *testing.T) {
	s := store.Memory()
	b, table, _ := dealt(t, s, 7)
	tokens := [][]byte{make([]byte, 16), append(make([]byte, 15), 1)}
	sit := func(b *Box, table *Table, k ticket, token []byte) error {
		return table.Do("", func(d *draft) error {
			err := d.reseat(k, hash(token))
			d.sign(token)
			return err
		})
	}
	code, err := b.newTicket(table, 3)
	if err != nil {
		t.Fatal(err)
	}
	k, _ := b.ticket(table, code)
	if err := sit(b, table, k, tokens[0]); err != nil {
		t.Fatal(err)
	}
	shown := func(token []byte) string { return table.now.Load().doc.ticketOf(3, token, table.id) }
	own := shown(tokens[0])
	if len(own) != secretCode {
		t.Fatalf("the page shows %q", own)
	}

	b, _ = open(t, s)
	table = b.Tables()[0]
	t.Cleanup(func() { b.Close() })
	k, ok := b.ticket(table, own)
	if !ok || k.seat != 3 {
		t.Fatal("after a restart the ticket is worth nothing")
	}
	if err := sit(b, table, k, tokens[1]); err != nil {
		t.Fatal(err)
	}
	if d := table.now.Load().doc; d.seatOf(hash(tokens[0])) != 0 || d.seatOf(hash(tokens[1])) != 3 {
		t.Error("the seat is not on the new phone alone")
	}
	if _, ok := b.ticket(table, own); ok {
		t.Error("the ticket is worth something twice")
	}
	if _, ok := b.ticket(table, ""); ok {
		t.Error("no code is a ticket")
	}
	next := shown(tokens[1])
	if len(next) != secretCode || next == own || shown(tokens[0]) != "" {
		t.Error("the new phone's page shows no ticket of its own, or the old one's does")
	}
	// Back on the first phone: what was worth nothing stays so.
	if k, ok = b.ticket(table, next); !ok || sit(b, table, k, tokens[0]) != nil {
		t.Fatal("the new phone's ticket is worth nothing")
	}
	if _, ok := b.ticket(table, own); ok || shown(tokens[0]) == own {
		t.Error("a ticket that was used comes back with its phone")
	}
}

// TestJoinCodeOfAnEvening: when the box is switched on anew a table in its lobby
// has another join code; one with a game on keeps its code until the game is
// over, and a program that was only started again changes nothing.
func TestJoinCodeOfAnEvening(t *testing.T) {
	s := store.Memory()
	reopen := func(boot string) (*Box, *Table) {
		config := openConfig()
		config.Store, config.Boot = s, boot
		b, err := Open(config)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { b.Close() })
		return b, b.Tables()[0]
	}
	b, table := reopen("monday")
	code := table.Code()
	for i := range 7 {
		if err := table.Do("", func(d *draft) error { return d.join(b.rules(d.doc), device(i+1), "P", 0) }); err != nil {
			t.Fatal(err)
		}
	}
	if _, table = reopen("monday"); table.Code() != code {
		t.Error("a restart changes the join code")
	}
	b, table = reopen("tuesday")
	second := table.Code()
	if second == code || len(table.now.Load().doc.People) != 7 {
		t.Error("last evening's code leads to the table, or its people are gone")
	}
	if err := table.Do("", func(d *draft) error { return d.deal(b.rules(d.doc), nil) }); err != nil {
		t.Fatal(err)
	}
	_, table = reopen("wednesday")
	if table.Code() != second {
		t.Error("a power cut in a game changes the join code")
	}
}

// TestNightFormsLookAlike sends every form that two picks can make, for each
// role: whoever looks over a shoulder sees the same of all.
func TestNightFormsLookAlike(t *testing.T) {
	for _, rules := range rulesets.All {
		_, n := rules.Seats()
		n = min(n, 13) // with every role of the usual sets
		b, clock := open(t, store.Memory())
		t.Cleanup(func() { b.Close() })
		table := b.Tables()[0]
		err := table.Do("", func(d *draft) error {
			err := d.setRules(rulesets.All, rules.ID())
			for i := range n {
				err = errors.Join(err, d.join(rules, device(i+1), fmt.Sprint("P", i+1), 0))
			}
			if _, ok := engine.FindOption(rules, "night_end"); ok {
				err = errors.Join(err, d.setOption(rules, "night_end", "limit")) // else the first forms end the night
			}
			return errors.Join(err, d.deal(rules, rules.Cast(n)))
		})
		for i := 0; err == nil && table.now.Load().game.Phase().Name != engine.Nights || i < 2 && rules.ID() == "sport"; i++ { // sport's first night asks nothing
			seen := table.now.Load().game.Seen(engine.ToHost)
			a := engine.Act{By: engine.Host, Verb: engine.Night}
			switch {
			case len(seen.Ruling) > 0:
				a = engine.Act{By: engine.Host, Verb: engine.Rule, Word: seen.Ruling[1]}
			case seen.Phase.Name == engine.Nights:
				a.Verb = engine.Dawn
			case hasDeadlines(rules): // its first night is that after the first exile
				a = engine.Act{By: 1, Verb: engine.Vote, Seats: []engine.Seat{engine.Seat(n)}}
			}
			if err = act(table, "", a); err == nil && a.Verb == engine.Vote {
				clock.pass(30 * time.Hour)
				err = act(table, "", engine.Act{By: engine.Host, Verb: engine.Note, Text: "a day has passed"})
			}
		}
		if err != nil {
			t.Fatal(rules.ID(), err)
		}
		for _, picks := range [][]engine.Seat{{0, 0}, {1, 0}, {0, 1}, {2, 0}, {0, 2}, {1, 2}, {2, 1}, {1, 1}, {2, 2}} {
			looks := make(map[string][]engine.Role)
			for i := range n {
				seat := engine.Seat(i + 1)
				err := table.Do("", func(d *draft) error {
					for _, a := range nightActs(d.game.Seen(engine.Audience(seat)), seat, picks) {
						if err := d.act(a); err != nil && err != engine.RefusedTarget && err != engine.RefusedLimit { // these can't be picked on the page
							return err
						}
					}
					return nil
				})
				m := table.now.Load()
				if m.game.IsOut(seat) {
					continue
				}
				page := b.seatPage(table, m, words{b.texts.in("en")}, seat)
				look := fmt.Sprint(err, page.Sent, len(page.Picks))
				looks[look] = append(looks[look], m.game.Setup().Roles[i])
			}
			if len(looks) != 1 {
				t.Errorf("%s: what the form %v comes to shows who sent it: %v", rules.ID(), picks, looks)
			}
		}
	}
}

// TestPairingCodes: however many screens others open, a new one gets a code.
func TestPairingCodes(t *testing.T) {
	b, _ := open(t, store.Memory())
	defer b.Close()
	for i := range 40 {
		for j := range 8 {
			b.pairingCode(fmt.Sprint("bad ", i, j), fmt.Sprint("10.0.0.", i))
		}
	}
	mine := b.pairingCode("mine", "10.0.1.1")
	if mine == "" || b.paired(mine) != "mine" || len(b.pairings) > maxPairings {
		t.Errorf("a new screen shows %q, %d screens wait", mine, len(b.pairings))
	}
}
