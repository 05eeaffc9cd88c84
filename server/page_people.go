package server

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/mafiabox/mafiabox/engine/rulesets"
)

// peoplePage is the club's people by their names.
type peoplePage struct {
	words
	Key, Error, Text string
	Owner            bool
	People           []personRow
	Total, Forgotten int
	Left             int // games still to be read
	Rules            []choiceView
	Names            []string // to choose from
}

type personRow struct {
	Name      string
	ID        string // names the person among the parts of the page
	Games     int
	Last      string // date of the last game; empty: unknown
	Spellings []string
	Bars      []barRow
}

type barRow struct {
	No               int
	Rules, Why, Date string
}

// onPeople is how many people a page lists: a club has fewer, and there is a search.
const onPeople = 200

func (b *Box) peoplePage(c *fiber.Ctx) error { return b.drawPeople(c, fiber.StatusOK, nil) }

func (b *Box) drawPeople(c *fiber.Ctx, status int, problem error) error {
	p := peoplePage{words: b.wordsFor(c), Key: newKey(deviceOf(c)), Owner: b.owns(c), Text: cut(c.Query("q"), 2*maxName)}
	if problem != nil {
		p.Error = p.refusal(problem)
	}
	people := b.club.people()
	p.Forgotten = len(people.Forgotten)
	for _, r := range b.cfg.Rulesets {
		p.Rules = append(p.Rules, choiceView{r.ID(), p.T("rules." + r.ID())})
	}
	all, left := b.archive.games()
	p.Left = left
	rows := p.list(all, people, b.club.bars())
	for _, row := range rows {
		p.Names = append(p.Names, row.Name)
		if text := fold(p.Text); strings.Contains(fold(row.Name), text) || slices.ContainsFunc(row.Spellings, func(s string) bool { return strings.Contains(fold(s), text) }) {
			p.Total++
			if p.Total <= onPeople {
				p.People = append(p.People, row)
			}
		}
	}
	c.Status(status).Type("html", "utf-8")
	return c.Render("people", p)
}

// bars are the suspensions as they were given.
func (c *club) bars() []suspension {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.Suspended
}

// list is everybody whom a game or a suspension names.
func (w words) list(all []*finished, people book, bars []suspension) []personRow {
	rows := make(map[string]*personRow)
	row := func(name string) *personRow {
		key := people.key(name)
		if rows[key] == nil {
			rows[key] = &personRow{Name: people.person(name), ID: hash([]byte(key))[:8], Spellings: people.spellings(key)}
		}
		return rows[key]
	}
	for _, f := range all {
		for _, s := range f.seats {
			if s.name == "" || people.forgets(s.name) {
				continue
			}
			r := row(s.name)
			r.Games++
			r.Last = max(r.Last, f.date)
		}
	}
	for _, s := range bars {
		if people.forgets(s.Name) {
			continue
		}
		r := row(s.Name)
		r.Bars = append(r.Bars, barRow{No: s.No, Rules: w.rulesOf(s.Rules), Why: w.T("people.bar." + s.Why), Date: s.Date})
	}
	list := make([]personRow, 0, len(rows))
	for _, r := range rows {
		list = append(list, *r)
	}
	slices.SortFunc(list, func(a, b personRow) int {
		return cmp.Or(strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)), strings.Compare(a.Name, b.Name))
	})
	return list
}

// changePeople does what a form of that page asks for.
func (b *Box) changePeople(c *fiber.Ctx) error {
	do, owner := c.FormValue("do"), b.owns(c)
	name, bad := tidyName(c.FormValue("name"))
	if bad != "" && do != "lift" {
		return b.drawPeople(c, fiber.StatusUnprocessableEntity, say(bad, "Max", maxName))
	}
	if (do == "forget" || do == "remember") && !owner {
		return fiber.ErrForbidden
	}
	all, _ := b.archive.games()
	err := b.club.changePeople(func(people *book, club *clubDoc) error {
		known := func(typed string) (string, error) {
			name, ok := people.known(typed, all, club.Suspended)
			switch {
			case people.forgets(typed):
				return "", say("person_forgotten")
			case !ok:
				return "", say("person_unknown", "Name", typed)
			}
			return name, nil
		}
		switch do {
		case "merge":
			into, bad := tidyName(c.FormValue("into"))
			if bad != "" {
				return say(bad, "Max", maxName)
			}
			into, err := known(into)
			if err == nil && people.forgets(name) {
				err = say("person_forgotten")
			}
			if err != nil {
				return err
			}
			return people.merge(name, into)
		case "part":
			people.part(name)
			return nil
		case "forget":
			if c.FormValue("sure") == "" {
				return say("forget_unsure")
			}
			if _, err := known(name); err != nil {
				return err
			}
			club.Suspended = slices.DeleteFunc(slices.Clone(club.Suspended), func(s suspension) bool { return people.key(s.Name) == people.key(name) })
			return people.forget(name)
		case "remember":
			return people.remember(name)
		case "bar":
			return b.bar(club, people, name, c.FormValue("rules"))
		case "lift":
			no, err := strconv.Atoi(c.FormValue("no"))
			if err != nil {
				return say("bad_form")
			}
			club.lift(no)
			return nil
		}
		return say("bad_form")
	})
	if err != nil {
		return b.drawPeople(c, statusOf(err), err)
	}
	for _, t := range b.Tables() { // who may sit there
		t.wakeHosts()
	}
	return done(c, "/archive/people")
}

// bar has somebody sit out the next game of some rules.
func (b *Box) bar(club *clubDoc, people *book, name, rules string) error {
	if _, ok := rulesets.Find(b.cfg.Rulesets, rules); !ok {
		return say("no_such_rules")
	}
	if people.forgets(name) {
		return say("person_forgotten")
	}
	if _, out := sitsOut(people.spelled(club.Suspended), rules, name); out {
		return say("barred_already", "Name", name)
	}
	s := suspension{Name: people.person(name), Rules: rules, Why: "host"}
	if now, known := b.Time(); known {
		s.Date = now.Format(time.DateOnly)
	}
	return club.bar(s)
}
