package server

import (
	"encoding/base64"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/record"
	"github.com/mafiabox/mafiabox/engine/rulesets"
	"github.com/mafiabox/mafiabox/server/store"
)

// TestPagesFit plays the longest pages that there can be: twenty seats, names as
// long as they may be when written in HTML, and roles that learn something each
// night. Every page of a seat must fit into the size that all are given.
func TestPagesFit(t *testing.T) {
	b, _ := open(t, store.Memory())
	defer b.Close()
	table := b.Tables()[0]
	for _, nights := range []int{1, 25} {
		if testing.Short() && nights > 1 {
			continue
		}
		for _, name := range []string{strings.Repeat("&", 24), strings.Repeat("+", 25), "Anna"} {
			for _, seats := range []int{5, 12, 20, 40} {
				var long []*moment
				if nights == 1 {
					long = longDays(t, seats, name)
				}
				if seats <= 20 {
					long = append(long, longGame(t, seats, name, nights)...)
				}
				for _, m := range long {
					for _, lang := range []string{"en", "ru"} {
						want := pageSize(m)
						most := 0
						for seat := range seats {
							p := b.seatPage(table, m, words{b.texts.in(lang)}, engine.Seat(seat+1))
							p.Ticket = "ABCDEFGH"
							page, err := b.draw("seat", p)
							if err != nil {
								t.Fatal(err)
							}
							most = max(most, len(page))
						}
						for host, from := range map[int]engine.Seat{99: 0, 0: 3} { // the second plays, too
							console, err := b.draw("host", b.hostPage(table, m, words{b.texts.in(lang)}, device(host), from))
							if err != nil || night(m) && len(console) > hostSize(m) {
								t.Errorf("%d nights, %d seats, %q, %s, %v: a console of %d bytes in one of %d %v", nights, seats, name, lang, m.game.Phase(), len(console), hostSize(m), err)
							}
						}
						if most > want {
							t.Errorf("%d nights, %d seats, %q, %s: %d bytes in a page of %d", nights, seats, name, lang, most, want)
						}
					}
				}
			}
		}
	}
}

// longDays is a game of days with as much to tell in each phase as there may be.
func longDays(t *testing.T, seats int, name string) (moments []*moment) {
	rules, _ := rulesets.Find(rulesets.All, "forum")
	d := doc{Rules: rules.ID(), Stage: playing, Game: 1, Led: 2, Opened: true}
	for i := range seats {
		d.People = append(d.People, person{Name: name, Device: device(i)})
		for range heldOfSeat {
			a := engine.Act{By: engine.Actor(i + 1), Verb: engine.Vote, Seats: []engine.Seat{1}, At: monday, Via: engine.ByPhone}
			d.Held = append(d.Held, heldAct{Seat: engine.Seat(i + 1), Line: record.FormatAct(a), Late: true, Told: time.Now()})
		}
	}
	game, _, err := engine.Begin(rules, engine.Setup{Seats: seats, Roles: rules.Cast(seats), Names: d.names(), Start: monday})
	if err != nil {
		t.Fatal(err)
	}
	for _, votes := range []bool{true, true, false} {
		for i := 0; i < seats && votes && game.Phase().Name != engine.Nights; i++ {
			for _, a := range []engine.Act{{Verb: engine.Vote, Seats: []engine.Seat{engine.Seat(seats - i%2)}}, {Verb: engine.Whisper, Word: "host", Text: strings.Repeat("&", engine.TextMax)}} {
				a.By = engine.Actor(i + 1)
				next, _, err := game.Do(a)
				if err != nil {
					t.Fatal(a, err)
				}
				game = next
			}
		}
		moments = append(moments, &moment{doc: d, game: game})
		next, _, err := game.Do(engine.Act{By: engine.Clock, Verb: engine.Advance, Moment: game.Due()})
		if err != nil {
			t.Fatal(err)
		}
		game = next
		moments = append(moments, &moment{doc: d, game: game})
	}
	return moments
}

