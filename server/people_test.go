package server

import (
	"errors"
	"slices"
	"testing"

	"github.com/mafiabox/mafiabox/engine"
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
	if n := table.now.Load().doc.Notices; !slices.Equal(n, []notice{newHost}) {
		t.Errorf("the table is told %v", n)
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
	// The notice is of one game.
	err := do(func(d *draft) error {
		return errors.Join(d.act(engine.Act{By: engine.Host, Verb: engine.End}), d.next(), d.deal(b.rules(d.doc), nil))
	})
	if n := table.now.Load().doc.Notices; err != nil || n != nil {
		t.Error("the next game begins with notices", n, err)
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
			return errors.Join(d.reseat(k, hash(token)), d.sign(hash(token), ownTicket(token, table)))
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
	own := ownTicket(tokens[0], table)
	if shown := table.now.Load().doc.ticketOf(3, own); shown != own || len(own) != secretCode {
		t.Fatalf("the page shows %q", shown)
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
	if next := ownTicket(tokens[1], table); next == own || table.now.Load().doc.ticketOf(3, next) != next {
		t.Error("the new phone's page shows no ticket of its own")
	}
	if second, err := b.NewTable(); err != nil || ownTicket(tokens[1], second) == ownTicket(tokens[1], table) {
		t.Error("one ticket for two tables", err)
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
		if err := table.Do("", func(d *draft) error { return d.join(b.rules(d.doc), device(i+1), "P") }); err != nil {
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
