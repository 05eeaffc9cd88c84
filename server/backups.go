package server

import (
	"errors"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
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
	ring   store.Ring
	ready  func() error // why nothing may be written there now
	wake   chan struct{}
	newest atomic.Int64 // the number of its newest, as far as its goroutine knows

	mu    sync.Mutex
	whole bool        // what waits is a whole one
	last  error       // of the one that was made last
	seen  *store.Kept // its newest when it was there last; nil: unknown
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

// stickAgain is how long a wish that found no stick waits until there is another look.
const stickAgain = time.Minute

// keep is a place's goroutine. Nobody else waits for its disk: a stick may never
// answer.
func (b *Box) keep(p *backupPlace) {
	if all, err := p.ring.List(); err == nil && len(all) > 0 {
		p.newest.Store(int64(all[0].No))
	}
	if p != b.backups.here && b.backups.lacks() {
		p.want(true)
	}
	var again <-chan time.Time
	for {
		select {
		case <-b.closing: // even if one waits: the store has everything
			return
		case <-p.wake:
		case <-again:
		}
		again = nil
		p.mu.Lock()
		whole := p.whole
		p.whole = false
		p.mu.Unlock()
		err := p.ready()
		var made *store.Kept
		if err == nil {
			var c store.Contents
			if c, err = p.ring.Add(b.store, b.made(whole)); err == nil {
				p.newest.Store(int64(c.No))
				made = &store.Kept{No: c.No, At: c.At}
			}
		}
		out := absent(err)
		p.mu.Lock()
		if out {
			p.whole, again = p.whole || whole, b.cfg.After(stickAgain)
		}
		said := out && absent(p.last)
		p.last = err
		if made != nil {
			p.seen = made
		}
		p.mu.Unlock()
		switch {
		case err == nil, said:
		case p == b.backups.here:
			b.log.Error("no backup was made", "folder", p.ring.Dir, "error", err)
		default:
			b.log.Warn("no backup was made in the second place", "error", err)
		}
	}
}

// absent tells whether a second place is not there, and may come.
func absent(err error) bool {
	return errors.Is(err, store.ErrAbsent) || errors.Is(err, store.ErrSameDisk)
}

// lacks tells whether the second place has no backup as new as the card's last
// whole one: the stick was out when that was made.
func (p *backups) lacks() bool {
	all, err := p.here.ring.List()
	i := slices.IndexFunc(all, func(k store.Kept) bool { return k.Kind == "whole" })
	return err == nil && i >= 0 && all[i].No > int(p.second.newest.Load())
}

// made names a new backup: its number follows those of both places.
func (b *Box) made(whole bool) store.Made {
	made := store.Made{No: int(b.backups.here.newest.Load()), At: b.cfg.Now().Round(0), Whole: whole}
	if second := b.backups.second; second != nil {
		made.No = max(made.No, int(second.newest.Load()))
	}
	return made
}

// backupsEnd is how long a box that closes waits for a backup that is being
// made.
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

// errSilent says that a place does not answer.
var errSilent = errors.New("the disk does not answer")

// look is what the owner is told of a place: its newest backup, of one that is
// not there the newest that it had, and what is wrong with it.
func (p *backupPlace) look() (newest *store.Kept, wrong error) {
	type state struct {
		newest *store.Kept
		wrong  error
	}
	result := make(chan state, 1)
	go func() {
		if wrong := p.ready(); wrong != nil {
			result <- state{nil, wrong}
			return
		}
		all, wrong := p.ring.List()
		if len(all) > 0 {
			result <- state{&all[0], wrong}
			return
		}
		result <- state{nil, wrong}
	}()
	p.mu.Lock()
	last, seen := p.last, p.seen
	p.mu.Unlock()
	if absent(last) {
		last = nil // as it stands now is what counts
	}
	select {
	case s := <-result:
		if s.newest != nil {
			p.mu.Lock()
			p.seen = s.newest
			p.mu.Unlock()
		} else if s.wrong != nil {
			s.newest = seen
		}
		return s.newest, errors.Join(s.wrong, last)
	case <-time.After(lookTime):
		return seen, errSilent
	}
}

// lookTime is how long the owner's page waits for a disk.
const lookTime = 2 * time.Second
