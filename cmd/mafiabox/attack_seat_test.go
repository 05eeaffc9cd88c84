package main

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"
)

// The attacks here are made on the real program, by whoever holds a phone.

// usual are roles of seven seats, dealt by hand so that a test knows who is who.
var usual = []string{"don", "mafia", "commissioner", "doctor", "civilian", "civilian", "civilian"}

// dealUsual begins a game in which everybody's role is known.
func (c *client) dealUsual() {
	c.b.t.Helper()
	c.post("/t/1/host/deal", byHand())
}

func byHand() url.Values {
	f := form("by", "hand")
	for i, role := range usual {
		f.Add(fmt.Sprint("role", i+1), role)
	}
	return f
}

// ticket is a code for a seat, as the host's console shows it.
func (c *client) ticket(table, seat int) string {
	c.b.t.Helper()
	c.post(fmt.Sprintf("/t/%d/host/people", table), form("do", "ticket", "seat", fmt.Sprint(seat)))
	page := c.get(fmt.Sprintf("/t/%d/host", table))
	found := regexp.MustCompile(fmt.Sprintf(`(?s)<b class="num">%d</b> <bdi>[^<]*</bdi></button><div hidden class="secret"><p class="letters">([A-Z]+)</p>`, seat)).FindStringSubmatch(page)
	if found == nil {
		c.b.t.Fatalf("no ticket for seat %d on the console:\n%s", seat, page)
	}
	return found[1]
}

// redeem types a ticket at a table's join page.
func (c *client) redeem(joinCode, ticket string) (status int) {
	c.b.t.Helper()
	status, _, err := c.ask("POST", "/j/"+joinCode, form("ticket", "1", "code", ticket))
	if err != nil {
		c.b.t.Fatal(err)
	}
	return status
}

// secondTable opens another table and gives its host and its join code.
func (b *box) secondTable() (host *client, code string) {
	b.t.Helper()
	owner := b.client()
	owner.post("/box", form("code", "OWNER"))
	owner.post("/box/tables", form())
	page := owner.get("/box")
	codes := regexp.MustCompile(`<b class="letters">([A-Z]+)</b>`).FindAllStringSubmatch(page, -1)
	hosts := regexp.MustCompile(`<p class="letters">([A-Z]+)</p>`).FindAllStringSubmatch(page, -1)
	if len(codes) != 2 || len(hosts) != 2 {
		b.t.Fatalf("no two tables:\n%s", page)
	}
	host = b.client()
	host.post("/host", form("code", hosts[1][1]))
	return host, codes[1][1]
}

// count is how many frames a stream has got.
func (s *stream) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.frames)
}

// ends waits until a stream is closed by the box.
func (s *stream) ends(t *testing.T, what string) {
	t.Helper()
	select {
	case <-s.done:
	case <-time.After(patience):
		t.Errorf("%s goes on", what)
	}
}

// TestAttackOldPhone goes on using a seat's cookie after the host has moved the
// seat to another phone: at night, by day, and with forms from before.
func TestAttackOldPhone(t *testing.T) {
	t.Parallel()
	b := start(t)
	host, players := b.seated(7)
	host.dealUsual()
	host.step("night")
	old, fresh := players[2], b.client()
	old.post("/t/1/night", form("p1", "1", "p2", "0", "key", "accepted"))
	socket, status := old.dial("/t/1/live?as=seat", b.url)
	if status != 101 {
		t.Fatal(status)
	}
	eventually(t, "the old phone has its page", func() bool { return socket.count() > 0 })

	// A form is on its way while the seat moves: it counts before, or not at all.
	code := host.ticket(1, 3)
	answered := make(chan int)
	go func() {
		status, _, _ := old.ask("POST", "/t/1/night", form("p1", "2", "p2", "0", "key", "flying"))
		answered <- status
	}()
	if status := fresh.redeem(b.code(), code); status != 303 {
		t.Fatalf("the ticket is refused: %d", status)
	}
	<-answered
	moved := host.record()
	socket.take()
	socket.ends(t, "the old phone's stream")
	if frames := socket.take(); len(frames) > 0 {
		t.Errorf("the old phone got a page after its seat had gone: %q", frames)
	}
	if page := fresh.get("/t/1"); !strings.Contains(page, "Commissioner") {
		t.Error("the new phone doesn't have the seat")
	}

	refused := func() {
		t.Helper()
		for _, path := range []string{"/t/1", "/t/1?for=3", "/t/1/", "/j/" + b.code(), "/t/1/host", "/t/1/host/record.mafia"} {
			for _, header := range [][]string{nil, {"X-Mafiabox", "live"}} {
				status, body, err := old.ask("GET", path, nil, header...)
				watches := strings.HasPrefix(path, "/j/") // what everybody may know
				if err != nil || strings.Contains(body, "Commissioner") || strings.Contains(body, "secret") || !watches && (status == 200 || strings.Contains(body, "Player")) {
					t.Errorf("GET %s with the old cookie: %d %v\n%s", path, status, err, body)
				}
			}
		}
		for _, f := range []struct {
			path string
			form url.Values
		}{
			{"/t/1/night", form("p1", "1", "p2", "0", "key", "accepted")}, // was answered with yes
			{"/t/1/night", form("p1", "2", "p2", "0", "key", "flying")},   // was on its way
			{"/t/1/night", form("p1", "4", "p2", "0")},
			{"/t/1/night", form("do", "none")},
			{"/t/1/act", form("verb", "wait")},
			{"/t/1/act", form("verb", "check", "seat", "4")},
			{"/t/1/act", form("verb", "nominate", "seat", "4")},
			{"/t/1/read", form()},
		} {
			for _, header := range [][]string{nil, {"X-Mafiabox", "live"}} {
				if status, body, err := old.ask("POST", f.path, f.form, header...); err != nil || status != 403 {
					t.Errorf("POST %s %v with the old cookie: %d %v\n%s", f.path, f.form, status, err, body)
				}
			}
		}
		for _, as := range []string{"?as=seat", "?as=host", "", "?as=seat&for=3"} {
			if _, status := old.dial("/t/1/live"+as, b.url); status != 403 {
				t.Errorf("a stream %s with the old cookie: %d", as, status)
			}
		}
	}
	refused()
	host.step("close")
	refused()
	host.step("dawn")
	refused()
	if rec := host.record(); !strings.HasPrefix(rec, strings.TrimSpace(moved)) || strings.Contains(rec, "3 nominate") {
		t.Errorf("the old phone changed the game:\n%s\n%s", moved, rec)
	}

	// By day an open stream ends at once.
	second := b.client()
	socket, _ = fresh.dial("/t/1/live?as=seat", b.url)
	eventually(t, "the page", func() bool { return socket.count() > 0 })
	code = host.ticket(1, 3)
	socket.take()
	if status := second.redeem(b.code(), code); status != 303 {
		t.Fatalf("the ticket is refused: %d", status)
	}
	socket.ends(t, "the second phone's stream")
	if frames := socket.take(); len(frames) > 0 {
		t.Errorf("the second phone got a page after its seat had gone: %q", frames)
	}
}

