package server

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/boulevard"
	"github.com/mafiabox/mafiabox/server/store"
	"pgregory.net/rapid"
)

// TestSeatsStay: whoever comes, goes or moves, everybody else stays on his seat
// with his own phone, until the host closes the gaps or shuffles.
func TestSeatsStay(t *testing.T) {
	const most = 20
	rules := boulevard.Standard
	rapid.Check(t, func(t *rapid.T) {
		d := &draft{table: "1", moment: moment{doc: doc{Stage: lobby, Rules: rules.ID()}}}
		seats := make(map[engine.Seat]person) // where everybody ought to sit
		came := 0
		seat := func(name string) engine.Seat { return engine.Seat(rapid.IntRange(0, most+2).Draw(t, name)) }
		must := func(what string, err error, key string) bool {
			var p problem
			if key == "" && err != nil || key != "" && (!errors.As(err, &p) || p.Key != key) {
				t.Fatalf("%s: %v, want %q", what, err, key)
			}
			return err == nil
		}
		t.Repeat(map[string]func(*rapid.T){
			"join": func(t *rapid.T) {
				wish, key := seat("wish"), ""
				switch _, taken := seats[wish]; {
				case len(seats) == most:
					key = "table_full"
				case wish > most:
					key = "seat_beyond"
				case taken:
					key = "seat_taken"
				}
				came++
				p := person{Name: fmt.Sprint("P", came), Device: device(came)}
				if must("join", d.join(rules, p.Device, p.Name, wish), key) {
					for s := engine.Seat(1); wish == 0; s++ {
						if _, taken := seats[s]; !taken {
							wish = s
						}
					}
					seats[wish] = p
				}
			},
			"part": func(t *rapid.T) {
				s, key := seat("seat"), ""
				if _, taken := seats[s]; !taken {
					key = "no_such_seat"
				}
				must("part", d.part(s), key)
				delete(seats, s)
			},
			"move": func(t *rapid.T) {
				from, to, key := seat("from"), seat("to"), ""
				a, ok := seats[from]
				c, taken := seats[to]
				switch {
				case !ok:
					key = "no_such_seat"
				case to < 1 || to > most:
					key = "seat_beyond"
				}
				if must("move", d.move(rules, from, to), key) {
					delete(seats, from)
					if taken {
						seats[from] = c
					}
					seats[to] = a
				}
			},
			"close up": func(t *rapid.T) {
				must("close up", d.closeUp(), "")
				after := make(map[engine.Seat]person)
				for s := engine.Seat(1); s <= most; s++ {
					if p, ok := seats[s]; ok {
						after[engine.Seat(len(after)+1)] = p
					}
				}
				seats = after
			},
			"shuffle": func(t *rapid.T) {
				must("shuffle", d.shuffle(), "")
				for s := range seats {
					if !d.doc.sits(s) {
						t.Fatalf("after a shuffle nobody sits on seat %d", s)
					}
					seats[s] = d.doc.People[s-1]
				}
			},
			"": func(t *rapid.T) {
				if n := len(d.doc.People); d.doc.seated() != len(seats) || n > 0 && d.doc.People[n-1].free() {
					t.Fatalf("%d sit there, want %d: %v", d.doc.seated(), len(seats), d.doc.People)
				}
				for s, p := range seats {
					if d.doc.seatOf(p.Device) != s || d.doc.People[s-1].Name != p.Name {
						t.Fatalf("%s sits at %d, want %d", p.Name, d.doc.seatOf(p.Device), s)
					}
				}
				for i, s := range d.doc.gaps() {
					if _, taken := seats[s]; taken || i >= most {
						t.Fatalf("seat %d is said to be free", s)
					}
				}
				var p problem
				if err := d.doc.noGaps(); (err != nil) != (len(d.doc.gaps()) > 0) || err != nil && (!errors.As(err, &p) || p.Key != "free_seats") {
					t.Fatal(err)
				}
			},
		})
	})
}

// TestNoDealWithGaps: with a free seat among the others nothing is dealt, by the
// box or by hand, and the lobby says which it is.
func TestNoDealWithGaps(t *testing.T) {
	b, _ := open(t, store.Memory())
	defer b.Close()
	table := b.Tables()[0]
	do := func(f func(*draft) error) error { return table.Do("", f) }
	rules := boulevard.Standard
	for i := range 7 {
		seat := engine.Seat(i + 1)
		if i >= 4 {
			seat += 2
		}
		if err := do(func(d *draft) error { return d.join(rules, device(i+1), fmt.Sprint("P", i+1), seat) }); err != nil {
			t.Fatal(err)
		}
	}
	w := words{b.texts.in("en")}
	l := b.lobbyView(table.now.Load(), w)
	if l.Problem != "Seats 5, 6 are free. Wait for somebody, or close the gaps." || l.Dealt != 7 || !l.Gaps {
		t.Errorf("the lobby says %q of %d roles", l.Problem, l.Dealt)
	}
	for _, hand := range [][]engine.Role{nil, rules.Cast(7)} {
		var p problem
		if err := do(func(d *draft) error { return d.deal(rules, hand) }); !errors.As(err, &p) || p.Key != "free_seats" {
			t.Error(err)
		}
	}
	if p := b.seatPage(table, table.now.Load(), w, 8); p.Me.Name != "P6" || p.Me.Seat != 8 {
		t.Errorf("the page of seat 8 is that of %d %s", p.Me.Seat, p.Me.Name)
	}
	if err := do(func(d *draft) error { return errors.Join(d.closeUp(), d.deal(rules, nil)) }); err != nil {
		t.Fatal(err)
	}
	if got := table.now.Load().doc.names(); !slices.Equal(got, []string{"P1", "P2", "P3", "P4", "P5", "P6", "P7"}) {
		t.Errorf("the game has %v", got)
	}
}
