package server

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/server/store"
)

type loginPage struct {
	words
	Error, Key string
	Button     bool // there is one, by which a phone becomes host, too
}

// hostLogin asks for a host code. Who is host is led to his console, unless he
// wants another table's as well.
func (b *Box) hostLogin(c *fiber.Ctx) error {
	if device := deviceOf(c); device != "" && c.Query("other") == "" {
		for _, t := range b.Tables() {
			if t.now.Load().doc.hosts(device) {
				return c.Redirect("/t/"+t.id+"/host", fiber.StatusSeeOther)
			}
		}
	}
	c.Type("html", "utf-8")
	return c.Render("host-login", loginPage{words: b.wordsFor(c), Key: newKey(knownDevice(c)), Button: b.cfg.Panel != nil})
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
	return c.Render("host-login", loginPage{w, w.T("problem.bad_host_code"), newKey(deviceOf(c)), b.cfg.Panel != nil})
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
	if problem != nil && b.gone(problem) {
		return b.comeBack(c, troubleStopped)
	}
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
func (b *Box) hostDo(c *fiber.Ctx, do func(*draft) error) error { return b.hostDoes(c, false, do) }

// hostDoes is hostDo, also at a frozen table.
func (b *Box) hostDoes(c *fiber.Ctx, frozen bool, do func(*draft) error) error {
	came, t := time.Now(), tableOf(c)
	m := t.now.Load()
	device, of := deviceOf(c), c.FormValue("of")
	told := t.request(request{key: formKey(c, device), frozen: frozen, do: func(d *draft) error {
		if !d.doc.hosts(device) {
			return fiber.ErrForbidden
		}
		if of != "" && of != d.of() {
			return d.stale()
		}
		return do(d)
	}})
	if errors.Is(told.err, fiber.ErrForbidden) {
		return told.err
	}
	if night(m) {
		if c.FormValue("for") != "" {
			evenly(c, came, t.slowest())
		}
		t.wakeHosts()
	}
	switch page := "/t/" + t.id + "/host"; {
	case m.plays() && live(c):
		return b.answer(c, device, page, told)
	case told.err != nil:
		return b.drawHost(c, statusOf(told.err), told.err)
	default:
		return done(c, backTo(c, page))
	}
}

func (b *Box) hostAct(c *fiber.Ctx) error {
	act, err := formAct(c)
	if err != nil {
		return err
	}
	act.By = engine.Host
	act.Via = via(act)
	read := c.FormValue("read")
	return b.hostDo(c, func(d *draft) error {
		if act.Verb == engine.Post {
			if err := checkPost(act.Text); err != nil {
				return err
			}
		}
		if err := d.asRead(read, act); err != nil {
			return err
		}
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
	nothing, seat, read := c.FormValue("do") == "none", seatNumber(c.FormValue("for")), c.FormValue("read")
	return b.hostDo(c, func(d *draft) error {
		if !d.plays() {
			return engine.RefusedPhase
		}
		if !nothing && len(different(picks)) == 0 {
			return say("pick_somebody")
		}
		acts, err := enteredActs(d.game, seat, picks)
		if err == nil {
			err = d.asRead(read, acts...)
		}
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

// hostPress pushes the button of a panel that is drawn.
func (b *Box) hostPress(c *fiber.Ctx) error {
	if b.cfg.Panel == nil || !b.cfg.Panel.Drawn() || b.panelTable() != tableOf(c) {
		return fiber.ErrNotFound
	}
	held, err := time.ParseDuration(cmp.Or(c.FormValue("held"), "0s"))
	if err != nil || held < 0 || held > 5*time.Second {
		return fiber.ErrBadRequest
	}
	b.cfg.Panel.Press(held)
	return done(c, "/t/"+tableOf(c).id+"/host")
}

// hostRecord is the game as a record, for its host. One who plays gets it after
// the end: all roles stand in it.
func (b *Box) hostRecord(c *fiber.Ctx) error {
	t := tableOf(c)
	m := t.now.Load()
	if m.secret() && viewerOf(c, m).seat != 0 {
		return b.drawHost(c, fiber.StatusForbidden, say("record_seated"))
	}
	return b.sendRecord(c, t, m)
}

func (b *Box) sendRecord(c *fiber.Ctx, t *Table, m *moment) error {
	if m.doc.Game == 0 || m.doc.Deleted {
		return fiber.ErrNotFound
	}
	g, err := b.store.Game(t.id, m.doc.Game)
	if errors.As(err, new(*store.BrokenError)) && len(g.Head) > 0 {
		err = nil // what comes before the break
	}
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
