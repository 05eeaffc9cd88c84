package hardware

import (
	"testing"
	"time"
)

// TestPatterns pins what each cue looks and sounds like: at a moment, and in how long it changes.
func TestPatterns(t *testing.T) {
	for _, c := range []struct {
		cue          Cue
		t            time.Duration
		lamp, buzzer bool
		next         time.Duration
	}{
		{Off, 0, false, false, 0},
		{Day, time.Hour, false, false, 0},
		{Ready, 0, true, true, 100 * ms},
		{Ready, 100 * ms, false, true, 20 * ms},
		{Ready, 120 * ms, false, false, 2880 * ms},
		{Ready, 3000 * ms, true, false, 100 * ms},
		{Night, 0, true, true, 1000 * ms},
		{Night, 1000 * ms, false, true, 200 * ms},
		{Night, 1200 * ms, false, false, 800 * ms},
		{Night, 2000 * ms, true, false, 1000 * ms},
		{Night, 10*time.Hour + 1500*ms, false, false, 500 * ms},
		{Closed, 0, true, true, dash},
		{Closed, 450 * ms, true, false, gap},
		{Closed, 600 * ms, true, true, dot},
		{Closed, 720 * ms, true, false, 0},
		{Morning, 0, false, true, dot},
		{Morning, 540 * ms, false, true, dot},
		{Morning, 659 * ms, false, true, 1 * ms},
		{Morning, 660 * ms, false, false, 0},
		{Vote, 0, true, true, dot},
		{Vote, 120 * ms, true, false, 130 * ms},
		{Vote, 250 * ms, false, false, 20 * ms},
		{Vote, 720 * ms, true, false, 30 * ms},
		{Ended, 600 * ms, true, true, dash},
		{Ended, 1050 * ms, true, false, 0},
		{Ruling, 1900 * ms, false, false, 100 * ms},
		{Trouble, 150 * ms, false, true, 50 * ms},
		{Refused, 0, false, true, dot},
		{"no such cue", 0, false, false, 0},
	} {
		lamp, next := patterns[c.cue].lampAt(c.t)
		buzzer, change := patterns[c.cue].buzzerAt(c.t)
		next = sooner(next, change)
		if lamp != c.lamp || buzzer != c.buzzer || next != c.next {
			t.Errorf("%s at %v: lamp %v, buzzer %v, next %v; want %v, %v, %v",
				c.cue, c.t, lamp, buzzer, next, c.lamp, c.buzzer, c.next)
		}
	}
}

// TestPatternsDiffer checks that cues can be told apart by the rhythm of their
// sounds, whatever their exact lengths, and that no sound goes on for long.
func TestPatternsDiffer(t *testing.T) {
	heard, seen := map[string]Cue{}, map[[2]time.Duration]int{}
	for cue, p := range patterns {
		rhythm := cue.Rhythm()
		var total time.Duration
		for i, d := range p.sound {
			total += d
			if i%2 == 1 && d < 100*ms {
				t.Errorf("%s: a gap of %v runs its sounds together", cue, d)
			}
		}
		if total > 2*time.Second {
			t.Errorf("%s sounds for %v", cue, total)
		}
		if len(p.sound)%2 == 0 && len(p.sound) > 0 {
			t.Errorf("%s ends with a silence", cue)
		}
		if p.bell && (p.on > 0 || rhythm == "") {
			t.Errorf("%s is a bell, and has a lamp or no sound", cue)
		}
		if !p.bell {
			seen[[2]time.Duration{p.on, p.off}]++
		}
		if rhythm == "" {
			continue // off and day are silent
		}
		if other, twice := heard[rhythm]; twice {
			t.Errorf("%s and %s sound alike: %s", cue, other, rhythm)
		}
		heard[rhythm] = cue
	}
	if len(seen) < 7 {
		t.Errorf("only %d lamps: %v", len(seen), seen)
	}
}
