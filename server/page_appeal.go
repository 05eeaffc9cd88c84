package server

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gofiber/fiber/v2"
	"github.com/mafiabox/mafiabox/engine"
)

// An appeal is lodged between games and names the finished one. The host's answer
// is a note in the same record, which begins with the appeal's number.

// appealView is an appeal against a finished game.
type appealView struct {
	No      int // of the act
	Who     seatView
	Text    string
	Answers []string
}

const answerTo = "appeal "

// answerMax is how long an answer may be, in characters: its note says besides
// which of at most 999,999 acts it answers.
const answerMax = engine.TextMax - len(answerTo+"999999: ")

// answersTo is the appeal that a note answers; 0: none.
func answersTo(note string) (no int, text string) {
	rest, ok := strings.CutPrefix(note, answerTo)
	number, text, colon := strings.Cut(rest, ": ")
	no, err := strconv.Atoi(number)
	if !ok || !colon || err != nil || no < 1 {
		return 0, ""
	}
	return no, text
}

// appeals are those against a game, the first first.
func appeals(g engine.Game, seats []seatView) (all []appealView) {
	for _, entry := range g.Log() {
		switch a := entry.Act; a.Verb {
		case engine.Appeal:
			all = append(all, appealView{No: a.No, Who: seats[a.Seats[0]-1], Text: tidyPost(a.Text)})
		case engine.Note:
			no, text := answersTo(a.Text)
			for i := range all {
				if all[i].No == no {
					all[i].Answers = append(all[i].Answers, tidyPost(text))
				}
			}
		}
	}
	return all
}

// appealsView are the appeals against the table's finished game.
type appealsView struct {
	Seats  []seatView // who may appeal
	Lodged []appealView
	Most   int // characters of an appeal
	Answer int // and of an answer
}

// appealable is the finished game that takes an appeal now, if there is one.
func (m *moment) appealable() bool {
	return m.doc.Game > 0 && !m.doc.Deleted && !m.doc.Broken && m.game.Begun() && m.game.Ended() && m.frozen == ""
}

func (b *Box) appealsView(m *moment, w words) *appealsView {
	if !m.appealable() {
		return nil
	}
	seats := w.finishedSeats(m.game, m.game.Setup().Names, b.club.people())
	return &appealsView{Seats: seats, Lodged: appeals(m.game, seats), Most: engine.TextMax, Answer: answerMax}
}

// hostAppeal lodges an appeal, or answers one.
func (b *Box) hostAppeal(c *fiber.Ctx) error {
	text := strings.TrimSpace(tidyPost(c.FormValue("text")))
	act := engine.Act{By: engine.Host, Verb: engine.Appeal, Seats: []engine.Seat{seatNumber(c.FormValue("seat"))}, Text: text, Via: engine.ByPhone}
	answers, err := strconv.Atoi(c.FormValue("answers"))
	most := engine.TextMax
	switch {
	case c.FormValue("answers") != "" && err != nil:
		return fiber.ErrBadRequest
	case answers > 0:
		most = answerMax
	}
	return b.hostDo(c, func(d *draft) error {
		switch {
		case !d.appealable():
			return say("appeal_when")
		case text == "":
			return say("appeal_empty")
		case utf8.RuneCountInString(text) > most:
			return say("appeal_long", "Max", most, "Got", utf8.RuneCountInString(text))
		}
		if answers > 0 {
			known := false
			for _, entry := range d.game.Log() {
				known = known || entry.Act.No == answers && entry.Act.Verb == engine.Appeal
			}
			if !known {
				return say("bad_form")
			}
			act.Verb, act.Seats, act.Text = engine.Note, nil, fmt.Sprintf("%s%d: %s", answerTo, answers, text)
		}
		return d.act(act)
	})
}
