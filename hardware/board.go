package hardware

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"periph.io/x/conn/v3/gpio"
)

// board is the three pins in use.
type board struct {
	o                    Options
	log                  *slog.Logger
	button, lamp, buzzer gpio.PinIO
	failed               chan error // one slot: an output that can't be set
}

// openBoard takes the pins into use, the outputs off.
func openBoard(o Options, log *slog.Logger, find finder) (*board, error) {
	b := &board{o: o, log: log, failed: make(chan error, 1)}
	for _, p := range []struct {
		pin *gpio.PinIO
		o   Pin
	}{{&b.button, o.Button}, {&b.lamp, o.Lamp}, {&b.buzzer, o.Buzzer}} {
		pin, err := find(p.o.Line)
		if err != nil {
			return nil, pinError{p.o, err}
		}
		*p.pin = pin
	}
	if b.button == b.lamp || b.button == b.buzzer || b.lamp == b.buzzer {
		return nil, pinError{o.Buzzer, errors.New("two of the panel's pins are the same line")}
	}
	err := errors.Join(b.in(), b.out(false, false))
	if err != nil {
		b.release()
		return nil, err
	}
	return b, nil
}

// in makes the button's pin an input. The Pi's own pull holds it until the
// button connects it to ground, or to 3.3 V where high is pressed.
//
// On a pin that is one already this changes nothing, and it is the way to ask
// whether the pin still works: Read can't say so, it reads low then.
func (b *board) in() error {
	pull := gpio.PullUp
	if b.o.Button.level(true, gpio.Low) == gpio.High {
		pull = gpio.PullDown
	}
	if err := b.button.In(pull, gpio.BothEdges); err != nil {
		return pinError{b.o.Button, err}
	}
	return nil
}

// out puts the outputs to their levels. It tries both, whatever the first says.
func (b *board) out(lamp, buzzer bool) error {
	var first, second error
	if err := b.lamp.Out(b.o.Lamp.level(lamp, gpio.High)); err != nil {
		first = pinError{b.o.Lamp, err}
	}
	if err := b.buzzer.Out(b.o.Buzzer.level(buzzer, gpio.High)); err != nil {
		second = pinError{b.o.Buzzer, err}
	}
	return errors.Join(first, second)
}

// set is out for a board in use: watch ends when it fails.
func (b *board) set(lamp, buzzer bool) {
	if err := b.out(lamp, buzzer); err != nil {
		select {
		case b.failed <- err:
		default:
		}
	}
}

// release turns the outputs off, as far as that works, and gives the pins back.
// Without that periph would take a pin that failed once for open ever after.
func (b *board) release() {
	_ = b.out(false, false)
	for _, pin := range []gpio.PinIO{b.button, b.lamp, b.buzzer} {
		free(pin)
	}
}

func free(pin gpio.PinIO) {
	if line, ok := pin.(interface{ Close() }); ok {
		line.Close()
	}
}

func (b *board) describe() string {
	return fmt.Sprintf("%s button, %s lamp, %s buzzer", b.o.Button, b.o.Lamp, b.o.Buzzer)
}

const (
	// idle is how long one wait for an edge lasts at most. After it the pin is
	// read even if no edge came, so one that got lost is made good; and Close
	// waits no longer. Shorter would cost more: waking is all that an idle panel
	// does. A wait without end doesn't exist on character devices: there
	// WaitForEdge(-1) returns at once.
	idle = time.Second
	// pace is the shortest time between two looks at the pin, whatever
	// WaitForEdge does: a contact that bounces, or a driver that always says
	// yes, must not take the processor from the table.
	pace = 10 * time.Millisecond
	// giveUp is after how many waits that ended early without an edge the pin is
	// opened anew, and after as many again only polled: such a driver may also
	// write a line to the log each time.
	giveUp = 20
)

// watch turns the button's level into presses until quit, or until a pin fails.
// Edges only wake it: what counts is the level that it then reads. A press is
// sent, and begun tells whether one may be a Start, only while the pin works.
func (b *board) watch(begun bool, put func(Press), down func(bool), quit <-chan struct{}) error {
	d := debouncer{begun: begun}
	early := 0
	for {
		now := time.Now()
		press, ok := d.sample(b.button.Read() == b.o.Button.level(true, gpio.Low), now)
		if ok {
			if err := b.in(); err != nil {
				return err
			}
			put(press)
		}
		down(d.down)
		if early < 2*giveUp && !d.busy() {
			wait := max(d.wait(idle, now), pace) // zero would be for ever
			edge := b.button.WaitForEdge(wait)
			if edge || time.Since(now) >= wait/2 {
				early = 0
			} else if err := b.early(&early); err != nil {
				return err
			}
		}
		// The sleep can't be cut short by Close, but it is short; a select would
		// have to choose between two ready channels and now and then wait again.
		time.Sleep(pace - time.Since(now))
		select {
		case <-quit:
			return nil
		case err := <-b.failed:
			return err
		default:
		}
	}
}

// early sees to a wait that ended too early and without an edge.
func (b *board) early(times *int) error {
	*times++
	switch *times {
	case giveUp:
		free(b.button)
	case 2 * giveUp:
		b.log.Warn("panel: the button's pin reports no edges, it is polled", "pin", b.o.Button.Line)
	}
	return b.in()
}
