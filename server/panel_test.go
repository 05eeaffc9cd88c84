package server

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/server/store"
)

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
