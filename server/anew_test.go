package server

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mafiabox/mafiabox/server/store"
)

// TestUnreadDocuments: a document that can't be read, as of a newer box, shuts no
// box. What it is for begins anew, its text lies aside, and it is told; the other
// tables go on.
func TestUnreadDocuments(t *testing.T) {
	const newer = `{"stage": {"of": "a newer box"}, "sets": 7, "same": 7}`
	for id, told := range map[string]struct{ en, ru string }{
		"1":        {"Table 1: the box can't read", "Стол 1: коробка не может прочитать"},
		clubID:     {"the club's sets", "наборы, отстранения"},
		bookID:     {"people's names", "об именах"},
		"held-2-3": {"Table 2: the box can't read what a seat", "Стол 2: коробка не может прочитать то"},
	} {
		from, keep, dir := store.Memory(), store.Memory(), t.TempDir()
		config := openConfig()
		config.Store, config.Data = keep, dir
		b, table, _ := dealt(t, from, 7)
		last := table.now.Load().doc.Game
		copyDoc(t, from, keep)
		copyGame(t, from, keep, last, false)
		if err := keep.Commit(store.Change{Table: "2", Doc: b.newDoc().encode()}, store.Change{Table: "league", Doc: []byte("{}")}); err != nil {
			t.Fatal(err)
		}
		for n := 1; n <= 4; n++ { // a club counts the games that came as files
			g, err := keep.Game("1", last)
			if err == nil {
				err = keep.Commit(store.Change{Table: importID, Game: n, Head: g.Head, Acts: g.Acts, Over: true})
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := keep.Commit(store.Change{Table: id, Doc: []byte(newer)}); err != nil {
			t.Fatal(err)
		}
		b, err := Open(config)
		if err != nil {
			t.Error(id, err)
			continue
		}
		aside, _ := filepath.Glob(filepath.Join(dir, "aside", "*-unread-1", id+".json"))
		if len(aside) != 1 {
			t.Fatal(id, "lies nowhere aside")
		}
		if text, err := os.ReadFile(aside[0]); err != nil || string(text) != newer {
			t.Errorf("%s: %s %v", id, text, err)
		}
		for lang, want := range map[string]string{"en": told.en, "ru": told.ru} {
			if lines := strings.Join(b.found(words{b.texts.in(lang)}), "\n"); !strings.Contains(lines, want) || !strings.Contains(lines, aside[0]) {
				t.Errorf("%s: the owner is told %q", id, lines)
			}
		}
		one, two := b.Table("1").now.Load(), b.Table("2")
		if len(b.Tables()) != 2 || two == nil || (one.doc.Stage == playing) == (id == "1") || one.doc.Game != last {
			t.Errorf("%s: %+v", id, one.doc)
		}
		if told := one.doc.Mended; id == "1" && (len(told) != 1 || told[0].Case != "table") || id != "1" && len(told) > 0 {
			t.Errorf("%s: the host is told %v", id, told)
		}
		if n := b.club.imported(); n != 4 {
			t.Errorf("%s: the next game that comes as a file has number %d", id, n+1)
		}
		b.Close()
		if b, err = Open(config); err != nil {
			t.Fatal(id, err)
		}
		if again, _ := filepath.Glob(filepath.Join(dir, "aside", "*")); len(again) != 1 {
			t.Error(id, "is set aside at each start:", again)
		}
		b.Close()
	}
}
