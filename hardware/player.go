package hardware

import (
	"sync"
	"time"
)

// Change is one change of what a panel shows.
type Change struct {
	At           time.Time
	Cue          Cue
	Lamp, Buzzer bool
}

// remembered is how many changes a panel keeps for the host's page.
const remembered = 50

// player plays cues on two outputs, in one goroutine of its own. It is the
// lamp's and buzzer's side of a panel.
type player struct {
	set  func(lamp, buzzer bool) // called by that goroutine alone, as told is
	told func()                  // there is another cue, or the same once more
	wake chan struct{}           // one slot: there is something new
	quit chan struct{}
	done chan struct{}

	mu      sync.Mutex
	cue     Cue // that sounds
	begun   time.Time
	lit     Cue // that lights: the last that is no bell
	since   time.Time
	silent  bool
	now     Change
	history []Change
	closing sync.Once
}

func newPlayer(set func(lamp, buzzer bool), told func()) *player {
	now := time.Now()
	p := &player{
		set:  set,
		told: told,
		wake: make(chan struct{}, 1),
		quit: make(chan struct{}),
		done: make(chan struct{}),
		cue:  Off, begun: now,
		lit: Off, since: now,
		now: Change{At: now, Cue: Off},
	}
	set(false, false)
	go p.play()
	return p
}

// Show plays a cue from its beginning and ends the one before; an unknown one is dark and silent.
func (p *player) Show(c Cue) {
	p.mu.Lock()
	p.cue, p.begun = c, time.Now()
	if !patterns[c].bell {
		p.lit, p.since = c, p.begun
	}
	p.mu.Unlock()
	p.look()
}

// Light goes on with the lamp of a cue, without its sound. A bell rings on.
func (p *player) Light(c Cue) {
	p.mu.Lock()
	if !patterns[p.cue].bell && p.cue != c {
		p.cue, p.begun = c, time.Time{} // its sound is over
	}
	if p.lit != c {
		p.lit, p.since = c, time.Now()
	}
	p.mu.Unlock()
	p.look()
}

// Silence keeps the buzzer still from now on, also in the middle of a sound, or
// lets it sound again. The lamp goes on.
func (p *player) Silence(yes bool) {
	p.mu.Lock()
	was := p.silent
	p.silent = yes
	p.mu.Unlock()
	if yes != was {
		p.look()
	}
}

func (p *player) look() {
	select {
	case p.wake <- struct{}{}:
	default: // the player is about to look anyway
	}
}

func (p *player) play() {
	defer close(p.done)
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	woken := true
	for {
		next := p.step()
		if woken {
			p.told()
		}
		timer.Stop()
		if next > 0 {
			timer.Reset(next)
		}
		select {
		case <-timer.C:
			woken = false
		case <-p.wake:
			woken = true
		case <-p.quit:
			p.change(Off, false, false)
			return
		}
	}
}

// step brings the outputs to where they should be now, and tells in how long
// that changes; zero is never.
func (p *player) step() time.Duration {
	p.mu.Lock()
	cue, silent := p.cue, p.silent
	lamp, next := patterns[p.lit].lampAt(time.Since(p.since))
	buzzer, change := patterns[cue].buzzerAt(time.Since(p.begun))
	p.mu.Unlock()
	p.change(cue, lamp, buzzer && !silent)
	return sooner(next, change)
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

// shown is what a state says of the lamp and the buzzer.
func (p *player) shown() State {
	p.mu.Lock()
	defer p.mu.Unlock()
	return State{Cue: p.now.Cue, Begun: p.begun, Lights: p.lit, Silent: p.silent, Lit: p.now.Lamp, Sounds: p.now.Buzzer}
}

// History lists the last changes, oldest first.
func (p *player) History() []Change {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]Change(nil), p.history...)
}

// stop ends the goroutine with both outputs off.
func (p *player) stop() {
	p.closing.Do(func() { close(p.quit) })
	<-p.done
}
