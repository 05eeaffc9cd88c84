package store

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/dgraph-io/badger/v4"
	"golang.org/x/time/rate"
)

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
// host, and a write that fails it tries again every second, for ever: each kind of
// warning is said once a minute at most.
type logger struct {
	log   *slog.Logger
	mu    *sync.Mutex
	kinds map[string]*rate.Sometimes // by format, of which Badger has a few dozen
}

func newLogger(log *slog.Logger) logger {
	return logger{log, new(sync.Mutex), make(map[string]*rate.Sometimes)}
}

func (l logger) say(level func(string, ...any), format string, args []any) {
	level("badger: " + firstLine(fmt.Sprintf(format, args...)))
}

func (l logger) warn(format string, args []any) {
	l.mu.Lock()
	if l.kinds[format] == nil {
		l.kinds[format] = &rate.Sometimes{Interval: time.Minute}
	}
	kind := l.kinds[format]
	l.mu.Unlock()
	kind.Do(func() { l.say(l.log.Warn, format, args) })
}

// firstLine is what a text says before it goes into details, such as where each
// goroutine was.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(line)
}

func (l logger) Errorf(format string, args ...any)   { l.warn(format, args) }
func (l logger) Warningf(format string, args ...any) { l.warn(format, args) }
func (l logger) Infof(format string, args ...any)    { l.say(l.log.Debug, format, args) }
func (l logger) Debugf(format string, args ...any)   { l.say(l.log.Debug, format, args) }
