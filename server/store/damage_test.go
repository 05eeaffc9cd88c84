package store

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// stored is a store on a disk with one running game of five acts.
func stored(t *testing.T) (s *store, dir, file string) {
	dir = t.TempDir()
	s = open(t, dir)
	commit(t, s, Change{Table: "a", Game: 1, Head: []byte(head), Acts: acts(1, 5), Doc: []byte("{}")})
	return s, dir, filepath.Join(dir, "games", "a-1.mafia")
}

func TestBrokenChain(t *testing.T) {
	const table = "a"
	set := func(key, value string) []pair { return []pair{{key, []byte(value)}} }
	value := func(t *testing.T, s *store, key string) string {
		v, err := s.book.get(key)
		if err != nil {
			t.Fatal(err)
		}
		return string(v)
	}
	for name, c := range map[string]struct {
		damage func(t *testing.T, s *store) []pair
		no     int
	}{
		"altered": {func(t *testing.T, s *store) []pair {
			key := actKey(table, 1, 3)
			return set(key, strings.Replace(value(t, s, key), "vote 3", "vote 4", 1))
		}, 3},
		"altered last": {func(t *testing.T, s *store) []pair {
			key := actKey(table, 1, 5)
			return set(key, strings.Replace(value(t, s, key), "vote 3", "vote 4", 1))
		}, 5},
		"missing":     {func(*testing.T, *store) []pair { return []pair{{actKey(table, 1, 2), nil}} }, 2},
		"first":       {func(*testing.T, *store) []pair { return []pair{{actKey(table, 1, 1), nil}} }, 1},
		"empty":       {func(*testing.T, *store) []pair { return set(actKey(table, 1, 4), "") }, 4},
		"no head":     {func(*testing.T, *store) []pair { return []pair{{headKey(table, 1), nil}} }, 0},
		"head":        {func(*testing.T, *store) []pair { return set(headKey(table, 1), "x") }, 0},
		"strange key": {func(*testing.T, *store) []pair { return set(actsKey(table, 1)+"x", "") }, 6},
		"from another game": {func(t *testing.T, s *store) []pair {
			commit(t, s, Change{Table: table, Game: 2, Head: []byte(head), Acts: acts(1, 5)})
			return set(actKey(table, 1, 3), value(t, s, actKey(table, 2, 3)))
		}, 3},
		"well made but unchained": {func(t *testing.T, s *store) []pair {
			v, _, err := seal(actKey(table, 1, 3), record{Prev: "x", Line: "1 wait"})
			if err != nil {
				t.Fatal(err)
			}
			return set(actKey(table, 1, 3), string(v))
		}, 3},
		"end of more acts": {func(t *testing.T, s *store) []pair {
			commit(t, s, Change{Table: table, Game: 1, Acts: acts(6, 6), Over: true})
			return []pair{{actKey(table, 1, 6), nil}}
		}, 6},
	} {
		t.Run(name, func(t *testing.T) {
			s, dir, file := stored(t)
			pairs := c.damage(t, s)
			total := len(game(t, s, table, 1).Acts)
			if err := s.book.write(pairs); err != nil {
				t.Fatal(err)
			}
			g, err := s.Game(table, 1)
			var broken *BrokenError
			if !errors.As(err, &broken) || *broken != (BrokenError{table, 1, c.no}) {
				t.Fatal(err)
			}
			if want := acts(1, c.no-1); !reflect.DeepEqual(g.Acts, want) {
				t.Fatalf("%d acts before the break at %d", len(g.Acts), c.no)
			}
			if c.no > 0 && name != "end of more acts" { // head and end are not looked at
				var read []Act
				err := s.EachAct(table, 1, 1, func(a Act) bool { read = append(read, a); return true })
				if !errors.As(err, &broken) || broken.No != c.no || !reflect.DeepEqual(read, g.Acts) {
					t.Fatalf("one by one: %d acts, %v", len(read), err)
				}
			}
			if name != "end of more acts" { // has ended
				delete(s.tails, gameKey(table, 1))
				if err := s.Commit(Change{Table: table, Game: 1, Acts: acts(6, 6)}); !errors.As(err, &broken) {
					t.Fatal("a broken game went on:", err)
				}
			}
			s.Close()

			both := t.TempDir() // where the file is broken at the same place, too
			if err := os.CopyFS(both, os.DirFS(dir)); err != nil {
				t.Fatal(err)
			}
			spoil := filepath.Join(both, "games", filepath.Base(file))
			text, err := os.ReadFile(spoil)
			if err != nil {
				t.Fatal(err)
			}
			mark := fmt.Sprintf("%s%d ", sumMark, c.no)
			if err := os.WriteFile(spoil, bytes.Replace(text, []byte(mark), []byte(mark+"0"), 1), 0o600); err != nil {
				t.Fatal(err)
			}

			s, found := mended(t, dir, looker(t)...)
			what := Mended
			if name == "strange key" {
				what = Lost // nobody knows what it was
			}
			if len(found) != 1 || found[0].What != what || found[0].Good != total {
				t.Fatal(found)
			}
			wantGame(t, s, table, 1, total)
			if name != "end of more acts" {
				commit(t, s, Change{Table: table, Game: 1, Acts: acts(6, 6)})
			}

			s, found = mended(t, both, looker(t)...)
			if f := found[0]; len(found) != 1 || f.What != Lost || f.Unsure || f.Good != c.no-1 || f.Aside == "" {
				t.Fatal(found)
			} else if _, err := os.Stat(f.Aside); err != nil {
				t.Fatal(err)
			}
			if c.no == 0 {
				commit(t, s, Change{Table: table, Game: 1, Head: []byte(head), Acts: acts(1, 5)})
				return
			}
			wantGame(t, s, table, 1, c.no-1)
			commit(t, s, Change{Table: table, Game: 1, Acts: acts(c.no, 7)})
			wantGame(t, s, table, 1, 7)
		})
	}
}

