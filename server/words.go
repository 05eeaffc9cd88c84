package server

import (
	"errors"
	"html/template"
	"strconv"
	"strings"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/record"
)

// words are the texts in one language. What is made of events and offers is
// put in words here; texts that only pages use are named in the templates.
type words struct {
	Texts
}

// Keeps is what of a page's address stays when its language is changed: nothing
// on most pages.
func (words) Keeps() template.URL { return "" }

// Title is what the browser calls a page.
func (w words) Title() string { return w.T("app") }

// under are the words of a rule system: some things are called otherwise there.
func (w words) under(rules string) words {
	w.rules = rules
	return w
}

// phase is a phase as a heading.
func (w words) phase(p engine.Phase) string {
	if p.Name == "" {
		return w.T("phase.begin")
	}
	return w.own("phase."+p.Name, "N", p.N)
}

func (w words) role(r engine.Role) string {
	if r == "" {
		return ""
	}
	return w.TOr("role."+string(r), string(r))
}

// side is the side of a role, in words.
func (w words) side(rules engine.Ruleset, r engine.Role) string {
	for _, info := range rules.Roles() {
		if info.Role == r {
			return w.T("side." + string(info.Side))
		}
	}
	return ""
}

func (w words) verb(v engine.Verb) string { return w.T("verb." + string(v)) }

// ask is the question of a pick; of two that go together the second has its own.
func (w words) ask(v engine.Verb, i, of int) string {
	if of > 1 {
		return w.T("ask."+string(v)+".of", "N", i+1, "Of", of)
	}
	return w.own("ask." + string(v))
}

// choice is a word that may be said: a ruling's choice, a seat's number, or hours.
func (w words) choice(word string, seats []seatView) string {
	if n, err := strconv.Atoi(word); err == nil && n > 0 && n <= len(seats) {
		return who(seats, engine.Seat(n))
	}
	if n, err := strconv.Atoi(strings.TrimSuffix(word, "h")); err == nil && strings.HasSuffix(word, "h") {
		return w.T("choice.hours", "N", n)
	}
	return w.T("choice." + word)
}

// said is a word of an act. Beside some verbs it means something else: the name
// of a side is also that of the channel to which somebody writes.
func (w words) said(v engine.Verb, word string, seats []seatView) string {
	return w.TOr("choice."+string(v)+"."+word, w.choice(word, seats))
}

// who is a seat with its name: "5 Anna".
func who(seats []seatView, s engine.Seat) string {
	if s < 1 || int(s) > len(seats) {
		return ""
	}
	// The isolate marks keep a name of the other direction from turning the sentence.
	return strconv.Itoa(int(s)) + " \u2068" + seats[s-1].Name + "\u2069"
}

func names(seats []seatView, all []engine.Seat) string {
	var list []string
	for _, s := range all {
		list = append(list, who(seats, s))
	}
	return strings.Join(list, ", ")
}

// event is an event as a sentence.
func (w words) event(e engine.Event, seats []seatView) string {
	key := "event." + string(e.Kind)
	args := []any{"Who", who(seats, e.Of), "Seats", names(seats, e.Seats), "N", e.N, "Text", tidyPost(e.Text)}
	word := ""
	if len(e.Words) > 0 {
		word = e.Words[0]
	}
	switch e.Kind {
	case engine.Told:
		key, word = w.toldKey(e, word)
		args = append(args, "Verb", w.verb(e.Verb))
	case engine.Chose:
		if key += ".some"; len(e.Seats) == 0 {
			key = "event.chose.none"
		}
		args = append(args, "Verb", w.verb(e.Verb))
		key = w.first("event.chose."+string(e.Verb), key)
	case engine.Out:
		key += "." + word
	case engine.RoleIs:
		word = w.role(engine.Role(word))
	case engine.Win:
		word = w.T("side." + word)
	case engine.PhaseIs:
		return w.phase(engine.Phase{Name: word, N: e.N})
	case engine.Ruling:
		word = w.T("ruling." + word)
	case engine.Fouls:
		if word != "" {
			key += "." + word
		}
	case engine.Voted:
		if len(e.Seats) > 0 {
			word = "open"
		}
		key = w.first(key+"."+word, key)
	case engine.Asked, engine.Candidates:
		if len(e.Seats) == 0 {
			key += ".none"
		}
	case engine.Refused:
		key = w.first(key+"."+word, key)
		word = w.T("refused." + word)
	case engine.Closes:
		word = w.moment(e.Moment)
		args = append(args, "Zone", e.Moment.Format("-07:00"))
	case engine.Tallied:
		var counts []string
		for _, c := range e.Tally {
			counts = append(counts, who(seats, c.Seat)+": "+strconv.Itoa(c.Votes))
		}
		if word = strings.Join(counts, ", "); word == "" {
			key += ".none"
		}
	case engine.Trace:
		word = w.fates(e.Fates, seats)
		args = append(args, "Verb", w.verb(e.Verb))
	}
	text := w.own(key, append(args, "Word", word)...)
	if e.Corrected {
		text += " " + w.T("corrected")
	}
	return text
}

