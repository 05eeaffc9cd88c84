package hardware

import (
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"periph.io/x/conn/v3/gpio"
)

// TestChanged: who draws the panel is told of a cue, of the button, and of pins
// that go or come; of blinking and sounding never.
func TestChanged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		defer r.panel.Close()
		told := func() (yes bool) {
			select {
			case <-r.panel.Changed():
				return true
			default:
				return false
			}
		}
		time.Sleep(time.Second)
		told() // it is there
		for _, c := range []struct {
			name string
			do   func()
			is   func(State) bool
		}{
			{"a cue", func() { r.panel.Show(Vote) }, func(s State) bool { return s.Cue == Vote && s.Lights == Vote }},
			{"the same once more", func() { r.panel.Show(Vote) }, func(s State) bool { return time.Since(s.Begun) < time.Minute }},
			{"a bell", func() { r.panel.Show(Ten) }, func(s State) bool { return s.Cue == Ten && s.Lights == Vote }},
			{"held", func() { r.button.drive(gpio.Low) }, func(s State) bool { return s.Down }},
			{"let go", func() { r.button.drive(gpio.High) }, func(s State) bool { return !s.Down }},
			{"silence", func() { r.panel.Silence(true) }, func(s State) bool { return s.Silent }},
			{"pins that go", func() { r.unplug(syscall.ENODEV) }, func(s State) bool { return s.Form == Simulated && s.Fault.Key == faultGone }},
			{"pins that come", func() { r.plug() }, func(s State) bool { return s.Form == Pins && s.Fault == Fault{} }},
			{"pins that another has", func() { r.button.fail(syscall.EBUSY) }, func(s State) bool { return s.Form == Simulated && s.Fault.Key == faultTaken }},
		} {
			c.do()
			time.Sleep(10 * time.Second)
			if s := r.panel.State(); !told() || !c.is(s) {
				t.Errorf("%s: not told, or not so: %+v", c.name, s)
			}
			r.panel.Silence(r.panel.State().Silent)
			time.Sleep(2 * rest)
			if told() {
				t.Errorf("told long after %s", c.name)
			}
		}
	})
}
