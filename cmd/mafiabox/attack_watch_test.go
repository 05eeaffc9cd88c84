package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// privateWords are the texts of roles and answers in both languages.
func privateWords(t *testing.T) (all []string) {
	t.Helper()
	for _, lang := range []string{"en", "ru"} {
		texts := make(map[string]any) // some have a form for each number
		for _, name := range []string{lang + ".json", "roles." + lang + ".json"} {
			text, err := os.ReadFile("../../static/texts/" + name)
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(text, &texts); err != nil {
				t.Fatal(err)
			}
		}
		public := fmt.Sprint(texts["app"], texts["side.mafia"], texts["side.maniac"]) // a role has the name of its side
		for key, value := range texts {
			text, _ := value.(string)
			private := strings.HasPrefix(key, "role.") && !strings.Contains(text, "{") || strings.HasPrefix(key, "answer.")
			if private && len([]rune(text)) > 3 && !strings.Contains(strings.ToLower(public), strings.ToLower(text)) {
				all = append(all, text)
			}
		}
	}
	if len(all) < 40 || !slices.Contains(all, "Commissioner") || !slices.Contains(all, "not mafia") {
		t.Fatalf("the private words are %q", all)
	}
	return append(all, "civilian", "commissioner", "told check", "chose", "smiles", "is told")
}

// words are what a person reads on a frame or page, and what its markup says.
func tells(text string, words []string) (found []string) {
	for _, word := range words {
		if regexp.MustCompile(`(?i)(^|[^\pL])` + regexp.QuoteMeta(word) + `($|[^\pL])`).MatchString(text) {
			found = append(found, word)
		}
	}
	return found
}

// ownCode is the code for another phone, which every seat's own page has.
var ownCode = regexp.MustCompile(`<div hidden class="secret"><p class="letters">[A-Z]{8}</p>`)

// TestAttackSpectators plays a game of one night, in which everything private
// happens, before the eyes of those who may see what is public alone, in both
// languages; until the end none of it may reach them.
func TestAttackSpectators(t *testing.T) {
	t.Parallel()
	b := start(t)
	host, players := b.seated(7)
	words := privateWords(t)
	type watch struct {
		name string
		who  *client
		path string
		live *stream
	}
	var watched []*watch
	for _, lang := range []string{"en", "ru"} {
		screen := b.client()
		screen.lang = lang
		screen.pair(host)
		w := &watch{name: "screen in " + lang, who: screen, path: "/screen"}
		w.live, _ = screen.dialWith("/screen/live", http.Header{"Accept-Language": {lang}})
		watched = append(watched, w)
	}
	unpaired, noSeat := b.client(), b.client()
	watched = append(watched, &watch{name: "an unpaired screen", who: unpaired, path: "/screen"}, &watch{name: "who has no seat", who: noSeat, path: "/j/" + b.code()}, &watch{name: "who has no seat, at the start", who: noSeat, path: "/"})

	look := func(moment string) {
		t.Helper()
		time.Sleep(50 * time.Millisecond)
		for _, w := range watched {
			texts := []string{w.who.get(w.path)}
			if w.live != nil {
				texts = append(texts, w.live.take()...)
			}
			for _, text := range texts {
				text = ownCode.ReplaceAllString(text, "")
				if found := tells(text, words); found != nil {
					t.Errorf("%s: %s is told %q", moment, w.name, found)
				}
				if strings.Contains(text, "{{") || strings.Contains(text, "class=\"secret\"") {
					t.Errorf("%s: %s has something private:\n%s", moment, w.name, text)
				}
			}
		}
	}
	host.dealUsual()
	look("deal")
	host.step("night")
	look("night begins")
	for i, pick := range []string{"5", "5", "1", "3", "2", "1", "1"} {
		before := watched[0].who.page("/screen")
		players[i].post("/t/1/night", form("p1", pick, "p2", "0"))
		look(fmt.Sprintf("seat %d has answered", i+1))
		after := watched[0].who.page("/screen")
		// How many are in is public; who they are is not: but for the count the page stays.
		count := regexp.MustCompile(`(?s)<div class="centre">.*`)
		if count.ReplaceAllString(before, "") != count.ReplaceAllString(after, "") {
			t.Errorf("the screen shows that seat %d has answered:\n%s\n%s", i+1, before, after)
		}
	}
	host.post("/t/1/host/act", form("verb", "note", "text", "the commissioner smiles"))
	look("a note")
	host.step("close")
	look("closed")
	players[2].post("/t/1/read", form())
	host.post("/t/1/host/act", form("verb", "check", "seat", "2", "for", "3", "mends", "1"))
	look("a correction")
	host.step("dawn")
	out := players[4]
	out.lang = "ru"
	live, status := out.dialWith("/t/1/live?as=seat", http.Header{"Accept-Language": {"ru"}})
	if status != 101 {
		t.Fatalf("the page of who is out: %d", status)
	}
	watched = append(watched, &watch{name: "who is out", who: out, path: "/t/1", live: live})
	host.post("/t/1/host/act", form("verb", "stop", "text", "the commissioner is told"))
	look("stopped")
	host.step("resume")
	look("morning")
	host.step("night")
	for i, pick := range []string{"6", "6", "6", "7", "", "7", "2"} {
		if pick != "" {
			players[i].post("/t/1/night", form("p1", pick, "p2", "0"))
			look(fmt.Sprintf("the second night, seat %d has answered", i+1))
		}
	}
	time.Sleep(2100 * time.Millisecond) // the beat
	look("the second night's beat")
	host.step("close")
	look("the second close")
	host.step("end")
	words = []string{"not mafia", "smiles", "is told", "check", "checks", "heals", "chose"} // roles are public now, what was done is not
	look("the game ends without its story")
	host.post("/t/1/host/story", form())
	if page := watched[0].who.get("/screen"); tells(page, words) == nil {
		t.Error("also the story holds none of the private words: the test looks for the wrong ones")
	}
}

