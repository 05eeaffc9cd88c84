package server

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/server/store"
)

// TestRepeatedAfterARestart: what a form has done at the table itself is not
// done again when its phone, which got no answer, sends it to the next box.
func TestRepeatedAfterARestart(t *testing.T) {
	ended := engine.Act{By: engine.Host, Verb: engine.End}
	for name, c := range map[string]struct {
		first func(b *Box, d *draft) error // what has to be so before
		do    func(b *Box, d *draft) error
	}{
		"join":   {do: func(b *Box, d *draft) error { return d.join(b.rules(d.doc), device(9), "Gus", 0) }},
		"add":    {do: func(b *Box, d *draft) error { return d.join(b.rules(d.doc), "", "Gus", 0) }},
		"remove": {do: func(b *Box, d *draft) error { return d.part(2) }},
		"rename": {do: func(b *Box, d *draft) error { return d.rename(2, "Gus") }},
		"move":   {do: func(b *Box, d *draft) error { return d.move(b.rules(d.doc), 1, 5) }},
		"close up": {
			first: func(b *Box, d *draft) error { return d.part(3) },
			do:    func(b *Box, d *draft) error { return d.closeUp() },
		},
		"shuffle": {do: func(b *Box, d *draft) error { return d.shuffle() }},
		"evening": {do: func(b *Box, d *draft) error { return d.newEvening(b) }},
		"deal":    {do: func(b *Box, d *draft) error { return d.deal(b.rules(d.doc), nil) }},
		"next": {
			first: func(b *Box, d *draft) error {
				if err := d.deal(b.rules(d.doc), nil); err != nil {
					return err
				}
				return d.act(ended)
			},
			do: func(b *Box, d *draft) error { return d.next() },
		},
		"keep a set": {do: func(b *Box, d *draft) error { return d.clubSet(b.club, "keep", "Fridays") }},
		"drop a set": {
			first: func(b *Box, d *draft) error { return d.clubSet(b.club, "keep", "Fridays") },
			do:    func(b *Box, d *draft) error { return d.clubSet(b.club, "drop", "Fridays") },
		},
		"options": {do: func(b *Box, d *draft) error { return d.setOption(b.rules(d.doc), "doctor_self", "never") }},
	} {
		t.Run(name, func(t *testing.T) {
			s := store.Memory()
			b, _ := open(t, s)
			table := b.Tables()[0]
			for i := range 7 {
				if err := table.Do("", func(d *draft) error { return d.join(b.rules(d.doc), device(i+1), fmt.Sprint("P", i+1), 0) }); err != nil {
					t.Fatal(err)
				}
			}
			if c.first != nil {
				if err := table.Do("", func(d *draft) error { return c.first(b, d) }); err != nil {
					t.Fatal(err)
				}
			}
			before := table.now.Load().doc
			if err := table.Do("form", func(d *draft) error { return c.do(b, d) }); err != nil {
				t.Fatal(err)
			}
			done, sets := table.now.Load().doc, b.club.sets(table.now.Load().doc.Rules)
			if reflect.DeepEqual(before, done) {
				t.Fatal("the form does nothing")
			}
			b.Close()
			again, _ := open(t, s)
			defer again.Close()
			table = again.Tables()[0]
			ran := false
			err := table.Do("form", func(d *draft) error { ran = true; return c.do(again, d) })
			if now := table.now.Load().doc; err != nil || ran || string(now.encode()) != string(done.encode()) {
				t.Errorf("done again (%v, %v):\n%s\n%s", ran, err, done.encode(), now.encode())
			}
			if now := again.club.sets(done.Rules); !reflect.DeepEqual(now, sets) {
				t.Errorf("the sets were %v and are %v", sets, now)
			}
		})
	}
}

// TestKeptKeys: a table's document holds the keys of its last changes and no
// more, none of a form that was refused or changed nothing, and all players at
// once don't push out the host's.
func TestKeptKeys(t *testing.T) {
	b, _ := open(t, store.Memory())
	defer b.Close()
	table := b.Tables()[0]
	do := func(key string, change func(*draft) error) { _ = table.Do(key, change) }
	for i := range 3 * keptKeys {
		do(fmt.Sprint("early", i), func(d *draft) error { d.dirty = true; return nil })
	}
	do("host", func(d *draft) error { return d.join(b.rules(d.doc), "", "Gus", 0) })
	for i := range 19 {
		join := func(d *draft) error { return d.join(b.rules(d.doc), device(i+1), fmt.Sprint("P", i+1), 0) }
		do(fmt.Sprint("join", i), join)
		do(fmt.Sprint("again", i), join)
	}
	do("refused", func(d *draft) error { d.dirty = true; return say("no_such_seat") })
	do("", func(d *draft) error { d.dirty = true; return nil })
	keys := table.now.Load().doc.Keys
	if len(keys) != keptKeys || keys[keptKeys-20] != "host" || keys[keptKeys-1] != "join18" {
		t.Errorf("%d keys are kept: %v", len(keys), keys)
	}
}

// TestStorageFailsForASet: what could not be stored is tried again with the same key.
func TestStorageFailsForASet(t *testing.T) {
	s := &flaky{Store: store.Memory()}
	b, _ := open(t, s)
	defer b.Close()
	keep := func(d *draft) error { return d.clubSet(b.club, "keep", "Fridays") }
	s.set(true, 0)
	if err := b.Tables()[0].Do("k", keep); err == nil {
		t.Fatal("stored on a broken disk")
	}
	s.set(false, 0)
	if err := b.Tables()[0].Do("k", keep); err != nil || len(b.club.sets(b.Tables()[0].now.Load().doc.Rules)) != 1 {
		t.Errorf("the disk is well again: %v", err)
	}
}
