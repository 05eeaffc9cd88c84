package server

import (
	"strings"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"
	"golang.org/x/time/rate"
)

// How often codes may be guessed at. Each address has a handful of tries and
// then one every few seconds; all wrong ones together are limited, too, as one
// phone can have many addresses. An address that is new to the box has a few
// tries whatever the others do, so nobody is locked out by them. Addresses cost
// an attacker nothing, so what guards a code in the end is its length.
const (
	guessBurst = 10
	guessEvery = 6 * time.Second
	guessFirst = 3 // tries that every address has
	allBurst   = 60
	allEvery   = time.Second
	maxGuesser = 1000 // addresses remembered
)

// guesses limits how often wrong codes may be typed.
type guesses struct {
	mu  sync.Mutex
	by  map[string]*guesser
	all *rate.Limiter // of those who have used up their first tries
}

// guesser is an address from which wrong codes came.
type guesser struct {
	wrong int
	limit *rate.Limiter
}

func newGuesses() *guesses {
	return &guesses{by: make(map[string]*guesser), all: rate.NewLimiter(rate.Every(allEvery), allBurst)}
}

// try asks whether a code fits, unless too many wrong ones came: then the error
// is ErrTooManyRequests. A code that fits costs nothing.
func (g *guesses) try(c *fiber.Ctx, now time.Time, code string, fits func(code string) bool) (bool, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	from := g.by[c.IP()]
	if from != nil && (from.limit.TokensAt(now) < 1 || from.wrong >= guessFirst && g.all.TokensAt(now) < 1) {
		return false, fiber.ErrTooManyRequests
	}
	if fits(tidyCode(code)) {
		if from != nil {
			from.wrong = 0
		}
		return true, nil
	}
	if from == nil {
		for other := range g.by { // any of them, but not all
			if len(g.by) >= maxGuesser {
				delete(g.by, other)
			}
			break
		}
		from = &guesser{limit: rate.NewLimiter(rate.Every(guessEvery), guessBurst)}
		g.by[c.IP()] = from
	}
	from.limit.AllowN(now, 1)
	if from.wrong++; from.wrong > guessFirst {
		g.all.AllowN(now, 1)
	}
	return false, nil
}

// tidyCode is a typed code as codes are drawn.
func tidyCode(typed string) string {
	return strings.ToUpper(strings.NewReplacer(" ", "", "-", "").Replace(strings.TrimSpace(typed)))
}
