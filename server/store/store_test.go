package store

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

const head = "rules boulevard\nseats 7\nbegin\n= all phase day 0\n"

func act(no int) Act {
	return Act{
		No:     no,
		Line:   fmt.Sprintf("%d vote 3 @2026-05-04T21:04:03.2Z phone", no%7+1),
		Events: []string{fmt.Sprintf("all voted %d", no%7+1), fmt.Sprintf("all owed %d", no)},
		Key:    fmt.Sprintf("key-%d", no),
		Rules:  "0.3.0",
	}
}

func acts(from, to int) []Act {
	var all []Act
	for no := from; no <= to; no++ {
		all = append(all, act(no))
	}
	return all
}

func open(t testing.TB, dir string) *store {
	t.Helper()
	s, _, err := Open(dir, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s.(*store)
}

func commit(t testing.TB, s Store, changes ...Change) {
	t.Helper()
	if err := s.Commit(changes...); err != nil {
		t.Fatal(err)
	}
}

func game(t testing.TB, s Store, table string, n int) Game {
	t.Helper()
	g, err := s.Game(table, n)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// wantGame fails unless the game holds the head and the first so many acts.
func wantGame(t testing.TB, s Store, table string, n, no int) {
	t.Helper()
	g := game(t, s, table, n)
	if string(g.Head) != head || !reflect.DeepEqual(g.Acts, acts(1, no)) {
		t.Fatalf("game %d of %s: %d acts, want %d; or they differ", n, table, len(g.Acts), no)
	}
}

// contract is what both forms do. The store that it is given is empty.
var contract = map[string]func(t *testing.T, s Store){
	"empty": func(t *testing.T, s Store) {
		tables, err := s.Tables()
		if err != nil || tables == nil || len(tables) != 0 {
			t.Fatal(tables, err)
		}
		if n, err := s.Games("a"); err != nil || len(n) != 0 {
			t.Fatal(n, err)
		}
		for _, table := range []string{"a", "", "a/b"} {
			if _, err := s.Game(table, 1); !errors.Is(err, ErrNotFound) {
				t.Fatal(err)
			}
		}
		commit(t, s)
		commit(t, s, Change{Table: "a"})
	},
	"documents": func(t *testing.T, s Store) {
		commit(t, s, Change{Table: "a", Doc: []byte("1")}, Change{Table: "b", Doc: []byte{}}, Change{Table: "a-b", Doc: []byte("x")})
		commit(t, s, Change{Table: "a", Doc: []byte("2")}, Change{Table: "a", Doc: []byte("3")})
		tables, err := s.Tables()
		want := map[string][]byte{"a": []byte("3"), "b": {}, "a-b": []byte("x")}
		if err != nil || !reflect.DeepEqual(tables, want) {
			t.Fatal(tables, err)
		}
	},
	"a game": func(t *testing.T, s Store) {
		commit(t, s, Change{Table: "a", Game: 1, Head: []byte(head), Doc: []byte("{}")})
		commit(t, s, Change{Table: "a", Game: 1, Acts: acts(1, 1)})
		commit(t, s, Change{Table: "a", Game: 1, Acts: acts(2, 4)}, Change{Table: "a", Game: 1, Acts: acts(5, 12)})
		wantGame(t, s, "a", 1, 12)
		commit(t, s, Change{Table: "a", Game: 1, Acts: acts(13, 13), Over: true})
		wantGame(t, s, "a", 1, 13)
		if !game(t, s, "a", 1).Over {
			t.Fatal("not over")
		}
	},
	"ended without a last act": func(t *testing.T, s Store) {
		commit(t, s, Change{Table: "a", Game: 1, Head: []byte(head), Acts: acts(1, 2)}, Change{Table: "a", Game: 1, Over: true})
		commit(t, s, Change{Table: "a", Game: 2, Head: []byte(head)})
		commit(t, s, Change{Table: "a", Game: 2, Over: true})
		if g := game(t, s, "a", 2); !g.Over || len(g.Acts) != 0 || !game(t, s, "a", 1).Over {
			t.Fatal("not over")
		}
	},
	"acts from a number on": func(t *testing.T, s Store) {
		commit(t, s, Change{Table: "a", Game: 1, Head: []byte(head), Acts: acts(1, 1200)}, Change{Table: "a", Game: 2, Head: []byte(head)},
			Change{Table: "aa", Game: 1, Head: []byte(head), Acts: acts(1, 3), Over: true})
		for _, c := range []struct {
			table             string
			n, from, most     int
			wantFrom, wantNow int
		}{
			{"a", 1, 1, 3, 1, 3}, {"a", 1, 999, 4, 999, 1002}, {"a", 1, 1199, 9, 1199, 1200}, {"a", 1, 1201, 9, 1, 0}, {"a", 1, -4, 1, 1, 1},
			{"a", 1, 9_999_999, 9, 1, 0}, {"a", 2, 1, 9, 1, 0}, {"aa", 1, 2, 9, 2, 3},
		} {
			var got []Act
			err := s.EachAct(c.table, c.n, c.from, func(a Act) bool {
				got = append(got, a)
				return len(got) < c.most
			})
			if err != nil || !reflect.DeepEqual(got, acts(c.wantFrom, c.wantNow)) {
				t.Errorf("%+v: %v, %v", c, got, err)
			}
		}
		for _, table := range []string{"b", "", "a/b"} {
			if err := s.EachAct(table, 1, 1, nil); !errors.Is(err, ErrNotFound) {
				t.Error(err)
			}
		}
		if err := s.EachAct("a", 3, 1, nil); !errors.Is(err, ErrNotFound) {
			t.Error(err)
		}
	},
	"numbers of games": func(t *testing.T, s Store) {
		for _, n := range []int{10, 2, 999_999, 1} {
			commit(t, s, Change{Table: "a", Game: n, Head: []byte(head), Acts: acts(1, 3), Over: n == 2})
		}
		commit(t, s, Change{Table: "aa", Game: 5, Head: []byte(head)}, Change{Table: "b", Game: 6, Head: []byte(head)})
		if n, err := s.Games("a"); err != nil || !reflect.DeepEqual(n, []int{1, 2, 10, 999_999}) {
			t.Fatal(n, err)
		}
	},
	"out of order": func(t *testing.T, s Store) {
		commit(t, s, Change{Table: "a", Game: 1, Head: []byte(head), Acts: acts(1, 3)},
			Change{Table: "a", Game: 2, Head: []byte(head), Over: true})
		for name, c := range map[string]Change{
			"gap":           {Table: "a", Game: 1, Acts: acts(5, 5)},
			"gap inside":    {Table: "a", Game: 1, Acts: []Act{act(4), act(6)}},
			"again":         {Table: "a", Game: 1, Acts: acts(3, 4)},
			"begun twice":   {Table: "a", Game: 1, Head: []byte(head)},
			"not begun":     {Table: "a", Game: 3, Acts: acts(1, 1)},
			"not begun end": {Table: "b", Game: 1, Over: true},
			"after the end": {Table: "a", Game: 2, Acts: acts(1, 1)},
			"ended twice":   {Table: "a", Game: 2, Over: true},
		} {
			if err := s.Commit(Change{Table: "c", Doc: []byte("x")}, c); !errors.Is(err, ErrOrder) {
				t.Errorf("%s: %v", name, err)
			}
		}
		wantNothingMore(t, s)
	},
	"invalid": func(t *testing.T, s Store) {
		commit(t, s, Change{Table: "a", Game: 1, Head: []byte(head), Acts: acts(1, 3)})
		long := strings.Repeat("x", 64<<10)
		for name, c := range map[string]Change{
			"no table":        {},
			"path as table":   {Table: "../a", Doc: []byte("x")},
			"long table":      {Table: strings.Repeat("a", 65), Doc: []byte("x")},
			"no game":         {Table: "a", Head: []byte(head)},
			"large game":      {Table: "a", Game: 1_000_000, Head: []byte(head)},
			"empty head":      {Table: "a", Game: 2, Head: []byte{}},
			"unended head":    {Table: "a", Game: 2, Head: []byte("begin")},
			"head not UTF-8":  {Table: "a", Game: 2, Head: []byte("\xff\n")},
			"no line":         {Table: "a", Game: 1, Acts: []Act{{No: 4}}},
			"a comment":       {Table: "a", Game: 1, Acts: []Act{{No: 4, Line: "# sum 4"}}},
			"head with a sum": {Table: "a", Game: 2, Head: []byte(head + "# sum 0 x\n")},
			"newline":         {Table: "a", Game: 1, Acts: []Act{{No: 4, Line: "a\nb"}}},
			"event's newline": {Table: "a", Game: 1, Acts: []Act{{No: 4, Line: "a", Events: []string{"b\n"}}}},
			"not UTF-8":       {Table: "a", Game: 1, Acts: []Act{{No: 4, Line: "a\xff"}}},
			"long: line":      {Table: "a", Game: 1, Acts: []Act{{No: 4, Line: long}}},
			"long: doc":       {Table: "a", Doc: []byte(long)},
			"long: head":      {Table: "a", Game: 2, Head: []byte(long + "\n")},
			"long: many":      {Table: "a", Game: 1, Acts: acts(4, 9000)},
		} {
			want := ErrInvalid
			if strings.HasPrefix(name, "long:") {
				want = ErrTooLong
			}
			if err := s.Commit(Change{Table: "c", Doc: []byte("x")}, c); !errors.Is(err, want) {
				t.Errorf("%s: %v", name, err)
			}
		}
		wantNothingMore(t, s)
	},
	"just short enough": func(t *testing.T, s Store) {
		line := strings.Repeat("x", 65_000)
		c := Change{Table: "a", Game: 1, Head: []byte(head), Doc: bytes.Repeat([]byte("x"), 65_535)}
		for no := 1; no <= 14; no++ {
			c.Acts = append(c.Acts, Act{No: no, Line: line})
		}
		commit(t, s, c)
		if g := game(t, s, "a", 1); len(g.Acts) != 14 || g.Acts[13].Line != line {
			t.Fatal("differs")
		}
	},
	"text as it is": func(t *testing.T, s Store) {
		want := []Act{{No: 1, Line: `3 post "<Анна> & \n \\ ` + "\u2028\u0000" + `"`, Events: []string{"", "all ☂"}, Key: `"`, Rules: "<"}}
		commit(t, s, Change{Table: "a", Game: 1, Head: []byte("# Ж <&>\nbegin\n"), Acts: want})
		if g := game(t, s, "a", 1); !reflect.DeepEqual(g.Acts, want) || string(g.Head) != "# Ж <&>\nbegin\n" {
			t.Fatal(g)
		}
	},
	"copies": func(t *testing.T, s Store) {
		doc, h, list := []byte("doc"), []byte(head), acts(1, 1)
		commit(t, s, Change{Table: "a", Game: 1, Doc: doc, Head: h, Acts: list})
		doc[0], h[0], list[0].Events[0] = 'X', 'X', "X"
		g := game(t, s, "a", 1)
		g.Head[0], g.Acts[0].Events[0] = 'X', "X"
		tables, _ := s.Tables()
		tables["a"][0] = 'X'
		wantGame(t, s, "a", 1, 1)
		if tables, _ := s.Tables(); string(tables["a"]) != "doc" {
			t.Fatal(tables)
		}
	},
	"closed": func(t *testing.T, s Store) {
		if err := errors.Join(s.Close(), s.Close()); err != nil {
			t.Fatal(err)
		}
		_, e1 := s.Tables()
		_, e2 := s.Game("a", 1)
		_, e3 := s.Games("a")
		for _, err := range []error{e1, e2, e3, s.EachAct("a", 1, 1, nil), s.Commit(Change{Table: "a", Doc: []byte("x")})} {
			if !errors.Is(err, ErrClosed) {
				t.Error(err)
			}
		}
	},
}

// wantNothingMore fails when a refused change left anything behind.
func wantNothingMore(t *testing.T, s Store) {
	t.Helper()
	wantGame(t, s, "a", 1, 3)
	if tables, err := s.Tables(); err != nil || len(tables) != 0 {
		t.Fatal(tables, err)
	}
	commit(t, s, Change{Table: "a", Game: 1, Acts: acts(4, 4)})
	wantGame(t, s, "a", 1, 4)
}

func TestContract(t *testing.T) {
	for name, test := range contract {
		t.Run("memory/"+name, func(t *testing.T) { test(t, Memory()) })
		t.Run("badger/"+name, func(t *testing.T) {
			dir := t.TempDir()
			s := open(t, dir)
			test(t, s)
			s.Close()
			wantFiles(t, open(t, dir))
		})
	}
}

// fileText is what a game's record file has to hold.
func fileText(t testing.TB, s *store, table string, n int) (text []byte) {
	t.Helper()
	if _, err := follow(s.book, table, n, func(no int, r record, sum string) { text = appendLink(text, no, r, sum) }); err != nil {
		t.Fatal(err)
	}
	return text
}

// wantFiles fails unless each game has a file that says the same, for its owner
// alone, and there is nothing else.
func wantFiles(t testing.TB, s *store, others ...string) {
	t.Helper()
	want := map[string]bool{}
	for _, name := range others {
		want[name] = true
	}
	err := eachGame(s.book, "game/", func(table string, n int) {
		name := fileName(table, n)
		want[name] = true
		have, err := os.ReadFile(filepath.Join(s.files.dir, name))
		if want := fileText(t, s, table, n); err != nil || !bytes.Equal(have, want) {
			t.Errorf("%s differs (%v):\n%s\nwant\n%s", name, err, have, want)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	list, err := os.ReadDir(s.files.dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		info, err := e.Info()
		if err != nil || info.Mode() != 0o600 || !want[e.Name()] {
			t.Error(e.Name(), info.Mode(), err)
		}
		delete(want, e.Name())
	}
	if len(want) > 0 {
		t.Error("missing:", want)
	}
	tables, err := s.Tables()
	if err != nil {
		t.Fatal(err)
	}
	for table, doc := range tables {
		if d, partly, err := s.files.copyOf(table); err != nil || partly || !bytes.Equal(d.doc, doc) {
			t.Errorf("the copy of %s's document: %q %v %v, want %q", table, d.doc, partly, err, doc)
		}
	}
	for _, d := range []string{s.files.dir, s.files.tables, filepath.Join(s.files.dir, "../badger")} {
		if info, err := os.Stat(d); err != nil || info.Mode() != 0o700|fs.ModeDir {
			t.Error(d, info.Mode(), err)
		}
	}
}

func TestText(t *testing.T) {
	g := Game{Head: []byte("begin\n"), Acts: []Act{{No: 1, Line: "host night", Events: []string{"all phase night 1", "all owed 7"}}, {No: 2, Line: "1 wait"}}}
	want := "begin\nhost night\n= all phase night 1\n= all owed 7\n1 wait\n"
	if string(g.Text()) != want {
		t.Fatalf("%s", g.Text())
	}
}
