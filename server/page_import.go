package server

import (
	"errors"
	"io"
	"slices"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/mafiabox/mafiabox/engine/record"
)

// importPath takes files. It alone reads more than a form, and only from those
// who may send them.
const importPath = "/archive/import"

// What a file's request may take beyond the largest record, and how long a phone
// at the edge of the Wi-Fi sends it. Besides the form around the file that is room
// for one that is too large: its sender is told so, where a longer request ends
// with its connection. The page's script looks at the file before it is sent.
const (
	importRoom = 8 << 20
	importTime = 2 * time.Minute
)

// How many of a file's differences are listed, and how many characters of a line.
const (
	shownDifferences = 50
	shownOfLine      = 200
)

// importPage is the form for a file, and what was wrong with the last one.
type importPage struct {
	words
	Key, Error  string
	Known       string // the page of the same game
	Max         int    // MiB
	TooLarge    string // what the script says of a larger file
	Tables      []choiceView
	Differences []record.Mismatch
	More        int
}

func (b *Box) importPage(c *fiber.Ctx) error { return b.drawImport(c, fiber.StatusOK, importPage{}) }

func (b *Box) drawImport(c *fiber.Ctx, status int, p importPage) error {
	p.words, p.Key, p.Max = b.wordsFor(c), newKey(deviceOf(c)), record.MaxSize>>20
	p.TooLarge = p.refusal(say("import_large", "Max", p.Max))
	for _, t := range b.Tables() {
		if d := t.now.Load().doc; d.Stage == lobby && d.hosts(deviceOf(c)) {
			p.Tables = append(p.Tables, choiceView{t.id, p.T("import.table", "Table", t.id, "Code", d.Code, "People", d.seated())})
		}
	}
	c.Status(status).Type("html", "utf-8")
	return c.Render("import", p)
}

// importGame takes a game as a file.
func (b *Box) importGame(c *fiber.Ctx) error {
	refuse := func(err error) error {
		w := b.wordsFor(c)
		return b.drawImport(c, statusOf(err), importPage{Error: w.refusal(err)})
	}
	if !b.imports.TryLock() { // a large one takes most of a small machine's memory
		return refuse(say("import_busy"))
	}
	defer b.imports.Unlock()
	text, err := sentFile(c)
	if err != nil {
		return refuse(err)
	}
	in, err := readRecord(text, b.cfg.Rulesets)
	switch {
	case err != nil:
		return refuse(err)
	case len(in.differences) > 0 && c.FormValue("anyway") == "":
		all := in.differences
		for i := range all {
			all[i].Want, all[i].Got = cut(all[i].Want, shownOfLine), cut(all[i].Got, shownOfLine)
		}
		return b.drawImport(c, fiber.StatusUnprocessableEntity, importPage{
			Error: b.wordsFor(c).refusal(say("import_differs", "N", len(all))), Differences: all[:min(len(all), shownDifferences)], More: max(0, len(all)-shownDifferences),
		})
	case in.game.Ended():
		id, err := b.keepGame(in)
		if err != nil {
			p := importPage{Error: b.wordsFor(c).refusal(err)}
			var known problem
			if errors.As(err, &known) && known.Key == "import_known" {
				p.Known = id.path()
			}
			return b.drawImport(c, statusOf(err), p)
		}
		return done(c, id.path())
	}
	return b.goOn(c, in, refuse)
}

// goOn goes on with a game without an end, at a table of the visitor's.
func (b *Box) goOn(c *fiber.Ctx, in incoming, refuse func(error) error) error {
	device, t := deviceOf(c), b.Table(c.FormValue("to"))
	if t == nil {
		return refuse(say("import_no_end"))
	}
	if !slices.Contains(t.now.Load().doc.Hosts, device) {
		return fiber.ErrForbidden
	}
	err := t.Do(formKey(c, device), func(d *draft) error {
		if !d.doc.hosts(device) {
			return fiber.ErrForbidden
		}
		return d.resume(in)
	})
	switch {
	case errors.Is(err, fiber.ErrForbidden):
		return err
	case err != nil:
		return refuse(err)
	}
	return done(c, "/t/"+t.id+"/host")
}

// sentFile is the file of a form.
func sentFile(c *fiber.Ctx) ([]byte, error) {
	sent, err := c.FormFile("file")
	if err != nil || sent.Size == 0 {
		return nil, say("import_empty")
	}
	if sent.Size > record.MaxSize {
		return nil, say("import_large", "Max", record.MaxSize>>20)
	}
	file, err := sent.Open()
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, record.MaxSize))
}
