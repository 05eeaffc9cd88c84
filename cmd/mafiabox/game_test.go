package main

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// evening is a table at which a test plays: it knows the deal from the host's
// record and remembers what each seat named last.
type evening struct {
	*testing.T
	b       *box
	host    *client
	players []*client
	roles   []string
	last    map[string]bool // "seat target" of the last night
	rng     *rand.Rand
	forms   int
	plug    plug
	lost    int // forms that got no answer
}

var roleLine = regexp.MustCompile(`(?m)^role \d+ (\w+)$`)

func (e *evening) deal() {
	e.Helper()
	e.ask("deal", e.host, "/t/1/host/deal", form("by", "box"), "begin")
	e.roles = nil
	for _, m := range roleLine.FindAllStringSubmatch(e.host.record(), -1) {
		e.roles = append(e.roles, m[1])
	}
	if len(e.roles) != len(e.players) {
		e.Fatalf("%d roles dealt to %d", len(e.roles), len(e.players))
	}
	e.last = make(map[string]bool)
}

var outLine = regexp.MustCompile(`(?m)^= all out (\d+) `)

// living are the seats that the record doesn't have out.
func (e *evening) living() (seats []int) {
	rec := e.host.record()
	out := make(map[string]bool)
	for _, m := range outLine.FindAllStringSubmatch(rec, -1) {
		out[m[1]] = true
	}
	for i := range e.players {
		if !out[strconv.Itoa(i+1)] {
			seats = append(seats, i+1)
		}
	}
	return seats
}

func black(role string) bool { return role == "don" || role == "mafia" || role == "lawyer" }

// picks are two different seats that the rules let this one name tonight.
func (e *evening) picks(seat int, living []int) []string {
	var may []string
	for _, s := range living {
		if s != seat && !(black(e.roles[seat-1]) && black(e.roles[s-1])) && !e.last[fmt.Sprint(seat, " ", s)] {
			may = append(may, strconv.Itoa(s))
		}
	}
	e.rng.Shuffle(len(may), func(i, j int) { may[i], may[j] = may[j], may[i] })
	for len(may) < 2 {
		may = append(may, "0")
	}
	return may[:2]
}

// night lets everybody send the form at the same moment, as phones do, and
// meanwhile the plug may be pulled: what was answered is there then, and who got
// no answer asks again with the same key.
func (e *evening) night() {
	e.Helper()
	living := e.living()
	type sent struct {
		seat  int
		picks []string
		key   string
		ok    bool
	}
	all := make([]*sent, len(living))
	for i, seat := range living {
		e.forms++
		all[i] = &sent{seat: seat, picks: e.picks(seat, living), key: fmt.Sprint("night", e.forms)}
	}
	send := func(s *sent) {
		status, body, err := e.players[s.seat-1].send("/t/1/night", form("p1", s.picks[0], "p2", s.picks[1], "key", s.key, "do", button(s.picks)))
		if err == nil && body != "" {
			e.Errorf("seat %d (%s), picks %v: %d\n%s", s.seat, e.roles[s.seat-1], s.picks, status, body)
		}
		s.ok = s.ok || err == nil
	}
	check := func(s *sent, rec string) {
		e.Helper()
		want := slices.DeleteFunc(slices.Clone(s.picks), func(p string) bool { return p == "0" })
		if named := namedBy(s.seat, rec); !slices.Equal(named, want) {
			e.Errorf("seat %d (%s) sent %v and the record has %v", s.seat, e.roles[s.seat-1], s.picks, named)
		}
	}
	var sending sync.WaitGroup
	for _, s := range all {
		sending.Go(func() { send(s) })
	}
	if e.pulls("night form") {
		e.nap(12, 600) // before they are stored, or while they are answered
		e.b.kill()
		sending.Wait()
		e.b.run()
		rec := e.host.record()
		for _, s := range all {
			if s.ok {
				check(s, rec)
			} else {
				e.lost++
			}
		}
	}
	sending.Wait()
	e.last = make(map[string]bool)
	for _, s := range all {
		if !s.ok || e.rng.IntN(3) == 0 { // a repeated act gets its first answer and counts once
			send(s)
		}
		if !s.ok {
			e.Fatalf("seat %d is never answered", s.seat)
		}
	}
	rec := e.host.record()
	for _, s := range all {
		check(s, rec)
		for _, target := range s.picks {
			e.last[fmt.Sprint(s.seat, " ", target)] = true
		}
	}
}

// namedBy is whom the acts of a seat name in the record's last night.
func namedBy(seat int, rec string) (named []string) {
	tonight := rec[strings.LastIndex(rec, "host night"):]
	for _, line := range regexp.MustCompile(fmt.Sprintf(`(?m)^%d \w+ .*$`, seat)).FindAllString(tonight, -1) {
		words, _, _ := strings.Cut(line, " @")
		named = append(named, strings.Fields(words)[2:]...)
	}
	return named
}

// button is what a form is sent with.
func button(picks []string) string {
	if picks[0] == "0" && picks[1] == "0" {
		return "none"
	}
	return "send"
}

func (e *evening) over() bool { return strings.Contains(e.host.record(), "= all phase ended") }

// day is a nomination, a vote by phone that the host mends, and one by hands.
func (e *evening) day() {
	e.Helper()
	living := e.living()
	a, c := living[0], living[len(living)-1]
	as, cs := strconv.Itoa(a), strconv.Itoa(c)
	e.ask("nominate", e.players[a-1], "/t/1/act", form("verb", "nominate", "seat", cs), as+" nominate "+cs)
	e.ask("nominate", e.players[c-1], "/t/1/act", form("verb", "nominate", "seat", as), cs+" nominate "+as)
	e.step("vote")
	e.ask("ballot", e.players[a-1], "/t/1/act", form("verb", "vote", "seat", as), as+" vote "+as)
	e.ask("correct", e.host, "/t/1/host/act", form("verb", "vote", "for", as, "mends", "1", "seat", cs), "host correct "+as+" vote "+cs)
	e.ask("undo", e.host, "/t/1/host/act", form("verb", "undo"), "host undo")
	hands := form("verb", "votes", "seat", cs)
	for _, s := range living {
		hands.Add("seat", strconv.Itoa(s))
	}
	e.ask("hands", e.host, "/t/1/host/act", hands, "host votes "+cs+":")
	e.step("close")
	if !strings.Contains(e.host.record(), fmt.Sprintf("= all tally %d:%d %d:0", c, len(living), a)) {
		e.Errorf("the tally is not %d for seat %d:\n%s", len(living), c, e.host.record())
	}
}
