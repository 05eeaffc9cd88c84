package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// TestBadInput sends what a box must bear: each gets a clear status and page,
// and changes nothing.
func TestBadInput(t *testing.T) {
	t.Parallel()
	b := start(t)
	host, players := b.seated(7)
	host.post("/t/1/host/deal", form("by", "box"))
	host.step("night")
	rec := host.record()
	stranger := b.client()

	owner := b.client()
	owner.post("/box", form("code", "OWNER"))
	owner.post("/box/tables", form())
	elsewhere := b.client() // holds a seat at table 2
	code2 := regexp.MustCompile(`[A-Z]{5}`).FindAllString(mainPart.FindString(owner.get("/box")), -1)
	for _, code := range code2 {
		if code != b.code() {
			if status, _, _ := elsewhere.ask("POST", "/j/"+code, form("name", "Elsewhere")); status == 303 {
				break
			}
		}
	}
	elsewhere.get("/t/2")

	for _, c := range []struct {
		name   string
		who    *client
		method string
		path   string
		form   url.Values
		header []string
		status int
		says   string
	}{
		{"unknown table", players[0], "GET", "/t/99", nil, nil, 404, "<main"},
		{"unknown table's act", players[0], "POST", "/t/99/act", form("verb", "wait"), nil, 404, "<main"},
		{"unknown code", stranger, "GET", "/j/ZZZZZ", nil, nil, 404, "<main"},
		{"unknown page", stranger, "GET", "/nothing/here", nil, nil, 404, "<main"},
		{"template as a file", stranger, "GET", "/static/templates/seat.html", nil, nil, 404, ""},
		{"foreign host", players[0], "GET", "/t/1", nil, []string{"Host", "captive.apple.com"}, 421, b.addr},
		{"rebound name", players[0], "POST", "/t/1/act", form("verb", "wait"), []string{"Host", "evil.example"}, 421, b.addr},
		{"foreign address", players[0], "GET", "/t/1", nil, []string{"Host", "203.0.113.9"}, 421, b.addr},
		{"foreign origin", players[0], "POST", "/t/1/act", form("verb", "wait"), []string{"Origin", "http://evil.example"}, 403, "<main"},
		{"seat without a cookie", stranger, "POST", "/t/1/act", form("verb", "wait"), nil, 403, "<main"},
		{"seat of another table", elsewhere, "POST", "/t/1/act", form("verb", "wait"), nil, 403, "<main"},
		{"night form of another table", elsewhere, "POST", "/t/1/night", form("p1", "0"), nil, 403, "<main"},
		{"player at the console", players[0], "POST", "/t/1/host/act", form("verb", "close"), nil, 403, "<main"},
		{"player takes the record", players[0], "GET", "/t/1/host/record.mafia", nil, nil, 303, ""},
		{"vote at night", players[0], "POST", "/t/1/act", form("verb", "vote", "seat", "2"), []string{"X-Mafiabox", "live"}, 200, "."},
		{"host's verb from a seat", players[0], "POST", "/t/1/act", form("verb", "close"), []string{"X-Mafiabox", "live"}, 200, "."},
		{"host's mending from a seat", players[0], "POST", "/t/1/act", form("verb", "undo"), []string{"X-Mafiabox", "live"}, 200, "."},
		{"for another seat", players[0], "POST", "/t/1/act", form("verb", "end", "for", "2"), []string{"X-Mafiabox", "live"}, 200, "."},
		{"the clock", players[0], "POST", "/t/1/act", form("verb", "clock"), []string{"X-Mafiabox", "live"}, 200, "."},
		{"no verb", players[0], "POST", "/t/1/act", form(), []string{"X-Mafiabox", "live"}, 200, "."},
		{"strange verb", players[0], "POST", "/t/1/act", form("verb", "fly\n1 wait"), []string{"X-Mafiabox", "live"}, 200, "."},
		{"strange seat", players[0], "POST", "/t/1/act", form("verb", "wait", "seat", "Anna"), nil, 400, "<main"},
		{"seat that isn't there", players[0], "POST", "/t/1/night", form("p1", "40", "p2", "0"), []string{"X-Mafiabox", "live"}, 200, "."},
		{"an empty night form", players[0], "POST", "/t/1/night", form("p1", "0", "p2", "0"), []string{"X-Mafiabox", "live"}, 200, "."},
		{"a night form with words", players[0], "POST", "/t/1/night", form("p1", "banana"), nil, 400, "<main"},
		{"a night form of the first day", players[0], "POST", "/t/1/night", form("p1", "2", "p2", "0", "of", "1.day.0.0"), []string{"X-Mafiabox", "live"}, 200, "."},
		{"dawn before its night", host, "POST", "/t/1/host/act", form("verb", "night"), nil, 409, "<main"},
		{"long reason", host, "POST", "/t/1/host/act", form("verb", "stop", "text", strings.Repeat("x", 501)), nil, 409, "<main"},
		{"joining a game that is on", stranger, "POST", "/j/" + b.code(), form("name", "Late"), nil, 303, ""},
		{"a foreign link to a foreign place", b.client(), "GET", "//evil.example/x", nil, []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate"}, 200, `url=/evil.example/x?again=1"`},
		{"a name of 1 MB", stranger, "POST", "/j/" + b.code(), form("name", strings.Repeat("a", 1<<20)), nil, 413, ""},
		{"wrong host code", stranger, "POST", "/host", form("code", "SESAM"), nil, 403, "<main"},
		{"wrong owner code", stranger, "POST", "/box", form("code", "owners"), nil, 403, "<main"},
		{"tables by a stranger", stranger, "POST", "/box/tables", form(), nil, 403, "<main"},
	} {
		status, body, err := c.who.ask(c.method, c.path, c.form, c.header...)
		if err != nil && c.status != 413 { // who sends too much may see the line cut
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if err == nil && (status != c.status || !strings.Contains(body, c.says)) {
			t.Errorf("%s: %d (want %d)\n%s", c.name, status, c.status, body)
		}
		if strings.Contains(body, "goroutine") || strings.Contains(body, "refused.") || strings.Contains(body, "problem.") {
			t.Errorf("%s: the page isn't for people:\n%s", c.name, body)
		}
	}
	if now := host.record(); now != rec {
		t.Errorf("the game changed:\n%s\n%s", rec, now)
	}
}

// TestNames joins under the names that people type.
func TestNames(t *testing.T) {
	t.Parallel()
	b := start(t)
	host := b.client()
	host.post("/host", form("code", hostCode))
	for _, c := range []struct {
		typed  string
		status int
		shown  string
	}{
		{"Anna", 303, "Anna"},
		{"anna", 303, "anna 2"},
		{"Аnnа", 303, "Аnnа 3"}, // two Cyrillic letters
		{"  Ann\t\u202e  Lee \u200b", 303, "Ann Lee"},
		{"👩‍👩‍👧 Mum", 303, "👩‍👩‍👧 Mum"},
		{"مريم", 303, "مريم"},
		{`"><script>alert(1)</script>`, 303, "&lt;script&gt;"},
		{"", 422, "Type a name"},
		{" \u200b\u202e ", 422, ""},
		{strings.Repeat("я", 33), 422, ""},
		{strings.Repeat("я", 32), 303, strings.Repeat("я", 32)},
		{"\xff\xfe", 422, ""},
		{strings.Repeat("a", 60_000), 422, ""},
	} {
		p := b.client()
		status, body, err := p.ask("POST", "/j/"+b.code(), form("name", c.typed))
		if err != nil || status != c.status || status == 422 && (strings.Contains(body, "could not store") || !strings.Contains(body, c.shown)) {
			t.Errorf("%q: %d %v\n%s", c.typed, status, err, body)
		} else if status == 303 && !strings.Contains(p.get("/t/1"), c.shown) {
			t.Errorf("%q is not shown as %q", c.typed, c.shown)
		}
	}
	// A repeated form is one seat; so is a phone that scans again.
	p := b.client()
	p.post("/j/"+b.code(), form("name", "Twice", "key", "k"))
	p.post("/j/"+b.code(), form("name", "Twice", "key", "k"))
	p.post("/j/"+b.code(), form("name", "Again", "key", "l"))
	if page := host.get("/t/1/host"); strings.Contains(page, "Twice 2") || strings.Contains(page, "Again") {
		t.Error("one phone has two seats")
	}
}

// TestEnding: SIGTERM ends the box well and in under two seconds, also while
// pages follow it and phones have sent half a form, and another box can open the
// folder at once.
func TestEnding(t *testing.T) {
	b := start(t)
	_, players := b.seated(3)
	for _, p := range players {
		p.get("/t/1")
		if _, status := p.dial("/t/1/live", b.url); status != 101 {
			t.Fatalf("no stream: %d", status)
		}
		b.half()
	}
	time.Sleep(100 * time.Millisecond) // the halves arrive
	began := time.Now()
	b.cmd.Process.Signal(syscall.SIGTERM)
	done := make(chan error, 1)
	go func() { done <- b.cmd.Wait() }()
	select {
	case err := <-done:
		if err != nil {
			t.Errorf("it ended with %v:\n%s", err, b.out)
		}
	case <-time.After(patience):
		t.Fatalf("it doesn't end:\n%s", b.out)
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("it took %v to end", took)
	}
	b.run()
	players[0].get("/t/1")
}

// half sends the first half of a form and keeps the line open.
func (b *box) half() {
	b.t.Helper()
	line, err := net.Dial("tcp", b.addr)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { line.Close() })
	fmt.Fprintf(line, "POST /t/1/act HTTP/1.1\r\nHost: %s\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\nkey=", b.addr)
}

