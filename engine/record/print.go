package record

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/mafiabox/mafiabox/engine"
)

// Print writes a record with the results that each line leads to, and with the
// offers that it changes when they are asked for; then, as comments, how the
// game stands at the end. What it writes is itself a record whose checks hold.
func Print(w io.Writer, r *Record, offers bool) error {
	out := bufio.NewWriter(w)
	fmt.Fprint(out, FormatHeader(r.Header))
	known := make(map[engine.Actor][]string)
	var last Step
	for step := range Play(r) {
		if !step.Opening() {
			fmt.Fprintln(out, FormatAct(step.Line.Act))
		}
		printResults(out, step.results())
		if offers {
			for _, a := range actors(r.Seats) {
				now := step.offers(a)
				printResults(out, slices.DeleteFunc(slices.Clone(now), func(o string) bool { return slices.Contains(known[a], o) }))
				known[a] = now
			}
		}
		last = step
	}
	printEnd(out, r.Header, last)
	return out.Flush()
}

func printResults(w io.Writer, lines []string) {
	for _, line := range lines {
		fmt.Fprintln(w, "=", line)
	}
}

// printEnd says where a game stands: its phase, each seat, and who has won.
func printEnd(w io.Writer, h Header, last Step) {
	if last.Err != nil {
		fmt.Fprintln(w, "# not begun:", last.Err)
		return
	}
	seen := last.Game.Seen(engine.ToHost)
	say := func(e engine.Event) {
		e.To = engine.All
		fmt.Fprintln(w, "#", FormatEvent(e))
	}
	if seen.Phase.Name != "" {
		say(engine.Event{Kind: engine.PhaseIs, Words: []string{seen.Phase.Name}, N: seen.Phase.N})
	}
	if seen.Stopped {
		say(engine.Event{Kind: engine.Stopped, Text: seen.Reason})
	}
	if len(seen.Ruling) > 0 {
		say(engine.Event{Kind: engine.Ruling, Words: seen.Ruling})
	}
	roles := last.Game.Setup().Roles
	for _, s := range seen.Seats {
		line := fmt.Sprintf("# %d %s", s.Seat, roles[s.Seat-1])
		if name := h.Name(s.Seat); name != formatSeat(s.Seat) {
			line += " " + quote(name)
		}
		if s.Out {
			line += ", out: " + s.Cause
		}
		fmt.Fprintln(w, line)
	}
	switch {
	case seen.Winner != "":
		say(engine.Event{Kind: engine.Win, Words: []string{string(seen.Winner)}})
	case seen.Drawn:
		say(engine.Event{Kind: engine.Draw})
	}
}

// Write writes the record of a game as it was played: each of its acts with its
// results, all that were accepted, as the game itself does not keep every post.
// Of the header only what the game itself does not know is taken: date, table,
// host, box, and names where the rules read none. Every option is written, also where it has its default,
// so that the record replays the same when a later version has other defaults.
func Write(w io.Writer, h Header, g engine.Game, played []engine.Entry) error {
	out := bufio.NewWriter(w)
	fmt.Fprint(out, FormatHeader(fixed(h, g)))
	printEvents(out, g.Opening())
	// A record counts its own lines, while a game may have given numbers to
	// acts that it refused.
	numbers := make(map[int]int)
	for i, entry := range played {
		numbers[entry.Act.No] = i + 1
		act := entry.Act
		act.N = numbers[act.N]
		fmt.Fprintln(out, FormatAct(act))
		printEvents(out, entry.Events)
	}
	return out.Flush()
}

func printEvents(w io.Writer, events []engine.Event) {
	printResults(w, Step{Events: events}.results())
}

// fixed is a header with what was fixed when the game began.
func fixed(h Header, g engine.Game) Header {
	setup := g.Setup()
	h.Rules, h.Seats, h.Start = g.Rules(), setup.Seats, setup.Start
	h.Roles, h.Cast, h.Dealt = setup.Roles, nil, false
	if setup.Names != nil {
		h.Names = setup.Names
	}
	h.Options = nil
	for _, o := range h.Rules.Options() {
		h.Options = append(h.Options, Setting{o.Name, setup.Options[o.Name]})
	}
	h.Draws = nil
	for name, value := range setup.Draws {
		h.Draws = append(h.Draws, Setting{name, value})
	}
	slices.SortFunc(h.Draws, func(a, b Setting) int { return cmp.Compare(a.Name, b.Name) })
	return h
}
