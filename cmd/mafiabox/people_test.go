package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/cookiejar"
	"regexp"
	"strings"
	"testing"
	"time"
)

// from is a phone at another address of this machine.
func (b *box) from(addr string) *client {
	c := b.client()
	jar, _ := cookiejar.New(nil)
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(addr)}}
	c.http.Jar = jar
	c.http.Transport = &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, network, to string) (net.Conn, error) {
		return dialer.DialContext(ctx, network, to)
	}}
	return c
}

// TestGuessing types wrong codes from fifty addresses: each is stopped, all
// together are, and whoever else comes has his tries.
func TestGuessing(t *testing.T) {
	t.Parallel()
	b := start(t)
	took, addresses, each := time.Now(), 50, 13
	for at, page := range []string{"/j/", "/host", "/box", "/join"} {
		heard := 0
		for i := range addresses {
			c := b.from(fmt.Sprintf("127.0.%d.%d", at+1, i+1))
			for n := range each {
				ask := func() (int, string, error) { return c.ask("POST", page, form("code", fmt.Sprintf("WRONG%d", n))) }
				if page == "/j/" {
					ask = func() (int, string, error) { return c.ask("GET", fmt.Sprintf("/j/WRO%02d", n), nil) }
				}
				status, _, err := ask()
				if err != nil {
					t.Fatal(err)
				}
				if status == 303 || status == 200 {
					t.Fatalf("%s takes WRONG%d", page, n)
				}
				if status != 429 {
					heard++
				}
			}
		}
		t.Logf("%s: %d of %d guesses were looked at", page, heard, addresses*each)
		if most := addresses*3 + 60 + int(time.Since(took)/time.Second) + 1; heard > most {
			t.Errorf("%s: %d guesses were looked at, at most %d should be", page, heard, most)
		}
	}
	newcomer := b.from("127.0.9.1")
	if status, _, _ := newcomer.ask("POST", "/host", form("code", "SESAM")); status != 403 {
		t.Errorf("a newcomer's slip of the finger: %d", status)
	}
	if status, _, _ := newcomer.ask("POST", "/host", form("code", " sesame ")); status != 303 {
		t.Errorf("a newcomer who knows the code: %d", status)
	}
	if status, body, _ := b.from("127.0.4.50").ask("POST", "/host", form("code", hostCode)); status != 429 || !strings.Contains(body, "Too fast") {
		t.Errorf("who guesses is told the right code: %d", status)
	}
}

// TestOneGuesser: one phone that guesses without an end keeps nobody else waiting.
func TestOneGuesser(t *testing.T) {
	t.Parallel()
	b := start(t)
	bad, good := b.from("127.0.1.1"), b.from("127.0.1.2")
	for range 200 {
		bad.ask("POST", "/host", form("code", "WRONG"))
	}
	for range 9 { // somebody with clumsy fingers
		if status, _, _ := good.ask("POST", "/host", form("code", "SESAMM")); status != 403 {
			t.Fatalf("another phone's tries: %d", status)
		}
	}
	if status, _, _ := good.ask("POST", "/host", form("code", hostCode)); status != 303 {
		t.Errorf("another phone: %d", status)
	}
}

// TestLastEvening: with a new evening nobody is at the table any more, and the
// old join code leads nowhere.
func TestLastEvening(t *testing.T) {
	t.Parallel()
	b := start(t)
	host, players := b.seated(5)
	code := b.code()
	if status, _, _ := players[0].ask("POST", "/t/1/host/people", form("do", "evening")); status != 403 {
		t.Errorf("a player begins a new evening: %d", status)
	}
	host.post("/t/1/host/people", form("do", "evening"))
	if page := host.get("/t/1/host"); strings.Contains(page, "Player 1") || strings.Contains(page, code) {
		t.Error("people of the last evening, or its code, are still there")
	}
	if status, _, _ := players[0].ask("GET", "/t/1", nil); status != 303 {
		t.Errorf("the seat of the last evening: %d", status)
	}
	for _, c := range []struct {
		method, path string
		form         []string
		status       int
	}{
		{"GET", "/j/" + code, nil, 404},
		{"GET", "/j/" + code + "?ticket=1", nil, 404},
		{"POST", "/j/" + code, []string{"name", "Late"}, 404},
		{"POST", "/j/" + code, []string{"ticket", "1", "code", "ABCDEFGH"}, 404},
		{"POST", "/join", []string{"code", code}, 404},
	} {
		f := form(c.form...)
		if c.form == nil {
			f = nil
		}
		status, body, err := players[0].ask(c.method, c.path, f)
		if err != nil || status != c.status || !strings.Contains(body, "No table has") {
			t.Errorf("%s %s with the old code: %d %v\n%s", c.method, c.path, status, err, body)
		}
	}
	fresh := regexp.MustCompile(`/j/([A-Z]{5})`).FindStringSubmatch(host.get("/t/1/host"))
	if fresh == nil {
		t.Fatal("no new code is shown")
	}
	players[0].post("/j/"+fresh[1], form("name", "Early"))
	players[0].get("/t/1")
}

