package server

import (
	"github.com/gofiber/fiber/v2"
)

type startPage struct {
	words
	Error, Key string
}

// start is the box's front page: where to type the join code.
func (b *Box) start(c *fiber.Ctx) error {
	c.Type("html", "utf-8")
	return c.Render("start", startPage{words: b.wordsFor(c), Key: newKey(knownDevice(c))})
}

// findTable takes a typed join code to its table.
func (b *Box) findTable(c *fiber.Ctx) error {
	t, err := b.tableBy(c, c.FormValue("code"))
	if err != nil {
		return err
	}
	if t == nil {
		w := b.wordsFor(c)
		c.Status(fiber.StatusNotFound).Type("html", "utf-8")
		return c.Render("start", startPage{w, w.T("problem.bad_code"), newKey(deviceOf(c))})
	}
	return c.Redirect("/j/"+t.Code(), fiber.StatusSeeOther)
}

// tableBy is the table that a join code leads to, or nil. The right one is taken
// from everybody, as the table's screen shows it to all; wrong ones are counted.
func (b *Box) tableBy(c *fiber.Ctx, code string) (*Table, error) {
	b.mu.Lock()
	t := b.byCode(tidyCode(code))
	b.mu.Unlock()
	if t != nil {
		return t, nil
	}
	_, err := b.guesses.try(c, b.cfg.Now(), code, func(string) bool { return false })
	return nil, err
}

type joinPage struct {
	words
	Code, Table, Error, Name, Key string
	Playing, Ticket               bool
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

// joinPage asks for a name, or goes to the seat that the visitor has.
func (b *Box) joinPage(c *fiber.Ctx) error {
	t := tableOf(c)
	m := t.now.Load()
	if viewerOf(c, m).seat != 0 {
		return c.Redirect("/t/"+t.id, fiber.StatusSeeOther)
	}
	return b.drawJoin(c, t, fiber.StatusOK, nil)
}

func (b *Box) drawJoin(c *fiber.Ctx, t *Table, status int, err error) error {
	m := t.now.Load()
	p := joinPage{words: b.wordsFor(c), Code: m.doc.Code, Table: t.id, Key: newKey(knownDevice(c)), Playing: m.doc.Stage == playing, Ticket: c.Query("ticket") != "" || c.FormValue("ticket") != ""}
	if err != nil {
		p.Error = p.refusal(err)
		p.Name = c.FormValue("name")
		if len(p.Name) > 4*maxName {
			p.Name = ""
		}
	}
	c.Status(status).Type("html", "utf-8")
	return c.Render("join", p)
}

// join gives the visitor a seat under the name that he typed.
func (b *Box) join(c *fiber.Ctx) error {
	t := tableOf(c)
	token, name := knownToken(c), c.FormValue("name")
	device := hash(token)
	if c.FormValue("ticket") != "" {
		return b.takeSeat(c, t, token)
	}
	err := t.Do(formKey(c, device), func(d *draft) error {
		if err := d.join(b.rules(d.doc), device, name); err != nil {
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
