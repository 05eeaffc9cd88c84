package main

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/fasthttp/websocket"
)

// TestAttackSockets opens every stream with everything that isn't meant for it.
func TestAttackSockets(t *testing.T) {
	t.Parallel()
	b := start(t)
	host, players := b.seated(5)
	otherHost, otherCode := b.secondTable()
	guest := b.client()
	guest.post("/j/"+otherCode, form("name", "Guest"))
	stranger, unpaired, screen := b.client(), b.client(), b.client()
	stranger.get("/")
	unpaired.get("/screen")
	screen.pair(host)
	player := players[0]

	open := func(who *client, path string, header http.Header) int {
		t.Helper()
		_, status := who.dialWith(path, header)
		return status
	}
	at := func(origin string) http.Header { return http.Header{"Origin": {origin}} }
	for name, c := range map[string]struct {
		who    *client
		path   string
		header http.Header
		want   int
	}{
		"nobody at a seat":                 {nil, "/t/1/live?as=seat", at(b.url), 403},
		"nobody as the host":               {nil, "/t/1/live?as=host", at(b.url), 403},
		"nobody at the screen":             {nil, "/screen/live", at(b.url), 403},
		"a visitor at a seat":              {stranger, "/t/1/live?as=seat", at(b.url), 403},
		"a visitor who says which":         {stranger, "/t/1/live?as=seat&seat=1&for=1", at(b.url), 403},
		"a player as the host":             {player, "/t/1/live?as=host", at(b.url), 403},
		"a player as the host for himself": {player, "/t/1/live?as=host&for=1", at(b.url), 403},
		"a player at the host's codes":     {player, "/t/1/live?as=codes", at(b.url), 403},
		"another host at the codes":        {otherHost, "/t/1/live?as=codes", at(b.url), 403},
		"a screen at the host's codes":     {screen, "/t/1/live?as=codes", at(b.url), 403},
		"a player as both":                 {player, "/t/1/live?as=host&as=seat", at(b.url), 403},
		"a player at the screen":           {player, "/screen/live", at(b.url), 403},
		"the host at the screen":           {host, "/screen/live", at(b.url), 403},
		"the host at a seat":               {host, "/t/1/live?as=seat", at(b.url), 403},
		"another table's host":             {otherHost, "/t/1/live?as=host", at(b.url), 403},
		"another table's player":           {guest, "/t/1/live?as=seat", at(b.url), 403},
		"a player at another table":        {player, "/t/2/live?as=seat", at(b.url), 403},
		"the host at another table":        {host, "/t/2/live?as=host", at(b.url), 403},
		"a table that isn't":               {player, "/t/9/live?as=seat", at(b.url), 404},
		"an unpaired screen":               {unpaired, "/screen/live", at(b.url), 403},
		"an unpaired screen at a seat":     {unpaired, "/t/1/live?as=seat", at(b.url), 403},
		"a screen at a seat":               {screen, "/t/1/live?as=seat", at(b.url), 403},
		"a screen as the host":             {screen, "/t/1/live?as=host", at(b.url), 403},
		"a foreign page":                   {player, "/t/1/live?as=seat", at("http://evil.example"), 403},
		"a page of another port":           {player, "/t/1/live?as=seat", at("http://127.0.0.1:1"), 403},
		"a page of another name":           {player, "/t/1/live?as=seat", at("http://localhost:" + b.addr[strings.LastIndex(b.addr, ":")+1:]), 403},
		"a page of nowhere":                {player, "/t/1/live?as=seat", at("null"), 403},
		"a file":                           {player, "/t/1/live?as=seat", at("file://"), 403},
		"a foreign page at the console":    {host, "/t/1/live?as=host", at("http://evil.example"), 403},
		"a foreign page at the screen":     {screen, "/screen/live", at("http://evil.example"), 403},
		"a page from elsewhere":            {player, "/t/1/live?as=seat", http.Header{"Sec-Fetch-Site": {"cross-site"}}, 403},
		"a page from nearby":               {player, "/t/1/live?as=seat", http.Header{"Sec-Fetch-Site": {"same-site"}}, 403},
		"a foreign name":                   {player, "/t/1/live?as=seat", http.Header{"Host": {"evil.example"}, "Origin": {"http://evil.example"}}, 421},
		"a player":                         {player, "/t/1/live?as=seat", at(b.url), 101},
		"the host":                         {host, "/t/1/live?as=host", at(b.url), 101},
		"the host's codes":                 {host, "/t/1/live?as=codes", at(b.url), 101},
		"the screen":                       {screen, "/screen/live", at(b.url), 101},
	} {
		who := c.who
		if who == nil {
			who = b.client()
		}
		if status := open(who, c.path, c.header); status != c.want {
			t.Errorf("%s: %d, want %d", name, status, c.want)
		}
	}
	for _, path := range []string{"/t/1/live?as=seat", "/t/1/live?as=host", "/screen/live"} {
		for name, header := range map[string][]string{"a page": nil, "half an upgrade": {"Connection", "Upgrade"}, "another upgrade": {"Connection", "Upgrade", "Upgrade", "h2c"}} {
			for _, who := range []*client{player, host, screen, stranger} {
				if status, body, err := who.ask("GET", path, nil, header...); err != nil || status != 426 || strings.Contains(body, "Player") {
					t.Errorf("%s as %s: %d %v\n%s", path, name, status, err, body)
				}
			}
		}
	}
	// A table lets its screens go: their streams end.
	shown, _ := screen.dial("/screen/live", b.url)
	eventually(t, "the screen shows the table", func() bool { return shown.count() > 0 })
	host.post("/t/1/host/screen", form("do", "drop"))
	shown.ends(t, "a dropped screen's stream")
	if status := open(screen, "/screen/live", at(b.url)); status != 403 {
		t.Errorf("a dropped screen opens a stream: %d", status)
	}
}

// dialWith opens a stream with the phone's cookies and these headers.
func (c *client) dialWith(path string, header http.Header) (*stream, int) {
	c.b.t.Helper()
	header = header.Clone()
	header["Cookie"] = []string{c.cookie()}
	conn, resp, err := websocket.DefaultDialer.Dial("ws://"+c.b.addr+path, header)
	if err != nil {
		if resp == nil {
			c.b.t.Fatal(err)
		}
		return nil, resp.StatusCode
	}
	s := &stream{conn: conn, done: make(chan struct{})}
	go s.read()
	c.b.t.Cleanup(func() { conn.Close() })
	return s, resp.StatusCode
}

// pair makes the browser a screen of the host's table.
func (c *client) pair(host *client) {
	c.b.t.Helper()
	found := regexp.MustCompile(`<p class="pair"[^>]*>([A-Z]+)</p>`).FindStringSubmatch(c.get("/screen"))
	if found == nil {
		c.b.t.Fatal("the screen shows no code")
	}
	host.post("/t/1/host/screen", form("code", found[1]))
}
