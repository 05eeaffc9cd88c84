package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
	"github.com/mafiabox/mafiabox/hardware"
	"github.com/mafiabox/mafiabox/server"
	"github.com/mafiabox/mafiabox/server/lan"
	"github.com/mafiabox/mafiabox/server/store"
)

// house is where boxes live, one at a time: while the store has failed, or can't
// be opened, one without a store takes the place. The address, the panel and the
// name on the network stay as they are meanwhile.
type house struct {
	*serveCmd
	look     []string // the command that looks at a store before it is opened
	listener *net.TCPListener
	network  *lan.Network
	panel    *hardware.Panel
	keys     *os.File         // what is typed at the terminal; nil: nobody sits there
	show     func(server.Cue) // on the panel
	log      *slog.Logger

	box    atomic.Pointer[server.Box] // that is in
	first  sync.Once                  // somebody moved in
	last   *server.Box                // with a store; nil: there was none yet
	told   bool                       // the codes that count
	pause  time.Duration              // before the store is opened again
	broken error                      // nobody can come in any more
}

// opened is a store, or why it can't be opened.
type opened struct {
	keep   store.Store
	found  []store.Finding
	failed error
}

const (
	firstPause  = time.Second      // after a store could not be opened; it doubles
	longPause   = 15 * time.Second // and becomes no longer
	livedWell   = time.Minute      // who stored that long has recovered
	closeWithin = 10 * time.Second // a store that can't write may never close
)

// run has a box in the house until ctx ends, or nobody can come in any more.
func (h *house) run(ctx context.Context, now opened) error {
	ctx, stop := context.WithCancel(ctx)
	goodbye := make(chan struct{})
	go h.follow(ctx, goodbye)
	defer func() {
		stop()
		select { // the network is told, if it listens
		case <-goodbye:
		case <-time.After(500 * time.Millisecond):
		}
	}()
	for {
		why := now.failed
		if why != nil {
			h.pause = max(h.pause, firstPause)
		} else {
			why = h.live(ctx, now)
		}
		closed := make(chan struct{})
		go func() {
			defer close(closed)
			if now.keep != nil {
				now.keep.Close()
			}
		}()
		if ctx.Err() != nil || h.broken != nil {
			select {
			case <-closed:
			case <-time.After(closeWithin):
			}
			return h.broken
		}
		if errors.Is(why, server.ErrRestoring) { // all is well, and a phone waits that long
			select {
			case <-closed:
			case <-ctx.Done():
				return nil // the next start restores
			}
			h.log.Info("a backup takes the place of what there was")
			now = h.open(ctx)
			continue
		}
		now = h.wait(ctx, why, closed)
	}
}

// open opens the store.
func (h *house) open(ctx context.Context) opened {
	keep, found, err := store.OpenContext(ctx, h.Data, h.log, h.look...)
	return opened{keep, found, err}
}

// live lets a box live on a store, until that fails.
func (h *house) live(ctx context.Context, now opened) (why error) {
	box, err := server.Open(h.config(now.keep, now.found))
	if err != nil {
		h.pause = max(h.pause, firstPause)
		return err
	}
	if !h.told {
		h.box.Store(box)
		h.welcome(box, h.network) // the codes stay as they are from now on
		h.told = true
	}
	h.last = box
	began := time.Now()
	leave, broken := h.movesIn(ctx, box)
	defer leave()
	select {
	case why = <-box.Failed():
		if h.told = !errors.Is(why, server.ErrRestoring); h.told {
			h.log.Error("the store has failed and is opened again", "error", why)
		}
	case h.broken = <-broken:
	case <-ctx.Done():
		tell(daemon.SdNotifyStopping, "Stopping.")
	}
	if time.Since(began) > livedWell {
		h.pause = 0
	}
	return why
}

// wait has a box without a store in the house, until there is one again. The
// store before must have closed by then: it holds the folder.
func (h *house) wait(ctx context.Context, why error, closed <-chan struct{}) (now opened) {
	h.log.Error("no store: every page says so, and it is tried again", "error", why)
	box, err := server.Waiting(h.config(nil, nil), why)
	if err != nil {
		h.broken = err
		return opened{failed: err}
	}
	leave, broken := h.movesIn(ctx, box)
	defer leave()
	fmt.Printf("The store can't be opened: %v\nUntil it can, every page says so: %s\n", why, lan.URL(h.network.Addresses()[0], h.network.Port(), "/"))
	for {
		found := make(chan opened, 1)
		go func() {
			<-closed
			time.Sleep(h.pause)
			found <- h.open(ctx)
		}()
		select {
		case now = <-found:
		case h.broken = <-broken:
			return opened{failed: h.broken}
		case <-ctx.Done():
			tell(daemon.SdNotifyStopping, "Stopping.")
			return opened{failed: ctx.Err()}
		}
		if now.failed == nil {
			return now
		}
		if now.failed.Error() != why.Error() {
			h.log.Error("still no store", "error", now.failed)
		}
		why = now.failed
		box.Wait(why)
		h.pause = min(longPause, max(firstPause, 2*h.pause))
	}
}

// movesIn lets a box answer, and the panel follow it. It leaves before the next
// one comes; broken tells that nobody can come in.
func (h *house) movesIn(ctx context.Context, box *server.Box) (leave func(), broken <-chan error) {
	h.box.Store(box)
	if h.show == nil { // after what it prints
		h.show = shows(h.panel, h.keys)
	}
	served := make(chan error, 1)
	var inside sync.WaitGroup
	loan := lend(h.listener)
	inside.Go(func() { served <- box.Serve(loan) })
	inside.Go(func() {
		box.WatchPanel(h.show, func(cue server.Cue) { h.panel.Light(hardware.Cue(cue)) }, h.panel.Silence)
	})
	h.first.Do(func() {
		tell(daemon.SdNotifyReady, box.Status())
		go h.press()
		go h.draw(ctx)
		go lookAfter(ctx, h.listener.Addr(), h.box.Load, h.log)
	})
	return func() {
		if err := box.Close(); err != nil {
			h.log.Warn("the box did not close in order", "error", err)
		}
		loan.Close() // a box that leaves as it comes does not serve yet, and would after it has closed
		inside.Wait()
	}, served
}

// follow follows the network: codes lead where the box is.
func (h *house) follow(ctx context.Context, goodbye chan<- struct{}) {
	defer close(goodbye)
	led := h.network.Addresses()[0] // where the codes lead that were printed
	h.network.Follow(ctx, func() {
		box := h.box.Load()
		if box == nil {
			return
		}
		box.Moved()
		if now := h.network.Addresses()[0]; now != led && len(box.Tables()) > 0 {
			led = now
			h.welcome(box, h.network)
		}
	})
}

// draw has whichever box is in draw the panel anew.
func (h *house) draw(ctx context.Context) {
	for {
		select {
		case <-h.panel.Changed():
			h.box.Load().PanelChanged()
		case <-ctx.Done():
			return
		}
	}
}

// press has the button lead whichever box is in.
func (h *house) press() {
	for press := range h.panel.Presses() {
		box := h.box.Load()
		if cue := box.Press(server.Press(press.Kind), press.At.Add(press.Held)); cue != "" {
			box.Play(cue)
		}
		if press.Kind == hardware.Start && len(box.Tables()) > 0 {
			h.welcome(box, h.network)
		}
	}
}
