package store

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// torn is a folder of which both copies have lost what came after act 1 of game 1.
func torn(t *testing.T) (dir string) {
	dir = t.TempDir()
	s := open(t, dir)
	threeGames(t, s)
	if err := s.book.write([]pair{{actKey("a", 1, 2), []byte("rot")}}); err != nil {
		t.Fatal(err)
	}
	s.Close()
	path := filepath.Join(dir, "games", "a-1.mafia")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := strings.Index(string(text), sumMark+"2 ")
	if err := os.WriteFile(path, text[:at-3], 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// What is lost is told at each start until it is put away, also when the plug was
// pulled before anything or all of it was mended.
func TestToldUntilPutAway(t *testing.T) {
	want := Finding{What: Lost, Table: "a", Game: 1, Good: 1}
	for when, pull := range map[string]func(dir string) bool{
		"before it is written": func(dir string) bool { return mendUntil(t, dir, nil, 0, false) },
		"when it is written":   func(dir string) bool { return mendUntil(t, dir, nil, 0, true) },
		"afterwards":           func(dir string) bool { return mendUntil(t, dir, nil, 1, false) },
	} {
		dir := torn(t)
		if ended := pull(dir); ended != (when == "afterwards") {
			t.Fatal(when, ended)
		}
		for range 3 {
			s, found := mended(t, dir)
			wantGame(t, s, "a", 1, 1)
			if len(found) != 1 || !found[0].same(want) {
				t.Errorf("the plug is pulled %s: %v", when, found)
			}
			s.Close()
		}
		f, err := readFound(dir)
		if err != nil || len(f) != 1 {
			t.Fatal(f, err)
		}
		f[0].Told = true
		if err := KeepFound(dir, append(f, Finding{What: Mended, Table: "a", Game: 2})); err != nil {
			t.Fatal(err)
		}
		s, found := mended(t, dir)
		if len(found) != 1 || !found[0].Told {
			t.Error(found)
		}
		s.Close()
		if err := errors.Join(KeepFound(dir, nil), KeepFound(dir, nil)); err != nil {
			t.Fatal(err)
		}
		if s, found := mended(t, dir); len(found) > 0 {
			t.Error(found)
		} else {
			s.Close()
		}
	}
}

// However much is found, what is kept of it has its bounds; and what the disk
// makes of one line costs no other.
func TestFoundBounds(t *testing.T) {
	dir := t.TempDir()
	if err := Folder(filepath.Join(dir, "tables")); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, foundFile)
	if err := os.WriteFile(path, []byte("{\"what\":\"lost\",\"ta"), 0o600); err != nil { // the plug
		t.Fatal(err)
	}
	var all []Finding
	for n := range maxFound + 20 {
		f := Finding{What: Lost, Table: "a", Game: n + 1, Good: n, Reason: strings.Repeat("x", 5000)}
		all = append(all, f)
		if err := errors.Join(noteFound(dir, f), noteFound(dir, f), noteFound(dir, Finding{What: Mended, Table: "b", Game: n + 1})); err != nil {
			t.Fatal(err)
		}
	}
	same := func(f, g Finding) bool { return f.same(g) }
	for range 2 {
		got, err := readFound(dir)
		if err != nil || !slices.EqualFunc(got, all[:maxFound], same) {
			t.Errorf("%d of %d are kept (%v)", len(got), len(all), err)
		}
		if info, err := os.Stat(path); err != nil || info.Size() > maxFound*1000 {
			t.Errorf("%d bytes (%v)", info.Size(), err)
		}
		if err := KeepFound(dir, all); err != nil {
			t.Fatal(err)
		}
	}
}

// A table whose document is nowhere is told of by its games, be they deleted; a
// game that came as a file has none.
func TestGameWithoutDocument(t *testing.T) {
	for _, deleted := range []bool{false, true} {
		dir := t.TempDir()
		s := open(t, dir)
		threeGames(t, s)
		commit(t, s, Change{Table: Imported, Game: 1, Head: []byte(head), Over: true})
		if deleted {
			for n := 1; n <= 3; n++ {
				commit(t, s, Change{Table: "a", Game: n, Gone: true})
			}
		}
		if last, err := s.Last("a"); last != 3 || err != nil {
			t.Errorf("the last game is %d (%v)", last, err)
		}
		if last, err := s.Last("b"); last != 0 || err != nil {
			t.Errorf("the last game of no table is %d (%v)", last, err)
		}
		s.Close()
		for _, lost := range []string{inside, "tables"} {
			if err := os.RemoveAll(filepath.Join(dir, lost)); err != nil {
				t.Fatal(err)
			}
		}
		s, found := mended(t, dir)
		lost := slices.DeleteFunc(slices.Clone(found), func(f Finding) bool { return f.What == Mended })
		if len(lost) != 1 || lost[0] != (Finding{What: Lost, Table: "a", Good: -1}) {
			t.Errorf("deleted %v: %v", deleted, found)
		}
		if last, err := s.Last("a"); last != 3 || err != nil {
			t.Errorf("the last game is %d (%v)", last, err)
		}
	}
}
