package store

import (
	"errors"
	"os"
	"path/filepath"
	"sync/atomic"
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

// failOnce makes the next sync of a file fail: what is taken back is synced.
func failOnce(s *store) {
	var failed atomic.Bool
	s.files.sync = func(f *os.File) error {
		if failed.CompareAndSwap(false, true) {
			return errTest
		}
		return syncData(f)
	}
}

func TestFileFails(t *testing.T) {
	s, dir, _ := stored(t)
	for range 2 {
		for _, c := range []Change{
			{Table: "a", Game: 1, Acts: acts(6, 8), Over: true, Doc: []byte("new")},
			{Table: "b", Game: 1, Head: []byte(head), Acts: acts(1, 2), Doc: []byte("new")},
		} {
			failOnce(s)
			if err := s.Commit(c); !errors.Is(err, errTest) || errors.Is(err, ErrStopped) {
				t.Fatal(err)
			}
		}
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

// What can't be taken back is open until the store is opened again.
func TestFileKeepsFailing(t *testing.T) {
	s, dir, _ := stored(t)
	s.files.sync = func(*os.File) error { return errTest }
	if err := s.Commit(Change{Table: "a", Game: 1, Acts: acts(6, 8)}); !errors.Is(err, errTest) || !errors.Is(err, ErrStopped) {
		t.Fatal(err)
	}
	s.Close()
	s = open(t, dir)
	wantGame(t, s, "a", 1, len(game(t, s, "a", 1).Acts))
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
		acts      int // that are there after a new Open: nobody was told of the last three
	}{
		"before writing": {failing{fail: errTest}, false, 8},
		"after writing":  {failing{fail: errTest, after: true}, false, 8},
		"both":           {failing{fail: errTest}, true, 8},
		"taking back":    {failing{fail: errTest, skip: 1}, true, 8},
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
			wantFiles(t, s)
			commit(t, s, Change{Table: "a", Game: 1, Acts: acts(f.acts+1, 9)})
			wantFiles(t, s)
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
	if _, _, err := Open(dir, nil); !errors.Is(err, ErrFull) {
		t.Fatal(err)
	}
	minFree = old
	s = open(t, dir)
	commit(t, s, Change{Table: "a", Game: 1, Acts: acts(6, 6)})
	wantFiles(t, s)
}

func TestInUse(t *testing.T) {
	s, dir, _ := stored(t)
	if _, _, err := Open(dir, nil); !errors.Is(err, ErrInUse) {
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
	if _, _, err := Open(file, nil); err == nil {
		t.Fatal("a file is no folder")
	}
}

// The settings without which games are lost, or a small machine dies. Most of
// them can't be missed by a test of an hour on a large one.
func TestTuned(t *testing.T) {
	o := tuned(t.TempDir(), nil)
	for _, c := range []struct {
		holds bool
		why   string
	}{
		{o.SyncWrites, "without it a pulled plug takes all that the kernel had yet to write"},
		{!o.InMemory && !o.ReadOnly && !o.BypassLockGuard, "there would be nothing, or two who write"},
		{o.ChecksumVerificationMode == options.OnTableRead, "without it a flipped byte is given out as data; OnTableAndBlockRead panics"},
		{o.ValueThreshold > maxValue, "a torn value log reads as empty without an error"},
		{float64(maxCommit)+maxPairs*16 < 0.15*float64(o.MemTableSize), "a Commit has to fit one transaction"},
		{o.ValueThreshold <= int64(0.15*float64(o.MemTableSize)), "Badger refuses to open"},
		{o.MemTableSize*int64(o.NumMemtables) <= 16<<20, "512 MB of memory are for the whole machine"},
		{o.ValueLogFileSize <= 16<<20, "twice as much is mapped, and on 32 bits 2 GiB can't be: the second Open fails for good"},
		{o.BlockCacheSize == 0 && o.IndexCacheSize == 0 && o.Compression == options.None, "a cache takes memory, and compression needs one"},
		{o.NumCompactors == 2, "the fewest that Badger takes; none stops a commit for good"},
		{o.NumLevelZeroTables <= 2 && o.NumLevelZeroTablesStall <= 4, "tables of level zero are in memory"},
		{o.NumVersionsToKeep == 1, "old documents would never go"},
		{!o.DetectConflicts, "it keeps a sum of every key"},
	} {
		if !c.holds {
			t.Errorf("%s: %+v", c.why, o)
		}
	}
}
