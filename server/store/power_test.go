package store

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// childUnsynced names what a child does not wait for: inside, games or tables.
const childUnsynced = "MAFIABOX_STORE_TEST_UNSYNCED"

// unsynced is the store as it would be if it did not wait for that part of it to
// come to the disk.
func unsynced(dir, part string) (Store, error) {
	for _, part := range []string{"", inside, "games", "tables"} {
		if err := Folder(filepath.Join(dir, part)); err != nil {
			return nil, err
		}
	}
	db, err := openBadger(tuned(filepath.Join(dir, inside), nil).WithSyncWrites(part != inside).WithLogger(nil))
	if err != nil {
		return nil, err
	}
	sync := func(f *os.File) error {
		if filepath.Dir(f.Name()) == filepath.Join(dir, part) {
			return nil
		}
		return syncData(f)
	}
	files := &files{dir: filepath.Join(dir, "games"), tables: filepath.Join(dir, "tables"), sync: sync}
	return &store{book: &disk{db: db, ballast: newBallast(dir, slog.New(slog.DiscardHandler))}, files: files, tails: map[string]tail{}}, nil
}

// counts is how many acts and documents that were acknowledged were there, and
// how many were not: with both copies, and in either alone.
type counts struct{ there, lost map[string]int }

// cuts pulls the plug so many times: a store is written to on a file system in
// an image file; the writer is stopped and the image copied, which is what a
// disk holds at that moment, without what the kernel has yet to write; the copy
// is mounted and the store there opened. As either copy hides what the other has
// lost, each is opened alone as well.
func cuts(t *testing.T, times int, without string) counts {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root mounts")
	}
	all := counts{map[string]int{}, map[string]int{}}
	dir := t.TempDir()
	image := filepath.Join(dir, "0.img")
	run(t, "truncate", "--size=300M", image)
	run(t, "mkfs.ext4", "-q", "-F", image)
	for round := range times {
		disk := mount(t, image)
		cmd := childOf(t, filepath.Join(disk, "data"), childUnsynced+"="+without)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		after := filepath.Join(dir, fmt.Sprint(round+1, ".img"))
		cut := make(chan error, 1)
		time.AfterFunc(time.Duration(300+rand.IntN(500))*time.Millisecond, func() {
			err := cmd.Process.Signal(syscall.SIGSTOP)
			text, wrong := exec.Command("cp", "--sparse=always", image, after).CombinedOutput()
			if wrong != nil {
				err = errors.Join(err, fmt.Errorf("%w: %s", wrong, text))
			}
			cut <- errors.Join(err, cmd.Process.Kill())
		})
		acknowledged := acknowledgements(t, out)
		cmd.Wait()
		if err := <-cut; err != nil {
			t.Fatal(err)
		}
		unmount(t, disk)
		if err := os.Remove(image); err != nil {
			t.Fatal(err)
		}
		image = after

		disk = mount(t, image)
		data := filepath.Join(disk, "data")
		alone := map[string]string{"Badger": t.TempDir(), "the files": t.TempDir()}
		for _, part := range storeParts {
			whose := "the files"
			if part == inside {
				whose = "Badger"
			}
			if err := os.CopyFS(filepath.Join(alone[whose], part), os.DirFS(filepath.Join(data, part))); err != nil {
				t.Fatal(err)
			}
		}
		for copy, dir := range alone {
			s, _ := mended(t, dir)
			all.add(s, copy, acknowledged)
			s.Close()
		}
		s, found := mended(t, data, looker(t)...)
		all.add(s, "both", acknowledged)
		for _, f := range found {
			if f.What != Mended && without == "" {
				t.Error(f)
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		unmount(t, disk)
	}
	return all
}

// add looks for what was acknowledged.
func (c counts) add(s *store, copy string, acknowledged map[GameID]said) {
	docs, _ := s.Tables()
	for id, is := range acknowledged {
		g, _ := s.Game(id.Table, id.N)
		c.there[copy] += min(is.act, len(g.Acts))
		c.lost[copy] += max(0, is.act-len(g.Acts))
		if doc, _ := strconv.Atoi(string(docs[id.Table])); doc < is.doc {
			c.lost[copy+", documents"]++
		}
	}
}

func run(t *testing.T, name string, args ...string) {
	t.Helper()
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
}

func mount(t *testing.T, image string) string {
	t.Helper()
	disk := t.TempDir()
	run(t, "mount", "-o", "loop", image, disk)
	t.Cleanup(func() { syscall.Unmount(disk, syscall.MNT_DETACH) })
	return disk
}

func unmount(t *testing.T, disk string) {
	t.Helper()
	for range 50 { // a killed writer may take a moment
		if syscall.Unmount(disk, 0) == nil {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	run(t, "umount", disk)
}

// said is what a child says of a game: its last act, and the number that is its
// table's document.
type said struct{ act, doc int }

// acknowledgements reads what a child says to its end.
func acknowledgements(t *testing.T, out io.Reader) map[GameID]said {
	all := map[GameID]said{}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		var id GameID
		var is said
		if _, err := fmt.Sscan(lines.Text(), &id.Table, &id.N, &is.act, &is.doc); err != nil {
			t.Error(lines.Text())
			continue
		}
		all[id] = is
	}
	return all
}

// TestPowerCut pulls the plug, and the same without each of the syncs, which must
// lose in that copy, and in that alone. The folders' syncs can't be missed here:
// ext4 brings the name of a new file to the disk with the file.
func TestPowerCut(t *testing.T) {
	if testing.Short() {
		t.Skip("mounts and kills for seconds")
	}
	times, without := 2, 1
	if os.Getenv("MAFIABOX_LONG") != "" {
		times, without = 50, 3
	}
	is := cuts(t, times, "")
	t.Logf("%d cuts: there %v, lost %v", times, is.there, is.lost)
	for copy, lost := range is.lost {
		if lost > 0 {
			t.Errorf("%d acknowledged ones are lost in %s", lost, copy)
		}
	}
	if is.there["both"] < 100*times {
		t.Error("there were too few")
	}
	for part, where := range map[string]string{inside: "Badger", "games": "the files", "tables": "the files, documents"} {
		is := cuts(t, without, part)
		t.Logf("%d cuts without the syncs of %s: there %v, lost %v", without, part, is.there, is.lost)
		if is.lost[where] == 0 {
			t.Errorf("nothing was lost in %s: the test shows nothing", where)
		}
		if is.lost["both"]+is.lost["both, documents"] > 0 {
			t.Error("the other copy had it")
		}
	}
}
