package server

import (
	"encoding/json"
	"fmt"
	"html"
	"strings"
	"testing"

	"github.com/mafiabox/mafiabox/engine/record"
	"github.com/mafiabox/mafiabox/engine/rulesets"
	"github.com/mafiabox/mafiabox/engine/sheet"
)

// oddNames try a page and a file.
var oddNames = []string{`"Q" & 'q'`, "<b>Bob</b>", "👩‍👩‍👧‍👦", "محمد", "דוד", `a\b`, "Олег", "</script>", "x+y", "{{.}}", "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW", "Jo"}

// atTable deals the usual cast of those rules, in its order, to odd names.
func (s *siege) atTable(rules string, options ...string) {
	s.Helper()
	s.host.must("POST", "/t/1/host/people", 303, "do", "evening")
	s.host.must("POST", "/t/1/host/rules", 303, "rules", rules)
	if len(options) > 0 {
		s.host.must("POST", "/t/1/host/options", 303, options...)
	}
	r, _ := rulesets.Find(rulesets.All, rules)
	most, _ := r.Seats()
	deal := []string{"by", "hand"}
	for i, role := range r.Cast(most) {
		if i == 0 {
			s.player.must("POST", "/j/"+s.b.Tables()[0].Code(), 303, "name", oddNames[0])
		} else {
			s.host.must("POST", "/t/1/host/people", 303, "do", "add", "name", oddNames[i])
		}
		deal = append(deal, fmt.Sprint("role", i+1), string(role))
	}
	s.host.must("POST", "/t/1/host/deal", 303, deal...)
}

// acts does acts as a record writes them.
func (s *siege) acts(lines string) {
	s.Helper()
	for _, line := range strings.Split(lines, "; ") {
		a, err := record.ParseAct(line, 12)
		if err == nil {
			err = act(s.b.Tables()[0], "", a)
		}
		if err != nil {
			s.Fatalf("%s: %v", line, err)
		}
	}
}

const sportGame = "host night; host dawn; host foul 5; host speech 5; 5 nominate 6; host speech 6; 6 nominate 7; host vote; host votes 6: 1 2 3 4 5 8; host close; " +
	"host night; 1 shoot 9; 2 shoot 9; 3 shoot 9; 3 seek 4; 4 check 2; host dawn; 9 bestmove 1 2 3; host night; 1 shoot 10; 2 shoot 10; 3 shoot 10; host dawn; host night; 1 shoot 8; 2 shoot 8; 3 shoot 8; host dawn"

