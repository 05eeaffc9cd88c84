package server

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/enginetest"
	"github.com/mafiabox/mafiabox/engine/rulesets"
	"github.com/mafiabox/mafiabox/server/store"
)

var (
	pagePairs = flag.Uint64("pairs", 60, "how many pairs of games of each rule system to compare by their pages")
	pagesSeed = flag.Uint64("seed", 0, "compare only the pages of the pair of this seed")
)

// TestPagesKeepSecrets draws the pages of one viewer and the table screen for
// two games that differ only in what he can't know: the pages are the same
// byte for byte, after every act.
func TestPagesKeepSecrets(t *testing.T) {
	for _, rules := range rulesets.All {
		t.Run(rules.ID(), func(t *testing.T) {
			if *pagesSeed != 0 {
				b, _ := open(t, store.Memory())
				defer b.Close()
				comparePages(t, b, rules, *pagesSeed)
				return
			}
			n := *pagePairs
			if testing.Short() {
				n = min(n, 10)
			}
			var seed, late, unlike atomic.Uint64
			var all sync.WaitGroup
			for range runtime.GOMAXPROCS(0) {
				b, _ := open(t, store.Memory())
				t.Cleanup(func() { b.Close() })
				all.Go(func() {
					for s := seed.Add(1); s <= n && !t.Failed(); s = seed.Add(1) {
						c := comparePages(t, b, rules, s)
						if c.closes >= 3 {
							late.Add(1)
						}
						if c.host {
							unlike.Add(1)
						}
					}
				})
			}
			all.Wait()
			t.Logf("%d pairs, %d past the third close, %d with other pages for the host", n, late.Load(), unlike.Load())
			least := n / 2
			if hasDeadlines(rules) {
				least = n / 6 // its rounds close in other ways, too
			}
			if !t.Failed() && (late.Load() < least || unlike.Load() < n/2) {
				t.Error("the pairs are too much alike, or too short, to prove anything")
			}
		})
	}
}

// compared is what a pair was worth.
type compared struct {
	closes int
	host   bool // the pages of the host differ: there was something to hide
}

// comparePages draws the pages of one pair.
func comparePages(t *testing.T, b *Box, rules engine.Ruleset, seed uint64) compared {
	rng := rand.New(rand.NewPCG(seed, 4))
	script := enginetest.Play(rules, seed)
	seats := script.Game().Setup().Seats
	me := engine.Seat(1 + rng.IntN(seats))
	viewer := engine.Audience(me)
	if rng.IntN(5) == 0 {
		me, viewer = 0, engine.All
	}
	course := enginetest.NewPairs(script, viewer, seed).Follow()
	if course.Leak != "" {
		t.Errorf("go test -run PagesKeepSecrets/%s ./server -seed %d\n%s", rules.ID(), seed, course.Leak)
		return compared{}
	}
	d := doc{Code: "ABCDE", Rules: rules.ID(), Stage: playing, Game: 1, Hosts: []string{device(99)}}
	for i := range seats {
		p := person{Name: fmt.Sprint("P", i+1), Device: device(i + 1)}
		if engine.Seat(i+1) != me && seed%2 == 0 && rng.IntN(3) == 0 {
			p.Device = ""
		}
		d.People = append(d.People, p)
	}
	if rng.IntN(3) == 0 && me != 0 {
		d.Hosts = append(d.Hosts, device(int(me))) // the host plays, too
	}
	found := compared{closes: course.Closes}
	at := time.Date(2026, 5, 4, 21, 0, 0, 0, time.UTC)
	one, two := draft{moment: moment{doc: d, game: course.Pair[0].A}}, draft{moment: moment{doc: d, game: course.Pair[0].B}}
	last := 0
	for i, m := range course.Pair {
		if no := m.A.LastNo(); no > last {
			last, at = no, at.Add(time.Second)
			heard := [2]*engine.Seen{one.public(), two.public()}
			goOn(&one, m.A, at)
			goOn(&two, m.B, at)
			if x, y := cuesOf(heard[0], one.public()), cuesOf(heard[1], two.public()); !slices.Equal(x, y) {
				t.Errorf("go test -run PagesKeepSecrets/%s ./server -seed %d\nafter act %d the panel plays %q or %q", rules.ID(), seed, no, x, y)
				return found
			}
			for _, p := range []Press{PressShort, PressHold} {
				if x, y := pressed(one, p), pressed(two, p); x != y {
					t.Errorf("go test -run PagesKeepSecrets/%s ./server -seed %d\nafter act %d a %s press is answered by %q or %q", rules.ID(), seed, no, p, x, y)
					return found
				}
			}
			read(rng, me, &one, &two)
		} else if i > 0 {
			continue // it was refused
		}
		w := words{b.texts.in(Languages[i%len(Languages)])}
		if what := unlikePages(b, w, me, &one.moment, &two.moment, rng.IntN(3) == 0); what != "" {
			t.Errorf("go test -run PagesKeepSecrets/%s ./server -seed %d\nviewer %d, after act %d, %s", rules.ID(), seed, viewer, last, what)
			return found
		}
		if !found.host && rng.IntN(10) == 0 {
			host := func(m *moment) []byte {
				return pageOf(b, "host-main", b.hostPage(b.Tables()[0], m, w, device(99), 0))
			}
			found.host = unlike(host(&one.moment), host(&two.moment)) != ""
		}
	}
	return found
}

