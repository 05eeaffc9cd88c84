package hardware

import (
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"periph.io/x/conn/v3/gpio"
)

func TestBoardPress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		if got := r.panel.Describe(); got != "GPIO17 button, GPIO27 lamp, GPIO22 buzzer" {
			t.Error(got)
		}
		if r.button.pull != gpio.PullUp || r.button.edge != gpio.BothEdges {
			t.Error("the button's pin is not an input with a pull-up and both edges")
		}
		time.Sleep(time.Second)
		begin := time.Now()
		r.button.bounce(gpio.Low, 9, ms)
		time.Sleep(2 * time.Second)
		if !r.panel.State().Down {
			t.Error("the button is not shown as held")
		}
		r.button.bounce(gpio.High, 9, ms)
		time.Sleep(time.Second)
		if r.panel.State().Down {
			t.Error("the button is still shown as held")
		}
		got := r.presses()
		if len(got) != 1 {
			t.Fatalf("%d presses of one", len(got))
		}
		if d := got[0].At.Sub(begin); d < 0 || d > 20*ms {
			t.Errorf("pressed after %v", d)
		}
		if d := got[0].Held - 2*time.Second; d < -20*ms || d > 20*ms || got[0].Kind != Hold {
			t.Errorf("%s, held %v", got[0].Kind, got[0].Held)
		}
		if r.panel.Press(0); len(r.presses()) != 0 {
			t.Error("a button on pins can be pressed from a page")
		}
		begin = time.Now()
		if err := r.panel.Close(); err != nil {
			t.Error(err)
		}
		if d := time.Since(begin); d > 2*idle {
			t.Errorf("Close took %v", d)
		}
		if _, open := <-r.panel.Presses(); open {
			t.Error("presses are open after Close")
		}
	})
}

// TestBoardLong: a long press and one from the beginning are sent while they
// are still held, at their moment, once.
func TestBoardLong(t *testing.T) {
	for kind, after := range map[Kind]time.Duration{Long: longAfter, Start: startAfter} {
		t.Run(string(kind), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, func(r *rig) { r.button.drive(gpio.Level(kind == Long)) })
				defer r.panel.Close()
				if kind == Long {
					time.Sleep(time.Second)
					r.button.drive(gpio.Low)
				}
				time.Sleep(after - 20*ms)
				if len(r.presses()) != 0 {
					t.Error("sent too early")
				}
				time.Sleep(60 * ms)
				if got := r.presses(); len(got) != 1 || got[0].Kind != kind || got[0].Held < after {
					t.Errorf("sent %v", got)
				}
				time.Sleep(time.Minute)
				r.button.bounce(gpio.High, 9, ms)
				time.Sleep(time.Second)
				if got := r.presses(); len(got) != 0 {
					t.Errorf("sent again: %v", got)
				}
			})
		})
	}
}

// TestBoardWaits checks that an idle button costs next to nothing, and that an
// edge which the kernel never told is made good.
func TestBoardWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		defer r.panel.Close()
		time.Sleep(time.Second)
		before := r.button.looks()
		time.Sleep(time.Minute)
		if n := r.button.looks() - before; n > 75 {
			t.Errorf("looked %d times in an idle minute", n)
		}
		r.button.deaf(true)
		r.button.drive(gpio.Low)
		time.Sleep(2 * time.Second)
		r.button.drive(gpio.High)
		time.Sleep(time.Second)
		if len(r.presses()) != 1 {
			t.Error("a press without edges is lost")
		}
	})
}

// TestBoardNeverSpins has drivers whose WaitForEdge comes back at once: one that
// opening the pin anew cures, and two that nothing does.
func TestBoardNeverSpins(t *testing.T) {
	for name, c := range map[string]struct{ answer, heals bool }{
		"always an edge": {true, false}, "never an edge": {false, false}, "till it is opened anew": {false, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, func(r *rig) { r.button.broken, r.button.heals = &c.answer, c.heals })
				defer r.panel.Close()
				time.Sleep(time.Minute)
				if n := r.button.looks(); n > 6010 {
					t.Errorf("looked %d times in a minute", n)
				}
				told, want := r.log.count("no edges"), 0
				if !c.answer && !c.heals {
					want = 1
					if waits := r.button.waited(); waits > 2*giveUp {
						t.Errorf("waited %d times for edges that never come", waits)
					}
				}
				if told != want {
					t.Errorf("told %d times, want %d", told, want)
				}
				r.button.drive(gpio.Low)
				time.Sleep(100 * ms)
				r.button.drive(gpio.High)
				time.Sleep(100 * ms)
				if len(r.presses()) != 1 {
					t.Error("the press is lost")
				}
			})
		})
	}
}

func TestBoardOutputs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(r *rig) { r.lamp.level, r.buzzer.level = gpio.High, gpio.High })
		synctest.Wait()
		if r.lamp.is() != gpio.Low || r.buzzer.is() != gpio.Low {
			t.Error("an output is high after opening")
		}
		r.panel.Show(Night)
		time.Sleep(500 * ms)
		if r.lamp.is() != gpio.High || r.buzzer.is() != gpio.High {
			t.Error("night is dark or silent")
		}
		r.panel.Close()
		if r.lamp.is() != gpio.Low || r.buzzer.is() != gpio.Low {
			t.Error("an output is high after Close")
		}
		if r.lamp.closed+r.buzzer.closed > 0 {
			t.Error("Close gave a line back, which may float then")
		}
		if r.lamp.spoilt || r.buzzer.spoilt {
			t.Error("an output was read, which makes it an input")
		}
	})
}

// TestBoardOutputFails: the other output is switched off, a cue goes on without
// them, and both come back when the pin does.
func TestBoardOutputFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		defer r.panel.Close()
		r.panel.Show(Night)
		time.Sleep(500 * ms)
		r.lamp.fail(syscall.EIO)
		time.Sleep(30 * time.Second)
		if r.buzzer.is() != gpio.Low {
			t.Error("the buzzer hangs with the lamp")
		}
		s := r.panel.State()
		if want := (Fault{faultRefused, "GPIO27"}); s.Form != Simulated || s.Fault != want {
			t.Errorf("%s, %v; want %v", s.Form, s.Fault, want)
		}
		time.Sleep(time.Hour)
		if n := r.log.count(syscall.EIO.Error()); n != 1 {
			t.Errorf("told %d times:\n%s", n, r.log.String())
		}
		r.lamp.fail(nil)
		time.Sleep(10 * time.Second)
		if s := r.panel.State(); s.Form != Pins || s.Fault != (Fault{}) || s.Cue != Night {
			t.Errorf("not back: %+v", s)
		}
		lit := 0
		for range 20 {
			time.Sleep(250 * ms)
			if r.lamp.is() == gpio.High {
				lit++
			}
		}
		if lit < 8 || lit > 12 {
			t.Errorf("the lamp was lit at %d of 20 looks", lit)
		}
	})
}
