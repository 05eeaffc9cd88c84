package server

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
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
	l := b.lobbyView(table, table.now.Load(), w)
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

// deviceIn is the device of a browser, by its cookie.
func deviceIn(br *browser) string {
	_, value, _ := strings.Cut(br.cookie, "=")
	token, err := base64.RawURLEncoding.DecodeString(value)
	if err != nil || len(token) == 0 {
		br.Fatal("it has no cookie", err)
	}
	return hash(token)
}

// TestFromTableToTable: whatever comes between, who goes to another table has one
// seat, and nobody is dealt two roles.
func TestFromTableToTable(t *testing.T) {
	s := besiege(t)
	one, two := s.b.Tables()[0], s.b.Tables()[1]
	anna := s.stranger
	device := deviceIn(anna)
	seats := func() [2]engine.Seat {
		return [2]engine.Seat{one.now.Load().doc.seatOf(device), two.now.Load().doc.seatOf(device)}
	}
	was := engine.Seat(len(one.now.Load().doc.People) + 1)
	want := func(what string, want [2]engine.Seat) {
		t.Helper()
		if got := seats(); got != want {
			t.Errorf("%s: she sits at %v, want %v", what, got, want)
		}
	}
	anna.must("POST", "/j/"+one.Code(), 303, "name", "Anna")
	want("first", [2]engine.Seat{was, 0})
	anna.must("POST", "/j/"+two.Code(), 303, "name", "Anna", "leave", "1")
	form := anna.forms
	want("moved", [2]engine.Seat{0, 1})
	anna.must("POST", "/j/"+one.Code(), 303, "name", "Anna", "leave", "2")
	want("back", [2]engine.Seat{was, 0})
	anna.forms = form - 1 // the same form once more
	anna.must("POST", "/j/"+two.Code(), 303, "name", "Anna", "leave", "1")
	anna.forms = 100
	want("after a form that came twice", [2]engine.Seat{was, 0})

	// As after a plug that was pulled between the two.
	rules := s.b.rules(one.now.Load().doc)
	sit := func(table *Table, device string) error {
		return table.Do("", func(d *draft) error { return d.join(rules, device, "Anna", 0) })
	}
	if err := sit(two, device); err != nil {
		t.Fatal(err)
	}
	var p problem
	if err := one.Do("", func(d *draft) error { return d.deal(rules, nil) }); !errors.As(err, &p) || p.Key != "sits_twice" {
		t.Error("who sits at two tables is dealt in:", err)
	}
	if l := s.b.lobbyView(one, one.now.Load(), words{s.b.texts.in("en")}); !strings.Contains(l.Problem, "sits at table "+two.Code()+", too") {
		t.Errorf("the lobby says %q", l.Problem)
	}
	if err := two.Do("", func(d *draft) error { return d.part(1) }); err != nil {
		t.Fatal(err)
	}

	// A game that is over keeps nobody, and the next there is without her.
	end := func(d *draft) error {
		return errors.Join(d.deal(rules, nil), d.act(engine.Act{By: engine.Host, Verb: engine.End}))
	}
	if err := one.Do("", end); err != nil {
		t.Fatal(err)
	}
	anna.must("POST", "/j/"+two.Code(), 303, "name", "Anna")
	if err := one.Do("", (*draft).next); err != nil {
		t.Fatal(err)
	}
	want("after the game", [2]engine.Seat{0, 1})

	// A table that is frozen keeps nobody either.
	two.Do("", func(*draft) error { panic("a bug") })
	anna.must("POST", "/j/"+one.Code(), 303, "name", "Anna")
	if one.now.Load().doc.seatOf(device) == 0 {
		t.Error("a frozen table keeps its people")
	}
}

// TestOneSeatOfTwo: a phone that asks for a seat at two tables at once gets one.
func TestOneSeatOfTwo(t *testing.T) {
	s := besiege(t)
	one, two := s.b.Tables()[0], s.b.Tables()[1]
	for range 30 {
		who := &browser{T: t, b: s.b}
		who.must("GET", "/", 200)
		var both sync.WaitGroup
		for i, table := range []*Table{one, two} {
			page := &browser{T: t, b: s.b, cookie: who.cookie, forms: 10 * i}
			both.Go(func() { page.ask("POST", "/j/"+table.Code(), url.Values{"name": {"Anna"}}) })
		}
		both.Wait()
		device := deviceIn(who)
		if a, b := one.now.Load().doc.seatOf(device), two.now.Load().doc.seatOf(device); (a != 0) == (b != 0) {
			t.Fatalf("it sits at %d and at %d", a, b)
		}
		for _, table := range []*Table{one, two} {
			table.Do("", func(d *draft) error { return d.part(d.doc.seatOf(device)) })
		}
	}
}

// TestShutLobby: once the host lets nobody in, no phone gets a seat, and he may
// still add who has none.
func TestShutLobby(t *testing.T) {
	s := besiege(t)
	table := s.b.Tables()[0]
	was := table.now.Load().doc.seated()
	s.host.must("POST", "/t/1/host/people", 303, "do", "shut")
	if page := s.stranger.must("POST", "/j/"+table.Code(), 422, "name", "Late"); !strings.Contains(page, "lets nobody in now") {
		t.Error(page)
	}
	if page := s.stranger.must("GET", "/j/"+table.Code(), 200); !strings.Contains(page, "this page lets you in") || strings.Contains(page, "<form") {
		t.Error(page)
	}
	s.host.must("POST", "/t/1/host/people", 303, "do", "add", "name", "Grandma")
	s.host.must("POST", "/t/1/host/people", 303, "do", "open")
	s.stranger.must("POST", "/j/"+table.Code(), 303, "name", "Late")
	if n := table.now.Load().doc.seated(); n != was+2 {
		t.Errorf("%d sit there, want %d", n, was+2)
	}
}

// TestOldCode: pages of another evening that are still open are no guesses, and
// what is kept for those who never come back has an end.
func TestOldCode(t *testing.T) {
	s := besiege(t)
	table := s.b.Tables()[0]
	old := table.Code()
	if err := table.Do("", func(d *draft) error { return d.newCode(s.b) }); err != nil {
		t.Fatal(err)
	}
	for range 3 * guessBurst {
		s.stranger.must("GET", "/j/"+old, 404)
	}
	s.stranger.must("GET", "/j/"+table.Code(), 200)
	for i := range 3 * maxTold {
		s.b.tell(device(i)+fmt.Sprint(i), answer{err: say("join_playing")})
	}
	if n := len(s.b.told); n > maxTold {
		t.Errorf("%d answers wait for pages that nobody asks for", n)
	}
}
