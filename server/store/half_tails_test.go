package store

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// tails is a store with a game of a few Commits, which can lose its end in
// either copy.
type tails struct {
	*store
	file  string
	text  []byte
	pairs []pair
	acted []int // which act each Commit ends with
	ends  []int // and where in the file
}

// newTails makes one; older says that an older box wrote it, whose records don't
// tell where a Commit ends.
func newTails(t *testing.T, older bool) *tails {
	dir := t.TempDir()
	s := open(t, dir)
	w := &tails{store: s, file: filepath.Join(s.files.dir, "a-1.mafia")}
	commit(t, s, Change{Table: "b", Game: 1, Head: []byte(head), Acts: acts(1, 1), Doc: []byte("{}")})
	n := 0
	for i, form := range []int{2, 1, 3, 2, 1, 3} {
		c := Change{Table: "a", Game: 1, Acts: acts(n+1, n+form)}
		if i == 0 {
			c.Head = []byte(head)
		}
		for j := range c.Acts {
			c.Acts[j].Key = fmt.Sprint("form ", i)
		}
		if older {
			c.left = make([]int, 100)
		}
		commit(t, s, c)
		n += form
		w.acted, w.ends = append(w.acted, n), append(w.ends, len(fileText(t, s, "a", 1)))
	}
	w.text = fileText(t, s, "a", 1)
	for no := atHead; no <= n; no++ {
		value, err := s.book.get(linkKey("a", 1, no))
		if err != nil {
			t.Fatal(err)
		}
		w.pairs = append(w.pairs, pair{linkKey("a", 1, no), value})
	}
	return w
}

