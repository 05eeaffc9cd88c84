package server

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/rulesets"
	"github.com/mafiabox/mafiabox/server/store"
)

// TestRegulation: a club saves its sport regulation under a name, copies it,
// changes the copy and picks one; that one is what the pages show and the record
// holds, and a game that has begun keeps the values that it began with.
func TestRegulation(t *testing.T) {
	b, _ := open(t, store.Memory())
	t.Cleanup(func() { b.Close() })
	table := b.Tables()[0]
	host := &browser{T: t, b: b}
	b.codes[table.id] = "SESAME"
	host.must("POST", "/host", 303, "code", "SESAME")
	form := func(path string, pairs ...string) { t.Helper(); host.must("POST", "/t/1/host/"+path, 303, pairs...) }
	console := func() string { return host.must("GET", "/t/1/host", 200) }

	form("rules", "rules", "sport")
	for i := range 10 {
		form("people", "do", "add", "name", fmt.Sprint("P", i+1))
	}
	form("options", "split_s", "20", "third_foul", "speech_30")
	form("sets", "do", "keep", "name", "League")
	if page := console(); !strings.Contains(page, "Sport mafia · League") {
		t.Error("the lobby does not show the regulation that is played")
	}
	form("options", "split_s", "45")
	if page := console(); strings.Contains(page, "Sport mafia · League") {
		t.Error("a regulation that was changed goes under its old name")
	}
	form("sets", "do", "keep", "name", "Our club")
	form("sets", "do", "use", "name", "League")
	if set := table.now.Load().doc.Options["sport"]; set["split_s"] != "20" || set["third_foul"] != "speech_30" {
		t.Errorf("League is %v", set)
	}
	form("sets", "do", "use", "name", "Our club")
	form("deal", "by", "box")
	// The game that is on keeps what it began with, whatever becomes of the set.
	form("sets", "do", "keep", "name", "Our club") // as it is
	form("sets", "do", "drop", "name", "Our club")
	if status, _ := host.ask("POST", "/t/1/host/options", map[string][]string{"split_s": {"60"}}); status != 422 {
		t.Errorf("an option is changed in a game: %d", status)
	}
	rec := host.must("GET", "/t/1/host/record.mafia", 200)
	for _, want := range []string{"Our club", "set split_s 45", "set third_foul speech_30", "rules sport"} {
		if !strings.Contains(rec, want) {
			t.Errorf("the record does not say %q:\n%s", want, rec)
		}
	}
	if !strings.Contains(console(), "Sport mafia · Our club") || table.now.Load().game.Setup().Options["split_s"] != "45" {
		t.Error("the game is not shown or not played by the regulation that was picked")
	}
	// Another game has its own options, and the other's are there again later.
	form("act", "verb", "end")
	form("next")
	form("rules", "rules", "gangs")
	form("rules", "rules", "sport")
	if set := table.now.Load().doc.Options["sport"]; set["split_s"] != "45" {
		t.Errorf("sport's options are %v", set)
	}
	host.must("POST", "/t/1/host/rules", 422, "rules", "chess")
}

