package server

import (
	"time"

	"github.com/gofiber/contrib/websocket"
	"github.com/gofiber/fiber/v2"
)

// The table screen is any browser: a television's own, a laptop. It shows a
// code of its own until a host types that on his console; from then on it shows
// what everybody at the table may see, and nothing else.

// pairing is a screen that waits for a host.
type pairing struct {
	device string
	from   string // its address: one may have only so many waiting
	at     time.Time
}

const (
	pairingLife = 20 * time.Minute
	maxPairings = 50
	maxWaiting  = 4 // of one address
)

// pairingCode is the code under which a screen waits; an old one stays.
func (b *Box) pairingCode(device, from string) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.cfg.Now()
	waiting, oldest := make(map[string]int), make(map[string]string) // by address
	most := from
	for code, p := range b.pairings {
		if p.device == device {
			b.pairings[code] = pairing{device, from, now}
			return code
		}
		if now.Sub(p.at) > pairingLife {
			delete(b.pairings, code)
			continue
		}
		if waiting[p.from]++; waiting[p.from] > waiting[most] {
			most = p.from
		}
		if old := oldest[p.from]; old == "" || p.at.Before(b.pairings[old].at) {
			oldest[p.from] = code
		}
	}
	switch {
	case waiting[from] >= maxWaiting:
		delete(b.pairings, oldest[from]) // its own, never another's
	case len(b.pairings) >= maxPairings:
		delete(b.pairings, oldest[most]) // of who has the most
	}
	code := newCode(4)
	for b.pairings[code].device != "" {
		code = newCode(4)
	}
	b.pairings[code] = pairing{device, from, now}
	return code
}

// paired takes the screen that waits under a code; "" when none does.
func (b *Box) paired(code string) (device string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	p, ok := b.pairings[tidyCode(code)]
	delete(b.pairings, tidyCode(code))
	if !ok || b.cfg.Now().Sub(p.at) > pairingLife {
		return ""
	}
	return p.device
}

// screenOf is the table whose screen a device is, or nil.
func (b *Box) screenOf(device string) *Table {
	for _, t := range b.Tables() {
		if t.now.Load().doc.shownOn(device) {
			return t
		}
	}
	return nil
}

func (b *Box) screen(c *fiber.Ctx) error {
	device := knownDevice(c)
	c.Type("html", "utf-8")
	if t := b.screenOf(device); t != nil {
		return c.Render("screen", b.screenPage(t, t.now.Load(), b.wordsFor(c)))
	}
	t := b.Tables()[0]
	return c.Render("screen-free", screenFree{b.wordsFor(c), b.codesOf(t, t.now.Load()), b.pairingCode(device, c.IP())})
}

// screenFree is a screen that belongs to no table yet: it shows how to join the
// first, and the code that a host types.
type screenFree struct {
	words
	codesView
	Pairing string
}

// screenLive is the stream of a paired screen.
func (b *Box) screenLive(c *fiber.Ctx) error {
	if !websocket.IsWebSocketUpgrade(c) {
		return fiber.ErrUpgradeRequired
	}
	device := deviceOf(c)
	t := b.screenOf(device)
	if t == nil {
		return fiber.ErrForbidden
	}
	w, from := b.wordsFor(c), lineOf(c)
	return websocket.New(func(conn *websocket.Conn) {
		b.push(conn, t, page{from: from, device: device, draw: func(m *moment) ([]byte, error) {
			if !m.doc.shownOn(device) {
				return nil, fiber.ErrForbidden
			}
			return b.draw("screen-main", b.screenPage(t, m, w))
		}})
	}, b.streams())(c)
}

// hostScreen pairs a screen with the table, or lets all of its screens go.
func (b *Box) hostScreen(c *fiber.Ctx) error {
	if c.FormValue("do") == "drop" {
		return b.hostDo(c, func(d *draft) error {
			d.doc.Screens, d.dirty = nil, true
			return nil
		})
	}
	device := b.paired(c.FormValue("code"))
	return b.hostDo(c, func(d *draft) error {
		if device == "" {
			return say("no_such_screen")
		}
		if !d.doc.shownOn(device) {
			d.doc.Screens, d.dirty = append(d.doc.Screens, device), true
		}
		return nil
	})
}

// codesPage are the codes as large as the host's phone is, where there is no
// television.
type codesPage struct {
	words
	codesView
	Table string
}

func (b *Box) codesPage(t *Table, m *moment, w words) codesPage {
	return codesPage{w, b.codesOf(t, m), t.id}
}

func (b *Box) hostCodes(c *fiber.Ctx) error {
	t := tableOf(c)
	c.Type("html", "utf-8")
	return c.Render("codes", b.codesPage(t, t.now.Load(), b.wordsFor(c)))
}
