package server

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/mafiabox/mafiabox/engine"
)

// findPath finds the table of an address.
func (b *Box) findPath(c *fiber.Ctx) error {
	t := b.Table(c.Params("table"))
	if t == nil {
		return fiber.ErrNotFound
	}
	c.Locals("table", t)
	return c.Next()
}

func tableOf(c *fiber.Ctx) *Table { return c.Locals("table").(*Table) }

// seat is a player's page. Who has no seat here is asked to join.
func (b *Box) seat(c *fiber.Ctx) error {
	t := tableOf(c)
	m := t.now.Load()
	v := viewerOf(c, m)
	switch {
	case v.seat == 0 && v.host:
		return c.Redirect("/t/"+t.id+"/host", fiber.StatusSeeOther)
	case v.seat == 0:
		return c.Redirect("/", fiber.StatusSeeOther)
	}
	w := b.wordsFor(c)
	p := b.seatPage(t, m, w, v.seat)
	p.Ticket, p.Leads = m.doc.ticketOf(v.seat, tokenOf(c), t.id), v.host
	p.Done, p.Error = b.untold(v.device, w)
	c.Type("html", "utf-8")
	return drawn(c, pageSize(m), "seat", p)
}

// drawn sends a page of a table, filled up while a game is on.
func drawn(c *fiber.Ctx, size int, name string, page any) error {
	err := c.Render(name, page)
	if err == nil && size > 0 {
		c.Response().SetBody(filled(c.Response().Body(), size))
	}
	return err
}

// seatDo does something for the visitor's seat. Nobody else's seat can be
// meant: it is the cookie's.
func (b *Box) seatDo(c *fiber.Ctx, do func(d *draft, seat engine.Seat) error) error {
	came, t := time.Now(), tableOf(c)
	m := t.now.Load()
	v := viewerOf(c, m)
	if v.seat == 0 {
		return fiber.ErrForbidden
	}
	of := c.FormValue("of")
	told := t.ask(formKey(c, v.device), func(d *draft) error {
		seat := d.doc.seatOf(v.device)
		if seat == 0 {
			return fiber.ErrForbidden
		}
		if of != "" && of != d.of() {
			return d.stale()
		}
		if err := do(d, seat); err != nil {
			return err
		}
		return d.paced(seat, false)
	})
	if errors.Is(told.err, fiber.ErrForbidden) {
		return told.err
	}
	if night(m) {
		evenly(c, came, t.slowest())
		t.wakeHosts()
	}
	return b.answer(c, v.device, backTo(c, "/t/"+t.id), told)
}

// backTo is the page to which a form goes back: the one that it is of, or the
// letters beside it.
func backTo(c *fiber.Ctx, page string) string {
	if c.FormValue("back") == "letters" {
		page += "/letters"
	}
	return page
}

// seatAct is any act of a seat that is not the night's form.
func (b *Box) seatAct(c *fiber.Ctx) error {
	act, err := formAct(c)
	if err != nil {
		return err
	}
	if act.Verb == engine.Post {
		return fiber.ErrBadRequest // its own form shows first what it counts as
	}
	return b.seatDo(c, func(d *draft, seat engine.Seat) error {
		act := act
		act.By, act.For, act.Mends, act.Via = engine.Actor(seat), 0, false, engine.ByPhone
		return d.act(act)
	})
}

// seatRead notes that the seat has held its screen to read.
func (b *Box) seatRead(c *fiber.Ctx) error {
	return b.seatDo(c, func(d *draft, seat engine.Seat) error { return d.hasRead(seat) })
}

// formAct reads an act from a form. What is no verb at all is refused later:
// nobody is offered it.
func formAct(c *fiber.Ctx) (engine.Act, error) {
	act := engine.Act{
		Verb: engine.Verb(c.FormValue("verb")), Word: strings.ToValidUTF8(c.FormValue("word"), ""), Text: tidyPost(c.FormValue("text")),
		For: seatNumber(c.FormValue("for")), Mends: c.FormValue("mends") != "",
	}
	if n := c.FormValue("n"); n != "" {
		var err error
		if act.N, err = strconv.Atoi(n); err != nil || act.N < 1 {
			return act, fiber.ErrBadRequest
		}
	}
	c.Request().PostArgs().VisitAll(func(key, value []byte) {
		if string(key) == "seat" {
			act.Seats = append(act.Seats, seatNumber(string(value)))
		}
	})
	if slices.Contains(act.Seats, 0) || len(act.Seats) > 50 {
		return act, fiber.ErrBadRequest
	}
	return act, nil
}

// nightForm takes all picks of a seat's night at once: all of them, or none.
func (b *Box) nightForm(c *fiber.Ctx) error {
	picks, err := formPicks(c)
	if err != nil {
		return err
	}
	nothing := c.FormValue("do") == "none"
	return b.seatDo(c, func(d *draft, seat engine.Seat) error {
		if !d.plays() {
			return engine.RefusedPhase
		}
		if !nothing && !slices.ContainsFunc(picks, func(s engine.Seat) bool { return s != 0 }) {
			return say("pick_or_nothing") // an empty form never takes back what was sent
		}
		for _, act := range nightActs(d.game.Seen(engine.Audience(seat)), seat, picks) {
			if err := d.act(act); err != nil {
				return err
			}
		}
		return nil
	})
}

// formPicks are the picks of the night's form in order; 0 is nobody.
func formPicks(c *fiber.Ctx) (picks []engine.Seat, err error) {
	if c.FormValue("do") == "none" {
		return nil, nil
	}
	set := formValues(c)
	for i := 1; ; i++ {
		value, ok := set[fmt.Sprint("p", i)]
		if !ok {
			break
		}
		seat := seatNumber(value)
		if seat == 0 && strings.Trim(value, "0") != "" {
			return nil, fiber.ErrBadRequest
		}
		picks = append(picks, seat)
	}
	if len(picks) == 0 {
		return nil, fiber.ErrBadRequest
	}
	return picks, nil
}

// different are the picks that name somebody, each seat once.
func different(picks []engine.Seat) (named []engine.Seat) {
	for _, s := range picks {
		if s != 0 && !slices.Contains(named, s) {
			named = append(named, s)
		}
	}
	return named
}

// nightActs gives the picks of a form to the seat's offers, in their order. A
// form says what the seat wants now, so what it sent before and leaves out now
// is taken back first.
func nightActs(seen engine.Seen, seat engine.Seat, picks []engine.Seat) []engine.Act {
	by := engine.Act{By: engine.Actor(seat), Via: engine.ByPhone}
	if seen.Phase.Name != engine.Nights {
		by.Verb = engine.Wait
		return []engine.Act{by} // the game says why not
	}
	var acts []engine.Act
	for _, o := range seen.Offers {
		if o.Now != engine.Open || o.Max == 0 {
			continue
		}
		n := min(o.Max, len(picks))
		named := different(picks[:n])
		picks = picks[n:]
		if len(named) == 0 || len(named) < o.Min {
			continue // to say so would tell the table who has such a role: it stands behind the hold that it was not sent
		}
		act := by
		act.Verb, act.Seats = o.Verb, named
		acts = append(acts, act)
	}
	dropped := slices.ContainsFunc(seen.Chosen, func(e engine.Event) bool {
		return e.Of == seat && !slices.ContainsFunc(acts, func(a engine.Act) bool { return a.Verb == e.Verb })
	})
	if len(acts) == 0 || dropped {
		by.Verb = engine.Wait
		acts = append([]engine.Act{by}, acts...)
	}
	return acts
}
