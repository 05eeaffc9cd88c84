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
			before, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.book.write(pairs); err != nil {
				t.Fatal(err)
			}
			s.Close()
			s = open(t, dir)
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
			if err := s.Commit(Change{Table: table, Game: 1, Acts: acts(6, 6)}); !errors.As(err, &broken) {
				t.Fatal("a broken game went on:", err)
			}
			if after, err := os.ReadFile(file); err != nil || !bytes.Equal(before, after) {
				t.Fatal("the record file of a broken game was touched", err)
			}
			commit(t, s, Change{Table: table, Game: 3, Head: []byte(head), Acts: acts(1, 5)})
		})
	}
}

// Every damage to a record file is put right, at Open and before the next
// append; whole lines that the store does not know are kept aside.
func TestFileDamage(t *testing.T) {
	write := func(text string) func(string) error {
		return func(file string) error { return os.WriteFile(file, []byte(text), 0o600) }
	}
	text := string(Game{Head: []byte(head), Acts: acts(1, 5)}.Text())
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

// A lost Badger begins at game 1 again: the file of the first game 1 stays.
func TestFileOfUnknownGame(t *testing.T) {
	s, dir, file := stored(t)
	s.Close()
	if err := os.RemoveAll(filepath.Join(dir, "badger")); err != nil {
		t.Fatal(err)
	}
	before, _ := os.ReadFile(file)
	for i := 1; i <= 2; i++ {
		s = open(t, dir)
		if err := s.Commit(Change{Table: "a", Game: 1, Acts: acts(1, 1)}); !errors.Is(err, ErrOrder) {
			t.Fatal(err)
		}
		s.Close()
	}
	s = open(t, dir)
	commit(t, s, Change{Table: "a", Game: 1, Head: []byte(head), Acts: acts(1, 2)})
	wantFiles(t, s, "a-1.mafia.aside1")
	if aside, err := os.ReadFile(file + ".aside1"); err != nil || !bytes.Equal(aside, before) {
		t.Fatal(err)
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
