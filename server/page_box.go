package server

import (
	"github.com/gofiber/fiber/v2"
	"github.com/mafiabox/mafiabox/server/lan"
)

type boxPage struct {
	words
	Error, Key string
	In         bool
	Tables     []tableRow
}

type tableRow struct {
	ID, Code, HostCode, Stage string
	People                    int
}

func (b *Box) owns(c *fiber.Ctx) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	_, owner := b.owners[deviceOf(c)]
	return owner
}

// boxPage is the owner's: the tables of the box.
func (b *Box) boxPage(c *fiber.Ctx) error {
	p := boxPage{words: b.wordsFor(c), Key: newKey(knownDevice(c)), In: b.owns(c)}
	if p.In {
		for _, t := range b.Tables() {
			d := t.now.Load().doc
			p.Tables = append(p.Tables, tableRow{t.id, d.Code, b.HostCode(t), p.T("stage." + string(d.Stage)), len(d.People)})
		}
	}
	c.Type("html", "utf-8")
	return c.Render("box", p)
}

func (b *Box) becomeOwner(c *fiber.Ctx) error {
	owner, err := b.guesses.try(c, b.cfg.Now(), func(code string) bool { return codeFits(code, tidyCode(b.OwnerCode())) })
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

// qrModule is how many pixels a module of a code is on a page.
const qrModule = 8

// joinQR is the code that leads a phone to the table.
func (b *Box) joinQR(c *fiber.Ctx) error {
	return sendQR(c, b.address("/j/"+tableOf(c).Code()))
}

// wifiQR is the code that brings a phone into the Wi-Fi.
func (b *Box) wifiQR(c *fiber.Ctx) error {
	if b.cfg.WiFi == "" {
		return fiber.ErrNotFound
	}
	return sendQR(c, b.cfg.WiFi)
}

func sendQR(c *fiber.Ctx, text string) error {
	png, err := lan.PNG(text, qrModule)
	if err != nil {
		return err
	}
	return c.Type("png").Send(png)
}
