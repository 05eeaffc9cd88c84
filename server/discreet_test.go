package server

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/rulesets"
	"github.com/mafiabox/mafiabox/server/store"
)

var (
	heldPart = regexp.MustCompile(`(?s)<div hidden class="secret.*?</div>`) // a hold has no parts of its own
	actOrder = regexp.MustCompile(`(undo-|correct-|name="n" value=")\d+`)
)

// TestDiscreetConsole: a host who plays sees the same console, but for its
// holds, in two games that differ in nothing but the others' roles. In each of
// them all send the same forms, the host enters one of them and corrects another.
func TestDiscreetConsole(t *testing.T) {
	const me, seats = engine.Seat(3), 7
	b, _ := open(t, store.Memory())
	defer b.Close()
	w := words{b.texts.in("en")}
	rules, _ := rulesets.Find(rulesets.All, "boulevard")
	begin := func(roles ...engine.Role) *draft {
		game, _, err := engine.Begin(rules, engine.Setup{Seats: seats, Roles: roles})
		if err != nil {
			t.Fatal(err)
		}
		d := doc{Code: "ABCDE", Rules: rules.ID(), Stage: playing, Game: 1, Hosts: []string{device(int(me))}}
		for i := range seats {
			d.People = append(d.People, person{Name: fmt.Sprint("P", i+1), Device: device(i + 1)})
		}
		return &draft{moment: moment{doc: d, game: game}}
	}
	games := []*draft{
		begin("don", "mafia", "civilian", "commissioner", "doctor", "civilian", "civilian"),
		begin("doctor", "civilian", "civilian", "civilian", "mafia", "don", "commissioner"),
	}
	held := 0
	same := func(when string) {
		t.Helper()
		for from := range engine.Seat(seats + 1) {
			var open, whole [2]string
			for i, d := range games {
				whole[i] = string(pageOf(b, "host-main", b.hostPage(b.Tables()[0], &d.moment, w, device(int(me)), from)))
				open[i] = actOrder.ReplaceAllString(heldPart.ReplaceAllString(whole[i], ""), "$1")
			}
			if what := unlike([]byte(open[0]), []byte(open[1])); what != "" {
				t.Fatalf("%s, entering for %d:\n%s", when, from, what)
			}
			if strings.Contains(open[0], "record.mafia") {
				t.Errorf("%s: the record of a game that is on is offered", when)
			}
			if whole[0] != whole[1] {
				held++
			}
		}
	}
	do := func(acts func(engine.Game) ([]engine.Act, error)) {
		t.Helper()
		for _, d := range games {
			all, err := acts(d.game)
			for _, a := range all {
				if err == nil {
					err = d.act(a)
				}
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	host := func(verb engine.Verb) {
		t.Helper()
		do(func(engine.Game) ([]engine.Act, error) { return []engine.Act{{By: engine.Host, Verb: verb}}, nil })
	}
	same("the deal")
	host(engine.Night)
	same("the night")
	for seat := range engine.Seat(seats) {
		seat++
		do(func(g engine.Game) ([]engine.Act, error) {
			if seat == 7 {
				return enteredActs(g, seat, []engine.Seat{4, 2})
			}
			return nightActs(g.Seen(engine.Audience(seat)), seat, []engine.Seat{4, 2}), nil
		})
		same(fmt.Sprintf("seat %d has sent", seat))
	}
	host(engine.Close)
	same("the night is closed")
	do(func(g engine.Game) ([]engine.Act, error) { return enteredActs(g, 6, []engine.Seat{4, 5}) })
	same("a form is corrected")
	host(engine.Dawn)
	same("the morning")
	do(func(engine.Game) ([]engine.Act, error) {
		return []engine.Act{{By: 1, Verb: engine.Nominate, Seats: []engine.Seat{2}}, {By: engine.Host, Verb: engine.Vote}, {By: 5, Verb: engine.Vote, Seats: []engine.Seat{2}}}, nil
	})
	same("the vote")
	if held < 20 {
		t.Errorf("only %d pairs of pages differ behind their holds: the games are too much alike to prove anything", held)
	}
}

// TestDiscreetMorning: the choice that ends a night by itself is no label on the
// console of a host who plays. He finds the letters that are to him.
func TestDiscreetMorning(t *testing.T) {
	for _, last := range []string{"whack", "guess"} {
		p := inThread(t)
		p.host.must("POST", "/t/1/host/act", 303, "verb", "end")
		p.host.must("POST", "/t/1/host/next", 303)
		p.host.must("POST", "/j/"+p.table.Code(), 303, "name", "Gustav")
		roles := []string{"by", "hand"}
		for i, role := range []string{"mafia", "mafia", "inspector", "town", "town", "town", "town", "town"} {
			roles = append(roles, fmt.Sprint("role", i+1), role)
		}
		p.host.must("POST", "/t/1/host/deal", 303, roles...)
		for _, seat := range append(p.seats, p.host) {
			seat.must("POST", "/t/1/act", 303, "verb", "vote", "seat", "04")
		}
		p.clock.pass(24 * time.Hour)
		sends := map[string]int{"whack": 0, "guess": 2}
		for verb, seat := range sends {
			if verb != last {
				p.seats[seat].must("POST", "/t/1/night", 303, "p1", "05", "do", "send")
			}
		}
		p.seats[sends[last]].must("POST", "/t/1/night", 303, "p1", "05", "do", "send")
		if day := p.table.now.Load().game.Phase(); day != (engine.Phase{Name: engine.Day, N: 2}) {
			t.Fatalf("it is %v", day)
		}
		page := p.host.must("GET", "/t/1/host", 200)
		if open := heldPart.ReplaceAllString(page, ""); strings.Contains(open, last) || !strings.Contains(open, "The night has ended") {
			t.Errorf("%s: the log says who ended the night", last)
		}
		if !strings.Contains(page, `href="/t/1/host/letters"`) {
			t.Error("no way leads to the letters")
		}
	}
}
