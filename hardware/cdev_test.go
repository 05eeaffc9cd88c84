package hardware

import (
	"errors"
	"sync"
	"time"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/physic"
)

// cdevPin is a pin that behaves as one on a character device does with
// periph's driver, where the library's own fake is kinder: WaitForEdge with a
// negative timeout returns at once and with zero waits for good, edges queue
// up (16 of them) and each call takes one, Read turns an output into an input,
// and there is no PWM.
type cdevPin struct {
	name string

	mu     sync.Mutex
	level  gpio.Level
	out    bool
	pull   gpio.Pull
	edge   gpio.Edge
	edges  chan struct{}
	broken *bool // what WaitForEdge says at once, whatever happens
	mute   bool  // edges are lost
	err    error // of In and Out
	spoilt bool  // an output was read
	reads  int
	waits  int
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

func (p *cdevPin) fail(err error) { p.mu.Lock(); p.err = err; p.mu.Unlock() }

func (p *cdevPin) is() gpio.Level { p.mu.Lock(); defer p.mu.Unlock(); return p.level }

func (p *cdevPin) looks() int { p.mu.Lock(); defer p.mu.Unlock(); return p.reads }

func (p *cdevPin) waited() int { p.mu.Lock(); defer p.mu.Unlock(); return p.waits }

func (p *cdevPin) In(pull gpio.Pull, edge gpio.Edge) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.out, p.pull, p.edge = false, pull, edge
	return p.err
}

func (p *cdevPin) Read() gpio.Level {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.reads++
	if p.out {
		p.out, p.spoilt, p.edge = false, true, gpio.NoEdge
	}
	return p.level
}

func (p *cdevPin) WaitForEdge(timeout time.Duration) bool {
	p.mu.Lock()
	p.waits++
	broken, edge := p.broken, p.edge
	p.mu.Unlock()
	switch {
	case broken != nil:
		return *broken
	case edge == gpio.NoEdge:
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
	if p.err != nil {
		return p.err
	}
	p.out, p.level, p.edge = true, l, gpio.NoEdge
	return nil
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
