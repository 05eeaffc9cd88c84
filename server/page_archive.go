package server

import (
	"html/template"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/mafiabox/mafiabox/engine"
)

// onPage is how many games a page of the archive lists.
const onPage = 30

// archivePage is a page of the list of finished games.
type archivePage struct {
	words
	Key    string
	Owner  bool
	Games  []gameRow
	Total  int // that fit the choice
	Left   int // still to be read
	Bare   int // deals without a game, which are not listed
	Rules  []choiceView
	Tables []choiceView
	Chosen struct{ Rules, Table, Text, All string }
	Back   string // the address of the page before; empty: none
	Next   string
	No, Of int
}

type gameRow struct {
	Path, Date, Table, Rules, Set string
	Players                       []string
	Length, Result                string
	Broken                        string // why it can't be shown as it was
}

// onlyClub lets the owner and all hosts of the box through; players have the
// story on their own pages.
func (b *Box) onlyClub(c *fiber.Ctx) error {
	if b.ofClub(deviceOf(c)) {
		return c.Next()
	}
	if c.Method() == fiber.MethodGet && !live(c) {
		return c.Redirect("/host", fiber.StatusSeeOther)
	}
	return fiber.ErrForbidden
}

// ofClub tells whether a device is the owner's or a host's of any table.
func (b *Box) ofClub(device string) bool {
	return device != "" && (b.isOwner(device) || slices.ContainsFunc(b.Tables(), func(t *Table) bool { return t.now.Load().doc.hosts(device) }))
}

// archivePage lists finished games.
func (b *Box) archivePage(c *fiber.Ctx) error {
	w := b.wordsFor(c)
	p := archivePage{words: w, Key: newKey(deviceOf(c)), Owner: b.owns(c)}
	p.Chosen.Rules, p.Chosen.Table, p.Chosen.Text, p.Chosen.All = c.Query("rules"), c.Query("table"), cut(c.Query("q"), 2*maxName), c.Query("all")
	people := b.club.people()
	all, left := b.archive.games()
	p.Left = left
	fits := all[:0:0]
	for _, f := range all {
		switch {
		case f.bare && p.Chosen.All == "":
			p.Bare++
		case p.fits(f, people):
			fits = append(fits, f)
		}
	}
	p.Total = len(fits)
	p.Of = max(1, (p.Total+onPage-1)/onPage)
	p.No, _ = strconv.Atoi(c.Query("page"))
	p.No = min(max(p.No, 1), p.Of)
	for _, f := range fits[(p.No-1)*onPage : min(p.No*onPage, p.Total)] {
		p.Games = append(p.Games, w.gameRow(f, people))
	}
	if p.No > 1 {
		p.Back = p.address(p.No - 1)
	}
	if p.No < p.Of {
		p.Next = p.address(p.No + 1)
	}
	for _, r := range b.cfg.Rulesets {
		p.Rules = append(p.Rules, choiceView{r.ID(), w.T("rules." + r.ID())})
	}
	for _, id := range b.archived() {
		p.Tables = append(p.Tables, choiceView{id, w.tableOf(gameID{table: id})})
	}
	c.Type("html", "utf-8")
	return c.Render("archive", p)
}

func (p archivePage) fits(f *finished, people book) bool {
	if p.Chosen.Rules != "" && f.rules != p.Chosen.Rules || p.Chosen.Table != "" && f.table != p.Chosen.Table {
		return false
	}
	text := fold(p.Chosen.Text)
	if text == "" || strings.Contains(f.date, p.Chosen.Text) || strings.Contains(fold(f.set), text) {
		return true
	}
	return slices.ContainsFunc(f.seats, func(s finishedSeat) bool {
		return !people.forgets(s.name) && (strings.Contains(fold(s.name), text) || strings.Contains(people.key(s.name), text))
	})
}

// query is what is chosen, for an address.
func (p archivePage) query() url.Values {
	return queryOf(map[string]string{"rules": p.Chosen.Rules, "table": p.Chosen.Table, "q": p.Chosen.Text, "all": p.Chosen.All})
}

// queryOf is the part of an address that says what is chosen.
func queryOf(chosen map[string]string) url.Values {
	q := url.Values{}
	for name, value := range chosen {
		if value != "" {
			q.Set(name, value)
		}
	}
	return q
}

// carried is what is chosen, as what follows in an address needs it.
func carried(q url.Values) template.URL {
	if len(q) == 0 {
		return ""
	}
	return template.URL(q.Encode() + "&")
}

func (p archivePage) address(no int) string {
	q := p.query()
	q.Set("page", strconv.Itoa(no))
	return "/archive?" + q.Encode()
}

// Keeps is what is chosen, when the language is changed.
func (p archivePage) Keeps() template.URL { return carried(p.query()) }

// All is the address of the list with what is left out of it.
func (p archivePage) All() string {
	q := p.query()
	q.Set("all", "1")
	return "/archive?" + q.Encode()
}

func (w words) gameRow(f *finished, people book) gameRow {
	row := gameRow{
		Path: f.path(), Date: f.date, Table: w.tableOf(f.gameID), Rules: w.rulesOf(f.rules), Set: f.set,
		Length: w.lengthOf(f), Result: w.resultOf(f),
	}
	for _, s := range f.seats {
		if s.name != "" {
			row.Players = append(row.Players, w.nameOf(s.name, people))
		}
	}
	if f.broken != nil {
		row.Broken = w.refusal(f.broken)
	}
	return row
}

// rulesOf are rules by their id, which may be of another version.
func (w words) rulesOf(id string) string {
	if id == "" {
		return w.T("archive.rules.unknown")
	}
	return w.TOr("rules."+id, id)
}

// nameOf is a name as pages show it.
func (w words) nameOf(name string, people book) string {
	if people.forgets(name) {
		return w.T("people.forgotten.name")
	}
	return name
}

// path is the address of a game's page.
func (id gameID) path() string { return "/archive/" + id.table + "/" + strconv.Itoa(id.game) }

// cut is a text up to so many characters.
func cut(text string, most int) string {
	runes := []rune(text)
	return string(runes[:min(len(runes), most)])
}

// finishedSeats are the seats of a finished game, with all that is public then.
func (w words) finishedSeats(g engine.Game, names []string, people book) (seats []seatView) {
	for _, s := range g.Seen(engine.All).Seats {
		v := seatView{Seat: s.Seat, Out: s.Out, Cause: s.Cause, Role: w.role(s.Role), Public: s.Public, Warned: s.Warned, Fouls: s.Fouls, Technical: s.Technical, Missed: s.Missed}
		if int(s.Seat) <= len(names) {
			v.Name = w.nameOf(names[s.Seat-1], people)
		}
		seats = append(seats, v)
	}
	return seats
}
