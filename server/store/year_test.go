package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// taken is how many bytes of the disk a folder takes.
func taken(t testing.TB, dir string) (bytes int64) {
	t.Helper()
	err := filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err == nil {
			bytes += blocks(info)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return bytes
}

// played are acts as they are in a game: with the device's key, and a few results.
func played(from, to int) (all []Act) {
	for no := from; no <= to; no++ {
		all = append(all, Act{
			No: no, Line: fmt.Sprintf("%d suspect %d @2026-05-04T21:04:03.2Z phone", no%12+1, no%7+1),
			Events: []string{fmt.Sprintf("%d told answered", no%12+1), fmt.Sprintf("all owed %d", no), fmt.Sprintf("host trace %d %d", no%12+1, no%7+1)},
			Key:    fmt.Sprintf("%032x", no), Rules: "1",
		})
	}
	return all
}

// stock gives a store games of 300 acts, and documents of 3,000 bytes.
func stock(t testing.TB, dir string, finished, running int) {
	t.Helper()
	s := open(t, dir)
	doc := []byte(strings.Repeat("d", 3000))
	for i := range finished + running {
		table, n, over := "1", i+1, true
		if i >= finished {
			table, n, over = fmt.Sprint(i-finished+2), 1, false
		}
		commit(t, s, Change{Table: table, Doc: doc, Game: n, Head: []byte(head), Acts: played(1, 300), Over: over})
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// A year of 52 evenings with six games each takes less than 200 MB, with the
// backups that the ring keeps of it.
func TestYear(t *testing.T) {
	if testing.Short() {
		t.Skip("writes a year")
	}
	t.Parallel()
	dir := t.TempDir()
	stock(t, dir, 52*6, 1)
	s := open(t, dir)
	ring := Ring{filepath.Join(dir, "backups")}
	if err := os.Mkdir(ring.Dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for no := range 12 {
		if _, err := ring.Add(s, Made{No: no, Whole: no%2 == 0}); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("Badger %d MB, records %d MB, documents %d kB, backups %d MB",
		taken(t, filepath.Join(dir, inside))>>20, taken(t, s.files.dir)>>20, taken(t, s.files.tables)>>10, taken(t, ring.Dir)>>20)
	if all := taken(t, dir) >> 20; all >= 200 {
		t.Errorf("%d MB", all)
	}
}

// BenchmarkWritten plays games of 300 acts one by one, each third with a
// document, and gives what a game has the disk written, and what it leaves there.
func BenchmarkWritten(b *testing.B) {
	dir := b.TempDir()
	s := open(b, dir)
	doc := []byte(strings.Repeat("d", 3000))
	from := written(b)
	n := 0
	for b.Loop() {
		n++
		commit(b, s, Change{Table: "1", Doc: doc, Game: n, Head: []byte(head)})
		for no := 1; no <= 300; no++ {
			c := Change{Table: "1", Game: n, Acts: played(no, no), Over: no == 300}
			if no%3 == 0 {
				c.Doc = doc
			}
			commit(b, s, c)
		}
	}
	b.ReportMetric(float64(written(b)-from)/float64(n)/1024, "kB-written/game")
	b.ReportMetric(float64(taken(b, s.files.dir))/float64(n)/1024, "kB-record/game")
}

// written is how many bytes this process has had written to disks.
func written(t testing.TB) int64 {
	text, err := os.ReadFile("/proc/self/io")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "\nwrite_bytes:")
	n, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// BenchmarkOpen opens 1,000 finished and 20 running games in a process of its
// own: looked at first by another one, or not, or with Badger gone.
func BenchmarkOpen(b *testing.B) {
	dir := b.TempDir()
	stock(b, dir, 1000, 20)
	b.Logf("%d MB on disk", taken(b, dir)>>20)
	for _, how := range []string{"look", "plain", "rebuild"} {
		b.Run(how, func(b *testing.B) {
			var total, resident float64
			for b.Loop() {
				if how == "rebuild" {
					if err := os.RemoveAll(filepath.Join(dir, inside)); err != nil {
						b.Fatal(err)
					}
				}
				cmd := childOf(b, dir, childOpens+"="+how)
				out, err := cmd.Output()
				var found int
				var ms, mb float64
				if _, e := fmt.Sscan(string(out), &found, &ms, &mb); e != nil || err != nil || how != "rebuild" && found > 0 {
					b.Fatalf("%v %s", err, out)
				}
				total, resident = total+ms, max(resident, mb)
			}
			b.ReportMetric(total/float64(b.N), "ms/open")
			b.ReportMetric(resident, "MB-resident")
			b.ReportMetric(0, "ns/op")
		})
	}
}

const childOpens = "MAFIABOX_STORE_TEST_OPENS"

// opens opens a store and says what was found, how long it took and what it holds.
func opens(dir, how string) error {
	var look []string
	if how == "look" {
		look = []string{os.Args[0], "check-store"}
	}
	start := time.Now()
	s, found, err := Open(dir, nil, look...)
	if err != nil {
		return err
	}
	took := time.Since(start)
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return err
	}
	_, rest, _ := strings.Cut(string(text), "RssAnon:") // pages of files are given back when somebody needs them
	kB, err := strconv.Atoi(strings.Fields(rest)[0])
	fmt.Println(len(found), took.Milliseconds(), kB>>10)
	return errors.Join(err, s.Close())
}

// blocks is what a file takes of the disk, in bytes.
func blocks(info fs.FileInfo) int64 {
	return info.Sys().(*syscall.Stat_t).Blocks * 512
}
