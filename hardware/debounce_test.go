package hardware

import (
	"slices"
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

// TestDebouncerKinds samples a contact each few ms while a finger is on it.
func TestDebouncerKinds(t *testing.T) {
	type want struct {
		kind Kind
		sent int // in ms
	}
	for _, c := range []struct {
		name  string
		begun bool
		edges []int // at which the level changes, in ms; it begins up
		until int
		want  []want
	}{
		{"short", true, []int{1000, 1900}, 9000, []want{{Short, 1930}}},
		{"just short", true, []int{1000, 1999}, 9000, []want{{Short, 2029}}},
		{"just a hold", true, []int{1000, 2000}, 9000, []want{{Hold, 2030}}},
		{"just a hold still", true, []int{1000, 3999}, 9000, []want{{Hold, 4029}}},
		{"long, and then let go", true, []int{1000, 9000}, 12000, []want{{Long, 4000}}},
		{"long, bouncing at the end", true, []int{1000, 3990, 4004, 4008, 4012}, 9000, []want{{Long, 4004}}},
		{"let go while it bounces, a moment too early", true, []int{1000, 3980, 3985, 3990}, 9000, []want{{Hold, 4020}}},
		{"a gap at the moment", true, []int{1000, 3999, 4010, 6000}, 9000, []want{{Long, 4010}}},
		{"never a start", true, []int{1000, 60000}, 70000, []want{{Long, 4000}}},
		{"after a long one", true, []int{1000, 5000, 5400, 5500}, 9000, []want{{Long, 4000}, {Short, 5530}}},
		{"after a long one, at once", true, []int{1000, 5000, 5100, 5200}, 9000, []want{{Long, 4000}}},
		{"from the start", true, []int{0, 12000}, 20000, []want{{Start, 10000}}},
		{"from the start, bouncing", true, []int{0, 5, 8, 20, 25, 12000}, 20000, []want{{Start, 10025}}},
		{"from the start, let go", true, []int{0, 9000, 9500, 9600}, 20000, []want{{Short, 9630}}},
		{"from the start, of no beginning", false, []int{0, 60000}, 70000, nil},
		{"a shorted wire", true, []int{0}, 3600000, []want{{Start, 10000}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
			d := debouncer{begun: c.begun}
			down, next := false, 0
			var got []want
			for at := 0; at <= c.until; at++ {
				for next < len(c.edges) && c.edges[next] == at {
					down, next = !down, next+1
				}
				if p, ok := d.sample(down, start.Add(time.Duration(at)*ms)); ok {
					got = append(got, want{p.Kind, at})
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("sent %v, want %v", got, c.want)
			}
		})
	}
}
