package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"
	"golang.org/x/sys/unix"
	"golang.org/x/time/rate"
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
// dir/badger, the record files in dir/games. Record files that are not what
// Badger says are put right.
//
// The error is ErrInUse when another process has it open; one that was killed
// leaves nothing in the way.
func Open(dir string, log *slog.Logger) (Store, error) {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	s := &store{
		files: &files{dir: filepath.Join(dir, "games"), log: log, sync: (*os.File).Sync},
		tails: map[string]tail{},
	}
	inside := filepath.Join(dir, "badger")
	for _, d := range []string{dir, inside, s.files.dir} {
		if err := Folder(d); err != nil {
			return nil, fmt.Errorf("store: %w", err)
		}
	}
	var err error
	if s.unlock, err = lock(dir); err != nil {
		return nil, err
	}
	ballast := newBallast(dir, log)
	if err := ballast.room(minFree); err != nil && room(dir, minFree/2) != nil {
		return nil, errors.Join(err, s.unlock())
	}
	if err := finishRestore(dir, s.files.log); err != nil {
		return nil, errors.Join(fmt.Errorf("store: %w", err), s.unlock())
	}
	if err := sweep(inside); err != nil {
		return nil, errors.Join(fmt.Errorf("store: %w", err), s.unlock())
	}
	db, err := badger.Open(tuned(inside, log))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("store: Badger in %s: %w", inside, err), s.unlock())
	}
	s.book = &disk{db: db, ballast: ballast}
	if err := s.alignAll(log); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
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

// alignAll puts the record files right: of the running games, and of those
// that ended when the file did not get its last lines any more. A file that
// can't be put right now is tried again at the game's next Commit.
func (s *store) alignAll(log *slog.Logger) error {
	type id struct {
		table string
		n     int
	}
	var all []id
	if err := eachGame(s.book, "game/", func(table string, n int) { all = append(all, id{table, n}) }); err != nil {
		return err
	}
	for _, g := range all {
		name := fileName(g.table, g.n)
		if value, err := s.book.get(overKey(g.table, g.n)); err == nil {
			var r record
			if len(value) > sumLen && json.Unmarshal(value[sumLen:], &r) == nil && s.files.has(name, r.Size) {
				continue
			}
		}
		game, _, err := read(s.book, g.table, g.n)
		if err == nil {
			err = s.files.align(name, game.Text())
		}
		if err != nil {
			log.Warn("a record file is left as it is", "file", name, "err", err)
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

// lock takes the folder for this process. Badger locks its own folder too, but
// says so only in the text of an error, and it does not guard the record files.
// The lock goes with the process, however that ends.
func lock(dir string) (unlock func() error, err error) {
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

// disk is Badger as a book.
type disk struct {
	db      *badger.DB
	ballast *ballast
}

func (d *disk) get(key string) (value []byte, err error) {
	err = d.db.View(func(txn *badger.Txn) error {
		item, err := txn.Get([]byte(key))
		if errors.Is(err, badger.ErrKeyNotFound) {
			return ErrNotFound
		}
		if err != nil {
			return err
		}
		value, err = item.ValueCopy([]byte{})
		return err
	})
	return value, err
}

func (d *disk) scan(prefix string, see func(string, func() ([]byte, error)) (string, error)) error {
	return d.db.View(func(txn *badger.Txn) error {
		// Values lie beside their keys, so there is nothing to fetch ahead.
		it := txn.NewIterator(badger.IteratorOptions{Prefix: []byte(prefix)})
		defer it.Close()
		for it.Rewind(); it.Valid(); {
			item := it.Item()
			seek, err := see(string(item.Key()), func() ([]byte, error) { return item.ValueCopy([]byte{}) })
			switch {
			case errors.Is(err, errEnough):
				return nil
			case err != nil:
				return err
			case seek != "":
				it.Seek([]byte(seek))
			default:
				it.Next()
			}
		}
		return nil
	})
}

func (d *disk) write(pairs []pair) error {
	return d.db.Update(func(txn *badger.Txn) error {
		for _, p := range pairs {
			var err error
			if p.value == nil {
				err = txn.Delete([]byte(p.key))
			} else {
				err = txn.Set([]byte(p.key), p.value)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

func (d *disk) room() error  { return d.ballast.room(minFree) }
func (d *disk) close() error { return d.db.Close() }

// logger hands on what Badger says. What it calls information is of no use to a
// host, and a write that fails it tries again every second, for ever.
type logger struct {
	log  *slog.Logger
	rare *rate.Sometimes
}

func newLogger(log *slog.Logger) logger {
	return logger{log, &rate.Sometimes{First: 10, Interval: time.Minute}}
}

func (l logger) say(level func(string, ...any), format string, args []any) {
	level("badger: " + strings.TrimSpace(fmt.Sprintf(format, args...)))
}

func (l logger) warn(format string, args []any) {
	l.rare.Do(func() { l.say(l.log.Warn, format, args) })
}

func (l logger) Errorf(format string, args ...any)   { l.warn(format, args) }
func (l logger) Warningf(format string, args ...any) { l.warn(format, args) }
func (l logger) Infof(format string, args ...any)    { l.say(l.log.Debug, format, args) }
func (l logger) Debugf(format string, args ...any)   { l.say(l.log.Debug, format, args) }
