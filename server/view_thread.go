package server

import (
	"slices"
	"strings"
	"time"

	"github.com/mafiabox/mafiabox/engine"
)

// threadView is a page of a table's thread: the same for everybody, but for the
// form under it.
type threadView struct {
	view
	Page, Pages int
	Zone        string     // in which its times are
	Opening     threadLine // what the beginning has told
	Lines       []threadLine
	Write       postView
	Seated      bool
	Host        bool
}

// threadLine is a post, a small line for a vote that was tapped, or what
// everybody was told.
type threadLine struct {
	words
	Post    int
	Unread  bool // the first that this device has not read
	By      *seatView
	When    string
	Text    string
	Counted string // what its vote counted as
	Tap     string
	Told    []toldView
}

// toldView is one announcement.
type toldView struct {
	Text  string
	Phase bool // a phase begins
}

// lines are those of one entry: a post, votes that were tapped, what followed.
func (w words) lines(e threadEntry, seats []seatView, zone *time.Location) (lines []threadLine) {
	line := threadLine{words: w, Post: e.Post, Text: e.Act.Text, When: w.when(e.Act.At, zone)}
	if e.Away != (away{}) {
		text := w.T("thread.away", "From", w.moment(e.Away.From.In(zone)), "To", w.moment(e.Away.To.In(zone)))
		return []threadLine{{words: w, Told: []toldView{{Text: text}}}}
	}
	by := e.Act.Subject().Seat()
	if by > 0 && int(by) <= len(seats) {
		line.By = &seats[by-1]
	}
	own, rest := parted(e, by)
	line.Counted = w.counted(own, seats)
	if e.Post == 0 {
		line.Tap = w.tapped(own, seats)
	}
	if e.Post > 0 || line.Tap != "" {
		lines = append(lines, line)
	}
	if told := w.toldAll(rest, seats, zone); len(told) > 0 {
		lines = append(lines, threadLine{words: w, When: line.When, Told: told})
	}
	return lines
}

// when is the time of an entry.
func (w words) when(at time.Time, zone *time.Location) string {
	if at.IsZero() {
		return w.T("thread.notime")
	}
	return w.moment(at.In(zone))
}

// parted are the votes and locks of an entry, of a post its author's, and the
// rest of what it led to. Votes after an announcement are of the next round.
func parted(e threadEntry, by engine.Seat) (own, rest []engine.Event) {
	for i, told := range e.Events {
		if turns(threadEntry{Events: e.Events[:i+1]}) || !ballot(told) || e.Post > 0 && told.Of != by {
			rest = append(rest, told)
		} else {
			own = append(own, told)
		}
	}
	return own, rest
}

// tapped says who has voted, and how.
func (w words) tapped(events []engine.Event, seats []seatView) string {
	var parts []string
	for len(events) > 0 {
		n := slices.IndexFunc(events, func(e engine.Event) bool { return e.Of != events[0].Of })
		if n < 0 {
			n = len(events)
		}
		parts = append(parts, w.T("thread.by", "Who", who(seats, events[0].Of), "What", w.counted(events[:n], seats)))
		events = events[n:]
	}
	return strings.Join(parts, "; ")
}

// counted is what a vote counted as, with its lock.
func (w words) counted(events []engine.Event, seats []seatView) string {
	var parts []string
	for _, e := range events {
		switch {
		case e.Kind == engine.Voted && len(e.Seats) > 0:
			parts = append(parts, w.T("thread.vote", "Seats", names(seats, e.Seats)))
		case e.Kind == engine.Voted:
			parts = append(parts, w.T("thread.null"))
		case e.Kind == engine.Chose && e.Verb == engine.Lock:
			parts = append(parts, w.T("thread.lock"))
		case e.Kind == engine.Chose && e.Verb == engine.Unlock:
			parts = append(parts, w.T("thread.unlock"))
		}
	}
	return strings.Join(parts, ", ")
}

// toldAll is what everybody was told, in words.
func (w words) toldAll(events []engine.Event, seats []seatView, zone *time.Location) (told []toldView) {
	for _, e := range events {
		text := ""
		switch {
		case e.To != engine.All, e.Kind == engine.Owed, e.Kind == engine.Offered:
			continue
		case e.Kind == engine.Closes:
			text = w.T("thread.closes", "When", w.moment(e.Moment.In(zone)))
		case e.Kind == engine.Chose && e.Verb == engine.Extend:
			text = w.T("thread.weekend")
		case e.Kind == engine.Voted, e.Kind == engine.Chose:
			text = w.T("thread.by", "Who", who(seats, e.Of), "What", w.counted([]engine.Event{e}, seats))
		case e.Kind == engine.Tallied && len(e.Tally) == 0:
			text = w.T("thread.tally.none")
		default:
			text = w.event(e, seats)
		}
		told = append(told, toldView{text, e.Kind == engine.PhaseIs})
	}
	return told
}

// pageOfPost is the page on which a post stands.
func pageOfPost(post int) int { return (max(1, post)-1)/postsOnPage + 1 }

// Before and After are the pages beside this one.
func (p threadView) Before() int { return max(1, p.Page-1) }
func (p threadView) After() int  { return min(p.Pages, p.Page+1) }

// postView is the form for a post, and what the box has to say of its text.
type postView struct {
	words
	Table, Key, Of string
	Me             *seatView // nil: a guest writes
	Shut           string    // why there is no form
	Text           string
	Late           bool // the text came after its round, and is not in the thread
	Max            int  // its longest, in bytes
	Error          string
	Reads          *readingView // what the text would count as; nil: nothing to show
}

// readingView is what a post would count as, before it is posted.
type readingView struct {
	Sure    string     // stands for exactly this reading of exactly this text
	Counts  []string   // the vote and its lock
	Problem string     // why it counts as no vote
	Asks    bool       // it is not sure who is meant
	Seats   []seatView // who may be
	Moved   bool       // the round has changed since it was shown
	Nothing bool       // it holds no vote now
}

// reading puts into words what a post would count as.
func (w words) reading(read []engine.Event, seats []seatView) *readingView {
	v := &readingView{Nothing: len(read) == 0}
	for _, e := range read {
		switch e.Kind {
		case engine.Asked:
			v.Asks = true
			for _, s := range e.Seats {
				v.Seats = append(v.Seats, seats[s-1])
			}
		case engine.Refused:
			v.Problem = w.TOr("reading."+e.Words[0], w.T("refused."+e.Words[0]))
		default:
			v.Counts = append(v.Counts, w.counted([]engine.Event{e}, seats))
		}
	}
	return v
}

// mayMean tells whether a question asks about that seat.
func mayMean(read []engine.Event, seat engine.Seat) bool {
	return slices.ContainsFunc(read, func(e engine.Event) bool { return e.Kind == engine.Asked && slices.Contains(e.Seats, seat) })
}
