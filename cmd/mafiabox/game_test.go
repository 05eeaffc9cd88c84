package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mafiabox/mafiabox/engine/record"
	"github.com/mafiabox/mafiabox/engine/rulesets"
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
	lost    int // forms that got no answer
}

var roleLine = regexp.MustCompile(`(?m)^role \d+ (\w+)$`)

func (e *evening) deal() {
	e.Helper()
	e.host.post("/t/1/host/deal", form("by", "box"))
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
// meanwhile the plug may be pulled: who got no answer asks again with the same key.
func (e *evening) night(pull func(sending *sync.WaitGroup)) {
	e.Helper()
	living := e.living()
	var sending sync.WaitGroup
	type sent struct {
		seat  int
		picks []string
		key   string
		ok    bool
	}
	all := make([]*sent, len(living))
	for i, seat := range living {
		e.forms++
		s := &sent{seat: seat, picks: e.picks(seat, living), key: fmt.Sprint("night", e.forms)}
		all[i] = s
	}
	send := func(s *sent) error {
		status, body, err := e.players[s.seat-1].send("/t/1/night", form("p1", s.picks[0], "p2", s.picks[1], "key", s.key, "do", button(s.picks)))
		if err != nil {
			return err
		}
		if body != "" {
			e.Errorf("seat %d (%s), picks %v: %d\n%s", s.seat, e.roles[s.seat-1], s.picks, status, body)
		}
		s.ok = true
		return nil
	}
	for _, s := range all {
		sending.Go(func() { _ = send(s) })
	}
	pull(&sending)
	sending.Wait()
	for _, s := range all {
		if !s.ok {
			e.lost++
		}
		for try := 0; !s.ok && try < 3; try++ {
			_ = send(s)
		}
		if !s.ok {
			e.Fatalf("seat %d is never answered", s.seat)
		}
		if e.rng.IntN(3) == 0 { // a repeated act gets its first answer and counts once
			_ = send(s)
		}
	}
	e.last = make(map[string]bool)
	rec := e.host.record()
	tonight := rec[strings.LastIndex(rec, "host night"):]
	for _, s := range all {
		lines := regexp.MustCompile(fmt.Sprintf(`(?m)^%d \w+ .*$`, s.seat)).FindAllString(tonight, -1)
		var named []string
		for _, l := range lines {
			words, _, _ := strings.Cut(l, " @")
			named = append(named, strings.Fields(words)[2:]...)
			for _, target := range strings.Fields(words)[2:] {
				e.last[fmt.Sprint(s.seat, " ", target)] = true
			}
		}
		want := slices.DeleteFunc(slices.Clone(s.picks), func(p string) bool { return p == "0" })
		if !slices.Equal(named, want) {
			e.Errorf("seat %d (%s) sent %v and the record has %q", s.seat, e.roles[s.seat-1], s.picks, lines)
		}
	}
}

// button is what a form is sent with.
func button(picks []string) string {
	if picks[0] == "0" && picks[1] == "0" {
		return "none"
	}
	return "send"
}

// pages are what everybody sees.
func (e *evening) pages() (all []string) {
	for _, p := range e.players {
		all = append(all, p.page("/t/1"))
	}
	return append(all, e.host.page("/t/1/host"))
}

// again pulls the plug and starts the box anew: everybody finds the same page.
func (e *evening) again() {
	e.Helper()
	before, rec := e.pages(), e.host.record()
	e.b.kill()
	e.b.run()
	if now := e.host.record(); now != rec {
		e.Errorf("the record was\n%s\nand is\n%s", rec, now)
	}
	for i, page := range e.pages() {
		if page != before[i] {
			e.Errorf("page %d was\n%s\nand is\n%s", i+1, before[i], page)
		}
	}
}

// TestKilledTwentyTimes plays whole games with nine phones while the box is
// killed at twenty random moments: no acknowledged act is lost, none counts
// twice, and every page is where it was.
func TestKilledTwentyTimes(t *testing.T) {
	t.Parallel()
	kills := 20
	if os.Getenv("MAFIABOX_LONG") != "" {
		kills = 200
	}
	b := start(t)
	host, players := b.seated(9)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	e := &evening{T: t, b: b, host: host, players: players, rng: rand.New(rand.NewPCG(seed, 0))}
	killed, games := 0, 0
	calm := func(*sync.WaitGroup) {}
	pull := func(*sync.WaitGroup) {
		time.Sleep(time.Duration(e.rng.IntN(12000)) * time.Microsecond)
		b.kill()
		b.run()
		killed++
	}
	for killed < kills || games == 0 {
		e.deal()
		for !t.Failed() {
			e.host.step("night")
			if killed < kills {
				e.night(pull)
			} else {
				e.night(calm)
			}
			e.host.step("close")
			if killed < kills {
				e.again()
			}
			e.host.step("dawn")
			if e.over() {
				break
			}
			e.day()
			if e.over() {
				break
			}
		}
		if t.Failed() {
			t.FailNow()
		}
		games++
		rec, err := record.Parse([]byte(e.host.record()), rulesets.All)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range record.Verify(rec) {
			t.Errorf("the record of game %d does not replay: %s", games, m)
		}
		for _, p := range players {
			if page := p.page("/t/1"); !strings.Contains(page, "host") {
				t.Error("the story is not told")
			}
		}
		e.host.post("/t/1/host/next", form())
	}
	t.Logf("%d kills in %d games, %d forms were cut off", killed, games, e.lost)
	if e.lost == 0 {
		t.Error("no kill hit a form on its way")
	}
}

func (e *evening) over() bool { return strings.Contains(e.host.record(), "= all phase ended") }

// day is a nomination, and a vote by phones and by hands.
func (e *evening) day() {
	e.Helper()
	living := e.living()
	a, c := living[0], living[len(living)-1]
	e.players[a-1].post("/t/1/act", form("verb", "nominate", "seat", strconv.Itoa(c), "key", "nominate"+strconv.Itoa(e.forms)))
	e.players[c-1].post("/t/1/act", form("verb", "nominate", "seat", strconv.Itoa(a)))
	e.host.step("vote")
	e.players[a-1].post("/t/1/act", form("verb", "vote", "seat", strconv.Itoa(a)))
	hands := form("verb", "votes", "seat", strconv.Itoa(c))
	for _, s := range living {
		hands.Add("seat", strconv.Itoa(s))
	}
	e.host.post("/t/1/host/act", hands)
	e.host.step("close")
	if !strings.Contains(e.host.record(), fmt.Sprintf("= all tally %d:%d %d:0", c, len(living), a)) {
		e.Errorf("the tally is not %d for seat %d:\n%s", len(living), c, e.host.record())
	}
}
