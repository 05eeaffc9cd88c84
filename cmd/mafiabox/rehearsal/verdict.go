package rehearsal

import (
	"fmt"
	"io"
	"strconv"
	"strings"
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
func (r *Report) Verdict() string {
	who := fmt.Sprintf("%s at %s", count(r.phones(), "phone", "phones"), count(len(r.Tables), "table", "tables"))
	var all []string
	say := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	if r.games() == 0 {
		say("%s: no game came to its end, so nothing is known of this box.", capital(who))
		say("Look at what it says, mend that, and rehearse again.")
		return strings.Join(all, " ")
	}
	switch lost, refused := r.Lost+r.Silent+r.Spare > 0, r.Refused > 0; {
	case !lost && !refused:
		say("%s: nothing was lost, nothing refused.", capital(who))
	case !lost:
		say("%s: nothing was lost.", capital(who))
	default:
		say("%s.", capital(who))
	}
	if n := r.filled(); n > 0 {
		say("%s filled without %s, so of an evening with a phone at each it says little.", capital(count(n, "seat was", "seats were")), one(n, "a phone", "phones"))
	}
	if r.Lost > 0 {
		say("%s accepted and %s not in the record.", capital(count(r.Lost, "act was", "acts were")), one(r.Lost, "is", "are"))
	}
	if r.Spare > 0 {
		say("%s in the record and %s not sent, or not as often.", capital(count(r.Spare, "act is", "acts are")), one(r.Spare, "was", "were"))
	}
	if r.Silent > 0 {
		say("%s no answer within %s.", capital(count(r.Silent, "act got", "acts got")), lostAfter)
	}
	if r.Refused > 0 {
		say("%s refused though the page offered %s.", capital(count(r.Refused, "act was", "acts were")), one(r.Refused, "it", "them"))
	}
	if r.Unread > 0 {
		say("%s not replay to the same game.", capital(count(r.Unread, "record does", "records do")))
	}
	if r.Phase.N > 0 {
		say("From a step to the last phone: %s at the middle, %s at the worst.", seconds(r.Phase.Median), seconds(r.Phase.Worst))
	}
	if r.Behind > 0 {
		say("%s did not show a new phase within %s.", capital(count(r.Behind, "page", "pages")), pageShows)
	}
	switch {
	case r.Broken != "" && !r.Fails():
		say("But it was broken off before every game was over, so it says little of an evening.")
	case r.Lost+r.Spare+r.Unread > 0:
		say("This box must lead no evening: it does not keep what it has accepted. Look at its card and its power supply, and take another.")
	case r.Silent > 0:
		say("This box does not bear the evening: phones must not wait so long. Look at the Wi-Fi with mafiabox doctor, or play with fewer phones.")
	case r.Refused > 0:
		say("Something is wrong with the program: what is listed above is what its makers want to know.")
	case r.slow():
		say("This box bears the evening, but slowly: from a tap to its answer it took %s at the middle and %s at the worst. Try it with fewer tables, with the data folder on a faster card, or on a faster machine.", seconds(r.Tap.Median), seconds(r.Tap.Worst))
	default:
		say("This box bears the evening.")
	}
	if r.Streams > 0 {
		say("A page lost its connection %s and came back: unless the box was started anew meanwhile, look at the Wi-Fi.", count(r.Streams, "time", "times"))
	}
	if r.Waited > 0 {
		say("The box asked to wait %s: %s", count(r.Waited, "time", "times"), r.waits())
	}
	return strings.Join(all, " ")
}

// waits says what it means that the box asked to wait.
func (r *Report) waits() string {
	if r.Shared {
		return "all phones of this rehearsal have one address, which is one share of the box. Of an evening each phone has its own."
	}
	return "somebody asked faster than an address may."
}

// Write writes the report for a person to read.
func (r *Report) Write(w io.Writer) {
	for _, f := range r.Findings {
		fmt.Fprintf(w, "wrong: %s\n", f)
	}
	if len(r.Findings) > 0 {
		fmt.Fprintln(w)
	}
	for _, t := range r.Tables {
		fmt.Fprintf(w, "table %s, %s: %s, %s", t.ID, t.Rules, count(t.Phones, "phone", "phones"), count(t.Games, "game", "games"))
		if t.Filled > 0 {
			fmt.Fprintf(w, ", %s without a phone", count(t.Filled, "seat", "seats"))
		}
		if t.Cut > 0 {
			fmt.Fprintf(w, ", of which the host had to end %s", number(t.Cut))
		}
		fmt.Fprintln(w)
	}
	line := func(name, format string, args ...any) {
		fmt.Fprintf(w, "%-18s %s\n", name, fmt.Sprintf(format, args...))
	}
	line("acts", "%d sent, %d accepted, %d overtaken by the game", r.Sent, r.Accepted, r.Overtaken)
	line("wrong", "%d lost, %d refused, %d not sent, %d unanswered", r.Lost, r.Refused, r.Spare, r.Silent)
	line("phones", "%d times asleep, %d connections cut, %d forms sent twice, %d streams lost", r.Naps, r.Cut, r.Repeated, r.Streams)
	line("step → last phone", "%s", r.Phase)
	line("tap → answer", "%s", r.Tap)
	line("seed, time", "%d, %.0f s at the pace of a %s", r.Seed, r.Seconds, r.Pace.Name)
	fmt.Fprintf(w, "\n%s\n", r.Verdict())
}

func (t Times) String() string {
	return fmt.Sprintf("median %.0f ms, p95 %.0f ms, worst %.0f ms of %d", t.Median, t.P95, t.Worst, t.N)
}

var small = []string{"no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"}

// number is a count in words, where it is small.
func number(n int) string {
	if n < len(small) {
		return small[n]
	}
	return strconv.Itoa(n)
}

func count(n int, single, plural string) string { return number(n) + " " + one(n, single, plural) }

func one(n int, single, plural string) string {
	if n == 1 {
		return single
	}
	return plural
}

func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// seconds are milliseconds as people say them.
func seconds(ms float64) string {
	if ms < 50 {
		return "less than 0.1 s"
	}
	return strconv.FormatFloat(ms/1000, 'f', 1, 64) + " s"
}
