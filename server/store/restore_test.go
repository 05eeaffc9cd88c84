package store

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func restore(t testing.TB, dir string, file []byte, replace bool) (aside string) {
	t.Helper()
	aside, err := Restore(dir, readBackup(t, file), replace, nil)
	if err != nil {
		t.Fatal(err)
	}
	return aside
}

// A restored store is the one that was backed up, and goes on.
func TestRestore(t *testing.T) {
	from := example(t)
	dir := filepath.Join(t.TempDir(), "new")
	if aside := restore(t, dir, backup(t, from, true), false); aside != "" {
		t.Fatal(aside)
	}
	s := open(t, dir)
	wantSame(t, from, readBackup(t, backup(t, s, true)))
	wantSame(t, s, readBackup(t, backup(t, from, true)))
	wantFiles(t, s)
	commit(t, s, Change{Table: "1", Game: 2, Acts: acts(10, 12)})
	wantGame(t, s, "1", 2, 12)
	if err := s.Commit(Change{Table: "2", Game: 8, Acts: acts(4, 4)}); !errors.Is(err, ErrOrder) {
		t.Fatal("a game that was over goes on:", err)
	}
	s.Close()
	for _, part := range append([]string{ballastName, "backups"}, storeParts...) {
		os.RemoveAll(filepath.Join(dir, part))
	}
	if list, _ := os.ReadDir(dir); len(list) > 0 {
		t.Fatal("left besides the store:", list)
	}
}

