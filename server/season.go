package server

import (
	"cmp"
	"encoding/csv"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/mafiabox/mafiabox/engine"
)

// The season: how often each person of the club has played and won, by side and
// role. Whoever's side has won has won, in the game to its end or not; of who
// was removed or went home it is counted beside. A game without a result is none.

// span is which games count.
type span struct {
	rules    string // empty: all
	from, to string // dates, both counted; empty: no bound
}

// score is a person's games.
type score struct {
	Games, Wins, Draws int
	Removed            int // from how many of them he was removed, or left
}

func (s *score) add(won, drawn, removed bool) {
	s.Games++
	if won {
		s.Wins++
	}
	if drawn {
		s.Draws++
	}
	if removed {
		s.Removed++
	}
}

// Share is the games won, in percent.
func (s score) Share() int { return (100*s.Wins + s.Games/2) / max(1, s.Games) }

// part is a role of a side in a rule system.
type part struct {
	rules string
	side  engine.Side
	role  engine.Role
}

// standing is one person in the season.
type standing struct {
	key   string
	name  string
	score score
	parts map[part]*score
}

// standings sum up games. Those who are to be forgotten are one, with an empty
// key; so are seats without a name. Games without a date are counted where no
// dates are asked for, and else told apart.
func standings(all []*finished, people book, s span) (list []*standing, games, undated int) {
	by := make(map[string]*standing)
	keys := make(map[string]string) // by name: most play often
	for _, f := range all {
		if s.rules != "" && f.rules != s.rules || f.broken != nil || f.winner == "" && !f.drawn {
			continue
		}
		if s.from != "" || s.to != "" {
			if f.date == "" {
				undated++
				continue
			}
			if s.from != "" && f.date < s.from || s.to != "" && f.date > s.to {
				continue
			}
		}
		games++
		for _, seat := range f.seats {
			key, known := keys[seat.name]
			if !known {
				if seat.name != "" && !people.forgets(seat.name) {
					key = people.key(seat.name)
				}
				keys[seat.name] = key
			}
			p := by[key]
			if p == nil { // the latest game comes first, and with it how the name is written now
				p = &standing{key: key, name: people.person(seat.name), parts: make(map[part]*score)}
				by[key] = p
				list = append(list, p)
			}
			of := part{f.rules, seat.side, seat.role}
			if p.parts[of] == nil {
				p.parts[of] = new(score)
			}
			for _, to := range []*score{&p.score, p.parts[of]} {
				to.add(seat.side == f.winner && f.winner != "", f.drawn, removed(seat.cause))
			}
		}
	}
	slices.SortFunc(list, func(a, b *standing) int {
		return cmp.Or(compareBool(a.key == "", b.key == ""), cmp.Compare(b.score.Wins, a.score.Wins), cmp.Compare(a.score.Games, b.score.Games), strings.Compare(a.key, b.key))
	})
	return list, games, undated
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// removed tells whether somebody was out by no act of the game.
func removed(cause string) bool {
	switch cause {
	case engine.ByFouls, engine.ByDisqualified, engine.ByMissed, engine.ByLeft:
		return true
	}
	return false
}

// inParts are a person's games by rules, side and role.
func (p *standing) inParts() (all []part) {
	for of := range p.parts {
		all = append(all, of)
	}
	slices.SortFunc(all, func(a, b part) int {
		return cmp.Or(strings.Compare(a.rules, b.rules), strings.Compare(string(a.side), string(b.side)), strings.Compare(string(a.role), string(b.role)))
	})
	return all
}

// writeSeason writes the season for a spreadsheet: a row for each person, rule
// system, side and role, so that it adds up whatever one asks for.
func (w words) writeSeason(to io.Writer, list []*standing) error {
	if _, err := io.WriteString(to, "\uFEFF"); err != nil { // else they take it for another alphabet
		return err
	}
	out := csv.NewWriter(to)
	out.UseCRLF = true
	if w.Lang == "ru" {
		out.Comma = ';' // as spreadsheets expect there, where the comma is the decimal point
	}
	rows := [][]string{{w.T("season.name"), w.T("season.rules"), w.T("season.side"), w.T("season.role"), w.T("season.games"), w.T("season.wins"), w.T("season.draws"), w.T("season.removed")}}
	for _, p := range list {
		for _, of := range p.inParts() {
			s := p.parts[of]
			rows = append(rows, []string{
				cellOf(w.standingName(p)), w.rulesOf(of.rules), w.T("side." + string(of.side)), w.role(of.role),
				strconv.Itoa(s.Games), strconv.Itoa(s.Wins), strconv.Itoa(s.Draws), strconv.Itoa(s.Removed),
			})
		}
	}
	return out.WriteAll(rows)
}

// cellOf keeps a spreadsheet from taking a name for a formula.
func cellOf(cell string) string {
	if cell != "" && strings.ContainsAny(string([]rune(cell)[:1]), "=+-@|%\t\r\n＝＋－＠") {
		return "'" + cell
	}
	return cell
}

func (w words) standingName(p *standing) string {
	if p.key == "" {
		return w.T("people.nameless")
	}
	return p.name
}