// mended lets Badger have so many Commits, and the file that text, and mends the game.
func (w *tails) mended(t *testing.T, booked int, text []byte, first bool) *Finding {
	t.Helper()
	aside, _ := filepath.Glob(w.file + ".*")
	for _, path := range aside {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	pairs := slices.Clone(w.pairs)
	for no := range pairs {
		if booked == 0 || no > w.acted[booked-1] {
			pairs[no].value = nil
		}
	}
	if err := errors.Join(w.book.write(pairs), os.WriteFile(w.file, text, 0o600)); err != nil {
		t.Fatal(err)
	}
	f, err := w.mendGame("a", 1, &backups{looked: true, first: first})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// good fails unless both copies have this many Commits and nothing else.
func (w *tails) good(t *testing.T, commits int) {
	t.Helper()
	if commits == 0 {
		if _, err := w.Game("a", 1); !errors.Is(err, ErrNotFound) {
			t.Error("there is a game:", err)
		}
		return
	}
	if n := len(game(t, w, "a", 1).Acts); n != w.acted[commits-1] {
		t.Errorf("%d acts, want %d", n, w.acted[commits-1])
	}
	if have, err := os.ReadFile(w.file); err != nil || !bytes.Equal(have, w.text[:w.ends[commits-1]]) {
		t.Errorf("the file has %d bytes, want %d (%v)", len(have), w.ends[commits-1], err)
	}
	if f, err := w.mendGame("a", 1, &backups{looked: true}); f != nil || err != nil {
		t.Error("mended again:", f, err)
	}
}

// told is a finding in a word.
func told(f *Finding) string {
	switch {
	case f == nil:
		return "nothing"
	case f.What == Lost && f.Good < 0:
		return "gone"
	case f.What == Lost && f.Unsure:
		return "unsure"
	}
	return string(f.What)
}

// Both copies lose their ends: Badger its last Commits, and the file what comes
// behind some byte. What either has whole is there, half a Commit never is, and
// what is missing is told. One Commit that came to no copy whole is not: a pulled
// plug leaves that, and nobody was told that it was done. Nor can anything tell of
// what is gone from both without a trace.
func TestBothTails(t *testing.T) {
	w := newTails(t, false)
	for size := 0; size <= len(w.text); size++ {
		filed := 0
		for filed < len(w.ends) && w.ends[filed] <= size {
			filed++
		}
		begun := size > 0 && !slices.Contains(w.ends, size) // a Commit that is not whole
		line := size > 0 && w.text[size-1] == '\n'
		if size%97 > 0 && !line && size+1 < len(w.text) {
			continue
		}
		for booked := range len(w.ends) + 1 {
			for _, first := range []bool{false, true} {
				if first && booked > 0 { // else Badger is new
					continue
				}
				f := w.mended(t, booked, w.text[:size], first)
				want := "nothing"
				switch {
				case filed == 0 && first:
					want = "gone"
				case filed > booked && begun:
					want = "unsure"
				case filed > booked:
					want = "mended"
				}
				good := max(booked, filed)
				if told(f) != want || f != nil && good > 0 && f.Good != w.acted[good-1] {
					t.Errorf("Badger has %d Commits (new: %v), the file %d of %v: %v, want %s", booked, first, size, w.ends, f, want)
				}
				w.good(t, good)
				if t.Failed() {
					t.FailNow()
				}
			}
		}
	}
}

// Of an older box's Commits at least all but the last form are there, in Badger or
// whole in the file; and half a form is not.
func TestBothTailsOfAnOlderBox(t *testing.T) {
	w := newTails(t, true)
	if bytes.Contains(w.text, []byte("left")) {
		t.Fatal("no older box's")
	}
	for size := w.ends[0]; size <= len(w.text); size++ {
		if line := w.text[size-1] == '\n'; !slices.Contains(w.ends, size) && (line || size%53 > 0) {
			continue // where a line ends within a form, the file does not tell it from a form's end
		}
		filed := 0
		for filed < len(w.ends) && w.ends[filed] <= size {
			filed++
		}
		begun := size != w.ends[filed-1]
		for booked := range len(w.ends) + 1 {
			f := w.mended(t, booked, w.text[:size], false)
			all := 0
			if g, err := w.Game("a", 1); err == nil {
				all = len(g.Acts)
			}
			got := slices.Index(w.acted, all) + 1
			if got == 0 && booked > 0 || got < booked || got < filed-1 || !begun && got < filed || begun && got > booked && told(f) != "unsure" {
				t.Fatalf("Badger has %d Commits, the file %d of %v: %d acts are there, %v", booked, size, w.ends, all, f)
			}
			if got > 0 {
				w.good(t, got)
			}
		}
	}
}

// A bit of the file is flipped, and Badger may lack its last Commits. With Badger
// whole nothing is said to be lost, and else just what was.
func TestFlippedFile(t *testing.T) {
	w := newTails(t, false)
	for at := range w.text {
		if at%37 > 0 && at < bytes.LastIndex(w.text, []byte(sumMark)) {
			continue // the last line is what counts most
		}
		spoilt := 0 // which Commit
		for w.ends[spoilt] <= at {
			spoilt++
		}
		text := bytes.Clone(w.text)
		text[at] ^= 1 << (at % 7)
		lacks := []int{len(w.ends), len(w.ends) - 1, 3, spoilt}
		mark := []byte("\n" + sumMark)
		if slices.Contains(w.ends[:5], at+1) || bytes.Count(text, mark) < bytes.Count(w.text, mark) {
			lacks = lacks[:1] // two records run into one: the next one is spoilt, too
		}
		for _, booked := range lacks {
			f := w.mended(t, booked, text, false)
			where := fmt.Sprintf("Badger has %d Commits, byte %d of Commit %d is %q: %v", booked, at, spoilt+1, text[at], f)
			switch last := spoilt+1 == len(w.ends); {
			case booked == len(w.ends):
				if told(f) != "nothing" {
					t.Error(where)
				}
				w.good(t, booked)
			case booked > spoilt, told(f) == "mended": // a number, or a name of JSON's in capitals, says nothing
				if told(f) != "mended" {
					t.Error(where)
				}
				w.good(t, len(w.ends))
			case last && booked == spoilt: // as a pulled plug leaves it
				w.good(t, spoilt)
			case last:
				if f == nil || f.What != Lost || f.Good != w.acted[spoilt-1] {
					t.Error(where)
				}
				w.good(t, spoilt)
			default: // Commits follow: what is whole of this one counts
				from := -1
				if spoilt > 0 {
					from = w.acted[spoilt-1]
				}
				if f == nil || f.What != Lost || f.Unsure || f.Good < from || f.Good >= w.acted[spoilt] {
					t.Error(where)
				}
			}
			if t.Failed() {
				t.FailNow()
			}
		}
	}
}

// What a restore brings back has the sums that it had, so that older backups still
// mend it; and so have backups from before Commits were told apart.
func TestRestoredSums(t *testing.T) {
	for _, older := range []bool{false, true} {
		w := newTails(t, older)
		g, sum, err := w.gameAndSum("a", 1)
		if err != nil {
			t.Fatal(err)
		}
		restored := Memory().(*store)
		if err := fill(restored, readBackup(t, backup(t, w, true))); err != nil {
			t.Fatal(err)
		}
		if _, got, err := restored.gameAndSum("a", 1); got != sum {
			t.Errorf("older %v: other sums after a restore (%v)", older, err)
		}
		a := g.annex(sum)
		a.Left = nil
		got, ok := a.game(g.Text())
		if again, err := got.chain("a", 1, func(int, record, []byte, string) {}); !ok || err != nil || older != (again == sum) {
			t.Errorf("older %v: an annex that says nothing of Commits: %v %v", older, ok, err)
		}
	}
}