// first is the key of a text of its own, if there is one, and else the other.
func (w words) first(own, other string) string {
	if w.TOr(own, "") == "" {
		return other
	}
	return own
}

// toldKey is the text of what somebody is told in private, and the word in it.
func (w words) toldKey(e engine.Event, word string) (key, inWords string) {
	key = "event.told." + string(e.Verb)
	switch {
	case e.Verb == "": // nothing that he did
		return key + word, ""
	case e.Verb == engine.ToldRole, e.Verb == engine.ToldAlly:
		return key, w.role(engine.Role(word))
	case e.Verb == engine.Whisper && e.Of == 0 && word == "host": // his own
		return key + ".answer", ""
	case e.Verb == engine.Whisper:
		return w.first(key+"."+word, key), ""
	}
	return w.first(key, "event.told.answer"), w.T("answer." + word)
}

// told is an event in a list of what everybody was told: an answer says whose it is.
func (w words) told(e engine.Event, seats []seatView) string {
	if e.Kind == engine.Told && e.To > 0 {
		return who(seats, engine.Seat(e.To)) + ": " + w.event(e, seats)
	}
	return w.event(e, seats)
}

func (w words) fates(fates []engine.Fate, seats []seatView) string {
	var list []string
	for _, f := range fates {
		list = append(list, w.T("fate."+f.What, "Seat", who(seats, f.Seat)))
	}
	return strings.Join(list, ", ")
}

// does is who did what, without whom it meant.
func (w words) does(a engine.Act, seats []seatView) string {
	by := w.T("host")
	switch subject := a.Subject(); {
	case subject.Seat() != 0:
		by = who(seats, subject.Seat())
	case subject == engine.Clock:
		by = w.T("by.box")
	case subject == engine.Guest:
		by = w.T("by.guest")
	}
	return by + ": " + w.verb(a.Verb)
}

// act is an act as a line of the host's log or the story.
func (w words) act(a engine.Act, seats []seatView) string {
	text := w.does(a, seats)
	switch {
	case a.Verb == engine.Votes:
		text += " " + who(seats, a.Seats[0]) + " ← " + names(seats, a.Seats[1:])
	case len(a.Seats) > 0:
		text += " → " + names(seats, a.Seats)
	}
	if a.Verb == engine.Undo && a.N > 0 {
		text += " " + strconv.Itoa(a.N)
	}
	if a.Word != "" {
		text += " " + w.said(a.Verb, a.Word, seats)
	}
	if !a.Moment.IsZero() {
		text += " " + w.moment(a.Moment)
	}
	if a.Text != "" {
		text += " «" + tidyPost(a.Text) + "»" // of a game that came as a file it may be anything
	}
	if a.Mends {
		text += " " + w.T("corrected")
	} else if a.For != 0 {
		text += " " + w.T("entered_by_host")
	}
	return text
}

func (w words) result(s engine.Seen) string {
	switch {
	case s.Winner != "":
		return w.T("event.win", "Word", w.T("side."+string(s.Winner)))
	case s.Drawn:
		return w.T("event.draw")
	}
	return w.T("abandoned")
}

// refusal is why something was not done, in words that say what to do.
func (w words) refusal(err error) string {
	var refused engine.Refusal
	var p problem
	var syntax *record.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return syntax.In(func(form string) string { return w.TOr("record: "+form, form) })
	case errors.As(err, &refused):
		return w.T("refused." + string(refused))
	case errors.As(err, &p):
		args := []any{}
		for k, v := range p.Args {
			if role, ok := v.(string); ok && k == "Role" {
				v = w.role(engine.Role(role))
			} else if why, ok := v.(error); ok {
				v = w.refusal(why)
			}
			args = append(args, k, v)
		}
		return w.own("problem."+p.Key, args...)
	case errors.Is(err, errFrozen):
		return w.T("problem.frozen")
	case errors.Is(err, errClosing):
		return w.T("problem.closing")
	case errors.Is(err, errStorage):
		return w.T("problem.storage." + kindOf(err))
	}
	return w.T("problem.storage")
}

// HTML marks a text of our own as markup.
func (w words) HTML(key string) template.HTML { return template.HTML(w.T(key)) }
