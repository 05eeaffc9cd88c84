package sheet_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/sheet"
)

// names try the JSON.
var names = []string{`"Anna"`, "<b>Bob</b>", "😀", "محمد", `back\slash`, "Олег", "", "x", "y", "z"}

func exported(t testing.TB, s sheet.Sheet) (text []byte, g siteGame) {
	t.Helper()
	text, err := json.Marshal(s.Export(names, "en"))
	if err == nil {
		err = json.Unmarshal(text, &g)
	}
	if err != nil {
		t.Fatal(err)
	}
	return text, g
}

// objections are what a site has against a game, the checks' names first.
func objections(g siteGame) (all []string) {
	for _, name := range slices.Sorted(maps.Keys(siteChecks)) {
		if err := siteChecks[name](g); err != nil {
			all = append(all, fmt.Sprint(name, ": ", err))
		}
	}
	return all
}

// announced are the candidates of each day's vote as everybody heard them.
func announced(g engine.Game) map[int][]engine.Seat {
	all := make(map[int][]engine.Seat)
	phase, tied := engine.Phase{}, false
	for _, entry := range g.Course() {
		for _, e := range entry.Events {
			switch {
			case e.Kind == engine.PhaseIs:
				phase = engine.Phase{Name: e.Words[0], N: e.N}
				tied = phase.Name == engine.Split || tied && phase.Name == engine.Voting
			case e.Kind == engine.Candidates && phase.Name == engine.Voting && !tied:
				all[phase.N] = e.Seats
			}
		}
	}
	return all
}

// TestExports: a site takes the recorded games, and derives the order in which
// the candidates were announced.
func TestExports(t *testing.T) {
	games, orders := 0, 0
	for name, g := range recorded(t, "sport-games", "sport-random") {
		s := of(t, g)
		if !s.Exports() {
			continue
		}
		games++
		text, site := exported(t, s)
		for _, problem := range objections(site) {
			// In made-up games the judge leaves votes out, and clubs differ in whom the zero day puts out.
			if made := strings.HasPrefix(name, "sport-random"); !made || !strings.HasPrefix(problem, "complete") && !strings.HasPrefix(problem, "out: the votes of round 0 ") {
				t.Errorf("%s: %s", name, problem)
			}
		}
		for i, p := range site.Players {
			if p.Name != names[i] {
				t.Errorf("%s: player %d is called %q", name, i+1, p.Name)
			}
		}
		if !strings.Contains(site.Features, "n") {
			continue
		}
		var read sheet.Export
		if err := json.Unmarshal(text, &read); err != nil {
			t.Fatal(err)
		}
		for day, want := range announced(g) {
			orders++
			if got := read.Order(day, g.Setup().Options["first_speaker"] == "last_moves_on"); !slices.Equal(got, want) && !slices.Contains(s.Reordered(), day) {
				t.Errorf("%s: day %d: a site takes the order %v, announced was %v", name, day, got, want)
			}
		}
	}
	t.Logf("%d games, %d orders", games, orders)
	if games < 10 || orders < 20 {
		t.Errorf("only %d games with %d votes", games, orders)
	}
}

// begun is night 0 and its morning, shots three black who shoot at a seat.
const begun = "host night; host dawn; "

func shots(at int) string {
	return fmt.Sprintf("host night; 1 shoot %d; 2 shoot %d; 3 shoot %d; host dawn; ", at, at, at)
}

