package server

import (
	"github.com/gofiber/fiber/v2"
	"github.com/mafiabox/mafiabox/engine"
)

// tallyPage is the tally by itself, to be read by everybody and to be printed.
type tallyPage struct {
	view
	Now  string // when it was so
	Zone string
}

// tally is the tally of the votes now. Everybody on the network may read it.
func (b *Box) tally(c *fiber.Ctx) error {
	t := tableOf(c)
	m := t.now.Load()
	if !m.hasThread() {
		return fiber.ErrNotFound
	}
	c.Type("html", "utf-8")
	return c.Render("tally", b.tallyPage(t, m, b.wordsFor(c)))
}

func (b *Box) tallyPage(t *Table, m *moment, w words) tallyPage {
	p := tallyPage{view: b.view(t, m, w, "", m.game.Seen(engine.All))}
	if now, sure := b.Time(); sure {
		zone := m.zone(m.game.Rules())
		p.Now, p.Zone = w.moment(now.In(zone)), zone.String()
	}
	return p
}
