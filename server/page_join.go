package server

import (
	"fmt"
	"slices"

	"github.com/gofiber/fiber/v2"
	"github.com/mafiabox/mafiabox/engine"
)

type startPage struct {
	words
	Error, Key string
	Seat       engine.Seat // that the visitor's card proposes; zero: none
}

// start is the box's front page: where to type the join code. Who has a seat is
// led to it, as he who types the address doesn't know where his page was.
func (b *Box) start(c *fiber.Ctx) error {
	if device := deviceOf(c); device != "" {
		if sits := b.sitsElsewhere("", device); sits != nil {
			return c.Redirect("/t/"+sits.Table, fiber.StatusSeeOther)
		}
	}
	c.Type("html", "utf-8")
	return c.Render("start", startPage{words: b.wordsFor(c), Key: newKey(knownDevice(c)), Seat: seatNumber(c.Query("seat"))})
}

// findTable takes a typed join code to its table.
func (b *Box) findTable(c *fiber.Ctx) error {
	t, err := b.tableBy(c, c.FormValue("code"))
	if err != nil {
		return err
	}
	seat := seatNumber(c.FormValue("seat"))
	if t == nil {
		w := b.wordsFor(c)
		c.Status(fiber.StatusNotFound).Type("html", "utf-8")
		return c.Render("start", startPage{w, w.T("problem.bad_code"), newKey(deviceOf(c)), seat})
	}
	to := "/j/" + t.Code()
	if seat != 0 {
		to += fmt.Sprint("?seat=", seat)
	}
	return c.Redirect(to, fiber.StatusSeeOther)
}

// tableBy is the table that a join code leads to, or nil. The right one is taken
// from everybody, as the table's screen shows it to all; wrong ones are counted.
func (b *Box) tableBy(c *fiber.Ctx, code string) (*Table, error) {
	b.mu.Lock()
	t := b.byCode(tidyCode(code))
	b.mu.Unlock()
	if t != nil || b.wasCode(tidyCode(code)) {
		return t, nil
	}
	_, err := b.guesses.try(c, b.cfg.Now(), code, func(string) bool { return false })
	return nil, err
}

// wasCode tells whether a code led to a table on another evening.
func (b *Box) wasCode(code string) bool {
	return slices.ContainsFunc(b.Tables(), func(t *Table) bool { return slices.Contains(t.now.Load().doc.Old, code) })
}

type joinPage struct {
	words
	Code, Table, Error, Name, Key string
	Ticket                        bool
	Full                          int           // so many seats, and all are taken
	Shut                          bool          // the host lets nobody in now
	Free                          []engine.Seat // to choose from
	Seat                          engine.Seat   // the one chosen; zero: any
	Sits                          *sitsView     // where the visitor sits already
}

// sitsView is a seat that a visitor has at another table.
type sitsView struct {
	Table, Code string
	Seat        engine.Seat
	Name        string
	Stays       bool // a game is on there
}

// joining finds the table that an address's code leads to. The code may be that
// of another evening.
func (b *Box) joining(c *fiber.Ctx) error {
	t, err := b.tableBy(c, c.Params("code"))
	if err != nil {
		return err
	}
	if t == nil {
		w := b.wordsFor(c)
		return b.message(c, fiber.StatusNotFound, w.T("join.old"), w.T("join.old.text"), "/", w.T("error.link"))
	}
	c.Locals("table", t)
	return c.Next()
}

// joinPage asks for a name and a seat, or goes to the seat that the visitor has.
// Once a game has begun there is none to have: who comes then watches it.
func (b *Box) joinPage(c *fiber.Ctx) error {
	t := tableOf(c)
	m := t.now.Load()
	v := viewerOf(c, m)
	switch {
	case v.seat != 0:
		word := say("sits_here", "Seat", v.seat)
		b.tell(v.device, answer{word: &word})
		return c.Redirect("/t/"+t.id, fiber.StatusSeeOther)
	case m.doc.Stage == playing && c.Query("ticket") == "":
		return b.watchPage(c, t, m)
	}
	return b.drawJoin(c, t, fiber.StatusOK, nil)
}

func (b *Box) drawJoin(c *fiber.Ctx, t *Table, status int, err error) error {
	if err != nil && b.gone(err) {
		return b.comeBack(c, troubleStopped)
	}
	d := t.now.Load().doc
	device := knownDevice(c)
	p := joinPage{
		words: b.wordsFor(c), Code: d.Code, Table: t.id, Key: newKey(device), Sits: b.sitsElsewhere(t.id, device),
		Ticket: c.Query("ticket") != "" || c.FormValue("ticket") != "", Seat: seatNumber(c.Query("seat")),
	}
	_, most := b.rules(d).Seats()
	for seat := engine.Seat(1); int(seat) <= most; seat++ {
		if !d.sits(seat) {
			p.Free = append(p.Free, seat)
		}
	}
	if p.Shut = d.Shut; len(p.Free) == 0 {
		p.Full = most
	}
	if d.sits(p.Seat) { // it is on the visitor's card
		p.Error = p.refusal(say("seat_taken", "Seat", p.Seat, "Name", d.People[p.Seat-1].Name))
	}
	if err != nil {
		p.Error, p.Seat = p.refusal(err), seatNumber(c.FormValue("seat"))
		p.Name = c.FormValue("name")
		if len(p.Name) > 4*maxName {
			p.Name = ""
		}
	}
	c.Status(status).Type("html", "utf-8")
	return c.Render("join", p)
}

