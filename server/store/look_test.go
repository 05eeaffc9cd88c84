package store

import (
	"os"
	"path/filepath"
	"testing"
)

// TestLookKilled: a system without memory kills the process that looks at Badger,
// which says nothing of Badger: it is opened as it is, and nothing set aside.
func TestLookKilled(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	threeGames(t, s)
	s.Close()
	s, found := mended(t, dir, "sh", "-c", "kill -9 $$")
	if len(found) > 0 {
		t.Error(found)
	}
	if _, err := os.Stat(filepath.Join(dir, asideDir)); err == nil {
		t.Error("it is set aside")
	}
	wantGame(t, s, "a", 2, 3)
	s.Close()
	if _, found = mended(t, dir, "sh", "-c", "exit 1"); len(found) == 0 || found[0].What != Rebuilt {
		t.Error("a look that fails sets nothing aside:", found)
	}
}
