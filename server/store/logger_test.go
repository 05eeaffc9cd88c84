package store

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
)

// TestLogger: each kind of Badger's warnings is said once a minute, whatever it
// names, and of each its first line.
func TestLogger(t *testing.T) {
	var out bytes.Buffer
	l := newLogger(slog.New(slog.NewTextHandler(&out, nil)))
	for n := range 20 {
		l.Errorf("error flushing memtable to disk: %v, retrying", n)
		l.Warningf("another: %v", "panic: here\n\ngoroutine 1 [running]:\n\tmain.main()")
	}
	if text := out.String(); strings.Count(text, "\n") != 2 || !strings.Contains(text, "disk: 0, retrying") || !strings.Contains(text, "panic: here") || strings.Contains(text, "goroutine") {
		t.Errorf("the log is\n%s", text)
	}
}
