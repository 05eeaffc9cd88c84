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
	"github.com/mafiabox/mafiabox/server/store"
)

type loginPage struct {
	words
	Error, Key string
}

func (b *Box) hostLogin(c *fiber.Ctx) error {
	c.Type("html", "utf-8")
	return c.Render("host-login", loginPage{words: b.wordsFor(c), Key: newKey(knownDevice(c))})
}

// becomeHost makes the visitor host of the table whose host code he types.
func (b *Box) becomeHost(c *fiber.Ctx) error {
	var t *Table
	_, err := b.guesses.try(c, b.cfg.Now(), c.FormValue("code"), func(code string) bool {
		for _, table := range b.Tables() {
			if codeFits(code, tidyCode(b.HostCode(table))) {
				t = table
			}
		}
		return t != nil
	})
	if err != nil {
		return err
	}
	if t != nil {
		device := knownDevice(c)
		if err := t.Do("", func(d *draft) error { return d.addHost(device) }); err != nil {
			return err
		}
		return c.Redirect("/t/"+t.id+"/host", fiber.StatusSeeOther)
	}
	w := b.wordsFor(c)
	c.Status(fiber.StatusForbidden).Type("html", "utf-8")
	return c.Render("host-login", loginPage{w, w.T("problem.bad_host_code"), newKey(deviceOf(c))})
}

// onlyHost lets a table's hosts through; everybody else may type the code.
func (b *Box) onlyHost(c *fiber.Ctx) error {
	t := tableOf(c)
	if viewerOf(c, t.now.Load()).host {
		return c.Next()
	}
	if c.Method() == fiber.MethodGet && !live(c) {
		return c.Redirect("/host", fiber.StatusSeeOther)
	}
	return fiber.ErrForbidden
}

func (b *Box) host(c *fiber.Ctx) error {
	return b.drawHost(c, fiber.StatusOK, nil)
}

func (b *Box) drawHost(c *fiber.Ctx, status int, problem error) error {
	t, w := tableOf(c), b.wordsFor(c)
	if live(c) && problem != nil {
		return c.Status(status).Type("txt", "utf-8").SendString(w.refusal(problem))
	}
	from := c.Query("for")
	if from == "" {
		from = c.FormValue("for")
	}
	m := t.now.Load()
	p := b.hostPage(t, m, w, deviceOf(c), seatNumber(from))
	if problem != nil {
		p.Error = w.refusal(problem)
	}
	c.Status(status).Type("html", "utf-8")
	return drawn(c, hostSize(m), "host", p)
}

// hostDo does something at the table that the visitor hosts.
func (b *Box) hostDo(c *fiber.Ctx, do func(*draft) error) error {
	came, t := time.Now(), tableOf(c)
	m := t.now.Load()
	device, of := deviceOf(c), c.FormValue("of")
	err := t.Do(formKey(c, device), func(d *draft) error {
		if !d.doc.hosts(device) {
			return fiber.ErrForbidden
		}
		if of != "" && of != d.of() {
			return engine.RefusedPhase // a form of an earlier moment
		}
		return do(d)
	})
	if errors.Is(err, fiber.ErrForbidden) {
		return err
	}
	if night(m) {
		if c.FormValue("for") != "" {
			evenly(c, came, t.slowest())
		}
		t.wakeHosts()
	}
	switch page := "/t/" + t.id + "/host"; {
	case m.plays() && live(c):
		return b.answer(c, device, page, err)
	case err != nil:
		return b.drawHost(c, statusOf(err), err)
	default:
		return done(c, page)
	}
}

func (b *Box) hostAct(c *fiber.Ctx) error {
	act, err := formAct(c)
	if err != nil {
		return err
	}
	act.By = engine.Host
	act.Via = via(act)
	return b.hostDo(c, func(d *draft) error {
		if act.Verb == engine.Votes && len(act.Seats) == 1 || act.Verb == engine.Raise && len(act.Seats) == 0 {
			return say("no_hands")
		}
		return d.act(act)
	})
}

// hostCall enters what is shown by those who wake in a night: the same act for
// each of them.
func (b *Box) hostCall(c *fiber.Ctx) error {
	act, err := formAct(c)
	if err != nil {
		return err
	}
	var callers []engine.Seat
	c.Request().PostArgs().VisitAll(func(key, value []byte) {
		if string(key) == "for" {
			callers = append(callers, seatNumber(string(value)))
		}
	})
	if slices.Contains(callers, 0) || len(callers) == 0 || len(callers) > 50 {
		return fiber.ErrBadRequest
	}
	return b.hostDo(c, func(d *draft) error {
		for _, seat := range callers {
			if err := d.act(engine.Act{By: engine.Host, For: seat, Verb: act.Verb, Seats: act.Seats, Via: engine.ByHost}); err != nil {
				return err
			}
		}
		return nil
	})
}


