package store

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// A plug that is pulled while a form of several acts is being stored leaves all
// of it or nothing: neither half of its acts, nor the table's document, which
// says that the form was done.
func TestHalfACommit(t *testing.T) {
	s, dir, file := stored(t)
	before := t.TempDir() // Badger without the form
	if err := os.CopyFS(before, os.DirFS(filepath.Join(dir, inside))); err != nil {
		t.Fatal(err)
	}
	form := acts(6, 8)
	for i := range form {
		form[i].Key = "one form"
	}
	commit(t, s, Change{Table: "a", Game: 1, Acts: form, Doc: []byte("the form is done")}, Change{Table: "held", Doc: []byte("[]")})
	s.Close()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	held, err := os.ReadFile(filepath.Join(dir, "tables", "held.doc"))
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(text, []byte("# sum 5 "))
	for size := at; size <= len(text); size++ {
		if size%29 > 0 && size < len(text) {
			continue
		}
		for _, heldThere := range []bool{true, false} {
			if !heldThere && size < len(text) {
				continue
			}
			here := t.TempDir()
			for part, from := range map[string]string{inside: before, "games": filepath.Join(dir, "games"), "tables": filepath.Join(dir, "tables")} {
				if err := os.CopyFS(filepath.Join(here, part), os.DirFS(from)); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Truncate(filepath.Join(here, "games", "a-1.mafia"), int64(size)); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(here, "tables", "held.doc"), held, 0o600); err != nil {
				t.Fatal(err)
			}
			if !heldThere {
				if err := os.Remove(filepath.Join(here, "tables", "held.doc")); err != nil {
					t.Fatal(err)
				}
			}
			s, found := mended(t, here)
			docs, err := s.Tables()
			if err != nil {
				t.Fatal(err)
			}
			n := len(game(t, s, "a", 1).Acts)
			whole := n == 8
			if size < len(text) && n != 5 || size == len(text) && !whole {
				t.Errorf("cut at %d of %d: %d acts", size, len(text), n)
			}
			if want := map[bool]string{true: "the form is done", false: "{}"}[whole && heldThere]; string(docs["a"]) != want {
				t.Errorf("cut at %d of %d: %d acts, and the document says %s", size, len(text), n, docs["a"])
			}
			for _, f := range found {
				if f.What != Mended {
					t.Error(f)
				}
			}
			s.Close()
			s, found = mended(t, here)
			if again, _ := s.Tables(); len(found) > 0 || string(again["a"]) != string(docs["a"]) {
				t.Error(found, string(again["a"]))
			}
			s.Close()
		}
	}
}
