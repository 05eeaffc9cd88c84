package store

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// What a restore leaves in the data folder for as long as it takes.
const (
	restoreFile  = "restore.zip"   // a backup that Open shall restore
	restoreTmp   = "restoring.tmp" // a store that is being made of a backup
	restoreReady = "restored"      // the same when it is whole, until it has taken its place
	asideDir     = "aside"
)

// Uploaded is what a backup is called in the data folder while its owner looks
// at it. Open takes it for one that nobody looks at any more.
const Uploaded = "upload.zip"

// leftovers are what a process leaves that ends in the middle. They may be so
// large that without them there is room for a store.
var leftovers = []string{restoreTmp, lookDir, Uploaded, "backups/mafiabox-*" + unfinished}

func removeLeftovers(dir string, log *slog.Logger) {
	for _, name := range leftovers {
		all, _ := filepath.Glob(filepath.Join(dir, name))
		for _, path := range all {
			if err := os.RemoveAll(path); err != nil {
				log.Warn("what is of no use any more stays", "path", path, "err", err)
			}
		}
	}
}

// RestoreRefused is what a backup is called in the data folder that Open should
// have restored, and could not.
const RestoreRefused = "restore-refused.zip"

// ErrHoldsGames says that a folder holds games, which a restore must not replace unasked.
var ErrHoldsGames = errors.New("the folder holds games")

// Restore makes a backup the content of a data folder. What the folder held is
// moved aside, never deleted, when replace says that it may be; aside names the
// folder in which it lies then.
//
// A restore that a pulled plug ends has changed nothing, or is finished by the
// next Open.
func Restore(dir string, b *Backup, replace bool, log *slog.Logger) (aside string, err error) {
	if err := Folder(dir); err != nil {
		return "", err
	}
	unlock, err := Lock(dir)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if _, err := takePlace(dir); err != nil { // what a pulled plug has left
		return "", err
	}
	holds, err := Holds(dir)
	if err != nil {
		return "", err
	}
	if holds && !replace {
		return "", fmt.Errorf("%w: %s", ErrHoldsGames, dir)
	}
	if err := makeReady(dir, b, log); err != nil {
		return "", err
	}
	if err := unask(dir); err != nil { // this is the later wish
		return "", err
	}
	return takePlace(dir)
}

// storeParts are the folders that a store consists of.
var storeParts = []string{inside, "games", "tables"}

// Holds tells whether a data folder keeps anything of a store. Without Badger the
// rest is enough to open it.
func Holds(dir string) (bool, error) {
	for _, part := range storeParts {
		list, err := os.ReadDir(filepath.Join(dir, part))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return false, err
		}
		if len(list) > 0 {
			return true, nil
		}
	}
	return false, nil
}

// AskRestore leaves a verified backup's file to the next Open, which restores it.
func AskRestore(dir, path string) error {
	if err := os.Rename(path, filepath.Join(dir, restoreFile)); err != nil {
		return err
	}
	return syncDir(dir)
}

// unask forgets what AskRestore has left.
func unask(dir string) error {
	if err := os.Remove(filepath.Join(dir, restoreFile)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// finishRestore does what AskRestore has left, and what a pulled plug has. A
// backup that can't be restored is put away: the box starts with what it has.
func finishRestore(dir string, log *slog.Logger) error {
	path := filepath.Join(dir, restoreFile)
	_, asked := os.Lstat(path)
	_, ready := os.Lstat(filepath.Join(dir, restoreReady))
	if asked == nil && ready == nil { // the one is made of the other
		if err := unask(dir); err != nil {
			return err
		}
	} else if asked == nil {
		b, err := OpenBackup(path)
		if err == nil {
			err = makeReady(dir, b, log)
		}
		if b != nil {
			err = errors.Join(err, b.Close())
		}
		if err == nil {
			err = unask(dir)
		} else {
			log.Error("the backup is not restored", "file", RestoreRefused, "err", err)
			err = os.Rename(path, filepath.Join(dir, RestoreRefused))
		}
		if err != nil {
			return err
		}
	}
	aside, err := takePlace(dir)
	if aside != "" {
		log.Warn("a backup was restored", "what was here before", aside)
	}
	return err
}

// makeReady makes a store of the backup beside the one that there is.
func makeReady(dir string, b *Backup, log *slog.Logger) error {
	tmp := filepath.Join(dir, restoreTmp)
	if err := os.RemoveAll(tmp); err != nil {
		return err
	}
	s, _, err := Open(tmp, log)
	if err != nil {
		return err
	}
	mark := func(io.Writer) error { return nil }
	if err := errors.Join(fill(s, b), s.Close(), KeepFound(tmp, b.Missing()), writeSynced(filepath.Join(tmp, restoredFile), mark)); err != nil {
		return errors.Join(err, os.RemoveAll(tmp))
	}
	if err := os.Rename(tmp, filepath.Join(dir, restoreReady)); err != nil {
		return err
	}
	return syncDir(dir)
}

// takePlace puts a store that is ready where it belongs, and what is there
// aside. Begun again after a pulled plug it goes on where it was.
func takePlace(dir string) (aside string, err error) {
	ready := filepath.Join(dir, restoreReady)
	if _, err := os.Lstat(ready); errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	for _, part := range storeParts {
		from, to := filepath.Join(ready, part), filepath.Join(dir, part)
		if _, err := os.Lstat(from); errors.Is(err, fs.ErrNotExist) {
			continue // it has its place
		}
		// Remove takes an empty folder alone.
		if err := os.Remove(to); err != nil && !errors.Is(err, fs.ErrNotExist) {
			if aside == "" {
				if aside, err = newAside(dir, "restore"); err != nil {
					return "", err
				}
			}
			if err := errors.Join(os.Rename(to, filepath.Join(aside, part)), syncDir(aside)); err != nil {
				return aside, err
			}
		}
		if err := os.Rename(from, to); err != nil {
			return aside, err
		}
		if err := syncDir(dir); err != nil {
			return aside, err
		}
	}
	return aside, errors.Join(os.RemoveAll(ready), syncDir(dir))
}

// restoredFile says that the ring's backups are of the store that was replaced:
// nothing is mended from them. It stays, in the store, until the ring has one of this.
const restoredFile = "tables/restored"

// backUpRestored makes that one. What it can't do now the next Open does.
func backUpRestored(dir string, s Store, ring Ring, log *slog.Logger) {
	err := Folder(ring.Dir)
	if err == nil {
		_, err = ring.Add(s, Made{At: time.Now(), Whole: true})
	}
	if err == nil {
		err = os.Remove(filepath.Join(dir, restoredFile))
	}
	if err != nil {
		log.Warn("no backup was made of what was restored", "err", err)
	}
}

// newAside makes a folder for what is moved aside, with the date and the reason
// in its name: 2026-11-30-restore-1.
func newAside(dir, why string) (string, error) {
	all := filepath.Join(dir, asideDir)
	if err := Folder(all); err != nil {
		return "", err
	}
	path, err := freeName(filepath.Join(all, time.Now().Format(time.DateOnly)+"-"+why+"-"))
	if err != nil {
		return "", err
	}
	return path, Folder(path)
}

// KeepOwner gives everything in a data folder to the folder's owner. What root
// makes in it by a command, a box that runs as somebody else could not read.
func KeepOwner(dir string) error {
	dir, err := filepath.EvalSymlinks(dir) // a service's is a link
	if err != nil || os.Geteuid() != 0 {
		return err
	}
	var owner unix.Stat_t
	if err := unix.Stat(dir, &owner); err != nil {
		return err
	}
	return filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, int(owner.Uid), int(owner.Gid))
	})
}
