package hardware

import (
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"periph.io/x/conn/v3/gpio"
)

// TestNaive does on a character device's pins what is usual on others. Each of
// these fails there, and the panel that meets the same doesn't.
func TestNaive(t *testing.T) {
	for _, c := range []struct {
		name  string
		naive func(*rig) bool // whether it works; it has the pins for itself
		panel func(*rig) bool
	}{
		{
			"wait for an edge without end",
			func(r *rig) bool {
				begin := time.Now()
				_ = r.button.In(gpio.PullUp, gpio.BothEdges)
				for range 1000 {
					if r.button.WaitForEdge(-1) {
						return true
					}
				}
				return time.Since(begin) > 0 // no time has passed: a loop of these takes a core
			},
			func(r *rig) bool { time.Sleep(time.Minute); return r.button.waited() < 75 },
		},
		{
			"count edges",
			func(r *rig) bool {
				_ = r.button.In(gpio.PullUp, gpio.FallingEdge)
				r.button.bounce(gpio.Low, 9, ms)
				r.button.bounce(gpio.High, 9, ms)
				n := 0
				for r.button.WaitForEdge(time.Second) {
					n++
				}
				return n == 1
			},
			func(r *rig) bool {
				time.Sleep(time.Second)
				r.button.bounce(gpio.Low, 9, ms)
				time.Sleep(100 * ms)
				r.button.bounce(gpio.High, 9, ms)
				time.Sleep(time.Second)
				return len(r.presses()) == 1
			},
		},
		{
			"take an edge for a change of the level",
			func(r *rig) bool {
				_ = r.button.In(gpio.PullUp, gpio.BothEdges)
				r.button.deaf(true)
				r.button.drive(gpio.Low)
				r.button.deaf(false)
				return r.button.WaitForEdge(time.Hour)
			},
			func(r *rig) bool {
				time.Sleep(time.Second)
				r.button.deaf(true)
				r.button.drive(gpio.Low)
				time.Sleep(1500 * ms)
				r.button.drive(gpio.High)
				time.Sleep(time.Second)
				return len(r.presses()) == 1
			},
		},
		{
			"toggle an output by what it reads",
			func(r *rig) bool {
				_ = r.lamp.Out(gpio.Low)
				_ = r.lamp.Out(!r.lamp.Read())
				return !r.lamp.spoilt
			},
			func(r *rig) bool { r.panel.Show(Vote); time.Sleep(time.Minute); return !r.lamp.spoilt },
		},
		{
			"have the driver make the tone",
			func(r *rig) bool { return r.buzzer.PWM(gpio.DutyHalf, 2000) == nil },
			func(r *rig) bool { r.panel.Show(Time); time.Sleep(100 * ms); return r.buzzer.is() == gpio.High },
		},
		{
			"try once more what was refused",
			func(r *rig) bool {
				r.lamp.fail(syscall.EBUSY)
				_ = r.lamp.Out(gpio.Low)
				r.lamp.fail(nil)
				return r.lamp.Out(gpio.High) == nil
			},
			func(r *rig) bool {
				r.lamp.fail(syscall.EBUSY)
				r.panel.Show(Closed)
				time.Sleep(2 * rest)
				r.lamp.fail(nil)
				time.Sleep(2 * rest)
				return r.lamp.is() == gpio.High
			},
		},
		{
			"believe what a pin reads",
			func(r *rig) bool {
				_ = r.button.In(gpio.PullUp, gpio.BothEdges)
				r.unplug(syscall.ENODEV)
				return r.button.Read() == gpio.High // nobody presses
			},
			func(r *rig) bool {
				time.Sleep(time.Second)
				r.unplug(syscall.ENODEV)
				time.Sleep(time.Minute)
				return len(r.presses()) == 0
			},
		},
		{
			"set up the pin at start, and never again",
			func(r *rig) bool {
				r.button.fail(syscall.EBUSY)
				_ = r.button.In(gpio.PullUp, gpio.BothEdges)
				time.Sleep(10 * time.Second)
				r.button.fail(nil)
				go func() { time.Sleep(time.Second); r.button.Close(); r.button.drive(gpio.Low) }()
				return r.button.WaitForEdge(time.Minute)
			},
			func(r *rig) bool {
				r.unplug(syscall.EBUSY)
				time.Sleep(10 * time.Second)
				r.plug()
				time.Sleep(2 * rest)
				r.press(100 * ms)
				return len(r.presses()) == 1
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				bare := &rig{}
				bare.plug()
				if c.naive(bare) {
					t.Error("this works, so the fake is too kind")
				}
				r := newRig(t, nil)
				defer r.panel.Close()
				if !c.panel(r) {
					t.Error("the panel fails as well")
				}
			})
		})
	}
}
