package hardware

import (
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"time"

	"periph.io/x/conn/v3/driver/driverreg"
	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/gpio/gpioreg"
	"periph.io/x/host/v3/gpioioctl"
)

// finder gives the pin of a name.
type finder func(name string) (gpio.PinIO, error)

// findPins finds a pin of the kernel's GPIO character devices.
//
// Of periph's drivers only this one is linked. The others map the processor's
// registers, as root through /dev/mem, which on a Pi 5 are not where they
// think, and want sysfs numbers and the device tree. This one needs no more
// than the group gpio, works alike on every Pi, and does no harm as root.
func findPins(name string) (gpio.PinIO, error) {
	state, err := driverreg.Init()
	if err != nil {
		return nil, err
	}
	if chip, number, ok := strings.Cut(name, ":"); ok {
		return findLine(chip, number)
	}
	if p := gpioreg.ByName(name); p != nil {
		return p, nil
	}
	for _, f := range append(state.Skipped, state.Failed...) {
		err = errors.Join(err, f.Err)
	}
	if err == nil {
		err = fmt.Errorf("no pin %s", name)
	}
	return nil, err
}

// findLine finds a line by its chip and number, on kernels that name no lines.
func findLine(chip, number string) (gpio.PinIO, error) {
	n, err := strconv.Atoi(number)
	if err != nil {
		return nil, fmt.Errorf("pin %s:%s: %w", chip, number, err)
	}
	for _, c := range gpioioctl.Chips {
		if c.Name() == chip && n >= 0 && n < c.LineCount() {
			return c.ByNumber(n), nil
		}
	}
	return nil, fmt.Errorf("no pin %s:%s", chip, number)
}

// board is the panel on real pins.
type board struct {
	*player
	*presses
	o      Options
	log    *slog.Logger
	button gpio.PinIn
	quit   chan struct{}
	done   chan struct{}
	once   sync.Once
}

func openBoard(o Options, log *slog.Logger, find finder) (*board, error) {
	button, err := find(o.Button)
	if err != nil {
		return nil, err
	}
	lamp, err := find(o.Lamp)
	if err != nil {
		return nil, err
	}
	buzzer, err := find(o.Buzzer)
	if err != nil {
		return nil, err
	}
	// The Pi's own pull-up holds the pin high until the button pulls it to ground.
	if err := button.In(gpio.PullUp, gpio.BothEdges); err != nil {
		return nil, fmt.Errorf("pin %s: %w", o.Button, err)
	}
	if err := lamp.Out(gpio.Low); err != nil {
		return nil, fmt.Errorf("pin %s: %w", o.Lamp, err)
	}
	if err := buzzer.Out(gpio.Low); err != nil {
		return nil, fmt.Errorf("pin %s: %w", o.Buzzer, err)
	}
	b := &board{presses: newPresses(), o: o, log: log, button: button,
		quit: make(chan struct{}), done: make(chan struct{})}
	out := outputs{log: log, lamp: lamp, buzzer: buzzer}
	b.player = newPlayer(out.set)
	go b.watch()
	return b, nil
}

// Close turns lamp and buzzer off. Their lines stay ours and low until the
// program ends: a pin given back may float, and an open transistor hums.
func (b *board) Close() error {
	b.once.Do(func() { close(b.quit) })
	<-b.done
	b.stop()
	b.close()
	return nil
}

// Describe names the pins.
func (b *board) Describe() string {
	return fmt.Sprintf("%s button, %s lamp, %s buzzer", b.o.Button, b.o.Lamp, b.o.Buzzer)
}

// outputs are the two pins that the player sets.
type outputs struct {
	log          *slog.Logger
	lamp, buzzer gpio.PinOut
	failed       bool
}

// set puts both pins to their levels. A pin that fails is told once: the
// game goes on without its lamp, and a lamp that blinks would fill the log.
func (o *outputs) set(lamp, buzzer bool) {
	err := errors.Join(o.lamp.Out(gpio.Level(lamp)), o.buzzer.Out(gpio.Level(buzzer)))
	if err != nil && !o.failed {
		o.failed = true
		o.log.Warn("panel: a pin can't be set", "err", err)
	}
}

const (
	// idle is how long one wait for an edge lasts at most. After it the pin is
	// read even if no edge came, so one that got lost is made good; and Close
	// waits no longer. A wait without end doesn't exist on character devices:
	// there WaitForEdge(-1) returns at once.
	idle = 250 * time.Millisecond
	// pace is the shortest time between two looks at the pin, whatever
	// WaitForEdge does: a contact that bounces, or a driver that always says
	// yes, must not take the processor from the table.
	pace = 10 * time.Millisecond
	// giveUp is after how many waits that ended early without an edge the pin
	// is only polled: such a driver may also write a line to the log each time.
	giveUp = 20
)

// watch turns the button's level into presses. Edges only wake it: what counts
// is the level that it then reads.
func (b *board) watch() {
	defer close(b.done)
	var d debouncer
	early := 0
	for {
		began := time.Now()
		if press, ok := d.sample(b.button.Read() == gpio.Low, began); ok {
			b.put(press)
		}
		if early < giveUp && !d.busy(began) {
			edge := b.button.WaitForEdge(idle)
			if !edge && time.Since(began) < idle/2 {
				if early++; early == giveUp {
					b.log.Warn("panel: the button's pin reports no edges, it is polled")
				}
			} else {
				early = 0
			}
		}
		// The sleep can't be cut short by Close, but it is short; a select would
		// have to choose between two ready channels and now and then wait again.
		time.Sleep(pace - time.Since(began))
		select {
		case <-b.quit:
			return
		default:
		}
	}
}
