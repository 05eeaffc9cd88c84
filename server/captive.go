package server

import (
	"net"
	"strings"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/mafiabox/mafiabox/server/lan"
)

// Captive is how the box answers when a system asks whether the internet is
// behind its network. There is none, but a phone that hears so leaves for its
// mobile data, or raises a sheet that is no browser.
type Captive string

// The policies.
const (
	CaptiveSuccess Captive = "success"     // all is well, at once
	CaptiveOnce    Captive = "portal-once" // the sheet with the address and the code, once a phone, then all is well
	CaptiveOff     Captive = "off"         // like any other name that isn't the box's
)

// What portal-once remembers. A phone asks several hosts at once, and its sheet
// asks again for the page: all of that is one time.
const (
	sheetLasts  = time.Minute
	sheetForget = 8 * time.Hour // then it is another evening
	maxSheets   = 1000          // addresses remembered
)

// sheets are the addresses that were shown the sheet, and since when.
type sheets struct {
	mu    sync.Mutex
	since map[string]time.Time
}

// due tells whether an address is to be shown the sheet now.
func (s *sheets) due(from string, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	since, known := s.since[from]
	if known && now.Sub(since) < sheetForget {
		return now.Sub(since) < sheetLasts
	}
	if !known && len(s.since) >= maxSheets {
		s.makeRoom(now)
	}
	s.since[from] = now
	return true
}

// makeRoom forgets who was shown the sheet long ago, or else whoever comes: who
// is forgotten sees it once more.
func (s *sheets) makeRoom(now time.Time) {
	for from, since := range s.since {
		if now.Sub(since) >= sheetForget {
			delete(s.since, from)
		}
	}
	for from := range s.since {
		if len(s.since) < maxSheets {
			return
		}
		delete(s.since, from)
	}
}

// youAreHere answers what was meant for somebody else: a probe as it wishes, all
// the rest with a small page. Never with a private page, a cookie or a redirect.
func (b *Box) youAreHere(c *fiber.Ctx) error {
	asks := c.Method() == fiber.MethodGet || c.Method() == fiber.MethodHead
	if asks && c.Path() == hereStyle {
		return c.Next()
	}
	answer, probe := lan.ProbeAnswer(plainHost(hostOf(c)), c.Path())
	switch {
	case !asks || !probe || b.cfg.Captive == CaptiveOff:
		return b.here(c, fiber.StatusMisdirectedRequest, probe)
	case b.cfg.Captive == CaptiveOnce && b.sheets.due(c.IP(), b.cfg.Now()):
		return b.here(c, fiber.StatusOK, true) // another status would be no portal but no network
	}
	if answer.Header != "" {
		c.Set(answer.Header, answer.Value)
	}
	if answer.Type != "" {
		c.Set(fiber.HeaderContentType, answer.Type)
	}
	return c.Status(answer.Status).SendString(answer.Body)
}

// hereStyle is the one file that the page needs, given under any name.
const hereStyle = "/static/css/here.css"

// plainHost is a host's name as the list of probes has it.
func plainHost(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.ToLower(strings.TrimSuffix(host, "."))
}

// herePage says where the box is to who asked for something else.
type herePage struct {
	words
	URL   string
	Code  string // of the first table that can be joined; "" when there is none
	Sheet bool   // a system's own window: a link would be opened in it, and a seat there is lost with it
	Again int    // seconds after which the sheet asks again and finds that all is well; 0: never
}

func (b *Box) here(c *fiber.Ctx, status int, sheet bool) error {
	p := herePage{words: b.wordsFor(c), URL: b.address("/"), Sheet: sheet}
	if live(c) {
		return c.Status(status).Type("txt", "utf-8").SendString(p.T("here.net") + " " + p.T("here.open") + " " + p.URL)
	}
	for _, t := range b.Tables() {
		if d := t.now.Load().doc; d.Stage == lobby {
			p.Code = d.Code
			break
		}
	}
	if status == fiber.StatusOK {
		p.Again = int((sheetLasts + time.Second) / time.Second)
	}
	c.Status(status).Type("html", "utf-8")
	return c.Render("here", p)
}
