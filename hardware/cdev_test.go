package hardware

import (
	"errors"
	"sync"
	"syscall"
	"time"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/physic"
)

// cdevPin is a pin that behaves as one on a character device does with
// periph's driver, where the library's own fake is kinder: WaitForEdge with a
// negative timeout returns at once and with zero waits for good, edges queue
// up (16 of them) and each call takes one, Read turns an output into an input,
// an output that was refused once stays so until Close, a chip that is away
// reads as low, and there is no PWM. An error has the kernel's words and no
// more.
type cdevPin struct {
	name string

	mu     sync.Mutex
	level  gpio.Level
	held   bool // the line is ours
	out    bool
	pull   gpio.Pull
	edge   gpio.Edge
	edges  chan struct{}
	broken *bool // what WaitForEdge says at once, whatever happens; until Close when heals
	heals  bool
	mute   bool  // edges are lost
	err    error // of whatever asks the kernel
	spoilt bool  // an output was read
	reads  int
	outs   int
	waits  int
	closed int
}

func newCdevPin(name string) *cdevPin {
	return &cdevPin{name: name, level: gpio.High, edges: make(chan struct{}, 16)}
}

// drive sets the level from outside, as a contact does.
func (p *cdevPin) drive(l gpio.Level) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.level == l {
		return
	}
	p.level = l
	if p.out || p.edge == gpio.NoEdge || p.mute {
		return
	}
	select {
	case p.edges <- struct{}{}:
	default: // the kernel drops what doesn't fit
	}
}

// bounce drives to a level over n edges.
func (p *cdevPin) bounce(l gpio.Level, n int, every time.Duration) {
	for i := range n {
		p.drive(l == gpio.Level(i%2 == 0))
		time.Sleep(every)
	}
	p.drive(l)
}

func (p *cdevPin) deaf(yes bool) { p.mu.Lock(); p.mute = yes; p.mu.Unlock() }

// fail has the kernel refuse the pin; nil ends that.
func (p *cdevPin) fail(errno error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err = nil; errno != nil {
		p.err = errors.New(errno.Error())
	}
}

func (p *cdevPin) is() gpio.Level { p.mu.Lock(); defer p.mu.Unlock(); return p.level }

func (p *cdevPin) looks() int { p.mu.Lock(); defer p.mu.Unlock(); return p.reads }

func (p *cdevPin) sets() int { p.mu.Lock(); defer p.mu.Unlock(); return p.outs }

func (p *cdevPin) waited() int { p.mu.Lock(); defer p.mu.Unlock(); return p.waits }

// ask asks the kernel for something that needs the line.
func (p *cdevPin) ask() error {
	if p.err == nil {
		p.held = true
	}
	return p.err
}

func (p *cdevPin) In(pull gpio.Pull, edge gpio.Edge) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.out, p.pull, p.edge = false, pull, edge
	return p.ask()
}

func (p *cdevPin) Read() gpio.Level {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.reads++
	if p.out {
		p.out, p.spoilt, p.edge = false, true, gpio.NoEdge
	}
	if p.err != nil {
		return gpio.Low
	}
	return p.level
}

func (p *cdevPin) WaitForEdge(timeout time.Duration) bool {
	p.mu.Lock()
	p.waits++
	broken, edge, err := p.broken, p.edge, p.err
	p.mu.Unlock()
	switch {
	case broken != nil:
		return *broken
	case edge == gpio.NoEdge || err != nil:
		return false
	case timeout == 0:
		<-p.edges
		return true
	case timeout < 0: // a deadline in the past
		return false
	}
	select {
	case <-p.edges:
		return true
	case <-time.After(timeout):
		return false
	}
}

func (p *cdevPin) Out(l gpio.Level) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.out {
		p.out, p.edge = true, gpio.NoEdge
		if err := p.ask(); err != nil {
			return err
		}
	}
	switch {
	case p.err != nil:
		return p.err
	case !p.held: // it thinks that it holds the line, and asks the standard input
		return errors.New(syscall.ENOTTY.Error())
	}
	p.level = l
	p.outs++
	return nil
}

// Close gives the line back, as gpioioctl's lines can.
func (p *cdevPin) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.held, p.out, p.edge = false, false, gpio.NoEdge
	p.closed++
	if p.heals {
		p.broken = nil
	}
}

func (p *cdevPin) PWM(gpio.Duty, physic.Frequency) error { return errors.New("PWM() not implemented") }

func (p *cdevPin) Pull() gpio.Pull        { return p.pull }
func (p *cdevPin) DefaultPull() gpio.Pull { return gpio.PullNoChange }
func (p *cdevPin) Name() string           { return p.name }
func (p *cdevPin) String() string         { return p.name }
func (p *cdevPin) Number() int            { return 0 }
func (p *cdevPin) Function() string       { return "" }
func (p *cdevPin) Halt() error            { return nil }

var _ gpio.PinIO = (*cdevPin)(nil)