// TestAttackRecord asks for a running game's record with every cookie but its
// host's, before, in and after the game.
func TestAttackRecord(t *testing.T) {
	t.Parallel()
	b := start(t)
	host, players := b.seated(7)
	otherHost, otherCode := b.secondTable()
	guest, screen, noSeat := b.client(), b.client(), b.client()
	guest.post("/j/"+otherCode, form("name", "Guest"))
	screen.pair(host)
	noSeat.get("/")
	try := func(moment string) {
		t.Helper()
		for name, who := range map[string]*client{"a player": players[2], "who is out": players[4], "the screen": screen, "who has no seat": noSeat, "nobody": b.client(), "another table's host": otherHost, "another table's player": guest} {
			for _, path := range []string{"/t/1/host/record.mafia", "/t/1/record.mafia", "/t/1/host/record.mafia?as=host&for=1", "/t/1/host/RECORD.mafia", "/t/1//host/record.mafia", "/t/2/../1/host/record.mafia", "/t/1/host/record.mafia/"} {
				for _, header := range [][]string{nil, {"X-Mafiabox", "live"}, {"Range", "bytes=0-"}} {
					status, body, err := who.ask("GET", path, nil, header...)
					if err != nil || status == 200 || status == 206 || strings.Contains(body, "role 1") {
						t.Errorf("%s: %s gets %s: %d %v", moment, name, path, status, err)
					}
				}
			}
		}
	}
	try("before the game")
	host.dealUsual()
	host.step("night")
	players[0].post("/t/1/night", form("p1", "5", "p2", "0"))
	players[1].post("/t/1/night", form("p1", "5", "p2", "0"))
	try("night")
	host.step("close")
	host.step("dawn")
	try("day")
	if !strings.Contains(host.record(), "role 1 don") {
		t.Error("the host doesn't get it")
	}
	host.step("end")
	try("after the game")
	host.post("/t/1/host/story", form())
	try("after the story was opened")
	if !strings.Contains(host.record(), "= all phase ended") {
		t.Error("the host doesn't get it after the end")
	}
}
