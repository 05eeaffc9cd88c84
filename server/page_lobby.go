package server

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/server/store"
)

// hostSets uses, keeps or drops one of the club's own sets.
func (b *Box) hostSets(c *fiber.Ctx) error {
	do, name := c.FormValue("do"), c.FormValue("name")
	return b.hostDo(c, func(d *draft) error {
		err := d.clubSet(b.club, do, name)
		if errors.Is(err, store.ErrStopped) {
			b.fail(err)
		}
		return err
	})
}

func (b *Box) hostRules(c *fiber.Ctx) error {
	id := c.FormValue("rules")
	return b.hostDo(c, func(d *draft) error { return d.setRules(b.cfg.Rulesets, id) })
}

func (b *Box) hostOptions(c *fiber.Ctx) error {
	set := formValues(c)
	return b.hostDo(c, func(d *draft) error {
		rules := b.rules(d.doc)
		for _, o := range options(rules) {
			if value, ok := set[o.Name]; ok {
				if o.Zone {
					value = strings.TrimSpace(value)
				}
				if err := d.setOption(rules, o.Name, value); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// formValues are the fields of a form, of each its last value.
func formValues(c *fiber.Ctx) map[string]string {
	set := make(map[string]string)
	c.Request().PostArgs().VisitAll(func(key, value []byte) { set[string(key)] = string(value) })
	return set
}

func (b *Box) hostCast(c *fiber.Ctx) error {
	set := formValues(c)
	return b.hostDo(c, func(d *draft) error {
		rules := b.rules(d.doc)
		if set["usual"] != "" {
			return d.setCast(rules, nil)
		}
		counts := make(map[string]int)
		for _, r := range rules.Roles() {
			value := strings.TrimSpace(set[string(r.Role)])
			if value == "" {
				continue
			}
			n, err := strconv.Atoi(value)
			if err != nil {
				return say("bad_cast")
			}
			if n > 0 {
				counts[string(r.Role)] = n
			}
		}
		return d.setCast(rules, counts)
	})
}

func (b *Box) hostPeople(c *fiber.Ctx) error {
	do, seat, to, name := c.FormValue("do"), seatNumber(c.FormValue("seat")), seatNumber(c.FormValue("to")), c.FormValue("name")
	return b.hostDo(c, func(d *draft) error {
		switch do {
		case "ticket":
			d.quiet = true // it is shown, and worth nothing after a restart
			_, err := b.newTicket(tableOf(c), seat)
			return err
		case "add":
			return d.join(b.rules(d.doc), "", name, to)
		case "remove":
			return d.part(seat)
		case "rename":
			return d.rename(seat, name)
		case "move":
			return d.move(b.rules(d.doc), seat, to)
		case "shut", "open":
			return d.shut(do == "shut")
		case "close-up":
			return d.closeUp()
		case "shuffle":
			return d.shuffle()
		case "evening":
			return d.newEvening(b)
		}
		return fiber.ErrForbidden
	})
}

// hostDeal begins the game: the box deals, or the host says which card fell where.
func (b *Box) hostDeal(c *fiber.Ctx) error {
	set := formValues(c)
	return b.hostDo(c, func(d *draft) error {
		if set["by"] != "hand" {
			return d.deal(b.rules(d.doc), nil)
		}
		if err := d.doc.noGaps(); err != nil {
			return err
		}
		roles := make([]engine.Role, len(d.doc.People))
		for i := range roles {
			if roles[i] = engine.Role(set[fmt.Sprintf("role%d", i+1)]); roles[i] == "" {
				return say("hand_incomplete", "Seat", i+1)
			}
		}
		return d.deal(b.rules(d.doc), roles)
	})
}

// hostNext goes on after a game: with the next one at once, or to the lobby first.
func (b *Box) hostNext(c *fiber.Ctx) error {
	if c.FormValue("do") == "leave" {
		return b.hostDoes(c, true, (*draft).leaveFrozen)
	}
	deals := c.FormValue("do") == "deal"
	return b.hostDo(c, func(d *draft) error {
		err := d.next()
		if err == nil && d.doc.Boot != b.cfg.Boot {
			err = d.newCode(b) // the game is from before the box was switched on
		}
		if err != nil || !deals {
			return err
		}
		err = d.deal(b.rules(d.doc), nil)
		if errors.As(err, new(problem)) {
			return nil // the lobby says why
		}
		return err
	})
}
