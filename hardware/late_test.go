package hardware

import (
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"periph.io/x/conn/v3/gpio"
)

// press presses the button on the pins for a while.
func (r *rig) press(held time.Duration) {
	r.button.drive(gpio.Low)
	time.Sleep(held)
	r.button.drive(gpio.High)
	time.Sleep(500 * ms)
}

// TestPinsOrSimulated checks that a box without usable pins plays on, says so
// once, and takes them when they can be used.
func TestPinsOrSimulated(t *testing.T) {
	for name, c := range map[string]struct {
		broken, mended func(*rig)
		want           Fault
	}{
		"no chip":       {func(r *rig) { r.away = true }, func(r *rig) { r.plug() }, Fault{Key: faultNone}},
		"no such pin":   {func(r *rig) { r.lamp.name = "other" }, func(r *rig) { r.plug() }, Fault{faultUnknown, "GPIO27"}},
		"busy button":   {func(r *rig) { r.button.fail(syscall.EBUSY) }, func(r *rig) { r.button.fail(nil) }, Fault{faultTaken, "GPIO17"}},
		"lamp is taken": {func(r *rig) { r.lamp.fail(syscall.EBUSY) }, func(r *rig) { r.lamp.fail(nil) }, Fault{faultTaken, "GPIO27"}},
		"no edges":      {func(r *rig) { r.button.fail(syscall.ENXIO) }, func(r *rig) { r.button.fail(nil) }, Fault{faultRefused, "GPIO17"}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, c.broken)
				defer r.panel.Close()
				r.panel.Show(Vote)
				time.Sleep(time.Hour)
				s := r.panel.State()
				if s.Form != Simulated || s.Fault != c.want || s.Cue != Vote || s.Button.Line != "GPIO17" {
					t.Errorf("%+v, want %v", s, c.want)
				}
				if n := r.log.count("\n"); n != 1 || r.log.count("simulated") != 1 {
					t.Errorf("the log says:\n%s", r.log.String())
				}
				if r.panel.Press(2 * time.Second); len(r.presses()) != 1 {
					t.Error("the simulated button does nothing")
				}
				c.mended(r)
				time.Sleep(again + time.Second)
				if s := r.panel.State(); s.Form != Pins || s.Fault != (Fault{}) {
					t.Fatalf("the pins are back: %+v", s)
				}
				r.press(100 * ms)
				if got := r.presses(); len(got) != 1 || got[0].Kind != Short {
					t.Errorf("presses %v", got)
				}
				before := r.lamp.is()
				time.Sleep(250 * ms)
				if r.lamp.is() == before {
					t.Error("the vote that is on doesn't blink on pins that came late")
				}
			})
		})
	}
}

// TestChipGoes takes the chip away and brings it back, as often as it likes.
func TestChipGoes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		defer r.panel.Close()
		for range 5 {
			time.Sleep(2 * rest)
			r.press(100 * ms)
			if len(r.presses()) != 1 {
				t.Fatal("the press is lost")
			}
			r.unplug(syscall.ENODEV)
			r.panel.Show(Night)
			time.Sleep(10 * time.Second)
			if s := r.panel.State(); s.Form != Simulated || s.Fault != (Fault{Key: faultGone}) || s.Down {
				t.Fatalf("the chip is away: %+v", s)
			}
			if got := r.presses(); len(got) != 0 {
				t.Fatalf("a chip that is away reads as low, and pressed %v", got)
			}
			r.plug()
			time.Sleep(again + 500*ms)
			if s := r.panel.State(); s.Form != Pins {
				t.Fatalf("the chip is back: %+v", s)
			}
		}
		if n := r.log.count("\n"); n != 1+5*2 {
			t.Errorf("%d lines:\n%s", n, r.log.String())
		}
	})
}

// TestChipGoesSilently: no wait ends early and nothing is shown, so that only
// reading the button, which is low then, tells.
func TestChipGoesSilently(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		edge := true
		r := newRig(t, func(r *rig) { r.button.broken = &edge })
		defer r.panel.Close()
		time.Sleep(time.Second)
		r.unplug(syscall.ENODEV)
		time.Sleep(longAfter + time.Second)
		if got := r.presses(); len(got) != 0 {
			t.Errorf("pressed %v", got)
		}
		if s := r.panel.State(); s.Form != Simulated {
			t.Errorf("%+v", s)
		}
	})
}

// TestFlappingPins fail again and again: they are left alone for a while, and
// the log doesn't fill.
func TestFlappingPins(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		defer r.panel.Close()
		r.panel.Show(Vote)
		for range 1000 { // an hour
			r.lamp.fail(syscall.EIO)
			time.Sleep(1800 * ms)
			r.lamp.fail(nil)
			time.Sleep(1800 * ms)
		}
		if n := r.log.count("\n"); n > 130 {
			t.Errorf("%d lines in an hour:\n%s", n, strings.Join(strings.SplitAfter(r.log.String(), "\n")[:10], ""))
		}
	})
}

// TestStartOnlyAtStart: what is held when the pins come late, or come back, is
// no Start, or a shorted wire would draw new codes in the middle of a game.
func TestStartOnlyAtStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(r *rig) { r.away = true })
		defer r.panel.Close()
		for range 2 {
			time.Sleep(2 * rest)
			r.plug()
			r.button.drive(gpio.Low)
			time.Sleep(time.Minute)
			if got := r.presses(); len(got) != 0 || r.panel.State().Form != Pins {
				t.Fatalf("pressed %v", got)
			}
			r.unplug(syscall.ENODEV)
		}
	})
}

// TestModes: what is simulated as told, or off, looks for no pins.
func TestModes(t *testing.T) {
	for _, mode := range []string{Simulated, None} {
		synctest.Test(t, func(t *testing.T) {
			r := newRigWith(t, Options{Mode: mode}, nil)
			r.panel.Show(Night)
			time.Sleep(time.Hour)
			s := r.panel.State()
			if s.Form != mode || s.Button != (Pin{}) || s.Fault != (Fault{}) || r.button.held {
				t.Errorf("%+v", s)
			}
			r.panel.Press(0)
			if pressed := len(r.presses()) == 1; pressed != (mode == Simulated) || (s.Cue == Night) != pressed {
				t.Errorf("%s: pressed %v, cue %s", mode, pressed, s.Cue)
			}
			for range 2 {
				if err := r.panel.Close(); err != nil {
					t.Error(err)
				}
			}
			if _, open := <-r.panel.Presses(); open {
				t.Error("presses are open after Close")
			}
		})
	}
}
