package server

import (
	"strings"
	"time"

	"github.com/mafiabox/mafiabox/engine"
)

// A ticket moves a seat to another phone, once: the host gets one for a player
// whose phone has died or lost its cookie, and the old phone is signed out the
// moment that the new one takes the seat. Nothing else gives a seat away: no
// name, no address.

const ticketLife = 15 * time.Minute

type ticket struct {
	table string
	seat  engine.Seat
	name  string // who sat there: between games seats may move
	at    time.Time
}

// newTicket is a code for a seat; an earlier one of that seat is worth nothing.
func (b *Box) newTicket(t *Table, seat engine.Seat) (string, error) {
	people := t.now.Load().doc.People
	if seat < 1 || int(seat) > len(people) {
		return "", say("no_such_seat")
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.cfg.Now()
	for code, old := range b.tickets {
		if old.table == t.id && old.seat == seat || now.Sub(old.at) > ticketLife {
			delete(b.tickets, code)
		}
	}
	code := newCode(6)
	b.tickets[code] = ticket{t.id, seat, people[seat-1].Name, now}
	return code, nil
}

// ticketsOf are the open tickets of a table, by seat.
func (b *Box) ticketsOf(t *Table) map[engine.Seat]string {
	b.mu.Lock()
	defer b.mu.Unlock()
	open := make(map[engine.Seat]string)
	for code, k := range b.tickets {
		if k.table == t.id && b.cfg.Now().Sub(k.at) <= ticketLife {
			open[k.seat] = code
		}
	}
	return open
}

// takeTicket spends a ticket of the table.
func (b *Box) takeTicket(t *Table, code string) (ticket, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	code = strings.ToUpper(strings.TrimSpace(code))
	k, ok := b.tickets[code]
	if !ok || k.table != t.id || b.cfg.Now().Sub(k.at) > ticketLife {
		return ticket{}, false
	}
	delete(b.tickets, code)
	return k, true
}

// reseat gives the ticket's seat to another device, also in a game.
func (d *draft) reseat(k ticket, device string) error {
	if int(k.seat) > len(d.doc.People) || d.doc.People[k.seat-1].Name != k.name || d.doc.seatOf(device) != 0 {
		return say("bad_ticket")
	}
	d.doc.People[k.seat-1].Device, d.dirty = device, true
	return nil
}
