package server

import (
	"encoding/csv"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/mafiabox/mafiabox/engine/rulesets"
)

var (
	roleOf   = regexp.MustCompile(`(?m)^role (\d+) (\S+)$`)
	winLine  = regexp.MustCompile(`(?m)^= all win (\S+)$`)
	drawLine = regexp.MustCompile(`(?m)^= all draw$`)
)

// withGames is a box with so many random games of each rule system that came as
// files; and what their records say about the season, read by themselves.
func withGames(t *testing.T, each int) (s *siege, texts []string) {
	t.Helper()
	s = besiege(t)
	for i := range each * 4 {
		text, _ := randomRecord(rulesets.All[i%4], uint64(300+i), 1<<20)
		in, err := readRecord(text, rulesets.All)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.b.keepGame(in); err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	indexed(t, s.b, len(texts))
	return s, texts
}

// told is what records say of a season, by what a row of the table is about.
type told struct{ games, seats, wins, draws int }

func tellSeason(texts []string, rules string) (all told) {
	for _, r := range rulesets.All {
		sides := make(map[string]string)
		for _, info := range r.Roles() {
			sides[string(info.Role)] = string(info.Side)
		}
		for _, text := range texts {
			if !strings.Contains(text, "rules "+r.ID()+"\n") || rules != "" && rules != r.ID() {
				continue
			}
			win, draw := winLine.FindStringSubmatch(text), drawLine.MatchString(text)
			if win == nil && !draw {
				continue
			}
			all.games++
			for _, role := range roleOf.FindAllStringSubmatch(text, -1) {
				all.seats++
				if win != nil && sides[role[2]] == win[1] {
					all.wins++
				}
				if win == nil {
					all.draws++
				}
			}
		}
	}
	return all
}

// table reads the season as a spreadsheet would.
func (s *siege) table(path string, comma rune) (rows [][]string, sum told) {
	s.Helper()
	text := s.other.must("GET", path, 200)
	text, marked := strings.CutPrefix(text, "\uFEFF")
	if !marked {
		s.Errorf("%s: not marked as UTF-8", path)
	}
	in := csv.NewReader(strings.NewReader(text))
	in.Comma = comma
	rows, err := in.ReadAll()
	if err != nil || len(rows) < 1 {
		s.Fatalf("%s: %v\n%s", path, err, text)
	}
	for _, row := range rows[1:] {
		n := make([]int, 4)
		for i := range n {
			n[i], err = strconv.Atoi(row[4+i])
			if err != nil || n[i] < 0 || n[i] > n[0] {
				s.Errorf("%s: %q", path, row)
			}
		}
		sum.seats, sum.wins, sum.draws = sum.seats+n[0], sum.wins+n[1], sum.draws+n[2]
	}
	return rows[1:], sum
}

// TestSeason: whoever plays what, games add up to the seats, and wins to the
// seats of the sides that won; for all rules and for each; however names are
// merged. Names that a spreadsheet would take for formulas are none.
func TestSeason(t *testing.T) {
	s, texts := withGames(t, 10)
	check := func(when string) {
		t.Helper()
		for _, rules := range []string{"", "boulevard", "sport", "gangs", "forum"} {
			want := tellSeason(texts, rules)
			if _, sum := s.table("/archive/season.csv?rules="+rules, ','); sum.seats != want.seats || sum.wins != want.wins || sum.draws != want.draws || want.wins == 0 {
				t.Errorf("%s: %q: the table has %+v, the records %+v", when, rules, sum, want)
			}
			if page := plainText(s.other.must("GET", "/archive/season?rules="+rules, 200)); !strings.Contains(page, fmt.Sprint(want.games, " game")) {
				t.Errorf("%s: %q: the page does not count %d games\n%.300s", when, rules, want.games, page)
			}
		}
	}
	check("at first")
	rows, _ := s.table("/archive/season.csv?lang=ru", ';')
	formulas := 0
	for _, row := range rows {
		if strings.ContainsAny(row[0][:1], "=+-@") {
			t.Errorf("a formula: %q", row[0])
		}
		if strings.HasPrefix(row[0], "'=1+1") {
			formulas++
		}
	}
	if formulas == 0 {
		t.Error("no name was a formula")
	}
	of := func(name string) (n int) {
		rows, _ := s.table("/archive/season.csv?lang=en", ',')
		for _, row := range rows {
			if row[0] == name {
				games, _ := strconv.Atoi(row[4])
				n += games
			}
		}
		return n
	}
	people := []string{}
	for _, p := range s.people() {
		if strings.HasPrefix(p, "Анна") || strings.HasPrefix(p, "Zoë") {
			people = append(people, p)
		}
	}
	if len(people) < 3 {
		t.Fatal(people)
	}
	one, two := of(people[0]), of(people[1])
	s.other.must("POST", "/archive/people", 303, "do", "merge", "name", people[0], "into", people[1])
	check("merged")
	if got := of(people[1]); got != one+two || of(people[0]) != 0 || one == 0 || two == 0 {
		t.Errorf("merged: %d games of %d and %d", got, one, two)
	}
	s.other.must("POST", "/archive/people", 303, "do", "part", "name", people[0])
	if of(people[0]) != one || of(people[1]) != two {
		t.Error("parted again: other games than before")
	}
	s.owner.must("POST", "/archive/people", 303, "do", "forget", "name", people[2], "sure", "1")
	check("forgotten")

	s.owner.must("POST", "/archive/import/1/delete", 303, "sure", "1")
	texts = texts[1:]
	check("one deleted")
}

// people are the names that the page of people lists.
func (s *siege) people() (names []string) {
	all, _ := s.b.archive.games()
	for _, row := range (words{s.b.texts.in("en")}).list(all, s.b.club.people(), s.b.club.bars()) {
		names = append(names, row.Name)
	}
	return names
}

// TestSeasonSpan: dates bound the season on both sides, and games without one are told apart.
func TestSeasonSpan(t *testing.T) {
	s, texts := withGames(t, 10)
	var some []string
	for _, text := range texts {
		if date := text[strings.Index(text, "\ndate ")+6:][:10]; date >= "2026-03-02" && date <= "2026-06-20" {
			some = append(some, text)
		}
	}
	if len(some) == 0 || len(some) == len(texts) {
		t.Fatal(len(some))
	}
	want := tellSeason(some, "")
	if _, sum := s.table("/archive/season.csv?from=2026-03-02&to=2026-06-20", ','); sum.seats != want.seats || sum.wins != want.wins {
		t.Errorf("the table has %+v, the records %+v", sum, want)
	}
	undated := regexp.MustCompile(`(?m)^date .*\n`).ReplaceAllString(texts[0], "")
	if status, page, _ := s.host.upload(undated); status != 303 {
		t.Fatal(status, plainText(page))
	}
	if page := plainText(s.host.must("GET", "/archive/season?from=2026-03-02", 200)); !strings.Contains(page, "One game without a date is not counted") {
		t.Errorf("a game without a date:\n%.400s", page)
	}
	for _, path := range []string{"/archive/season?from=yesterday", "/archive/season?to=yesterday", "/archive/season.csv?from=yesterday&to=2026-06-20"} {
		if page := plainText(s.host.must("GET", path, 422)); !strings.Contains(page, "yesterday is no date") || !strings.Contains(page, "2026-05-04") || strings.Contains(page, "Anna") || strings.Contains(page, "Анна") {
			t.Errorf("%s: a bad date:\n%.400s", path, page)
		}
	}
}
