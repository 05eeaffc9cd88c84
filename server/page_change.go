package server

import (
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/mafiabox/mafiabox/engine"
)

// changePage is what a change would do, with the form that does it.
type changePage struct {
	hostPage
	Change  changeView
	Action  string // the address to which the same form goes to be done
	Fields  []choiceView
	Refused string
}

// mends are the acts of a form that mends a game: those of the night's form
// filled in for a seat, or one act.
func mends(c *fiber.Ctx, g engine.Game) (acts []engine.Act, night bool, err error) {
	if c.FormValue("verb") == "" {
		picks, err := formPicks(c)
		if err != nil {
			return nil, true, err
		}
		acts, err = enteredActs(g, seatNumber(c.FormValue("for")), picks)
		return acts, true, err
	}
	act, err := formAct(c)
	if err != nil {
		return nil, false, err
	}
	act.By, act.Via = engine.Host, via(act)
	if !act.Mends && act.Verb != engine.Undo && act.Verb != engine.Replay {
		return nil, false, fiber.ErrBadRequest
	}
	return []engine.Act{act}, false, nil
}

// hostChange shows what a correction, an undo or a replay would change. It does
// nothing.
func (b *Box) hostChange(c *fiber.Ctx) error {
	came, t, w := time.Now(), tableOf(c), b.wordsFor(c)
	m := t.now.Load()
	if !m.plays() || m.frozen != "" {
		return b.drawHost(c, fiber.StatusConflict, engine.RefusedPhase)
	}
	if of := c.FormValue("of"); of != "" && of != m.of() {
		return b.drawHost(c, fiber.StatusConflict, say("change_stale"))
	}
	acts, night, err := mends(c, m.game)
	if err == fiber.ErrBadRequest {
		return err
	}
	var did change
	if err == nil {
		did, err = tryChange(m.upToNow(b), acts)
	}
	p := changePage{hostPage: b.hostPage(t, m, w, deviceOf(c), 0)}
	if err != nil { // a page like any other: its answer would tell on the air what fits a role
		p.Refused = p.refusal(err)
	} else {
		p.Change = p.changes(did, m.doc.Read, p.Secrets)
		p.head(m.game, acts)
	}
	p.Action = "/t/" + t.id + "/host/act"
	if night {
		p.Action = "/t/" + t.id + "/host/night"
	}
	c.Request().PostArgs().VisitAll(func(key, value []byte) {
		if name := string(key); name != "key" && name != "read" && len(p.Fields) < 64 {
			p.Fields = append(p.Fields, choiceView{name, string(value)})
		}
	})
	if night {
		evenly(c, came, t.slowest())
	}
	c.Type("html", "utf-8")
	return drawn(c, hostSize(m), "host-change", p)
}

// head says what would be done. Verb and target of a night's act are a secret,
// and stand with the others; for a host who plays, who sent it is one, too.
func (p *changePage) head(g engine.Game, acts []engine.Act) {
	a := acts[0]
	secret := a.For != 0 && ofNight(a.Verb)
	var all []string
	for _, a := range acts {
		all = append(all, p.act(a, p.Secrets))
	}
	did := strings.Join(all, "; ")
	switch {
	case secret:
		p.Change.Title = who(p.Secrets, a.For) + ": " + p.T("change.night")
	case a.Verb == engine.Undo:
		p.Change.Title = p.T("host.undo")
		for _, entry := range g.Log() {
			if entry.Act.No == a.N {
				secret, did = p.Discreet() || ofNight(entry.Act.Verb), p.T("host.undo")+": "+p.act(entry.Act, p.Secrets)
			}
		}
	}
	if secret {
		p.Change.Secret = append([]string{did}, p.Change.Secret...)
	} else {
		p.Change.Title = did
	}
}

// upToNow is the game as it is at this moment of its clock.
func (m *moment) upToNow(b *Box) engine.Game {
	now, known := b.timeAt(b.cfg.Now())
	if !m.dated() || !known {
		return m.game
	}
	g, _, err := m.game.Do(engine.Act{By: engine.Clock, Verb: engine.Advance, Moment: now.In(m.zone(m.game.Rules())).Truncate(1e9)})
	if err != nil {
		return m.game
	}
	return g
}

// asRead refuses a change that is not the one that the host has read of.
func (d *draft) asRead(read string, acts ...engine.Act) error {
	if read == "" || !d.plays() {
		return nil
	}
	c, err := tryChange(d.upToNow(d.box), acts)
	if err == nil && c.print() != read {
		return say("change_stale")
	}
	return err
}
