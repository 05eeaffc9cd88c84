package server

import (
	"fmt"
	"html/template"
	"slices"
	"strconv"

	"github.com/gofiber/fiber/v2"
	"github.com/mafiabox/mafiabox/engine"
)

// lettersOnPage is how many letters a page has. A seat's page has a place for
// each of them, whether or not there are as many: how many came is private.
const lettersOnPage = 20

// hostChannel is the channel that every seat has, first in every list.
const hostChannel = "host"

// letterView is a letter. The zero one is an empty place.
type letterView struct {
	No      int // of its place on the page
	Channel string
	From    string
	Text    string
}

// lettersPage are a seat's letters, all behind holds, and the form for another.
type lettersPage struct {
	view
	Me       seatView
	Page     int
	Letters  []letterView
	Channels []choiceView // to which the seat may write
	Max      int
}

// Keeps is the page of the letters, when the language is changed.
func (p lettersPage) Keeps() template.URL { return template.URL(fmt.Sprintf("page=%d&", p.Page)) }

// Newer and Older are the pages beside this one; there is always an older one to
// turn to.
func (p lettersPage) Newer() int { return p.Page - 1 }
func (p lettersPage) Older() int { return min(p.Page+1, maxLettersPage) }

// maxLettersPage is the last page that may be asked for.
const maxLettersPage = 500

// lettersPageOf is the number of the page that was asked for, from 1.
func lettersPageOf(c *fiber.Ctx) int {
	n, _ := strconv.Atoi(c.Query("page"))
	return min(max(n, 1), maxLettersPage)
}

// letters are what a seat has written and was written in private.
func (b *Box) letters(c *fiber.Ctx) error {
	t := tableOf(c)
	m := t.now.Load()
	v := viewerOf(c, m)
	switch {
	case !m.hasThread():
		return fiber.ErrNotFound
	case v.seat == 0:
		return fiber.ErrForbidden
	}
	w := b.wordsFor(c)
	p := b.lettersPage(t, m, w, v.seat, lettersPageOf(c))
	p.Done, p.Error = b.untold(v.device, w)
	c.Type("html", "utf-8")
	return drawn(c, lettersSize(m), "letters", p)
}

// lettersPage is made of what the seat may read alone.
func (b *Box) lettersPage(t *Table, m *moment, w words, seat engine.Seat, page int) lettersPage {
	seen := m.game.Seen(engine.Audience(seat))
	p := lettersPage{view: b.view(t, m, w, m.doc.People[seat-1].Device, seen), Page: page}
	p.Me = p.Seats[seat-1]
	some := lettersOf(seen.Letters, page)
	for i := range lettersOnPage {
		l := letterView{}
		if i < len(some) {
			l = w.letter(some[i], p.Seats, seat)
		}
		l.No = (page-1)*lettersOnPage + i + 1
		p.Letters = append(p.Letters, l)
	}
	if offer, ok := offerOf(seen.Offers, engine.Whisper); ok && offer.Now == engine.Open {
		p.Channels, p.Max = w.channels(offer.Words), offer.TextMax
	}
	return p
}

// lettersOf are those of a page, the newest first.
func lettersOf(letters []engine.Event, page int) []engine.Event {
	to := max(0, len(letters)-(page-1)*lettersOnPage)
	some := slices.Clone(letters[max(0, to-lettersOnPage):to])
	slices.Reverse(some)
	return some
}

// letter is a letter as a seat reads it; 0: as the host does.
func (w words) letter(e engine.Event, seats []seatView, reader engine.Seat) letterView {
	l := letterView{Channel: w.T("channel." + e.Words[0]), Text: e.Text, From: who(seats, e.Of)}
	switch {
	case e.Of == 0 && reader == 0:
		l.From = w.T("letters.yours", "To", who(seats, engine.Seat(e.To)))
	case e.Of == 0:
		l.From = w.T("host")
	case e.Of == reader:
		l.From = w.T("seat.you")
	}
	return l
}

// channels are those to choose from. The host's is the first in every list, so
// that a list shows no other before it is opened.
func (w words) channels(open []string) (choices []choiceView) {
	for _, id := range open {
		choice := choiceView{id, w.T("channel." + id)}
		if id == hostChannel {
			choices = slices.Insert(choices, 0, choice)
		} else {
			choices = append(choices, choice)
		}
	}
	return choices
}

// lettersSize is how large a page of letters is made, in bytes: it holds as many
// of the longest as there is place for. It follows from what everybody knows.
func lettersSize(m *moment) int {
	if !m.plays() {
		return 0
	}
	name := 0
	for _, p := range m.doc.People {
		name = max(name, written(p.Name))
	}
	size := 16<<10 + lettersOnPage*(6*engine.TextMax+name+600)
	return (size/pageStep + 1) * pageStep
}

// hostLettersPage are the letters of a channel, as the host reads them.
type hostLettersPage struct {
	view
	Tabs    []tabView
	Tab     string
	Page    int
	More    bool // an older page has letters
	Letters []letterView
	To      []seatView // to whom the host may write
	Max     int
	Held    bool // the host plays: each letter is behind a hold
}

// tabView is a channel in the list of them.
type tabView struct {
	choiceView
	Here bool
}

// Keeps is the channel and the page, when the language is changed.
func (p hostLettersPage) Keeps() template.URL {
	return template.URL(fmt.Sprintf("of=%s&page=%d&", template.URLQueryEscaper(p.Tab), p.Page))
}

func (p hostLettersPage) Newer() int { return p.Page - 1 }
func (p hostLettersPage) Older() int { return p.Page + 1 }

// hostLetters are all letters of the game, for its host. One who plays reads
// those to himself alone: the others would tell him who is in their channels.
func (b *Box) hostLetters(c *fiber.Ctx) error {
	t := tableOf(c)
	m := t.now.Load()
	if !m.hasThread() {
		return fiber.ErrNotFound
	}
	v, w := viewerOf(c, m), b.wordsFor(c)
	of := c.Query("of", hostChannel)
	if v.seat != 0 && !m.game.Ended() && of != hostChannel {
		return b.drawHost(c, fiber.StatusForbidden, say("letters_seated"))
	}
	c.Type("html", "utf-8")
	return drawn(c, lettersSize(m), "host-letters", b.hostLettersPage(t, m, w, v, of, lettersPageOf(c)))
}

func (b *Box) hostLettersPage(t *Table, m *moment, w words, v viewer, of string, page int) hostLettersPage {
	seen := m.game.Seen(engine.ToHost)
	p := hostLettersPage{view: b.view(t, m, w, v.device, m.game.Seen(engine.All)), Tab: of, Page: page, Held: v.seat != 0 && !seen.Over}
	ids := []string{hostChannel}
	var letters []engine.Event
	for _, e := range seen.Letters {
		id := e.Words[0]
		if !slices.Contains(ids, id) && !p.Held {
			ids = append(ids, id)
		}
		if id == of {
			letters = append(letters, e)
		}
	}
	for _, choice := range w.channels(ids) {
		p.Tabs = append(p.Tabs, tabView{choice, choice.Value == of})
	}
	for i, e := range lettersOf(letters, page) {
		l := w.letter(e, p.Seats, 0)
		l.No = (page-1)*lettersOnPage + i + 1
		p.Letters = append(p.Letters, l)
	}
	p.More = len(letters) > page*lettersOnPage
	if offer, ok := offerOf(seen.Offers, engine.Whisper); ok && offer.Now == engine.Open {
		p.To, p.Max = offered(offer, p.Seats), offer.TextMax
	}
	return p
}
