package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// lookedAt is a data folder with three games, and what is in it.
func lookedAt(t *testing.T) (dir string, untouched func()) {
	dir = t.TempDir()
	s := open(t, dir)
	threeGames(t, s)
	s.Close()
	before, err := os.Stat(filepath.Join(dir, inside))
	if err != nil {
		t.Fatal(err)
	}
	return dir, func() {
		t.Helper()
		if now, err := os.Stat(filepath.Join(dir, inside)); err != nil || !os.SameFile(before, now) {
			t.Error("Badger is not where it was:", err)
		}
		for _, name := range []string{asideDir, lookDir} {
			if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
				t.Error("there is", name)
			}
		}
	}
}

// TestLookKilled: a system without memory kills the process that looks at Badger,
// and a card may be too slow for it, which says nothing of Badger: it is opened
// as it is, and nothing set aside.
func TestLookKilled(t *testing.T) {
	defer func(was time.Duration) { checkWithin = was }(checkWithin)
	checkWithin = 500 * time.Millisecond
	for _, look := range []string{"kill -KILL $$", "exec sleep 60"} {
		dir, untouched := lookedAt(t)
		s, found := mended(t, dir, "sh", "-c", look)
		if len(found) > 0 {
			t.Error(look, found)
		}
		untouched()
		wantGame(t, s, "a", 2, 3)
	}
}

// TestLookFails: what a process does to itself is Badger's fault. Go makes of
// most such signals an end with the status 2.
func TestLookFails(t *testing.T) {
	for _, look := range []string{"exit 1", "exit 2", "kill -BUS $$", "kill -SEGV $$", "kill -ABRT $$"} {
		dir, _ := lookedAt(t)
		if _, found := mended(t, dir, "sh", "-c", look); len(found) == 0 || found[0].What != Rebuilt {
			t.Error(look, "sets nothing aside:", found)
		}
	}
}

// TestLookStopped: systemd sends its signal to every process of a service, so
// that one may come to the look first. Then nothing is opened, and everything
// stays where it is.
func TestLookStopped(t *testing.T) {
	for _, signal := range []string{"TERM", "INT", "HUP", "USR1"} {
		dir, untouched := lookedAt(t)
		if _, _, err := Open(dir, nil, "sh", "-c", "kill -"+signal+" $$"); !errors.Is(err, errStopped) {
			t.Errorf("%s: %v", signal, err)
		}
		untouched()
		s, found := mended(t, dir, looker(t)...)
		if len(found) > 0 {
			t.Error(signal, found)
		}
		wantGame(t, s, "a", 2, 3)
	}
	// One that came before this process has told the look, and one that nobody sent it.
	dir, untouched := lookedAt(t)
	ctx, stop := context.WithCancel(t.Context())
	time.AfterFunc(100*time.Millisecond, stop)
	for range 2 {
		if _, _, err := OpenContext(ctx, dir, nil, "sh", "-c", "exec sleep 60"); !errors.Is(err, errStopped) || !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		untouched()
	}
}

// TestLookApart: a terminal tells a whole group that somebody wants to stop, and
// the look is in another one.
func TestLookApart(t *testing.T) {
	dir, _ := lookedAt(t)
	file := filepath.Join(t.TempDir(), "group")
	mended(t, dir, "sh", "-c", "cut -d ' ' -f 1,5 /proc/$$/stat >"+file)
	text, err := os.ReadFile(file)
	own, group, ok := strings.Cut(strings.TrimSpace(string(text)), " ")
	if err != nil || !ok || own != group {
		t.Errorf("process %s is in group %s %v", own, group, err)
	}
}
