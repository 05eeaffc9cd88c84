package store

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// harms are what a disk does to a file, by how it is called.
var harms = map[string]func(path string, text []byte) error{
	"removed":          func(path string, _ []byte) error { return os.Remove(path) },
	"cut at 0":         func(path string, _ []byte) error { return os.Truncate(path, 0) },
	"cut in half":      func(path string, text []byte) error { return os.Truncate(path, int64(len(text)/2)) },
	"cut at its last":  func(path string, text []byte) error { return os.Truncate(path, int64(len(text)-1)) },
	"a byte flipped":   func(path string, text []byte) error { return flip(path, text, middle(text)) },
	"its first zeroed": func(path string, text []byte) error { return zero(path, text, 0) },
	"a digit flipped":  misnumber,
	"a page zeroed":    func(path string, text []byte) error { return zero(path, text, middle(text)/4096*4096) },
	"its last zeroed":  func(path string, text []byte) error { return zero(path, text, max(0, used(text)-1)/4096*4096) },
}

// used is how far a file has something else than zeros: Badger's logs are mostly that.
func used(text []byte) int { return len(bytes.TrimRight(text, "\x00")) }

func middle(text []byte) int { return used(text) / 2 }

func flip(path string, text []byte, at int) error {
	if len(text) == 0 {
		return nil
	}
	text = bytes.Clone(text)
	text[at] ^= 0x10
	return os.WriteFile(path, text, 0o600)
}

// misnumber makes a digit of the last record's number another one.
func misnumber(path string, text []byte) error {
	at := bytes.LastIndex(text, []byte(sumMark))
	if at < 0 || text[at+len(sumMark)] > '9' {
		return nil
	}
	text = bytes.Clone(text)
	text[at+len(sumMark)] ^= 2 // 50 is 70 then, which is yet to come, and 30 is 10, which was there
	return os.WriteFile(path, text, 0o600)
}

func zero(path string, text []byte, at int) error {
	text = bytes.Clone(text)
	clear(text[at:min(at+4096, len(text))])
	return os.WriteFile(path, text, 0o600)
}

// rottable is a data folder of a box whose plug was pulled: two tables, one with
// two games that have ended, in Badger's tables and in its log.
func rottable(t *testing.T) (dir string) {
	dir = t.TempDir()
	s := open(t, dir)
	commit(t, s, Change{Table: "a", Game: 1, Head: []byte(head), Doc: []byte("old")})
	for no := 1; no <= 40; no++ {
		commit(t, s, Change{Table: "a", Game: 1, Acts: acts(no, no)})
	}
	commit(t, s, Change{Table: "a", Game: 1, Over: true})
	commit(t, s, Change{Table: "a", Game: 2, Head: []byte(head), Acts: acts(1, 60), Over: true})
	commit(t, s, Change{Table: "b", Game: 1, Head: []byte(head), Acts: acts(1, 20), Doc: []byte(strings.Repeat("b", 3000))})
	s.Close() // a table of Badger's
	s = open(t, dir)
	commit(t, s, Change{Table: "a", Game: 3, Head: []byte(head), Doc: []byte(strings.Repeat("a", 3000))})
	for no := 1; no <= 30; no++ {
		commit(t, s, Change{Table: "a", Game: 3, Acts: acts(no, no)}, Change{Table: "b", Game: 1, Acts: acts(no+20, no+20)})
	}
	commit(t, s, Change{Table: "b", Doc: []byte(strings.Repeat("B", 3000))})
	copy := t.TempDir()
	if err := os.CopyFS(copy, os.DirFS(dir)); err != nil { // as a kill would leave it
		t.Fatal(err)
	}
	return copy
}

// rotFiles are the files of a data folder, by path from it.
func rotFiles(t *testing.T, dir string) (all []string) {
	for _, part := range []string{inside, "games", "tables"} {
		list, err := os.ReadDir(filepath.Join(dir, part))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range list {
			all = append(all, filepath.Join(part, e.Name()))
		}
	}
	return all
}

// want is what a mended store has to hold: all of it, or what was left of a game.
func wantAll(t *testing.T, s *store) {
	t.Helper()
	wantGame(t, s, "a", 1, 40)
	wantGame(t, s, "a", 2, 60)
	wantGame(t, s, "a", 3, 30)
	wantGame(t, s, "b", 1, 50)
	if !game(t, s, "a", 1).Over || !game(t, s, "a", 2).Over || game(t, s, "a", 3).Over {
		t.Error("the ends differ")
	}
	docs, err := s.Tables()
	if err != nil || string(docs["a"]) != strings.Repeat("a", 3000) || string(docs["b"]) != strings.Repeat("B", 3000) {
		t.Errorf("documents: %.9s %.9s %v", docs["a"], docs["b"], err)
	}
}

