package hardware

import (
	"fmt"
	"sync"
	"time"
)

// Change is one change of what a panel shows.
type Change struct {
	At           time.Time
	Cue          Cue
	Lamp, Buzzer bool
}

// String is the change as a line for a page: "21:04:05 night lamp buzzer".
func (c Change) String() string {
	s := fmt.Sprintf("%s %s", c.At.Format(time.TimeOnly), c.Cue)
	if c.Lamp {
		s += " lamp"
	}
	if c.Buzzer {
		s += " buzzer"
	}
	return s
}

// remembered is how many changes a panel keeps for the host's page.
const remembered = 50

// player plays cues on two outputs, in one goroutine of its own. It is the
// lamp's and buzzer's side of the real panel and of the simulated one.
type player struct {
	set  func(lamp, buzzer bool) // called by that goroutine alone
	wake chan struct{}           // one slot: there is a new cue
	quit chan struct{}
	done chan struct{}

	mu      sync.Mutex
	want    Cue // the cue to begin with
	now     Change
	history []Change
	closing sync.Once
}

func newPlayer(set func(lamp, buzzer bool)) *player {
	p := &player{
		set:  set,
		wake: make(chan struct{}, 1),
		quit: make(chan struct{}),
		done: make(chan struct{}),
		want: Off,
		now:  Change{At: time.Now(), Cue: Off},
	}
	set(false, false)
	go p.play()
	return p
}

// Show plays a cue from its beginning and ends the one before; an unknown one is dark and silent.
func (p *player) Show(c Cue) {
	p.mu.Lock()
	p.want = c
	p.mu.Unlock()
	select {
	case p.wake <- struct{}{}:
	default: // the player is about to look anyway
	}
}

func (p *player) play() {
	defer close(p.done)
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	cue, begun := Off, time.Now()
	shown, since := cue, begun // the cue of the lamp
	for {
		lamp, buzzer, next := patterns[cue].at(time.Since(begun))
		if patterns[cue].bell {
			var change time.Duration
			lamp, _, change = patterns[shown].lamp().at(time.Since(since))
			next = sooner(next, change)
		}
		p.change(cue, lamp, buzzer)
		timer.Stop()
		if next > 0 {
			timer.Reset(next)
		}
		select {
		case <-timer.C:
		case <-p.wake:
			p.mu.Lock()
			cue, begun = p.want, time.Now()
			p.mu.Unlock()
			if !patterns[cue].bell {
				shown, since = cue, begun
			}
		case <-p.quit:
			p.change(Off, false, false)
			return
		}
	}
}

// change brings the outputs to where they should be. What they are is
// remembered here: reading an output pin would turn it into an input.
func (p *player) change(cue Cue, lamp, buzzer bool) {
	p.mu.Lock()
	was := p.now
	if was.Cue != cue || was.Lamp != lamp || was.Buzzer != buzzer {
		p.now = Change{At: time.Now(), Cue: cue, Lamp: lamp, Buzzer: buzzer}
		p.history = append(p.history, p.now)
		if len(p.history) > remembered {
			p.history = p.history[len(p.history)-remembered:]
		}
	}
	p.mu.Unlock()
	if was.Lamp != lamp || was.Buzzer != buzzer {
		p.set(lamp, buzzer)
	}
}

// State tells how lamp and buzzer stand, and in which cue.
func (p *player) State() (lamp, buzzer bool, cue string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.now.Lamp, p.now.Buzzer, string(p.now.Cue)
}

// History lists the last changes, oldest first.
func (p *player) History() []Change {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]Change(nil), p.history...)
}

// PanelState is State and History in basic types, for whoever draws the panel
// without knowing this package.
func (p *player) PanelState() (cue string, lamp, buzzer bool, history []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.history {
		history = append(history, c.String())
	}
	return string(p.now.Cue), p.now.Lamp, p.now.Buzzer, history
}

// stop ends the goroutine with both outputs off.
func (p *player) stop() {
	p.closing.Do(func() { close(p.quit) })
	<-p.done
}
