package server

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/server/store"
)

// gate is a real store whose backups wait, or fail.
type gate struct {
	store.Store
	began chan bool // whether it is a whole one
	open  chan error
}

func (g gate) Backup(w io.Writer, made store.Made) (store.Contents, error) {
	g.began <- made.Whole
	if err := <-g.open; err != nil {
		return store.Contents{}, err
	}
	return g.Store.Backup(w, made)
}

func guarded(t *testing.T) (*Box, gate, string) {
	t.Helper()
	g := gate{store.Memory(), make(chan bool, 9), make(chan error)}
	dir := t.TempDir()
	config := openConfig()
	config.Store, config.Data = g, dir
	b, err := Open(config)
	if err != nil {
		t.Fatal(err)
	}
	ends := sync.OnceFunc(func() { close(g.open); b.Close() })
	t.Cleanup(ends)
	return b, g, filepath.Join(dir, backupsDir)
}

// seatPeople deals a game at the first table.
func seatPeople(t *testing.T, b *Box) *Table {
	t.Helper()
	table := b.Tables()[0]
	for i := range 7 {
		if err := table.Do("", func(d *draft) error { return d.join(b.rules(d.doc), device(i+1), "P", 0) }); err != nil {
			t.Fatal(err)
		}
	}
	if err := table.Do("", func(d *draft) error { return d.deal(b.rules(d.doc), nil) }); err != nil {
		t.Fatal(err)
	}
	return table
}

// wantKept waits until so many backups are kept.
func wantKept(t *testing.T, dir string, n int) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		all, err := (store.Ring{Dir: dir}).List()
		if err == nil && len(all) == n {
			return
		}
		if time.Now().After(end) {
			t.Fatal("expected", n, "backups in all:", all, err)
		}
	}
}

// TestBackupDelaysNobody: acts are stored while a backup takes as long as it
// likes; what is wanted meanwhile becomes one, and a whole one if one was.
func TestBackupDelaysNobody(t *testing.T) {
	b, g, dir := guarded(t)
	table := seatPeople(t, b)
	if whole := <-g.began; whole {
		t.Error("a phase asks for a whole one")
	}
	for _, verb := range []engine.Verb{engine.Night, engine.Close, engine.Dawn, engine.Night, engine.End} {
		if err := act(table, "", engine.Act{By: engine.Host, Verb: verb}); err != nil {
			t.Fatal(verb, err)
		}
	}
	select {
	case <-g.began:
		t.Fatal("two at once")
	case <-time.After(50 * time.Millisecond):
	}
	g.open <- nil
	if whole := <-g.began; !whole {
		t.Error("the end of a game asks for no whole one")
	}
	g.open <- nil
	wantKept(t, dir, 2)
	select {
	case <-g.began:
		t.Error("those that waited became more than one")
	case <-time.After(50 * time.Millisecond):
	}
}

// TestBackupFails: a backup that fails stops no game, and the owner reads of it
// until one is made.
func TestBackupFails(t *testing.T) {
	b, g, _ := guarded(t)
	table := seatPeople(t, b)
	<-g.began
	g.open <- errors.New("the card is dying")
	wrong := func(want bool) {
		t.Helper()
		for end := time.Now().Add(10 * time.Second); b.backupLine(words{b.texts.in("en")}).Wrong != want; time.Sleep(10 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatal("the owner is not told, or for ever; want", want)
			}
		}
	}
	wrong(true)
	if err := act(table, "", night1); err != nil {
		t.Fatal(err)
	}
	<-g.began
	g.open <- nil
	wrong(false)
}

// TestBackupSilentDisk: a stick that never answers keeps no page waiting, nor the
// backups on the card.
func TestBackupSilentDisk(t *testing.T) {
	b, g, dir := guarded(t)
	never := make(chan struct{})
	t.Cleanup(func() { close(never) })
	b.backups.second = &backupPlace{ring: store.Ring{Dir: filepath.Join(dir, "stick")}, wake: make(chan struct{}, 1), ready: func() error { <-never; return store.ErrAbsent }}
	go b.keep(b.backups.second)
	b.backups.want(true)
	<-g.began
	g.open <- nil
	wantKept(t, dir, 1)
	rows := b.backupPlaces(words{b.texts.in("en")})
	if len(rows) != 2 || rows[1].Wrong != "Its disk does not answer." || rows[0].When == "" {
		t.Errorf("%+v", rows)
	}
}

// TestBackupAsAGameBegins: a game that begins while the owner's backup is made is
// not handed out with it, as its table was not told.
func TestBackupAsAGameBegins(t *testing.T) {
	b, g, _ := guarded(t)
	owner := &browser{T: t, b: b}
	owner.must("POST", "/box", 303, "code", b.OwnerCode())
	made := make(chan int)
	go func() {
		status, _ := owner.ask("GET", "/box/backup.zip", nil)
		made <- status
	}()
	<-g.began
	seatPeople(t, b)
	<-g.began // of the phase
	g.open <- nil
	g.open <- nil
	if status := <-made; status != 303 {
		t.Errorf("it answers %d", status)
	}
}

// TestBackupStickComes: what was to go to a stick that was out goes there when it
// is in again, by itself; and so does what was made while it was out the evening before.
func TestBackupStickComes(t *testing.T) {
	data := t.TempDir()
	mount, err := os.MkdirTemp("/dev/shm", "stick") // another disk than that of the test
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(mount) })
	stick, out := filepath.Join(mount, "in"), filepath.Join(mount, "out")
	move := func(from, to string) {
		t.Helper()
		if err := os.Rename(from, to); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(out, 0o700); err != nil {
		t.Fatal(err)
	}
	minutes := make(chan time.Time)
	pass := func() {
		t.Helper()
		select {
		case minutes <- time.Now():
		case <-time.After(10 * time.Second):
			t.Fatal("nobody waits for the stick")
		}
	}
	comes := func(n int) {
		t.Helper()
		move(out, stick)
		select { // it may have looked just now
		case minutes <- time.Now():
		case <-time.After(100 * time.Millisecond):
		}
		wantKept(t, stick, n)
	}
	openBox := func(keep store.Store) *Box {
		config := openConfig()
		config.Store, config.Data, config.BackupTo = keep, data, stick
		config.After = func(d time.Duration) <-chan time.Time {
			if d == stickAgain {
				return minutes
			}
			return nil
		}
		b, err := Open(config)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	keep := store.Memory()
	b := openBox(keep)
	b.backups.want(true)
	wantKept(t, filepath.Join(data, backupsDir), 1)
	for range 2 { // it has looked by then, and looks again
		pass()
	}
	if _, err := os.Stat(stick); err == nil {
		t.Fatal("the box makes the folder of a stick that is out")
	}
	comes(1)
	b.Close()

	b = openBox(keep) // it lacks nothing
	time.Sleep(50 * time.Millisecond)
	wantKept(t, stick, 1)
	move(stick, out)
	b.backups.want(true)
	wantKept(t, filepath.Join(data, backupsDir), 2)
	b.Close()
	b = openBox(keep)
	defer b.Close()
	pass()
	comes(2)
	if all, err := b.backups.second.ring.List(); err != nil || all[0].Kind != "whole" {
		t.Error(all, err)
	}
}
