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
	"syscall"
	"testing"
	"time"
)

const childUnsynced = "MAFIABOX_STORE_TEST_UNSYNCED"

// unsynced is the store as it would be if it did not wait for the disk.
func unsynced(dir string) (Store, error) {
	for _, part := range []string{"", inside, "games", "tables"} {
		if err := Folder(filepath.Join(dir, part)); err != nil {
			return nil, err
		}
	}
	db, err := openBadger(tuned(filepath.Join(dir, inside), nil).WithSyncWrites(false).WithLogger(nil))
	if err != nil {
		return nil, err
	}
	files := &files{dir: filepath.Join(dir, "games"), tables: filepath.Join(dir, "tables"), sync: func(*os.File) error { return nil }}
	return &store{book: &disk{db: db, ballast: newBallast(dir, slog.New(slog.DiscardHandler))}, files: files, tails: map[string]tail{}}, nil
}

// cuts pulls the plug so many times: a store is written to on a file system in
// an image file; the writer is stopped and the image copied, which is what a
// disk holds at that moment, without what the kernel has yet to write; the copy
// is mounted and the store there opened. It gives how many of the acts that were
// acknowledged were there, and how many were not.
func cuts(t *testing.T, times int, env string) (there, lost int) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root mounts")
	}
	dir := t.TempDir()
	image := filepath.Join(dir, "0.img")
	run(t, "truncate", "--size=300M", image)
	run(t, "mkfs.ext4", "-q", "-F", image)
	for round := range times {
		disk := mount(t, image)
		cmd := childOf(t, filepath.Join(disk, "data"), env)
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
		s, found, err := Open(filepath.Join(disk, "data"), nil, looker(t)...)
		if err != nil {
			t.Fatal(err)
		}
		for id, no := range acknowledged {
			g, _ := s.Game(id.Table, id.N)
			there += min(no, len(g.Acts))
			lost += max(0, no-len(g.Acts))
			if docs, _ := s.Tables(); len(docs[id.Table]) == 0 {
				lost++
			}
		}
		for _, f := range found {
			if f.What != Mended && env == "" {
				t.Error(f)
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		unmount(t, disk)
	}
	return there, lost
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

// acknowledgements reads what a child says to its end: the last act of each game.
func acknowledgements(t *testing.T, out io.Reader) map[GameID]int {
	all := map[GameID]int{}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		var id GameID
		var no int
		if _, err := fmt.Sscan(lines.Text(), &id.Table, &id.N, &no); err != nil {
			t.Error(lines.Text())
			continue
		}
		all[id] = no
	}
	return all
}

// TestPowerCut pulls the plug, and the same without syncs, which must lose.
func TestPowerCut(t *testing.T) {
	if testing.Short() {
		t.Skip("mounts and kills for seconds")
	}
	times, without := 3, 2
	if os.Getenv("MAFIABOX_LONG") != "" {
		times, without = 50, 5
	}
	there, lost := cuts(t, times, "")
	t.Logf("%d cuts: %d acts acknowledged and there, %d lost", times, there, lost)
	if lost > 0 || there < 100*times {
		t.Error("acknowledged acts are lost, or there were too few")
	}
	there, lost = cuts(t, without, childUnsynced+"=1")
	t.Logf("%d cuts without syncs: %d there, %d lost", without, there, lost)
	if lost == 0 {
		t.Error("nothing was lost: the test shows nothing")
	}
}
