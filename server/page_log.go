package server

import (
	"html/template"
	"slices"
	"strconv"

	"github.com/gofiber/fiber/v2"
	"github.com/mafiabox/mafiabox/engine"
)

// logPage is the private log as a page of its own, to be looked through and printed.
type logPage struct {
	words
	Log        *logView // nil: it can't be shown yet
	Path, Back string
	Title      string
	Night      bool
}

// Keeps is what is chosen, when the language is changed.
func (p logPage) Keeps() template.URL {
	if p.Log == nil {
		return ""
	}
	c, seat := p.Log.Chosen, ""
	if c.Seat != 0 {
		seat = strconv.Itoa(int(c.Seat))
	}
	return carried(queryOf(map[string]string{"round": c.Round, "kind": c.Kind, "seat": seat}))
}

// chosenLog is what an address asks for of the log.
func chosenLog(c *fiber.Ctx) logChoice {
	chosen := logChoice{Round: cut(c.Query("round"), 16), Seat: seatNumber(c.Query("seat"))}
	if kind := c.Query("kind"); slices.Contains(logKinds, kind) {
		chosen.Kind = kind
	}
	return chosen
}

// hostLog is the log of the table's game, for its host. One who plays gets it
// after the end: even how many acts a seat has sent tells its role.
func (b *Box) hostLog(c *fiber.Ctx) error {
	t, w := tableOf(c), b.wordsFor(c)
	m := t.now.Load()
	if m.doc.Game == 0 || m.doc.Deleted || !m.game.Begun() {
		return fiber.ErrNotFound
	}
	w = w.under(m.game.Rules().ID())
	page := "/t/" + t.id + "/host"
	p := logPage{words: w, Path: page + "/log", Back: page, Title: w.T("rules." + m.game.Rules().ID()), Night: night(m)}
	status := fiber.StatusOK
	if m.secret() && viewerOf(c, m).seat != 0 {
		status = fiber.StatusForbidden
	} else {
		p.Log = w.logOf(m.game, w.finishedSeats(m.game, m.game.Setup().Names, b.club.people()), chosenLog(c))
	}
	c.Status(status).Type("html", "utf-8")
	size := 0
	if m.secret() {
		size = logStep
	}
	return drawn(c, size, "log", p)
}

// logStep is what the log's page grows by while the game is on, in bytes: how
// long it is would tell how much the seats have sent.
const logStep = 64 << 10

// gameLog is the log of a finished game of the archive.
func (b *Box) gameLog(c *fiber.Ctx) error {
	id, people := gameOf(c), b.club.people()
	_, g, names, err := b.gameAt(id)
	if err != nil || !g.Begun() {
		return fiber.ErrNotFound
	}
	w := b.wordsFor(c).under(g.Rules().ID())
	p := logPage{words: w, Path: id.path() + "/log", Back: id.path(), Title: w.T("rules."+g.Rules().ID()) + " · " + w.tableOf(id)}
	p.Log = w.logOf(g, w.finishedSeats(g, names, people), chosenLog(c))
	c.Type("html", "utf-8")
	return c.Render("log", p)
}

// Is tells whether a seat is the one chosen, for the form.
func (c logChoice) Is(s engine.Seat) bool { return c.Seat == s }
