package server

import (
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/server/store"
)

// TestButtonClock: held, the button stops the running clock and lets it go on;
// where there is none, it is refused and nothing changes.
func TestButtonClock(t *testing.T) {
	b, table, clock := dealt(t, store.Memory(), 7)
	before := len(table.now.Load().game.Log())
	if cue := b.Press(PressHold, b.cfg.Now()); cue != CueRefused || len(table.now.Load().game.Log()) != before {
		t.Errorf("without a clock it answers %q", cue)
	}
	clock.pass(stepRest)
	do := doer(t, table)
	do(engine.Night)
	do(engine.Close)
	do(engine.Dawn)
	do(engine.Speech, 1)
	for _, want := range []engine.Verb{engine.Hold, engine.Go} {
		cue := b.Press(PressHold, b.cfg.Now())
		log := table.now.Load().game.Log()
		if last := log[len(log)-1].Act; cue != "" || last.Verb != want || last.Via != engine.ByButton {
			t.Errorf("it answers %q, and the log ends with %+v", cue, last)
		}
	}
}

// TestButtonWithoutClock: a night has no clock, so the button pauses nothing in
// it, nor what has run out.
func TestButtonWithoutClock(t *testing.T) {
	b, table, clock := dealt(t, store.Memory(), 7)
	do := doer(t, table)
	refused := func(when string) {
		t.Helper()
		before := len(table.now.Load().game.Log())
		cue := b.Press(PressHold, b.cfg.Now())
		if log := table.now.Load().game.Log(); cue != CueRefused || len(log) != before {
			t.Errorf("%s it answers %q, and the log ends with %+v", when, cue, log[len(log)-1].Act)
		}
	}
	do(engine.Night)
	refused("at night")
	do(engine.Close)
	refused("after it")
	do(engine.Dawn)
	refused("before a speech")
	do(engine.Speech, 1)
	clock.pass(time.Hour)
	refused("after a speech")
}

// TestButtonWhileStoring: presses made while the card is at work on the one
// before come too early for what that leads to, and so do those of the rest,
// which begins when it is stored.
func TestButtonWhileStoring(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := &flaky{Store: store.Memory()}
		config := openConfig()
		config.Store = disk
		b, err := Open(config)
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		table := deals(t, b, 7)
		do := doer(t, table)
		time.Sleep(stepRest)
		made := make(chan time.Time, 8) // as the panel has them wait
		kind, answers := PressShort, []Cue(nil)
		go func() {
			for at := range made {
				answers = append(answers, b.Press(kind, at))
			}
		}()
		defer close(made)
		press := func(after time.Duration) {
			time.Sleep(after)
			made <- time.Now()
		}
		is := func(when, phase string, held bool) {
			t.Helper()
			synctest.Wait()
			if s := table.now.Load().game.Seen(engine.All); s.Phase.Name != phase || s.Held != held {
				t.Errorf("%s: %s, paused %v", when, s.Phase.Name, s.Held)
			}
		}
		do(engine.Night)
		for seat := range 7 {
			if err := act(table, "", waits(seat+1)); err != nil {
				t.Fatal(err)
			}
		}
		disk.set(false, 3*time.Second)
		press(stepRest)
		press(time.Second)
		press(1900 * time.Millisecond)
		time.Sleep(600 * time.Millisecond)
		is("stored", engine.Closed, false)
		press(time.Second)
		time.Sleep(10 * time.Second)
		is("pressed right after that", engine.Closed, false)
		press(0)
		time.Sleep(4 * time.Second)
		is("pressed a while after", engine.Day, false)
		do(engine.Speech, 1)
		kind = PressHold
		press(0)
		press(time.Second)
		time.Sleep(10 * time.Second)
		is("paused by two presses", engine.Day, true)
		for _, cue := range answers { // the cues of the table have told it
			if cue != "" {
				t.Errorf("the presses were answered by %q", answers)
			}
		}
	})
}

// TestButtonBeforeTheBox: what was pressed while the games were read again does
// nothing in them. New codes are wanted all the same.
func TestButtonBeforeTheBox(t *testing.T) {
	keep := store.Memory()
	before, table, clock := dealt(t, keep, 7)
	doer(t, table)(engine.Night)
	config := before.cfg
	clock.pass(time.Minute)
	made := clock.Now()
	clock.pass(time.Second)
	b, err := Open(config)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	table = b.Tables()[0]
	for _, p := range []Press{PressShort, PressHold, PressLong} {
		acts := len(table.now.Load().game.Log())
		if cue := b.Press(p, made); cue != "" || len(table.now.Load().game.Log()) != acts || table.now.Load().asked.verb != "" {
			t.Errorf("%s: it answers %q", p, cue)
		}
	}
	if cue := b.Press(PressStart, made); cue != CuePaired {
		t.Errorf("held from the start it answers %q", cue)
	}
	if cue := b.Press(PressShort, clock.Now()); cue != CueAgain {
		t.Errorf("pressed now it answers %q", cue)
	}
}

// TestButtonTellsNoRole: with people without phones the button asks once more at
// every night's end, whoever has been called by then.
func TestButtonTellsNoRole(t *testing.T) {
	for name, phones := range map[string][]int{"two have phones": {2, 5}, "nobody has": nil} {
		b, table := callsTable(t, "sport", nil, sportRoles, phones...)
		for _, seat := range phones {
			if err := act(table, "", waits(seat)); err != nil {
				t.Fatal(err)
			}
		}
		press := func(when string, want Cue) {
			t.Helper()
			m := *table.now.Load() // as it is a while later
			m.stepAt, m.asked = time.Time{}, confirm{}
			table.now.Store(&m)
			if cue := b.Press(PressShort, b.cfg.Now()); cue != want {
				t.Errorf("%s, %s: it answers %q", name, when, cue)
			}
		}
		press("nobody was called", CueAgain)
		for _, seat := range []int{1, 2, 3} {
			if seat != 2 || phones == nil {
				enter(t, table, seat, engine.Shoot, 7)
			}
		}
		enter(t, table, 1, engine.Seek, 4)
		enter(t, table, 4, engine.Check, 1)
		press("all were called", CueAgain)
		if cue := b.Press(PressShort, b.cfg.Now()); cue != "" || table.now.Load().game.Phase().Name != engine.Closed {
			t.Errorf("%s: pressed again it answers %q", name, cue)
		}
	}
}

