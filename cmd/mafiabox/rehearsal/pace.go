package rehearsal

import (
	"math/rand/v2"
	"time"
)

// Pace is how fast everybody plays.
type Pace struct {
	Name   string  `json:"name"`
	Think  [2]int  `json:"think_ms"`    // a player, before each form: between these
	Asleep [2]int  `json:"asleep_ms"`   // a phone that nobody looks at
	Speech [2]int  `json:"speech_ms"`   // who has the word
	Owing  int     `json:"patience_ms"` // how long a host waits for who still owes an answer
	Talks  float64 `json:"talks"`       // how likely a host gives the word on, instead of going on to the vote or the night
}

// The paces there are. People are slower than Human in their speeches: an
// evening has an hour for a game, and a rehearsal a quarter of one.
var (
	Machine = Pace{Name: "machine", Think: [2]int{5, 150}, Asleep: [2]int{300, 1500}, Speech: [2]int{0, 100}, Owing: 2000, Talks: 0.2}
	Human   = Pace{Name: "human", Think: [2]int{1500, 12000}, Asleep: [2]int{5000, 40000}, Speech: [2]int{5000, 20000}, Owing: 20000, Talks: 0.8}
)

// Shortened is a pace that many times as fast.
func (p Pace) Shortened(times int) Pace {
	for _, span := range []*[2]int{&p.Think, &p.Asleep, &p.Speech} {
		span[0], span[1] = span[0]/times, span[1]/times
	}
	p.Owing /= times
	return p
}

// between draws a time from a span.
func between(rng *rand.Rand, span [2]int) time.Duration {
	return time.Duration(span[0]+rng.IntN(max(1, span[1]-span[0]))) * time.Millisecond
}
