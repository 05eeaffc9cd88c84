package store

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/dgraph-io/badger/v4/options"
)

// failing is a book whose writes fail: after they were done, or before.
type failing struct {
	book
	fail  error
	after bool
	skip  int // so many writes are good
}

func (f *failing) write(p []pair) error {
	if f.skip--; f.skip >= 0 {
		return f.book.write(p)
	}
	if f.after {
		return errors.Join(f.book.write(p), f.fail)
	}
	return f.fail
}

var errTest = errors.New("the card is dying")

func TestFileFails(t *testing.T) {
	s, dir, _ := stored(t)
	sync := s.files.sync
	for range 2 {
		s.files.sync = func(*os.File) error { return errTest }
		for _, c := range []Change{
			{Table: "a", Game: 1, Acts: acts(6, 8), Over: true, Doc: []byte("new")},
			{Table: "b", Game: 1, Head: []byte(head), Acts: acts(1, 2), Doc: []byte("new")},
		} {
			if err := s.Commit(c); !errors.Is(err, errTest) || errors.Is(err, ErrStopped) {
				t.Fatal(err)
			}
		}
		s.files.sync = sync
		tables, _ := s.Tables()
		if len(tables) != 1 || string(tables["a"]) != "{}" {
			t.Fatal(tables)
		}
		wantGame(t, s, "a", 1, 5)
		wantFiles(t, s)
	}
	commit(t, s, Change{Table: "a", Game: 1, Acts: acts(6, 8), Over: true}, Change{Table: "b", Game: 1, Head: []byte(head)})
	wantFiles(t, s)
	s.Close()
	s = open(t, dir)
	wantGame(t, s, "a", 1, 8)
	wantFiles(t, s)
}

// The folder of files is gone, and comes back.
func TestFolderFails(t *testing.T) {
	s, _, _ := stored(t)
	if err := os.Rename(s.files.dir, s.files.dir+"2"); err != nil {
		t.Fatal(err)
	}
	if s.Commit(Change{Table: "a", Game: 1, Acts: acts(6, 8)}) == nil || s.Commit(Change{Table: "b", Game: 1, Head: []byte(head)}) == nil {
		t.Fatal("nothing noticed")
	}
	if err := os.Rename(s.files.dir+"2", s.files.dir); err != nil {
		t.Fatal(err)
	}
	wantFiles(t, s)
	commit(t, s, Change{Table: "a", Game: 1, Acts: acts(6, 8)})
	wantFiles(t, s)
}

func TestBadgerFails(t *testing.T) {
	for name, f := range map[string]struct {
		failing
		fileFails bool
		acts      int // that are there after a new Open
		aside     []string
	}{
		"before writing": {failing{fail: errTest}, false, 5, []string{"a-1.mafia.aside1"}},
		"after writing":  {failing{fail: errTest, after: true}, false, 8, nil},
		"both":           {failing{fail: errTest}, true, 5, []string{"a-1.mafia.aside1"}},
		"taking back":    {failing{fail: errTest, skip: 1}, true, 8, nil},
	} {
		t.Run(name, func(t *testing.T) {
			s, dir, _ := stored(t)
			f.book, s.book = s.book, &f.failing
			if f.fileFails {
				s.files.sync = func(*os.File) error { return errTest }
			}
			if err := s.Commit(Change{Table: "a", Game: 1, Acts: acts(6, 8)}); !errors.Is(err, ErrStopped) || !errors.Is(err, errTest) {
				t.Fatal(err)
			}
			s.book = f.book
			if err := s.Commit(Change{Table: "b", Doc: []byte("x")}); !errors.Is(err, ErrStopped) {
				t.Fatal(err)
			}
			s.Close()
			s = open(t, dir)
			wantGame(t, s, "a", 1, f.acts)
			wantFiles(t, s, f.aside...)
			commit(t, s, Change{Table: "a", Game: 1, Acts: acts(f.acts+1, 9)})
			wantFiles(t, s, f.aside...)
		})
	}
}

func TestFull(t *testing.T) {
	s, dir, _ := stored(t)
	old := minFree
	defer func() { minFree = old }()
	minFree = 1 << 62
	if err := s.Commit(Change{Table: "a", Game: 1, Acts: acts(6, 6)}); !errors.Is(err, ErrFull) {
		t.Fatal(err)
	}
	wantGame(t, s, "a", 1, 5)
	s.Close()
	if _, err := Open(dir, nil); !errors.Is(err, ErrFull) {
		t.Fatal(err)
	}
	minFree = old
	s = open(t, dir)
	commit(t, s, Change{Table: "a", Game: 1, Acts: acts(6, 6)})
	wantFiles(t, s)
}

func TestInUse(t *testing.T) {
	s, dir, _ := stored(t)
	if _, err := Open(dir, nil); !errors.Is(err, ErrInUse) {
		t.Fatal(err)
	}
	commit(t, s, Change{Table: "a", Game: 1, Acts: acts(6, 6)})
	s.Close()
	// What a killed process leaves does not matter.
	if err := os.WriteFile(filepath.Join(dir, "badger", "LOCK"), []byte("1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	wantGame(t, open(t, dir), "a", 1, 6)
}

func TestOpenFails(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(file, nil); err == nil {
		t.Fatal("a file is no folder")
	}
	s, dir, _ := stored(t)
	s.Close()
	if err := os.WriteFile(filepath.Join(dir, "badger", "MANIFEST"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the folder is free again after a failed Open
		if _, err := Open(dir, slog.New(slog.DiscardHandler)); err == nil || errors.Is(err, ErrInUse) {
			t.Fatal(err)
		}
	}
}

// No test without pulling a plug can tell that these are missing.
func TestTuned(t *testing.T) {
	o := tuned(t.TempDir(), nil)
	if !o.SyncWrites || o.ValueThreshold <= maxValue || o.ChecksumVerificationMode != options.OnTableRead {
		t.Fatalf("%+v", o)
	}
}
