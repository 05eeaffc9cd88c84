package server

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mafiabox/mafiabox/server/store"
)

// TestBars: somebody is suspended by a host, under each spelling of the name and
// at whatever table, until it is lifted or a game was sat out.
func TestBars(t *testing.T) {
	keep := store.Memory()
	s := besiege(t, func(c *Config) { c.Store = keep })
	other := s.b.Tables()[1]
	add := func(name string, want int) {
		t.Helper()
		s.other.must("POST", "/t/2/host/people", want, "do", "add", "name", name)
	}
	people := func(who *browser, want int, pairs ...string) string {
		t.Helper()
		return who.must("POST", "/archive/people", want, pairs...)
	}
	people(s.host, 303, "do", "bar", "name", "Nadezhda", "rules", "boulevard")
	people(s.host, 422, "do", "bar", "name", "nadezhda ", "rules", "boulevard") // already
	people(s.host, 422, "do", "bar", "name", "Nadezhda", "rules", "chess")
	people(s.host, 303, "do", "merge", "name", "Надя", "into", "Nadezhda")
	people(s.host, 422, "do", "merge", "name", "Nadezhda", "into", "надя") // already
	people(s.host, 303, "do", "bar", "name", "Nadezhda K.", "rules", "sport")
	people(s.host, 303, "do", "merge", "name", "Nadezhda", "into", "Nadezhda K.")
	for _, name := range []string{"Nadezhda", "НАДЯ", "nadezhda k."} {
		add(name, 422)
	}
	add("Nadia", 303)
	if page := plainText(s.other.must("GET", "/archive/people", 200)); !strings.Contains(page, "Nadezhda K.") || !strings.Contains(page, "suspended by a host") {
		t.Errorf("the page does not say so:\n%s", page)
	}
	again, err := Open(s.b.cfg) // it is stored
	if err != nil || len(again.club.suspended()) != 6 {
		t.Errorf("after a restart: %v %v", err, again.club.suspended())
	}
	again.Close()
	people(s.other, 303, "do", "lift", "no", "1")
	add("Надя", 303)
	s.other.must("POST", "/t/2/host/people", 303, "do", "remove", "seat", fmt.Sprint(len(other.now.Load().doc.People)))

	people(s.other, 303, "do", "bar", "name", "Надя", "rules", "boulevard")
	add("Nadezhda", 422)
	s.night() // a game of these rules, at another table, is sat out
	add("Nadezhda", 303)
	for name, who := range map[string]*browser{"a player": s.player, "a stranger": s.stranger, "the screen": s.screen} {
		if status, _ := who.ask("POST", "/archive/people", map[string][]string{"do": {"bar"}, "name": {"Quentin"}, "rules": {"boulevard"}}); status != 403 {
			t.Errorf("by %s: status %d", name, status)
		}
	}
}

