package server

import (
	"fmt"
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/rulesets"
	"github.com/mafiabox/mafiabox/server/store"
)

var (
	chapter = regexp.MustCompile(`(?s)<details class="chapter".*?</details>`)
	best    = regexp.MustCompile(`(?s)<ol class="tally">.*?</ol>`)
	markup  = regexp.MustCompile(`(?s)<[^>]*>`)
	space   = regexp.MustCompile(`\s+`)
)

// plainText is what a person reads of a part of a page.
func plainText(part string) string {
	text := html.UnescapeString(markup.ReplaceAllString(part, " "))
	text = strings.NewReplacer("\u2068", "", "\u2069", "").Replace(text)
	return strings.TrimSpace(space.ReplaceAllString(text, " "))
}

// TestStory reads a game of two nights from a player's page after the end: each
// choice and what became of it in the chapter of its night, who was told what,
// the act that ended the game, all roles, and who suspected best.
func TestStory(t *testing.T) {
	b, _ := open(t, store.Memory())
	defer b.Close()
	rules, _ := rulesets.Find(rulesets.All, "boulevard")
	roles := []engine.Role{"don", "mafia", "commissioner", "doctor", "putana", "barman", "civilian", "civilian", "civilian"}
	game, _, err := engine.Begin(rules, engine.Setup{Seats: len(roles), Roles: roles, Options: map[string]string{"barman": "on"}})
	if err != nil {
		t.Fatal(err)
	}
	d := draft{moment: moment{doc: doc{Code: "ABCDE", Rules: "boulevard", Stage: playing, Game: 1, Story: true}, game: game}}
	for i := range roles {
		d.doc.People = append(d.doc.People, person{Name: fmt.Sprint("P", i+1), Device: device(i + 1)})
	}
	do := func(by engine.Actor, verb engine.Verb, seats ...engine.Seat) {
		t.Helper()
		if err := d.act(engine.Act{By: by, Verb: verb, Seats: seats}); err != nil {
			t.Fatal(by, verb, seats, err)
		}
	}
	do(engine.Host, engine.Night)
	do(5, engine.Block, 3)
	do(6, engine.Swap, 7, 8)
	do(1, engine.Shoot, 7)
	do(2, engine.Shoot, 9)
	do(4, engine.Heal, 7)
	do(3, engine.Check, 1)
	do(7, engine.Suspect, 1, 2)
	do(8, engine.Suspect, 1, 9)
	do(9, engine.Suspect, 3, 4)
	do(engine.Host, engine.Close)
	do(engine.Host, engine.Dawn)
	do(engine.Host, engine.Night)
	do(1, engine.Shoot, 7)
	do(3, engine.Check, 1)
	do(8, engine.Suspect, 2, 9)
	do(engine.Host, engine.Close)
	do(engine.Host, engine.Dawn)
	do(4, engine.Nominate, 1)
	do(engine.Host, engine.Vote)
	for _, voter := range []engine.Actor{3, 4, 5, 6, 8} {
		do(voter, engine.Vote, 1)
	}
	do(engine.Host, engine.Close)
	do(engine.Host, engine.Disqualify, 2)
	if !d.game.Ended() {
		t.Fatal("the game goes on")
	}

	page := string(pageOf(b, "seat", b.seatPage(b.Tables()[0], &d.moment, words{b.texts.in("en")}, 9)))
	var chapters []string
	for _, c := range chapter.FindAllString(page, -1) {
		chapters = append(chapters, plainText(c))
	}
	for i, want := range [][]string{
		{"Night 1", "5 P5: block → 3 P3", "6 P6: swap → 7 P7, 8 P8", "1 P1: shot → 7 P7", "7 P7: suspect → 1 P1, 2 P2",
			"3 P3: check, 1 P1: no answer", "6 P6: swap → 7 P7, 8 P8: done", "1 P1: shot → 7 P7: moved by the swap to 8 P8, the target stays",
			"2 P2: shot → 9 P9: the family chose another", "4 P4: heal → 7 P7: moved by the swap to 8 P8", "3 P3: check → 1 P1: blocked", "Nobody is out"},
		{"Day 1"},
		{"Night 2", "1 P1: shot → 7 P7", "3 P3: check, 1 P1: mafia", "1 P1: shot → 7 P7: the target is out", "7 P7 is out after the night"},
		{"Day 2", "4 P4: nominate → 1 P1"},
		{"Day 2: vote", "3 P3: vote → 1 P1", "Votes: 1 P1: 5", "1 P1 is out, by the vote"},
		{"Day 2", "Host: disqualify → 2 P2", "2 P2 is disqualified"},
		{"The game is over", "Victory: Town", "1 P1: Don", "2 P2: Mafioso", "3 P3: Commissioner", "9 P9: Civilian"},
	} {
		if i >= len(chapters) {
			t.Fatalf("only %d chapters: %q", len(chapters), chapters)
		}
		rest := chapters[i]
		for _, line := range want {
			_, after, found := strings.Cut(rest, line)
			if !found {
				t.Errorf("chapter %d has no %q, or not in that place:\n%s", i+1, line, chapters[i])
				continue
			}
			rest = after
		}
	}
	if len(chapters) != 7 {
		t.Errorf("%d chapters: %q", len(chapters), chapters)
	}
	if got := plainText(best.FindString(page)); got != "7 P7 2 of 2 8 P8 2 of 4" {
		t.Errorf("who suspected best: %q", got)
	}
	for i, role := range []string{"Don", "Mafioso", "Commissioner", "Doctor", "Putana", "Barman", "Civilian", "Civilian", "Civilian"} {
		if !strings.Contains(page, `<i class="role">`+role+`</i>`) {
			t.Errorf("seat %d's role is not at its place", i+1)
		}
	}
}

// TestStoryHasNoLetters: what was written in a channel stays there, and what a
// post's author was asked isn't told to others.
func TestStoryHasNoLetters(t *testing.T) {
	p := inThread(t)
	p.seats[0].must("POST", "/t/1/act", 303, "verb", "whisper", "word", "mafia", "text", "Zwischenruf")
	p.seats[3].must("POST", "/t/1/act", 303, "verb", "whisper", "word", "host", "text", "Querfrage")
	page := p.seats[4].must("POST", "/t/1/post", 200, "text", "Edward > Do")
	p.seats[4].must("POST", "/t/1/post", 303, append(sure(t, page), "text", "Edward > Do")...)
	p.seats[4].must("POST", "/t/1/act", 303, "verb", "vote", "seat", "1")
	p.host.must("POST", "/t/1/host/act", 303, "verb", "end", "sure", "1")
	p.host.must("POST", "/t/1/host/story", 303)
	page = p.seats[5].must("GET", "/t/1", 200)
	if !strings.Contains(page, "5 \u2068Edward\u2069: vote") {
		t.Errorf("there is no story:\n%s", page)
	}
	for _, private := range []string{"Zwischenruf", "Querfrage", "not clear"} {
		if strings.Contains(page, private) {
			t.Errorf("the story tells %q:\n%s", private, page)
		}
	}
}
