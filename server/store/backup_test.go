package store

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func backup(t testing.TB, s Store, whole bool) []byte {
	t.Helper()
	var b bytes.Buffer
	if _, err := s.Backup(&b, Made{No: 1, At: time.Date(2026, 5, 4, 21, 0, 0, 0, time.UTC), Whole: whole}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func readBackup(t testing.TB, file []byte) *Backup {
	t.Helper()
	b, err := ReadBackup(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Whatever a store takes is in its backup exactly, and a backup of what was
// restored from it says the same.
func TestBackupRandom(t *testing.T) {
	text := rapid.StringMatching(`[^\n]{0,20}`)
	rapid.Check(t, func(rt *rapid.T) {
		s := Memory()
		for _, table := range rapid.SliceOfNDistinct(rapid.StringMatching(`[a-zA-Z0-9_-]{1,9}`), 0, 4, rapid.ID).Draw(rt, "tables") {
			c := Change{Table: table}
			if rapid.Bool().Draw(rt, "has document") {
				c.Doc = append([]byte{}, rapid.SliceOf(rapid.Byte()).Draw(rt, "document")...)
			}
			if err := s.Commit(c); err != nil {
				rt.Fatal(err)
			}
			for _, n := range rapid.SliceOfNDistinct(rapid.IntRange(1, most), 0, 3, rapid.ID).Draw(rt, "games") {
				c := Change{Table: table, Game: n, Head: []byte(rapid.StringMatching(`([^\n]{0,9}\n){1,3}`).Draw(rt, "head")), Over: rapid.Bool().Draw(rt, "over")}
				for no := range rapid.IntRange(0, 5).Draw(rt, "acts") {
					a := Act{No: no + 1, Line: rapid.StringMatching(`(= )?[^\n]{1,9}`).Draw(rt, "line"), Key: text.Draw(rt, "key"), Rules: text.Draw(rt, "rules")}
					a.Events = append(a.Events, rapid.SliceOfN(text, 0, 3).Draw(rt, "events")...)
					c.Acts = append(c.Acts, a)
				}
				if err := s.Commit(c); err != nil {
					rt.Fatal(err)
				}
			}
		}
		file := backup(t, s, true)
		b := readBackup(t, file)
		wantSame(rt, s, b)
	})
}

type fataler interface{ Fatal(...any) }

// wantSame fails unless the backup holds what the store does.
func wantSame(t fataler, s Store, b *Backup) {
	docs, err := s.Tables()
	if err != nil || !reflect.DeepEqual(docs, b.Docs) {
		t.Fatal(err, docs, "in the backup", b.Docs)
	}
	var all []GameID
	err = eachGame(s.(*store).book, "game/", func(table string, n int) { all = append(all, GameID{table, n}) })
	if err != nil || b.Contents.Games != len(all) {
		t.Fatal(err, b.Contents.Games, "games, want", len(all))
	}
	for _, id := range all {
		want, err := s.Game(id.Table, id.N)
		got, err2 := b.Game(id.Table, id.N)
		if err != nil || err2 != nil || !reflect.DeepEqual(got, want) || !slices.Contains(b.Games(), id) {
			t.Fatal(id, err, err2, got, "want", want)
		}
	}
}

// example is a store with two tables: one plays its second game.
func example(t testing.TB) Store {
	s := Memory()
	commit(t, s, Change{Table: "1", Doc: []byte(`{"code":"KXWRB"}`), Game: 1, Head: []byte(head), Acts: acts(1, 40), Over: true})
	commit(t, s, Change{Table: "1", Game: 2, Head: []byte(head), Acts: acts(1, 9)}, Change{Table: "2", Doc: []byte{}})
	commit(t, s, Change{Table: "2", Game: 7, Head: []byte(head), Acts: acts(1, 3), Over: true})
	commit(t, s, Change{Table: "2", Game: 8, Head: []byte(head), Acts: acts(1, 3), Over: true})
	return s
}

// A small backup holds what is needed to go on.
func TestBackupSmall(t *testing.T) {
	b := readBackup(t, backup(t, example(t), false))
	if want := []GameID{{"1", 2}, {"2", 8}}; !slices.Equal(b.Games(), want) || b.Contents.Games != 2 || b.Running != 1 || b.Whole || len(b.Docs) != 2 {
		t.Fatalf("%v %+v", b.Games(), b.Contents)
	}
}

// Any zip program reads it, and the record in it is the record.
func TestBackupIsAZip(t *testing.T) {
	s := example(t)
	file := backup(t, s, true)
	z, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	text := map[string]string{}
	var last string
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		text[f.Name], last = string(b), f.Name
	}
	if text["games/1-2.mafia"] != string(game(t, s, "1", 2).Text()) || text["tables/1.json"] != `{"code":"KXWRB"}` || last != "backup.json" {
		t.Fatal(text)
	}
	if readme := text["README.txt"]; strings.Count(readme, "\n") != 2 || !strings.Contains(readme, "mafiabox restore") || !strings.Contains(readme, "Резервная копия") {
		t.Fatal(readme)
	}
}

// A backup that was cut anywhere, and one with any byte changed, is refused;
// what it still gives out is what was put in.
func TestBackupDamage(t *testing.T) {
	s := example(t)
	file := backup(t, s, true)
	damaged := func(what string, file []byte) {
		t.Helper()
		b, err := ReadBackup(bytes.NewReader(file), int64(len(file)))
		var parts *DamagedError
		switch {
		case err == nil:
			t.Fatalf("%s went unnoticed", what)
		case errors.As(err, &parts):
			docs, _ := s.Tables()
			for id, doc := range b.Docs {
				if !bytes.Equal(doc, docs[id]) {
					t.Fatalf("%s: document %s is %q", what, id, doc)
				}
			}
			for _, id := range b.Games() {
				if g, err := b.Game(id.Table, id.N); err != nil || !reflect.DeepEqual(g, game(t, s, id.Table, id.N)) {
					t.Fatalf("%s: game %v: %v", what, id, err)
				}
			}
			if whole := len(b.Docs) + len(b.Games()); whole < 6-1 {
				t.Fatalf("%s cost %d documents and games: %v", what, 6-whole, err)
			}
		case !errors.Is(err, ErrNoBackup):
			t.Fatalf("%s: %v", what, err)
		}
	}
	for at := range file {
		other := bytes.Clone(file)
		other[at] ^= 1 << rand.IntN(8)
		damaged(fmt.Sprint("a flipped bit of byte ", at), other)
	}
	for _, size := range []int{0, 1, len(file) / 2, len(file) - 64, len(file) - 1} {
		damaged(fmt.Sprint("a cut at ", size), file[:size])
	}
	damaged("a byte more", append(bytes.Clone(file), 0))
	damaged("a byte before", append([]byte{0}, file...))
}

// A part that somebody has changed, with a zip program that gets all else
// right, is named; so is one that he has taken out.
func TestBackupAltered(t *testing.T) {
	for name, want := range map[string]string{
		"tables/1.json": "tables/1.json: altered", "games/1-1.mafia": "games/1-1.mafia: altered", "games/2-7.json": "games/2-7.mafia: games/2-7.json: altered", "README.txt": "README.txt: altered",
	} {
		file := backup(t, example(t), true)
		for what, text := range map[string]string{want: "{}", strings.Replace(want, "altered", "missing", 1): ""} {
			z, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
			if err != nil {
				t.Fatal(err)
			}
			var b bytes.Buffer
			w := zip.NewWriter(&b)
			for _, f := range z.File {
				if f.Name != name {
					err = errors.Join(err, w.Copy(f))
				} else if text != "" {
					part, createErr := w.Create(name)
					_, writeErr := part.Write([]byte(text))
					err = errors.Join(err, createErr, writeErr)
				}
			}
			if err = errors.Join(err, w.SetComment(z.Comment), w.Close()); err != nil {
				t.Fatal(err)
			}
			got, err := ReadBackup(bytes.NewReader(b.Bytes()), int64(b.Len()))
			var damaged *DamagedError
			if !errors.As(err, &damaged) || !slices.Equal(damaged.Parts, []string{what}) {
				t.Errorf("%s: %v, want %s", name, err, what)
			} else if whole := len(got.Docs) + len(got.Games()); whole < 5 {
				t.Errorf("%s: %d documents and games are left", name, whole)
			}
		}
	}
}

// Running games and their documents are of one moment.
func TestBackupBetweenCommits(t *testing.T) {
	s := Memory()
	commit(t, s, Change{Table: "1", Game: 1, Head: []byte(head), Doc: []byte("0")}, Change{Table: "2", Game: 1, Head: []byte(head)})
	done := make(chan error, 1)
	go func() {
		for no := 1; no <= 500; no++ {
			doc := fmt.Append(nil, no)
			if err := s.Commit(Change{Table: "1", Game: 1, Acts: acts(no, no), Doc: doc}, Change{Table: "2", Game: 1, Acts: acts(no, no)}); err != nil {
				done <- err
				return
			}
			time.Sleep(50 * time.Microsecond)
		}
		done <- nil
	}()
	for seen := 0; seen < 500; {
		b := readBackup(t, backup(t, s, true))
		one, _ := b.Game("1", 1)
		two, _ := b.Game("2", 1)
		if seen = len(one.Acts); string(b.Docs["1"]) != fmt.Sprint(seen) || len(two.Acts) != seen {
			t.Fatalf("document of act %s, acts %d and %d", b.Docs["1"], seen, len(two.Acts))
		}
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			done <- nil
		default:
		}
	}
}

// A game that the store has lost a part of is in a backup as far as it goes,
// and the backup says so; it keeps nobody from the others.
func TestBackupOfBroken(t *testing.T) {
	s := example(t).(*store)
	err := s.book.write([]pair{{actKey("1", 1, 20), nil}, {headKey("2", 7), nil}})
	if err != nil {
		t.Fatal(err)
	}
	b := readBackup(t, backup(t, s, true))
	if want := []BrokenError{{"1", 1, 20}, {"2", 7, 0}}; !slices.Equal(b.Broken, want) {
		t.Fatal(b.Broken)
	}
	if g, err := b.Game("1", 1); err != nil || !reflect.DeepEqual(g.Acts, acts(1, 19)) || g.Over || len(b.Games()) != 3 || b.Running != 1 {
		t.Fatal(err, len(g.Acts), b.Games(), b.Running)
	}
}
