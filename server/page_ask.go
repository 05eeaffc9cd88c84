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
	askLife  = 8 * time.Second  // since its page was last seen: it comes again every two
	askMost  = 90 * time.Second // in all: who holds the button later means something else
	maxAsks  = 50
	asksFrom = 2 // phones of one address
)

// ask is a phone that asks.
type ask struct {
	from        string // its address
	since, seen time.Time
	two         bool // the button was held while another asked, too
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
	maps.DeleteFunc(b.asks, func(_ string, a ask) bool { return now.Sub(a.seen) > askLife || now.Sub(a.since) > askMost })
	return b.asks
}

// asked is how many phones ask now to be host of the table, for its console: who
// holds the button must know whom he lets in.
func (b *Box) asked(t *Table) int {
	if b.panelTable() != t {
		return 0
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.asking())
}

// askToHost notes that the visitor asks. Of one address only so many do: nobody
// fills the list for all.
func (b *Box) askToHost(c *fiber.Ctx) error {
	if b.cfg.Panel == nil {
		return fiber.ErrNotFound
	}
	device, now := knownDevice(c), b.cfg.Now()
	b.mu.Lock()
	all := b.asking()
	others := 0
	for d, a := range all {
		if a.from == c.IP() && d != device {
			others++
		}
	}
	full := others >= asksFrom || len(all) >= maxAsks
	if !full {
		all[device] = ask{from: c.IP(), since: now, seen: now}
	}
	b.mu.Unlock()
	if full {
		return say("many_ask")
	}
	b.panelTable().wakeHosts()
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
	b.panelTable().wakeHosts()
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