// TestOddGames: removals at each moment, splits and their hands, a lost team:
// what a site makes of them is what happened.
func TestOddGames(t *testing.T) {
	vote := "host speech 5; 5 nominate 6; host speech 6; 6 nominate 7; host vote; "
	tie := vote + "host votes 6: 1 2 3 4 5; host close; "
	fouls := "host foul 8; host foul 8; host foul 8; host foul 8; "
	next := shots(10) + "host speech 2; 2 nominate 9; host vote; "
	for name, c := range map[string]struct{ acts, want string }{
		"fouls before night 0":     {fouls + begun + "host vote; host night; host dawn", `"death":{"round":0,"type":"warnings","time":{"round":0,"time":"start"}}`},
		"fouls at night":           {begun + "host night; " + fouls + "host dawn; " + vote, `"round":1,"time":"night start"`},
		"fouls when it is closed":  {begun + "host night; 1 shoot 8; 2 shoot 8; 3 shoot 8; host close; " + fouls + "host dawn; " + vote + "host close", `"round":1,"time":"night end"`},
		"fouls in the morning":     {begun + fouls + vote, `"round":0,"time":"day start"`},
		"fouls in a last word":     {begun + shots(9) + fouls + vote, `"round":1,"time":"night kill speaking"`},
		"fouls in a speech":        {begun + "host speech 5; " + fouls, `"round":0,"time":"speaking","speaker":5`},
		"fouls in a vote":          {begun + vote + fouls, `"round":0,"time":"voting","votingRound":0`},
		"fouls in a split":         {begun + tie + "host speech 6; " + fouls, `"round":0,"time":"voting","votingRound":1,"speaker":6`},
		"fouls while all is asked": {begun + tie + "host vote; host votes 6: 6 7 8 9 10; host close; " + fouls, `"round":0,"time":"voting kill all","votingRound":1`},
		"fouls after a vote":       {begun + vote + "host close; " + fouls + next, `"round":0,"time":"day kill speaking","speaker":7`},
		"fouls after a stay":       {begun + "host vote; " + fouls + next, `"round":1,"time":"night start"`},
		"who has left is fouled":   {begun + vote + "host close; host foul 7; host foul 7; host foul 7; host foul 7", `"death":{"round":0,"type":"day"}`},
		"goes home":                {begun + "host leave 8", `"type":"giveUp"`},
		"is disqualified":          {begun + "host disqualify 8 \"\"", `"type":"kickOut"`},
		"and his team has lost":    {begun + "host disqualify 8 \"\"; host rule team-defeat", `"type":"teamKickOut"`},
		"all leave":                {begun + tie + "host vote; host votes 6: 6 7 8 9 10; host close; host raise 1 2 3 4 5 8; host close", `"voting":[[7,6,true]]`},
		"nobody leaves":            {begun + tie + "host vote; host votes 6: 6 7 8 9 10; host close; host raise 1 2 3; host close", `"voting":[[6,7,false]]`},
		"one of a split":           {begun + tie + "host vote; host close", `"voting":[[6,7]]`},
		"best move":                {begun + shots(9) + "9 bestmove 1 2", `"legacy":[1,2]`},
		"checks":                   {begun + "host night; 1 seek 9; 4 check 9; host close", `"don":1,"sheriff":1`},
	} {
		acts := strings.Split(strings.TrimSuffix(c.acts, "; "), "; ")
		s := of(t, played(t, map[string]string{"draw_after": "off"}, acts...))
		s.Drawn = s.Winner == "" // as far as it goes
		text, site := exported(t, s)
		if !strings.Contains(string(text), c.want) {
			t.Errorf("%s: no %s in %s", name, c.want, text)
		}
		for _, problem := range objections(site) {
			if !strings.HasPrefix(problem, "complete: no vote") {
				t.Errorf("%s: %s\n%s", name, problem, text)
			}
		}
	}
	g := played(t, map[string]string{"tech_fouls": "two_out"}, strings.Split(begun+"host foul 8 technical; host foul 8 technical", "; ")...)
	if text, site := exported(t, of(t, g)); !strings.Contains(string(text), `"type":"techFouls"`) || siteChecks["fouls"](site) != nil {
		t.Errorf("technical fouls: %s", text)
	}
}

// TestReordered: where a site would take another order of candidates the export
// has no nominations, and says so; by itself a changed rotation is no reason.
func TestReordered(t *testing.T) {
	turn := "host speech 5; 5 nominate 6; host speech 6; 6 nominate 7; host vote; host votes 6: 1 2 3 4 5 8; host close; "
	for name, c := range map[string]struct {
		option, value, acts string
		days                []int
	}{
		"in turn":                    {"draw_after", "off", begun + turn, nil},
		"out of turn":                {"draw_after", "off", begun + "host speech 6; 6 nominate 7; host speech 5; 5 nominate 6; host vote; host close", []int{0}},
		"out of turn without a vote": {"draw_after", "off", begun + "host speech 6; 6 nominate 7; host speech 5; 5 nominate 6", nil},
		"another begins":             {"draw_after", "off", begun + "host speech 6; 6 nominate 7; host speech 10; host speech 5; 5 nominate 6; host vote; host close", []int{0}},
		"who was shot nominates":     {"victim_nominates", "yes", begun + shots(5) + "5 nominate 6; host vote; host close", []int{1}},
		"withdrawn":                  {"withdraw", "explicit", begun + "host speech 5; 5 nominate 6; 5 withdraw; 5 nominate 8; host speech 6; 6 nominate 7; host vote; host close", nil},
		"one seat more":              {"first_speaker", "last_moves_on", begun + "host speech 1; host speech 10; host night; 1 shoot 1; 2 shoot 1; 3 shoot 1; host dawn; host speech; 3 nominate 4; host speech; 4 nominate 3; host vote; host close", nil},
		"both ends of a round left":  {"first_speaker", "last_moves_on", begun + "host speech 1; host speech 5; 5 nominate 10; host speech 6; 6 nominate 7; host speech 10; host vote; host votes 10: 1 2 3 4 5 6; host close; " + shots(1) + "host speech; 2 nominate 4; host speech; 3 nominate 5; host vote; host close", []int{1}},
	} {
		s := of(t, played(t, map[string]string{c.option: c.value}, strings.Split(strings.TrimSuffix(c.acts, "; "), "; ")...))
		if got := s.Reordered(); !slices.Equal(got, c.days) {
			t.Errorf("%s: days %v, want %v", name, got, c.days)
		}
		text, site := exported(t, s)
		if whole := strings.Contains(site.Features, "n"); whole != (c.days == nil) || !whole && strings.Contains(string(text), "nominating") {
			t.Errorf("%s: features %q, %s", name, site.Features, text)
		}
	}
}

