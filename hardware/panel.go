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
	"sync/atomic"
	"time"
)

// The modes in which a panel is opened, and its forms: Auto is Pins or Simulated.
const (
	Auto      = "auto" // a mode alone: the pins, and simulated while they are not there
	Simulated = "sim"
	None      = "off"
	Pins      = "pins" // a form alone
)

// Options say how a panel is opened.
type Options struct {
	Mode   string // Auto, Simulated or None; empty is Auto
	Button Pin    // pulled to ground when it is pressed; empty is GPIO17
	Lamp   Pin    // empty is GPIO27
	Buzzer Pin    // an active one, which needs no tone; empty is GPIO22
}

// Panel is the button, the lamp and the buzzer: on pins while there are any, to
// be pressed and looked at on a page while not. Which of them it is may change
// at any time; what it shows and who reads its presses goes on.
type Panel struct {
	*player
	*presses
	o       Options
	log     *slog.Logger
	find    finder
	down    atomic.Bool   // the button on the pins
	changed chan struct{} // one slot
	quit    chan struct{}
	done    chan struct{}
	once    sync.Once

	mu           sync.Mutex
	board        *board // nil: simulated or off
	had          bool   // there was a board
	lamp, buzzer bool   // what the outputs are, or would be
	fault        Fault
}

// Open opens the panel that the options describe. Only options that can't be
// meant are an error: a box without pins, or with pins that somebody else holds,
// plays on with the simulated panel, looks for them again, and the log says so once.
func Open(o Options, log *slog.Logger) (*Panel, error) { return open(o, log, findPin) }

// open is Open with the way in which pins are found, which tests replace.
func open(o Options, log *slog.Logger, find finder) (*Panel, error) {
	if err := o.Check(); err != nil {
		return nil, fmt.Errorf("hardware: %w", err)
	}
	p := &Panel{presses: newPresses(), o: o.withDefaults(), log: log, find: find,
		changed: make(chan struct{}, 1), quit: make(chan struct{}), done: make(chan struct{})}
	p.player = newPlayer(p.set, p.tell)
	if p.o.Mode != Auto {
		log.Info("panel: " + p.Describe() + ", as told")
		close(p.done)
		return p, nil
	}
	go p.run(p.look())
	return p, nil
}

// Check refuses a mode that doesn't exist, and one pin for two things.
func (o Options) Check() error {
	o = o.withDefaults()
	if o.Mode != Auto && o.Mode != Simulated && o.Mode != None {
		return fmt.Errorf("no panel mode %.40q: expected %s, %s or %s", o.Mode, Auto, Simulated, None)
	}
	if o.Button.Line == o.Lamp.Line || o.Button.Line == o.Buzzer.Line || o.Lamp.Line == o.Buzzer.Line {
		return fmt.Errorf("the panel has button %s, lamp %s and buzzer %s: expected three pins", o.Button, o.Lamp, o.Buzzer)
	}
	return nil
}

func (o Options) withDefaults() Options {
	if o.Mode == "" {
		o.Mode = Auto
	}
	o.Button = o.Button.or("GPIO17", low)
	o.Lamp = o.Lamp.or("GPIO27", high)
	o.Buzzer = o.Buzzer.or("GPIO22", high)
	return o
}

const (
	// again is how often pins that are not there are looked for.
	again = 3 * time.Second
	// rest is how long pins are left alone that failed sooner than that: they
	// may do so for ever, and each time is a line or two in the log.
	rest = time.Minute
)

// run reads the button of one board after another, until Close.
func (p *Panel) run(b *board) {
	defer close(p.done)
	begun := true // only pins that are there from the beginning can be held from the beginning
	for {
		wait := again
		if b != nil {
			since := time.Now()
			err := b.watch(begun, p.put, p.hold, p.quit)
			if err == nil {
				return
			}
			p.leave(b, err)
			if time.Since(since) < rest {
				wait = rest
			}
		}
		begun = false
		select {
		case <-p.quit:
			return
		case <-time.After(wait):
		}
		b = p.look()
	}
}

