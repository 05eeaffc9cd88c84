package store

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// BenchmarkCommit commits acts one by one, every second with a table's document,
// and, in turns with it, appends the same lines to a bare file and syncs that:
// what no store can be faster than. The ratio was 2.3 on ext4 with two amd64
// cores, about 1.5 of it Badger's alone: files that are synced side by side
// share one journal. A document, whose copy is synced as well, makes it 2.6.
func BenchmarkCommit(b *testing.B) {
	dir := b.TempDir()
	s := open(b, dir)
	commit(b, s, Change{Table: "a", Game: 1, Head: []byte(head)})
	bare, err := os.OpenFile(filepath.Join(dir, "bare"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		b.Fatal(err)
	}
	defer bare.Close()
	var stored, withDoc, appended time.Duration
	doc := bytes.Repeat([]byte("d"), 3000)
	for no := 1; b.Loop(); no += 2 {
		start := time.Now()
		commit(b, s, Change{Table: "a", Game: 1, Acts: acts(no, no)})
		between := time.Now()
		commit(b, s, Change{Table: "a", Game: 1, Acts: acts(no+1, no+1), Doc: doc})
		after := time.Now()
		if _, err := bare.Write(appendActs(nil, acts(no, no))); err != nil {
			b.Fatal(err)
		}
		if err := bare.Sync(); err != nil {
			b.Fatal(err)
		}
		stored, withDoc, appended = stored+between.Sub(start), withDoc+after.Sub(between), appended+time.Since(after)
	}
	b.ReportMetric(float64(stored.Microseconds())/float64(b.N), "µs/commit")
	b.ReportMetric(float64(withDoc.Microseconds())/float64(b.N), "µs/commit+doc")
	b.ReportMetric(float64(appended.Microseconds())/float64(b.N), "µs/append")
	b.ReportMetric(stored.Seconds()/appended.Seconds(), "ratio")
	b.ReportMetric(withDoc.Seconds()/appended.Seconds(), "ratio+doc")
}
