package hardware

import (
	"testing"
	"time"
)

func TestDebouncer(t *testing.T) {
	type at struct {
		ms   int
		down bool
	}
	type want struct{ at, held int } // of each press, in ms
	for _, c := range []struct {
		name    string
		samples []at
		want    []want
	}{
		{"a clean press", []at{{0, false}, {40, false}, {100, true}, {140, true}, {300, false}, {340, false}}, []want{{100, 200}}},
		{"a press that bounces at both ends",
			[]at{{0, false}, {40, false}, {100, true}, {104, false}, {109, true}, {115, true}, {139, true}, {300, false}, {306, true}, {311, false}, {341, false}},
			[]want{{109, 202}}},
		{"a spike is none", []at{{0, false}, {40, false}, {100, true}, {110, true}, {120, false}, {160, false}, {400, false}}, nil},
		{"a gap while it is held is none", []at{{0, false}, {40, false}, {100, true}, {140, true}, {200, false}, {220, true}, {260, true}, {500, false}, {540, false}}, []want{{100, 400}}},
		{"just too short, just long enough",
			[]at{{0, false}, {30, false}, {100, true}, {129, true}, {130, false}, {160, false}, {1000, true}, {1030, true}, {1031, false}, {1061, false}},
			[]want{{1000, 31}}},
		{"down from the start, let go", []at{{0, true}, {40, true}, {500, false}, {540, false}}, nil},
		{"down from the start, then a press", []at{{0, true}, {40, true}, {500, false}, {540, false}, {900, true}, {940, true}, {1000, false}, {1040, false}}, []want{{900, 100}}},
		{"a double tap is one", []at{{0, false}, {40, false}, {100, true}, {140, true}, {200, false}, {240, false}, {300, true}, {340, true}, {380, false}, {420, false}, {900, false}}, []want{{100, 100}}},
		{"begun too early but held on", []at{{0, false}, {40, false}, {100, true}, {140, true}, {200, false}, {240, false}, {300, true}, {340, true}, {500, true}, {900, false}, {930, false}}, []want{{100, 100}, {490, 410}}},
		{"two presses", []at{{0, false}, {40, false}, {100, true}, {140, true}, {200, false}, {240, false}, {600, true}, {640, true}, {3700, false}, {3740, false}}, []want{{100, 100}, {600, 3100}}},
		{"held for an hour", []at{{0, false}, {40, false}, {100, true}, {140, true}, {3600100, false}, {3600140, false}}, []want{{100, 3600000}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
			var d debouncer
			var got []want
			for _, s := range c.samples {
				if p, ok := d.sample(s.down, start.Add(time.Duration(s.ms)*ms)); ok {
					got = append(got, want{int(p.At.Sub(start) / ms), int(p.Held / ms)})
				}
			}
			if len(got) != len(c.want) {
				t.Fatalf("presses %v, want %v", got, c.want)
			}
			for i := range got {
				if got[i] != c.want[i] {
					t.Errorf("press %d is %v, want %v", i, got[i], c.want[i])
				}
			}
		})
	}
}