// sitsElsewhere is the seat that a device has at another table than this one, or
// nil. That of a game that is over keeps nobody, nor does a table that is frozen.
func (b *Box) sitsElsewhere(table, device string) *sitsView {
	for _, other := range b.Tables() {
		m := other.now.Load()
		seat := m.doc.seatOf(device)
		if other.id == table || seat == 0 || m.frozen != "" || m.plays() && m.game.Ended() {
			continue
		}
		return &sitsView{other.id, m.doc.Code, seat, m.doc.People[seat-1].Name, m.doc.Stage == playing}
	}
	return nil
}

// leaves takes a device off a table that it has left for another, and tells
// whether that was done. Where it could not be stored he sits at both: each table
// looks for that before its next game.
func (b *Box) leaves(t *Table, device string) bool {
	err := t.Do("", func(d *draft) error {
		if seat := d.doc.seatOf(device); seat != 0 {
			return d.part(seat)
		}
		return nil
	})
	if err != nil {
		b.log.Warn("who has gone to another table keeps his seat", "table", t.id, "error", err)
	}
	return err == nil
}

// twice are the seats whose phones sit at another table as well, by its join code.
func (b *Box) twice(table string, d doc) map[engine.Seat]string {
	found := make(map[engine.Seat]string)
	for i, p := range d.People {
		if sits := b.sitsElsewhere(table, p.Device); sits != nil {
			found[engine.Seat(i+1)] = sits.Code
		}
	}
	return found
}

// onceEach refuses to begin with somebody who sits at two tables: he would be
// dealt two roles.
func (b *Box) onceEach(table string, d doc) error {
	for seat, code := range b.twice(table, d) {
		return say("sits_twice", "Seat", seat, "Name", d.People[seat-1].Name, "Code", code)
	}
	return nil
}

// join gives the visitor a seat under the name that he typed.
func (b *Box) join(c *fiber.Ctx) error {
	t := tableOf(c)
	token, name, seat := knownToken(c), c.FormValue("name"), seatNumber(c.FormValue("seat"))
	device := hash(token)
	if c.FormValue("ticket") != "" {
		return b.takeSeat(c, t, token)
	}
	b.moving.Lock() // from table to table: one at a time, as each is asked by itself
	defer b.moving.Unlock()
	sits := b.sitsElsewhere(t.id, device)
	if sits != nil && (sits.Stays || c.FormValue("leave") != sits.Table) {
		return b.drawJoin(c, t, fiber.StatusUnprocessableEntity, say("sits_elsewhere", "Code", sits.Code, "Seat", sits.Seat))
	}
	err := t.Do(formKey(c, device), func(d *draft) error {
		if err := d.join(b.rules(d.doc), device, name, seat); err != nil {
			return err
		}
		d.sign(token)
		return nil
	})
	if err == nil && sits != nil && t.now.Load().doc.seatOf(device) != 0 { // left only now: who is refused here keeps his seat there
		if old := b.Table(sits.Table); !b.leaves(old, device) && old.now.Load().doc.Stage == playing {
			b.leaves(t, device) // the game has begun there meanwhile, with him
			err = say("sits_elsewhere", "Code", sits.Code, "Seat", sits.Seat)
		}
	}
	switch {
	case err != nil && t.now.Load().doc.Stage == playing: // the game has begun meanwhile
		b.tell(device, answer{err: err})
		return c.Redirect("/j/"+t.Code(), fiber.StatusSeeOther)
	case err != nil:
		return b.drawJoin(c, t, statusOf(err), err)
	}
	return c.Redirect("/t/"+t.id, fiber.StatusSeeOther)
}

// takeSeat gives the visitor the seat that a ticket names.
func (b *Box) takeSeat(c *fiber.Ctx, t *Table, token []byte) error {
	var k ticket
	ok, err := b.guesses.try(c, b.cfg.Now(), c.FormValue("code"), func(code string) (ok bool) {
		k, ok = b.ticket(t, code)
		return ok
	})
	if err != nil {
		return err
	}
	if !ok {
		return b.drawJoin(c, t, fiber.StatusUnprocessableEntity, say("bad_ticket"))
	}
	b.moving.Lock()
	defer b.moving.Unlock()
	if sits := b.sitsElsewhere(t.id, hash(token)); sits != nil {
		return b.drawJoin(c, t, fiber.StatusUnprocessableEntity, say("sits_elsewhere", "Code", sits.Code, "Seat", sits.Seat))
	}
	err = t.Do("", func(d *draft) error {
		if err := d.reseat(k, hash(token)); err != nil {
			return err
		}
		d.sign(token)
		return nil
	})
	if err != nil {
		return b.drawJoin(c, t, statusOf(err), err)
	}
	return c.Redirect("/t/"+t.id, fiber.StatusSeeOther)
}

// formKey is the client key of a form, which belongs to the device alone.
func formKey(c *fiber.Ctx, device string) string {
	key := c.FormValue("key")
	if key == "" || device == "" {
		return ""
	}
	return device[:deviceInKey] + hash([]byte(key))[:16] // hashed: what a page sends may be anything
}