// mended opens a store and tells what was found.
func mended(t testing.TB, dir string, look ...string) (*store, []Finding) {
	t.Helper()
	s, found, err := Open(dir, nil, look...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s.(*store), found
}

// Every damage to a record file is put right, at Open and before the next
// append; whole lines without a sum are kept aside.
func TestFileDamage(t *testing.T) {
	write := func(text string) func(string) error {
		return func(file string) error { return os.WriteFile(file, []byte(text), 0o600) }
	}
	good, _, _ := stored(t)
	text := string(fileText(t, good, "a", 1))
	for name, c := range map[string]struct {
		damage func(file string) error
		aside  bool
	}{
		"missing":           {os.Remove, false},
		"empty":             {write(""), false},
		"shorter":           {write(text[:len(head)+30]), false},
		"without a newline": {write(text[:len(text)-1]), false},
		"torn":              {write(text + "3 vo"), false},
		"zeros":             {write(text + string(make([]byte, 5000))), false},
		"zeros inside":      {write(text[:100] + string(make([]byte, len(text)-100))), false},
		"longer":            {write(text + "3 vote 4\n"), true},
		"longer and torn":   {write(text + "3 vote 4\n= all vo"), true},
		"another":           {write("rules sport\n"), true},
		"altered":           {write(strings.Replace(text, "vote", "note", 1)), true},
	} {
		for _, running := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/running=%v", name, running), func(t *testing.T) {
				s, dir, file := stored(t)
				if !running {
					s.Close()
				}
				if err := c.damage(file); err != nil {
					t.Fatal(err)
				}
				damaged, _ := os.ReadFile(file)
				if running && len(damaged) == len(text) {
					t.Skip("a running game looks at the size alone")
				}
				var others []string
				if c.aside {
					others = []string{"a-1.mafia.aside1"}
				}
				if !running {
					s = open(t, dir)
					wantFiles(t, s, others...)
				}
				commit(t, s, Change{Table: "a", Game: 1, Acts: acts(6, 7), Over: true})
				wantFiles(t, s, others...)
				wantGame(t, s, "a", 1, 7)
				if c.aside {
					aside, err := os.ReadFile(file + ".aside1")
					if err != nil || !bytes.Equal(aside, damaged) {
						t.Fatal("not set aside as it was", err)
					}
				}
			})
		}
	}
}

func TestFileOfEndedGame(t *testing.T) {
	s, dir, file := stored(t)
	commit(t, s, Change{Table: "a", Game: 1, Over: true})
	s.Close()
	if err := os.Truncate(file, 20); err != nil {
		t.Fatal(err)
	}
	wantFiles(t, open(t, dir))
}

