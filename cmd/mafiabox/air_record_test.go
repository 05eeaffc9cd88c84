package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/fasthttp/websocket"
)

// What somebody who listens on the air has of a phone: how much went which way,
// and when. Here it is recorded below HTTP, at the socket.

// tap is a connection of a phone. A stream's is cut into its frames.
type tap struct {
	net.Conn
	p      *airPhone
	stream bool
	number int    // of the phone's streams
	rest   []byte // of a stream: what is no whole frame yet
	opened bool   // its answer was read
}

// exchange is a request and its answer, in bytes on the wire.
type exchange struct {
	kind           string
	sent, answered time.Time // the last byte of the request, the first of the answer
	out, in        int
	refused        bool
}

// push is a frame of a stream.
type push struct {
	at     time.Time
	stream int
	size   int
	text   string
}

// airPhone is a client whose air is recorded. It sends what its page has, as the
// page's script does or as a browser without script.
type airPhone struct {
	*client
	seat    int
	live    bool
	path    string // of its page
	rng     *rand.Rand
	using   sync.Mutex // one request at a time
	mu      sync.Mutex // of what follows
	now     exchange
	all     []exchange
	frames  []push
	shown   string            // the page
	suffix  map[string]string // of a form's key, from an answer until the next page
	conn    *websocket.Conn
	reading sync.WaitGroup
	count   int            // of streams
	away    [][2]time.Time // while it had none
	readOf  string
	pads    bool // the page's script fills forms up
}

func (b *box) airPhone(seat int, lang string, live bool, seed uint64) *airPhone {
	p := &airPhone{client: b.client(), seat: seat, live: live, path: "/t/1", rng: rand.New(rand.NewPCG(seed, uint64(seat))), suffix: make(map[string]string)}
	p.lang = lang
	p.http.Transport = &http.Transport{DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
		return p.dialTap(ctx, network, addr, false)
	}}
	return p
}

func (p *airPhone) dialTap(ctx context.Context, network, addr string, stream bool) (net.Conn, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	return &tap{Conn: conn, p: p, stream: stream, number: p.count}, nil
}

func (t *tap) Write(data []byte) (int, error) {
	at := time.Now()
	n, err := t.Conn.Write(data)
	t.p.mu.Lock()
	defer t.p.mu.Unlock()
	if !t.stream {
		t.p.now.out += n
		t.p.now.sent = at
	}
	return n, err
}

func (t *tap) Read(data []byte) (int, error) {
	n, err := t.Conn.Read(data)
	at := time.Now()
	t.p.mu.Lock()
	defer t.p.mu.Unlock()
	if !t.stream {
		if t.p.now.in == 0 {
			t.p.now.answered = at
		}
		t.p.now.in += n
		return n, err
	}
	t.rest = append(t.rest, data[:n]...)
	if end := bytes.Index(t.rest, []byte("\r\n\r\n")); !t.opened && end >= 0 {
		t.rest, t.opened = t.rest[end+4:], true
	}
	for t.opened && len(t.rest) >= 2 {
		head, size := 2, int(t.rest[1]&0x7f)
		switch {
		case size == 126 && len(t.rest) >= 4:
			head, size = 4, int(binary.BigEndian.Uint16(t.rest[2:]))
		case size == 127 && len(t.rest) >= 10:
			head, size = 10, int(binary.BigEndian.Uint64(t.rest[2:]))
		case size > 125:
			return n, err
		}
		if len(t.rest) < head+size {
			return n, err
		}
		if text := string(t.rest[head : head+size]); t.rest[0]&0xf == 1 && !strings.HasPrefix(text, ".") {
			t.p.frames = append(t.p.frames, push{at, t.number, head + size, text})
			_, t.p.shown, _ = strings.Cut(text, "\n")
			clear(t.p.suffix) // each page brings new keys
		}
		t.rest = t.rest[head+size:]
	}
	return n, err
}

