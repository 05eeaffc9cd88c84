package server

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mafiabox/mafiabox/server/store"
)

// longestStall is for how long a disk may be at work on one thing. A card that
// tidies up takes seconds, a bad one half a minute; nothing is gained by starting
// the box anew meanwhile.
const longestStall = 2 * time.Minute

// Alive looks whether the box does its work, until ctx ends: every table's
// goroutine answers, and the store can be read. What waits for the disk is well,
// for so long. A store that can't be read has failed, as one that can't be written.
func (b *Box) Alive(ctx context.Context) error {
	if b.waits.Load() != nil {
		return nil
	}
	tables := b.Tables()
	answers := make(chan string, len(tables)+1)
	var missing []string
	ask := func(what string, look func()) {
		missing = append(missing, what)
		go func() {
			look()
			answers <- what
		}()
	}
	for _, t := range tables {
		ask("table "+t.id, func() { t.Do("", func(*draft) error { return nil }) })
	}
	ask("the store", func() {
		if _, err := b.store.Tables(); err != nil && !errors.Is(err, store.ErrClosed) {
			b.fail(fmt.Errorf("the store can't be read: %w", err))
		}
	})
	for len(missing) > 0 {
		select {
		case what := <-answers:
			missing = slices.DeleteFunc(missing, func(other string) bool { return other == what })
		case <-ctx.Done():
			if stall := b.writes.stall(); stall > 0 && stall < longestStall {
				return nil
			}
			return fmt.Errorf("no answer from %s", strings.Join(missing, ", "))
		}
	}
	return nil
}

// Status is how the box is, in plain words and without secrets.
func (b *Box) Status() string {
	if waits := b.waits.Load(); waits != nil {
		return fmt.Sprintf("The store can't be opened (%v). Trying again.", waits.err)
	}
	on := 0
	for _, t := range b.Tables() {
		if m := t.now.Load(); m.plays() && !m.game.Ended() {
			on++
		}
	}
	status := fmt.Sprintf("Serving %d tables, games on: %d.", len(b.Tables()), on)
	if is := b.trouble.Load(); is != nil {
		status = fmt.Sprintf("Storage in trouble (%v). %s", is.err, status)
	}
	return status
}
