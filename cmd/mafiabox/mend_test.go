package main

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestMendedStore plays into the second day while Badger rots, and the record
// file after it: everybody keeps his seat and his game, and the host is told
// what was lost until he puts it away.
func TestMendedStore(t *testing.T) {
	t.Parallel()
	b := start(t)
	host, players := b.seated(7)
	e := &evening{T: t, b: b, host: host, players: players, rng: rand.New(rand.NewPCG(1, 1))}
	e.deal()
	e.step("night")
	e.night()
	e.step("close")
	e.step("dawn")
	before := e.seen()
	data := filepath.Join(b.dir, "data")

	// Badger can't be opened any more.
	b.kill()
	if err := os.WriteFile(filepath.Join(data, "badger", "MANIFEST"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	b.run()
	told := host.page("/t/1/host")
	if !strings.Contains(told, "put it together again") {
		t.Errorf("the host is told nothing:\n%s", told)
	}
	for lang, want := range map[string]string{"en": "put it together again", "ru": "собрала его заново"} {
		host.lang = lang
		if page := host.get("/t/1/host"); !strings.Contains(page, want) {
			t.Errorf("in %s: %s", lang, page)
		}
	}
	host.lang = "en"
	for _, p := range players {
		if page := p.get("/t/1"); strings.Contains(page, "put it together again") {
			t.Error("a player is told, too")
		}
	}
	host.post("/t/1/host/mended", form())
	e.same("after Badger was lost", before, e.seen())
	reasons, _ := filepath.Glob(filepath.Join(data, "aside", "*-badger-1", "reason.txt"))
	if len(reasons) != 1 {
		t.Fatal("nothing lies aside")
	}
	if reason, err := os.ReadFile(reasons[0]); err != nil || !bytes.Contains(reason, []byte("manifest has bad magic")) {
		t.Errorf("%s %v", reason, err)
	}
	owner := b.client()
	owner.post("/box", form("code", "OWNER"))
	if page := owner.get("/box"); !strings.Contains(page, "-badger-1") || !strings.Contains(page, "lie aside") {
		t.Errorf("the owner is told nothing:\n%s", page)
	}

	// Both copies of the game have lost what came after the same act.
	b.kill()
	file := filepath.Join(data, "games", "1-1.mafia")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	at := regexp.MustCompile(`(?m)^# sum 6 .*\n`).FindIndex(text)
	if at == nil {
		t.Fatalf("%s", text)
	}
	text[at[1]] ^= 1
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, lost := range []string{"badger", "backups"} {
		if err := os.RemoveAll(filepath.Join(data, lost)); err != nil {
			t.Fatal(err)
		}
	}
	b.run()
	told = host.page("/t/1/host")
	if !strings.Contains(told, "lost a part of game 1. Act 6 (") || !strings.Contains(told, ") is the last good one") {
		t.Errorf("the host is told nothing:\n%s\n%s", told, b.out)
	}
	b.kill() // it is told until he has read it
	b.run()
	if again := host.page("/t/1/host"); !strings.Contains(again, ") is the last good one") {
		t.Errorf("it is told once:\n%s", again)
	}
	host.post("/t/1/host/mended", form())
	if page := host.page("/t/1/host"); strings.Contains(page, "last good one") {
		t.Error("it can't be put away")
	}
	if !strings.Contains(players[0].get("/t/1"), "Player 1") {
		t.Error("a player has lost his seat")
	}
	if rec := host.record(); !bytes.HasPrefix(text, []byte(rec[:strings.Index(rec, "begin\n")])) || strings.Contains(rec, "host close") {
		t.Errorf("the record is\n%s", rec)
	}
	e.step("close") // who has not answered again has not
	e.step("dawn")
	if !e.over() {
		e.day()
	}
	if !e.over() {
		host.post("/t/1/host/act", form("verb", "end"))
	}
	host.post("/t/1/host/next", form("do", "deal"))
	if rec := host.record(); rec == string(text) || strings.Contains(rec, "host night") {
		t.Error("no next game")
	}
}
