package store

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// BenchmarkCommit commits acts one by one and, in turns with it, appends the
// same lines to a bare file and syncs that: what no store can be faster than.
// The ratio was 2.0 to 2.2 on ext4 with two amd64 cores, about 1.5 of it
// Badger's alone: two files that are synced side by side share one journal.
func BenchmarkCommit(b *testing.B) {
	dir := b.TempDir()
	s := open(b, dir)
	commit(b, s, Change{Table: "a", Game: 1, Head: []byte(head)})
	bare, err := os.OpenFile(filepath.Join(dir, "bare"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		b.Fatal(err)
	}
	defer bare.Close()
	var stored, appended time.Duration
	for no := 1; b.Loop(); no++ {
		start := time.Now()
		commit(b, s, Change{Table: "a", Game: 1, Acts: acts(no, no)})
		between := time.Now()
		if _, err := bare.Write(appendActs(nil, acts(no, no))); err != nil {
			b.Fatal(err)
		}
		if err := bare.Sync(); err != nil {
			b.Fatal(err)
		}
		stored, appended = stored+between.Sub(start), appended+time.Since(between)
	}
	b.ReportMetric(float64(stored.Microseconds())/float64(b.N), "µs/commit")
	b.ReportMetric(float64(appended.Microseconds())/float64(b.N), "µs/append")
	b.ReportMetric(stored.Seconds()/appended.Seconds(), "ratio")
}
