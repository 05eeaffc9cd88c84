package store

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Of a document's two places the later whole one counts, and a place that is
// not whole is noticed, wherever it is hit.
func TestDocumentCopy(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	old, young := strings.Repeat("x", 2000), strings.Repeat("y", 3000)
	commit(t, s, Change{Table: "a", Doc: []byte(old)})
	if d, partly, err := s.files.copyOf("a"); err != nil || partly || d.no != 1 || string(d.doc) != old {
		t.Fatal(d.no, partly, err)
	}
	commit(t, s, Change{Table: "a", Doc: []byte("short")}, Change{Table: "a", Doc: []byte(young)})
	path := filepath.Join(s.files.tables, "a.doc")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for at := range text {
		place := int64(at) / placeSize // the second document fills the first place
		inside := int64(at)%placeSize < []int64{3000, 2000}[place]+100
		if text[at] == 0 || inside && at%97 > 0 && at%placeSize > 120 {
			continue
		}
		if err := flip(path, text, at); err != nil {
			t.Fatal(err)
		}
		d, partly, err := s.files.copyOf("a")
		want := []string{old, young}[place]
		if err != nil || !partly || string(d.doc) != want {
			t.Fatalf("byte %d flipped: document %d, %v, %v", at, d.no, partly, err)
		}
	}
	for size := range int64(len(text)) {
		if size%211 > 0 {
			continue
		}
		if err := os.WriteFile(path, text[:size], 0o600); err != nil {
			t.Fatal(err)
		}
		d, partly, err := s.files.copyOf("a")
		if err != nil || !partly || size >= 4096 && string(d.doc) != young {
			t.Fatalf("cut at %d: document %d, %v, %v", size, d.no, partly, err)
		}
	}
}

// A document that was refused does not come back.
func TestDocumentTakenBack(t *testing.T) {
	s, dir, _ := stored(t)
	failOnce(s)
	if s.Commit(Change{Table: "a", Doc: []byte("refused")}, Change{Table: "b", Doc: []byte("refused")}) == nil {
		t.Fatal("no failure")
	}
	s.Close()
	if err := os.RemoveAll(filepath.Join(dir, inside)); err != nil {
		t.Fatal(err)
	}
	s, _ = mended(t, dir)
	if docs, err := s.Tables(); err != nil || len(docs) != 1 || string(docs["a"]) != "{}" {
		t.Error(docs, err)
	}
}
