package main

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

var behindHold = regexp.MustCompile(`(?s)<div hidden class="secret.*?</div>`)

// TestMendingWhilePlaying: a host who plays mends a night and learns nothing from
// it without a hold, whatever fits a seat's role; the log waits for the end, and
// is nobody else's before or after it.
func TestMendingWhilePlaying(t *testing.T) {
	t.Parallel()
	b := start(t)
	host, players := b.seated(6)
	host.get("/j/" + b.code())
	host.post("/j/"+b.code(), form("name", "Player 7"))
	host.dealUsual()
	host.step("night")
	players[0].post("/t/1/night", form("do", "send", "p1", "5"))
	players[2].post("/t/1/night", form("do", "send", "p1", "2"))
	players[3].post("/t/1/night", form("do", "send", "p1", "5"))
	players[4].post("/t/1/night", form("do", "send", "p1", "6"))
	host.step("close")

	sizes := make(map[int]bool)
	page := func(fields ...string) string {
		t.Helper()
		status, body, err := host.ask("POST", "/t/1/host/change", form(fields...))
		if err != nil || status != 200 {
			t.Fatalf("%v: %d %v\n%s", fields, status, err, body)
		}
		sizes[len(body)] = true
		return body
	}
	var shown []string
	for _, seat := range []int{3, 4, 5, 2} { // the last has sent nothing, so there is nothing to correct
		body := page("for", fmt.Sprint(seat), "p1", "1")
		open := behindHold.ReplaceAllString(body, "")
		for _, secret := range []string{"mafia", "check", "heal", "shot", "answered", "suspect", "would leave"} {
			if text := mainPart.FindString(open); strings.Contains(strings.ReplaceAll(text, "City mafia", ""), secret) {
				t.Errorf("without a hold the page for seat %d shows %q:\n%s", seat, secret, text)
			}
		}
		if seat == 3 && !strings.Contains(body, "3 \u2068Player 3\u2069 is answered again") {
			t.Errorf("behind the hold nobody is answered again:\n%s", mainPart.FindString(body))
		}
		shown = append(shown, regexp.MustCompile(`value="[^"]*"|\d`).ReplaceAllString(mainPart.FindString(open), ""))
	}
	if shown[0] != shown[1] || shown[1] != shown[2] {
		t.Errorf("pages of seats with different roles look different:\n%s\n%s\n%s", shown[0], shown[1], shown[2])
	}
	if len(sizes) != 1 {
		t.Errorf("the pages have the sizes %v", sizes)
	}
	if strings.Contains(host.get("/t/1/host"), "/host/log") {
		t.Error("a host who plays is led to the log")
	}
	closed := func(who string, c *client, want int) {
		t.Helper()
		if status, body, _ := c.ask("GET", "/t/1/host/log", nil); status != want || strings.Contains(body, "heal") {
			t.Errorf("%s asks for the log: %d\n%s", who, status, body)
		}
	}
	closed("the host who plays", host, 403)
	closed("a player", players[0], 303)
	owner := b.client()
	owner.post("/box", form("code", "OWNER"))
	closed("the owner", owner, 303)
	if status, _, _ := owner.ask("GET", "/archive/1/1/log", nil); status != 404 {
		t.Errorf("the owner asks the archive for the log of a game that is on: %d", status)
	}
	host.step("end")
	if body := host.get("/t/1/host/log?kind=night&seat=4"); !strings.Contains(body, "heal") || strings.Contains(body, "check") {
		t.Errorf("the log after the end:\n%s", mainPart.FindString(body))
	}
	closed("a player after the end", players[0], 303)
	if body := owner.get("/archive/1/1/log"); !strings.Contains(body, "heal") {
		t.Error("the archive has no log of a finished game")
	}
}
