package server

import (
	"crypto/sha256"
	"maps"
	"time"

	"github.com/mafiabox/mafiabox/engine"
)

// A ticket moves a seat to another phone, once, and the old phone is signed out
// the moment that the new one takes the seat. Each player's page shows one behind
// a hold, for the day when the box has another address and its cookie is worth
// nothing; the host gets one for a player whose phone has died. Nothing else
// gives a seat away: a name or an address proves nothing.

const ticketLife = 15 * time.Minute

type ticket struct {
	table string
	seat  engine.Seat
	old   person // who sat there: between games seats may move
	at    time.Time
}

// ownTicket is the ticket that a phone's own page shows. It follows from the
// phone's secret, so the box can show it again after a restart and keep no more
// than its hash.
func ownTicket(token []byte, table, salt string) string {
	sum := sha256.Sum256(append([]byte("ticket "+table+" "+salt+" "), token...))
	code := make([]byte, secretCode)
	for i := range code {
		code[i] = letters[int(sum[i])%len(letters)]
	}
	return string(code)
}

// sign draws the ticket that a phone's page will show.
func (d *draft) sign(token []byte) {
	seat := d.doc.seatOf(hash(token))
	if seat == 0 || d.doc.ticketOf(seat, token, d.table) != "" {
		return // it has one
	}
	p := &d.doc.People[seat-1]
	p.Salt, d.dirty = newCode(secretCode), true
	p.Ticket = hash([]byte(ownTicket(token, d.table, p.Salt)))
}

// dropTickets makes the tickets worth nothing that hosts were given for a table.
func (b *Box) dropTickets(t *Table) {
	b.mu.Lock()
	defer b.mu.Unlock()
	maps.DeleteFunc(b.tickets, func(_ string, k ticket) bool { return k.table == t.id })
}

// newTicket is a code for a seat; an earlier one of that seat is worth nothing.
func (b *Box) newTicket(t *Table, seat engine.Seat) (string, error) {
	doc := t.now.Load().doc
	if !doc.sits(seat) {
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
	code := newCode(secretCode)
	b.tickets[code] = ticket{t.id, seat, doc.People[seat-1], now}
	return code, nil
}

// ticketsOf are the open tickets of a table, by seat.
func (b *Box) ticketsOf(t *Table) map[engine.Seat]string {
	b.mu.Lock()
	defer b.mu.Unlock()
	open := make(map[engine.Seat]string)
	for code, k := range b.tickets {
		if k.table == t.id && b.cfg.Now().Sub(k.at) <= ticketLife && k.fits(t.now.Load().doc) {
			open[k.seat] = code
		}
	}
	return open
}

// ticket is the open ticket of the table under a code.
func (b *Box) ticket(t *Table, code string) (ticket, bool) {
	for i, p := range t.now.Load().doc.People {
		if p.Ticket != "" && equal(p.Ticket, hash([]byte(code))) {
			return ticket{table: t.id, seat: engine.Seat(i + 1), old: p}, true
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	k, ok := b.tickets[code]
	return k, ok && k.table == t.id && b.cfg.Now().Sub(k.at) <= ticketLife
}

// fits tells whether the one whom the ticket was made for still sits there,
// with the phone of then: a ticket counts once.
func (k ticket) fits(d doc) bool {
	return int(k.seat) <= len(d.People) && d.People[k.seat-1] == k.old
}

// reseat gives the ticket's seat to another device, also in a game.
func (d *draft) reseat(k ticket, device string) error {
	if !k.fits(d.doc) || d.doc.seatOf(device) != 0 {
		return say("bad_ticket")
	}
	d.doc.People[k.seat-1].Device, d.doc.People[k.seat-1].Ticket, d.dirty = device, "", true
	return nil
}