// pressed is what a press would be answered by now. The other presses are about
// no game.
func pressed(d draft, p Press) Cue {
	d.doc = d.doc.clone()
	d.known, d.settled = true, true
	asks, err := d.press(p)
	return answered(p, asks, err)
}

// goOn is the table after the next act of its game: the game keeps no act that
// leaves nothing behind, so it can't be done again here.
func goOn(d *draft, g engine.Game, at time.Time) {
	d.now, d.game = at, g
	if log := g.Log(); len(log) > 0 && log[len(log)-1].Act.No == g.LastNo() {
		d.noteReaders(log[len(log)-1].Act, log[len(log)-1].Events)
	}
	d.clock = d.clock.follow(g, at)
}

// read lets seats read what the night brought: the viewer in both games, others
// in one or in the other.
func read(rng *rand.Rand, me engine.Seat, one, two *draft) {
	for i := range one.doc.People {
		s := engine.Seat(i + 1)
		first, second := rng.IntN(3) == 0, rng.IntN(3) == 0
		if first {
			one.hasRead(s)
		}
		if s == me && first || s != me && second {
			two.hasRead(s)
		}
	}
}

// unlikePages tells what of the viewer's page and of the table screen differs.
func unlikePages(b *Box, w words, me engine.Seat, one, two *moment, screen bool) string {
	table := b.Tables()[0]
	if x, y := phaseOf(one), phaseOf(two); x != y {
		return fmt.Sprintf("a page is pushed for %s or %s", x, y)
	}
	if x, y := state(one.public()), state(two.public()); x != y {
		return fmt.Sprintf("the panel shows %s or %s", x, y)
	}
	if me != 0 {
		page := pageOf(b, "seat", b.seatPage(table, one, w, me))
		if what := unlike(page, pageOf(b, "seat", b.seatPage(table, two, w, me))); what != "" {
			return "the seat's page: " + what
		}
		if len(page) > pageSize(one) {
			return fmt.Sprintf("the seat's page has %d bytes, and all are given %d", len(page), pageSize(one))
		}
	}
	if one.hasThread() {
		if what := unlikeThreads(b, w, me, one, two, screen || me == 0); what != "" {
			return what
		}
	}
	if screen || me == 0 {
		if what := unlike(pageOf(b, "screen", b.screenPage(table, one, w)), pageOf(b, "screen", b.screenPage(table, two, w))); what != "" {
			return "the screen: " + what
		}
		if what := unlike(pageOf(b, "watch", b.watchMain(table, one, w)), pageOf(b, "watch", b.watchMain(table, two, w))); what != "" {
			return "the spectator's page: " + what
		}
	}
	return ""
}

// unlikeThreads tells what differs of the thread, the tally and the letters.
func unlikeThreads(b *Box, w words, me engine.Seat, one, two *moment, public bool) string {
	table := b.Tables()[0]
	thread := func(m *moment) []byte {
		var entries []threadEntry
		for _, e := range m.game.Log() {
			entries = append(entries, threadEntry{Act: engine.Act{By: e.Act.By, Verb: e.Act.Verb}, Events: e.Events}) // its own audience is the page's matter, too
		}
		entries = slices.DeleteFunc(entries, func(e threadEntry) bool {
			return !slices.ContainsFunc(e.Events, func(e engine.Event) bool { return e.To == engine.All && e.Kind != engine.Owed })
		})
		return pageOf(b, "thread", b.threadView(table, m, w, viewer{seat: me}, 1, 0, entries))
	}
	if public {
		if what := unlike(thread(one), thread(two)); what != "" {
			return "the thread: " + what
		}
		if what := unlike(pageOf(b, "tally", b.tallyPage(table, one, w)), pageOf(b, "tally", b.tallyPage(table, two, w))); what != "" {
			return "the tally: " + what
		}
	}
	if me == 0 {
		return ""
	}
	page := pageOf(b, "letters", b.lettersPage(table, one, w, me, 1))
	if what := unlike(page, pageOf(b, "letters", b.lettersPage(table, two, w, me, 1))); what != "" {
		return "the letters: " + what
	}
	if len(page) > lettersSize(one) {
		return fmt.Sprintf("the letters have %d bytes, and all are given %d", len(page), lettersSize(one))
	}
	return ""
}

func pageOf(b *Box, name string, data any) []byte {
	page, err := b.draw(name, data)
	if err != nil {
		panic(err)
	}
	return unkeyed(page)
}

// unlike shows where two pages part.
func unlike(x, y []byte) string {
	if bytes.Equal(x, y) {
		return ""
	}
	n := 0
	for n < min(len(x), len(y)) && x[n] == y[n] {
		n++
	}
	around := func(page []byte) []byte { return page[max(0, n-200):min(len(page), n+200)] }
	return fmt.Sprintf("%s\nor\n%s", around(x), around(y))
}
