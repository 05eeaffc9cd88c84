package server

import (
	"bytes"
	"fmt"
	"net"
	"regexp"
	"sync"
	"time"

	"github.com/gofiber/contrib/websocket"
	"github.com/gofiber/fiber/v2"
)

const (
	nightBeat = 2 * time.Second        // at night every seat gets a frame at each beat, changed or not
	longBeat  = 15                     // of a night that lasts hours: so many of those
	heartbeat = 5 * time.Second        // a sign of life by day
	silence   = 15 * time.Second       // after that much of it a page is gone
	hostRest  = 300 * time.Millisecond // between frames of a console: they are large, and any phone that comes or goes changes them
)

// upgrade opens the live page of a seat or of the host. What it is of was
// decided by the cookie, never by the address.
func (b *Box) upgrade(c *fiber.Ctx) error {
	if !websocket.IsWebSocketUpgrade(c) {
		return fiber.ErrUpgradeRequired
	}
	t := tableOf(c)
	v := viewerOf(c, t.now.Load())
	host, codes := c.Query("as") == "host", c.Query("as") == "codes"
	if (host || codes) && !v.host || !host && !codes && v.seat == 0 {
		return fiber.ErrForbidden
	}
	w, at, from, token := b.wordsFor(c), seatNumber(c.Query("for")), lineOf(c), tokenOf(c)
	return websocket.New(func(conn *websocket.Conn) {
		b.push(conn, t, page{from: from, device: v.device, host: host, seat: !host && !codes, draw: func(m *moment) ([]byte, error) {
			if host || codes {
				if !m.doc.hosts(v.device) {
					return nil, fiber.ErrForbidden
				}
				if codes {
					return b.draw("codes-main", b.codesPage(t, m, w))
				}
				return b.draw("host-main", b.hostPage(t, m, w, v.device, at))
			}
			seat := m.doc.seatOf(v.device)
			if seat == 0 {
				return nil, fiber.ErrForbidden
			}
			p := b.seatPage(t, m, w, seat)
			p.Ticket, p.Leads = m.doc.ticketOf(seat, token, t.id), m.doc.hosts(v.device)
			return b.draw("seat-main", p)
		}})
	}, b.streams())(c)
}

// page is whose page a stream is of, and how it is drawn.
type page struct {
	from       *line
	device     string
	host, seat bool
	draw       func(*moment) ([]byte, error) // an error ends the stream
}

// push sends a page whenever what it shows has changed: at once by day, at night
// at the beat. In a game all seats get theirs together, whichever of them has
// changed, and all as large. The host's follows a night's forms with their
// answers, and whether they were accepted or not.
func (b *Box) push(conn *websocket.Conn, t *Table, p page) {
	if !b.openPage() {
		return
	}
	defer b.pages.Done()
	defer conn.Close()
	gone := make(chan struct{})
	conn.SetReadLimit(512)
	conn.SetPingHandler(func(string) error { return net.ErrClosed }) // answers to a flood of them would be a flood
	conn.SetPongHandler(func(string) error { return conn.SetReadDeadline(time.Now().Add(silence)) })
	go func() { // reads only to notice that the page is gone
		defer close(gone)
		conn.SetReadDeadline(time.Now().Add(silence))
		conn.ReadMessage() // pages say nothing but that they live: whatever else comes ends the stream
	}()
	defer func() { // the library gives the connection to somebody else once this returns: its reader must have ended
		for {
			conn.SetReadDeadline(time.Now())
			select {
			case <-gone:
				return
			case <-time.After(10 * time.Millisecond):
			}
		}
	}()

	w, stop := t.watch(p.device, p.host)
	defer stop()
	life := time.NewTicker(heartbeat)
	defer life.Stop()
	var last []byte
	n := 0 // of frames: it grows for this page alone, and tells nothing of others
	send := func(always bool) bool {
		select {
		case <-w.over: // many that come at once are not even drawn
			return false
		default:
		}
		done := sync.OnceFunc(p.from.work(b.closing))
		defer done() // also where drawing breaks
		m := t.now.Load()
		text, err := p.draw(m)
		if err != nil {
			b.log.Debug("live page ends", "table", t.id, "error", err)
			return false
		}
		text = bytes.TrimSpace(text)
		shows := unkeyed(text)
		same := bytes.Equal(shows, last)
		if !same || always {
			last = shows
			n++
			size := 0
			switch {
			case p.seat:
				size = pageSize(m)
			case p.host:
				size = hostSize(m)
			}
			text = frame(n, text, size)
		}
		done()
		return same && !always || write(conn, websocket.TextMessage, text) == nil
	}
	sent := time.Now()
	if !send(true) {
		return
	}
	for {
		ok := true
		var changed <-chan struct{} = w.changed
		var rest <-chan time.Time
		if wait := hostRest - time.Since(sent); p.host && wait > 0 {
			changed, rest = nil, time.After(wait)
		}
		select {
		case <-rest:
		case <-changed:
			sent = time.Now()
			m := t.now.Load()
			ok = send(p.seat && m.plays() || p.host && night(m)) // all alike, changed or not
		case <-w.beat:
			if !p.host && night(t.now.Load()) {
				ok = send(p.seat)
			}
		case <-life.C:
			ok = write(conn, websocket.PingMessage, nil) == nil && write(conn, websocket.TextMessage, b.sign(t.now.Load(), p.seat)) == nil
		case <-gone:
			return
		case <-w.over:
			return
		case <-b.closing:
			write(conn, websocket.CloseMessage, websocket.FormatCloseMessage(websocket.CloseServiceRestart, "restart"))
			return
		}
		if !ok {
			return
		}
	}
}

// sign is a sign of life. It says again what is left of the clock that the page
// shows, so that clocks that run unlike ours never part from it; it is always as long.
func (b *Box) sign(m *moment, seat bool) []byte {
	now := b.cfg.Now()
	if !m.plays() || !m.clock.Runs(now) || seat && m.game.Phase().N == 0 && night(m) {
		return fmt.Appendf(nil, ".%9s", "")
	}
	return fmt.Appendf(nil, ".%9d", m.clock.Left(now).Milliseconds())
}

func write(conn *websocket.Conn, kind int, text []byte) error {
	conn.SetWriteDeadline(time.Now().Add(heartbeat))
	return conn.WriteMessage(kind, text)
}

// frame is a push: its number, then the page. In a game it is filled with spaces
// to one size, as its length would tell a role.
func frame(n int, page []byte, size int) []byte {
	text := append(fmt.Appendf(nil, "%d\n", n), page...)
	if size > 0 {
		text = filled(text, size)
	}
	return text
}

// keyInPage finds what is drawn anew each time: the keys of forms, and what is left of a clock.
var keyInPage = regexp.MustCompile(`(name="?key"? value|data-key)="[0-9a-f]{32}-[A-Z]{16}[^"]*"|data-(?:left|now)="[0-9]+"`)

// unkeyed is a page without what is drawn anew each time.
func unkeyed(page []byte) []byte { return keyInPage.ReplaceAll(page, nil) }