// TestTeamDefeat: after a disqualification the judge finds the defeat of the
// team among the offers, though the game waits for nothing.
func TestTeamDefeat(t *testing.T) {
	b, _ := open(t, store.Memory())
	t.Cleanup(func() { b.Close() })
	table, rules := b.Tables()[0], rulesets.All[slices.IndexFunc(rulesets.All, func(r engine.Ruleset) bool { return r.ID() == "sport" })]
	offered := func() bool {
		p := b.hostPage(table, table.now.Load(), words{b.texts.in("en")}, "", 0)
		return slices.ContainsFunc(p.Offers, func(o offerView) bool {
			return o.Verb == engine.Rule && len(o.Words) == 1 && strings.Contains(o.Words[0].Label, "Defeat")
		})
	}
	err := table.Do("", func(d *draft) error {
		d.setRules(rulesets.All, rules.ID())
		for i := range 10 {
			d.join(rules, device(i+1), "P", 0)
		}
		return d.deal(rules, rules.Cast(10))
	})
	if err != nil || offered() {
		t.Fatal("offered too early", err)
	}
	for i, a := range []engine.Act{{By: engine.Host, Verb: engine.Night}, {By: engine.Host, Verb: engine.Close}, {By: engine.Host, Verb: engine.Dawn}, {By: engine.Host, Verb: engine.Disqualify, Seats: []engine.Seat{1}}} {
		does := []string{"The agreement has 60 seconds", "Free seating has 20 seconds", "Who is out is announced", "The word and the clock"}[i]
		if p := b.hostPage(table, table.now.Load(), words{b.texts.in("en")}, "", 0); p.Next == nil || !strings.Contains(p.Next.Does, does) {
			t.Errorf("before %s the console says %+v", a.Verb, p.Next)
		}
		if err := act(table, "", a); err != nil {
			t.Fatal(a, err)
		}
	}
	if !offered() {
		t.Fatal("the defeat of the team is not offered")
	}
	if err := act(table, "", engine.Act{By: engine.Host, Verb: engine.Rule, Word: "team-defeat"}); err != nil || table.now.Load().game.Seen(engine.All).Winner != "town" {
		t.Error("the other team has not won", err)
	}
}

// TestLetters: what is written in a gang's channel stands on the partner's page
// and on no other, whoever writes; and the longest letters fit into everybody's page.
func TestLetters(t *testing.T) {
	b, _ := open(t, store.Memory())
	t.Cleanup(func() { b.Close() })
	table := b.Tables()[0]
	rules, _ := rulesets.Find(rulesets.All, "gangs")
	err := table.Do("", func(d *draft) error {
		d.setRules(rulesets.All, rules.ID())
		for name, value := range map[string]string{"gang_channel": "always", "gang_knows": "each_other", "first_night_shots": "turn", "shot_by": "either", "killed_asks": "yes"} {
			if err := d.setOption(rules, name, value); err != nil {
				return err
			}
		}
		for i := range 12 {
			d.join(rules, device(i+1), fmt.Sprint("P", i+1), 0)
		}
		return d.deal(rules, rules.Cast(12)) // 1 and 2 are the Irish
	})
	if err != nil {
		t.Fatal(err)
	}
	page := func(seat engine.Seat) string {
		m := table.now.Load()
		text, err := b.draw("seat", b.seatPage(table, m, words{b.texts.in("ru")}, seat))
		if err != nil {
			t.Fatal(err)
		}
		if len(text) > pageSize(m) {
			t.Errorf("seat %d's page has %d bytes, and all are given %d", seat, len(text), pageSize(m))
		}
		return string(text)
	}
	for _, verb := range []engine.Verb{"", engine.Night} {
		if verb != "" {
			if err := act(table, "", engine.Act{By: engine.Host, Verb: verb}); err != nil {
				t.Fatal(err)
			}
		}
		for i, text := range []string{strings.Repeat("&", engine.TextMax), strings.Repeat("+", engine.TextMax), strings.Repeat("&", engine.TextMax), strings.Repeat("😀", engine.TextMax), "meet me, partner"} {
			if err := act(table, "", engine.Act{By: 1, Verb: engine.Whisper, Word: "gang", Text: text}); err != nil {
				t.Fatal(i, err)
			}
		}
		for seat := engine.Seat(1); seat <= 12; seat++ {
			text := page(seat)
			if has := strings.Contains(text, "meet me, partner"); has != (seat <= 2) {
				t.Errorf("%s: seat %d has the letter: %v", verb, seat, has)
			}
			if !strings.Contains(text, `id="f-whisper"`) {
				t.Errorf("%s: seat %d can't write: who is in no gang shows it by that", verb, seat)
			}
		}
	}
}
