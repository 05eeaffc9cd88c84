package server

import (
	"bytes"
	"errors"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/gofiber/fiber/v2/middleware/adaptor"
	"github.com/gofiber/fiber/v2/middleware/compress"
	"github.com/gofiber/fiber/v2/middleware/filesystem"
	"github.com/gofiber/fiber/v2/middleware/recover"
	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/server/lan"
)

// maxBody is the largest request that the box reads, in bytes: a post that is too
// long is given back to its author, and in a form one byte may take three.
const maxBody = 96 << 10

// newApp is what the pages of every box have, also of one without a store.
func (b *Box) newApp() (*fiber.App, error) {
	pages, err := template.ParseFS(b.cfg.Files, "templates/*.html")
	if err != nil {
		return nil, fmt.Errorf("templates: %w", err)
	}
	app := fiber.New(fiber.Config{
		AppName: "mafiabox", DisableStartupMessage: true,
		Immutable: true, // values of a request go to a table's goroutine
		BodyLimit: maxBody, ReadTimeout: 15 * time.Second, WriteTimeout: 30 * time.Second, IdleTimeout: 90 * time.Second,
		ReduceMemoryUsage: true, // a connection that waits holds no buffers
		ErrorHandler:      b.errorPage,
		Views:             views{pages}, PassLocalsToViews: false,
	})
	app.Use(recover.New(recover.Config{EnableStackTrace: true, StackTraceHandler: func(c *fiber.Ctx, value any) {
		c.Locals("broke", true)
		b.broke("page", c.Route().Path, value)
	}}))
	app.Server().Logger = asides{b.log}
	app.Server().HeaderReceived = b.takesMore
	app.Use(b.pace)
	app.Use(b.guard)
	app.Get("/static/video/:name", b.video)
	app.Use("/static", compress.New(), filesystem.New(filesystem.Config{Root: http.FS(onlyAssets{b.cfg.Files})}))
	return app, nil
}

// routes are the pages of a box with its tables.
func (b *Box) routes() {
	app := b.app
	app.Get("/", b.start)
	app.Post("/join", b.findTable)
	app.Get("/j/:code", b.joining, b.joinPage)
	app.Post("/j/:code", b.joining, b.join)
	app.Get("/j/:code/live", b.joining, b.watchLive)
	app.Get("/host", b.hostLogin)
	app.Post("/host", b.becomeHost)
	app.Post("/host/ask", b.askToHost)
	app.Get("/host/ask", b.waitToHost)
	app.Post("/host/ask/stop", b.stopAsking)
	app.Get("/screen", b.screen)
	app.Get("/screen/live", b.screenLive)
	app.Get("/style", b.style)
	app.Get("/box", b.boxPage)
	app.Post("/box", b.becomeOwner)
	app.Get("/box/checkup", b.checkupPage)
	app.Get("/box/backup", b.ofOwner, b.backupPage)
	app.Post("/box/backup", b.ofOwner, b.backUpNow)
	app.Post("/box/backup/open", b.ofOwner, b.openBackup)
	app.Get("/box/"+backupName, b.ofOwner, b.sendBackup)
	app.Post(uploadPath, b.ofOwner, b.takeBackup)
	app.Post("/box/backup/restore", b.ofOwner, b.restoreBackup)
	app.Post("/box/backup/leave", b.ofOwner, b.leaveBackup)
	app.Post("/box/found", b.putAway)
	app.Post("/box/tables", b.openTable)
	app.Post("/box/record/:table", b.findPath, b.openRecord)
	app.Get("/box/record/:table", b.findPath, b.boxRecord)

	a := app.Group("/archive", b.onlyClub)
	a.Get("", b.archivePage)
	a.Get("/import", b.importPage)
	a.Post("/import", b.importGame)
	a.Get("/season", b.seasonPage)
	a.Get("/season.csv", b.seasonCSV)
	a.Get("/people", b.peoplePage)
	a.Post("/people", b.changePeople)
	a.Get("/:table/:game", b.game)
	a.Get("/:table/:game/print", b.gamePrint)
	a.Get("/:table/:game/record.mafia", b.gameRecord)
	a.Get("/:table/:game/log", b.gameLog)
	a.Get("/:table/:game/sheet", b.gameSheet)
	a.Get("/:table/:game/game.json", b.gameExport)
	a.Post("/:table/:game/delete", b.gameDelete)

	app.Get("/t/"+sampleTable+"/:code", b.sampleQR)
	t := app.Group("/t/:table", b.findPath)
	t.Get("", b.seat)
	t.Post("/act", b.seatAct)
	t.Post("/night", b.nightForm)
	t.Post("/read", b.seatRead)
	t.Get("/thread", b.thread)
	t.Post("/post", b.post)
	t.Get("/tally", b.tally)
	t.Get("/letters", b.letters)
	t.Get("/live", b.upgrade)
	t.Get("/code.png", b.joinQR)
	t.Get("/wifi.png", b.wifiQR)

	h := t.Group("/host", b.onlyHost)
	h.Get("", b.host)
	h.Post("/act", b.hostAct)
	h.Post("/call", b.hostCall)
	h.Post("/change", b.hostChange)
	h.Get("/change", func(c *fiber.Ctx) error { return c.Redirect("/t/"+tableOf(c).id+"/host", fiber.StatusSeeOther) }) // in another language, or loaded again
	h.Get("/log", b.hostLog)
	h.Post("/appeal", b.hostAppeal)
	h.Post("/night", b.hostNight)
	h.Post("/step", b.hostStep)
	h.Post("/sets", b.hostSets)
	h.Post("/screen", b.hostScreen)
	h.Get("/codes", b.hostCodes)
	h.Get("/cards", b.hostCards)
	h.Get("/card/:seat.png", b.cardQR)
	h.Post("/story", b.hostStory)
	h.Post("/rules", b.hostRules)
	h.Post("/options", b.hostOptions)
	h.Post("/cast", b.hostCast)
	h.Post("/people", b.hostPeople)
	h.Post("/hosts", b.hostHosts)
	h.Post("/deal", b.hostDeal)
	h.Post("/next", b.hostNext)
	h.Post("/press", b.hostPress)
	h.Post("/panel", b.hostPanel)
	h.Post("/time", b.hostTime)
	h.Post("/mended", b.hostMended)
	h.Get("/letters", b.hostLetters)
	h.Get("/record.mafia", b.hostRecord)
	h.Get("/sheet", b.hostSheet)
	h.Get("/game.json", b.hostExport)
	app.Use(func(c *fiber.Ctx) error { return fiber.ErrNotFound })
}

