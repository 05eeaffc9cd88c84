package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"
	"golang.org/x/sys/unix"
)

// minFree is the room that Commit wants on the disk. Badger maps its files into
// memory, so a full disk is no error there: it kills the process with SIGBUS,
// mostly while it merges tables behind our back. Open is content with half, so
// that a box that has stopped writing still starts.
//
// Small disks filled up to this limit and opened again, eight times each: with
// acts of 300 or 4,000 bytes the process lived at 32, 64, 96 and 128 MiB. With
// acts of 60,000 bytes, which no game has, it died on one disk of two at 32 and
// at 64, on none of two at 96, on one of five at 128. So this is room to spare
// for games, and no promise against whatever else fills the disk; against that
// there is the ballast. With it games leave 192 MiB of a disk alone.
var minFree uint64 = 64 << 20

// Open opens the store in the folder, which it makes if need be: Badger in
// dir/badger, the record files in dir/games, the documents' copies in
// dir/tables. What one copy lacks it takes from the other, and tells.
//
// A look is the command, if any, that has another process run Check on the
// folder behind it. Badger that fails it, or can't be opened, is moved aside and
// made anew from the copies, and from the newest backup where these have gaps.
//
// The error is ErrInUse when another process has it open; one that was killed
// leaves nothing in the way.
func Open(dir string, log *slog.Logger, look ...string) (Store, []Finding, error) {
	return OpenContext(context.Background(), dir, log, look...)
}

// OpenContext is Open that ends with an error, and leaves everything where it
// is, when the context ends while it looks.
func OpenContext(ctx context.Context, dir string, log *slog.Logger, look ...string) (Store, []Finding, error) {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	s := &store{
		files: &files{dir: filepath.Join(dir, "games"), tables: filepath.Join(dir, "tables"), log: log, sync: syncData},
		tails: map[string]tail{},
	}
	for _, d := range []string{dir, filepath.Join(dir, inside), s.files.dir, s.files.tables} {
		if err := Folder(d); err != nil {
			return nil, nil, fmt.Errorf("store: %w", err)
		}
	}
	var err error
	if s.unlock, err = Lock(dir); err != nil {
		return nil, nil, err
	}
	found, err := s.open(ctx, dir, log, look)
	if err != nil {
		if s.book != nil {
			err = errors.Join(err, s.book.close())
		}
		return nil, nil, errors.Join(err, s.unlock())
	}
	for _, f := range found {
		log.Warn("store: " + f.String())
	}
	return s, found, nil
}

// inside is where Badger lies in the data folder.
const inside = "badger"

func (s *store) open(ctx context.Context, dir string, log *slog.Logger, look []string) ([]Finding, error) {
	removeLeftovers(dir, log)
	ballast := newBallast(dir, log)
	if err := ballast.room(minFree); err != nil && room(dir, minFree/2) != nil {
		return nil, err
	}
	if err := writable(dir); err != nil { // or the disk's state would be taken for Badger's
		return nil, fmt.Errorf("store: %w", err)
	}
	if err := finishRestore(dir, log); err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	again := rebuilding(dir, log)
	var broken map[GameID]bool
	var rotten error
	if len(look) > 0 {
		var err error
		broken, rotten, err = check(ctx, dir, filepath.Join(dir, inside), look)
		if errors.Is(err, errStopped) {
			return nil, fmt.Errorf("store: %w", err)
		}
		if err != nil {
			log.Warn("Badger is opened without a look at it", "err", err) // for want of room, mostly
		}
	}
	var db *badger.DB
	if rotten == nil {
		db, rotten = openBadger(tuned(filepath.Join(dir, inside), log))
	}
	if rotten != nil {
		var err error
		if again, err = setBadgerAside(dir, rotten); err != nil {
			return nil, fmt.Errorf("store: Badger can't be opened (%w) nor set aside: %w", rotten, err)
		}
		if db, err = openBadger(tuned(filepath.Join(dir, inside), log)); err != nil {
			return nil, err
		}
		broken = nil
	}
	s.book = &disk{db: db, ballast: ballast}
	return s.mendNoted(dir, again, broken)
}

// openBadger opens Badger. A panic in this goroutine is an error.
func openBadger(o badger.Options) (db *badger.DB, err error) {
	defer func() {
		if wrong := recover(); wrong != nil {
			db, err = nil, fmt.Errorf("store: Badger in %s: panic: %v", o.Dir, wrong)
		}
	}()
	if err := sweep(o.Dir); err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	if db, err = badger.Open(o); err != nil {
		return nil, fmt.Errorf("store: Badger in %s: %w", o.Dir, err)
	}
	return db, nil
}

// writable tells whether a file can be written and synced in the folder.
func writable(dir string) error {
	path := filepath.Join(dir, "written")
	err := (&files{sync: syncData}).write(path, os.O_WRONLY|os.O_CREATE, addition{0, []byte("The box can write here.\n")})
	return errors.Join(err, os.Remove(path))
}

// tuned is Badger for a Pi: synced, small, and with nothing in the value log.
func tuned(dir string, log *slog.Logger) badger.Options {
	return badger.DefaultOptions(dir).
		WithSyncWrites(true). // not Badger's default, and without it a pulled plug loses acknowledged acts
		WithMemTableSize(8 << 20).
		WithValueLogFileSize(16 << 20).
		WithValueThreshold(maxValue + 1).
		WithBlockCacheSize(0).
		WithIndexCacheSize(0).
		WithCompression(options.None).
		WithNumMemtables(2).
		WithNumCompactors(2). // one is refused
		WithNumLevelZeroTables(2).
		WithNumLevelZeroTablesStall(4).
		WithDetectConflicts(false). // one writer at a time
		WithMetricsEnabled(false).
		// Without it a flipped byte is given out as data; OnTableAndBlockRead panics.
		WithChecksumVerificationMode(options.OnTableRead).
		WithLogger(newLogger(log))
}

// sweep removes the logs that Badger made and had no time to give a size. It
// refuses to open while there is one ("Create a new file"), though nothing was
// ever written to it: a log has its full size before its first entry.
func sweep(dir string) error {
	list, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range list {
		if ext := filepath.Ext(e.Name()); ext != ".mem" && ext != ".vlog" {
			continue
		}
		info, err := e.Info()
		if err == nil && info.Size() == 0 {
			err = os.Remove(filepath.Join(dir, e.Name()))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Folder makes a folder for its owner alone, safe from a pulled plug, if need be.
func Folder(dir string) error {
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return syncDir(filepath.Dir(dir))
}

// Lock takes a folder for this process; the error is ErrInUse when another has
// it. Badger locks its own folder too, but says so only in the text of an error,
// and it does not guard the record files. The lock goes with the process, however
// that ends.
func Lock(dir string) (unlock func() error, err error) {
	d, err := os.Open(dir)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	err = unix.Flock(int(d.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		err = fmt.Errorf("%w: %s", ErrInUse, dir)
	}
	if err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d.Close, nil
}

func room(dir string, want uint64) error {
	is, err := free(dir)
	if err != nil {
		return err
	}
	return enough(dir, is, want)
}

// free is how many bytes of the disk may still be written.
func free(dir string) (uint64, error) {
	var fs unix.Statfs_t
	if err := unix.Statfs(dir, &fs); err != nil {
		return 0, fmt.Errorf("store: %w", err)
	}
	return fs.Bavail * uint64(fs.Bsize), nil
}

func enough(dir string, free, want uint64) error {
	if free < want {
		return fmt.Errorf("%w: %d MiB free at %s, %d needed", ErrFull, free>>20, dir, want>>20)
	}
	return nil
}