// TestHostSentAway: a host device that was sent away has no console, no stream
// and no code any more; a new one in a game is told to the table.
func TestHostSentAway(t *testing.T) {
	t.Parallel()
	b := start(t)
	host, players := b.seated(7)
	other := b.client()
	other.post("/host", form("code", hostCode))
	host.post("/t/1/host/deal", form("by", "box"))
	if !strings.Contains(players[0].get("/t/1"), "2 devices have led this game") {
		t.Error("the table is not told of the hosts from before the game")
	}
	third := b.client()
	third.post("/host", form("code", hostCode))
	for who, page := range map[string]string{"a player": players[0].get("/t/1"), "the host": host.get("/t/1/host")} {
		if !strings.Contains(page, "3 devices have led this game") {
			t.Errorf("%s is not told that there is another host", who)
		}
	}
	stream, _ := other.dial("/t/1/live?as=host", b.url)
	ids := regexp.MustCompile(`name="host" value="([0-9a-f]+)"`).FindAllStringSubmatch(host.get("/t/1/host"), -1)
	if len(ids) != 3 {
		t.Fatalf("%d host devices are listed", len(ids))
	}
	other.post("/t/1/host/people", form("do", "ticket", "seat", "3"))
	found := regexp.MustCompile(`class="secret"><p class="letters">([A-Z]{8})<`).FindStringSubmatch(other.get("/t/1/host"))
	if found == nil {
		t.Fatal("the console shows no ticket")
	}
	key := form("verb", "note", "text", "mine", "key", "was")
	other.post("/t/1/host/act", key)
	host.post("/t/1/host/hosts", form("host", ids[1][1]))
	select {
	case <-stream.done:
	case <-time.After(patience):
		t.Error("its stream goes on")
	}
	if status, _, _ := other.ask("GET", "/t/1/host", nil); status != 303 {
		t.Errorf("its console: %d", status)
	}
	if status, _, _ := other.ask("POST", "/t/1/host/act", key); status != 403 {
		t.Errorf("a form that it had sent before: %d", status)
	}
	if status, _, _ := b.client().ask("POST", "/j/"+b.code(), form("ticket", "1", "code", found[1])); status != 422 {
		t.Errorf("a ticket that it was given: %d", status)
	}
	if _, status := other.dial("/t/1/live?as=host", b.url); status != 403 {
		t.Errorf("a new stream: %d", status)
	}
	if status, _, _ := other.ask("POST", "/host", form("code", hostCode)); status != 403 {
		t.Errorf("the code that it knew: %d", status)
	}
	host.post("/t/1/host/hosts", form("host", ids[2][1]))
	if _, refused, _ := host.send("/t/1/host/hosts", form("host", ids[0][1])); !strings.Contains(refused, "only host device") {
		t.Errorf("the last host device: %q", refused)
	}
	host.get("/t/1/host")
}

// TestOwnersRecord: the record of a game that is on is the owner's only after
// everybody at the table was told.
func TestOwnersRecord(t *testing.T) {
	t.Parallel()
	b := start(t)
	host, players := b.seated(7)
	host.post("/t/1/host/deal", form("by", "box"))
	owner := b.client()
	owner.post("/box", form("code", "OWNER"))
	for who, c := range map[string]*client{"the owner": owner, "a player": players[0], "the host": host, "a stranger": b.client()} {
		if status, body, _ := c.ask("GET", "/box/record/1", nil); status != 403 || strings.Contains(body, "role 1 ") {
			t.Errorf("%s takes the record: %d", who, status)
		}
	}
	if status, _, _ := players[0].ask("POST", "/box/record/1", form()); status != 403 {
		t.Errorf("a player opens the record: %d", status)
	}
	if page := players[0].get("/t/1"); strings.Contains(page, "owner of the box") {
		t.Error("the table was told too early")
	}
	owner.post("/box/record/1", form())
	if rec := owner.get("/box/record/1"); !strings.Contains(rec, "role 1 ") {
		t.Errorf("the owner is not given the record:\n%s", rec)
	}
	for _, page := range []string{players[0].get("/t/1"), host.get("/t/1/host")} {
		if !strings.Contains(page, "owner of the box has opened") {
			t.Error("the table is not told")
		}
	}
	if status, _, _ := players[0].ask("GET", "/box/record/1", nil); status != 403 {
		t.Errorf("a player takes it then: %d", status)
	}
	b.kill()
	b.run()
	if page := players[0].get("/t/1"); !strings.Contains(page, "owner of the box has opened") {
		t.Error("after a restart the table does not know any more")
	}
	host.post("/t/1/host/act", form("verb", "end"))
	host.post("/t/1/host/next", form())
	host.post("/t/1/host/deal", form("by", "box"))
	owner.post("/box", form("code", "OWNER"))
	if status, _, _ := owner.ask("GET", "/box/record/1", nil); status != 403 {
		t.Errorf("the next game's record is open: %d", status)
	}
}

// TestOwnTicket: the code on a player's own page moves the seat to another phone.
func TestOwnTicket(t *testing.T) {
	t.Parallel()
	b := start(t)
	host, players := b.seated(7)
	host.post("/t/1/host/deal", form("by", "box"))
	host.step("night")
	shown := regexp.MustCompile(`class="letters">([A-Z]{8})<`)
	codes := make(map[string]bool)
	for i, p := range players {
		found := shown.FindStringSubmatch(p.get("/t/1"))
		if found == nil || codes[found[1]] {
			t.Fatalf("player %d's page shows no code of its own", i+1)
		}
		codes[found[1]] = true
	}
	code := shown.FindStringSubmatch(players[2].get("/t/1"))[1]
	b.kill()
	b.run()
	phone := b.client()
	phone.post("/j/"+b.code(), form("ticket", "1", "code", strings.ToLower(code[:4]+" "+code[4:])))
	if page := phone.get("/t/1"); !strings.Contains(page, "Player 3") || !strings.Contains(page, `name="p1"`) {
		t.Errorf("the new phone has not the seat:\n%s", page)
	}
	if status, _, _ := players[2].ask("GET", "/t/1", nil); status != 303 {
		t.Errorf("the old phone: %d", status)
	}
	if status, _, _ := b.client().ask("POST", "/j/"+b.code(), form("ticket", "1", "code", code)); status != 422 {
		t.Errorf("used twice: %d", status)
	}
}