// exchange does a request and notes it under its kind; refused tells by the answer.
func (p *airPhone) exchange(kind, method, path, body string, header ...string) (status int, text string) {
	p.using.Lock()
	defer p.using.Unlock()
	r, _ := http.NewRequest(method, p.b.url+path, strings.NewReader(body))
	r.Header.Set("Accept-Language", p.lang)
	if method == "POST" {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded;charset=UTF-8")
		r.Header.Set("Origin", p.b.url)
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	p.mu.Lock()
	p.now = exchange{kind: kind}
	p.mu.Unlock()
	resp, err := p.http.Do(r)
	if err != nil {
		p.b.t.Errorf("%s of seat %d: %v", kind, p.seat, err)
		return 0, ""
	}
	all, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	if err != nil {
		p.b.t.Errorf("%s of seat %d: %v", kind, p.seat, err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now.refused = method == "POST" && strings.TrimSpace(string(all)) != ""
	p.all = append(p.all, p.now)
	return resp.StatusCode, string(all)
}

// load opens the page, and with it the stream where there is a script.
func (p *airPhone) load(kind string) {
	from := time.Now()
	if p.conn != nil {
		p.conn.Close()
	}
	_, page := p.exchange(kind, "GET", p.path, "", "Accept", "text/html")
	p.mu.Lock()
	p.shown = page
	clear(p.suffix)
	p.mu.Unlock()
	if p.live {
		if p.count == 0 {
			_, script, _ := p.ask("GET", "/static/js/live.js", nil)
			p.pads = strings.Contains(script, "data.set('pad', '0'.repeat(step - String(data).length % step))")
		}
		p.open()
		p.mu.Lock()
		p.away = append(p.away, [2]time.Time{from, time.Now()})
		p.mu.Unlock()
	}
}

// open opens the stream of a page.
func (p *airPhone) open() {
	path := map[string]string{"/t/1": "/t/1/live?as=seat", "/t/1/host": "/t/1/live?as=host", "/screen": "/screen/live"}[p.path]
	p.count++
	at, _ := url.Parse(p.b.url)
	header := http.Header{"Origin": {p.b.url}, "Accept-Language": {p.lang}}
	for _, cookie := range p.http.Jar.Cookies(at) {
		header.Add("Cookie", cookie.String())
	}
	dialer := websocket.Dialer{NetDialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
		return p.dialTap(ctx, network, addr, true)
	}}
	conn, _, err := dialer.Dial("ws://"+p.b.addr+path, header)
	if err != nil {
		p.b.t.Errorf("the stream of seat %d: %v", p.seat, err)
		return
	}
	p.conn = conn
	p.reading.Go(func() {
		for {
			if _, _, err := conn.ReadMessage(); err != nil {
				return
			}
		}
	})
}

// submit sends a form of the page that is shown with these choices and button.
// It tells what the box said against it.
func (p *airPhone) submit(kind, id string, choice map[string]string, button string) (sent bool, problem string) {
	p.mu.Lock()
	f := formsOf(p.shown)[id]
	suffix := p.suffix[id]
	p.mu.Unlock()
	if f == nil {
		return false, ""
	}
	data := f.data(choice, suffix, button)
	if !p.live {
		status, _ := p.exchange(kind, "POST", f.action, data)
		if status != http.StatusSeeOther {
			p.b.t.Errorf("%s of seat %d without script: %d", kind, p.seat, status)
		}
		p.load("page after")
		p.mu.Lock()
		defer p.mu.Unlock()
		if said := saidOnPage.FindStringSubmatch(p.shown); said != nil {
			problem = strings.TrimSpace(said[1])
		}
		p.all[len(p.all)-2].refused = problem != ""
		return true, problem
	}
	if p.pads {
		data += "&pad="
		data += strings.Repeat("0", 256-len(data)%256)
	}
	_, text := p.exchange(kind, "POST", f.action, data, "X-Mafiabox", "live")
	p.mu.Lock()
	defer p.mu.Unlock()
	p.suffix[id] = "." + fmt.Sprintf("%014d", p.rng.Int64N(1e14))
	return true, strings.TrimSpace(text)
}

var (
	saidOnPage = regexp.MustCompile(`id="error"[^>]*>([^<]+)<`)
	readButton = regexp.MustCompile(`data-read="([^"]+)" data-key="([^"]+)"`)
	ofPage     = regexp.MustCompile(`data-of="([^"]*)"`)
)

// read holds the page to read, after a night has closed. The script tells the
// box of the first hold.
func (p *airPhone) read() {
	p.mu.Lock()
	button, of := readButton.FindStringSubmatch(p.shown), ofPage.FindStringSubmatch(p.shown)
	p.mu.Unlock()
	if !p.live || button == nil || of == nil || p.readOf == of[1] {
		return
	}
	p.readOf = of[1]
	p.exchange("read", "POST", button[1], "key="+url.QueryEscape(button[2]), "X-Mafiabox", "live")
}
