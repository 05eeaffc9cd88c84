package server

import (
	"net/netip"
	"strings"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"
	"golang.org/x/time/rate"
)

// Codes may be guessed at so many times: a handful at once and then one every
// few seconds, for each address on its own. On the box's own network each phone
// has one, so none locks out the others.
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

// try asks whether a typed code fits, unless the visitor has typed too many
// wrong ones: then the error is ErrTooManyRequests. A code that fits costs nothing.
func (g *guesses) try(c *fiber.Ctx, now time.Time, fits func(code string) bool) (bool, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	from := client(c.IP())
	l := g.by[from]
	if l != nil && l.TokensAt(now) < 1 {
		return false, fiber.ErrTooManyRequests
	}
	if fits(tidyCode(c.FormValue("code"))) {
		return true, nil
	}
	if l == nil {
		if g.by == nil {
			g.by = make(map[string]*rate.Limiter)
		}
		if len(g.by) >= maxGuesser {
			for other := range g.by { // any of them, but not all
				delete(g.by, other)
				break
			}
		}
		l = rate.NewLimiter(rate.Every(guessEvery), guessBurst)
		g.by[from] = l
	}
	l.AllowN(now, 1)
	return false, nil
}

// client is the address that stands for one client: of IPv6 the network, as a
// phone has many addresses in its own.
func client(ip string) string {
	addr, err := netip.ParseAddr(ip)
	if err != nil || addr.Unmap().Is4() {
		return ip
	}
	network, _ := addr.Prefix(64)
	return network.String()
}

// tidyCode is a typed code as codes are drawn.
func tidyCode(typed string) string { return strings.ToUpper(strings.TrimSpace(typed)) }
