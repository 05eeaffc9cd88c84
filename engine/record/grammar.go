package record

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mafiabox/mafiabox/engine"
)

// form is a row of the grammar: how one sort of actor says a verb. It allows
// what any phase of any rule system allows; whether an act is allowed now, the
// game says.
type form struct {
	by           speaker
	verb         engine.Verb
	fewest, most int // seats
	word         argument
	text         bool
}

// speaker is a sort of actor, as messages show it.
type speaker string

const (
	seat  speaker = "SEAT"
	host  speaker = "host"
	clock speaker = "clock"
	guest speaker = "guest"
)

// argument is a word that stands after the seats of an act.
type argument struct {
	usage string // as a message shows it
	place place
	fits  func(string) bool
}

func (a argument) matches(w word) bool {
	return a.place != nowhere && !w.quoted && a.fits(w.text)
}

// place is where an argument stands.
type place int

const (
	nowhere place = iota
	may           // after the seats, or left out
	must          // after the seats
	instead       // in place of the seats, or left out
)

var (
	none      = argument{}
	null      = argument{"null", instead, oneOf("null")}
	technical = argument{"technical", may, oneOf("technical")}
	channel   = argument{"mafia|gang|out|host", must, oneOf("mafia", "gang", "out", "host")}
	extension = argument{"6h|weekend", must, isExtension}
	choice    = argument{"CHOICE", must, isChoice}
	actNumber = argument{"N", may, func(s string) bool { n, ok := number(s); return ok && n > 0 }}
	moment    = argument{"MOMENT", must, func(s string) bool { _, err := parseMoment(s); return err == nil }}
)

const (
	noText   = false
	withText = true
)

var grammar = []form{
	{host, engine.Night, 0, 0, none, noText},
	{host, engine.Close, 0, 0, none, noText},
	{host, engine.Dawn, 0, 0, none, noText},
	{host, engine.Speech, 0, 1, none, noText},
	{host, engine.Pass, 0, 0, none, noText},
	{host, engine.Vote, 0, 0, none, noText},
	{host, engine.Votes, 2, 1 + MaxSeats, none, noText}, // the candidate, then who voted for him
	{host, engine.Raise, 1, MaxSeats, none, noText},
	{host, engine.Hold, 0, 0, none, noText},
	{host, engine.Go, 0, 0, none, noText},
	{host, engine.Rule, 0, 0, choice, noText},
	{host, engine.Extend, 0, 0, extension, noText},

	{host, engine.Warn, 1, 1, none, withText},
	{host, engine.Foul, 1, 1, technical, noText},
	{host, engine.Disqualify, 1, 1, none, withText},
	{host, engine.Suspend, 1, 1, none, withText},
	{host, engine.Leave, 1, 1, none, noText},

	{host, engine.Stop, 0, 0, none, withText},
	{host, engine.Resume, 0, 0, none, noText},
	{host, engine.Decide, 0, 0, none, withText},
	{host, engine.Undo, 0, 0, actNumber, noText},
	{host, engine.Replay, 0, 0, none, withText},
	{host, engine.Note, 0, 0, none, withText},
	{host, engine.Appeal, 1, 1, none, withText},
	{host, engine.Whisper, 1, 1, none, withText},
	{host, engine.End, 0, 0, none, noText},

	{seat, engine.Nominate, 1, 1, none, noText},
	{seat, engine.Withdraw, 0, 0, none, noText},
	{seat, engine.Vote, 1, 1, null, noText},
	{seat, engine.Raise, 0, 0, none, noText},
	{seat, engine.Lock, 0, 0, none, noText},
	{seat, engine.Unlock, 0, 0, none, noText},
	{seat, engine.Extension, 0, 0, none, noText},
	{seat, engine.Post, 0, 0, none, withText},
	{seat, engine.Whisper, 0, 0, channel, withText},
	{seat, engine.BestMove, 1, 3, none, noText},

	{seat, engine.Shoot, 1, 1, none, noText},
	{seat, engine.Whack, 1, 1, none, noText},
	{seat, engine.Attack, 1, 1, none, noText},
	{seat, engine.Block, 1, 1, none, noText},
	{seat, engine.Cover, 1, 1, none, noText},
	{seat, engine.Swap, 2, 2, none, noText},
	{seat, engine.Heal, 1, 1, none, noText},
	{seat, engine.Check, 1, 2, none, noText},
	{seat, engine.Guess, 1, 1, none, noText},
	{seat, engine.Seek, 1, 1, none, noText},
	{seat, engine.Compare, 2, 2, none, noText},
	{seat, engine.Suspect, 1, 4, none, noText},
	{seat, engine.Wait, 0, 0, none, noText},

	{guest, engine.Post, 0, 0, none, withText},
	{clock, engine.Advance, 0, 0, moment, noText},
}

// formOf is how that speaker says a verb.
func formOf(by speaker, v engine.Verb) (form, bool) {
	i := slices.IndexFunc(grammar, func(f form) bool { return f.by == by && f.verb == v })
	if i < 0 {
		return form{}, false
	}
	return grammar[i], true
}

// verbs are what a speaker says, in the grammar's order.
func verbs(by speaker) (all []string) {
	for _, f := range grammar {
		if f.by == by {
			all = append(all, string(f.verb))
		}
	}
	return all
}

// speakers are those who may say a verb.
func speakers(v engine.Verb) (all []string) {
	for _, f := range grammar {
		if f.verb == v && f.by != clock {
			all = append(all, string(f.by))
		}
	}
	return all
}

// usage is how the arguments are written, for messages.
func (f form) usage() string {
	var words []string
	switch {
	case f.verb == engine.Votes:
		words = append(words, "SEAT:", "SEAT…")
	case f.most >= MaxSeats:
		words = append(words, "SEAT…")
	default:
		for i := range f.most {
			if i < f.fewest {
				words = append(words, "SEAT")
			} else {
				words = append(words, "[SEAT]")
			}
		}
	}
	switch f.word.place {
	case may:
		words = append(words, "["+f.word.usage+"]")
	case must:
		words = append(words, f.word.usage)
	case instead:
		words = []string{strings.Join(words, " ") + "|" + f.word.usage}
	}
	if f.text {
		words = append(words, `"TEXT"`)
	}
	return strings.Join(words, " ")
}

func oneOf(words ...string) func(string) bool {
	return func(s string) bool { return slices.Contains(words, s) }
}

// isExtension: whole hours, or the announcement about a weekend.
func isExtension(s string) bool {
	hours, ok := strings.CutSuffix(s, "h")
	n, isNumber := number(hours)
	return s == "weekend" || ok && isNumber && n > 0
}

// isChoice: any word that is not the beginning of when the act was entered.
func isChoice(s string) bool { return !strings.HasPrefix(s, "@") }

// number reads a number as people write it: figures only, no leading zero.
func number(s string) (n int, ok bool) {
	n, err := strconv.Atoi(s)
	return n, err == nil && n >= 0 && len(s) <= 9 && strconv.Itoa(n) == s
}

// parseMoment reads a moment. It never looks at the machine's own time zone,
// so a record reads the same everywhere.
func parseMoment(s string) (time.Time, error) {
	t, err := time.ParseInLocation(time.RFC3339Nano, s, time.UTC)
	if err != nil || t.IsZero() {
		return time.Time{}, syntax("expected a moment such as 2026-05-04T12:00:00-04:00, not %s", shown(word{text: s}))
	}
	return t, nil
}

func formatMoment(t time.Time) string { return t.Format(time.RFC3339Nano) }
