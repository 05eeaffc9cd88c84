package server

import (
	"slices"

	"github.com/gofiber/fiber/v2"
	"github.com/mafiabox/mafiabox/engine"
)

// A table may have several host devices. Each sees what a host sees, so in a
// game everybody at the table is told how many there are or have been, and any
// of them may be sent away from the console of another.

// addHost makes a device a host of the table.
func (d *draft) addHost(device string) error {
	if d.doc.hosts(device) {
		return nil
	}
	d.doc.Hosts, d.dirty = append(d.doc.Hosts, device), true
	d.doc.Led++
	return nil
}

// dropHost takes a host device away; the last one stays, as nobody could lead
// the game without it.
func (d *draft) dropHost(id string) error {
	i := slices.IndexFunc(d.doc.Hosts, func(device string) bool { return hostID(device) == id })
	switch {
	case i < 0:
		return say("no_such_host")
	case len(d.doc.Hosts) == 1:
		return say("last_host")
	}
	d.doc.Hosts, d.dirty = slices.Delete(d.doc.Hosts, i, i+1), true
	return nil
}

// hostID names a host device on the console.
func hostID(device string) string { return hash([]byte("host " + device))[:12] }

// hostView is a host device as the console lists it.
type hostView struct {
	ID    string
	No    int
	Seat  engine.Seat // that the same device holds; zero: none
	Name  string
	Mine  bool
	Awake bool
}

func (b *Box) hostViews(t *Table, d doc, mine string) (all []hostView) {
	awake := t.awake()
	for i, device := range d.Hosts {
		v := hostView{ID: hostID(device), No: i + 1, Seat: d.seatOf(device), Mine: device == mine, Awake: awake[device]}
		if v.Seat > 0 {
			v.Name = d.People[v.Seat-1].Name
		}
		all = append(all, v)
	}
	return all
}

// hostHosts sends a host device away. Who held it may know the code and tickets:
// there is a new code at once, and the tickets are worth nothing.
func (b *Box) hostHosts(c *fiber.Ctx) error {
	t := tableOf(c)
	id := c.FormValue("host")
	return b.hostDo(c, func(d *draft) error {
		if err := d.dropHost(id); err != nil {
			return err
		}
		b.dropTickets(t)
		b.mu.Lock()
		defer b.mu.Unlock()
		b.codes[t.id] = newCode(secretCode)
		return nil
	})
}
