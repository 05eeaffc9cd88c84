package server

import (
	"bytes"
	"cmp"
	"html/template"
	"net/url"
	"time"

	"github.com/gofiber/fiber/v2"
)

// seasonPage is who has won how often.
type seasonPage struct {
	words
	Error          string
	Rules          []choiceView
	Chosen         struct{ Rules, From, To string }
	Games, Undated int
	Left           int // games still to be read
	People         []seasonRow
}

type seasonRow struct {
	Name string
	score
	Sides []seasonSide
}

// seasonSide is a side of a rule system and what the person has been in it.
type seasonSide struct {
	Rules, Side string
	score
	Roles []seasonRole
}

type seasonRole struct {
	Role string
	score
}

// seasonOf reads which games are asked for. With an error there are none.
func (b *Box) seasonOf(c *fiber.Ctx) (p seasonPage, list []*standing) {
	p = seasonPage{words: b.wordsFor(c)}
	s := span{rules: c.Query("rules"), from: c.Query("from"), to: c.Query("to")}
	for _, date := range []*string{&s.from, &s.to} {
		if _, err := time.Parse(time.DateOnly, *date); err != nil && *date != "" {
			p.Error, *date = cmp.Or(p.Error, p.T("problem.bad_date", "Value", cut(*date, maxName))), ""
		}
	}
	p.Chosen.Rules, p.Chosen.From, p.Chosen.To = s.rules, s.from, s.to
	all, left := b.archive.games()
	p.Left = left
	if p.Error != "" { // other games than were asked for are no answer
		return p, nil
	}
	list, p.Games, p.Undated = standings(all, b.club.people(), s)
	return p, list
}

func (b *Box) seasonPage(c *fiber.Ctx) error {
	p, list := b.seasonOf(c)
	return b.drawSeason(c, p, list)
}

func (b *Box) drawSeason(c *fiber.Ctx, p seasonPage, list []*standing) error {
	if p.Error != "" {
		c.Status(fiber.StatusUnprocessableEntity)
	}
	for _, r := range b.cfg.Rulesets {
		p.Rules = append(p.Rules, choiceView{r.ID(), p.T("rules." + r.ID())})
	}
	p.People = p.seasonRows(list)
	c.Type("html", "utf-8")
	return c.Render("season", p)
}

// seasonRows are people with their sides and roles.
func (w words) seasonRows(list []*standing) (rows []seasonRow) {
	for _, person := range list {
		row := seasonRow{Name: w.standingName(person), score: person.score}
		for _, of := range person.inParts() {
			own, s := w.under(of.rules), person.parts[of]
			side := seasonSide{Rules: w.rulesOf(of.rules), Side: own.T("side." + string(of.side))}
			if n := len(row.Sides); n == 0 || row.Sides[n-1].Rules != side.Rules || row.Sides[n-1].Side != side.Side {
				row.Sides = append(row.Sides, side)
			}
			last := &row.Sides[len(row.Sides)-1]
			last.Games, last.Wins, last.Draws, last.Removed = last.Games+s.Games, last.Wins+s.Wins, last.Draws+s.Draws, last.Removed+s.Removed
			last.Roles = append(last.Roles, seasonRole{own.role(of.role), *s})
		}
		rows = append(rows, row)
	}
	return rows
}

// seasonCSV is the season for a spreadsheet.
func (b *Box) seasonCSV(c *fiber.Ctx) error {
	p, list := b.seasonOf(c)
	if p.Error != "" {
		return b.drawSeason(c, p, nil)
	}
	var out bytes.Buffer
	if err := p.writeSeason(&out, list); err != nil {
		return err
	}
	c.Set(fiber.HeaderContentType, "text/csv; charset=utf-8")
	c.Attachment("season.csv")
	return c.Send(out.Bytes())
}

func (p seasonPage) query() url.Values {
	return queryOf(map[string]string{"rules": p.Chosen.Rules, "from": p.Chosen.From, "to": p.Chosen.To})
}

// Keeps is what is chosen, when the language is changed.
func (p seasonPage) Keeps() template.URL { return carried(p.query()) }

// File is the address of the same as a table.
func (p seasonPage) File() string { return "/archive/season.csv?" + p.query().Encode() }
