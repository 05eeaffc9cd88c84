// Package hardware is the box on the table: a button, a lamp and a buzzer, on
// the pins of a Raspberry Pi or simulated.
//
// The panel stands where everybody sees and hears it, so a cue may depend on
// public things only: what phase the table is in, never on who did what in it.
package hardware

import (
	"fmt"
	"log/slog"
	"sync"
	"time"
)

// Panel is the button, the lamp and the buzzer.
type Panel interface {
	// Presses gives each press of the button once it is let go. It is closed by Close.
	Presses() <-chan Press
	// Show plays a cue from its beginning and ends the one before. It never blocks.
	Show(Cue)
	// Close turns the lamp and the buzzer off and ends the panel.
	Close() error
	// Describe says in a few words what the panel is made of.
	Describe() string
}

// Press is one press of the button.
type Press struct {
	At   time.Time     // when it was pushed down
	Held time.Duration // how long it was held
}

// The modes in which a panel is opened.
const (
	Auto      = "auto" // the pins where they exist, else simulated
	Simulated = "sim"
	None      = "off"
)

// Options say how a panel is opened. A pin is named as its line is ("GPIO17"),
// or by chip and number where lines have no names ("gpiochip0:17").
type Options struct {
	Mode   string // Auto, Simulated or None; empty is Auto
	Button string // the pin that the button pulls to ground; empty is GPIO17
	Lamp   string // empty is GPIO27
	Buzzer string // of an active buzzer, which needs no tone; empty is GPIO22
}

// Open opens the panel in a mode, on the usual pins.
func Open(mode string, log *slog.Logger) (Panel, error) {
	return OpenWith(Options{Mode: mode}, log)
}

// OpenWith opens the panel that the options describe. The only error is a mode
// that doesn't exist: a box without pins, or with pins that somebody else
// holds, plays on with the simulated panel, and the log says so once.
func OpenWith(o Options, log *slog.Logger) (Panel, error) {
	return open(o, log, findPins)
}

// open is OpenWith with the way in which pins are found, which tests replace.
func open(o Options, log *slog.Logger, find finder) (Panel, error) {
	o = o.withDefaults()
	switch o.Mode {
	case None:
		return newBlank(), nil
	case Simulated:
		log.Info("panel: simulated, as told")
		return NewSim(), nil
	case Auto:
		b, err := openBoard(o, log, find)
		if err != nil {
			log.Info("panel: simulated, there are no pins to use", "why", err)
			return NewSim(), nil
		}
		log.Info("panel: " + b.Describe())
		return b, nil
	}
	return nil, fmt.Errorf("hardware: no panel mode %q (%s, %s or %s)", o.Mode, Auto, Simulated, None)
}

func (o Options) withDefaults() Options {
	for _, d := range []struct {
		value *string
		usual string
	}{{&o.Mode, Auto}, {&o.Button, "GPIO17"}, {&o.Lamp, "GPIO27"}, {&o.Buzzer, "GPIO22"}} {
		if *d.value == "" {
			*d.value = d.usual
		}
	}
	return o
}

// presses is the button's side of every panel: a queue that nobody has to read.
type presses struct {
	mu     sync.Mutex
	queue  chan Press
	closed bool
}

func newPresses() *presses { return &presses{queue: make(chan Press, 8)} }

// Presses gives each press of the button; closed by Close.
func (p *presses) Presses() <-chan Press { return p.queue }

// put hands a press on. When eight already wait nobody is listening, and a
// press that is acted on minutes later would be worse than one that is lost.
func (p *presses) put(press Press) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return
	}
	select {
	case p.queue <- press:
	default:
	}
}

func (p *presses) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.closed {
		p.closed = true
		close(p.queue)
	}
}

// blank is the panel that does nothing.
type blank struct{ *presses }

func newBlank() blank { return blank{newPresses()} }

func (blank) Show(Cue)         {}
func (b blank) Close() error   { b.close(); return nil }
func (blank) Describe() string { return "off" }
