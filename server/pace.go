package server

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"
)

// pace refuses who asks too fast, before anything is
// looked up or drawn. The refusal waits: until it is answered its connection asks
// for nothing more, so a flood becomes as slow as its connections are few.
func (b *Box) pace(c *fiber.Ctx) error {
	l := lineOf(c)
	if l == nil {
		return c.Next()
	}
	price := 1
	if c.Method() != fiber.MethodGet && c.Method() != fiber.MethodHead {
		price = formPrice
	}
	if l.pays(price) {
		done := sync.OnceFunc(l.work(b.closing))
		defer done()
		c.Locals("turn", done)
		return c.Next()
	}
	select {
	case <-time.After(held):
	case <-b.closing:
	}
	c.Set(fiber.HeaderRetryAfter, "2")
	return fiber.ErrTooManyRequests
}

// rest lets others of the same address have their turn while a request waits.
func rest(c *fiber.Ctx) {
	if done, ok := c.Locals("turn").(func()); ok {
		done()
	}
}

// lineOf is the connection of a request.
func lineOf(c *fiber.Ctx) *line {
	l, _ := c.Context().Conn().(*line)
	return l
}

// asides is what fasthttp has to say of connections: a line for each request
// that isn't one. Anybody could fill the card with those, so they are told to
// who asks for details only.
type asides struct{ *slog.Logger }

func (a asides) Printf(format string, args ...any) {
	if a.Enabled(context.Background(), slog.LevelDebug) {
		a.Debug(fmt.Sprintf(format, args...))
	}
}