// TestSheet: a finished game of either rule system with that day has its sheet
// in both languages, for its host alone and not before the end.
func TestSheet(t *testing.T) {
	s := besiege(t)
	sheetPath, jsonPath := "/t/1/host/sheet", "/t/1/host/game.json"
	refused := func(when string, status int) {
		t.Helper()
		for _, path := range []string{sheetPath, jsonPath} {
			got, body := s.host.ask("GET", path, nil)
			if got != status || strings.Contains(body, `class="seats"`) || strings.Contains(body, `"players"`) {
				t.Errorf("%s: %s has status %d", when, path, got)
			}
		}
		if page := s.host.must("GET", "/t/1/host", 200); strings.Contains(page, sheetPath) || strings.Contains(page, jsonPath) {
			t.Errorf("%s: the console leads there", when)
		}
	}
	refused("in the lobby", 404)
	s.night()
	refused("in another game", 404)
	s.acts("host end")
	refused("after another game", 404)
	s.host.must("POST", "/t/1/host/next", 303)

	for rules, c := range map[string]struct {
		options []string
		acts    string
		en, ru  []string
	}{
		"sport": {nil, sportGame,
			[]string{"Judge&#39;s sheet", "Sport mafia", "Victory: Mafia", "5\u2009→\u20096", "1\u2009→\u20099", ">1 2 3<", "black", "voted out", "Don"},
			[]string{"Бланк игры", "Лучший ход", "Н1", "Д0", "Шериф"}},
		"gangs": {[]string{"first_night_shots", "both", "shot_by", "leader", "gang_knows", "each_other", "killed_asks", "yes"},
			"host speech 5; 5 nominate 6; host speech 6; 6 nominate 7; host vote; host close; host night; 1 shoot 8; 3 shoot 9; 5 check 1 3; host dawn; host end",
			[]string{"Irish and Italians", "Irish Boss", "1\u00a0Irish,", "without a result", "N1"},
			[]string{"Бланк игры", "Ночь", "Гангстер"}},
	} {
		s.atTable(rules, c.options...)
		refused(rules+" before it has begun", 422)
		some := strings.LastIndex(c.acts, "; ")
		s.acts(c.acts[:some])
		refused(rules+" before the end", 422)
		s.acts(c.acts[some+2:])
		for lang, wants := range map[string][]string{"en": c.en, "ru": c.ru} {
			page := s.host.must("GET", sheetPath+"?lang="+lang, 200)
			for _, want := range wants {
				if !strings.Contains(page, want) && !strings.Contains(page, html.UnescapeString(want)) {
					t.Errorf("%s in %s: no %q in\n%s", rules, lang, want, page)
				}
			}
			seats := s.b.Tables()[0].now.Load().game.Setup().Seats
			for _, name := range oddNames[:seats] {
				if !strings.Contains(page, "<bdi>"+html.EscapeString(name)+"</bdi>") && !strings.Contains(html.UnescapeString(page), "<bdi>"+name+"</bdi>") {
					t.Errorf("%s in %s: no %q", rules, lang, name)
				}
			}
			if strings.Contains(page, "<b>Bob") || strings.Contains(page, "<td class=\"name\"><bdi></script>") {
				t.Errorf("%s in %s: a name is markup", rules, lang)
			}
		}
		for name, who := range map[string]*browser{"nobody": s.nowhere, "a stranger": s.stranger, "a seat": s.player, "another table's host": s.other, "the screen": s.screen} {
			for _, path := range []string{sheetPath, jsonPath} {
				if status, body := who.ask("GET", path, nil); status != 303 || strings.Contains(body, "Bob") {
					t.Errorf("%s of %s by %s: status %d", path, rules, name, status)
				}
			}
		}
		console := s.host.must("GET", "/t/1/host?lang=en", 200)
		if !strings.Contains(console, sheetPath) || strings.Contains(console, jsonPath) != (rules == "sport") {
			t.Errorf("%s: the console does not lead to what there is", rules)
		}
		if rules == "gangs" {
			s.host.must("GET", jsonPath, 404)
		} else {
			var e sheet.Export
			if err := json.Unmarshal([]byte(s.host.must("GET", jsonPath, 200)), &e); err != nil || e.Winner != "maf" || e.Language != "en" || e.Start == "" || len(e.Players) != 10 {
				t.Errorf("the export is %+v (%v)", e, err)
			}
			for i, p := range e.Players {
				if p.Name != oddNames[i] {
					t.Errorf("player %d is called %q", i+1, p.Name)
				}
			}
		}
		s.host.must("POST", "/t/1/host/next", 303)
	}
	s.atTable("sport")
	s.acts(strings.Replace(sportGame, "host speech 5; 5 nominate 6; host speech 6; 6 nominate 7", "host speech 6; 6 nominate 7; host speech 5; 5 nominate 6", 1))
	if page := s.host.must("GET", sheetPath, 200); !strings.Contains(page, "stood on D0:") || strings.Contains(s.host.must("GET", jsonPath, 200), "nominating") {
		t.Errorf("an order that the form can't tell: it is not said, or told wrong\n%s", page)
	}
	s.host.must("POST", "/t/1/host/next", 303)
	s.atTable("sport")
	s.acts("host night; host end")
	s.host.must("GET", sheetPath, 200)
	s.host.must("GET", jsonPath, 422)
}

// TestLongSheet: however long a game is, its sheet has an end.
func TestLongSheet(t *testing.T) {
	s := besiege(t)
	s.atTable("sport", "draw_after", "off")
	s.acts("host night; host dawn")
	for range 40 {
		s.acts("host night; host dawn")
	}
	s.acts("host night; 1 shoot 9; 2 shoot 9; 3 shoot 9; host dawn" + strings.Repeat("; host foul 9", 30))
	s.acts("host end")
	page := s.host.must("GET", "/t/1/host/sheet", 200)
	if !strings.Contains(page, "30 more rounds") || strings.Count(page, "<tr>") > 60 || strings.Contains(page, strings.Repeat(" D41", 8)) {
		t.Errorf("%d rows in\n%s", strings.Count(page, "<tr>"), page)
	}
}