// video serves the film that keeps a phone awake. Phones ask for parts of it,
// and Safari plays none that doesn't come in parts.
func (b *Box) video(c *fiber.Ctx) error {
	films, err := fs.Sub(b.cfg.Files, "video")
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderCacheControl, "max-age=86400")
	return adaptor.HTTPHandler(http.StripPrefix("/static/video/", http.FileServerFS(films)))(c)
}

// onlyAssets opens what browsers load; templates and texts are not for them.
type onlyAssets struct{ fs.FS }

func (a onlyAssets) Open(name string) (fs.File, error) {
	if strings.HasPrefix(name, "css/") || strings.HasPrefix(name, "js/") {
		return a.FS.Open(name)
	}
	return nil, fs.ErrNotExist
}

// views draws the templates for fiber.
type views struct{ *template.Template }

func (views) Load() error { return nil }

func (v views) Render(w io.Writer, name string, data any, _ ...string) error {
	return v.ExecuteTemplate(w, name, data)
}

// Serve answers on a listener until the box closes.
func (b *Box) Serve(l net.Listener) error { return b.app.Listener(door{l, &b.crowd}) }

// address is where phones reach the box, with a path.
func (b *Box) address(path string) string {
	return lan.URL(b.cfg.Addresses()[0], b.cfg.Port, path)
}

type messagePage struct {
	words
	Title, Text, Link, LinkText string
}

func (b *Box) message(c *fiber.Ctx, status int, title, text, link, linkText string) error {
	w := b.wordsFor(c)
	if live(c) {
		return c.Status(status).Type("txt", "utf-8").SendString(text)
	}
	c.Status(status).Type("html", "utf-8")
	return c.Render("message", messagePage{w, title, text, link, linkText})
}

// errorPage is the page of whatever goes wrong.
func (b *Box) errorPage(c *fiber.Ctx, err error) error {
	shield(c)
	w := b.wordsFor(c)
	status := fiber.StatusInternalServerError
	var known *fiber.Error
	var p problem
	switch {
	case b.gone(err):
		return b.comeBack(c, troubleStopped)
	case errors.Is(err, errStorage), errors.Is(err, errFrozen):
		return b.message(c, fiber.StatusServiceUnavailable, w.T("trouble.refused"), w.refusal(err), returnPath(c), w.T("trouble.back"))
	case errors.As(err, &p):
		return b.message(c, fiber.StatusForbidden, w.T("error.403"), w.refusal(p), "/", w.T("error.link"))
	case b.uploadUnfit(c, err):
		return b.noRoom(c)
	case errors.As(err, &known):
		status = known.Code
	case c.Locals("broke") != nil:
	default:
		b.log.Error("page failed", "method", c.Method(), "path", c.Path(), "error", err)
	}
	key := fmt.Sprintf("error.%d", status)
	return b.message(c, status, w.TOr(key, w.T("error.500")), w.TOr(key+".text", w.T("error.500.text")), "/", w.T("error.link"))
}

// live tells whether the page's script asks: it wants a status and a sentence.
func live(c *fiber.Ctx) bool { return c.Get("X-Mafiabox") == "live" }

// done answers a form that was accepted: the script gets its push, a browser
// without it goes to the page.
func done(c *fiber.Ctx, to string) error {
	if live(c) {
		return c.SendStatus(fiber.StatusNoContent)
	}
	return c.Redirect(to, fiber.StatusSeeOther)
}

// statusOf is the HTTP status of why something was not done.
func statusOf(err error) int {
	var refusal engine.Refusal
	var p problem
	switch {
	case errors.As(err, &refusal):
		return fiber.StatusConflict
	case errors.As(err, &p):
		return fiber.StatusUnprocessableEntity
	}
	return fiber.StatusServiceUnavailable
}

// wordsFor are the texts in the visitor's language: as he chose it, or as his
// browser does.
func (b *Box) wordsFor(c *fiber.Ctx) words {
	wish := c.Query("lang")
	if wish == "" {
		wish = c.Cookies("lang")
	} else if b.meant(c) && b.texts.choose(wish, "") == wish {
		c.Cookie(&fiber.Cookie{Name: "lang", Value: wish, Path: "/", MaxAge: int(cookieLife / time.Second), SameSite: fiber.CookieSameSiteStrictMode})
	}
	return words{b.texts.in(b.texts.choose(wish, c.Get(fiber.HeaderAcceptLanguage)))}
}

// draw renders a template to text, for pushes.
func (b *Box) draw(name string, data any) ([]byte, error) {
	var out bytes.Buffer
	err := b.app.Config().Views.Render(&out, name, data)
	return out.Bytes(), err
}