// hostNight is a seat's night form that the host fills in.
func (b *Box) hostNight(c *fiber.Ctx) error {
	picks, err := formPicks(c)
	if err != nil {
		return err
	}
	nothing, seat := c.FormValue("do") == "none", seatNumber(c.FormValue("for"))
	return b.hostDo(c, func(d *draft) error {
		if !d.plays() {
			return engine.RefusedPhase
		}
		if !nothing && len(different(picks)) == 0 {
			return say("pick_somebody")
		}
		acts, err := enteredActs(d.game, seat, picks)
		for _, a := range acts {
			if err == nil {
				err = d.act(a)
			}
		}
		return err
	})
}

// hostStep is the large button, or one of the smaller ones beside it.
func (b *Box) hostStep(c *fiber.Ctx) error {
	verb, other := engine.Verb(c.FormValue("verb")), c.FormValue("other") != ""
	return b.hostDo(c, func(d *draft) error {
		if other {
			return d.stepAside(verb)
		}
		return d.step(verb, engine.ByPhone)
	})
}

// hostSets uses, keeps or drops one of the club's own sets.
func (b *Box) hostSets(c *fiber.Ctx) error {
	do, name := c.FormValue("do"), c.FormValue("name")
	d := tableOf(c).now.Load().doc
	var s set
	var err error
	switch do {
	case "use":
		s, err = b.club.find(d.Rules, name)
	case "keep":
		name, err = b.club.keep(set{Name: name, Rules: d.Rules, Options: d.Options[d.Rules], Cast: d.Cast})
	case "drop":
		err = b.club.drop(d.Rules, name)
	default:
		err = say("no_such_set")
	}
	if errors.Is(err, store.ErrStopped) {
		b.fail(err)
	}
	return b.hostDo(c, func(d *draft) error {
		switch {
		case do == "use" && err == nil:
			return d.useSet(s)
		case do == "keep" && err == nil && d.doc.Stage == lobby:
			return d.keepAs(name)
		}
		d.quiet = true // the list is shown
		return err
	})
}

// hostStory opens the story of a finished game to everybody.
func (b *Box) hostStory(c *fiber.Ctx) error {
	return b.hostDo(c, func(d *draft) error {
		if d.doc.Stage != playing || !d.game.Ended() {
			return say("still_playing")
		}
		d.doc.Story, d.dirty = true, true
		return nil
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
		for _, o := range rules.Options() {
			if value, ok := set[o.Name]; ok {
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
			return d.join(b.rules(d.doc), "", name)
		case "remove":
			return d.part(seat)
		case "rename":
			return d.rename(seat, name)
		case "move":
			return d.move(seat, to)
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

// hostPress pushes the simulated panel's button.
func (b *Box) hostPress(c *fiber.Ctx) error {
	if b.panel(tableOf(c)) == nil {
		return fiber.ErrNotFound
	}
	b.cfg.Panel.Press(0)
	return done(c, "/t/"+tableOf(c).id+"/host")
}

// hostRecord is the game as a record, for its host. One who plays gets it after
// the end: all roles stand in it.
func (b *Box) hostRecord(c *fiber.Ctx) error {
	t := tableOf(c)
	m := t.now.Load()
	if m.plays() && !m.game.Ended() && viewerOf(c, m).seat != 0 {
		return b.drawHost(c, fiber.StatusForbidden, say("record_seated"))
	}
	return b.sendRecord(c, t, m)
}

func (b *Box) sendRecord(c *fiber.Ctx, t *Table, m *moment) error {
	if m.doc.Game == 0 {
		return fiber.ErrNotFound
	}
	g, err := b.store.Game(t.id, m.doc.Game)
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderContentType, "text/plain; charset=utf-8")
	c.Attachment(fmt.Sprintf("game-%s-%d.mafia", t.id, m.doc.Game))
	return c.Send(g.Text())
}

// via tells what a host's act was entered with, for the log.
func via(act engine.Act) engine.Source {
	if act.For != 0 {
		return engine.ByHost
	}
	return engine.ByPhone
}
