package main

import (
	"strings"
	"testing"
)

// TestNextGame: after a game one button deals the next one to the same people
// at once; where that can't be, the lobby says why. The other goes there first.
func TestNextGame(t *testing.T) {
	t.Parallel()
	b := start(t)
	host, players := b.seated(7)
	next := func(do string) string {
		t.Helper()
		host.post("/t/1/host/act", form("verb", "end"))
		host.post("/t/1/host/next", form("do", do))
		return host.get("/t/1/host")
	}
	host.post("/t/1/host/deal", form("by", "box"))
	host.step("night")
	if page := next("deal"); !strings.Contains(page, `id="f-night"`) || !strings.Contains(page, "Player 7") {
		t.Errorf("no second game is on:\n%s", page)
	}
	if page := players[0].get("/t/1"); !strings.Contains(page, "See your role") {
		t.Errorf("a player is dealt no role:\n%s", page)
	}
	if page := next("lobby"); !strings.Contains(page, `id="f-deal"`) || !strings.Contains(page, "Player 7") {
		t.Errorf("it is not the lobby:\n%s", page)
	}
	host.post("/t/1/host/cast", form("don", "1", "doctor", "1", "civilian", "3"))
	host.post("/t/1/host/deal", form("by", "hand", "role1", "don", "role2", "mafia", "role3", "commissioner", "role4", "doctor", "role5", "civilian", "role6", "civilian", "role7", "civilian"))
	if page := next("deal"); !strings.Contains(page, `id="f-deal"`) || !strings.Contains(page, "Roles: 5, players: 7.") {
		t.Errorf("the lobby does not say why nothing is dealt:\n%s", page)
	}
}

// TestPlayersRecord: a host who plays is given the record after the game alone.
func TestPlayersRecord(t *testing.T) {
	t.Parallel()
	b := start(t)
	host, players := b.seated(7)
	both := players[2]
	both.post("/host", form("code", hostCode))
	host.post("/t/1/host/deal", form("by", "box"))
	host.step("night")
	status, body, err := both.ask("GET", "/t/1/host/record.mafia", nil)
	if err != nil || status != 403 || !strings.Contains(body, "You play yourself") || strings.Contains(body, "role 1 ") {
		t.Errorf("%d %v\n%s", status, err, body)
	}
	if !strings.Contains(host.record(), "role 1 ") {
		t.Error("a host who doesn't play has no record")
	}
	host.post("/t/1/host/act", form("verb", "end"))
	if !strings.Contains(both.record(), "role 1 ") {
		t.Error("after the game there is no record")
	}
}
