package store

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// files is the second copy of everything, outside Badger: a record file for each
// game and a file for each table's document. A person can read them, and the
// store is mended from them.
type files struct {
	dir    string // of the record files
	tables string // of the documents
	log    *slog.Logger
	sync   func(*os.File) error // syncData, except in tests
}

// syncData syncs what was written and as much as is needed to find it again:
// without the file's times, that is half the work where a file does not grow.
func syncData(f *os.File) error { return unix.Fdatasync(int(f.Fd())) }

// addition is text to put into a file at its end, which is now at `at`. A file
// is created for text at 0.
type addition struct {
	at   int64
	text []byte
}

const recordFile = ".mafia"

func fileName(table string, n int) string { return fmt.Sprintf("%s-%d%s", table, n, recordFile) }

// has tells whether the file is there with this size.
func (f *files) has(name string, size int64) bool {
	info, err := os.Stat(filepath.Join(f.dir, name))
	return err == nil && info.Size() == size
}

// add writes all of it side by side, each synced.
func (f *files) add(all map[string]*addition, docs map[string]copied) error {
	return each(all, docs, f.append, f.put)
}

// each does something with every addition and every document at the same time.
func each(all map[string]*addition, docs map[string]copied, add func(string, *addition) error, put func(string, copied) error) error {
	errs := make(chan error, len(all)+len(docs))
	for name, a := range all {
		go func() { errs <- add(name, a) }()
	}
	for table, d := range docs {
		go func() { errs <- put(table, d) }()
	}
	var err error
	for range cap(errs) {
		err = errors.Join(err, <-errs)
	}
	return err
}

func (f *files) append(name string, a *addition) error {
	if len(a.text) == 0 {
		return nil
	}
	flag := os.O_WRONLY
	if a.at == 0 {
		flag |= os.O_CREATE | os.O_EXCL
	}
	if err := f.write(filepath.Join(f.dir, name), flag, *a); err != nil || a.at > 0 {
		return err
	}
	return syncDir(f.dir)
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

// takeBack undoes add. What was not taken back would be found at the next Open
// and believed.
func (f *files) takeBack(all map[string]*addition, docs map[string]copied) error {
	return each(all, docs, f.cut, f.unput)
}

func (f *files) cut(name string, a *addition) error {
	path := filepath.Join(f.dir, name)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if a.at > 0 {
		return f.write(path, os.O_WRONLY, addition{at: a.at})
	}
	if err := os.Remove(path); err != nil {
		return err
	}
	return syncDir(f.dir)
}

// align makes the file say what the book says; an empty want is no file. It
// gives the name that a file got which was set aside.
//
// After the text that both have in common, a file may hold a torn line, or
// zeros: that is cut. With whole lines that are of no use to the book, for their
// sums don't hold, it is set aside, never deleted, and written anew.
func (f *files) align(name string, want []byte) (aside string, err error) {
	path := filepath.Join(f.dir, name)
	have, err := os.ReadFile(path)
	missing := errors.Is(err, fs.ErrNotExist)
	switch {
	case missing && len(want) == 0:
		return "", nil
	case missing:
		f.log.Warn("a record file was missing and is written anew", "file", path)
		return "", f.rewrite(path, want)
	case err == nil && len(want) > 0 && bytes.Equal(have, want):
		return "", nil
	}
	same := 0
	for same < len(have) && same < len(want) && have[same] == want[same] {
		same++
	}
	if err == nil && len(want) > 0 && bytes.IndexByte(have[same:], '\n') < 0 {
		f.log.Info("a record file was cut short and is completed", "file", path, "from", same)
		return "", f.write(path, os.O_WRONLY, addition{int64(same), want[same:]})
	}
	aside, moved := f.setAside(path)
	if moved != nil {
		return "", moved
	}
	f.log.Warn("a record file holds what the store does not know, or can't be read; it is set aside", "file", path, "aside", aside, "from", same, "error", err)
	if len(want) == 0 {
		return aside, syncDir(f.dir)
	}
	return aside, f.rewrite(path, want)
}

// setAside renames the file to the first name that is free.
func (f *files) setAside(path string) (string, error) {
	aside, err := freeName(path + ".aside")
	if err != nil {
		return "", err
	}
	return aside, os.Rename(path, aside)
}

// freeName is the first name with a number behind it that nothing has.
func freeName(name string) (string, error) {
	for i := 1; ; i++ {
		path := fmt.Sprint(name, i)
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			return path, nil
		} else if err != nil {
			return "", err
		}
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

// text is a record file's text; none when it is not there. With an error it is
// what can be read: that is not lost.
func (f *files) text(name string) ([]byte, error) {
	file, err := os.Open(filepath.Join(f.dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, maxFile))
}

// ofFile tells whether an error to read a file is one of that file: the disk has
// spoilt it, and others are well. Else it comes from how the box is run.
func ofFile(err error) bool {
	for _, code := range []error{fs.ErrPermission, unix.EMFILE, unix.ENFILE, unix.ENOMEM} {
		if errors.Is(err, code) {
			return false
		}
	}
	return err != nil
}

// named are the games that have a file whose name ends like that.
func (f *files) named(end string) (all []GameID, err error) {
	list, err := os.ReadDir(f.dir)
	for _, e := range list {
		name, ok := strings.CutSuffix(e.Name(), end)
		i := strings.LastIndexByte(name, '-')
		if !ok || i < 0 {
			continue
		}
		n, err := strconv.Atoi(name[i+1:])
		if id := (GameID{name[:i], n}); err == nil && n >= 1 && n <= most && checkTable(id.Table) == nil && fmt.Sprintf("%s-%d%s", id.Table, n, end) == e.Name() {
			all = append(all, id)
		}
	}
	return all, err
}

// dump keeps what the book had of a game and what is of no use any more.
func (f *files) dump(name string, have map[string][]byte) (string, error) {
	var text []byte
	for _, key := range slices.Sorted(maps.Keys(have)) {
		text = fmt.Appendf(text, "%s %q\n", key, have[key])
	}
	path, err := freeName(filepath.Join(f.dir, name) + ".badger")
	if err != nil {
		return "", err
	}
	return path, f.rewrite(path, text)
}
