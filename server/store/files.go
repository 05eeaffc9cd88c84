package store

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
)

// files is the folder of record files. They are a second copy, for a person and
// for the day when Badger is rotten; the store never reads a game from them.
type files struct {
	dir  string
	log  *slog.Logger
	sync func(*os.File) error // (*os.File).Sync, except in tests
}

// addition is text to put into a file at its end, which is now at `at`. A file
// is created for text at 0.
type addition struct {
	at   int64
	text []byte
}

func fileName(table string, n int) string { return fmt.Sprintf("%s-%d.mafia", table, n) }

// has tells whether the file is there with this size.
func (f *files) has(name string, size int64) bool {
	info, err := os.Stat(filepath.Join(f.dir, name))
	return err == nil && info.Size() == size
}

// add appends to each file and syncs it.
func (f *files) add(all map[string]*addition) error {
	for name, a := range all {
		if len(a.text) == 0 {
			continue // only its end was noted
		}
		flag := os.O_WRONLY
		if a.at == 0 {
			flag |= os.O_CREATE | os.O_EXCL
		}
		if err := f.write(filepath.Join(f.dir, name), flag, *a); err != nil {
			return err
		}
		if a.at == 0 {
			if err := syncDir(f.dir); err != nil {
				return err
			}
		}
	}
	return nil
}

func (f *files) write(path string, flag int, a addition) (err error) {
	file, err := os.OpenFile(path, flag, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if err := file.Truncate(a.at); err != nil { // a torn line, when align calls
		return err
	}
	if _, err := file.WriteAt(a.text, a.at); err != nil {
		return err
	}
	return f.sync(file)
}

// takeBack undoes add as far as it can. What it can't, align does later.
func (f *files) takeBack(all map[string]*addition) {
	for name, a := range all {
		path := filepath.Join(f.dir, name)
		var err error
		if a.at == 0 {
			err = os.Remove(path)
		} else {
			err = os.Truncate(path, a.at)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			f.log.Warn("a record file is left with what was not stored", "file", path, "err", err)
		}
	}
}

// align makes the file say what the book says; an empty want is no file.
//
// After the text that both have in common, a file may hold a torn line, or
// zeros: that is cut. Whole lines that the book does not know are most likely
// an act that nobody was told of, but they may as well be all that is left of
// acts that Badger lost, which it does without a word. So such a file is set
// aside, never deleted, and written anew.
func (f *files) align(name string, want []byte) error {
	path := filepath.Join(f.dir, name)
	have, err := os.ReadFile(path)
	missing := errors.Is(err, fs.ErrNotExist)
	switch {
	case err != nil && !missing:
		return err
	case missing && len(want) == 0:
		return nil
	case missing:
		f.log.Warn("a record file was missing and is written anew", "file", path)
		return f.rewrite(path, want)
	case len(want) > 0 && bytes.Equal(have, want):
		return nil
	}
	same := 0
	for same < len(have) && same < len(want) && have[same] == want[same] {
		same++
	}
	if len(want) > 0 && bytes.IndexByte(have[same:], '\n') < 0 {
		f.log.Info("a record file was cut short and is completed", "file", path, "from", same)
		return f.write(path, os.O_WRONLY, addition{int64(same), want[same:]})
	}
	aside, err := f.setAside(path)
	if err != nil {
		return err
	}
	f.log.Warn("a record file holds what the store does not know; it is set aside", "file", path, "aside", aside, "from", same)
	if len(want) == 0 {
		return syncDir(f.dir)
	}
	return f.rewrite(path, want)
}

// setAside renames the file to the first name that is free.
func (f *files) setAside(path string) (string, error) {
	for i := 1; ; i++ {
		aside := fmt.Sprintf("%s.aside%d", path, i)
		if _, err := os.Lstat(aside); err == nil {
			continue
		} else if !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		return aside, os.Rename(path, aside)
	}
}

// rewrite puts a whole file in place, so that at every moment there is either none or all of it.
func (f *files) rewrite(path string, text []byte) error {
	tmp := path + ".tmp"
	if err := f.write(tmp, os.O_WRONLY|os.O_CREATE, addition{0, text}); err != nil {
		return err
	}
	if err := os.Rename(tmp, path); err != nil {
		return err
	}
	return syncDir(f.dir)
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