// TestNoExport: an abandoned game has none.
func TestNoExport(t *testing.T) {
	if s := of(t, played(t, nil)); s.Exports() {
		t.Error("an abandoned game has an export")
	}
}

// TestChecksObject: each check sees its own damage in a good game.
func TestChecksObject(t *testing.T) {
	vote := "host speech 5; 5 nominate 6; host speech 6; 6 nominate 7; host vote; host votes 6: 1 2 3 4 5; host close; host vote; host votes 6: 1 2 3 4 5 8; host close; "
	fouls := "host foul 8; host foul 8; host foul 8; host foul 8; "
	acts := begun + vote + shots(9) + "9 bestmove 1 2; " + fouls + shots(10)
	s := of(t, played(t, nil, strings.Split(strings.TrimSuffix(acts, "; "), "; ")...))
	if _, site := exported(t, s); len(objections(site)) > 0 || s.Winner != "mafia" {
		t.Fatal(s.Winner, objections(site))
	}
	two, nine := 2, 9
	for name, damage := range map[string]struct {
		check string
		do    func(siteGame)
	}{
		"a second don":              {"roles", func(g siteGame) { g.Players[1].Role = "don" }},
		"a red one shoots":          {"roles", func(g siteGame) { g.Players[6].Shooting = []*int{&two} }},
		"the dead nominate":         {"dead", func(g siteGame) { g.Players[8].Nominating = []*int{nil, &two} }},
		"the dead are nominated":    {"dead", func(g siteGame) { g.Players[3].Nominating = []*int{nil, nil, &nine} }},
		"the dead vote":             {"dead", func(g siteGame) { g.Players[5].Voting = append(g.Players[5].Voting, nil, 4.0) }},
		"the dead shoot":            {"dead", func(g siteGame) { g.Players[0].Death = &siteDeath{Round: 1, Type: "night"} }},
		"the dead check":            {"dead", func(g siteGame) { g.Players[3].Death, g.Players[0].Sheriff = &siteDeath{Round: 0, Type: "day"}, 2 }},
		"four fouls and lives":      {"fouls", func(g siteGame) { g.Players[7].Death = nil }},
		"three fouls and dies":      {"fouls", func(g siteGame) { g.Players[7].Warnings = g.Players[7].Warnings[:3] }},
		"dies before the last foul": {"fouls", func(g siteGame) { g.Players[7].Death.Round = 0 }},
		"a foul at no time":         {"fouls", func(g siteGame) { g.Players[0].Warnings = []siteTime{{Round: 1, Time: "noon"}} }},
		"the red win": {"winner", func(g siteGame) {
			g.Players[9].Death, g.Players[8].Death, g.Players[5].Death = nil, nil, nil
		}},
		"a vote for nobody's choice": {"candidates", func(g siteGame) { g.Players[0].Voting[0] = []any{8.0, 6.0} }},
		"a split among others":       {"candidates", func(g siteGame) { g.Players[0].Voting[0] = []any{6.0, 5.0} }},
		"a split after a decision":   {"candidates", func(g siteGame) { g.Players[0].Voting[0] = []any{6.0, 6.0, 6.0} }},
		"voted out and lives":        {"out", func(g siteGame) { g.Players[5].Death = nil }},
		"another is out":             {"out", func(g siteGame) { g.Players[5].Death, g.Players[6].Death = nil, g.Players[5].Death }},
		"out without votes": {"out", func(g siteGame) {
			for _, p := range g.Players {
				p.Voting = nil
			}
		}},
		"all are out without hands": {"out", func(g siteGame) { g.Players[6].Death = &siteDeath{Round: 0, Type: "day"} }},
		"somebody does not vote":    {"complete", func(g siteGame) { g.Players[6].Voting = nil }},
		"one vote of a split less":  {"complete", func(g siteGame) { g.Players[6].Voting[0] = 7.0 }},
		"nobody votes": {"complete", func(g siteGame) {
			for _, p := range g.Players {
				p.Voting = nil
			}
		}},
		"shots at another":       {"night", func(g siteGame) { g.Players[1].Shooting[0] = &two }},
		"a shot without a death": {"night", func(g siteGame) { g.Players[8].Death = nil }},
		"a best move of another": {"legacy", func(g siteGame) { g.Players[9].Legacy = []int{1} }},
		"a best move of four":    {"legacy", func(g siteGame) { g.Players[8].Legacy = []int{1, 2, 3, 4} }},
	} {
		_, site := exported(t, s)
		damage.do(site)
		if siteChecks[damage.check](site) == nil {
			t.Errorf("%s: the check %q does not see it", name, damage.check)
		}
	}
	// The order: who nominated is exchanged.
	e := s.Export(names, "en")
	e.Players[4].Nominating, e.Players[5].Nominating = e.Players[5].Nominating, e.Players[4].Nominating
	if slices.Equal(e.Order(0, false), s.Days[0].Polls[0].Candidates) {
		t.Error("an exchanged order is not seen")
	}
}
