package hardware

import (
	"io"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func quiet() *slog.Logger { return slog.New(slog.NewTextHandler(io.Discard, nil)) }

// TestSimPlays plays a night that ends in the middle of its tone, to the millisecond.
func TestSimPlays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewSim()
		defer s.Close()
		start := time.Now()
		s.Show(Night)
		time.Sleep(1100 * ms)
		s.Show(Closed)
		time.Sleep(time.Minute)
		want := []struct {
			at           time.Duration
			cue          Cue
			lamp, buzzer bool
		}{
			{0, Night, true, true},
			{1000 * ms, Night, false, true},
			{1100 * ms, Closed, true, true},
			{1250 * ms, Closed, true, false},
			{1400 * ms, Closed, true, true},
			{1550 * ms, Closed, true, false},
		}
		got := s.History()
		if len(got) != len(want) {
			t.Fatalf("%d changes, want %d: %v", len(got), len(want), got)
		}
		for i, w := range want {
			g := got[i]
			if g.At.Sub(start) != w.at || g.Cue != w.cue || g.Lamp != w.lamp || g.Buzzer != w.buzzer {
				t.Errorf("change %d at %v: %v, want %v at %v", i, g.At.Sub(start), g, w.cue, w.at)
			}
		}
		if lamp, buzzer, cue := s.State(); !lamp || buzzer || cue != "closed" {
			t.Errorf("state %v %v %q", lamp, buzzer, cue)
		}
		// The same cue again begins again: two votes in a row are two beeps.
		s.Show(Closed)
		synctest.Wait()
		if _, buzzer, _ := s.State(); !buzzer {
			t.Error("the same cue did not sound again")
		}
	})
}

// TestBellsKeepTheLamp: a bell sounds, and the lamp of the cue before goes on as
// if nothing had happened.
func TestBellsKeepTheLamp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		quietly, rung := NewSim(), NewSim()
		defer quietly.Close()
		defer rung.Close()
		quietly.Show(Vote)
		rung.Show(Vote)
		sounded := 0
		for i := range 60 {
			time.Sleep(50 * ms)
			switch i {
			case 10:
				rung.Show(Ten)
			case 30:
				rung.Show(Time)
			}
			synctest.Wait()
			want, _, _ := quietly.State()
			lamp, buzzer, cue := rung.State()
			if lamp != want {
				t.Errorf("after %d ms, in %s: the lamp is %v, without the bell %v", 50*(i+1), cue, lamp, want)
			}
			if i >= 10 && buzzer {
				sounded++
			}
		}
		if want := 4 + 18; sounded != want { // two short ones and a long one, looked at each 50 ms
			t.Errorf("sounded at %d looks, want %d", sounded, want)
		}
	})
}

func TestSimKeepsFiftyChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewSim()
		defer s.Close()
		s.Show(Vote)
		time.Sleep(time.Hour)
		cue, lamp, buzzer, history := s.PanelState()
		if len(history) != remembered || cue != "vote" || buzzer {
			t.Fatalf("%d changes, cue %q, buzzer %v", len(history), cue, buzzer)
		}
		if last := history[len(history)-1]; strings.HasSuffix(last, "vote lamp") != lamp || !strings.Contains(last, " vote") {
			t.Errorf("last change %q, lamp %v", last, lamp)
		}
	})
}

func TestSimPress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewSim()
		s.Press(3 * time.Second)
		p := <-s.Presses()
		if p.Held != 3*time.Second || !p.At.Add(p.Held).Equal(time.Now()) {
			t.Errorf("press %+v at %v", p, time.Now())
		}
		for range 100 { // nobody reads, nobody waits
			s.Press(0)
		}
		for range 2 {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		}
		s.Press(0)
		s.Show(Night)
		n := 0
		for range s.Presses() {
			n++
		}
		if n != 8 {
			t.Errorf("%d presses waited, want 8", n)
		}
		if lamp, buzzer, cue := s.State(); lamp || buzzer || cue != "off" {
			t.Errorf("closed, and %v %v %q", lamp, buzzer, cue)
		}
	})
}

func TestOpen(t *testing.T) {
	for mode, want := range map[string]string{"sim": "simulated", "off": "off"} {
		p, err := Open(mode, quiet())
		if err != nil {
			t.Fatal(err)
		}
		if p.Describe() != want {
			t.Errorf("%s is %q", mode, p.Describe())
		}
		p.Show(Night)
		for range 2 {
			if err := p.Close(); err != nil {
				t.Error(err)
			}
		}
		if _, open := <-p.Presses(); open {
			t.Error("presses are open after Close")
		}
	}
	if _, err := Open("lamp", quiet()); err == nil {
		t.Error("no error for a mode that doesn't exist")
	}
}
