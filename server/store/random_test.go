package store

import (
	"fmt"
	"maps"
	"os"
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

// Any order of commits, failures, damages and reopenings leaves the store on
// the disk with what the one in memory has.
func TestRandom(t *testing.T) {
	root := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		dir, err := os.MkdirTemp(root, "")
		if err != nil {
			rt.Fatal(err)
		}
		opened, _, err := Open(dir, nil)
		if err != nil {
			rt.Fatal(err)
		}
		s, want := opened.(*store), Memory()
		defer func() { s.Close() }()
		change := func(rt *rapid.T) Change {
			c := Change{Table: rapid.SampledFrom([]string{"a", "b"}).Draw(rt, "table"), Game: rapid.IntRange(1, 3).Draw(rt, "game")}
			if rapid.Bool().Draw(rt, "doc") {
				c.Doc = fmt.Append(nil, rapid.IntRange(0, 9).Draw(rt, "text"))
			}
			g, err := want.Game(c.Table, c.Game)
			if err != nil && rapid.IntRange(0, 9).Draw(rt, "begin") > 0 {
				c.Head = []byte(head)
			}
			from := len(g.Acts) + 1
			c.Acts = acts(from, from-1+rapid.IntRange(0, 4).Draw(rt, "acts"))
			c.Over = rapid.IntRange(0, 9).Draw(rt, "over") == 0
			return c
		}
		rt.Repeat(map[string]func(*rapid.T){
			"commit": func(rt *rapid.T) {
				changes := rapid.SliceOfN(rapid.Custom(change), 1, 3).Draw(rt, "changes")
				if e, w := s.Commit(changes...), want.Commit(changes...); fmt.Sprint(e) != fmt.Sprint(w) {
					rt.Fatal(e, "; in memory", w)
				}
			},
			"fail": func(rt *rapid.T) {
				c := change(rt)
				failOnce(s)
				err := s.Commit(c)
				s.files.sync = syncData
				if err == nil && (c.Head != nil || len(c.Acts) > 0 || c.Doc != nil) {
					rt.Fatal("no failure")
				}
				if err == nil {
					if err := want.Commit(c); err != nil {
						rt.Fatal(err)
					}
				}
			},
			"reopen": func(rt *rapid.T) {
				if rapid.IntRange(0, 3).Draw(rt, "seldom") > 0 {
					return // it takes twenty commits' time
				}
				s.Close()
				list, _ := os.ReadDir(s.files.dir)
				for _, e := range list {
					info, err := e.Info()
					if err != nil {
						rt.Fatal(err)
					}
					if rapid.Bool().Draw(rt, "cut") {
						os.Truncate(s.files.dir+"/"+e.Name(), int64(rapid.IntRange(0, int(info.Size())).Draw(rt, "at")))
					}
				}
				opened, _, err := Open(dir, nil)
				if err != nil {
					rt.Fatal(err)
				}
				s = opened.(*store)
			},
			"": func(rt *rapid.T) {
				tables, _ := s.Tables()
				if w, _ := want.Tables(); !maps.EqualFunc(tables, w, func(a, b []byte) bool { return string(a) == string(b) }) {
					rt.Fatal(tables, w)
				}
				for _, table := range []string{"a", "b"} {
					have, _ := s.Games(table)
					numbers, _ := want.Games(table)
					if !reflect.DeepEqual(have, numbers) {
						rt.Fatal(have, numbers)
					}
					for _, n := range numbers {
						g, err := s.Game(table, n)
						w, _ := want.Game(table, n)
						if err != nil || !reflect.DeepEqual(g, w) {
							rt.Fatal(g, w, err)
						}
						text, err := os.ReadFile(s.files.dir + "/" + fileName(table, n))
						if err != nil || string(text) != string(fileText(t, s, table, n)) {
							rt.Fatalf("%v\n%s\nwant\n%s", err, text, fileText(t, s, table, n))
						}
					}
				}
			},
		})
	})
}
