package server

import (
	"fmt"

	"github.com/gofiber/fiber/v2"
	"github.com/mafiabox/mafiabox/engine/sheet"
)

// finished is the sheet of the table's game. While the game is on all of it is
// secret; rules without a sheet have no such page.
func (m *moment) finished() (sheet.Sheet, error) {
	if !m.plays() || !sheet.Has(m.game.Rules()) {
		return sheet.Sheet{}, fiber.ErrNotFound
	}
	s, ok := sheet.Of(m.game)
	if !ok {
		return s, say("still_playing")
	}
	return s, nil
}

// hostSheet is the judge's sheet of a finished game, to be printed.
func (b *Box) hostSheet(c *fiber.Ctx) error {
	t, w := tableOf(c), b.wordsFor(c)
	m := t.now.Load()
	s, err := m.finished()
	if err != nil {
		return b.noSheet(c, err)
	}
	c.Type("html", "utf-8")
	return c.Render("sheet", b.sheetPage("/t/"+t.id+"/host", w.T("sheet.table", "Table", t.id), m.doc.names(), m.game, w, s))
}

// hostExport is the finished game as club rating sites take it.
func (b *Box) hostExport(c *fiber.Ctx) error {
	t, w := tableOf(c), b.wordsFor(c)
	m := t.now.Load()
	s, err := m.finished()
	switch {
	case err == nil && s.Rules != "sport":
		err = fiber.ErrNotFound
	case err == nil && !s.Exports():
		err = say("no_result")
	}
	if err != nil {
		return b.noSheet(c, err)
	}
	c.Attachment(fmt.Sprintf("game-%s-%d.json", t.id, m.doc.Game))
	return c.JSON(s.Export(m.doc.names(), w.Lang))
}

// noSheet says why there is none: on the console, where something can be done
// about it.
func (b *Box) noSheet(c *fiber.Ctx, err error) error {
	if err == fiber.ErrNotFound {
		return err
	}
	return b.drawHost(c, statusOf(err), err)
}
