package hardware

import (
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"periph.io/x/conn/v3/gpio"
)

func quiet() *slog.Logger { return slog.New(slog.NewTextHandler(io.Discard, nil)) }

// rig is a panel on fake pins, and its log.
type rig struct {
	button, lamp, buzzer *cdevPin
	panel                *Panel
	log                  lines

	mu   sync.Mutex
	away bool // there is no chip
}

// lines are what a log says; it may be read meanwhile.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string { l.mu.Lock(); defer l.mu.Unlock(); return l.text.String() }

func (l *lines) count(what string) int { return strings.Count(l.String(), what) }

func newRig(t *testing.T, change func(*rig)) *rig { return newRigWith(t, Options{}, change) }

func newRigWith(t *testing.T, o Options, change func(*rig)) *rig {
	t.Helper()
	r := &rig{}
	r.plug()
	if change != nil {
		change(r)
	}
	p, err := open(o, slog.New(slog.NewTextHandler(&r.log, nil)), r.find)
	if err != nil {
		t.Fatal(err)
	}
	r.panel = p
	return r
}

func (r *rig) find(line string) (gpio.PinIO, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.away {
		return nil, errNoChip
	}
	for _, p := range []*cdevPin{r.button, r.lamp, r.buzzer} {
		if p.Name() == line {
			return p, nil
		}
	}
	return nil, errNoPin
}

// plug brings a chip, with pins of its own.
func (r *rig) plug() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.button, r.lamp, r.buzzer = newCdevPin("GPIO17"), newCdevPin("GPIO27"), newCdevPin("GPIO22")
	r.lamp.level, r.buzzer.level = gpio.Low, gpio.Low
	r.away = false
}

// unplug takes the chip away.
func (r *rig) unplug(errno error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.away = true
	for _, p := range []*cdevPin{r.button, r.lamp, r.buzzer} {
		p.fail(errno)
	}
}

// presses takes the presses that wait.
func (r *rig) presses() (all []Press) {
	for len(r.panel.Presses()) > 0 {
		all = append(all, <-r.panel.Presses())
	}
	return all
}
