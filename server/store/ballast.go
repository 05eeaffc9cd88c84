package store

import (
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// ballastSize is what the ballast takes of the disk. Where something else has
// filled that to its last byte, giving the ballast up leaves twice what Commit
// wants: the box starts, says so, and has minFree for the rest of the evening,
// which takes a tenth of it.
const ballastSize = 128 << 20

const ballastName = "ballast" // in the store's folder

// ballast is a file without content that holds room for the day when there is
// none. It is thrown off when room gets short, and taken in again when there is
// plenty: then all of it fits and leaves twice minFree.
type ballast struct {
	path string
	log  *slog.Logger
	on   bool
	off  bool // this disk gives no room in advance
}

func newBallast(dir string, log *slog.Logger) *ballast {
	b := &ballast{path: filepath.Join(dir, ballastName), log: log}
	_, err := os.Lstat(b.path)
	b.on = err == nil
	return b
}

// room is an error when the disk has less than that, also without the ballast.
// It costs one look at the disk.
func (b *ballast) room(want uint64) error {
	dir := filepath.Dir(b.path)
	free, err := free(dir)
	switch {
	case err != nil:
		return err
	case free < want && b.on:
		if err := os.Remove(b.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			b.log.Warn("the ballast can't be thrown off", "err", err)
			break
		}
		b.on = false
		b.log.Warn("the disk is nearly full: its ballast is thrown off. Make room on it", "dir", dir, "free_MiB", free>>20)
		return room(dir, want)
	case !b.on && !b.off && free >= 2*minFree+ballastSize:
		b.take()
	}
	return enough(dir, free, want)
}

// take takes the ballast in, with blocks that are really allocated.
func (b *ballast) take() {
	file, err := os.OpenFile(b.path, os.O_WRONLY|os.O_CREATE, 0o600)
	if err == nil {
		err = errors.Join(allocate(file, ballastSize), file.Close())
	}
	if err != nil {
		os.Remove(b.path)
		b.off = true // a file of zeros would take a card half a minute
		b.log.Info("no ballast on this disk", "err", err)
		return
	}
	b.on = true
}

// Fits tells whether a store's disk takes so many bytes besides and leaves what
// Commit wants, without the ballast. The error is ErrFull.
func Fits(dir string, bytes int64) error { return room(dir, minFree+uint64(max(0, bytes))) }

// Room is what a store's disk has left.
type Room struct {
	Free    uint64 // bytes
	Full    bool   // too little for Commit
	Ballast bool   // there is more to be had when it gets full
	Short   bool   // there is not, nor room for it
	Locked  bool   // nothing can be written
}

// Look looks at the disk of a store, open or not.
func Look(dir string) (Room, error) {
	var fs unix.Statfs_t
	if err := unix.Statfs(dir, &fs); err != nil {
		return Room{}, err
	}
	r := Room{Free: fs.Bavail * uint64(fs.Bsize), Locked: locked(fs)}
	switch _, err := os.Lstat(filepath.Join(dir, ballastName)); {
	case err == nil:
		r.Ballast = true
	case !errors.Is(err, os.ErrNotExist):
		return Room{}, err
	}
	r.Short = !r.Ballast && r.Free < 2*minFree+ballastSize
	r.Full = r.Free < minFree && !r.Ballast
	return r, nil
}

// allocate takes so many bytes of the disk for a file, that hold nothing.
func allocate(file *os.File, size int64) error { return unix.Fallocate(int(file.Fd()), 0, 0, size) }

// locked tells whether the disk takes no writing.
func locked(fs unix.Statfs_t) bool { return fs.Flags&unix.ST_RDONLY != 0 }