// TestKnownNames: a person is only made one with somebody whom the club knows,
// and only such a one is forgotten. Spellings are shown as they were typed, also
// after a restart, and with what an older box has kept.
func TestKnownNames(t *testing.T) {
	keep := store.Memory()
	s := besiege(t, func(c *Config) { c.Store = keep })
	s.atTable("sport")
	s.acts(sportGame)
	s.host.must("POST", "/t/1/host/next", 303)
	indexed(t, s.b, 1)
	refused := func(who *browser, want string, pairs ...string) {
		t.Helper()
		before := s.people()
		if page := plainText(who.must("POST", "/archive/people", 422, pairs...)); !strings.Contains(page, want) {
			t.Errorf("%v: the page does not say %q:\n%s", pairs, want, page)
		}
		if now := s.people(); fmt.Sprint(now) != fmt.Sprint(before) {
			t.Errorf("%v: %v, was %v", pairs, now, before)
		}
	}
	refused(s.host, "has the name Олгe.", "do", "merge", "name", "Jo", "into", "Олгe")
	refused(s.owner, "has the name Олгe.", "do", "forget", "name", "Олгe", "sure", "1")
	s.host.must("POST", "/archive/people", 303, "do", "merge", "name", "Олег", "into", "X+Y")
	s.owner.must("POST", "/archive/people", 303, "do", "merge", "name", "Ёлка Ковалёва", "into", "олег")
	again, err := Open(s.b.cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	for _, b := range []*Box{s.b, again} {
		if all := fmt.Sprint(b.club.people().Same); all != "map[Ёлка Ковалёва:x+y Олег:x+y]" {
			t.Error("it keeps", all)
		}
	}
	if page := plainText(s.host.must("GET", "/archive/people", 200)); !strings.Contains(page, "Ёлка Ковалёва") || !strings.Contains(page, "Олег") {
		t.Errorf("the spellings are not as they were typed:\n%s", page)
	}
	s.host.must("POST", "/archive/people", 303, "do", "part", "name", "Ёлка Ковалёва")
	var old book
	if err := old.decode([]byte(`{"same":{"oлeг":"Jo"}}`)); err != nil || old.key("ОЛЕГ") != "jo" {
		t.Error(err, old.key("ОЛЕГ"))
	}
	if old.part("Олег"); len(old.Same) != 0 {
		t.Error("it stays", old.Same)
	}
	s.owner.must("POST", "/archive/people", 303, "do", "forget", "name", "Олег", "sure", "1")
	refused(s.owner, "forgotten", "do", "forget", "name", "Олег", "sure", "1")
}

// TestForget: a forgotten name is in no page and no table of the archive; the
// record alone has it. Only the owner forgets.
func TestForget(t *testing.T) {
	s := besiege(t)
	s.atTable("sport")
	s.acts(sportGame)
	s.host.must("POST", "/t/1/host/next", 303)
	indexed(t, s.b, 1)
	s.host.must("POST", "/archive/people", 303, "do", "merge", "name", "Jo", "into", "Олег")
	s.host.must("POST", "/archive/people", 303, "do", "bar", "name", "Jo", "rules", "sport")
	s.host.must("POST", "/archive/people", 403, "do", "forget", "name", "Олег", "sure", "1")
	s.owner.must("POST", "/archive/people", 422, "do", "forget", "name", "Олег")
	pages := []string{"/archive", "/archive?q=%D0%BE%D0%BB%D0%B5", "/archive/1/1", "/archive/1/1/print", "/archive/1/1/sheet", "/archive/1/1/game.json", "/archive/season", "/archive/season.csv", "/archive/people"}
	has := func(path string) bool {
		return strings.Contains(s.owner.must("GET", path, 200), "Олег")
	}
	for _, path := range pages {
		if !has(path) {
			t.Errorf("%s has no such name before", path)
		}
	}
	s.owner.must("POST", "/archive/people", 303, "do", "forget", "name", "олег", "sure", "1")
	for _, path := range pages {
		if has(path) {
			t.Errorf("%s has the name", path)
		}
	}
	if !strings.Contains(s.owner.must("GET", "/archive/1/1", 200), "forgotten player") || !has("/archive/1/1/record.mafia") {
		t.Error("it is not said that somebody is forgotten, or the record is changed")
	}
	if b := s.b.club.people(); len(b.Same) != 0 || len(b.Forgotten) != 2 || len(s.b.club.suspended()) != 0 || strings.Contains(fmt.Sprint(b.Forgotten), "oлeг") {
		t.Errorf("it keeps %v, suspended %v", b, s.b.club.suspended())
	}
	s.host.must("POST", "/archive/people", 422, "do", "merge", "name", "Олег", "into", "Quentin")
	s.host.must("POST", "/archive/people", 422, "do", "bar", "name", "Олег", "rules", "sport")
	s.host.must("POST", "/archive/people", 403, "do", "remember", "name", "Олег")
	s.owner.must("POST", "/archive/people", 422, "do", "remember", "name", "Quentin")
	s.owner.must("POST", "/archive/people", 303, "do", "remember", "name", "Олег")
	for _, path := range pages {
		if !has(path) {
			t.Errorf("%s does not show the name again", path)
		}
	}
}

// TestBookFits: as much as it may hold fits into the store, whatever the names.
func TestBookFits(t *testing.T) {
	s := besiege(t)
	name := func(i int) string { return strings.Repeat("<", maxName-4) + fmt.Sprintf("%04d", i) }
	for i := 0; ; i++ {
		err := s.b.club.changePeople(func(b *book, _ *clubDoc) error { return b.merge(name(2*i), name(2*i+1)) })
		if p, ok := err.(problem); ok && p.Key == "too_many_spellings" {
			break
		}
		if err != nil || i > 2*maxSpellings {
			t.Fatalf("spelling %d: %v", i, err)
		}
	}
	for i := 0; ; i++ {
		err := s.b.club.changePeople(func(b *book, _ *clubDoc) error { return b.forget(fmt.Sprint("nobody ", i)) })
		if p, ok := err.(problem); ok && p.Key == "too_many_forgotten" {
			break
		}
		if err != nil || i > 2*maxForgotten {
			t.Fatalf("forgotten %d: %v", i, err)
		}
	}
}
