package server

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/forum"
	"github.com/mafiabox/mafiabox/engine/record"
	"github.com/mafiabox/mafiabox/engine/rulesets"
	"github.com/mafiabox/mafiabox/server/store"
)

// threadTable is a box whose first table plays by the rules of the forum, with
// eleven people whose roles are dealt in the order of the cast.
func threadTable(t testing.TB, s store.Store) (*Box, *Table, *testClock) {
	t.Helper()
	clock := &testClock{now: time.Date(2026, 5, 4, 16, 0, 0, 0, time.UTC)} // a Monday
	config := openConfig()
	config.Store, config.Now, config.After, config.Rulesets = s, clock.Now, clock.After, rulesets.All
	b, err := Open(config)
	if err != nil {
		t.Fatal(err)
	}
	table := b.Tables()[0]
	err = table.Do("", func(d *draft) error {
		err := d.setRules(rulesets.All, forum.Standard.ID())
		for i := range 11 {
			err = errors.Join(err, d.join(forum.Standard, device(i+1), fmt.Sprint("Player", string(rune('A'+i))), 0))
		}
		return errors.Join(err, d.deal(forum.Standard, forum.Standard.Cast(11)))
	})
	if err != nil {
		t.Fatal(err)
	}
	return b, table, clock
}

// writes posts into the thread, each a second after a clock act; many share a
// transaction.
func writes(t testing.TB, table *Table, clock *testClock, posts int) {
	t.Helper()
	for posts > 0 {
		n := min(posts, 100)
		posts -= n
		err := table.Do("", func(d *draft) error {
			for range n {
				clock.pass(time.Second)
				d.now, d.time = clock.Now(), clock.Now()
				text := fmt.Sprintf("Post %d. %s", d.game.Posts()+1, strings.Repeat("I have thought about this for a while. ", 8))
				if err := d.act(engine.Act{By: engine.Actor(1 + d.game.Posts()%11), Verb: engine.Post, Text: text, Via: engine.ByPhone}); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// enters does acts as a record writes them.
func enters(t testing.TB, table *Table, lines ...string) {
	t.Helper()
	for _, line := range lines {
		a, err := record.ParseAct(line, 11)
		if err == nil {
			err = act(table, "", a)
		}
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
}

// counted is a store that counts the acts that it showed one by one.
type counted struct {
	store.Store
	shown int
}

func (c *counted) EachAct(table string, n, from int, see func(store.Act) bool) error {
	return c.Store.EachAct(table, n, from, func(a store.Act) bool {
		c.shown++
		return see(a)
	})
}

// keeps is how much memory a table keeps alive once its box is gone.
func keeps(b *Box, table *Table) int64 {
	heap := func() int64 {
		var s runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&s)
		return int64(s.HeapAlloc)
	}
	b.Close()
	table.box = nil
	with := heap()
	runtime.KeepAlive(table)
	table = nil
	return with - heap()
}

// TestLongThread: neither the game nor what a page reads grows with the thread,
// and a box that was away finds the same pages again.
func TestLongThread(t *testing.T) {
	const posts = 3000
	s := &counted{Store: store.Memory()}
	b, table, clock := threadTable(t, s)
	writes(t, table, clock, posts)
	enters(t, table, "2 vote 5", "1 whisper mafia \"hm\"")
	m := table.now.Load()
	if log, course := len(m.game.Log()), len(m.game.Course()); log > 5 || course > 5 {
		t.Errorf("a game of %d posts keeps %d acts and %d steps", posts, log, course)
	}
	if m.threadPages() != posts/postsOnPage || m.game.Posts() != posts {
		t.Errorf("%d pages, %d posts", m.threadPages(), m.game.Posts())
	}
	next := 1
	for page := 1; page <= m.threadPages(); page++ {
		s.shown = 0
		entries, err := b.threadPage(table, m, page)
		if err != nil {
			t.Fatal(err)
		}
		if s.shown > 2*postsOnPage+2 {
			t.Errorf("page %d reads %d acts", page, s.shown)
		}
		for _, e := range entries {
			if e.Post == 0 {
				continue
			}
			if want := fmt.Sprintf("Post %d.", next); e.Post != next || !strings.HasPrefix(e.Act.Text, want) {
				t.Fatalf("page %d has %+v, want %s", page, e, want)
			}
			next++
		}
		if last := entries[len(entries)-1]; page == m.threadPages() && (last.Post != 0 || !reflect.DeepEqual(last.Act, engine.Act{At: last.Act.At}) || len(last.Events) != 1 || last.Events[0].Of != 2) {
			t.Errorf("the page ends with %+v, not with the vote", last)
		}
	}
	if next != posts+1 {
		t.Errorf("the pages have %d posts", next-1)
	}
	for _, page := range []int{-1, 0, m.threadPages() + 1} {
		if entries, err := b.threadPage(table, m, page); err != nil || entries != nil {
			t.Errorf("page %d: %v, %v", page, entries, err)
		}
	}
	again, err := Open(b.cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if now := again.Tables()[0].now.Load(); now.frozen != "" || !reflect.DeepEqual(now.pages, m.pages) || now.game.Posts() != posts {
		t.Errorf("after a restart: %q, pages %v, not %v", now.frozen, now.pages, m.pages)
	}
	long := keeps(b, table)
	b, table, clock = threadTable(t, store.Memory())
	writes(t, table, clock, 100)
	if short := keeps(b, table); long-short > 64<<10 {
		t.Errorf("the table keeps %d bytes with %d posts, %d with 100", long, posts, short)
	}
}

// TestThreadKeepsSecrets: a page has what everybody was told, and nobody else's
// part of it: not who sent what ended a night, nor how many acts there were.
func TestThreadKeepsSecrets(t *testing.T) {
	b, table, _ := threadTable(t, store.Memory())
	defer b.Close()
	if entries, err := b.threadPage(table, table.now.Load(), 1); err != nil || entries != nil {
		t.Errorf("before the first act: %v, %v", entries, err)
	}
	enters(t, table, `5 vote 6`, `5 post "PlayerE > PlayerX"`, `6 post "hello"`, `1 whisper mafia "secret"`, `7 post "PlayerG > PlayerF\nlock"`, `host note "secret"`,
		`host suspend 9 "secret"`, "3 extension", "clock 2026-05-05T22:00:00Z", "1 whack 5", "7 suspect 1", "4 guess 1", `guest post "lock"`, `host decide "so be it"`)
	entries, err := b.threadPage(table, table.now.Load(), 1)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, e := range entries {
		line := fmt.Sprint(e.Post, " ", e.Act.Subject(), " ", e.Act.Text)
		if e.Post == 0 && !reflect.DeepEqual(e.Act, engine.Act{At: e.Act.At, Moment: e.Act.Moment}) && e.Act.Verb != engine.Decide || e.Act.No != 0 || e.Act.At.IsZero() {
			t.Errorf("%+v", e)
		}
		for _, told := range e.Events {
			line += ", " + record.FormatEvent(told)
		}
		lines = append(lines, strings.ReplaceAll(line, "\n", " "))
	}
	want := []string{
		"0 0 , all voted 5 6",
		"1 5 PlayerE > PlayerX",
		"2 6 hello",
		"3 7 PlayerG > PlayerF lock, all voted 7 6, all chose 7 lock",
		"0 0 , all closes 2026-05-05T18:00:00-04:00",
		"0 0 , all tally 6:2, all missed 1 1, all missed 2 1, all missed 3 1, all missed 4 1, all missed 6 1, all missed 8 1, all missed 9 1, all missed 10 1, all missed 11 1, all out 6 vote, all phase night 1, all closes 2026-05-06T12:00:00-04:00",
		"0 0 , all phase day 2, all out 5 night, all closes 2026-05-06T18:00:00-04:00",
		"4 -3 lock",
		`0 -1 , all decision "so be it"`,
	}
	if got := strings.Join(lines, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("the page is\n%s\nnot\n%s", got, strings.Join(want, "\n"))
	}
}

// TestRestlessVoters: of votes that change again and again a page keeps the
// last of each seat, and of too much else what turned the game and the latest.
func TestRestlessVoters(t *testing.T) {
	b, table, _ := threadTable(t, store.Memory())
	defer b.Close()
	enters(t, table, `1 post "quiet, please"`, "3 vote 9", "3 lock")
	do := func(times int, lines ...string) {
		t.Helper()
		for ; times > 0; times -= 50 {
			err := table.Do("", func(d *draft) error {
				for i := range 50 {
					a, err := record.ParseAct(lines[i%len(lines)], 11)
					if err != nil {
						return err
					}
					if err := d.act(a); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	do(2000, "1 vote 5", "2 vote 6", "1 lock", "1 vote 7", "2 vote null")
	entries, err := b.threadPage(table, table.now.Load(), 1)
	if err != nil || len(entries) != 5 {
		t.Errorf("%d entries, %+v, %v", len(entries), entries, err)
	}
	enters(t, table, `2 post "and now?"`, "2 vote 6", "clock 2026-05-05T16:00:00Z")
	do(1000, `host decide "again"`)
	enters(t, table, `host decide "at last"`)
	entries, err = b.threadPage(table, table.now.Load(), 1)
	if err != nil || len(entries) != mostBetween+2 {
		t.Fatalf("%d entries, %v", len(entries), err)
	}
	turning := 0
	for _, e := range entries {
		if turns(e) {
			turning++
		}
	}
	if last := entries[len(entries)-1].Events; turning != 1 || last[0].Text != "at last" {
		t.Errorf("%d of them turn the game, the last is %v", turning, last)
	}
}

// BenchmarkThread draws the last page of a thread of 10,000 posts. It compares
// that, and what the table keeps in memory, with a thread of 100.
func BenchmarkThread(b *testing.B) {
	for _, form := range []string{"memory", "badger"} {
		b.Run(form, func(b *testing.B) {
			build := func(posts int) (*Box, *Table) {
				s := store.Memory()
				if form == "badger" {
					var err error
					if s, _, err = store.Open(b.TempDir(), nil); err != nil {
						b.Fatal(err)
					}
					b.Cleanup(func() { s.Close() })
				}
				box, table, clock := threadTable(b, s)
				writes(b, table, clock, posts)
				return box, table
			}
			page := func(box *Box, table *Table) {
				m := table.now.Load()
				if entries, err := box.threadPage(table, m, m.threadPages()); err != nil || len(entries) != postsOnPage {
					b.Fatal(len(entries), err)
				}
			}
			timed := func(box *Box, table *Table) float64 {
				began := time.Now()
				for range 300 {
					page(box, table)
				}
				return float64(time.Since(began)) / 300
			}
			short, few := build(100)
			long, many := build(10_000)
			for b.Loop() {
				page(long, many)
			}
			before := timed(short, few)
			b.ReportMetric(before, "ns/short-page")
			b.ReportMetric(timed(long, many)/before, "times-as-long")
			small, large := keeps(short, few), keeps(long, many)
			b.ReportMetric(float64(small), "B/100-posts")
			b.ReportMetric(float64(large), "B/10000-posts")
			b.ReportMetric(float64(large)/float64(small), "times-as-large")
		})
	}
}
