package store

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func ringNames(t testing.TB, r Ring) (names []string) {
	t.Helper()
	all, err := r.List()
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range all {
		names = append(names, filepath.Base(k.Path))
	}
	return names
}

// wantGood fails unless every backup in the ring is whole.
func wantGood(t testing.TB, r Ring) int {
	t.Helper()
	all, err := r.List()
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range all {
		b, err := OpenBackup(k.Path)
		if err != nil {
			t.Fatal(k.Path, err)
		}
		if b.No != k.No || b.Whole != (k.Kind == "whole") {
			t.Fatalf("%s says %+v", k.Path, b.Made)
		}
		if info, err := os.Stat(k.Path); err != nil || info.Mode() != 0o600 {
			t.Fatal(info.Mode(), err)
		}
		b.Close()
	}
	return len(all)
}

func TestRing(t *testing.T) {
	r, s := Ring{t.TempDir()}, example(t)
	for _, name := range []string{"mafiabox-x-whole.zip", "mafiabox-000900-large.zip", "holiday.zip", "mafiabox-000900-whole.zip.part"} {
		if err := os.WriteFile(filepath.Join(r.Dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for no := 1; no <= 30; no++ {
		c, err := r.Add(s, Made{Whole: no%3 == 0})
		if err != nil || c.No != no {
			t.Fatal(c.No, err)
		}
		wantGood(t, r)
	}
	want := []string{"30-whole", "29-small", "28-small", "27-whole", "26-small", "25-small", "24-whole", "23-small", "22-small", "21-whole"}
	for i, w := range want {
		want[i] = "mafiabox-0000" + w + ".zip"
	}
	if got := ringNames(t, r); !slices.Equal(got, want) {
		t.Fatal(got)
	}
	if c, err := r.Add(s, Made{No: 41}); err != nil || c.No != 42 {
		t.Fatal(c.No, err)
	}
	if list, _ := os.ReadDir(r.Dir); len(list) != 10+4 {
		t.Fatal("other files were touched, or ours are left:", list)
	}
}

// What a store with a broken game has left must not push out better backups.
func TestRingKeepsWholeOnes(t *testing.T) {
	r, s := Ring{t.TempDir()}, example(t).(*store)
	for range 5 {
		if _, err := r.Add(s, Made{Whole: true}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.book.write([]pair{{actKey("1", 1, 20), nil}}); err != nil {
		t.Fatal(err)
	}
	for range 9 {
		if _, err := r.Add(s, Made{Whole: true}); err != nil {
			t.Fatal(err)
		}
	}
	if got := strings.Join(ringNames(t, r), " "); strings.Count(got, "whole") != 4 || strings.Count(got, "broken") != 2 {
		t.Fatal(got)
	}
}

// halfway is a store whose backup ends in the middle, as on a card that takes no more.
type halfway struct{ Store }

func (f halfway) Backup(w io.Writer, made Made) (Contents, error) {
	var b bytes.Buffer
	c, err := f.Store.Backup(&b, made)
	w.Write(b.Bytes()[:b.Len()/2])
	return c, errors.Join(err, errTest)
}

// A backup that fails leaves the ring as it was; so does what a pulled plug has
// left, at each step.
func TestRingSteps(t *testing.T) {
	r, s := Ring{t.TempDir()}, example(t)
	for range 4 {
		if _, err := r.Add(s, Made{Whole: true}); err != nil {
			t.Fatal(err)
		}
	}
	before := ringNames(t, r)
	if _, err := r.Add(halfway{s}, Made{Whole: true}); !errors.Is(err, errTest) {
		t.Fatal(err)
	}
	if after := ringNames(t, r); !slices.Equal(before, after) {
		t.Fatal(after)
	}
	if list, _ := os.ReadDir(r.Dir); len(list) != 4 {
		t.Fatal("half a backup is left:", list)
	}
	// The plug was pulled in the middle of writing.
	half := filepath.Join(r.Dir, "mafiabox-000005"+unfinished)
	if err := os.WriteFile(half, backup(t, s, true)[:100], 0o600); err != nil {
		t.Fatal(err)
	}
	if n := wantGood(t, r); n != 4 {
		t.Fatal(n)
	}
	// It was pulled after the new one had its name, and before the oldest was removed.
	if err := os.WriteFile(half, backup(t, s, true)[:100], 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(r.Dir, "mafiabox-000009-whole.zip"), backup(t, s, true), 0o600); err != nil {
		t.Fatal(err)
	}
	if c, err := r.Add(s, Made{Whole: true}); err != nil || c.No != 10 {
		t.Fatal(c.No, err)
	}
	if list, _ := os.ReadDir(r.Dir); len(list) != 4 {
		t.Fatal(list)
	}
	// No room is an error before anything is written.
	defer func(was uint64) { minFree = was }(minFree)
	minFree = 1 << 60
	if _, err := r.Add(s, Made{}); !errors.Is(err, ErrFull) {
		t.Fatal(err)
	}
}

const ringChild = "MAFIABOX_RING_TEST_DIR"

// TestRingKill kills a process that makes backups, at any moment: from the
// fourth on there are never fewer than four whole ones, all of them good.
func TestRingKill(t *testing.T) {
	if dir := os.Getenv(ringChild); dir != "" {
		for s := example(t); ; {
			if _, err := (Ring{dir}).Add(s, Made{Whole: true}); err != nil {
				t.Fatal(err)
			}
		}
	}
	r := Ring{t.TempDir()}
	for range 4 {
		if _, err := r.Add(example(t), Made{Whole: true}); err != nil {
			t.Fatal(err)
		}
	}
	for round := range 12 {
		self := append(itself(t), "-test.run=^TestRingKill$")
		cmd := exec.Command(self[0], self[1:]...)
		cmd.Env = append(os.Environ(), ringChild+"="+r.Dir)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(20+rand.IntN(100)) * time.Millisecond)
		cmd.Process.Kill()
		cmd.Wait()
		if n := wantGood(t, r); n < 4 || n > 5 {
			t.Fatal("round", round, ":", n, ringNames(t, r))
		}
	}
	if last := ringNames(t, r)[0]; last < "mafiabox-000020" {
		t.Fatal("too few backups to show anything:", last)
	}
}

func TestSaveBackup(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine.zip")
	if _, err := SaveBackup(example(t), Made{Whole: true}, path); err != nil {
		t.Fatal(err)
	}
	if _, err := SaveBackup(example(t), Made{Whole: true}, path); !errors.Is(err, fs.ErrExist) {
		t.Fatal(err)
	}
	b, err := OpenBackup(path)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	wantSame(t, example(t), b)
	if _, err := OpenBackup(path + "x"); !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	for _, file := range []string{"", "no zip at all", fmt.Sprint(b.Docs)} {
		if _, err := ReadBackup(strings.NewReader(file), int64(len(file))); !errors.Is(err, ErrNoBackup) {
			t.Fatal(err)
		}
	}
}
