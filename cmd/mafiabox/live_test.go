package main

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/fasthttp/websocket"
)

// stream is an open live page: the frames it got, without signs of life.
type stream struct {
	conn   *websocket.Conn
	mu     sync.Mutex
	frames []string
	closed int // the code with which it was closed
	done   chan struct{}
}

// dial opens a page's stream; the status is the answer's when it is refused.
func (c *client) dial(path, origin string) (*stream, int) {
	c.b.t.Helper()
	at, _ := url.Parse(c.b.url)
	header := http.Header{"Origin": {origin}}
	for _, cookie := range c.http.Jar.Cookies(at) {
		header.Add("Cookie", cookie.String())
	}
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

func (s *stream) read() {
	defer close(s.done)
	for {
		_, text, err := s.conn.ReadMessage()
		s.mu.Lock()
		if err != nil {
			if e, ok := err.(*websocket.CloseError); ok {
				s.closed = e.Code
			}
			s.mu.Unlock()
			return
		}
		if text[0] != '.' { // a sign of life
			s.frames = append(s.frames, string(text))
		}
		s.mu.Unlock()
	}
}

// take gives the frames since the last time.
func (s *stream) take() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	frames := s.frames
	s.frames = nil
	return frames
}

// TestStreams: only who has the page gets its stream; by day it pushes what
// changes at once; at night every seat gets as many frames of one size,
// whoever did what; and SIGTERM tells the pages and ends the box.
func TestStreams(t *testing.T) {
	b := start(t)
	host, players := b.seated(7)
	stranger := b.client()
	for _, c := range []struct {
		who    *client
		path   string
		origin string
		want   int
	}{
		{stranger, "/t/1/live?as=seat", b.url, 403},
		{stranger, "/t/1/live?as=host", b.url, 403},
		{players[0], "/t/1/live?as=host", b.url, 403},
		{players[0], "/t/1/live?as=seat", "http://evil.example", 403},
		{players[0], "/t/9/live?as=seat", b.url, 404},
		{players[0], "/t/1/live?as=seat", b.url, 101},
	} {
		if _, status := c.who.dial(c.path, c.origin); status != c.want {
			t.Errorf("%s from %s: %d, want %d", c.path, c.origin, status, c.want)
		}
	}

	var seats []*stream
	for _, p := range players {
		s, _ := p.dial("/t/1/live?as=seat", b.url)
		seats = append(seats, s)
	}
	eventually(t, "everybody has a page", func() bool {
		for _, s := range seats {
			s.mu.Lock()
			n := len(s.frames)
			s.mu.Unlock()
			if n == 0 {
				return false
			}
		}
		return true
	})
	for _, s := range seats {
		s.take()
	}
	host.post("/t/1/host/deal", form("by", "hand", "role1", "don", "role2", "mafia", "role3", "commissioner", "role4", "doctor", "role5", "civilian", "role6", "civilian", "role7", "civilian"))
	host.step("night")
	eventually(t, "every seat has the night's page", func() bool {
		for _, s := range seats {
			s.mu.Lock()
			n := len(s.frames)
			shown := n > 0 && strings.Contains(s.frames[n-1], `name="p1"`)
			s.mu.Unlock()
			if !shown {
				return false
			}
		}
		return true
	})
	for _, s := range seats {
		s.take()
	}
	players[2].post("/t/1/night", form("p1", "1", "p2", "0"))
	host.post("/t/1/host/act", form("verb", "wait", "for", "4"))
	players[5].post("/t/1/night", form("do", "none"))
	time.Sleep(4500 * time.Millisecond)
	eventually(t, "everybody has as many frames, but for a beat on its way", func() bool {
		var counts []int
		for _, s := range seats {
			s.mu.Lock()
			counts = append(counts, len(s.frames))
			s.mu.Unlock()
		}
		return slices.Min(counts) >= 2 && slices.Max(counts)-slices.Min(counts) <= 1
	})
	sizes := make(map[int]bool)
	for _, s := range seats {
		for _, f := range s.take() {
			sizes[len(f)] = true
		}
	}
	if len(sizes) != 1 {
		t.Errorf("at night the sizes of frames tell the seats apart: %v", sizes)
	}

	began := time.Now()
	b.cmd.Process.Signal(syscall.SIGTERM)
	if err := b.cmd.Wait(); err != nil || time.Since(began) > 10*time.Second {
		t.Errorf("SIGTERM: %v after %v\n%s", err, time.Since(began), b.out)
	}
	for i, s := range seats {
		<-s.done
		if s.closed != websocket.CloseServiceRestart {
			t.Errorf("seat %d's page was not told: close code %d", i+1, s.closed)
		}
	}
}
