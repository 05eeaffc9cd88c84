package server

import "github.com/gofiber/fiber/v2"

// Waiting is a box that has no store, for as long as it can't be opened. It has
// no tables: every page says what is wrong and comes again, systems hear that
// the network is well, and the panel shows the trouble.
func Waiting(cfg Config, why error) (*Box, error) {
	b, err := newBox(cfg)
	if err != nil {
		return nil, err
	}
	b.Wait(why)
	if b.app, err = b.newApp(); err != nil {
		return nil, err
	}
	b.app.Use(func(c *fiber.Ctx) error { return b.comeBack(c, kindOf(b.waits.Load().err)) })
	return b, nil
}

// Wait tells a waiting box why its store can't be opened now.
func (b *Box) Wait(why error) { b.waits.Store(&trouble{why, b.cfg.Now()}) }

// follow goes on where a box was that was closed in this process: the codes that
// were told stay, and so does who has typed them.
func (b *Box) follow(before *Box) {
	if before == nil {
		return
	}
	before.mu.Lock()
	defer before.mu.Unlock()
	b.cfg.OwnerCode, b.owners, b.tickets, b.guesses = before.cfg.OwnerCode, before.owners, before.tickets, before.guesses
	for id := range b.codes {
		if code, known := before.codes[id]; known {
			b.codes[id] = code
		}
	}
	b.cfg.Before = nil
}
