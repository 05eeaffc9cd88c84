package rehearsal

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/mafiabox/mafiabox/server"
)

// What a table bears with patience, in milliseconds.
const (
	slowPhase = 2000 // until the last phone shows a new phase, nineteen times of twenty
	slowTap   = 1500 // until a tap is answered
)

// Fails tells whether something happened that must not.
func (r *Report) Fails() bool {
	return r.Lost+r.Refused+r.Spare+r.Silent+r.Unread > 0 || r.games() == 0
}

// slow tells whether the box was slower than people bear.
func (r *Report) slow() bool {
	return r.Behind > 0 || r.Phase.P95 > slowPhase || r.Tap.P95 > slowTap
}

func (r *Report) games() (n int) {
	for _, t := range r.Tables {
		n += t.Games
	}
	return n
}

func (r *Report) phones() (n int) {
	for _, t := range r.Tables {
		n += t.Phones
	}
	return n
}

func (r *Report) filled() (n int) {
	for _, t := range r.Tables {
		n += t.Filled
	}
	return n
}

// Verdict is what a club wants to know, in plain words.
func (r *Report) Verdict(t server.Texts) string {
	var all []string
	tell := func(key string, args ...any) { all = append(all, t.T(key, args...)) }
	many := func(key string, n int, args ...any) {
		if n > 0 {
			tell(key, append(args, "N", n)...)
		}
	}
	tell("rehearsal.who", "Phones", r.phones(), "Tables", len(r.Tables))
	if r.games() == 0 {
		tell("rehearsal.none")
		return strings.Join(all, " ")
	}
	switch lost, refused := r.Lost+r.Silent+r.Spare > 0, r.Refused > 0; {
	case !lost && !refused:
		tell("rehearsal.good")
	case !lost:
		tell("rehearsal.kept")
	}
	many("rehearsal.filled", r.filled())
	many("rehearsal.lost", r.Lost)
	many("rehearsal.spare", r.Spare)
	many("rehearsal.silent", r.Silent, "Seconds", lostAfter.Seconds())
	many("rehearsal.refused", r.Refused)
	many("rehearsal.unread", r.Unread)
	if r.Phase.N > 0 {
		tell("rehearsal.phase", "Median", seconds(t, r.Phase.Median), "Worst", seconds(t, r.Phase.Worst))
	}
	many("rehearsal.behind", r.Behind, "Seconds", pageShows.Seconds())
	switch {
	case r.Broken != "" && !r.Fails():
		tell("rehearsal.broken")
	case r.Lost+r.Spare+r.Unread > 0:
		tell("rehearsal.never")
	case r.Silent > 0:
		tell("rehearsal.not")
	case r.Refused > 0:
		tell("rehearsal.wrong")
	case r.slow():
		tell("rehearsal.slow", "Median", seconds(t, r.Tap.Median), "Worst", seconds(t, r.Tap.Worst))
	default:
		tell("rehearsal.bears")
	}
	many("rehearsal.streams", r.Streams)
	if r.Shared {
		many("rehearsal.waited.shared", r.Waited)
	} else {
		many("rehearsal.waited", r.Waited)
	}
	return strings.Join(all, " ")
}

// Write writes the report for a person to read. What went wrong one by one is
// in English: it is for whoever mends the program.
func (r *Report) Write(w io.Writer, t server.Texts) {
	for _, f := range r.Findings {
		fmt.Fprintf(w, "- %s\n", f)
	}
	if len(r.Findings) > 0 {
		fmt.Fprintln(w)
	}
	line := func(key string, args ...any) { fmt.Fprintln(w, t.T(key, args...)) }
	for _, at := range r.Tables {
		line("rehearsal.table", "ID", at.ID, "Rules", t.T("rules."+at.Rules), "Phones", at.Phones, "Filled", at.Filled, "Games", at.Games, "Cut", at.Cut)
	}
	line("rehearsal.acts", "Sent", r.Sent, "Accepted", r.Accepted, "Overtaken", r.Overtaken)
	line("rehearsal.faults", "Lost", r.Lost, "Refused", r.Refused, "Spare", r.Spare, "Silent", r.Silent)
	line("rehearsal.phones", "Naps", r.Naps, "Cut", r.Cut, "Repeated", r.Repeated, "Streams", r.Streams)
	times := func(key string, took Times) {
		line(key, "Median", whole(took.Median), "Most", whole(took.P95), "Worst", whole(took.Worst), "Of", took.N)
	}
	times("rehearsal.step", r.Phase)
	times("rehearsal.tap", r.Tap)
	line("rehearsal.seed", "Seed", r.Seed, "Seconds", whole(r.Seconds), "Pace", r.Pace.Name)
	fmt.Fprintf(w, "\n%s\n", r.Verdict(t))
}

func whole(n float64) string { return strconv.FormatFloat(n, 'f', 0, 64) }

// seconds are milliseconds as people say them.
func seconds(t server.Texts, ms float64) string {
	if ms < 50 {
		return t.T("rehearsal.instant")
	}
	text := strconv.FormatFloat(ms/1000, 'f', 1, 64)
	return t.T("rehearsal.seconds", "Seconds", strings.Replace(text, ".", t.T("rehearsal.point"), 1))
}