// Without Badger everything is there from the files.
func TestLostBadger(t *testing.T) {
	s, dir, _ := stored(t)
	commit(t, s, Change{Table: "a", Game: 1, Acts: acts(6, 7), Over: true}, Change{Table: "b", Game: 1, Head: []byte(head), Acts: acts(1, 3), Doc: []byte("b")})
	s.Close()
	if err := os.RemoveAll(filepath.Join(dir, "badger")); err != nil {
		t.Fatal(err)
	}
	s, found := mended(t, dir)
	if want := []Finding{{What: Mended, Table: "a"}, {What: Mended, Table: "b"}, {What: Mended, Table: "a", Game: 1, Good: 7}, {What: Mended, Table: "b", Game: 1, Good: 3}}; !reflect.DeepEqual(found, want) {
		t.Fatal(found)
	}
	wantGame(t, s, "a", 1, 7)
	if !game(t, s, "a", 1).Over {
		t.Error("not over")
	}
	wantGame(t, s, "b", 1, 3)
	wantFiles(t, s)
	if docs, err := s.Tables(); err != nil || string(docs["a"]) != "{}" || string(docs["b"]) != "b" {
		t.Error(docs, err)
	}
}

// A kill can come between the making of a Badger log and its first byte.
func TestEmptyLogs(t *testing.T) {
	s, dir, _ := stored(t)
	s.Close()
	for _, name := range []string{"00127.mem", "000009.vlog"} {
		if err := os.WriteFile(filepath.Join(dir, "badger", name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s = open(t, dir)
	wantGame(t, s, "a", 1, 5)
	commit(t, s, Change{Table: "a", Game: 1, Acts: acts(6, 7)})
	s.Close()
	wantGame(t, open(t, dir), "a", 1, 7)
}

// A kill in the very first moment leaves a folder with nothing but an empty log.
func TestEmptyLogAlone(t *testing.T) {
	for _, name := range []string{"00001.mem", "000001.vlog"} {
		dir := t.TempDir()
		if err := os.MkdirAll(filepath.Join(dir, "badger"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "badger", name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		commit(t, open(t, dir), Change{Table: "a", Game: 1, Head: []byte(head), Acts: acts(1, 5)})
	}
}

// What neither copy has comes from the newest backup, as far as it goes.
func TestMendedFromBackup(t *testing.T) {
	s, dir, file := stored(t)
	commit(t, s, Change{Table: "a", Game: 2, Head: []byte(head), Acts: acts(1, 4)}, Change{Table: "b", Doc: []byte("b")})
	ring := Ring{filepath.Join(dir, "backups")}
	if err := os.Mkdir(ring.Dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := ring.Add(s, Made{Whole: true}); err != nil {
		t.Fatal(err)
	}
	commit(t, s, Change{Table: "a", Game: 1, Acts: acts(6, 7)}, Change{Table: "a", Game: 2, Acts: acts(5, 6)})
	s.Close()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for path, err := range map[string]error{
		"badger":  os.WriteFile(filepath.Join(dir, inside, "MANIFEST"), nil, 0o600),
		"act 3":   flip(file, text, bytes.Index(text, []byte("\n# sum 3 "))-2),
		"game 2":  os.Remove(filepath.Join(dir, "games", "a-2.mafia")),
		"table b": os.Remove(filepath.Join(dir, "tables", "b.doc")),
	} {
		if err != nil {
			t.Fatal(path, err)
		}
	}
	s, found := mended(t, dir, looker(t)...)
	wantGame(t, s, "a", 1, 7) // acts 3 to 5 of the backup, between those of the file
	wantGame(t, s, "a", 2, 4)
	if docs, err := s.Tables(); err != nil || string(docs["b"]) != "b" || string(docs["a"]) != "{}" {
		t.Error(docs, err)
	}
	said := map[string]What{}
	for _, f := range found {
		said[fmt.Sprint(f.Table, f.Game)] = f.What
		if want := f.Table == "a" && f.Game == 2; f.Unsure != want {
			t.Errorf("unsure %v: %v", f.Unsure, f)
		}
		if strings.Contains(f.String(), "\n") {
			t.Errorf("the log has more than a line: %v", f)
		}
	}
	if want := map[string]What{"0": Rebuilt, "a0": Mended, "b0": Lost, "a1": Mended, "a2": Lost}; !reflect.DeepEqual(said, want) {
		t.Errorf("%v, want %v", said, want)
	}
	commit(t, s, Change{Table: "a", Game: 2, Acts: acts(5, 5)})
}
