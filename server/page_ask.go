package server

import (
	"maps"
	"time"

	"github.com/gofiber/fiber/v2"
)

// A phone becomes host of the panel's table without a code while somebody holds
// the box's button: whoever can reach that is the host of the evening. It asks
// first, and when two ask nobody is taken, as the button can't say whom it means.

const (
	askLife = 8 * time.Second // since its page was last seen: it comes again every two
	maxAsks = 50
)

// ask is a phone that asks.
type ask struct {
	seen time.Time
	two  bool // the button was held while another asked, too
}

// askPage waits for the button.
type askPage struct {
	words
	Key string
	Two bool
}

// asking are the phones that ask now; the box's lock is held.
func (b *Box) asking() map[string]ask {
	now := b.cfg.Now()
	maps.DeleteFunc(b.asks, func(_ string, a ask) bool { return now.Sub(a.seen) > askLife })
	return b.asks
}

// askToHost notes that the visitor asks.
func (b *Box) askToHost(c *fiber.Ctx) error {
	device := knownDevice(c)
	b.mu.Lock()
	if all := b.asking(); len(all) < maxAsks {
		all[device] = ask{seen: b.cfg.Now()}
	}
	b.mu.Unlock()
	return c.Redirect("/host/ask", fiber.StatusSeeOther)
}

// waitToHost is the page of a phone that asks. It comes again until it is host;
// one that was away for too long no longer asks.
func (b *Box) waitToHost(c *fiber.Ctx) error {
	device := deviceOf(c)
	if t := b.panelTable(); t.now.Load().doc.hosts(device) {
		return c.Redirect("/t/"+t.id+"/host", fiber.StatusSeeOther)
	}
	b.mu.Lock()
	a, ok := b.asking()[device]
	if ok {
		a.seen = b.cfg.Now()
		b.asks[device] = a
	}
	b.mu.Unlock()
	if !ok {
		return c.Redirect("/host", fiber.StatusSeeOther)
	}
	c.Type("html", "utf-8")
	return c.Render("ask", askPage{b.wordsFor(c), newKey(device), a.two})
}

// stopAsking lets another have it.
func (b *Box) stopAsking(c *fiber.Ctx) error {
	b.mu.Lock()
	delete(b.asks, deviceOf(c))
	b.mu.Unlock()
	return c.Redirect("/host", fiber.StatusSeeOther)
}

// pairByButton makes the phone that asks a host of the table.
func (b *Box) pairByButton(t *Table) error {
	b.mu.Lock()
	var device string
	all := b.asking()
	for d, a := range all {
		device = d
		if len(all) > 1 {
			a.two = true
			all[d] = a
		}
	}
	n := len(all)
	b.mu.Unlock()
	switch {
	case n == 0:
		return say("nobody_asks")
	case n > 1:
		return say("two_ask")
	}
	err := t.Do("", func(d *draft) error {
		d.jot(b.words().T("jot.host"))
		return d.addHost(device)
	})
	if err == nil {
		b.mu.Lock()
		delete(b.asks, device)
		b.mu.Unlock()
	}
	return err
}
