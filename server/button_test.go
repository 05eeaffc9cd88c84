package server

import (
	"errors"
	"fmt"
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

// TestPanelOfATable: the panel follows the table to which a host gave it, also
// after a restart, and shows and does nothing at another.
func TestPanelOfATable(t *testing.T) {
	keep := store.Memory()
	b, first, _ := dealt(t, keep, 7)
	second, err := b.NewTable()
	if err != nil {
		t.Fatal(err)
	}
	var cues []Cue
	heard := make(chan Cue, 20)
	go b.WatchPanel(func(c Cue) { heard <- c }, func(Cue) {}, func(bool) {})
	wait := func(want Cue) {
		t.Helper()
		select {
		case cue := <-heard:
			if cues = append(cues, cue); cue != want {
				t.Errorf("the panel plays %q, want %q", cue, want)
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("the panel doesn't play %q: %q", want, cues)
		}
	}
	wait(CueDay)
	if err := b.takePanel(second); err != nil {
		t.Fatal(err)
	}
	wait(CueReady) // that table's
	if cue := b.Press(PressShort, b.cfg.Now()); cue != CueRefused || first.now.Load().game.Phase().Name != engine.Day {
		t.Errorf("it answers %q", cue)
	}
	if b.panelTable() != second {
		t.Error("the panel is not the second table's")
	}
	b.stored(errors.New("a bad card"))
	wait(CueTrouble)
	b.stored(nil)
	wait(CueReady)
	b.plays <- CueVote
	wait(CueVote)
	again, _ := open(t, keep)
	defer again.Close()
	if again.panelTable().ID() != second.ID() {
		t.Error("after a restart the panel is another table's")
	}
}

// panelRecord is what a panel was told to do, in turn.
type panelRecord struct {
	mu   sync.Mutex
	told []string // silence only where it changes
	was  *bool    // silent; nil: it was never told
}

func (r *panelRecord) watch(b *Box) {
	tell := func(what string) {
		r.mu.Lock()
		r.told = append(r.told, what)
		r.mu.Unlock()
	}
	b.WatchPanel(func(c Cue) { tell("show " + string(c)) }, func(c Cue) { tell("light " + string(c)) }, func(yes bool) {
		r.mu.Lock()
		same := r.was != nil && yes == *r.was
		r.was = &yes
		r.mu.Unlock()
		if !same {
			tell(fmt.Sprint("silence ", yes))
		}
	})
}

// since is what it was told since the last time.
func (r *panelRecord) since() string {
	synctest.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	all := strings.Join(r.told, ", ")
	r.told = r.told[:0]
	return all
}

// TestPanelIsSilent: nothing sounds before it is known whether it may: not at the
// start, not when the sound was turned off a moment ago, at night too, and not in
// quiet hours. What is tried then is over after a while, also when something else
// rings meanwhile, and a cue of the table ends it.
func TestPanelIsSilent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, table, clock := sportTable(t, store.Memory())
		defer b.Close()
		do, r := doer(t, table), new(panelRecord)
		told := func(want string) {
			t.Helper()
			if got := r.since(); got != want {
				t.Errorf("the panel is told: %s\nwant: %s", got, want)
			}
		}
		set := func(q quiet) {
			t.Helper()
			if err := b.setQuiet(q); err != nil {
				t.Fatal(err)
			}
		}
		set(quiet{Off: true})
		go r.watch(b)
		told("silence true, show ready")
		do(engine.Night)
		told("show night")
		set(quiet{})
		told("silence false")
		set(quiet{Off: true})
		b.Play(CueVote)
		told("silence true, show vote")
		clock.pass(playLife)
		told("light night")
		set(quiet{})
		told("silence false")
		do(engine.Close)
		told("show closed")
		b.Play(CueNight)
		told("show night")
		clock.pass(time.Second)
		do(engine.Dawn)
		told("show morning")
		clock.pass(playLife)
		told("")
		b.Play(CueNight)
		told("show night")
		do(engine.Leave, 3)
		told("show out")
		clock.pass(playLife)
		told("light day")
		set(quiet{From: "21:01", To: "22:00"})
		clock.pass(time.Minute)
		told("silence true")
		clock.pass(time.Hour)
		told("silence false")
		b.stored(errors.New("a bad card"))
		told("show trouble")
		b.Play(CueRefused)
		told("show refused")
		clock.pass(playLife)
		told("light trouble")
		b.stored(nil)
		told("show day")
	})
}

// TestQuietHours: the buzzer is silent in them, past midnight too, where the time is known.
func TestQuietHours(t *testing.T) {
	at := func(clock string) time.Time {
		when, err := time.Parse("15:04", clock)
		if err != nil {
			t.Fatal(err)
		}
		return when
	}
	night, noon := quiet{From: "22:00", To: "07:30"}, quiet{From: "12:00", To: "13:00"}
	for _, c := range []struct {
		q      quiet
		clock  string
		sure   bool
		silent bool
	}{
		{quiet{}, "23:00", true, false}, {quiet{Off: true}, "12:00", false, true}, {quiet{Off: true, From: "01:00", To: "02:00"}, "12:00", true, true},
		{night, "21:59", true, false}, {night, "22:00", true, true}, {night, "03:00", true, true}, {night, "07:29", true, true}, {night, "07:30", true, false},
		{night, "23:00", false, false}, {noon, "11:59", true, false}, {noon, "12:30", true, true}, {noon, "13:00", true, false},
		{quiet{From: "08:00", To: "08:00"}, "08:00", true, false},
	} {
		if got := c.q.at(at(c.clock), c.sure); got != c.silent {
			t.Errorf("%+v at %s: silent %v", c.q, c.clock, got)
		}
	}
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

// TestPanelPlaysCues: what is tried is one of the cues; anything else would be
// written to the terminal of who runs the box.
func TestPanelPlaysCues(t *testing.T) {
	s := besiege(t)
	s.host.must("POST", "/t/1/host/panel", 422, "do", "play", "cue", "night\x1b[2J")
	if len(s.b.plays) > 0 {
		t.Error("it is played")
	}
	s.host.must("POST", "/t/1/host/panel", 303, "do", "play", "cue", "night")
}