// TestSecondBox: a box on a folder in use, or an address in use, says so.
func TestSecondBox(t *testing.T) {
	b := start(t)
	for _, c := range []struct {
		args []string
		code exitCode
		says string
	}{
		{[]string{"--listen", "127.0.0.1:0", "--data", filepath.Join(b.dir, "data")}, exitInUse, "another box uses the folder"},
		{[]string{"--listen", b.addr, "--data", filepath.Join(b.dir, "other")}, exitListen, "--listen"},
		{[]string{"--listen", "nowhere", "--data", filepath.Join(b.dir, "third")}, exitListen, "--listen"},
		{[]string{"--panel", "loud"}, exitUsage, "auto"},
		{[]string{"--config", filepath.Join(b.dir, "none")}, exitUsage, "none"},
		{[]string{"fly"}, exitUsage, "fly"},
	} {
		cmd := exec.Command(program, c.args...)
		cmd.Dir = b.dir
		out, err := cmd.CombinedOutput()
		if code := exitCode(cmd.ProcessState.ExitCode()); code != c.code || !strings.Contains(string(out), c.says) {
			t.Errorf("%v: exit %d (want %d) %v\n%s", c.args, code, c.code, err, out)
		}
	}
}

// TestPanel: a press of the simulated button begins the night, and lamp and
// buzzer follow the phases.
func TestPanel(t *testing.T) {
	t.Parallel()
	b := start(t)
	host, players := b.seated(7)
	host.post("/t/1/host/deal", form("by", "box"))
	var phones []*stream
	for _, p := range players {
		phone, _ := p.dial("/t/1/live?as=seat", b.url)
		phones = append(phones, phone)
	}
	time.Sleep(2100 * time.Millisecond) // right after a step the button rests
	host.post("/t/1/host/press", form())
	for i, phone := range phones {
		eventually(t, fmt.Sprintf("phone %d is shown the night's form", i+1), func() bool {
			return slices.ContainsFunc(phone.take(), func(f string) bool { return strings.Contains(f, `name="p1"`) })
		})
	}
	if rec := host.record(); !regexp.MustCompile(`host night @\S+ button`).MatchString(rec) {
		t.Errorf("the record doesn't say that it was the button:\n%s", rec)
	}
	host.post("/t/1/host/press", form()) // too soon: ignored
	time.Sleep(200 * time.Millisecond)
	if strings.Contains(host.record(), "host close") {
		t.Error("a double press skips the night")
	}
	eventually(t, "the panel shows the night", func() bool { return host.panel() == "night. lamp: blinks" })
	for _, lamp := range []string{": lamp", ""} {
		eventually(t, "at night the lamp is on and off", func() bool {
			return len(regexp.MustCompile(`\d\d:\d\d:\d\d night`+lamp+`</li>`).FindAllString(host.get("/t/1/host"), -1)) > 1
		})
	}
	console, _ := host.dial("/t/1/live?as=host", b.url)
	time.Sleep(time.Second)                          // it is drawn twice, as it comes
	host.post("/t/1/host/press", form("held", "3s")) // no phone asks
	eventually(t, "the console is shown a cue that changes nothing at the table", func() bool {
		return slices.ContainsFunc(console.take(), func(f string) bool { return strings.Contains(f, "not possible now. ") })
	})
	host.step("close")
	eventually(t, "the panel shows that the night is closed", func() bool { return host.panel() == "night closed. lamp: on" })
	time.Sleep(1500 * time.Millisecond)
	if page := host.get("/t/1/host"); strings.Contains(page, " night closed</li>") {
		t.Errorf("once the night is closed the lamp isn't steady:\n%s", page)
	}
	host.step("dawn")
	for _, cue := range []string{"night", "night closed", "morning"} {
		eventually(t, "the panel's history has "+cue, func() bool {
			return regexp.MustCompile(`\d\d:\d\d:\d\d ` + cue + `: (lamp|buzzer)`).MatchString(host.get("/t/1/host"))
		})
	}
}

