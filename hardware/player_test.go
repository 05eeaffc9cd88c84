package hardware

import (
	"testing"
	"testing/synctest"
	"time"
)

// newSim is a simulated panel.
func newSim(t *testing.T) *Panel {
	t.Helper()
	p, err := Open(Options{Mode: Simulated}, quiet())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestSimPlays plays a night that ends in the middle of its tone, to the millisecond.
func TestSimPlays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSim(t)
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
			{1550 * ms, Closed, true, false},
			{1700 * ms, Closed, true, true},
			{1820 * ms, Closed, true, false},
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
		if s := s.State(); !s.Lit || s.Sounds || s.Cue != Closed {
			t.Errorf("state %+v", s)
		}
		// The same cue again begins again: two votes in a row are two beeps.
		s.Show(Closed)
		synctest.Wait()
		if !s.State().Sounds {
			t.Error("the same cue did not sound again")
		}
	})
}

// TestBellsKeepTheLamp: a bell sounds, and the lamp of the cue before goes on as
// if nothing had happened.
func TestBellsKeepTheLamp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		quietly, rung := newSim(t), newSim(t)
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
			want, got := quietly.State(), rung.State()
			if got.Lit != want.Lit {
				t.Errorf("after %d ms, in %s: the lamp is %v, without the bell %v", 50*(i+1), got.Cue, got.Lit, want.Lit)
			}
			if i >= 10 && got.Sounds {
				sounded++
			}
		}
		if want := 3 + 2 + 9; sounded != want { // two short ones and a long one, looked at each 50 ms
			t.Errorf("sounded at %d looks, want %d", sounded, want)
		}
	})
}

func TestSimKeepsFiftyChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSim(t)
		defer s.Close()
		s.Show(Vote)
		time.Sleep(time.Hour)
		now := s.State()
		history := s.History()
		if len(history) != remembered || now.Cue != Vote || now.Sounds {
			t.Fatalf("%d changes, now %+v", len(history), now)
		}
		if last := history[len(history)-1]; last.Cue != now.Cue || last.Lamp != now.Lit {
			t.Errorf("last change %+v, now %+v", last, now)
		}
	})
}

func TestSimPress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSim(t)
		for held, kind := range map[time.Duration]Kind{
			0: Short, 999 * ms: Short, time.Second: Hold, 2999 * ms: Hold, 3 * time.Second: Long, 9999 * ms: Long, 10 * time.Second: Start, time.Hour: Start,
		} {
			s.Press(held)
			if p := <-s.Presses(); p.Kind != kind {
				t.Errorf("held %v is %s, want %s", held, p.Kind, kind)
			}
		}
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
		if s := s.State(); s.Lit || s.Sounds || s.Cue != Off {
			t.Errorf("closed, and %+v", s)
		}
	})
}

// TestBellAfterCue: a cue and a bell in the same moment are both there.
func TestBellAfterCue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSim(t)
		defer s.Close()
		s.Show(Night)
		s.Show(Out)
		synctest.Wait()
		if s := s.State(); !s.Lit || !s.Sounds || s.Cue != Out {
			t.Errorf("%+v", s)
		}
		time.Sleep(dash + gap/2)
		if s := s.State(); !s.Lit || s.Sounds {
			t.Errorf("%+v", s)
		}
	})
}

// TestSilence: no buzzer while it is on, at once, and the lamp goes on.
func TestSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSim(t)
		defer s.Close()
		s.Show(Night)
		time.Sleep(500 * ms)
		s.Silence(true)
		synctest.Wait()
		if s := s.State(); !s.Lit || s.Sounds || !s.Silent {
			t.Errorf("silenced in the middle of a sound: %+v", s)
		}
		lit := 0
		for _, cue := range Cues() {
			s.Show(cue)
			for range 40 {
				time.Sleep(50 * ms)
				if s.State().Sounds {
					t.Fatalf("%s sounds", cue)
				}
				if s.State().Lit {
					lit++
				}
			}
		}
		if lit < 100 {
			t.Errorf("the lamp was lit at %d looks", lit)
		}
		s.Silence(false)
		s.Show(Time)
		synctest.Wait()
		if !s.State().Sounds {
			t.Error("it sounds no more")
		}
	})
}

// TestLight: the lamp of a cue comes back without its sound. A bell rings on
// meanwhile, and a lamp that is that one goes on as if nothing had happened.
func TestLight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, quietly := newSim(t), newSim(t)
		defer s.Close()
		defer quietly.Close()
		s.Show(Night)
		s.Show(Vote)
		s.Light(Night)
		for range 30 {
			synctest.Wait()
			if now := s.State(); now.Sounds || now.Cue != Night || now.Lit != (time.Since(s.since)%(2*time.Second) < time.Second) {
				t.Fatalf("%+v", now)
			}
			time.Sleep(100*ms + ms)
		}
		s.Show(Time)
		s.Light(Closed)
		synctest.Wait()
		if now := s.State(); !now.Sounds || !now.Lit || now.Cue != Time {
			t.Errorf("a bell, and then a lamp: %+v", now)
		}
		quietly.Show(Vote)
		s.Show(Vote)
		for range 60 {
			time.Sleep(50 * ms)
			s.Light(Vote)
			synctest.Wait()
			if s.State() != quietly.State() {
				t.Fatalf("lit again: %+v, want %+v", s.State(), quietly.State())
			}
		}
	})
}
