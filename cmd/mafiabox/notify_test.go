package main

import (
	"log/slog"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/mafiabox/mafiabox/engine/rulesets"
	"github.com/mafiabox/mafiabox/server"
	"github.com/mafiabox/mafiabox/server/store"
	"github.com/mafiabox/mafiabox/static"
)

// listen is systemd's end: what it is told, a message each.
func listen(t *testing.T) (path string, told <-chan string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "notify")
	conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	messages := make(chan string, 1000)
	go func() {
		for text := make([]byte, 8<<10); ; {
			n, err := conn.Read(text)
			if err != nil {
				return
			}
			messages <- string(text[:n])
		}
	}()
	return path, messages
}

// hears waits for a message that begins with this.
func hears(t *testing.T, told <-chan string, state string) string {
	t.Helper()
	for deadline := time.After(patience); ; {
		select {
		case text := <-told:
			if strings.HasPrefix(text, state+"\n") {
				return text
			}
		case <-deadline:
			t.Fatalf("systemd never hears %s", state)
		}
	}
}

// TestNotify: systemd hears when the box serves, from then on that it is well,
// with how it is in plain words, and that it stops. So it does of one that has no store.
func TestNotify(t *testing.T) {
	t.Parallel()
	path, told := listen(t)
	b := &box{t: t, dir: t.TempDir(), addr: "127.0.0.1:0", env: []string{"NOTIFY_SOCKET=" + path, "WATCHDOG_USEC=600000"}}
	b.run()
	t.Cleanup(func() { b.kill() })
	hears(t, told, "EXTEND_TIMEOUT_USEC=120000000")
	for _, state := range []string{"READY=1", "WATCHDOG=1", "WATCHDOG=1", "WATCHDOG=1"} {
		if text := hears(t, told, state); !strings.Contains(text, "\nSTATUS=Serving 1 tables, games on: 0.") {
			t.Errorf("%q", text)
		}
	}
	b.cmd.Process.Signal(syscall.SIGTERM)
	hears(t, told, "STOPPING=1")
	if err := b.cmd.Wait(); err != nil {
		t.Error(err)
	}
	// a file is no folder: no store can be there
	dir := filepath.Join(b.dir, "data")
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(dir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	b.waits()
	for _, state := range []string{"READY=1", "WATCHDOG=1", "WATCHDOG=1"} {
		if text := hears(t, told, state); !strings.Contains(text, "\nSTATUS=The store can't be opened") || strings.Count(text, "\n") != 1 {
			t.Errorf("%q", text)
		}
	}
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	b.back(b.client())
	if text := hears(t, told, "WATCHDOG=1"); strings.Count(text, "\n") != 1 {
		t.Errorf("%q", text)
	}
}

// hanging is a store that can be made to give no answer, though no disk is at work.
type hanging struct {
	store.Store
	on atomic.Bool
	in chan struct{}
}

func (h *hanging) Tables() (map[string][]byte, error) {
	if h.on.Load() {
		<-h.in
	}
	return h.Store.Tables()
}

// TestWatchdog: a box that hangs is not said to be well any more, and is when it
// has come to itself; and so is one whose pages don't answer.
func TestWatchdog(t *testing.T) {
	path, told := listen(t)
	t.Setenv("NOTIFY_SOCKET", path)
	t.Setenv("WATCHDOG_USEC", "600000")
	keep := &hanging{Store: store.Memory(), in: make(chan struct{})}
	listener, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	log := slog.New(slog.DiscardHandler)
	b, err := server.Open(server.Config{
		Store: keep, Rulesets: rulesets.All, Files: static.Files, Lang: "en", Trusted: true, Now: time.Now, Log: log,
		Addresses: func() []netip.Addr { return []netip.Addr{netip.MustParseAddr("127.0.0.1")} },
	})
	if err != nil {
		t.Fatal(err)
	}
	first := lend(listener)
	served := make(chan error, 1)
	go func() { served <- b.Serve(first) }()
	go lookAfter(t.Context(), listener.Addr(), func() *server.Box { return b }, log)
	silent := func(why string) {
		t.Helper()
		hears(t, told, "") // that it is not well
		for len(told) > 0 {
			<-told
		}
		for end := time.After(1200 * time.Millisecond); ; {
			select {
			case text := <-told:
				if strings.Contains(text, "WATCHDOG") {
					t.Errorf("%s, and it is said to be well: %q", why, text)
				}
			case <-end:
				return
			}
		}
	}
	hears(t, told, "WATCHDOG=1")
	keep.on.Store(true)
	silent("the store hangs")
	keep.on.Store(false)
	close(keep.in)
	hears(t, told, "WATCHDOG=1")
	first.Close() // who comes now waits
	if err := <-served; err != nil {
		t.Error(err)
	}
	silent("nobody answers")
	go b.Serve(lend(listener))
	hears(t, told, "WATCHDOG=1")
	b.Close()
}
