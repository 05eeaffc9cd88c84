package record

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mafiabox/mafiabox/engine"
)

// kinds are all that a result may say.
var kinds = []engine.Kind{
	engine.Told, engine.PhaseIs, engine.Voted, engine.Asked, engine.Owed, engine.Stopped, engine.Resumed,
	engine.Candidates, engine.Tallied, engine.Tie, engine.AskAll, engine.Out, engine.Stay, engine.Void,
	engine.Missed, engine.Warned, engine.Muted, engine.Fouls, engine.Decision, engine.Ruling, engine.Refused,
	engine.Chose, engine.Nominated, engine.Speaks, engine.Closes, engine.Offered, engine.Trace, engine.Win,
	engine.Draw, engine.RoleIs, engine.Suspended,
}

// counts are the kinds whose number is said even when it is zero.
var counts = []engine.Kind{engine.PhaseIs, engine.Owed, engine.Speaks, engine.Missed, engine.Warned, engine.Fouls}

// texts are the kinds whose text is said even when it is empty.
var texts = []engine.Kind{engine.Stopped, engine.Decision}

// FormatEvent writes an event as an `=` line, without the sign: "all out 5 night".
func FormatEvent(e engine.Event) string {
	words := []string{formatAudience(e.To), string(e.Kind)}
	add := func(s string) { words = append(words, s) }
	if e.Of != 0 {
		add(formatSeat(e.Of))
	}
	if e.Verb != "" {
		add(string(e.Verb))
	}
	for _, s := range e.Seats {
		add(formatSeat(s))
	}
	words = append(words, e.Words...)
	for _, c := range e.Tally {
		add(formatSeat(c.Seat) + ":" + strconv.Itoa(c.Votes))
	}
	if e.N != 0 || slices.Contains(counts, e.Kind) && !slices.Equal(e.Words, []string{engine.Ended}) {
		add(strconv.Itoa(e.N))
	}
	if !e.Moment.IsZero() {
		add(formatMoment(e.Moment))
	}
	if e.Text != "" || slices.Contains(texts, e.Kind) {
		add(quote(e.Text))
	}
	line := strings.Join(words, " ")
	if len(e.Fates) > 0 {
		line += ": " + formatFates(e.Fates)
	}
	if e.Corrected {
		line += " corrected"
	}
	return line
}

// formatFates writes what became of an act: "swapped 6, protected".
func formatFates(fates []engine.Fate) string {
	var parts []string
	for _, f := range fates {
		part := f.What
		if f.Seat != 0 {
			part += " " + formatSeat(f.Seat)
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ", ")
}

func formatAudience(a engine.Audience) string {
	switch a {
	case engine.All:
		return "all"
	case engine.Nobody:
		return "nobody"
	}
	return formatActor(engine.Actor(a))
}

// FormatOffer writes an offer as an `=` line, without the sign: the verb, how
// many seats to name at least and at most, which seats, and which words may be
// said: "3 offer heal 1 1 4 5 6".
func FormatOffer(to engine.Actor, o engine.Offer) string {
	words := []string{formatActor(to), string(engine.Offered), string(o.Verb), strconv.Itoa(o.Min), strconv.Itoa(o.Max)}
	for _, s := range o.Seats {
		words = append(words, formatSeat(s))
	}
	return strings.Join(append(words, o.Words...), " ")
}
