package store

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// wantGone fails unless nothing is left of game 2 of table a, and no other game can take its place.
func wantGone(t *testing.T, s Store) {
	t.Helper()
	if _, err := s.Game("a", 2); !errors.Is(err, ErrNotFound) {
		t.Errorf("the deleted game: %v", err)
	}
	if err := s.EachAct("a", 2, 1, func(Act) bool { return true }); !errors.Is(err, ErrNotFound) {
		t.Errorf("its acts: %v", err)
	}
	if all, err := s.Games("a"); err != nil || len(all) != 2 || all[0] != 1 || all[1] != 3 {
		t.Errorf("the games are %v (%v)", all, err)
	}
	for what, c := range map[string]Change{
		"begun again":   {Table: "a", Game: 2, Head: []byte(head)},
		"gone on with":  {Table: "a", Game: 2, Acts: acts(4, 4)},
		"ended":         {Table: "a", Game: 2, Over: true},
		"deleted again": {Table: "a", Game: 2, Gone: true},
	} {
		if err := s.Commit(c); !errors.Is(err, ErrOrder) && !errors.Is(err, ErrNotFound) {
			t.Errorf("a deleted game is %s: %v", what, err)
		}
	}
	wantGame(t, s, "a", 1, 3)
	wantGame(t, s, "a", 3, 3)
}

func threeGames(t *testing.T, s Store) {
	t.Helper()
	commit(t, s, Change{Table: "a", Doc: []byte("{}")})
	for n := 1; n <= 3; n++ {
		commit(t, s, Change{Table: "a", Game: n, Head: []byte(head), Acts: acts(1, 3), Over: n < 3})
	}
}

func TestGone(t *testing.T) {
	dir := t.TempDir()
	for name, s := range map[string]Store{"memory": Memory(), "disk": open(t, dir)} {
		t.Run(name, func(t *testing.T) {
			threeGames(t, s)
			for what, c := range map[string]Change{
				"of another table": {Table: "b", Game: 1, Gone: true},
				"that never was":   {Table: "a", Game: 4, Gone: true},
				"changed, too":     {Table: "a", Game: 3, Acts: acts(4, 4), Gone: true},
			} {
				if err := s.Commit(Change{Table: "a", Game: 2, Gone: true}, c); !errors.Is(err, ErrNotFound) && !errors.Is(err, ErrInvalid) {
					t.Errorf("deleted with one %s: %v", what, err)
				}
			}
			wantGame(t, s, "a", 2, 3) // none of it was done
			commit(t, s, Change{Table: "a", Doc: []byte("doc")}, Change{Table: "a", Game: 2, Gone: true})
			wantGone(t, s)
		})
	}
}

// TestGoneLong: a game of more acts than one commit takes can be deleted, and
// stays so when the plug is pulled in between.
func TestGoneLong(t *testing.T) {
	dir := t.TempDir()
	for name, s := range map[string]*store{"memory": Memory().(*store), "disk": open(t, dir)} {
		t.Run(name, func(t *testing.T) {
			threeGames(t, s)
			for from := 4; from <= maxPairs+4; from += 1000 {
				commit(t, s, Change{Table: "a", Game: 3, Acts: acts(from, from+999)})
			}
			commit(t, s, Change{Table: "a", Game: 3, Over: true})
			commit(t, s, Change{Table: "a", Game: 3, Gone: true})
			if _, err := s.Game("a", 3); !errors.Is(err, ErrNotFound) {
				t.Errorf("the deleted game: %v", err)
			}
			if all, err := s.Games("a"); err != nil || !slices.Equal(all, []int{1, 2}) {
				t.Errorf("the games are %v (%v)", all, err)
			}
			left := 0
			s.book.scan(gameKey("a", 3), func(string, func() ([]byte, error)) (string, error) { left++; return "", nil })
			if left > 0 {
				t.Errorf("%d records of it are left", left)
			}
		})
	}
	s := open(t, t.TempDir())
	threeGames(t, s)
	if err := s.book.write([]pair{{goneKey("a", 2), []byte{}}}); err != nil { // no more came to the disk
		t.Fatal(err)
	}
	dir = s.files.dir
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	wantGone(t, open(t, filepath.Dir(dir)))
}

// TestGoneFile: with the game go its file and what was set aside of it, at the
// next start when the plug was pulled in between; other files stay.
func TestGoneFile(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	threeGames(t, s)
	path := filepath.Join(dir, "games", "a-2.mafia")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	left := func() (all []string) {
		list, _ := filepath.Glob(filepath.Join(dir, "games", "*"))
		for _, p := range list {
			all = append(all, filepath.Base(p))
		}
		return all
	}
	put := func() {
		for _, p := range []string{path, path + ".aside1"} {
			if err := os.WriteFile(p, text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	put()
	commit(t, s, Change{Table: "a", Game: 2, Gone: true})
	if all := left(); !slices.Equal(all, []string{"a-1.mafia", "a-2.gone", "a-3.mafia"}) {
		t.Errorf("files after: %v", all)
	}
	put()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, dir)
	if all := left(); !slices.Equal(all, []string{"a-1.mafia", "a-2.gone", "a-3.mafia"}) {
		t.Errorf("files after the next start: %v", all)
	}
	wantGone(t, s)
}

// TestGoneBroken: a game that can't be read any more can be deleted.
func TestGoneBroken(t *testing.T) {
	s := open(t, t.TempDir())
	threeGames(t, s)
	if err := s.book.write([]pair{{headKey("a", 2), []byte("rot")}}); err != nil {
		t.Fatal(err)
	}
	var broken *BrokenError
	if _, err := s.Game("a", 2); !errors.As(err, &broken) {
		t.Fatal(err)
	}
	commit(t, s, Change{Table: "a", Game: 2, Gone: true})
	wantGone(t, s)
}

// TestGoneStays: whatever the disk loses of either copy, a deleted game comes
// back from neither, nor from a backup that still has it.
func TestGoneStays(t *testing.T) {
	for what, lose := range map[string]func(dir string) error{
		"Badger":     func(dir string) error { return os.RemoveAll(filepath.Join(dir, inside)) },
		"the marker": func(dir string) error { return os.Remove(filepath.Join(dir, "games", "a-2.gone")) },
		"all records": func(dir string) error {
			return errors.Join(os.RemoveAll(filepath.Join(dir, "games")), os.Mkdir(filepath.Join(dir, "games"), 0o700))
		},
	} {
		t.Run(what, func(t *testing.T) {
			dir := t.TempDir()
			s := open(t, dir)
			threeGames(t, s)
			path := filepath.Join(dir, "games", "a-2.mafia")
			text, err := os.ReadFile(path)
			if err == nil {
				err = Folder(filepath.Join(dir, "backups"))
			}
			if err == nil {
				_, err = (Ring{Dir: filepath.Join(dir, "backups")}).Add(s, Made{Whole: true})
			}
			if err != nil {
				t.Fatal(err)
			}
			commit(t, s, Change{Table: "a", Game: 2, Gone: true})
			s.Close()
			if err := lose(dir); err != nil {
				t.Fatal(err)
			}
			s = open(t, dir)
			wantGone(t, s)
			s.Close()
			if err := os.WriteFile(path, text, 0o600); err != nil { // what a disk may bring back
				t.Fatal(err)
			}
			wantGone(t, open(t, dir))
			if _, err := os.Stat(path); err == nil {
				t.Error("the record file is back")
			}
		})
	}
}
