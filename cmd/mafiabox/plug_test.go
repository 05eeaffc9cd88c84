package main

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mafiabox/mafiabox/engine/record"
	"github.com/mafiabox/mafiabox/engine/rulesets"
)

// plug is how often the box is still to be killed, and at which requests it was.
type plug struct {
	kills  int
	pulled map[string]int
}

// moments are the requests of an evening: each of them is hit.
var moments = []string{"people", "deal", "night", "night form", "close", "dawn", "nominate", "vote", "ballot", "correct", "undo", "hands", "next"}

// done tells whether it was pulled often enough, at each moment.
func (p plug) done() bool { return p.kills <= 0 && len(p.pulled) == len(moments) }

// pulls draws whether the plug is pulled at this request: the likelier the less
// it was at such a one.
func (e *evening) pulls(moment string) bool {
	if !slices.Contains(moments, moment) {
		e.Fatalf("%q is no moment", moment)
	}
	if e.plug.pulled == nil || e.plug.done() || e.rng.IntN(2+3*e.plug.pulled[moment]) > 0 {
		return false
	}
	e.plug.kills--
	e.plug.pulled[moment]++
	return true
}

// nap waits up to one of these many milliseconds.
func (e *evening) nap(most ...int) {
	time.Sleep(time.Duration(e.rng.IntN(1000*most[e.rng.IntN(len(most))])) * time.Microsecond)
}

// step is a host's act without arguments.
func (e *evening) step(verb string) {
	e.Helper()
	e.ask(verb, e.host, "/t/1/host/act", form("verb", verb), "host "+verb)
}

// seen is what everybody sees, and the record.
func (e *evening) seen() (all []string) {
	for _, p := range e.players {
		all = append(all, p.page("/t/1"))
	}
	_, rec, err := e.host.ask("GET", "/t/1/host/record.mafia", nil) // there is none before the first game
	if err != nil {
		e.Fatal(err)
	}
	return append(all, e.host.page("/t/1/host"), rec)
}

// ask sends a form that must be accepted. Where the plug is pulled, that is
// while the form is on its way or right after its answer, everybody finds what
// was there before or what is there at last, and nothing between; what was
// answered is there; and the form sent again with its key does nothing more. The
// record gains one such line; none when that is empty.
func (e *evening) ask(moment string, who *client, path string, f url.Values, line string) {
	e.Helper()
	e.forms++
	f.Set("key", fmt.Sprint(moment, e.forms))
	if !e.pulls(moment) {
		who.post(path, f)
		return
	}
	before := e.seen()
	var shown []string // once it was answered
	cut := false
	if e.rng.IntN(2) == 0 {
		who.post(path, f)
		shown = e.seen()
		e.b.kill()
	} else {
		sent := make(chan error, 1)
		go func() {
			_, body, err := who.send(path, f)
			if err == nil && body != "" {
				e.Errorf("%s: %s", moment, body)
			}
			sent <- err
		}()
		e.nap(3)
		e.b.kill()
		cut = <-sent != nil
	}
	e.b.run()
	found := e.seen()
	who.post(path, f)
	after := e.seen()
	if shown != nil {
		e.same(moment+": what was shown, and is found", shown, found)
	}
	if cut {
		e.lost++
	}
	if !cut || !slices.Equal(found, before) {
		e.same(moment+": what is found, and is shown after the form came again", found, after)
	}
	gained := 0
	for l := range strings.Lines(strings.TrimPrefix(after[len(after)-1], before[len(before)-1])) {
		if line != "" && (strings.HasPrefix(l, line+" ") || l == line+"\n") {
			gained++
		}
	}
	if line != "" && gained != 1 {
		e.Errorf("%s: the record has %d times %q:\n%s", moment, gained, line, after[len(after)-1])
	}
}

// same compares what everybody sees with what everybody saw.
func (e *evening) same(what string, was, is []string) {
	e.Helper()
	for i := range was {
		if was[i] != is[i] {
			e.Errorf("%s: page %d was\n%s\nand is\n%s", what, i+1, was[i], is[i])
		}
	}
}

// TestKilledTwentyTimes plays whole games with nine phones while the box is
// killed at twenty random requests of every kind: nothing acknowledged is lost,
// nothing counts twice, and every page is where it was.
func TestKilledTwentyTimes(t *testing.T) {
	t.Parallel()
	kills := 20
	if os.Getenv("MAFIABOX_LONG") != "" {
		kills = 60
	}
	b := start(t)
	code, host := b.code(), b.client()
	host.post("/host", form("code", hostCode))
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	e := &evening{T: t, b: b, host: host, rng: rand.New(rand.NewPCG(seed, 0)), plug: plug{kills, make(map[string]int)}}
	for i := range 9 {
		p := b.client()
		p.get("/j/" + code)
		e.ask("people", p, "/j/"+code, form("name", fmt.Sprintf("Player %d", i+1)), "")
		e.players = append(e.players, p)
	}
	games := 0
	for ; games == 0 || !e.plug.done(); games++ {
		e.game()
		if t.Failed() {
			t.FailNow()
		}
		rec, err := record.Parse([]byte(host.record()), rulesets.All)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range record.Verify(rec) {
			t.Errorf("the record of game %d does not replay: %s", games+1, m)
		}
		for _, p := range e.players {
			if page := p.page("/t/1"); !strings.Contains(page, "host") {
				t.Error("the story is not told")
			}
		}
		e.ask("next", host, "/t/1/host/next", form(), "")
		e.ask("people", host, "/t/1/host/people", form("do", "add", "name", "Gus"), "")
		e.ask("people", host, "/t/1/host/people", form("do", "remove", "seat", "10"), "")
	}
	t.Logf("%d games, %d forms were cut off; pulled at %v", games, e.lost, e.plug.pulled)
	if e.lost == 0 {
		t.Error("no kill hit a form on its way")
	}
}

// game is one game to its end.
func (e *evening) game() {
	e.Helper()
	e.deal()
	for !e.Failed() {
		e.step("night")
		e.night()
		e.step("close")
		e.step("dawn")
		if e.over() {
			return
		}
		e.day()
		if e.over() {
			return
		}
	}
}
