package hardware

import (
	"sync"
	"time"
)

// Kind is what a press means by its length.
type Kind string

// The kinds of presses.
const (
	Short Kind = "short" // let go within a second. Sent when it is let go
	Hold  Kind = "hold"  // let go within three. Sent when it is let go
	Long  Kind = "long"  // held for three seconds. Sent at that moment; letting go then sends nothing more
	Start Kind = "start" // held since the panel was opened, for ten seconds. Sent at that moment, like Long
)

// From how long on a press is of a kind.
const (
	holdAfter  = 1 * time.Second
	longAfter  = 3 * time.Second
	startAfter = 10 * time.Second
)

// Press is one press of the button.
type Press struct {
	At   time.Time     // when it was pushed down
	Held time.Duration // how long it was held, until it was sent
	Kind Kind
}

func kindOf(held time.Duration) Kind {
	switch {
	case held < holdAfter:
		return Short
	case held < longAfter:
		return Hold
	case held < startAfter:
		return Long
	}
	return Start
}

// presses is the button's side of a panel: a queue that nobody has to read.
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
