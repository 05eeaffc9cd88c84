package store

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// Badger is first opened by another process, and on a copy. A rotten one may
// panic in a goroutine of its own or end its process with SIGBUS, which nobody
// can catch; and it deletes what it can't make sense of, so that a second look
// finds less than the first.

// checkWithin is how long such a look may take: 1,000 games take half a second
// on an amd64 core, and a Pi Zero is twenty times as slow. A variable for tests.
var checkWithin = 2 * time.Minute

// lookDir is where the copy lies in the data folder.
const lookDir = "look"

// Check opens Badger in the folder, reads all of it, and says which games are
// not whole: what the other process does. It changes the folder.
func Check(dir string, out io.Writer) error {
	signal.Ignore(syscall.SIGQUIT, syscall.SIGABRT) // or Go ends by them as after a panic, whoever sent them
	o := tuned(dir, slog.New(slog.NewTextHandler(os.Stderr, nil))).
		WithNumCompactors(0). // a table that was merged is cut to nothing, and here it is the true one as well
		WithNumLevelZeroTablesStall(1000)
	db, err := openBadger(o)
	if err != nil {
		return err
	}
	b := &disk{db: db}
	err = b.scan("", func(key string, value func() ([]byte, error)) (string, error) {
		_, err := value()
		return "", err
	})
	if err == nil {
		err = eachGap(b, func(id GameID) { fmt.Fprintln(out, "broken", id.Table, id.N) })
	}
	return errors.Join(err, b.close())
}

// eachGap shows the games that have ended and don't have all of their records.
// That what is there is as it was written, Badger's sums have told by then.
func eachGap(b book, see func(GameID)) error {
	var id GameID
	acts, head := 0, false
	return b.scan("game/", func(key string, value func() ([]byte, error)) (string, error) {
		table, n, ok := splitGame(key)
		if !ok {
			return "", fmt.Errorf("store: strange key %q", key)
		}
		if now := (GameID{table, n}); now != id {
			id, acts, head = now, 0, false
		}
		switch key {
		case headKey(table, n):
			head = true
		case actKey(table, n, acts+1):
			acts++
		case overKey(table, n):
			v, err := value()
			var r record
			if err == nil && (len(v) <= sumLen || json.Unmarshal(v[sumLen:], &r) != nil || !head || r.Acts != acts) {
				see(id)
			}
			return "", err
		default:
			acts = -most // a number is missing
		}
		return "", nil
	})
}

// errStopped says that the look was ended from outside, as a stop ends it.
var errStopped = errors.New("the look at Badger was stopped")

// check has another process look at a copy of Badger. The error says why it is
// not to be opened; machine says that this could not be found out, and is
// errStopped where nobody wants to know any more.
func check(ctx context.Context, dir, inside string, command []string) (broken map[GameID]bool, rotten, machine error) {
	look := filepath.Join(dir, lookDir)
	if err := os.RemoveAll(look); err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(look)
	if err := copyFolder(inside, look); err != nil {
		return nil, nil, err
	}
	within, cancel := context.WithTimeout(ctx, checkWithin)
	defer cancel()
	var out, wrong bytes.Buffer
	cmd := exec.CommandContext(within, command[0], append(command[1:len(command):len(command)], look)...)
	cmd.Stdout, cmd.Stderr = &out, &end{to: &wrong}
	// What a terminal tells a group is this process's to hear, and nobody looks on when it has ended.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	runtime.LockOSThread() // it is the thread's end that counts
	defer runtime.UnlockOSThread()
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return nil, nil, fmt.Errorf("%w: %w", errStopped, ctx.Err())
	case within.Err() != nil: // the card is that slow
		return nil, nil, fmt.Errorf("not read after %v", checkWithin)
	case errors.As(err, &exit):
		end := exit.Sys().(syscall.WaitStatus)
		if end.Signaled() && end.Signal() == syscall.SIGKILL { // by a system without memory
			return nil, nil, err
		}
		if end.Signaled() && !crashes[end.Signal()] {
			return nil, nil, fmt.Errorf("%w: %w", errStopped, err)
		}
		return nil, fmt.Errorf("%w: %s", err, strings.TrimSpace(wrong.String())), nil
	case err != nil: // it never began
		return nil, nil, err
	}
	broken = map[GameID]bool{}
	for lines := bufio.NewScanner(&out); lines.Scan(); {
		var id GameID
		if _, err := fmt.Sscanf(lines.Text(), "broken %s %d", &id.Table, &id.N); err == nil {
			broken[id] = true
		}
	}
	return broken, nil, nil
}