// longGame is a game after so many nights without an exit, at each of its phases.
func longGame(t *testing.T, seats int, name string, nights int) (moments []*moment) {
	rules := rulesets.All[0]
	d := doc{Rules: rules.ID(), Stage: playing, Game: 1, Led: 2, Opened: true}
	for i := range seats {
		d.People = append(d.People, person{Name: name, Device: device(i)})
	}
	cast := rules.Cast(seats)
	options := map[string]string{"peek": "always", "open_vote": "yes"}
	game, _, err := engine.Begin(rules, engine.Setup{Seats: seats, Roles: cast, Options: options})
	if err != nil {
		t.Fatal(err)
	}
	do := func(a engine.Act) {
		t.Helper()
		next, _, err := game.Do(a)
		if err != nil {
			t.Fatalf("%v: %v", a, err)
		}
		game = next
	}
	keep := func() { moments = append(moments, &moment{doc: d, game: game}) }
	keep()
	for range nights {
		do(engine.Act{By: engine.Host, Verb: engine.Night})
		for i := range seats {
			for _, o := range game.Offers(engine.Actor(i + 1)) {
				if o.Now == engine.Open && o.Max > 0 && o.Verb != engine.Shoot && o.Verb != engine.Attack {
					do(engine.Act{By: engine.Actor(i + 1), Verb: o.Verb, Seats: o.Seats[len(o.Seats)-o.Max:]})
				}
			}
		}
		keep()
		do(engine.Act{By: engine.Host, Verb: engine.Close})
		keep()
		do(engine.Act{By: engine.Host, Verb: engine.Dawn})
		keep()
	}
	for i := range seats {
		do(engine.Act{By: engine.Host, Verb: engine.Warn, Seats: []engine.Seat{engine.Seat(i + 1)}, Text: strings.Repeat("&", 500)})
		do(engine.Act{By: engine.Host, Verb: engine.Warn, Seats: []engine.Seat{engine.Seat(i + 1)}, Text: strings.Repeat("&", 500)})
		do(engine.Act{By: engine.Actor(i + 1), Verb: engine.Nominate, Seats: []engine.Seat{engine.Seat(i + 1)}})
	}
	keep()
	do(engine.Act{By: engine.Host, Verb: engine.Vote})
	for i := range seats {
		do(engine.Act{By: engine.Actor(i + 1), Verb: engine.Vote, Seats: []engine.Seat{engine.Seat(i + 1)}})
	}
	keep()
	do(engine.Act{By: engine.Host, Verb: engine.Close})
	keep()
	return moments
}

// TestMomentsCountNoSecrets: what names a moment in everybody's forms is the same
// however often a seat changed its mind at night.
func TestMomentsCountNoSecrets(t *testing.T) {
	var of [2][]string
	for i, changes := range []int{1, 9} {
		_, table, _ := dealt(t, store.Memory(), 7)
		do := func(a engine.Act) {
			t.Helper()
			if err := act(table, "", a); err != nil {
				t.Fatal(err)
			}
			of[i] = append(of[i], table.now.Load().of())
		}
		do(engine.Act{By: engine.Host, Verb: engine.Night})
		for range changes {
			do(waits(1))
			of[i] = of[i][:len(of[i])-1]
		}
		for _, verb := range []engine.Verb{engine.Close, engine.Dawn, engine.Night, engine.Replay} {
			do(engine.Act{By: engine.Host, Verb: verb})
		}
	}
	if !slices.Equal(of[0], of[1]) {
		t.Errorf("moments of one game are %v, of another %v", of[0], of[1])
	}
}

// TestSlowCard: where storing takes longer than a tick, answers still don't tell
// by their moment what was stored.
func TestSlowCard(t *testing.T) {
	s := &flaky{Store: store.Memory()}
	b, table, _ := dealt(t, s, 6)
	p := &browser{T: t, b: b}
	p.ask("GET", "/", nil)
	_, value, _ := strings.Cut(p.cookie, "=")
	token, err := base64.RawURLEncoding.DecodeString(value)
	if err != nil {
		t.Fatal(err)
	}
	if err := table.Do("", func(d *draft) error { d.doc.People[0].Device, d.dirty = hash(token), true; return nil }); err != nil {
		t.Fatal(err)
	}
	if err := act(table, "", engine.Act{By: engine.Host, Verb: engine.Night}); err != nil {
		t.Fatal(err)
	}
	s.set(false, 300*time.Millisecond)
	if err := act(table, "", waits(2)); err != nil { // the first that is slow is known by itself alone
		t.Fatal(err)
	}
	took := func(form url.Values) time.Duration {
		began := time.Now()
		p.ask("POST", "/t/1/night", form)
		return time.Since(began)
	}
	stored := took(url.Values{"do": {"none"}})
	refused := took(url.Values{"do": {"send"}, "p1": {"00"}, "p2": {"00"}})
	if apart := stored - refused; apart.Abs() > answerTick/2 {
		t.Errorf("what is stored is answered after %v, what is refused after %v", stored, refused)
	}
}
