package server

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/server/store"
)

// A disk that has lost something may leave a table's document and its games of
// different moments. Whatever the table makes of it, the next game can be dealt.
func TestDocumentAndGamesDisagree(t *testing.T) {
	for name, c := range map[string]struct {
		damage func(t *testing.T, from, to store.Store) // copies what is left
		stage  stage
		game   int
		told   string
	}{
		"a game is gone": {func(t *testing.T, from, to store.Store) {
			copyDoc(t, from, to)
		}, lobby, 0, "gone"},
		"the later game is gone": {func(t *testing.T, from, to store.Store) {
			copyDoc(t, from, to)
			copyGame(t, from, to, 1, false)
		}, lobby, 1, "gone"},
		"the later game is gone, and the earlier has its end": {func(t *testing.T, from, to store.Store) {
			copyDoc(t, from, to)
			copyGame(t, from, to, 1, true)
		}, lobby, 1, "gone"},
		"the document is of the game before": {func(t *testing.T, from, to store.Store) {
			docs, _ := from.Tables()
			var d doc
			if err := d.decode(docs["1"]); err != nil {
				t.Fatal(err)
			}
			d.Game, d.Stage = 1, lobby
			if err := to.Commit(store.Change{Table: "1", Doc: d.encode()}); err != nil {
				t.Fatal(err)
			}
			copyGame(t, from, to, 1, true)
			copyGame(t, from, to, 2, false)
		}, playing, 2, ""},
		"the document is of other people": {func(t *testing.T, from, to store.Store) {
			docs, _ := from.Tables()
			var d doc
			if err := d.decode(docs["1"]); err != nil {
				t.Fatal(err)
			}
			d.Game, d.Stage, d.People = 1, lobby, append(d.People, person{Name: "Somebody"})
			if err := to.Commit(store.Change{Table: "1", Doc: d.encode()}); err != nil {
				t.Fatal(err)
			}
			copyGame(t, from, to, 1, true)
			copyGame(t, from, to, 2, false)
		}, lobby, 2, ""},
	} {
		t.Run(name, func(t *testing.T) {
			from, to := store.Memory(), store.Memory()
			b, table, _ := dealt(t, from, 7)
			redeal(t, b, table)
			c.damage(t, from, to)
			b, _ = open(t, to)
			defer b.Close()
			table = b.Table("1")
			m := table.now.Load()
			if m.doc.Stage != c.stage || m.doc.Game != c.game || m.frozen != "" {
				t.Fatalf("%s, game %d, frozen %q", m.doc.Stage, m.doc.Game, m.frozen)
			}
			if told := m.doc.Mended; c.told == "" && len(told) > 0 || c.told != "" && (len(told) != 1 || told[0].Case != c.told || told[0].Game != 2) {
				t.Error(told)
			}
			redeal(t, b, table)
			if now := table.now.Load(); now.doc.Stage != playing || now.doc.Game != c.game+1 || !now.game.Begun() {
				t.Errorf("after the next deal: %s, game %d", now.doc.Stage, now.doc.Game)
			}
		})
	}
}

