package enginetest

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/record"
)

// told are the events that a viewer learns.
func told(events []engine.Event, viewer engine.Audience) (mine []engine.Event) {
	for _, e := range events {
		if e.To == engine.All || e.To == viewer {
			mine = append(mine, e)
		}
	}
	return mine
}

// sight is all that a viewer has of a game between two acts, and the screen.
type sight struct {
	mine, all engine.Seen
	offers    []engine.Offer
}

func look(g engine.Game, viewer engine.Audience) sight {
	s := sight{all: g.Seen(engine.All)}
	if viewer != engine.All {
		s.mine, s.offers = g.Seen(viewer), g.Offers(engine.Actor(viewer))
	}
	return s
}

// differs tells what of two sights is not the same.
func (s sight) differs(o sight) string {
	for _, part := range []struct {
		what string
		a, b any
	}{{"the screen shows", s.all, o.all}, {"the viewer sees", s.mine, o.mine}, {"the viewer is offered", s.offers, o.offers}} {
		if !reflect.DeepEqual(part.a, part.b) {
			return fmt.Sprintf("%s\n%+v\nor\n%+v", part.what, part.a, part.b)
		}
	}
	return ""
}

// verdict is what comparing one act in two games comes to.
type verdict int

const (
	same   verdict = iota
	parted         // the viewer learned something, as the rules would have it
	leaked
)

// judge compares what an act led to in two games that were the same to the
// viewer until then. They may part by an announcement, by an answer to what the
// viewer asked, by what his side confides to him, and by a ruling that the host is asked for: he knows the
// secrets that make it necessary, and everybody sees that the game waits.
// Whatever else differs is a leak: also the mere order of the same events, and
// anything that an announcement doesn't explain.
func judge(a, b []engine.Event, viewer engine.Audience, asked func() []engine.Verb) (verdict, string) {
	x, y := told(a, viewer), told(b, viewer)
	switch {
	case rulings(a) != rulings(b):
		return parted, ""
	case reflect.DeepEqual(x, y):
		return same, ""
	case !alike(x, y, announced), !alike(x, y, confided):
		return parted, ""
	}
	differ := func(what string) (verdict, string) {
		return leaked, fmt.Sprintf("%s: told are\n%s\nor\n%s", what, lines(x), lines(y))
	}
	if alike(x, y, answers) {
		return differ("with the same announcements and answers")
	}
	verbs := asked()
	for _, e := range slices.Concat(x, y) {
		if answers(e) && !slices.Contains(verbs, e.Verb) && len(like(x, e)) != len(like(y, e)) {
			return differ("an answer to what was not asked")
		}
	}
	rest := func(events []engine.Event) []engine.Event {
		return slices.DeleteFunc(slices.Clone(events), answers)
	}
	if !slices.EqualFunc(rest(x), rest(y), equal) {
		return differ("besides the answers")
	}
	return parted, ""
}

func announced(e engine.Event) bool { return engine.Announces([]engine.Event{e}) }

// confided tells whether the viewer learns who is with him, or what one of them writes.
func confided(e engine.Event) bool {
	return e.Kind == engine.Told && (e.Verb == engine.ToldAlly || e.Verb == engine.Whisper)
}

func answers(e engine.Event) bool {
	return e.Kind == engine.Told && e.Verb != engine.ToldRole && e.Verb != "" && !confided(e)
}

func rulings(events []engine.Event) (n int) {
	for _, e := range events {
		if e.Kind == engine.Ruling {
			n++
		}
	}
	return n
}

// alike tells whether two lists hold the same events of a kind, in any order:
// also within an event.
func alike(a, b []engine.Event, of func(engine.Event) bool) bool {
	n := 0
	for _, e := range a {
		if of(e) {
			n++
			if len(like(a, e)) != len(like(b, e)) {
				return false
			}
		}
	}
	for _, e := range b {
		if of(e) {
			n--
		}
	}
	return n == 0
}

func like(events []engine.Event, e engine.Event) (found []engine.Event) {
	key := sorted(e)
	for _, o := range events {
		if reflect.DeepEqual(sorted(o), key) {
			found = append(found, o)
		}
	}
	return found
}

// sorted is the event with what it lists in order.
func sorted(e engine.Event) engine.Event {
	e.Seats, e.Words, e.Tally = slices.Sorted(slices.Values(e.Seats)), slices.Sorted(slices.Values(e.Words)), slices.Clone(e.Tally)
	slices.SortFunc(e.Tally, func(a, b engine.Count) int { return int(a.Seat - b.Seat) })
	return e
}

func lines(events []engine.Event) string {
	var all []string
	for _, e := range events {
		all = append(all, record.FormatEvent(e))
	}
	return strings.Join(all, "\n")
}

func equal(a, b engine.Event) bool { return reflect.DeepEqual(a, b) }
