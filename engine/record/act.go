package record

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mafiabox/mafiabox/engine"
)

// ParseAct reads one act of a game of that many seats, with when and by what it
// was entered when that is there. The error is a *SyntaxError without a line.
func ParseAct(line string, seats int) (engine.Act, error) {
	words, err := split(line)
	if err != nil {
		return engine.Act{}, err
	}
	return parseAct(words, seats)
}

func parseAct(words []word, seats int) (a engine.Act, err error) {
	if words, err = stamp(&a, words); err != nil {
		return engine.Act{}, err
	}
	by, said, err := actor(&a, words, seats)
	if err != nil {
		return engine.Act{}, err
	}
	who := words[:len(words)-len(said)]
	if len(said) == 0 {
		return engine.Act{}, syntax("expected a verb after %s", join(who))
	}
	form, err := verb(by, said[0])
	if err != nil {
		return engine.Act{}, err
	}
	a.Verb = form.verb
	if err := form.arguments(&a, said[1:], seats); err == errUnfit {
		usage := append(who[:len(who):len(who)], said[0], word{text: form.usage()})
		return engine.Act{}, syntax("expected: %s", strings.TrimSpace(join(usage)))
	} else if err != nil {
		return engine.Act{}, err
	}
	return a, nil
}

// stamp takes the moment and the source off the end of an act.
func stamp(a *engine.Act, words []word) ([]word, error) {
	i := slices.IndexFunc(words, func(w word) bool { return !w.quoted && strings.HasPrefix(w.text, "@") })
	if i < 0 {
		return words, nil
	}
	at, err := parseMoment(words[i].text[1:])
	if err != nil {
		return nil, err
	}
	a.At = at
	switch source := words[i+1:]; {
	case len(source) == 0:
	case len(source) == 1 && source[0].isOneOf("phone", "host", "button", "box"):
		a.Via = engine.Source(source[0].text)
	default:
		return nil, syntax("expected phone, host, button or box at the end, not %s", shown(source[0]))
	}
	return words[:i], nil
}

// actor reads who does an act and for whom. It gives whose verbs they are, and
// the words from the verb on.
func actor(a *engine.Act, words []word, seats int) (by speaker, said []word, err error) {
	if len(words) == 0 {
		return "", nil, syntax("expected an act")
	}
	switch who := words[0]; {
	case who.isOneOf("clock"): // its only verb is its name
		a.By = engine.Clock
		return clock, words, nil
	case who.isOneOf("guest"):
		a.By = engine.Guest
		return guest, words[1:], nil
	case who.isOneOf("host"):
		a.By, by = engine.Host, host
	default:
		s, err := parseSeat(who, seats)
		if err == errNotSeat {
			err = syntax("expected a seat's number, host, clock or guest, not %s", shown(who))
		}
		a.By = engine.Actor(s)
		return seat, words[1:], err
	}
	if len(words) == 1 || !words[1].isOneOf("for", "correct") {
		return host, words[1:], nil
	}
	if len(words) == 2 {
		return "", nil, syntax("expected: %s SEAT and an act of that seat", join(words))
	}
	a.Mends = words[1].text == "correct"
	a.For, err = parseSeat(words[2], seats)
	return seat, words[3:], err
}

// verb reads a verb that the speaker may say.
func verb(by speaker, w word) (form, error) {
	if w.quoted {
		return form{}, syntax("expected a verb, not the text %s", shown(w))
	}
	f, ok := formOf(by, engine.Verb(w.text))
	if ok {
		return f, nil
	}
	if others := speakers(engine.Verb(w.text)); len(others) > 0 {
		return form{}, syntax("%q comes after %s, not after %s", w.text, strings.Join(others, "|"), by)
	}
	return form{}, syntax("unknown verb %s: after %s comes %s", shown(w), by, strings.Join(verbs(by), "|"))
}

// errUnfit: too few words, too many, or others than the form has.
var errUnfit = syntax("unfit arguments")

// arguments reads what follows the verb.
func (f form) arguments(a *engine.Act, words []word, seats int) error {
	if f.text {
		last := len(words) - 1
		if last < 0 || !words[last].quoted {
			return errUnfit
		}
		a.Text, words = words[last].text, words[:last]
	}
	fewest, most := f.fewest, f.most
	if last := len(words) - 1; last >= 0 && f.word.matches(words[last]) {
		f.give(a, words[last].text)
		words = words[:last]
		if f.word.place == instead {
			fewest, most = 0, 0
		}
	} else if f.word.place == must {
		return errUnfit
	}
	if len(words) < fewest || len(words) > most {
		return errUnfit
	}
	for i, w := range words {
		if f.verb == engine.Votes && i == 0 {
			var ok bool
			if w.text, ok = strings.CutSuffix(w.text, ":"); !ok {
				return errUnfit
			}
		}
		s, err := parseSeat(w, seats)
		if err == errNotSeat {
			return errUnfit
		}
		if err != nil {
			return err
		}
		a.Seats = append(a.Seats, s)
	}
	return nil
}

// give puts the argument that stands after the seats where an act keeps it.
func (f form) give(a *engine.Act, arg string) {
	switch f.verb {
	case engine.Undo:
		a.N, _ = number(arg)
	case engine.Advance:
		a.Moment, _ = parseMoment(arg)
	default:
		a.Word = arg
	}
}

// FormatAct writes an act as the line of a record that ParseAct reads back. How
// it was entered is written when the act knows the moment.
func FormatAct(a engine.Act) string {
	var words []string
	if a.By != engine.Clock { // whose only verb is its name
		words = append(words, formatActor(a.By))
	}
	if a.For != 0 {
		entered := "for"
		if a.Mends {
			entered = "correct"
		}
		words = append(words, entered, formatSeat(a.For))
	}
	words = append(words, string(a.Verb))
	for i, s := range a.Seats {
		word := formatSeat(s)
		if a.Verb == engine.Votes && i == 0 {
			word += ":"
		}
		words = append(words, word)
	}
	if a.N != 0 {
		words = append(words, strconv.Itoa(a.N))
	}
	if !a.Moment.IsZero() {
		words = append(words, formatMoment(a.Moment))
	}
	if a.Word != "" {
		words = append(words, a.Word)
	}
	if f, _ := formOf(speakerOf(a.Subject()), a.Verb); f.text || a.Text != "" {
		words = append(words, quote(a.Text))
	}
	if !a.At.IsZero() {
		words = append(words, "@"+formatMoment(a.At))
		if a.Via != "" {
			words = append(words, string(a.Via))
		}
	}
	return strings.Join(words, " ")
}
