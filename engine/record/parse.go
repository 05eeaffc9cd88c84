package record

import (
	"errors"
	"slices"
	"strings"

	"github.com/mafiabox/mafiabox/engine"
)

// Parse reads a record of one of these rule systems. The error is a
// *SyntaxError.
func Parse(data []byte, rules []engine.Ruleset) (*Record, error) {
	if len(data) > MaxSize {
		return nil, syntax("larger than 16 MiB")
	}
	p := parser{rules: rules, record: &Record{}, said: make(map[string]bool)}
	text := strings.TrimPrefix(string(data), "\uFEFF") // some editors put it there
	for line := range strings.Lines(text) {
		p.number++
		line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		if err := p.line(line); err != nil {
			return nil, p.at(err)
		}
	}
	if !p.said["begin"] {
		p.number = max(p.number, 1)
		if !p.said["rules"] {
			return nil, p.at(errNoRules)
		}
		return nil, p.at(syntax(`the file ends before "begin"`))
	}
	return p.record, nil
}

type parser struct {
	rules  []engine.Ruleset
	record *Record
	number int             // of the line being read
	said   map[string]bool // the header lines so far
}

var errNoRules = syntax(`expected "rules" and the name of a rule system before anything else`)

// at is the error with the number of the line being read.
func (p *parser) at(err error) error {
	var e *SyntaxError
	errors.As(err, &e)
	return &SyntaxError{Line: p.number, Form: e.Form, Args: e.Args}
}

func (p *parser) line(line string) error {
	words, err := split(line)
	if err != nil || len(words) == 0 {
		return err
	}
	switch {
	case words[0].isOneOf("=", "!"):
		return p.check(words)
	case !p.said["begin"]:
		return p.header(words)
	}
	if late(words[0]) {
		return syntax("%q after begin: expected an act", words[0].text)
	}
	act, err := parseAct(words, p.record.Seats)
	if err != nil {
		return err
	}
	act.No = len(p.record.Lines) + 1
	p.record.Lines = append(p.record.Lines, Line{Number: p.number, Act: act})
	return nil
}

// late tells whether a word after begin can only be a header line's.
func late(w word) bool {
	_, is := headlines[w.text]
	return !w.quoted && (is && !w.isOneOf("host", "clock") || w.isOneOf("rules", "begin"))
}

func (p *parser) header(words []word) (err error) {
	name, args := words[0].text, words[1:]
	h := &p.record.Header
	known, ok := headlines[name]
	switch {
	case words[0].quoted:
		return syntax("expected a header line, not the text %s", shown(words[0]))
	case name != "rules" && !p.said["rules"]:
		return errNoRules
	case p.said[name] && !known.many:
		return syntax("a second line %q: expected one", name)
	case known.after != "" && !p.said[known.after]:
		return syntax("expected the line %q before %q", known.after, name)
	}
	if i := slices.IndexFunc(known.not, func(n string) bool { return p.said[n] }); i >= 0 {
		return syntax("%q beside %q: expected one or the other", name, known.not[i])
	}
	p.said[name] = true
	switch {
	case name == "rules":
		h.Rules, err = readRules(p.rules, args)
		return err
	case name == "begin":
		return p.begin(args)
	case !ok:
		return syntax("expected a header line or begin, not %s", shown(words[0]))
	}
	switch err = known.read(h, args); {
	case err == errUnfit && name == "host":
		return syntax(`expected: host "TEXT" (an act of the host comes after begin)`)
	case err == errUnfit || err == errNotSeat:
		return syntax("expected: %s", name+" "+known.usage)
	}
	return err
}

func (p *parser) begin(args []word) error {
	if len(args) > 0 {
		return syntax("expected nothing after begin")
	}
	if !p.said["seats"] {
		return syntax(`expected the line "seats" before "begin"`)
	}
	p.record.Begin = p.number
	return nil
}

// check reads an `=` or `!` line. Its kind has to be known: a misspelt one
// would be something that never happens.
func (p *parser) check(words []word) error {
	sign, words := words[0].text, words[1:]
	if !p.said["begin"] {
		return syntax("expected begin or an act above a check")
	}
	if len(words) == 0 {
		return syntax("expected all, host or a seat after %s", sign)
	}
	if !words[0].isOneOf("all", "host", "guest", "clock") {
		_, err := parseSeat(words[0], p.record.Seats)
		if err == errNotSeat {
			return syntax("expected all, host or a seat after %s, not %s", sign, shown(words[0]))
		}
		if err != nil {
			return err
		}
	}
	if len(words) > 1 && (words[1].quoted || !slices.Contains(kinds, engine.Kind(words[1].text))) {
		return syntax("unknown result %s", shown(words[1]))
	}
	for i, w := range words {
		if t, err := parseMoment(w.text); err == nil && !w.quoted {
			words[i].text = formatMoment(t) // +00:00 is Z
		}
	}
	check := Check{Number: p.number, Never: sign == "!", Words: join(words)}
	checks := &p.record.Checks
	if n := len(p.record.Lines); n > 0 {
		checks = &p.record.Lines[n-1].Checks
	}
	*checks = append(*checks, check)
	return nil
}