// look takes the pins into use if they are there.
func (p *Panel) look() *board {
	b, err := openBoard(p.o, p.log, p.find)
	p.mu.Lock()
	defer p.mu.Unlock()
	if err != nil {
		p.note("panel: simulated, as the pins can't be used", err)
		return nil
	}
	p.board, p.had, p.fault = b, true, Fault{}
	p.tell()
	b.set(p.lamp, p.buzzer)
	p.log.Info("panel: " + b.describe())
	return b
}

// leave gives up pins that failed.
func (p *Panel) leave(b *board, err error) {
	p.mu.Lock()
	p.board = nil
	p.note("panel: simulated, as the pins failed", err)
	p.mu.Unlock()
	p.hold(false)
	b.release()
}

// note keeps a fault, and logs it unless it is the one of the last look.
func (p *Panel) note(what string, err error) {
	t := faultOf(err)
	if p.had && (t.Key == faultNone || t.Key == faultUnknown) {
		t = Fault{Key: faultGone}
	}
	if t != p.fault {
		p.log.Warn(what, "why", err)
		p.fault = t
		p.tell()
	}
}

// hold notes whether the button is held.
func (p *Panel) hold(down bool) {
	if p.down.Swap(down) != down {
		p.tell()
	}
}

func (p *Panel) tell() {
	select {
	case p.changed <- struct{}{}:
	default: // whoever draws is about to look anyway
	}
}

// Changed tells whoever draws the panel that it is to be drawn anew: it shows
// another cue, or the same once more, has another form or fault, or its button
// is held or let go. What the lamp and the buzzer do within a cue is not told.
func (p *Panel) Changed() <-chan struct{} { return p.changed }

// set puts the outputs to their levels, and remembers them for pins that come later.
func (p *Panel) set(lamp, buzzer bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lamp, p.buzzer = lamp, buzzer
	if p.board != nil {
		p.board.set(lamp, buzzer)
	}
}

// Press presses the simulated button now, as if it had been held that long.
// While there is one on pins it does nothing.
func (p *Panel) Press(held time.Duration) {
	if p.State().Form == Simulated {
		p.put(Press{At: time.Now().Add(-held), Held: held, Kind: kindOf(held)})
	}
}

// Show plays a cue from its beginning and ends the one before; an unknown one
// is dark and silent. It never blocks.
func (p *Panel) Show(c Cue) {
	if p.o.Mode != None {
		p.player.Show(c)
	}
}

// Light goes on with the lamp of a cue, without its sound. A bell rings on.
func (p *Panel) Light(c Cue) {
	if p.o.Mode != None {
		p.player.Light(c)
	}
}

// Close turns lamp and buzzer off and ends the panel. The lines stay ours until
// the program ends: a pin given back may float, and an open transistor hums.
func (p *Panel) Close() error {
	p.stop()
	p.once.Do(func() { close(p.quit) })
	<-p.done
	p.close()
	return nil
}

// Describe says in a few words what the panel is made of.
func (p *Panel) Describe() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.board != nil:
		return p.board.describe()
	case p.o.Mode == None:
		return "off"
	}
	return "simulated"
}

// State is what a panel is made of and what it shows, for a page.
type State struct {
	Form                 string // Pins, Simulated or None
	Button, Lamp, Buzzer Pin    // that are used, or looked for; empty unless the mode is Auto
	Fault                Fault  // why they are not used; zero while they are
	Down                 bool   // the button is held; never while it is simulated
	Cue                  Cue
	Begun                time.Time // when that was shown
	Lights               Cue       // whose lamp is seen: a bell leaves that of the cue before
	Silent               bool
	Lit, Sounds          bool // the lamp and the buzzer, at this moment
}

// State tells how the panel stands now.
func (p *Panel) State() State {
	s := p.shown()
	s.Form = p.o.Mode
	if p.o.Mode != Auto {
		return s
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	s.Button, s.Lamp, s.Buzzer, s.Fault = p.o.Button, p.o.Lamp, p.o.Buzzer, p.fault
	s.Form, s.Down = Simulated, p.down.Load()
	if p.board != nil {
		s.Form = Pins
	}
	return s
}
