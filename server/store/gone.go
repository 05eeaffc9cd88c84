package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A deleted game leaves its number behind in both copies, or what one has lost
// would be taken from the other: under gone/TABLE/N in the book, and as an empty
// file beside the records.
const (
	gone     = "gone/"
	goneFile = ".gone"
)

func goneKey(table string, n int) string { return fmt.Sprintf("%s%s/%06d", gone, table, n) }

// delete takes away all of a game, whatever state it is in, and remembers its number.
func (p *plan) delete(c Change) error {
	if _, changed := p.tails[gameKey(c.Table, c.Game)]; changed || c.Head != nil || len(c.Acts) > 0 || c.Over {
		return fmt.Errorf("%w: game %d of table %s is changed and deleted at once", ErrInvalid, c.Game, c.Table)
	}
	var records []pair
	err := p.store.book.scan(gameKey(c.Table, c.Game), func(key string, value func() ([]byte, error)) (string, error) {
		old, err := value()
		records = append(records, pair{key, old})
		return "", err
	})
	switch {
	case err != nil:
		return err
	case len(records) == 0:
		return ErrNotFound
	case len(records) > maxPairs/2: // not all fit one transaction: with its number behind it is deleted, and the next Open knows that, too
		for _, r := range records {
			p.sweep = append(p.sweep, pair{r.key, nil})
		}
	default:
		for _, r := range records {
			p.set(r.key, r.value, nil)
		}
	}
	p.set(goneKey(c.Table, c.Game), nil, []byte{})
	p.gone[gameKey(c.Table, c.Game)] = GameID{c.Table, c.Game}
	p.tails[gameKey(c.Table, c.Game)] = tail{over: true} // nothing is known of it any more
	return nil
}

// eachGone visits every deleted game of a table; of all of them when it is empty.
func eachGone(b book, table string, visit func(GameID)) error {
	prefix := gone
	if table != "" {
		prefix += table + "/"
	}
	return b.scan(prefix, func(key string, _ func() ([]byte, error)) (string, error) {
		if table, n, ok := splitGame("game/" + key[len(gone):] + "/"); ok {
			visit(GameID{table, n})
		}
		return "", nil
	})
}

// mendGone makes what is deleted in one copy deleted in both. It gives these games.
func (s *store) mendGone() (map[GameID]bool, error) {
	all, known := map[GameID]bool{}, map[GameID]bool{}
	err := eachGone(s.book, "", func(id GameID) { all[id], known[id] = true, true })
	if err != nil {
		return nil, err
	}
	marked, err := s.files.named(goneFile)
	if err != nil {
		return nil, err
	}
	for _, id := range marked {
		all[id] = true
	}
	for id := range all {
		var pairs []pair
		err := s.book.scan(gameKey(id.Table, id.N), func(key string, _ func() ([]byte, error)) (string, error) {
			pairs = append(pairs, pair{key, nil})
			return "", nil
		})
		if !known[id] {
			pairs = append(pairs, pair{goneKey(id.Table, id.N), []byte{}})
		}
		if err := errors.Join(err, s.writeAll(pairs)); err != nil {
			return nil, err
		}
		s.files.bury(id)
	}
	return all, nil
}

// deleted tells whether a game is, by the key that it left.
func (s *store) deleted(key string) bool {
	table, n, ok := splitGame("game/" + strings.TrimPrefix(key, gone) + "/")
	_, err := s.book.get(key)
	return err == nil || ok && s.files.has(goneName(GameID{table, n}), 0)
}

func goneName(id GameID) string {
	return strings.TrimSuffix(fileName(id.Table, id.N), recordFile) + goneFile
}

// bury takes away a deleted game's file and what was set aside of it, and leaves
// its number. What can't be done now is tried again at the next Open.
func (f *files) bury(id GameID) {
	if f == nil {
		return
	}
	name := fileName(id.Table, id.N)
	var err error
	if !f.has(goneName(id), 0) {
		err = errors.Join(f.write(filepath.Join(f.dir, goneName(id)), os.O_WRONLY|os.O_CREATE, addition{}), syncDir(f.dir))
	}
	all, wrong := filepath.Glob(filepath.Join(f.dir, name+"*"))
	err = errors.Join(err, wrong)
	for _, path := range all {
		if wrong := os.Remove(path); !errors.Is(wrong, fs.ErrNotExist) {
			err = errors.Join(err, wrong)
		}
	}
	if len(all) > 0 {
		err = errors.Join(err, syncDir(f.dir))
	}
	if err != nil {
		f.log.Warn("a deleted game's record file is left", "file", name, "err", err)
	}
}
