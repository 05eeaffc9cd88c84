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
		{Closed, 0, true, true, 150 * ms},
		{Closed, 150 * ms, true, false, 150 * ms},
		{Closed, 300 * ms, true, true, 150 * ms},
		{Closed, 450 * ms, true, false, 0},
		{Morning, 0, false, true, 150 * ms},
		{Morning, 600 * ms, false, true, 150 * ms},
		{Morning, 749 * ms, false, true, 1 * ms},
		{Morning, 750 * ms, false, false, 0},
		{Vote, 0, true, true, 150 * ms},
		{Vote, 150 * ms, true, false, 100 * ms},
		{Vote, 250 * ms, false, false, 250 * ms},
		{Ended, 900 * ms, true, true, 600 * ms},
		{Ended, 1500 * ms, true, false, 0},
		{Error, 60 * ms, true, false, 40 * ms},
		{"no such cue", 0, false, false, 0},
	} {
		lamp, buzzer, next := patterns[c.cue].at(c.t)
		if lamp != c.lamp || buzzer != c.buzzer || next != c.next {
			t.Errorf("%s at %v: lamp %v, buzzer %v, next %v; want %v, %v, %v",
				c.cue, c.t, lamp, buzzer, next, c.lamp, c.buzzer, c.next)
		}
	}
}

// TestPatternsDiffer checks that cues which mean different things at a table
// can be told apart by ear, and that no sound goes on for long.
func TestPatternsDiffer(t *testing.T) {
	heard := map[string]Cue{}
	for cue, p := range patterns {
		var shape string
		var total time.Duration
		for _, d := range p.sound {
			shape += d.String() + " "
			total += d
		}
		if total > 2*time.Second {
			t.Errorf("%s sounds for %v", cue, total)
		}
		if len(p.sound)%2 == 0 && len(p.sound) > 0 {
			t.Errorf("%s ends with a silence", cue)
		}
		if shape == "" {
			continue // off and day are silent
		}
		if other, twice := heard[shape]; twice {
			t.Errorf("%s and %s sound alike", cue, other)
		}
		heard[shape] = cue
	}
}
