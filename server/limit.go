package server

import (
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"
	"golang.org/x/time/rate"
)

// Codes may be guessed at so many times: a handful at once and then one every
// few seconds, for each address on its own, so that one phone never locks out
// the others.
const (
	guessBurst = 10
	guessEvery = 6 * time.Second
	maxGuesser = 1000 // addresses remembered
)

// guesses limits how often wrong codes may be typed.
type guesses struct {
	mu sync.Mutex
	by map[string]*rate.Limiter
}

// spent tells whether the visitor has no try left.
func (g *guesses) spent(c *fiber.Ctx, now time.Time) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	l := g.by[c.IP()]
	return l != nil && l.TokensAt(now) < 1
}

// wrong takes a try away after a wrong code.
func (g *guesses) wrong(c *fiber.Ctx, now time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.by == nil || len(g.by) >= maxGuesser {
		g.by = make(map[string]*rate.Limiter)
	}
	l := g.by[c.IP()]
	if l == nil {
		l = rate.NewLimiter(rate.Every(guessEvery), guessBurst)
		g.by[c.IP()] = l
	}
	l.AllowN(now, 1)
}