var (
	panelNow = regexp.MustCompile(`<p id="?panel-now"?>(.*), buzzer:`)
	aTag     = regexp.MustCompile(`<[^>]*>`)
)

// panel is the cue of the panel that the console draws, and its lamp.
func (c *client) panel() string {
	c.b.t.Helper()
	page := c.get("/t/1/host")
	now := panelNow.FindStringSubmatch(page)
	if now == nil {
		c.b.t.Fatalf("no panel:\n%s", page)
	}
	return strings.Join(strings.Fields(aTag.ReplaceAllString(now[1], "")), " ")
}

// eventually waits for what comes by itself.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !is(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("never: %s", what)
		}
	}
}

// counted counts what comes over a connection.
type counted struct {
	net.Conn
	n *atomic.Int64
}

func (c counted) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.n.Add(int64(n))
	return n, err
}

var linked = regexp.MustCompile(`<(?:script|link|img)[^>]*(?:src|href)="([^"]+)"[^>]*>`)

// TestFirstLoad: a seat's page at night, with all that it asks for, is small over
// the wire, headers and all, and it can be used after itself and its look.
func TestFirstLoad(t *testing.T) {
	t.Parallel()
	b := start(t)
	host, players := b.seated(20)
	host.post("/t/1/host/deal", form("by", "box"))
	host.step("night")
	var wire atomic.Int64
	phone := players[0]
	phone.http.Transport = &http.Transport{DisableCompression: true, DialContext: func(ctx context.Context, network, to string) (net.Conn, error) {
		conn, err := new(net.Dialer).DialContext(ctx, network, to)
		return counted{conn, &wire}, err
	}}
	requests, before := []string{"/t/1"}, 1
	for _, link := range linked.FindAllStringSubmatch(phone.get("/t/1"), -1) {
		requests = append(requests, link[1])
		if !strings.Contains(link[0], " defer") && !strings.Contains(link[0], `rel="icon"`) {
			before++
		}
	}
	if len(requests) < 3 || before != 2 {
		t.Errorf("the page can be used after %d of the requests %v", before, requests)
	}
	wire.Store(0)
	for _, path := range requests {
		was := wire.Load()
		if status, _, err := phone.ask("GET", path, nil, "Accept-Encoding", "gzip"); err != nil || status != 200 {
			t.Fatalf("%s: %d %v", path, status, err)
		}
		t.Logf("%6d bytes: %s", wire.Load()-was, path)
	}
	if total := wire.Load(); total > 40<<10 {
		t.Errorf("%d bytes", total)
	}
}

// TestLanguageKeepsTheSeat: the other language of the page on which the host
// enters something for a seat is that seat's.
func TestLanguageKeepsTheSeat(t *testing.T) {
	t.Parallel()
	b := start(t)
	host, _ := b.seated(7)
	host.post("/t/1/host/deal", form("by", "box"))
	if page := host.get("/t/1/host?for=3"); !strings.Contains(page, `href="?for=3&amp;lang=ru"`) {
		t.Errorf("the link drops the seat:\n%s", page[strings.Index(page, "<footer"):])
	}
	if page := host.get("/t/1/host"); !strings.Contains(page, `href="?lang=ru"`) {
		t.Errorf("the link names a seat:\n%s", page[strings.Index(page, "<footer"):])
	}
}