// shows wants these words on a page.
func shows(t *testing.T, who *browser, page, words string) {
	t.Helper()
	if text := who.must("GET", page, 200); !strings.Contains(text, words) {
		t.Errorf("%s has no %q:\n%s", page, words, text)
	}
}

// TestButtonPairs: the phone that asks becomes host of the panel's table when the
// button is held; with two of them nobody does, and both are told.
func TestButtonPairs(t *testing.T) {
	s := besiege(t)
	table := s.b.Tables()[0]
	hosts := func() int { return len(table.now.Load().doc.Hosts) }
	was := hosts()
	if cue := s.b.Press(PressLong, s.b.cfg.Now()); cue != CueRefused || hosts() != was {
		t.Errorf("with nobody who asks it answers %q", cue)
	}
	s.night()
	was = hosts()
	one, two := s.stranger, s.nowhere
	one.must("POST", "/host/ask", 303)
	two.must("POST", "/host/ask", 303)
	if cue := s.b.Press(PressLong, s.b.cfg.Now()); cue != CueRefused || hosts() != was {
		t.Errorf("with two who ask it answers %q, and there are %d hosts", cue, hosts())
	}
	for _, who := range []*browser{one, two} {
		shows(t, who, "/host/ask", "Two phones ask")
	}
	two.must("POST", "/host/ask/stop", 303)
	if cue := s.b.Press(PressLong, s.b.cfg.Now()); cue != CuePaired || hosts() != was+1 {
		t.Errorf("with one who asks it answers %q, and there are %d hosts", cue, hosts())
	}
	log := table.now.Load().game.Log()
	if last := log[len(log)-1].Act; last.Verb != engine.Note || last.Via != engine.ByButton || last.Text == "" {
		t.Errorf("the log ends with %+v", last)
	}
	one.must("GET", "/host/ask", 303)
	shows(t, one, "/t/1/host", "Mafia: host")
	two.must("GET", "/host/ask", 303) // it asks no more
	two.must("GET", "/t/1/host", 303)
}

// TestNewCodes: after the button was held at the start no old code and no old
// device leads anywhere, and who sits stays.
func TestNewCodes(t *testing.T) {
	s := besiege(t)
	table := s.b.Tables()[0]
	works, disk := s.b.store, &flaky{Store: s.b.store}
	disk.set(true, 0)
	s.b.store = disk
	before := [2]string{table.Code(), s.b.HostCode(table)}
	if cue := s.b.Press(PressStart, s.b.cfg.Now()); cue != CueTrouble || before != [2]string{table.Code(), s.b.HostCode(table)} {
		t.Errorf("where nothing can be stored it answers %q, and the codes are %q and %q", cue, table.Code(), s.b.HostCode(table))
	}
	s.b.store = works
	people := table.now.Load().doc.names()
	code, host, owner := table.Code(), s.b.HostCode(table), s.b.OwnerCode()
	var typed sync.WaitGroup // somebody types a code meanwhile
	typed.Go(func() { s.nowhere.ask("POST", "/box", url.Values{"code": {"WRONG"}}) })
	defer typed.Wait()
	if cue := s.b.Press(PressStart, s.b.cfg.Now()); cue != CuePaired {
		t.Fatal(cue)
	}
	if table.Code() == code || s.b.HostCode(table) == host || s.b.OwnerCode() == owner {
		t.Error("an old code still counts")
	}
	s.host.must("GET", "/t/1/host", 303)
	shows(t, s.owner, "/box", "name=\"code\"")
	if now := table.now.Load().doc.names(); !slices.Equal(now, people) {
		t.Errorf("at the table sit %v", now)
	}
}

// TestAsksEnd: who asks is said on the console, no longer asks after a while
// however often his page comes again, and can't keep others from asking.
func TestAsksEnd(t *testing.T) {
	var passed atomic.Int64
	s := besiege(t, func(c *Config) { c.Now = func() time.Time { return time.Now().Add(time.Duration(passed.Load())) } })
	table := s.b.Tables()[0]
	was := len(table.now.Load().doc.Hosts)
	s.stranger.must("POST", "/host/ask", 303)
	shows(t, s.host, "/t/1/host", "A phone asks to be host")
	for range 20 {
		passed.Add(int64(5 * time.Second))
		s.stranger.ask("GET", "/host/ask", nil)
	}
	if cue := s.b.Press(PressLong, s.b.cfg.Now()); cue != CueRefused || len(table.now.Load().doc.Hosts) != was {
		t.Errorf("a minute and a half later the button answers %q", cue)
	}
	if page := s.host.must("GET", "/t/1/host", 200); strings.Contains(page, "asks to be host") {
		t.Error("the console still says that a phone asks")
	}
	s.stranger.must("POST", "/host/ask", 303)
	s.nowhere.must("POST", "/host/ask", 303)
	third := s.player
	third.must("POST", "/host/ask", 403) // of one address
	s.stranger.must("POST", "/host/ask/stop", 303)
	third.must("POST", "/host/ask", 303)
}
