package store

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// mendUntil mends a folder's store, whose Badger takes so many writes and then no
// more, as if the plug were pulled, before the next one or after it. It tells whether mending came to its end.
func mendUntil(t *testing.T, dir string, again *rebuild, writes int, after bool) bool {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	if err := Folder(filepath.Join(dir, inside)); err != nil {
		t.Fatal(err)
	}
	db, err := openBadger(tuned(filepath.Join(dir, inside), log))
	if err != nil {
		t.Fatal(err)
	}
	s := &store{
		book:  &failing{book: &disk{db: db, ballast: newBallast(dir, log)}, fail: errTest, after: after, skip: writes},
		files: &files{dir: filepath.Join(dir, "games"), tables: filepath.Join(dir, "tables"), log: log, sync: syncData},
		tails: map[string]tail{},
	}
	_, err = s.mendNoted(dir, again, nil)
	if err != nil && !errors.Is(err, errTest) {
		t.Fatal(err)
	}
	if err := s.book.close(); err != nil {
		t.Fatal(err)
	}
	return err == nil
}

// A rebuild that the plug ends, after whichever write, is gone on with as one:
// what only the backup holds comes back, too, and what is lost is told.
func TestRebuildInterrupted(t *testing.T) {
	t.Parallel()
	for what, begin := range map[string]func(t *testing.T, dir string) *rebuild{
		"Badger is not there": func(t *testing.T, dir string) *rebuild {
			if err := os.RemoveAll(filepath.Join(dir, inside)); err != nil {
				t.Fatal(err)
			}
			return nil
		},
		"Badger is set aside": func(t *testing.T, dir string) *rebuild {
			again, err := setBadgerAside(dir, errTest)
			if err != nil {
				t.Fatal(err)
			}
			return again
		},
	} {
		t.Run(what, func(t *testing.T) {
			whole := t.TempDir()
			s := open(t, whole)
			threeGames(t, s)
			commit(t, s, Change{Table: "a", Doc: []byte("doc")})
			ring := Ring{filepath.Join(whole, "backups")}
			if err := Folder(ring.Dir); err != nil {
				t.Fatal(err)
			}
			if _, err := ring.Add(s, Made{Whole: true}); err != nil {
				t.Fatal(err)
			}
			s.Close()
			for _, only := range []string{"games/a-2.mafia", "tables/a.doc"} { // the backup has it
				if err := os.Remove(filepath.Join(whole, only)); err != nil {
					t.Fatal(err)
				}
			}
			for writes, ended := 0, false; !ended; writes++ {
				dir := t.TempDir()
				if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
					t.Fatal(err)
				}
				again := begin(t, dir)
				ended = mendUntil(t, dir, again, writes, writes%2 == 1)
				s, found := mended(t, dir)
				for n := 1; n <= 3; n++ {
					wantGame(t, s, "a", n, 3)
				}
				if docs, err := s.Tables(); err != nil || string(docs["a"]) != "doc" {
					t.Errorf("after %d writes the document is %q (%v)", writes, docs["a"], err)
				}
				if told := slices.ContainsFunc(found, func(f Finding) bool { return f.What == Rebuilt }); told != (again != nil) {
					t.Errorf("after %d writes: %v", writes, found)
				}
				if !slices.ContainsFunc(found, func(f Finding) bool { return f.What == Lost && f.Table == "a" && f.Game == 0 && f.Good == 0 }) {
					t.Errorf("after %d writes nobody hears of the document: %v", writes, found)
				}
				if _, err := os.Lstat(filepath.Join(dir, rebuildFile)); err == nil {
					t.Error("it is still a rebuild")
				}
				s.Close()
				if ended && writes < 4 {
					t.Errorf("it was never interrupted: %d writes", writes)
				}
			}
		})
	}
}

// A plug that is pulled before Badger has left its place leaves it there.
func TestRebuildNotBegun(t *testing.T) {
	s, dir, _ := stored(t)
	s.Close()
	if err := (&rebuild{Aside: "aside/never"}).note(dir); err != nil {
		t.Fatal(err)
	}
	s, found := mended(t, dir)
	if len(found) > 0 {
		t.Error(found)
	}
	wantGame(t, s, "a", 1, 5)
	if _, err := os.Lstat(filepath.Join(dir, rebuildFile)); err == nil {
		t.Error("the note stays")
	}
}

// A backup that is restored is no part of the rebuild that went on before it.
func TestRebuildRestored(t *testing.T) {
	s, dir, _ := stored(t)
	s.Close()
	if err := errors.Join((&rebuild{}).note(dir), noteFound(dir, Finding{What: Lost, Table: "a", Good: -1})); err != nil {
		t.Fatal(err)
	}
	if _, err := Restore(dir, readBackup(t, backup(t, example(t), true)), true, nil); err != nil {
		t.Fatal(err)
	}
	if log := slog.New(slog.DiscardHandler); rebuilding(dir, log) != nil {
		t.Error("it goes on")
	}
	if _, found := mended(t, dir); len(found) > 0 {
		t.Error(found)
	}
}
