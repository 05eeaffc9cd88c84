package server

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/gofiber/fiber/v2"
	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/sheet"
	"github.com/mafiabox/mafiabox/server/store"
)

// gamePage is one finished game: its story, and what can be taken away.
type gamePage struct {
	words
	gameRow
	Key     string
	Error   string
	Owner   bool
	Current bool // its table has not gone on to the next: it can't be deleted yet
	Seats   []seatView
	Names   []string // of a game that can't be done again
	Story   []storyLine
	Best    []guessView
	Log     *logView
	Sheet   *sheetLinks
	VotesNow,
	Tally []string // none: the table's drawing asks for them
}

// gameOf is the game of an address.
func gameOf(c *fiber.Ctx) gameID {
	n, _ := strconv.Atoi(c.Params("game"))
	return gameID{c.Params("table"), n}
}

// gameAt reads the game of an address. A problem is why it can't be done again.
func (b *Box) gameAt(id gameID) (stored store.Game, game engine.Game, names []string, err error) {
	stored, game, names, err = b.reread(id)
	if errors.Is(err, errPlaying) || errors.Is(err, store.ErrNotFound) {
		err = fiber.ErrNotFound // who asks for a game that is on learns no more
	}
	return stored, game, names, err
}

// game is a finished game's page.
func (b *Box) game(c *fiber.Ctx) error { return b.drawGame(c, fiber.StatusOK, nil) }

func (b *Box) drawGame(c *fiber.Ctx, status int, problem error) error {
	p, err := b.gamePage(c)
	if err != nil {
		return err
	}
	if problem != nil {
		p.Error = p.refusal(problem)
	}
	c.Status(status).Type("html", "utf-8")
	return c.Render("archived", p)
}

// gamePage is what the page and its printed form show.
func (b *Box) gamePage(c *fiber.Ctx) (gamePage, error) {
	id, people := gameOf(c), b.club.people()
	stored, g, names, err := b.gameAt(id)
	var odd problem
	if err != nil && !errors.As(err, &odd) {
		return gamePage{}, err
	}
	f := &finished{gameID: id}
	if err != nil {
		f.broken = err
	}
	f.read(b.cfg.Rulesets, stored, g, names)
	w := b.wordsFor(c).under(f.rules)
	p := gamePage{words: w, gameRow: w.gameRow(f, people), Key: newKey(deviceOf(c)), Owner: b.owns(c), Current: b.atTable(id)}
	if !g.Begun() {
		for i, s := range f.seats {
			p.Names = append(p.Names, fmt.Sprint(i+1, " ", w.nameOf(s.name, people), " ", w.role(s.role)))
		}
		return p, nil
	}
	p.Seats = w.finishedSeats(g, names, people)
	p.Story, p.Best, p.Log = w.story(g, p.Seats), suspicions(g, p.Seats), w.logOf(g, p.Seats, logChoice{})
	if s, ok := sheet.Of(g); ok {
		p.Sheet = &sheetLinks{s.Exports()}
	}
	return p, nil
}

// atTable tells whether a table has not gone on from that game.
func (b *Box) atTable(id gameID) bool {
	t := b.Table(id.table)
	if t == nil {
		return false
	}
	d := t.now.Load().doc
	return d.Stage == playing && d.Game == id.game
}

// gamePrint is the story and the log on paper.
func (b *Box) gamePrint(c *fiber.Ctx) error {
	p, err := b.gamePage(c)
	switch {
	case err != nil:
		return err
	case p.Broken != "":
		return fiber.ErrNotFound
	}
	c.Type("html", "utf-8")
	return c.Render("game-print", p)
}

// gameRecord is the game's record, as its file has it.
func (b *Box) gameRecord(c *fiber.Ctx) error {
	id := gameOf(c)
	stored, _, _, err := b.gameAt(id)
	var odd problem
	if err != nil && !errors.As(err, &odd) || len(stored.Head) == 0 {
		return fiber.ErrNotFound
	}
	c.Set(fiber.HeaderContentType, "text/plain; charset=utf-8")
	c.Attachment("game-" + id.table + "-" + strconv.Itoa(id.game) + ".mafia")
	return c.Send(stored.Text())
}

// gameSheet is the judge's sheet of a finished game.
func (b *Box) gameSheet(c *fiber.Ctx) error {
	id := gameOf(c)
	_, g, names, err := b.gameAt(id)
	s, ok := sheet.Of(g)
	if err != nil || !ok {
		return fiber.ErrNotFound
	}
	w := b.wordsFor(c)
	p := b.sheetPage(id.path(), w.tableOf(id), w.shown(names, b.club.people()), g, w, s)
	p.Back = w.T("archive.game.back")
	c.Type("html", "utf-8")
	return c.Render("sheet", p)
}

// gameExport is a finished game as club rating sites take it.
func (b *Box) gameExport(c *fiber.Ctx) error {
	id := gameOf(c)
	_, g, names, err := b.gameAt(id)
	s, ok := sheet.Of(g)
	if err != nil || !ok || !s.Exports() {
		return fiber.ErrNotFound
	}
	w := b.wordsFor(c)
	c.Attachment("game-" + id.table + "-" + strconv.Itoa(id.game) + ".json")
	return c.JSON(s.Export(w.shown(names, b.club.people()), w.Lang))
}

// shown are names as pages show them.
func (w words) shown(names []string, people book) (all []string) {
	for _, name := range names {
		all = append(all, w.nameOf(name, people))
	}
	return all
}

// gameDelete deletes a game, by the owner alone.
func (b *Box) gameDelete(c *fiber.Ctx) error {
	if !b.owns(c) {
		return fiber.ErrForbidden
	}
	id := gameOf(c)
	if c.FormValue("sure") == "" {
		return b.drawGame(c, fiber.StatusUnprocessableEntity, say("delete_unsure"))
	}
	switch err := b.deleteGame(id); {
	case errors.Is(err, store.ErrNotFound):
		return fiber.ErrNotFound
	case errors.Is(err, errPlaying):
		return say("delete_playing")
	case err != nil:
		return b.drawGame(c, statusOf(err), err)
	}
	return done(c, "/archive")
}

// deleteGame takes a game away for good. A table's own goroutine does it, so that
// nothing more is written into the game at that moment.
func (b *Box) deleteGame(id gameID) (err error) {
	gone := store.Change{Table: id.table, Game: id.game, Gone: true}
	if id.table == importID {
		b.imports.Lock()
		defer b.imports.Unlock()
		err = b.store.Commit(gone)
	} else if t := b.Table(id.table); t == nil {
		err = store.ErrNotFound
	} else {
		err = t.Do("", func(d *draft) error {
			if d.doc.Stage == playing && d.doc.Game == id.game {
				return errPlaying
			}
			if all, err := b.store.Games(id.table); err != nil || !slices.Contains(all, id.game) {
				return errors.Join(store.ErrNotFound, err)
			}
			d.games = append(d.games, gone)
			if d.doc.Game == id.game { // it takes no appeal either
				d.game, d.pages, d.doc.Deleted, d.dirty = engine.Game{}, nil, true, true
			}
			return nil
		})
	}
	if err == nil {
		b.archive.drop(id)
	}
	return err
}
