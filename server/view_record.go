package server

import (
	"fmt"
	"slices"

	"github.com/mafiabox/mafiabox/engine"
)

// The private log of a whole game: every act with what it led to, by round, seat
// and kind. Letters are not in it: nobody else was to read them, and what was
// posted fills books.

// logView is the log, or what was chosen of it.
type logView struct {
	Rounds  []choiceView
	Kinds   []choiceView
	Seats   []seatView
	Chosen  logChoice
	Parts   []logPart
	Total   int // acts in the whole log
	Shown   int
	Appeals []appealView
}

// logChoice is what is to be seen; empty: everything.
type logChoice struct {
	Round string
	Kind  string
	Seat  engine.Seat
}

// logPart is a day or a night.
type logPart struct {
	Heading string
	Lines   []logLine
}

// logLine is an act of the log.
type logLine struct {
	No      int
	At      string // the time of day, where it is known
	Via     string // by what it was entered, and for whom
	Text    string
	Results []logResult
	Void    string // why it counts no more
}

// logResult is what an act led to, and who was told.
type logResult struct{ To, Text string }

var logKinds = []string{"night", "vote", "day", "conduct", "mend", "note", "step"}

// logKind is to which kind of the log an act belongs.
func logKind(a engine.Act) string {
	switch v := a.Verb; {
	case a.Mends, v == engine.Undo, v == engine.Replay, v == engine.Decide, v == engine.Rule:
		return "mend"
	case v == engine.Note, v == engine.Appeal, v == engine.Stop, v == engine.Resume:
		return "note"
	case v.Conduct(), v == engine.Suspend:
		return "conduct"
	case ofNight(v), v == engine.BestMove:
		return "night"
	case a.Subject() != engine.Host && v == engine.Vote, v == engine.Votes, v == engine.Raise, v == engine.Lock, v == engine.Unlock, v == engine.Nominate, v == engine.Withdraw:
		return "vote"
	case v == engine.Speech, v == engine.Pass, v == engine.Post, v == engine.Extension:
		return "day"
	}
	return "step"
}

// ofKind tells whether an act belongs to a kind of the log. A correction belongs
// to that of what it corrects, too: else what stands would be missing there.
func ofKind(a engine.Act, kind string) bool {
	is := logKind(a)
	a.Mends = false
	return kind == "" || is == kind || logKind(a) == kind
}

// struckBy is the act that took another back or started its round again, if one did.
func struckBy(log []engine.Entry, i int, stands map[int]bool) (by engine.Act) {
	no := log[i].Act.No
	for _, later := range log[i+1:] {
		switch a := later.Act; {
		case a.Verb == engine.Undo && a.N == no:
			return a
		case by.No > 0:
		case a.Verb == engine.Undo && a.N < no, a.Verb == engine.Replay && stands[a.No]: // with what it took back
			by = a
		}
	}
	return by
}

// roundOf names the day or the night of a phase.
func roundOf(p engine.Phase) engine.Phase {
	switch p.Name {
	case "", engine.Ended:
	case engine.Nights, engine.Closed:
		p.Name = engine.Nights
	default:
		p.Name = engine.Day
	}
	return p
}

// about tells whether an act or what it led to is about a seat.
func about(entry engine.Entry, seat engine.Seat) bool {
	if entry.Act.Subject().Seat() == seat || slices.Contains(entry.Act.Seats, seat) {
		return true
	}
	return slices.ContainsFunc(entry.Events, func(e engine.Event) bool {
		return e.Kind != engine.Owed && (e.Of == seat || e.To == engine.Audience(seat))
	})
}

// logOf is the log of a game.
func (w words) logOf(g engine.Game, seats []seatView, chosen logChoice) *logView {
	v := &logView{Seats: seats, Chosen: chosen, Appeals: appeals(g, seats)}
	for _, kind := range logKinds {
		v.Kinds = append(v.Kinds, choiceView{kind, w.T("log.kind." + kind)})
	}
	stands, replaced := g.Stands(), g.Replaced()
	phase := phaseAfter(engine.Phase{}, g.Opening())
	log := g.Log()
	for i, entry := range log {
		a := entry.Act
		at := roundOf(phase)
		if phase = phaseAfter(phase, entry.Events); roundOf(phase) != at && opens(a.Verb) {
			at = roundOf(phase) // what opens a night stands in it
		}
		if a.Verb == engine.Whisper || a.Verb == engine.Advance && len(entry.Events) == 0 {
			continue
		}
		v.Total++
		id := fmt.Sprint(at.Name, "-", at.N)
		heading := w.phase(at)
		if at.Name == "" || at.Name == engine.Ended {
			heading, id = w.T("log.round."+at.Name), "x"+at.Name
		}
		if !slices.ContainsFunc(v.Rounds, func(c choiceView) bool { return c.Value == id }) {
			v.Rounds = append(v.Rounds, choiceView{id, heading})
		}
		if chosen.Round != "" && chosen.Round != id || !ofKind(a, chosen.Kind) || chosen.Seat != 0 && !about(entry, chosen.Seat) {
			continue
		}
		v.Shown++
		if n := len(v.Parts); n == 0 || v.Parts[n-1].Heading != heading {
			v.Parts = append(v.Parts, logPart{Heading: heading})
		}
		part := &v.Parts[len(v.Parts)-1]
		line := w.logLine(entry, seats)
		if zone := g.Setup().Start; !a.At.IsZero() && !zone.IsZero() { // it lasts days
			line.At = w.moment(a.At.In(zone.Location()))
		}
		if by, corrected := replaced[a.No]; corrected {
			line.Void = w.T("log.replaced", "No", by)
		} else if !stands[a.No] {
			line.Void = w.T("page.void")
			switch by := struckBy(log, i, stands); by.Verb {
			case engine.Undo:
				line.Void = w.T("log.undone", "No", by.No)
			case engine.Replay:
				line.Void = w.T("log.replayed", "No", by.No)
			}
		}
		part.Lines = append(part.Lines, line)
	}
	return v
}

func opens(v engine.Verb) bool { return v == engine.Night || v == engine.Replay }

func phaseAfter(p engine.Phase, events []engine.Event) engine.Phase {
	for _, e := range events {
		if e.Kind == engine.PhaseIs {
			p = engine.Phase{Name: e.Words[0], N: e.N}
		}
	}
	return p
}

func (w words) logLine(entry engine.Entry, seats []seatView) logLine {
	a := entry.Act
	if a.Verb == engine.Post {
		a.Text = ""
	}
	if no, text := answersTo(a.Text); a.Verb == engine.Note && no > 0 {
		a.Text = w.T("appeal.answers", "No", no, "Text", text)
	}
	line := logLine{No: a.No, Text: w.act(a, seats)}
	if !a.At.IsZero() {
		line.At = a.At.Format("15:04:05")
	}
	if a.Via != "" {
		line.Via = w.T("via." + string(a.Via))
	}
	if a.For != 0 {
		line.Via = w.T("log.for", "Seat", a.For)
	}
	for _, e := range entry.Events {
		if e.Kind == engine.Owed {
			continue
		}
		r := logResult{To: w.T("log.to.host"), Text: w.event(e, seats)}
		switch {
		case e.To == engine.All:
			r.To = w.T("log.to.all")
		case e.To > 0:
			r.To = who(seats, engine.Seat(e.To))
		}
		line.Results = append(line.Results, r)
	}
	return line
}