// Whatever becomes of one file, the store opens and has everything, as the other
// copy holds it; and nothing is said to be lost. It goes on after that, and after
// another kill.
func TestRot(t *testing.T) {
	t.Parallel()
	whole := rottable(t)
	look := looker(t)
	for _, name := range rotFiles(t, whole) {
		text, err := os.ReadFile(filepath.Join(whole, name))
		if err != nil {
			t.Fatal(err)
		}
		for harm, do := range harms {
			if os.Getenv("MAFIABOX_LONG") == "" && !slices.Contains([]string{"removed", "cut in half", "a byte flipped", "a digit flipped"}, harm) {
				continue
			}
			if testing.Short() && harm != "cut in half" {
				continue
			}
			if len(text) == 0 && harm != "removed" {
				continue
			}
			t.Run(strings.ReplaceAll(name+" "+harm, "/", " "), func(t *testing.T) {
				dir := t.TempDir()
				if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
					t.Fatal(err)
				}
				if err := do(filepath.Join(dir, name), text); err != nil {
					t.Fatal(err)
				}
				s, found := mended(t, dir, look...)
				for _, f := range found {
					if f.What == Lost {
						t.Error(f)
					}
					if f.Aside != "" {
						if _, err := os.Stat(f.Aside); err != nil {
							t.Error(err)
						}
					}
				}
				wantAll(t, s)
				commit(t, s, Change{Table: "a", Game: 3, Acts: acts(31, 31), Doc: []byte("new")})
				s.Close()
				told := found
				s, found = mended(t, dir, look...)
				if found = slices.DeleteFunc(found, func(f Finding) bool { return slices.ContainsFunc(told, f.same) }); len(found) > 0 {
					t.Error("again:", found)
				}
				wantGame(t, s, "a", 3, 31)
			})
		}
	}
}

// With Badger gone, whatever becomes of a record file or a copy of a document,
// what it still held in one piece is there, and what is not is told exactly.
func TestRotOfTheLastCopy(t *testing.T) {
	t.Parallel()
	whole := rottable(t)
	if err := os.RemoveAll(filepath.Join(whole, inside)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"games/b-1.mafia", "games/a-1.mafia", "tables/b.doc"} {
		text, err := os.ReadFile(filepath.Join(whole, name))
		if err != nil {
			t.Fatal(err)
		}
		for harm, do := range harms {
			t.Run(strings.ReplaceAll(name+" "+harm, "/", " "), func(t *testing.T) {
				dir := t.TempDir()
				if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
					t.Fatal(err)
				}
				path := filepath.Join(dir, name)
				if err := do(path, text); err != nil {
					t.Fatal(err)
				}
				left, _ := os.ReadFile(path)
				s, found := mended(t, dir)
				at := slices.IndexFunc(found, func(f Finding) bool {
					return f.Table == name[strings.Index(name, "/")+1:][:1] && (f.Game == 1) == strings.HasPrefix(name, "games")
				})
				if harm == "removed" && name != "tables/b.doc" { // its games tell of a table
					if at >= 0 {
						t.Error("nobody can know of it:", found[at])
					}
					return
				}
				if name == "tables/b.doc" {
					docs, _ := s.Tables()
					doc := string(docs["b"])
					switch {
					case doc == strings.Repeat("B", 3000): // its place was not hit
					case at < 0 || found[at].What != Lost:
						t.Errorf("document %.9s: %v", doc, found)
					case doc != "" && doc != strings.Repeat("b", 3000):
						t.Errorf("document %.9s", doc)
					}
					return
				}
				// So many acts are whole, counted without the code under test.
				good := 0
				for strings.Contains(prefix(text, left), fmt.Sprintf("\n%s%d ", sumMark, good+1)) && strings.HasSuffix(prefix(text, left)[:lineEnd(prefix(text, left), good+1)], "\n") {
					good++
				}
				if !strings.Contains(prefix(text, left), "\n"+sumMark+"0 ") {
					good = -1
				}
				all := map[string]int{"games/b-1.mafia": 50, "games/a-1.mafia": 40}[name]
				if harm == "a digit flipped" {
					good = all // the sum tells the number, too
				}
				if at < 0 && len(left) == 0 {
					return // an empty file says nothing
				}
				if at < 0 || found[at].Good != good {
					t.Fatalf("%d acts are good; %v", good, found)
				}
				if good < all && found[at].What != Lost {
					t.Error(found[at])
				}
				if good >= 0 {
					wantGame(t, s, found[at].Table, 1, good)
				}
			})
		}
	}
}

// prefix is what two texts have in common.
func prefix(a, b []byte) string {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return string(a[:n])
}

// lineEnd is where the line ends that has an act's sum, or the text.
func lineEnd(text string, no int) int {
	at := strings.Index(text, fmt.Sprintf("\n%s%d ", sumMark, no)) + 1
	if end := strings.IndexByte(text[at:], '\n'); end >= 0 {
		return at + end + 1
	}
	return len(text)
}
