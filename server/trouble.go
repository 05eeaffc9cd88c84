package server

import (
	"errors"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/mafiabox/mafiabox/server/store"
)

// trouble is why something could not be stored.
type trouble struct {
	err   error
	since time.Time
}

// noted is the box's store, where everybody learns what became of a Commit: the
// panel, the owner, and who opens the store anew when it has stopped.
type noted struct {
	store.Store
	box *Box
}

func (n noted) Commit(changes ...store.Change) error {
	n.box.writes.begin()
	err := n.Store.Commit(changes...)
	n.box.writes.end()
	n.box.stored(err)
	return err
}

// writing are the Commits that are under way.
type writing struct {
	mu    sync.Mutex
	n     int
	since time.Time // they, or what is left of them
}

func (w *writing) begin() { w.add(1) }
func (w *writing) end()   { w.add(-1) }

func (w *writing) add(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.n += n; n < 0 || w.n == 1 {
		w.since = time.Now()
	}
}

// stall is for how long the disk has been at work on what it has.
func (w *writing) stall() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.n == 0 {
		return 0
	}
	return time.Since(w.since)
}

// stored notes how it went. What can't be stored for its own sake, on whatever
// disk, says nothing of the disk.
func (b *Box) stored(err error) {
	var broken *store.BrokenError
	was, is := b.trouble.Load(), (*trouble)(nil)
	switch {
	case errors.Is(err, store.ErrInvalid), errors.Is(err, store.ErrOrder), errors.Is(err, store.ErrTooLong),
		errors.Is(err, store.ErrClosed), errors.As(err, &broken):
		return
	case err != nil && was != nil:
		is = &trouble{err, was.since}
	case err != nil:
		is = &trouble{err, b.cfg.Now()}
	case was == nil:
		return
	}
	b.trouble.Store(is)
	if (was == nil) != (is == nil) {
		select {
		case b.troubles <- struct{}{}:
		default:
		}
	}
	if errors.Is(err, store.ErrStopped) {
		b.fail(err)
	}
}

// probeBeats is how many beats a box in trouble waits until it tries the disk
// again by itself: often enough to be well soon, and no hardship for a bad card.
const probeBeats = 5

// probe stores the table once more as it is, while something could not be stored.
func (t *Table) probe(beats int) {
	if beats%probeBeats == 0 && t.box.trouble.Load() != nil {
		t.work([]request{{at: t.box.cfg.Now(), do: func(d *draft) error { d.dirty = true; return nil }, reply: make(chan answer, 1)}})
	}
}

// The kinds of trouble, which name their texts.
const (
	diskFull    = "full"
	diskLocked  = "locked"  // it takes no writing
	diskFailing = "failing" // it answers with errors
	diskUnknown = "unknown"

	troubleStopped = "stopped" // it is open what became of a form
)

// kindOf is what kind of trouble an error is. Of what the system says, some of
// it comes through Badger, as text alone.
func kindOf(err error) string {
	is := func(codes ...syscall.Errno) bool {
		for _, code := range codes {
			if errors.Is(err, code) || strings.Contains(err.Error(), code.Error()) {
				return true
			}
		}
		return false
	}
	switch {
	case errors.Is(err, store.ErrFull) || is(syscall.ENOSPC, syscall.EDQUOT):
		return diskFull
	case is(syscall.EROFS, syscall.EACCES, syscall.EPERM):
		return diskLocked
	case is(syscall.EIO, syscall.ENXIO, syscall.ENODEV):
		return diskFailing
	}
	return diskUnknown
}

// troubleView is the trouble as the owner's page has it.
type troubleView struct {
	Why    string
	Detail string // what the system says
	Since  string // a time of the day, as the box's clock has it
}

func (b *Box) troubleView(w words) *troubleView {
	is := b.trouble.Load()
	if is == nil {
		return nil
	}
	return &troubleView{w.T("trouble." + kindOf(is.err)), is.err.Error(), is.since.Format("15:04")}
}

// gone tells whether an answer would be worth nothing, as this box ends: its
// store has stopped, so that it is open what is on the disk, or it is closing.
// Then every form comes again with its key, whatever became of it here.
func (b *Box) gone(err error) bool {
	is := b.trouble.Load()
	return errors.Is(err, errClosing) || errors.Is(err, store.ErrStopped) || is != nil && errors.Is(is.err, store.ErrStopped)
}

// waitPage says that the box can't store, and comes again by itself.
type waitPage struct {
	words
	Title, Why, Back string
	Again            int // seconds until it comes again
}

// waitAgain is how often such a page comes again, in seconds.
const waitAgain = 5

// comeBack answers who should come again. It holds nothing of any game.
func (b *Box) comeBack(c *fiber.Ctx, why string) error {
	w := b.wordsFor(c)
	c.Status(fiber.StatusServiceUnavailable).Set(fiber.HeaderRetryAfter, "2")
	if live(c) {
		return c.Type("txt", "utf-8").SendString(w.T("trouble.live"))
	}
	p := waitPage{words: w, Title: w.T("trouble.title"), Why: w.T("trouble." + why), Back: returnPath(c), Again: waitAgain}
	c.Type("html", "utf-8")
	return c.Render("wait", p)
}

// returnPath is the path at which the visitor is: a form is sent from its page.
func returnPath(c *fiber.Ctx) string {
	if c.Method() == fiber.MethodGet || c.Method() == fiber.MethodHead {
		return "/" + strings.TrimLeft(c.Path(), "/\\")
	}
	_, path, _ := strings.Cut(c.Get(fiber.HeaderReferer), hostOf(c)) // a form of another site gets no answer but a refusal
	path, _, _ = strings.Cut(path, "?")
	return "/" + strings.TrimLeft(path, "/\\")
}
