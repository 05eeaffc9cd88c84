package hardware

import (
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"periph.io/x/conn/v3/gpio"
)

// rig is a board on fake pins, and its log.
type rig struct {
	button, lamp, buzzer *cdevPin
	panel                Panel
	log                  strings.Builder
}

func newRig(t *testing.T, change func(*rig)) *rig {
	t.Helper()
	r := &rig{button: newCdevPin("GPIO17"), lamp: newCdevPin("GPIO27"), buzzer: newCdevPin("GPIO22")}
	if change != nil {
		change(r)
	}
	p, err := open(Options{}, slog.New(slog.NewTextHandler(&r.log, nil)), func(name string) (gpio.PinIO, error) {
		for _, p := range []*cdevPin{r.button, r.lamp, r.buzzer} {
			if p.Name() == name {
				return p, nil
			}
		}
		return nil, errors.New("no pin " + name)
	})
	if err != nil {
		t.Fatal(err)
	}
	r.panel = p
	return r
}

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
		time.Sleep(3 * time.Second)
		r.button.bounce(gpio.High, 9, ms)
		time.Sleep(time.Second)
		select {
		case p := <-r.panel.Presses():
			if d := p.At.Sub(begin); d < 0 || d > 20*ms {
				t.Errorf("pressed after %v", d)
			}
			if d := p.Held - 3*time.Second; d < -20*ms || d > 20*ms {
				t.Errorf("held %v", p.Held)
			}
		default:
			t.Fatal("no press")
		}
		if n := len(r.panel.Presses()); n != 0 {
			t.Errorf("%d more presses of one", n)
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

// TestBoardWaits checks that an idle button costs next to nothing, and that an
// edge which the kernel never told is made good.
func TestBoardWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		defer r.panel.Close()
		time.Sleep(time.Second)
		before := r.button.looks()
		time.Sleep(time.Minute)
		if n := r.button.looks() - before; n > 300 {
			t.Errorf("looked %d times in an idle minute", n)
		}
		r.button.deaf(true)
		r.button.drive(gpio.Low)
		time.Sleep(2 * time.Second)
		r.button.drive(gpio.High)
		time.Sleep(time.Second)
		if len(r.panel.Presses()) != 1 {
			t.Error("a press without edges is lost")
		}
	})
}

// TestBoardNeverSpins has drivers whose WaitForEdge comes back at once.
func TestBoardNeverSpins(t *testing.T) {
	for name, answer := range map[string]bool{"always an edge": true, "never an edge": false} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, func(r *rig) { r.button.broken = &answer })
				defer r.panel.Close()
				time.Sleep(time.Minute)
				if n := r.button.looks(); n > 6010 {
					t.Errorf("looked %d times in a minute", n)
				}
				if waits := r.button.waited(); !answer && waits > giveUp {
					t.Errorf("waited %d times for edges that never come", waits)
				}
				if told := strings.Count(r.log.String(), "no edges"); !answer && told != 1 {
					t.Errorf("told %d times", told)
				}
				r.button.drive(gpio.Low)
				time.Sleep(100 * ms)
				r.button.drive(gpio.High)
				time.Sleep(100 * ms)
				if len(r.panel.Presses()) != 1 {
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
		if r.lamp.spoilt || r.buzzer.spoilt {
			t.Error("an output was read, which makes it an input")
		}
	})
}

func TestBoardOutputFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		r.lamp.fail(errors.New("line is gone"))
		r.panel.Show(Vote)
		time.Sleep(time.Minute)
		if r.buzzer.is() != gpio.Low {
			t.Error("the buzzer hangs with the lamp")
		}
		r.panel.Close()
		if n := strings.Count(r.log.String(), "line is gone"); n != 1 {
			t.Errorf("told %d times:\n%s", n, r.log.String())
		}
	})
}

// TestBoardOrSimulated checks that a box without usable pins plays on, and says so once.
func TestBoardOrSimulated(t *testing.T) {
	for name, change := range map[string]func(*rig){
		"no such pin":   func(r *rig) { r.lamp.name = "other" },
		"busy button":   func(r *rig) { r.button.err = errors.New("busy") },
		"lamp is taken": func(r *rig) { r.lamp.err = errors.New("busy") },
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, change)
			defer r.panel.Close()
			if _, ok := r.panel.(*Sim); !ok {
				t.Fatalf("the panel is %s", r.panel.Describe())
			}
			if n := strings.Count(r.log.String(), "\n"); n != 1 || !strings.Contains(r.log.String(), "simulated") {
				t.Errorf("the log says:\n%s", r.log.String())
			}
		})
	}
}

// TestFindPins runs against the machine as it is: it must neither fail hard
// nor find what isn't there.
func TestFindPins(t *testing.T) {
	for _, name := range []string{"GPIO-none", "gpiochip-none:3", "gpiochip0:x", "gpiochip0:99999"} {
		if p, err := findPins(name); err == nil {
			t.Errorf("found %s: %v", name, p)
		}
	}
}
