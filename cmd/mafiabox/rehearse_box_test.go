package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mafiabox/mafiabox/server/store"
)

// TestRehearsalEnds: however a rehearsal ends, its box ends too, and its folder
// goes: at once, or at the next start when it was killed. A folder that somebody
// uses stays.
func TestRehearsalEnds(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		signal syscall.Signal
		reads  bool // somebody reads what it says until then
	}{
		"hung up":                       {syscall.SIGHUP, true},
		"told to end, and nobody reads": {syscall.SIGTERM, false},
		"killed":                        {syscall.SIGKILL, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			cmd := exec.Command(program, "rehearse", "--dir", dir)
			read, write, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			cmd.Stdout, cmd.Stderr = write, write
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			write.Close()
			defer read.Close()
			box := func(inside string) string {
				all, _ := filepath.Glob(filepath.Join(dir, ownDir+"*", ownData, inside))
				return strings.Join(all, " ")
			}
			eventually(t, "a game is on", func() bool { return box("games/*.mafia") != "" })
			data := box("")
			if !c.reads {
				read.Close()
			}
			cmd.Process.Signal(c.signal)
			cmd.Wait()
			if c.signal == syscall.SIGKILL {
				eventually(t, "its box ends", func() bool {
					unlock, err := store.Lock(data)
					if err == nil {
						unlock()
					}
					return err == nil
				})
				used := filepath.Join(dir, ownDir+"used")
				if err := os.MkdirAll(filepath.Join(used, ownData), 0o700); err != nil {
					t.Fatal(err)
				}
				unlock, err := store.Lock(filepath.Join(used, ownData))
				if err != nil {
					t.Fatal(err)
				}
				sweepOwn(dir)
				if _, err := os.Stat(used); err != nil {
					t.Error("a folder in use is swept:", err)
				}
				unlock()
				sweepOwn(dir)
			} else if code := cmd.ProcessState.ExitCode(); code != 1 {
				t.Errorf("exit code %d", code)
			}
			if left, _ := os.ReadDir(dir); len(left) > 0 {
				t.Error("left behind:", left)
			}
		})
	}
}

// TestHangUp: a box whose terminal is gone ends in order; under nohup it stays.
func TestHangUp(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.cmd.Process.Signal(syscall.SIGHUP)
	b.cmd.Wait()
	if code := b.cmd.ProcessState.ExitCode(); code != 0 {
		t.Error("exit code", code)
	}
	stays := &box{t: t, dir: t.TempDir(), addr: "127.0.0.1:0"}
	stays.serve(exec.Command("nohup", program, "serve", "--listen", stays.addr, "--data", stays.dir, "--panel", "off"))
	t.Cleanup(stays.kill)
	stays.cmd.Process.Signal(syscall.SIGHUP)
	time.Sleep(300 * time.Millisecond)
	stays.client().get("/")
}
