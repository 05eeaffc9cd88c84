package record

import (
	"strings"

	"github.com/mafiabox/mafiabox/engine"
)

// parts are what an event of each kind says after its audience and its kind, in
// order: o of whom it is, v a verb, s seats, w words, c counts, n a number, m a
// moment, t a text, f fates. What is not there is left out. Offers are missing:
// they are no events.
var parts = map[engine.Kind]string{
	engine.Told: "ovswt", engine.PhaseIs: "wn", engine.Voted: "osw", engine.Asked: "s", engine.Owed: "n", engine.Stopped: "t", engine.Resumed: "",
	engine.Candidates: "s", engine.Tallied: "c", engine.Tie: "s", engine.AskAll: "s", engine.Out: "ow", engine.Stay: "", engine.Void: "",
	engine.Missed: "on", engine.Warned: "on", engine.Muted: "o", engine.Fouls: "own", engine.Decision: "t", engine.Ruling: "w", engine.Refused: "w",
	engine.Chose: "ovsw", engine.Nominated: "os", engine.Speaks: "on", engine.Closes: "m", engine.Trace: "ovsf", engine.Win: "w",
	engine.Draw: "", engine.RoleIs: "ow", engine.Suspended: "o",
}

// ParseEvent reads what FormatEvent wrote: an `=` line without the sign. What
// it takes is written the same again. The error is a *SyntaxError without a line.
func ParseEvent(line string) (engine.Event, error) {
	words, err := split(line)
	if err != nil {
		return engine.Event{}, err
	}
	var e engine.Event
	if len(words) < 2 {
		return e, syntax("expected an audience and what it was told")
	}
	if e.To, err = audience(words[0]); err != nil {
		return engine.Event{}, err
	}
	e.Kind = engine.Kind(words[1].text)
	form, known := parts[e.Kind]
	if !known {
		return engine.Event{}, syntax("unknown result %s", shown(words[1]))
	}
	rest := words[2:]
	if last := len(rest) - 1; e.Kind == engine.Told && last > 0 && rest[last].isOneOf("corrected") {
		e.Corrected, rest = true, rest[:last]
	}
	for _, part := range form {
		rest = read(&e, part, rest)
	}
	if FormatEvent(e) != line {
		return engine.Event{}, syntax("not a result: %s", shown(word{text: line}))
	}
	return e, nil
}

func audience(w word) (engine.Audience, error) {
	for _, a := range []engine.Audience{engine.All, engine.Nobody, engine.ToHost, engine.Audience(engine.Clock), engine.Audience(engine.Guest)} {
		if w.isOneOf(formatAudience(a)) {
			return a, nil
		}
	}
	seat, err := parseSeat(w, MaxSeats)
	return engine.Audience(seat), err
}

// read takes one part of an event off its words.
func read(e *engine.Event, part rune, words []word) (rest []word) {
	for len(words) > 0 {
		w := words[0]
		if !w.quoted {
			w.text = strings.TrimRight(w.text, ":,") // before and between fates
		}
		n, isNumber := number(w.text)
		isNumber = isNumber && !w.quoted
		verb := engine.Verb(w.text)
		switch {
		case part == 'o' && isNumber && e.Of == 0:
			e.Of = engine.Seat(n)
		case part == 'n' && isNumber && e.N == 0:
			e.N = n
		case part == 's' && isNumber:
			e.Seats = append(e.Seats, engine.Seat(n))
		case part == 'v' && e.Verb == "" && (len(speakers(verb)) > 0 || w.isOneOf(string(engine.ToldRole), string(engine.ToldAlly))):
			e.Verb = verb
		case part == 'w' && !w.quoted && (!isNumber || e.Kind == engine.Ruling): // whose choices may be seats
			e.Words = append(e.Words, w.text)
		case part == 't' && w.quoted:
			e.Text = w.text
		case part == 'm' && e.Moment.IsZero():
			e.Moment, _ = parseMoment(w.text)
		case part == 'c':
			seat, votes, _ := strings.Cut(w.text, ":")
			s, _ := number(seat)
			v, _ := number(votes)
			e.Tally = append(e.Tally, engine.Count{Seat: engine.Seat(s), Votes: v})
		case part == 'f' && isNumber && len(e.Fates) > 0:
			e.Fates[len(e.Fates)-1].Seat = engine.Seat(n)
		case part == 'f':
			e.Fates = append(e.Fates, engine.Fate{What: w.text})
		default:
			return words
		}
		words = words[1:]
	}
	return words
}
