package server

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/mafiabox/mafiabox/engine"
)

// TestLettersStayInTheirChannel: what is written in a channel is on no page but
// those of its members and the host's, who lead to it or not.
func TestLettersStayInTheirChannel(t *testing.T) {
	p := inThread(t)
	const secret, toHost, answer = "Zwischenruf", "Querfrage", "Bescheid"
	p.seats[0].must("POST", "/t/1/act", 303, "verb", "whisper", "word", "mafia", "text", secret, "back", "letters")
	p.seats[3].must("POST", "/t/1/act", 303, "verb", "whisper", "word", "host", "text", toHost, "back", "letters")
	p.host.must("POST", "/t/1/host/act", 303, "verb", "whisper", "seat", "04", "text", answer, "back", "letters")
	p.seats[4].must("POST", "/t/1/act", 303, "verb", "whisper", "word", "mafia", "text", "let me in", "back", "letters")
	if page := p.seats[4].must("GET", "/t/1/letters", 200); !strings.Contains(page, "doesn&#39;t fit") {
		t.Error("who writes to a channel that is not his is told nothing")
	}
	readers := map[string]map[int]bool{secret: {0: true, 1: true}, toHost: {3: true}, answer: {3: true}}
	for text, members := range readers {
		for i, br := range append(p.seats, p.guest) {
			for _, path := range []string{"/t/1/thread?page=1", "/t/1/tally", "/t/1/letters", "/t/1/letters?page=2", "/t/1"} {
				if br == p.guest && (strings.HasPrefix(path, "/t/1/letters") || path == "/t/1") {
					continue
				}
				page := br.must("GET", path, 200)
				if strings.Contains(page, text) && !(members[i] && !strings.Contains(path, "page=") && !strings.Contains(path, "tally")) {
					t.Errorf("%q is on %s of %d", text, path, i+1)
				}
				if path == "/t/1/letters" && members[i] != strings.Contains(page, text) {
					t.Errorf("%q on the letters of %d: %v", text, i+1, !members[i])
				}
			}
		}
		p.host.must("GET", "/t/1/host/letters", 200)
	}
	p.guest.must("GET", "/t/1/letters", 403)
	p.guest.must("GET", "/t/1/host/letters", 303)
	p.seats[0].must("GET", "/t/1/host/letters", 303)
	if page := p.host.must("GET", "/t/1/host/letters?of=mafia", 200); !strings.Contains(page, secret) || strings.Contains(page, toHost) {
		t.Error("the host doesn't read a channel")
	}
	if page := p.host.must("GET", "/t/1/host/letters", 200); !strings.Contains(page, toHost) || !strings.Contains(page, answer) || strings.Contains(page, secret) {
		t.Error("the host doesn't read what was written to him")
	}
}

var (
	optionsPart = regexp.MustCompile(`<option .*?</option>`)
	ownPart     = regexp.MustCompile(`(?s)<p class="mine">.*?</p>`)
)

// TestLettersLookAlike: pages of letters have one size, and show the same until
// they are touched, whoever's they are and whatever was written.
func TestLettersLookAlike(t *testing.T) {
	p := inThread(t)
	for i := range 25 {
		for _, a := range []engine.Act{
			{By: engine.Host, Verb: engine.Whisper, Seats: []engine.Seat{4}, Text: strings.Repeat("\"", engine.TextMax)},
			{By: 1, Verb: engine.Whisper, Word: "mafia", Text: fmt.Sprint("letter ", i)},
		} {
			if err := act(p.table, "", a); err != nil {
				t.Fatal(err)
			}
		}
	}
	size := lettersSize(p.table.now.Load())
	for _, lang := range Languages {
		for _, n := range []int{1, 2, 3} {
			look := ""
			for i, br := range p.seats {
				page := br.must("GET", fmt.Sprintf("/t/1/letters?page=%d&lang=%s", n, lang), 200)
				if len(page) != size {
					t.Errorf("page %d of %d in %s has %d bytes, want %d", n, i+1, lang, len(page), size)
				}
				if first, _, _ := strings.Cut(optionsPart.FindString(page), ">"); !strings.Contains(first, `value="host"`) {
					t.Errorf("the list of %d shows %s", i+1, first)
				}
				page = heldPart.ReplaceAllString(page, "")
				page = ownPart.ReplaceAllString(optionsPart.ReplaceAllString(page, ""), "")
				page = strings.TrimSpace(string(unkeyed([]byte(page))))
				if look == "" {
					look = page
				}
				if what := unlike([]byte(look), []byte(page)); what != "" {
					t.Fatalf("page %d of %d in %s looks other than the first's:\n%s", n, i+1, lang, what)
				}
			}
		}
	}
	if page := p.seats[0].must("GET", "/t/1/letters?lang=en", 200); strings.Index(page, "letter 24") > strings.Index(page, "letter 5<") || strings.Contains(page, "letter 4<") {
		t.Error("the newest twenty are not on the first page")
	}
	if page := p.host.must("GET", "/t/1/host/letters?of=mafia&page=2", 200); !strings.Contains(page, "letter 4<") || strings.Contains(page, "letter 5<") {
		t.Error("the host's second page")
	}
}

// TestLettersOfSeatedHost: a host who plays reads what is written to him behind
// holds, and no channel of others while the game is on.
func TestLettersOfSeatedHost(t *testing.T) {
	p := inThread(t)
	p.seats[5].must("POST", "/host", 303, "code", "SESAME")
	p.seats[0].must("POST", "/t/1/act", 303, "verb", "whisper", "word", "mafia", "text", "Zwischenruf")
	p.seats[3].must("POST", "/t/1/act", 303, "verb", "whisper", "word", "host", "text", "Querfrage")
	if page := p.seats[5].must("GET", "/t/1/host/letters?of=mafia", 403); strings.Contains(page, "Zwischenruf") {
		t.Error("he reads it")
	}
	page := p.seats[5].must("GET", "/t/1/host/letters", 200)
	if !strings.Contains(page, "Querfrage") || strings.Contains(heldPart.ReplaceAllString(page, ""), "Querfrage") || strings.Contains(page, "of=mafia") {
		t.Error("what is written to him is not behind a hold")
	}
	p.host.must("POST", "/t/1/host/act", 303, "verb", "end")
	if page := p.seats[5].must("GET", "/t/1/host/letters?of=mafia", 200); !strings.Contains(page, "Zwischenruf") {
		t.Error("after the game he may read all")
	}
}