// redeal deals the next game, whatever is on.
func redeal(t *testing.T, b *Box, table *Table) {
	t.Helper()
	err := table.Do("", func(d *draft) error {
		d.doc.Stage = lobby
		return d.deal(b.rules(d.doc), nil)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func copyDoc(t *testing.T, from, to store.Store) {
	t.Helper()
	docs, err := from.Tables()
	if err == nil {
		err = to.Commit(store.Change{Table: "1", Doc: docs["1"]})
	}
	if err != nil {
		t.Fatal(err)
	}
}

func copyGame(t *testing.T, from, to store.Store, n int, over bool) {
	t.Helper()
	g, err := from.Game("1", n)
	if err == nil {
		err = to.Commit(store.Change{Table: "1", Game: n, Head: g.Head, Acts: g.Acts, Over: over})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A table whose document is nowhere any more is there again, empty, and what it
// deals is no game that was played.
func TestLostDocument(t *testing.T) {
	from, to := store.Memory(), store.Memory()
	dealt(t, from, 7)
	copyGame(t, from, to, 1, false)
	config := openConfig()
	config.Store, config.Found = to, []store.Finding{{What: store.Lost, Table: "1", Good: -1}, {What: store.Rebuilt, Aside: "there"},
		{What: store.Mended, Table: "2", Unread: true}, {What: store.Mended, Table: "2", Game: 1, Unread: true}}
	b, err := Open(config)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	m := b.Table("1").now.Load()
	if m.doc.Stage != lobby || m.doc.Game != 1 || len(m.doc.Mended) != 1 || m.doc.Mended[0].Case != "table" {
		t.Errorf("%+v", m.doc)
	}
	w := words{b.texts.in("en")}
	lines := strings.Join(b.found(w), "\n")
	if !strings.Contains(lines, "in there") || !strings.Contains(lines, "Table 1") || !strings.Contains(lines, "2 files") || strings.Contains(lines, "completed") {
		t.Error(lines)
	}
	for _, lang := range Languages {
		w := words{b.texts.in(lang)}
		for _, note := range []string{"lost", "unsure", "gone", "people", "table", "rebuilt"} {
			if line := w.mendings([]mending{{note, 3, 214}}, func(mending) string { return "Act" }); slices.ContainsFunc(line, func(s string) bool { return strings.Contains(s, "mended.") }) {
				t.Error(line)
			}
		}
	}
}

// The owner is told at each start until he puts it away, whatever a host has
// read; a host is told again of nothing that he has put away.
func TestFindingsOutliveAStart(t *testing.T) {
	dir, keep := t.TempDir(), store.Memory()
	_, table, _ := dealt(t, keep, 7)
	if err := act(table, "", night1); err != nil {
		t.Fatal(err)
	}
	if err := store.Folder(filepath.Join(dir, "tables")); err != nil {
		t.Fatal(err)
	}
	found := []store.Finding{{What: store.Rebuilt, Aside: "there"}, {What: store.Lost, Table: "1", Game: 1, Good: 1}, {What: store.Lost, Table: "1", Game: 9, Good: 3}, {What: store.Lost, Table: clubID, Good: -1}}
	if err := store.KeepFound(dir, found); err != nil {
		t.Fatal(err)
	}
	start := func() (b *Box, owner *browser) {
		t.Helper()
		again, found, err := store.Open(dir, nil) // of which the findings alone count
		if err != nil {
			t.Fatal(err)
		}
		again.Close()
		config := openConfig()
		config.Store, config.Found, config.Data, config.OwnerCode = keep, found, dir, "OWNER"
		if b, err = Open(config); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { b.Close() })
		owner = &browser{T: t, b: b}
		owner.must("POST", "/box", 303, "code", "OWNER")
		return b, owner
	}
	told := func(b *Box) []mending { return b.Table("1").now.Load().doc.Mended }
	b, owner := start()
	if all := told(b); len(all) != 1 || all[0] != (mending{"lost", 1, 1}) {
		t.Error(all)
	}
	if err := b.Table("1").Do("", func(d *draft) error { d.doc.Mended, d.dirty = nil, true; return nil }); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		page := plainText(owner.must("GET", "/box", 200))
		for _, want := range []string{"Table 1, game 9: act 3", "Table 1, game 1: act 1", "in there", "whole club"} {
			if !strings.Contains(page, want) {
				t.Errorf("the owner is not told %q: %s", want, page)
			}
		}
		(&browser{T: t, b: b}).must("POST", "/box/found", 403)
		b, owner = start()
		if all := told(b); len(all) > 0 {
			t.Error("the host is told again:", all)
		}
	}
	owner.must("POST", "/box/found", 303)
	for range 2 {
		if page := owner.must("GET", "/box", 200); strings.Contains(page, "game 9") || strings.Contains(page, "/box/found") {
			t.Error("it can't be put away")
		}
		_, owner = start()
	}
}

// What a table could not store is told its host once more at the next start.
func TestUntoldHost(t *testing.T) {
	dir, keep := t.TempDir(), store.Memory()
	dealt(t, keep, 7)
	if err := store.Folder(filepath.Join(dir, "tables")); err != nil {
		t.Fatal(err)
	}
	config := openConfig()
	config.Data, config.Found = dir, []store.Finding{{What: store.Lost, Table: "1", Game: 1}}
	for _, full := range []bool{true, false} {
		config.Store = &flaky{Store: keep, broken: full, err: store.ErrFull}
		b, err := Open(config)
		if err != nil {
			t.Fatal(err)
		}
		if f := b.findings()[0]; f.Told == full {
			t.Errorf("full %v: told %v", full, f.Told)
		}
		b.Close()
	}
}

// Games that were played outlive their table's document: the next deal at a table
// that is opened anew has a number that none of them ever had.
func TestDealAfterLostDocument(t *testing.T) {
	for what, lose := range map[string]func(*testing.T, store.Store){
		"two games are left": func(*testing.T, store.Store) {},
		"the later one was deleted": func(t *testing.T, s store.Store) {
			if err := s.Commit(store.Change{Table: "1", Game: 2, Gone: true}); err != nil {
				t.Fatal(err)
			}
		},
	} {
		for _, known := range []bool{true, false} {
			from, to := store.Memory(), store.Memory()
			b, table, _ := dealt(t, from, 7)
			redeal(t, b, table)
			copyGame(t, from, to, 1, true)
			copyGame(t, from, to, 2, false)
			lose(t, to)
			config := openConfig()
			config.Store = to
			if known {
				config.Found = []store.Finding{{What: store.Lost, Table: "1", Good: -1}}
			}
			b, err := Open(config)
			if err != nil {
				t.Fatal(err)
			}
			defer b.Close()
			table = b.Table("1")
			if told := table.now.Load().doc.Mended; known != (len(told) == 1 && told[0].Case == "table") {
				t.Errorf("%s: the host is told %v", what, told)
			}
			for i := range 7 {
				if err := table.Do("", func(d *draft) error { return d.join(b.rules(d.doc), device(i+1), "P", 0) }); err != nil {
					t.Fatal(err)
				}
			}
			if err := table.Do("", func(d *draft) error { return d.deal(b.rules(d.doc), nil) }); err != nil {
				t.Errorf("%s: %v", what, err)
			}
			if m := table.now.Load(); m.doc.Game != 3 || m.doc.Stage != playing || m.doc.Deleted {
				t.Errorf("%s: game %d, %s", what, m.doc.Game, m.doc.Stage)
			}
		}
	}
}

// What is not known to be lost is not said to be. The last good act is told in
// words, but not to a host who plays at the table.
func TestLastGoodAct(t *testing.T) {
	for _, unsure := range []bool{false, true} {
		keep := store.Memory()
		_, table, _ := dealt(t, keep, 7)
		for _, a := range []engine.Act{night1, waits(3)} {
			if err := act(table, "", a); err != nil {
				t.Fatal(err)
			}
		}
		config := openConfig()
		config.Store, config.Found = keep, []store.Finding{{What: store.Lost, Table: "1", Game: 1, Good: 2, Unsure: unsure}}
		b, err := Open(config)
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		table = b.Table("1")
		for _, lang := range Languages {
			w, m := words{b.texts.in(lang)}, table.now.Load()
			host := strings.Join(b.hostPage(table, m, w, device(99), 0).Mended, "\n")
			plays := strings.Join(b.hostPage(table, m, w, device(3), 0).Mended, "\n")
			named := w.act(waits(3), b.hostPage(table, m, w, device(99), 0).Seats)
			if !strings.Contains(host, "2 ("+named+")") {
				t.Errorf("the host is told %q, without %q", host, named)
			}
			if strings.Contains(plays, "P3") || strings.Contains(plays, "(") || !strings.Contains(plays, "2") {
				t.Errorf("a host who plays is told %q", plays)
			}
			sure := map[string]string{"en": "what came after it is gone", "ru": "того, что было после неё, больше нет"}[lang]
			if strings.Contains(host, sure) == unsure {
				t.Errorf("unsure %v: %q", unsure, host)
			}
			sure = map[string]string{"en": "What came after it is lost", "ru": "То, что было после неё, потеряно"}[lang]
			if lines := strings.Join(b.found(w), "\n"); strings.Contains(lines, sure) == unsure || lines == "" || strings.Contains(lines, named) {
				t.Errorf("unsure %v: the owner is told %q", unsure, lines)
			}
		}
	}
}