// crashes are the signals by which a process ends for what it does itself. Of
// most of them Go makes an exit with the status of a panic. Any other comes from
// outside and says nothing of Badger: systemd sends its own to all of a service.
var crashes = map[syscall.Signal]bool{
	syscall.SIGBUS: true, syscall.SIGSEGV: true, syscall.SIGABRT: true, syscall.SIGILL: true, syscall.SIGFPE: true, syscall.SIGTRAP: true,
}

// end keeps the first of what is written: a panic begins with its reason.
type end struct{ to *bytes.Buffer }

func (e *end) Write(p []byte) (int, error) {
	e.to.Write(p[:min(len(p), max(0, 4096-e.to.Len()))])
	return len(p), nil
}

// copyFolder copies a folder of files. Zeros are left out: Badger's logs are
// mostly that. Tables never change, so a second name for them does; see Check.
func copyFolder(from, to string) error {
	if err := os.Mkdir(to, 0o700); err != nil {
		return err
	}
	list, err := os.ReadDir(from)
	for _, e := range list {
		if err != nil {
			return err
		}
		a, b := filepath.Join(from, e.Name()), filepath.Join(to, e.Name())
		if filepath.Ext(e.Name()) == ".sst" && os.Link(a, b) == nil || !e.Type().IsRegular() {
			continue
		}
		err = copyFile(a, b)
	}
	return err
}

func copyFile(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	block, zeros := make([]byte, 64<<10), make([]byte, 64<<10)
	for at := int64(0); ; {
		n, err := io.ReadFull(in, block)
		if n > 0 && !bytes.Equal(block[:n], zeros[:n]) {
			if _, err := out.WriteAt(block[:n], at); err != nil {
				return err
			}
		}
		at += int64(n)
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return out.Truncate(at)
		case err != nil:
			return err
		}
	}
}

// setBadgerAside moves Badger to dir/aside, under the date and with the reason,
// and leaves an empty folder. Nothing there is ever deleted by the box.
func setBadgerAside(dir string, reason error) (*rebuild, error) {
	aside, err := newAside(dir, inside)
	if err != nil {
		return nil, err
	}
	text := fmt.Sprintf("%s\n%v\n", time.Now().Format(time.RFC3339), reason)
	if err := os.WriteFile(filepath.Join(aside, "reason.txt"), []byte(text), 0o600); err != nil {
		return nil, err
	}
	r := &rebuild{Aside: filepath.Join(asideDir, filepath.Base(aside)), Reason: firstLine(reason.Error())}
	if err := r.note(dir); err != nil {
		return nil, err
	}
	if err := os.Rename(filepath.Join(dir, inside), filepath.Join(aside, inside)); err != nil {
		return nil, err
	}
	return r, errors.Join(syncDir(aside), syncDir(dir), Folder(filepath.Join(dir, inside)))
}

// SetAside keeps texts in a folder of their own in dir/aside, which it gives.
func SetAside(dir, why string, texts map[string][]byte) (aside string, err error) {
	if aside, err = newAside(dir, why); err != nil {
		return "", err
	}
	for name, text := range texts {
		err = errors.Join(err, replaceFile(filepath.Join(aside, name), text))
	}
	return aside, err
}

// Aside is how many bytes lie in a data folder's aside, and beside its record files.
func Aside(dir string) (bytes int64) {
	for _, part := range []string{asideDir, "games", "tables"} {
		filepath.WalkDir(filepath.Join(dir, part), func(path string, e fs.DirEntry, err error) error {
			ext := filepath.Ext(path)
			if err != nil || e.IsDir() || part == "games" && ext == ".mafia" || part == "tables" && (ext == ".doc" || ext == ".json") {
				return nil
			}
			if info, err := e.Info(); err == nil {
				bytes += info.Size()
			}
			return nil
		})
	}
	return bytes
}