// TestAttackTickets types tickets that are worth nothing any more, or nothing here.
func TestAttackTickets(t *testing.T) {
	t.Parallel()
	b := start(t)
	host, players := b.seated(7)
	otherHost, otherCode := b.secondTable()
	guest := b.client()
	guest.post("/j/"+otherCode, form("name", "Guest"))

	// Two who have no phone, of one name and on one seat, at two tables.
	host.post("/t/1/host/people", form("do", "add", "name", "Grandma"))
	for i := range 6 {
		otherHost.post("/t/2/host/people", form("do", "add", "name", fmt.Sprint("Guest", i)))
	}
	otherHost.post("/t/2/host/people", form("do", "add", "name", "Grandma"))
	if status := b.client().redeem(b.code(), otherHost.ticket(2, 8)); status == 303 {
		t.Error("another table's ticket gives the seat of an equal name")
	}
	host.post("/t/1/host/people", form("do", "remove", "seat", "8"))
	host.dealUsual()
	host.step("night")
	seated := func(who *client, table int) bool {
		status, _, _ := who.ask("GET", fmt.Sprintf("/t/%d", table), nil)
		return status == 200
	}

	first := host.ticket(1, 4)
	newer := host.ticket(1, 4)
	elsewhere := otherHost.ticket(2, 1)
	for name, try := range map[string][2]string{
		"an older ticket of the seat":      {b.code(), first},
		"another table's ticket":           {b.code(), elsewhere},
		"a ticket at another table":        {otherCode, newer},
		"a ticket that nobody made":        {b.code(), "QQQQQQ"},
		"no ticket":                        {b.code(), ""},
		"the host's code":                  {b.code(), hostCode},
		"the table's code":                 {b.code(), b.code()},
		"a ticket at a table without code": {"", newer},
	} {
		thief := b.client()
		if status := thief.redeem(try[0], try[1]); status == 303 || seated(thief, 1) || seated(thief, 2) {
			t.Errorf("%s gives a seat: %d", name, status)
		}
		if !seated(players[3], 1) || !seated(guest, 2) {
			t.Fatalf("%s takes a seat away", name)
		}
	}
	// Who sits at the table has a seat already.
	if status := players[0].redeem(b.code(), newer); status == 303 || !strings.Contains(players[0].get("/t/1"), "Don") {
		t.Error("a player takes another's seat with a ticket")
	}
	// Two phones type the same ticket in one moment: one gets the seat.
	phones := []*client{b.client(), b.client(), b.client(), b.client()}
	got := make(chan int)
	for _, p := range phones {
		p.get("/")
		go func() { got <- p.redeem(b.code(), newer) }()
	}
	won := 0
	for range phones {
		if <-got == 303 {
			won++
		}
	}
	have := 0
	for _, p := range phones {
		if seated(p, 1) {
			have++
		}
	}
	if won != 1 || have != 1 || seated(players[3], 1) {
		t.Errorf("one ticket: %d were told yes, %d have the seat, the old phone too: %v", won, have, seated(players[3], 1))
	}
	if status := b.client().redeem(b.code(), newer); status == 303 {
		t.Error("a ticket counts twice")
	}
	if page := host.get("/t/1/host"); strings.Contains(page, newer) {
		t.Error("the console still shows a ticket that was used")
	}
	// Between games the people move: a ticket is its person's, and never the chair's.
	host.post("/t/1/host/act", form("verb", "end"))
	host.post("/t/1/host/next", form())
	moving := host.ticket(1, 1)
	host.post("/t/1/host/people", form("do", "move", "seat", "1", "to", "3"))
	if status := b.client().redeem(b.code(), moving); status == 303 {
		t.Error("a ticket for who sat there gives the seat of who sits there now")
	}
}
