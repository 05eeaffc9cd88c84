package store

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// kept is how many backups of each kind a ring keeps. One of a store that had
// lost a part of a game is of a kind of its own: it must not push out those
// that hold that part.
var kept = map[string]int{"small": 6, "whole": 4, "broken": 2}

// Ring is a folder that keeps the latest backups. They are named by a counter,
// as the clock may be wrong: mafiabox-000012-whole.zip.
type Ring struct{ Dir string }

// Kept is a backup in a ring.
type Kept struct {
	Path string
	No   int
	Kind string // small, whole or broken
	Size int64
	At   time.Time // when the file was written, by the clock of then
}

// The errors of a second place for backups.
var (
	// ErrAbsent says that its folder is not there: the stick is out.
	ErrAbsent = errors.New("the folder is not there")
	// ErrSameDisk says that it is on the disk of the data or of the system: the
	// stick is out and this is the empty folder where it is mounted, or it was
	// never a second place.
	ErrSameDisk = errors.New("the folder is on the box's own disk")
)

// SecondPlace tells whether a folder is a second place for the backups of a
// data folder. It is never made here: on a stick that is out there is none.
func SecondPlace(dir, data string) error {
	var there, own unix.Stat_t
	if err := unix.Stat(dir, &there); errors.Is(err, unix.ENOENT) || err == nil && there.Mode&unix.S_IFMT != unix.S_IFDIR {
		return fmt.Errorf("%w: %s", ErrAbsent, dir)
	} else if err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	for _, path := range []string{data, "/"} {
		if err := unix.Stat(path, &own); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if own.Dev == there.Dev {
			return fmt.Errorf("%w: %s", ErrSameDisk, dir)
		}
	}
	return nil
}

// List gives the backups of the ring, the newest first.
func (r Ring) List() ([]Kept, error) {
	list, err := os.ReadDir(r.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var all []Kept
	for _, e := range list {
		k, ok := keptName(e.Name())
		info, infoErr := e.Info()
		if !ok || infoErr != nil || !info.Mode().IsRegular() {
			continue
		}
		k.Path, k.Size, k.At = filepath.Join(r.Dir, e.Name()), info.Size(), info.ModTime()
		all = append(all, k)
	}
	slices.SortFunc(all, func(x, y Kept) int { return cmp.Or(y.No-x.No, strings.Compare(x.Kind, y.Kind)) })
	return all, err
}

func keptName(name string) (Kept, bool) {
	part := strings.Split(strings.TrimSuffix(name, ".zip"), "-")
	if len(part) != 3 || part[0] != "mafiabox" || kept[part[2]] == 0 || !strings.HasSuffix(name, ".zip") {
		return Kept{}, false
	}
	no, err := strconv.Atoi(part[1])
	return Kept{No: no, Kind: part[2]}, err == nil && no > 0
}

// Add makes a backup of the store and lets the oldest go. Its number is the
// next after those in the ring, and after the one of made.
//
// At every moment the ring holds as many good ones as before: a new one has its
// name only when it is whole and safe, and only then an old one is removed.
func (r Ring) Add(s Store, made Made) (Contents, error) {
	all, err := r.List()
	if err != nil {
		return Contents{}, err
	}
	if len(all) > 0 {
		made.No = max(made.No, all[0].No)
	}
	made.No++
	if torn, err := filepath.Glob(filepath.Join(r.Dir, "mafiabox-*"+unfinished)); err == nil {
		for _, path := range torn { // by a pulled plug
			os.Remove(path)
		}
	}
	if err := room(r.Dir, minFree); err != nil {
		return Contents{}, err
	}
	c, err := saveBackup(s, made, func(c Contents) string {
		kind := "small"
		if c.Whole {
			kind = "whole"
		}
		if len(c.Broken) > 0 {
			kind = "broken"
		}
		return filepath.Join(r.Dir, fmt.Sprintf("mafiabox-%06d-%s.zip", made.No, kind))
	}, filepath.Join(r.Dir, fmt.Sprintf("mafiabox-%06d", made.No)))
	if err != nil {
		return c, err
	}
	return c, r.prune()
}

// prune removes what the ring need not keep.
func (r Ring) prune() error {
	all, err := r.List()
	count := map[string]int{}
	for _, k := range all {
		if count[k.Kind]++; count[k.Kind] > kept[k.Kind] {
			err = errors.Join(err, os.Remove(k.Path))
		}
	}
	return err
}

// unfinished ends the name of a file that is being written.
const unfinished = ".tmp"

// SaveBackup makes a backup of the store in a new file, which is whole or not there.
func SaveBackup(s Store, made Made, path string) (Contents, error) {
	if _, err := os.Lstat(path); err == nil {
		return Contents{}, fmt.Errorf("%s: %w, expected a name that is free", path, fs.ErrExist)
	}
	return saveBackup(s, made, func(Contents) string { return path }, path)
}

func saveBackup(s Store, made Made, name func(Contents) string, base string) (c Contents, err error) {
	tmp := base + unfinished
	err = writeSynced(tmp, func(w io.Writer) error {
		c, err = s.Backup(w, made)
		return err
	})
	if err == nil {
		err = os.Rename(tmp, name(c))
	}
	if err != nil {
		os.Remove(tmp)
		return c, err
	}
	return c, syncDir(filepath.Dir(tmp))
}

// writeSynced writes a file for its owner alone.
func writeSynced(path string, write func(io.Writer) error) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	if err = write(file); err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}
