package server

import (
	"sync"
	"time"

	"github.com/mafiabox/mafiabox/engine"
	"golang.org/x/time/rate"
)

// How much one seat may do in a game of days. All of it is kept as long as the
// game lasts, drawn again and done again when the box is started, and nobody
// waits for a turn. No player who reads what he writes comes near.
const (
	postsAMinute = 6
	postsAtOnce  = 12
	actsAnHour   = 200 // votes, locks, letters, what is sent at night
	actsAtOnce   = 40
)

// tempo limits what seats do, by table.
type tempo struct {
	mu sync.Mutex
	of map[seatAt]*seatTempo
}

type seatAt struct {
	table string
	seat  engine.Seat
}

type seatTempo struct{ posts, acts *rate.Limiter }

// may tells whether a seat may post, or do something else, at that moment, and
// counts it.
func (t *tempo) may(table string, seat engine.Seat, posts bool, now time.Time) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.of == nil {
		t.of = make(map[seatAt]*seatTempo)
	}
	s := t.of[seatAt{table, seat}]
	if s == nil {
		s = &seatTempo{rate.NewLimiter(rate.Every(time.Minute/postsAMinute), postsAtOnce), rate.NewLimiter(rate.Every(time.Hour/actsAnHour), actsAtOnce)}
		t.of[seatAt{table, seat}] = s
	}
	switch {
	case posts && !s.posts.AllowN(now, 1):
		return say("post_fast", "Max", postsAMinute)
	case !posts && !s.acts.AllowN(now, 1):
		return say("acts_fast", "Max", actsAnHour)
	}
	return nil
}

// paced refuses a seat that does too much in a game of days, after it was done
// on the draft: what is refused by the game counts as nothing.
func (d *draft) paced(seat engine.Seat, posts bool) error {
	if seat == 0 || !d.hasThread() {
		return nil
	}
	return d.box.tempo.may(d.table, seat, posts, d.now)
}
