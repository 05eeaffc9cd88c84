package server

import (
	"github.com/gofiber/contrib/websocket"
	"github.com/gofiber/fiber/v2"
	"github.com/mafiabox/mafiabox/engine"
)

// Who comes by the join code when a game is on, or is too late for a seat,
// watches: what everybody at the table may know, on a phone.

// watchView is a spectator's page.
type watchView struct {
	view
	Code string // the address that a seat is had at once the game is over
}

// watchMain is what a spectator sees of a moment. It is made without his device:
// there is nothing of his own in it.
func (b *Box) watchMain(t *Table, m *moment, w words) watchView {
	var seen engine.Seen
	if m.plays() {
		seen = m.game.Seen(engine.All)
	}
	return watchView{b.view(t, m, w.under(m.doc.Rules), "", seen), m.doc.Code}
}

func (b *Box) watchPage(c *fiber.Ctx, t *Table, m *moment) error {
	w := b.wordsFor(c)
	p := b.watchMain(t, m, w)
	p.Done, p.Error = b.untold(knownDevice(c), w)
	c.Type("html", "utf-8")
	return c.Render("watch", p)
}

// watchLive is the stream of a spectator's page. It ends for who has a seat by
// now: that has a page of its own.
func (b *Box) watchLive(c *fiber.Ctx) error {
	if !websocket.IsWebSocketUpgrade(c) {
		return fiber.ErrUpgradeRequired
	}
	t, device, code := tableOf(c), deviceOf(c), tableOf(c).Code()
	w, from := b.wordsFor(c), lineOf(c)
	return websocket.New(func(conn *websocket.Conn) {
		b.push(conn, t, page{from: from, device: device, draw: func(m *moment) ([]byte, error) {
			if m.doc.Code != code || m.doc.seatOf(device) != 0 {
				return nil, fiber.ErrForbidden
			}
			return b.draw("watch-main", b.watchMain(t, m, w))
		}})
	}, b.streams())(c)
}
