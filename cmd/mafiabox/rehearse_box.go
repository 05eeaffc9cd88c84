package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/mafiabox/mafiabox/server"
	"github.com/mafiabox/mafiabox/server/store"
)

// ownBox is a box that is started for a rehearsal alone: this program once more,
// on a folder that goes with it.
type ownBox struct {
	cmd        *exec.Cmd
	dir        string
	unlock     func() error
	url, owner string
}

const ownStarts = 60 * time.Second // until then it serves; a Pi Zero takes its time

func startOwn(ctx context.Context, in string) (*ownBox, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	sweepOwn(in)
	dir, err := os.MkdirTemp(in, ownDir)
	if err != nil {
		return nil, err
	}
	unlock, err := store.Lock(dir) // for sweepOwn; the box locks what is inside
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	b := &ownBox{dir: dir, unlock: unlock, owner: server.Draw("ABCDEFGHJKLMNPRSTUVWXYZ", 8)}
	b.cmd = exec.Command(program, "serve", "--listen", "127.0.0.1:0", "--data", filepath.Join(dir, ownData), "--panel", "off", "--owner-code", b.owner)
	b.cmd.Env = slices.DeleteFunc(os.Environ(), func(set string) bool { return strings.HasPrefix(set, "MAFIABOX_") })
	// Ctrl-C is for the rehearsal alone, which then ends it; killed, it takes the box along.
	b.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
	log := &lastLines{}
	b.cmd.Stderr = log
	out, err := b.cmd.StdoutPipe()
	if err == nil {
		err = b.cmd.Start()
	}
	if err != nil {
		return nil, errors.Join(err, b.drop())
	}
	ready := make(chan string, 1)
	go func() {
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if url, ok := strings.CutPrefix(lines.Text(), "ready: "); ok && len(ready) == 0 {
				ready <- url
			}
		}
		close(ready)
		io.Copy(io.Discard, out)
	}()
	select {
	case url, ok := <-ready:
		if ok {
			b.url = url
			return b, nil
		}
	case <-time.After(ownStarts):
	case <-ctx.Done():
		b.stop()
		return nil, errors.New("the rehearsal was broken off")
	}
	b.stop()
	return nil, fmt.Errorf("the box for the rehearsal does not start:\n%s", log)
}

// stop ends the box, and drops its folder.
func (b *ownBox) stop() {
	b.cmd.Process.Signal(syscall.SIGTERM)
	kill := time.AfterFunc(15*time.Second, func() { b.cmd.Process.Kill() })
	defer kill.Stop()
	b.cmd.Wait()
	if err := b.drop(); err != nil {
		fmt.Fprintf(os.Stderr, "mafiabox: the rehearsal's folder stays: %v\n", err)
	}
}

func (b *ownBox) drop() error { return errors.Join(os.RemoveAll(b.dir), b.unlock()) }

const (
	ownDir  = "mafiabox-rehearsal-" // begins the name of a rehearsal's folder
	ownData = "data"                // its box's, inside
)

// sweepOwn drops the folders of rehearsals that were killed: those of this user
// that neither a rehearsal nor a box uses.
func sweepOwn(in string) {
	if in == "" {
		in = os.TempDir()
	}
	all, err := os.ReadDir(in)
	if err != nil {
		return // what is made there next says so
	}
	for _, e := range all {
		info, err := e.Info() // of a link, the link's own
		if err != nil || !info.IsDir() || !strings.HasPrefix(e.Name(), ownDir) {
			continue
		}
		if of, ok := info.Sys().(*syscall.Stat_t); !ok || int(of.Uid) != os.Geteuid() {
			continue
		}
		dir := filepath.Join(in, e.Name())
		unlock, err := store.Lock(dir)
		if err != nil {
			continue
		}
		inside, err := store.Lock(filepath.Join(dir, ownData))
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			os.RemoveAll(dir)
		}
		if err == nil {
			inside()
		}
		unlock()
	}
}

// lastLines keeps the end of what is written to it.
type lastLines struct{ text []byte }

func (l *lastLines) Write(p []byte) (int, error) {
	l.text = append(l.text, p...)
	l.text = l.text[max(0, len(l.text)-4<<10):]
	return len(p), nil
}

func (l *lastLines) String() string { return string(l.text) }
