package server

import (
	"fmt"
	"html/template"
	"slices"
	"strconv"

	"github.com/gofiber/fiber/v2"
	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/record"
)

// Cards to cut out and lay on the table, one for each seat. A card names a seat
// and gives nobody a right to it: it proposes the seat when its owner joins.

// cardsPage are the cards on paper. They fit A4 and Letter alike, so whatever
// lies in the printer will do.
type cardsPage struct {
	words
	codesView
	Table, Error string
	N, Most      int
	Always       bool // they hold no join code, which is for one evening
	Pages        [][]cardView
}

// cardsOnPage is how many cards the style puts on a page.
const cardsOnPage = 8

type cardView struct {
	Seat engine.Seat
	Join picture
}

// Keeps is what was chosen, when the language is changed.
func (p cardsPage) Keeps() template.URL {
	keeps := fmt.Sprintf("n=%d&", p.N)
	if p.Always {
		keeps += "always=1&"
	}
	return template.URL(keeps)
}

// cardURL is what a seat's card leads to: the join page, or for every evening the
// front page, where the code of that evening is typed.
func (b *Box) cardURL(m *moment, seat engine.Seat, always bool) string {
	if always {
		return b.address(fmt.Sprintf("/?seat=%d", seat))
	}
	return b.address(fmt.Sprintf("/j/%s?seat=%d", m.doc.Code, seat))
}

// hostCards are the table's cards to print.
func (b *Box) hostCards(c *fiber.Ctx) error {
	t := tableOf(c)
	m := t.now.Load()
	p := cardsPage{words: b.wordsFor(c), codesView: b.codesOf(t, m), Table: t.id, Most: record.MaxSeats, Always: c.Query("always") != ""}
	_, p.N = b.rules(m.doc).Seats()
	if typed := c.Query("n"); typed != "" {
		n, err := strconv.Atoi(typed)
		if err != nil || n < 1 || n > p.Most {
			p.Error = p.T("cards.number", "Most", p.Most)
			c.Status(fiber.StatusUnprocessableEntity)
		} else {
			p.N = n
		}
	}
	var cards []cardView
	for i := range p.N {
		seat := engine.Seat(i + 1)
		path := fmt.Sprintf("/t/%s/host/card/%d.png", t.id, seat)
		join := newPicture(path, b.cardURL(m, seat, p.Always))
		if p.Always {
			join.Src += "&always=1"
		}
		cards = append(cards, cardView{seat, join})
	}
	p.Pages = slices.Collect(slices.Chunk(cards, cardsOnPage))
	c.Type("html", "utf-8")
	return c.Render("cards", p)
}

// cardQR is the code of one seat's card.
func (b *Box) cardQR(c *fiber.Ctx) error {
	seat := seatNumber(c.Params("seat"))
	if seat == 0 {
		return fiber.ErrNotFound
	}
	return sendQR(c, b.cardURL(tableOf(c).now.Load(), seat, c.Query("always") != ""))
}
