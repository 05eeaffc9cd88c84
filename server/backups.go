package server

import (
	"errors"
	"path/filepath"
	"sync"
	"time"

	"github.com/mafiabox/mafiabox/server/store"
)

// Backups are made beside the tables, never in the way of an act: whoever wants
// one says so and goes on. What is wanted while one is made becomes one more.

// backups are the places where the box keeps them.
type backups struct {
	here   *backupPlace
	second *backupPlace // nil: none is set
	making sync.WaitGroup

	handing sync.Mutex // a backup is made for the owner to take, or one is looked at
}

type backupPlace struct {
	ring  store.Ring
	ready func() error // why nothing may be written there now
	wake  chan struct{}

	mu    sync.Mutex
	whole bool          // what waits is a whole one
	last  backupOutcome // of the one that was made last
}

// backupOutcome is how a backup fared.
type backupOutcome struct {
	at  time.Time
	err error
}

const backupsDir = "backups"

func (b *Box) openBackups() {
	if b.cfg.Data == "" {
		return
	}
	dir := filepath.Join(b.cfg.Data, backupsDir)
	b.backups = &backups{here: &backupPlace{
		ring: store.Ring{Dir: dir}, wake: make(chan struct{}, 1), ready: func() error { return store.Folder(dir) },
	}}
	if to := b.cfg.BackupTo; to != "" {
		b.backups.second = &backupPlace{
			ring: store.Ring{Dir: to}, wake: make(chan struct{}, 1), ready: func() error { return store.SecondPlace(to, b.cfg.Data) },
		}
		b.backups.making.Go(func() { b.keep(b.backups.second) })
	}
	b.backups.making.Go(func() { b.keep(b.backups.here) })
}

// backUp wants a backup when a table's phase has changed, and a whole one when
// its game has ended or its people have gone home.
func (b *Box) backUp(before, after *moment) {
	was, is := before.plays() && !before.game.Ended(), after.plays() && !after.game.Ended()
	switch {
	case b.backups == nil:
	case was && !is, len(before.doc.People) > 0 && len(after.doc.People) == 0:
		b.backups.want(true)
	case is && (!was || before.game.Phase() != after.game.Phase()):
		b.backups.want(false)
	}
}

// want asks for a backup. The second place gets whole ones alone: between two
// of them the card has the rest.
func (p *backups) want(whole bool) {
	p.here.want(whole)
	if whole && p.second != nil {
		p.second.want(true)
	}
}

func (p *backupPlace) want(whole bool) {
	p.mu.Lock()
	p.whole = p.whole || whole
	p.mu.Unlock()
	select {
	case p.wake <- struct{}{}:
	default: // one waits already
	}
}

// keep is a place's goroutine.
func (b *Box) keep(p *backupPlace) {
	for {
		select {
		case <-b.closing: // even if one waits: the store has everything
			return
		case <-p.wake:
		}
		p.mu.Lock()
		whole := p.whole
		p.whole = false
		p.mu.Unlock()
		err := p.ready()
		if err == nil {
			_, err = p.ring.Add(b.store, b.made(p, whole))
		}
		if err != nil && p == b.backups.here {
			b.log.Error("no backup was made", "folder", p.ring.Dir, "error", err)
		} else if err != nil {
			b.log.Warn("no backup was made in the second place", "error", err)
		}
		p.mu.Lock()
		p.last = backupOutcome{b.cfg.Now(), err}
		p.mu.Unlock()
	}
}

// made names a new backup: its number follows those of all places.
func (b *Box) made(in *backupPlace, whole bool) store.Made {
	made := store.Made{At: b.cfg.Now().Round(0), Whole: whole}
	for _, p := range []*backupPlace{b.backups.here, b.backups.second} {
		if p == nil || p == in { // its own ring counts by itself
			continue
		}
		if all, err := p.ring.List(); err == nil && len(all) > 0 {
			made.No = max(made.No, all[0].No)
		}
	}
	return made
}

// backupsEnd is how long a box that closes waits for a backup: a stick may
// never answer.
const backupsEnd = 5 * time.Second

// wait waits for what is being made.
func (p *backups) wait() {
	if p == nil {
		return
	}
	ended := make(chan struct{})
	go func() {
		p.making.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(backupsEnd):
	}
}

// state is what the owner is told of a place: its newest backup, and what was
// wrong the last time.
func (p *backupPlace) state() (newest *store.Kept, err error) {
	p.mu.Lock()
	last := p.last
	p.mu.Unlock()
	if ready := p.ready(); errors.Is(ready, store.ErrAbsent) || errors.Is(ready, store.ErrSameDisk) {
		return nil, ready
	}
	if absent := errors.Is(last.err, store.ErrAbsent) || errors.Is(last.err, store.ErrSameDisk); absent {
		last.err = nil // it is there again
	}
	all, err := p.ring.List()
	if err == nil && len(all) > 0 {
		newest = &all[0]
	}
	return newest, errors.Join(last.err, err)
}
