package server

import (
	"github.com/gofiber/fiber/v2"
	"github.com/mafiabox/mafiabox/server/lan"
)

type boxPage struct {
	words
	Error, Key string
	In         bool
	Trouble    *troubleView // the last thing could not be stored
	Tables     []tableRow
	Short      string      // the disk gets full; empty: it doesn't
	Found      []string    // what the disk has lost
	Unread     bool        // there is something of it to be put away
	Backups    *backupLine // nil: none are made
}

type tableRow struct {
	ID, Code, HostCode, Stage string
	People                    int
	Free                      bool // nobody sits there, and no game is on: what a rehearsal asks
	Record                    bool // there is one
	Warn                      bool // and the table is told when it is opened
}

func (b *Box) owns(c *fiber.Ctx) bool { return b.isOwner(deviceOf(c)) }

func (b *Box) isOwner(device string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	_, owner := b.owners[device]
	return owner
}

// boxPage is the owner's: the tables of the box.
func (b *Box) boxPage(c *fiber.Ctx) error {
	p := boxPage{words: b.wordsFor(c), Key: newKey(knownDevice(c)), In: b.owns(c)}
	if p.In {
		p.Trouble = b.troubleView(p.words)
		p.Short, p.Found, p.Unread = b.nearlyFull(p.words), b.found(p.words), len(b.findings()) > 0
		p.Backups = b.backupLine(p.words)
		for _, t := range b.Tables() {
			m := t.now.Load()
			p.Tables = append(p.Tables, tableRow{
				ID: t.id, Code: m.doc.Code, HostCode: b.HostCode(t), Stage: p.T("stage." + string(m.doc.Stage)), People: m.doc.seated(),
				Free:   m.doc.Stage == lobby && m.doc.seated() == 0 && m.frozen == "",
				Record: m.doc.Game > 0 && !m.doc.Deleted, Warn: !m.ownerReads(),
			})
		}
	}
	c.Type("html", "utf-8")
	return c.Render("box", p)
}

func (b *Box) becomeOwner(c *fiber.Ctx) error {
	owner, err := b.guesses.try(c, b.cfg.Now(), c.FormValue("code"), func(code string) bool { return codeFits(code, tidyCode(b.OwnerCode())) })
	if err != nil {
		return err
	}
	if !owner {
		w := b.wordsFor(c)
		c.Status(fiber.StatusForbidden).Type("html", "utf-8")
		return c.Render("box", boxPage{words: w, Key: newKey(deviceOf(c)), Error: w.T("problem.bad_box_code")})
	}
	device := knownDevice(c)
	b.mu.Lock()
	b.owners[device] = struct{}{}
	b.mu.Unlock()
	return c.Redirect("/box", fiber.StatusSeeOther)
}

func (b *Box) openTable(c *fiber.Ctx) error {
	if !b.owns(c) {
		return fiber.ErrForbidden
	}
	if _, err := b.NewTable(); err != nil {
		return err
	}
	return done(c, "/box")
}

// openRecord opens the record of the game that is on to the owner, and tells
// everybody at the table.
func (b *Box) openRecord(c *fiber.Ctx) error {
	if !b.owns(c) {
		return fiber.ErrForbidden
	}
	t := tableOf(c)
	if err := t.Do("", (*draft).openToOwner); err != nil {
		return err
	}
	return done(c, "/box/record/"+t.id)
}

// openToOwner lets the owner read the game that is on; everybody is told.
func (d *draft) openToOwner() error {
	d.doc.Opened = d.doc.Opened || d.plays() && !d.game.Ended()
	d.dirty = true
	return nil
}

// boxRecord is the record of a table's game for the owner.
func (b *Box) boxRecord(c *fiber.Ctx) error {
	t := tableOf(c)
	m := t.now.Load()
	if !b.owns(c) || !m.ownerReads() {
		return fiber.ErrForbidden
	}
	return b.sendRecord(c, t, m)
}

// ownerReads tells whether the owner of the box may read the last game's record:
// while a game is on only when the table was told.
func (m *moment) ownerReads() bool {
	return !m.secret() || m.doc.Opened
}

// secret tells whether the last game's record holds what nobody at the table may
// read yet. A frozen game is not over.
func (m *moment) secret() bool {
	return m.doc.Stage == playing && !(m.plays() && m.game.Ended())
}

// qrModule is how many pixels a module of a code is on a page.
const qrModule = 8

// joinQR is the code that leads a phone to the table.
func (b *Box) joinQR(c *fiber.Ctx) error {
	return sendQR(c, b.address("/j/"+tableOf(c).Code()))
}

// wifiQR is the code that brings a phone into the Wi-Fi.
func (b *Box) wifiQR(c *fiber.Ctx) error {
	if b.cfg.WiFi.SSID == "" {
		return fiber.ErrNotFound
	}
	return sendQR(c, b.cfg.WiFi.code())
}

func sendQR(c *fiber.Ctx, text string) error {
	png, err := lan.PNG(text, qrModule)
	if err != nil {
		return err
	}
	return c.Type("png").Send(png)
}