// The ring's newest backup is of what was restored from its first Open on, and
// until then nothing is mended from those of the store before.
func TestRestoreRing(t *testing.T) {
	file := backup(t, example(t), true)
	s, dir, _ := stored(t)
	ring := Ring{filepath.Join(dir, "backups")}
	if err := Folder(ring.Dir); err != nil {
		t.Fatal(err)
	}
	for _, whole := range []bool{true, false} {
		if _, err := ring.Add(s, Made{Whole: whole}); err != nil {
			t.Fatal(err)
		}
	}
	s.Close()
	restore(t, dir, file, true)
	if err := os.RemoveAll(filepath.Join(dir, inside)); err != nil { // then a store takes all that there is
		t.Fatal(err)
	}
	for range 2 {
		s := open(t, dir)
		wantSame(t, s, readBackup(t, file))
		all, err := ring.List()
		if err != nil || len(all) != 3 || all[0].Kind != "whole" || all[0].No != 3 {
			t.Fatal(all, err)
		}
		b, err := OpenBackup(all[0].Path)
		if err != nil {
			t.Fatal(err)
		}
		wantSame(t, s, b)
		b.Close()
		s.Close()
		if err := os.RemoveAll(filepath.Join(dir, inside)); err != nil {
			t.Fatal(err)
		}
	}
	// One that can't be made now is made later.
	restore(t, dir, file, true)
	if err := errors.Join(os.Rename(ring.Dir, ring.Dir+"-out"), os.WriteFile(ring.Dir, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	s = open(t, dir)
	wantSame(t, s, readBackup(t, file))
	s.Close()
	if err := errors.Join(os.Remove(ring.Dir), os.Rename(ring.Dir+"-out", ring.Dir)); err != nil {
		t.Fatal(err)
	}
	open(t, dir)
	if all, err := ring.List(); err != nil || all[0].No != 4 {
		t.Fatal(all, err)
	}
}

// A game with large acts, many acts, and what JSON makes six times as long.
func TestRestoreLarge(t *testing.T) {
	from := Memory()
	commit(t, from, Change{Table: "1", Game: 1, Head: []byte(head), Acts: acts(1, 2000)})
	commit(t, from, Change{Table: "1", Game: 1, Acts: acts(2001, 4000), Over: true})
	commit(t, from, Change{Table: "1", Game: 2, Head: []byte(head)})
	for no := 1; no <= 40; no++ {
		line := strings.Repeat("x", 60_000)
		if no%2 == 0 {
			line = strings.Repeat("\x01", 10_000)
		}
		commit(t, from, Change{Table: "1", Game: 2, Acts: []Act{{No: no, Line: line}}, Over: no == 40, Doc: bytes.Repeat([]byte("x"), 60_000)})
	}
	dir := t.TempDir()
	restore(t, dir, backup(t, from, true), false)
	s := open(t, dir)
	wantSame(t, s, readBackup(t, backup(t, from, true)))
	wantFiles(t, s)
}

func TestRestoreReplaces(t *testing.T) {
	s, dir, _ := stored(t)
	file := backup(t, example(t), true)
	if _, err := Restore(dir, readBackup(t, file), true, nil); !errors.Is(err, ErrInUse) {
		t.Fatal(err)
	}
	s.Close()
	if _, err := Restore(dir, readBackup(t, file), false, nil); !errors.Is(err, ErrHoldsGames) {
		t.Fatal(err)
	}
	first := restore(t, dir, file, true)
	second := restore(t, dir, file, true)
	if first == "" || first == second {
		t.Fatal(first, second)
	}
	wantSame(t, open(t, dir), readBackup(t, file))
	wantGame(t, open(t, first), "a", 1, 5)
	wantSame(t, open(t, second), readBackup(t, file))
}

// A plug that is pulled at any step of a restore leaves what was there, or what
// was to be there.
func TestRestoreSteps(t *testing.T) {
	file, other := backup(t, example(t), true), backup(t, Memory(), true)
	old := func(t *testing.T, dir string) { wantGame(t, open(t, dir), "a", 1, 5) }
	renewed := func(t *testing.T, dir string) { wantSame(t, open(t, dir), readBackup(t, file)) }
	for name, c := range map[string]struct {
		step func(t *testing.T, dir string)
		want func(*testing.T, string)
	}{
		"half made": {func(t *testing.T, dir string) {
			if err := os.MkdirAll(filepath.Join(dir, restoreTmp, "badger"), 0o700); err != nil {
				t.Fatal(err)
			}
		}, old},
		"asked": {func(t *testing.T, dir string) {
			path := filepath.Join(dir, "upload.zip")
			if err := errors.Join(os.WriteFile(path, file, 0o600), AskRestore(dir, path)); err != nil {
				t.Fatal(err)
			}
		}, renewed},
		"asked, torn": {func(t *testing.T, dir string) {
			if err := os.WriteFile(filepath.Join(dir, restoreFile), file[:len(file)-9], 0o600); err != nil {
				t.Fatal(err)
			}
		}, old},
		"asked, and half made": {func(t *testing.T, dir string) {
			if err := errors.Join(os.MkdirAll(filepath.Join(dir, restoreTmp, "badger"), 0o700), os.WriteFile(filepath.Join(dir, restoreFile), file, 0o600)); err != nil {
				t.Fatal(err)
			}
		}, renewed},
		"asked, and ready": {func(t *testing.T, dir string) {
			if err := os.WriteFile(filepath.Join(dir, restoreFile), file, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := makeReady(dir, readBackup(t, file), nil); err != nil {
				t.Fatal(err)
			}
		}, renewed},
		"one was ready, and another is restored": {func(t *testing.T, dir string) {
			if err := makeReady(dir, readBackup(t, other), nil); err != nil {
				t.Fatal(err)
			}
			restore(t, dir, file, true)
		}, renewed},
		"one was asked, and another is restored": {func(t *testing.T, dir string) {
			if err := os.WriteFile(filepath.Join(dir, restoreFile), other, 0o600); err != nil {
				t.Fatal(err)
			}
			restore(t, dir, file, true)
		}, renewed},
		"ready": {func(t *testing.T, dir string) {
			if err := makeReady(dir, readBackup(t, file), nil); err != nil {
				t.Fatal(err)
			}
		}, renewed},
		"one moved aside": {func(t *testing.T, dir string) {
			if err := makeReady(dir, readBackup(t, file), nil); err != nil {
				t.Fatal(err)
			}
			aside, err := newAside(dir, "restore")
			if err := errors.Join(err, os.Rename(filepath.Join(dir, "badger"), filepath.Join(aside, "badger"))); err != nil {
				t.Fatal(err)
			}
		}, renewed},
		"one in its place": {func(t *testing.T, dir string) {
			if err := makeReady(dir, readBackup(t, file), nil); err != nil {
				t.Fatal(err)
			}
			aside, err := newAside(dir, "restore")
			if err := errors.Join(err, os.Rename(filepath.Join(dir, "badger"), filepath.Join(aside, "badger")), os.Rename(filepath.Join(dir, restoreReady, "badger"), filepath.Join(dir, "badger"))); err != nil {
				t.Fatal(err)
			}
		}, renewed},
	} {
		t.Run(name, func(t *testing.T) {
			s, dir, _ := stored(t)
			s.Close()
			c.step(t, dir)
			c.want(t, dir)
			if _, err := os.Stat(filepath.Join(dir, RestoreRefused)); (err == nil) != (name == "asked, torn") {
				t.Error("refused:", err)
			}
			list, _ := os.ReadDir(dir)
			for _, e := range list {
				if n := e.Name(); n == restoreFile || n == restoreReady || n == restoreTmp {
					t.Error("left:", n)
				}
			}
		})
	}
}

// What a damaged backup could not bring back, the next Open tells, and each
// until it is put away. A table that has games left lacks its document then.
func TestRestorePartly(t *testing.T) {
	file := backup(t, example(t), true)
	for _, name := range []string{"games/1-1.mafia", "tables/1.json"} { // in the parts' own heads
		file[bytes.Index(file, []byte(name))+len(name)+9] ^= 0xff
	}
	b, err := ReadBackup(bytes.NewReader(file), int64(len(file)))
	var damaged *DamagedError
	if !errors.As(err, &damaged) || len(damaged.Parts) != 2 {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if _, err := Restore(dir, b, false, nil); err != nil {
		t.Fatal(err)
	}
	opens := func(want ...Finding) {
		t.Helper()
		s, found, err := Open(dir, nil)
		if err != nil || !slices.Equal(found, want) {
			t.Fatal(found, err)
		}
		s.Close()
	}
	game := Finding{What: Lost, Table: "1", Game: 1, Good: -1, Restored: true}
	people := Finding{What: Lost, Table: "1", Good: -1, Restored: true}
	opens(game, people)
	opens(game, people)
	if err := KeepFound(dir, nil); err != nil {
		t.Fatal(err)
	}
	people.Restored = false
	opens(people) // game 2 is there, and nobody has opened its table anew
}

// bomb is a backup with a member that unpacks to so many bytes of zeros; its sums are right.
func bomb(t *testing.T, name string, size int) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	add := func(name string, text []byte) {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write(text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	add(name, make([]byte, size))
	c := Contents{Format: 1, Members: map[string]member{name: {Size: int64(size)}}}
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	if name != contentsName {
		add(contentsName, text)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A small file that unpacks to a large one is refused before it is unpacked.
func TestBackupBomb(t *testing.T) {
	for name, limit := range map[string]int{contentsName: maxContents, "tables/1.json": maxValue, "games/1-1.mafia": maxRecord} {
		file := bomb(t, name, limit+1)
		began := testing.AllocsPerRun(1, func() {
			b, err := ReadBackup(bytes.NewReader(file), int64(len(file)))
			if err == nil || !strings.Contains(err.Error(), fmt.Sprint("expected ", limit, " at the most")) {
				t.Fatal(b, err)
			}
		})
		if began > 10_000 {
			t.Error(name, began, "allocations")
		}
	}
	// One that says that it is small.
	file := bomb(t, "games/1-1.mafia", maxRecord+1)
	at := bytes.LastIndex(file, []byte("PK\x01\x02"))
	at = bytes.LastIndex(file[:at], []byte("PK\x01\x02")) + 24
	copy(file[at:], []byte{1, 0, 0, 0})
	b, err := ReadBackup(bytes.NewReader(file), int64(len(file)))
	var damaged *DamagedError
	if !errors.As(err, &damaged) || len(b.Games()) != 0 {
		t.Fatal(err)
	}
}

// BenchmarkBackup is of a thousand finished games of 150 acts, and of bringing them back.
func BenchmarkBackup(b *testing.B) {
	s := Memory()
	for n := 1; n <= 1000; n++ {
		commit(b, s, Change{Table: "1", Game: n, Head: []byte(head), Acts: benchActs(n), Over: true})
	}
	var file []byte
	b.Run("make", func(b *testing.B) {
		for b.Loop() {
			file = backup(b, s, true)
		}
		b.ReportMetric(float64(len(file)), "bytes")
	})
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			readBackup(b, file)
		}
	})
	b.Run("restore", func(b *testing.B) {
		for b.Loop() {
			restore(b, b.TempDir(), file, false)
		}
	})
}

// benchActs are as long as those of a game, and have keys that are as random.
func benchActs(n int) (all []Act) {
	for no := range 150 {
		at := time.Unix(int64(1777900000+n*3600+no*7), 0).UTC().Format("2006-01-02T15:04:05.0Z07:00")
		all = append(all, Act{
			No: no + 1, Line: fmt.Sprintf("%d vote %d @%s phone", no%11+1, (no*n)%11+1, at),
			Events: []string{fmt.Sprintf("all voted %d %d", no%11+1, (no*n)%11+1), fmt.Sprintf("all owed %d", no*n%11)},
			Key:    fmt.Sprintf("%x", []byte(at))[:32] + fmt.Sprintf("-%016X", uint64(n*1000+no)*0x9E3779B97F4A7C15), Rules: "1",
		})
	}
	return all
}
