package server

import (
	"strconv"
	"strings"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/sheet"
)

// sheetPage is the judge's sheet on paper.
type sheetPage struct {
	words
	At      string // the address under which the export stands
	Back    string // what leads there
	Place   string // the table
	Rules   string
	Date    string // when the game began; empty when the record does not say
	Result  string
	Seats   []sheetSeat
	Nights  []sheetNight
	Days    []sheetDay
	Dense   bool   // many rounds: written smaller
	More    int    // rounds for which there is no room
	Exports bool   // rating sites take this game
	Untold  string // the days for whose nominations they have no form
}

type sheetSeat struct {
	Seat             engine.Seat
	Name, Role       string
	Fouls, Technical string // when each was given
	BestMove         string
	Left, Cause      string // when and why
}

type sheetNight struct {
	Heading              string
	Shots, Seeks, Checks []string
	Out                  string
}

type sheetDay struct {
	Heading     string
	Nominations []string
	Polls       []sheetPoll
	Asked       string // who was to leave together
	Hands       string // who was for it
	For         int
	Void        bool
	Out         string
}

type sheetPoll []sheetCandidate

type sheetCandidate struct {
	Seat   engine.Seat
	Votes  int
	Voters string
}

// What one page holds: more days than crowded, or more seats and nights than
// tall below each other, are written smaller; and there is room for papered of
// each. The longest games of clubs have about ten.
const (
	crowded = 7
	tall    = 16
	papered = 12
)

// sheetLinks are what the console offers of a finished game.
type sheetLinks struct{ Exports bool }

// sheetLinks are nil when the game has no sheet, or none yet.
func (m *moment) sheetLinks() *sheetLinks {
	s, err := m.finished()
	if err != nil {
		return nil
	}
	return &sheetLinks{s.Exports()}
}

func (b *Box) sheetPage(at, place string, names []string, g engine.Game, w words, s sheet.Sheet) sheetPage {
	p := sheetPage{
		words: w, At: at, Back: w.T("sheet.back"), Place: place, Rules: w.T("rules." + s.Rules), Result: w.result(g.Seen(engine.All)),
		Exports: s.Exports(), Dense: len(s.Days) > crowded || len(s.Seats)+len(s.Nights) > tall,
		More: max(0, len(s.Days)-papered, len(s.Nights)-papered),
	}
	if !s.Began.IsZero() {
		p.Date = s.Began.In(b.cfg.Now().Location()).Format("2006-01-02 15:04")
	}
	for i, line := range s.Seats {
		p.Seats = append(p.Seats, w.sheetSeat(engine.Seat(i+1), names[i], line))
	}
	for _, n := range s.Nights[:min(papered, len(s.Nights))] {
		p.Nights = append(p.Nights, w.sheetNight(n))
	}
	for _, d := range s.Days[:min(papered, len(s.Days))] {
		p.Days = append(p.Days, w.sheetDay(d))
	}
	if p.Exports {
		var days []string
		for _, n := range s.Reordered() {
			days = append(days, w.brief(engine.Phase{Name: engine.Day, N: n}))
		}
		p.Untold = strings.Join(days, ", ")
	}
	return p
}

func (w words) sheetSeat(seat engine.Seat, name string, line sheet.Seat) sheetSeat {
	v := sheetSeat{
		Seat: seat, Name: name, Role: w.role(line.Role), Fouls: w.moments(line.Fouls), Technical: w.moments(line.Technical),
		BestMove: numbers(line.BestMove),
	}
	if line.Left != nil {
		v.Left, v.Cause = w.brief(line.Left.Phase), line.Left.Cause
	}
	return v
}

// brief is a phase in two or three signs: a column of a sheet is narrow.
func (w words) brief(p engine.Phase) string {
	switch p.Name {
	case "", engine.Nights, engine.Closed:
		return w.T("sheet.brief.night", "No", p.N)
	}
	return w.T("sheet.brief.day", "No", p.N)
}

// moments are the first fouls of a seat: as many as matter, and some of those
// that may still be given to who has a last word.
func (w words) moments(all []sheet.When) string {
	var list []string
	for _, m := range all[:min(len(all), 8)] {
		list = append(list, w.brief(m.Phase))
	}
	return strings.Join(list, " ")
}

func (w words) sheetNight(n sheet.Night) sheetNight {
	v := sheetNight{Heading: w.brief(engine.Phase{Name: engine.Nights, N: n.N}), Out: numbers(n.Out)}
	acts := map[engine.Verb][]string{}
	for _, a := range n.Acts {
		var of []string
		for i, seat := range a.Seats {
			text := strconv.Itoa(int(seat))
			if i < len(a.Answers) {
				text += " " + w.T("answer."+a.Answers[i])
			}
			of = append(of, text)
		}
		acts[a.Verb] = append(acts[a.Verb], arrow(a.By, strings.Join(of, ", ")))
	}
	v.Shots, v.Seeks, v.Checks = acts[engine.Shoot], acts[engine.Seek], acts[engine.Check]
	return v
}

func (w words) sheetDay(d sheet.Day) sheetDay {
	v := sheetDay{Heading: w.brief(engine.Phase{Name: engine.Day, N: d.N}), Asked: numbers(d.Asked), Hands: numbers(d.Hands), For: len(d.Hands), Void: d.Void, Out: numbers(d.Out)}
	for _, n := range d.Nominations {
		v.Nominations = append(v.Nominations, arrow(n.By, strconv.Itoa(int(n.Of))))
	}
	for _, p := range d.Polls {
		var poll sheetPoll
		for _, c := range p.Candidates {
			voters := p.For(c)
			poll = append(poll, sheetCandidate{c, len(voters), numbers(voters)})
		}
		v.Polls = append(v.Polls, poll)
	}
	return v
}

// arrow is who did it to whom. The no-break spaces keep it on one line.
func arrow(by engine.Seat, of string) string {
	return strconv.Itoa(int(by)) + "\u2009→\u2009" + strings.ReplaceAll(of, " ", "\u00a0")
}

func numbers(seats []engine.Seat) string {
	var list []string
	for _, s := range seats {
		list = append(list, strconv.Itoa(int(s)))
	}
	return strings.Join(list, " ")
}
