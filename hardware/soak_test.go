package hardware

import (
	"flag"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"periph.io/x/conn/v3/gpio"
)

var soak = flag.Int("presses", 100_000, "presses of TestSoak")

// TestSoak presses the button again and again, in false time: for any length,
// with a contact that bounces and edges that get lost, while cues are played. A
// press is sent once, as what it was, and a long one while it is held; the buzzer
// never stays on.
func TestSoak(t *testing.T) {
	const each = 1000 // presses of one panel: what is held from its beginning is a Start
	sent := map[Kind]int{}
	for n := range (*soak + each - 1) / each {
		synctest.Test(t, func(t *testing.T) {
			s := soaker{t: t, random: rand.New(rand.NewPCG(uint64(n), 9)), sent: sent}
			begun := n%2 == 0
			s.rig = newRig(t, func(r *rig) { r.button.drive(gpio.Level(!begun)) })
			defer s.panel.Close()
			if begun {
				s.expect(startAfter+s.upTo(5*time.Second), late, true)
			}
			for range min(each, *soak) {
				s.show()
				s.pause()
				s.press()
				if t.Failed() {
					t.Fatalf("panel %d", n)
				}
			}
			s.panel.Show(Off)
			time.Sleep(time.Second)
			if s.buzzer.is() == gpio.High || len(s.presses()) != 0 {
				t.Error("not at rest after the last press")
			}
		})
	}
	t.Logf("sent %v", sent)
	for _, kind := range []Kind{Short, Hold, Long, Start} {
		if sent[kind] == 0 {
			t.Errorf("never %s", kind)
		}
	}
}

type soaker struct {
	*rig
	t      *testing.T
	random *rand.Rand
	sent   map[Kind]int
	shown  time.Time // the last cue
}

func (s *soaker) upTo(d time.Duration) time.Duration { return time.Duration(s.random.Int64N(int64(d))) }

// show plays a cue now and then, so that sounds are ended in their middle.
func (s *soaker) show() {
	if cues := Cues(); s.random.IntN(3) == 0 {
		s.panel.Show(cues[s.random.IntN(len(cues))])
		s.shown = time.Now()
	}
	if s.random.IntN(50) == 0 {
		s.panel.Silence(s.random.IntN(2) == 0)
	}
}

// late is how long after an edge that got lost its level has settled.
const late = idle + settle + 2*pace

// pause is as long as a finger needs that doesn't tap twice.
func (s *soaker) pause() { s.sleep(lockOut + s.upTo(time.Second)) }

// sleep looks at the buzzer meanwhile: every cue has sounded after two seconds.
func (s *soaker) sleep(d time.Duration) {
	for d > 0 {
		step := min(d, 400*ms)
		time.Sleep(step)
		d -= step
		if since := time.Since(s.shown); since > 2*time.Second && s.buzzer.is() == gpio.High {
			s.t.Errorf("the buzzer is on %v after the last cue", since)
		}
	}
}

// contact brings the button to a level as a contact does: over some edges within
// 20 ms. Now and then, unless the press is too short for that, none of them is
// told. It gives how far off the panel may be then.
func (s *soaker) contact(l gpio.Level, held time.Duration) time.Duration {
	lost := held > late && s.random.IntN(20) == 0
	s.button.deaf(lost)
	for range s.random.IntN(8) {
		s.button.drive(l)
		time.Sleep(s.upTo(1200 * time.Microsecond))
		s.button.drive(!l)
		time.Sleep(s.upTo(1200 * time.Microsecond))
	}
	s.button.drive(l)
	s.button.deaf(false)
	if lost {
		return 20*ms + late
	}
	return 20*ms + settle + 2*pace
}

// press presses the button for any time.
func (s *soaker) press() {
	var held time.Duration
	switch s.random.IntN(4) {
	case 0:
		held = 60*ms + s.upTo(holdAfter-60*ms)
	case 1:
		held = holdAfter + s.upTo(longAfter-holdAfter)
	case 2:
		held = longAfter + s.upTo(longAfter)
	case 3: // at the limit of a long one
		held = longAfter - 60*ms + s.upTo(120*ms)
	}
	s.expect(held, s.contact(gpio.Low, held), false)
}

// expect holds the button, that is down, for a time, lets go, and checks what
// was sent. The panel may have seen it that much later.
func (s *soaker) expect(held, off time.Duration, begun bool) {
	s.sleep(held)
	early := s.presses() // while it was still held
	off += s.contact(gpio.High, held)
	s.sleep(late)
	all := append(early, s.presses()...)
	if len(all) != 1 {
		s.t.Errorf("held %v, sent %v", held, all)
		return
	}
	got := all[0]
	s.sent[got.Kind]++
	sent, most := longAfter, held+off
	if begun {
		sent = startAfter
	}
	switch {
	case got.Kind != kindOf(got.Held):
		s.t.Errorf("%v is sent as %s", got.Held, got.Kind)
	case got.Held > most || got.Held < min(held-off, sent):
		s.t.Errorf("held %v, sent as %v", held, got.Held)
	case held > sent+off && len(early) != 1:
		s.t.Errorf("held %v, and not sent before it was let go", held)
	case begun != (got.Kind == Start):
		s.t.Errorf("held %v, sent as %s", held, got.Kind)
	}
}
