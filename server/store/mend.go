package store

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// mend looks at every game and document in both copies. Of the games that have
// ended, and whose file is as long as it was, only those are read that are said
// to be broken.
func (s *store) mend(old *backups, broken map[GameID]bool) (found []Finding, err error) {
	deleted, err := s.mendGone()
	if err != nil {
		return found, err
	}
	all := map[GameID]bool{}
	if err := eachGame(s.book, "game/", func(table string, n int) { all[GameID{table, n}] = true }); err != nil {
		return found, err
	}
	filed, err := s.files.named(recordFile)
	if err != nil {
		return found, err
	}
	if old.first { // the record files may be as rotten as Badger was
		for _, b := range old.all() {
			filed = append(filed, b.Games()...)
		}
	}
	for _, id := range filed {
		all[id] = true
	}
	byNumber := func(a, b GameID) int { return strings.Compare(gameKey(a.Table, a.N), gameKey(b.Table, b.N)) }
	for _, id := range slices.SortedFunc(maps.Keys(all), byNumber) {
		if deleted[id] || s.ended(id) && !broken[id] {
			continue
		}
		f, err := s.mendGame(id.Table, id.N, old)
		if err != nil {
			return found, fmt.Errorf("store: game %d of table %s: %w", id.N, id.Table, err)
		}
		if f != nil {
			found = append(found, *f)
		}
	}
	docs, err := s.mendDocs(old)
	return append(docs, found...), err
}

// ended tells whether the game has ended and its file has its length.
func (s *store) ended(id GameID) bool {
	value, err := s.book.get(overKey(id.Table, id.N))
	var r record
	return err == nil && len(value) > sumLen && json.Unmarshal(value[sumLen:], &r) == nil && s.files.has(fileName(id.Table, id.N), r.Size)
}

// mendGame makes both copies hold all that either has of a game, as far as
// nothing is missing in between.
func (s *store) mendGame(table string, n int, old *backups) (*Finding, error) {
	name := fileName(table, n)
	have := map[string][]byte{}
	err := s.book.scan(gameKey(table, n), func(key string, value func() ([]byte, error)) (string, error) {
		v, err := value()
		have[key] = v
		return "", err
	})
	if err != nil {
		return nil, err
	}
	text, unread := s.files.text(name)
	if unread != nil && !ofFile(unread) {
		return nil, unread
	}
	if unread != nil {
		s.files.log.Warn("a record file can't be read to its end", "file", name, "err", unread)
	}
	links, odd, torn := parseFile(text)
	torn = torn || unread != nil
	filed := len(text) > 0 || unread != nil
	sources := []source{fromBook(have, table, n), fromFile(links, odd, table, n)}
	m := merge(table, n, sources...)
	if m.lost(have, links, filed) || torn && m.differs(have) || old.first && !m.over || unread != nil {
		for _, b := range old.all() {
			if g, err := b.Game(table, n); err == nil {
				sources = append(sources, fromGame(g, table, n))
			}
		}
		m = merge(table, n, sources...)
	}
	torn = torn || slices.ContainsFunc(odd, func(l link) bool { return !m.holds(l.sum) })
	all := m.last
	m = m.withoutHalf(have, links, torn, old.first)
	torn = torn || m.last < all
	maps.DeleteFunc(links, func(no int, _ link) bool { return m.last < no && no <= all })
	if m.last < 0 && len(have) == 0 && len(links) == 0 && unread == nil && !old.first { // a game that was just beginning
		_, err := s.files.align(name, nil)
		return nil, err
	}
	f := Finding{What: Mended, Table: table, Game: n, Good: m.last, Unread: unread != nil}
	linked := m.last >= 0 && bytes.Contains(text, m.pairs[m.last].value[:sumLen])
	_, booked := have[linkKey(table, n, max(m.last, atHead))]
	older := !linked && !booked && !m.over // it comes from a backup, and may have gone on since
	switch {
	case m.lost(have, links, filed):
		f.What = Lost
	case torn && m.differs(have), older:
		f.What, f.Unsure = Lost, true
	}
	var pairs []pair
	for _, p := range m.pairs {
		if !bytes.Equal(have[p.key], p.value) {
			pairs = append(pairs, p)
		}
		delete(have, p.key)
	}
	if len(have) > 0 {
		if f.Aside, err = s.files.dump(name, have); err != nil {
			return nil, err
		}
		for key := range have {
			pairs = append(pairs, pair{key, nil})
		}
	}
	s.note(f)
	if err := s.writeAll(pairs); err != nil {
		return nil, err
	}
	aside, err := s.files.align(name, m.text)
	if err != nil { // it is tried again at the game's next Commit
		s.files.log.Warn("a record file is left as it is", "file", name, "err", err)
	}
	if aside != "" {
		f.Aside = aside
	}
	if len(pairs) == 0 && f.What == Mended && unread == nil {
		return nil, nil
	}
	return &f, nil
}

// writeAll writes to the book what may be more than fits one transaction.
func (s *store) writeAll(pairs []pair) error {
	for len(pairs) > 0 {
		n, size := 0, 0
		for n < len(pairs) && n < maxPairs && size < maxCommit-maxValue {
			size += len(pairs[n].key) + len(pairs[n].value) + 16
			n++
		}
		if err := s.book.write(pairs[:n]); err != nil {
			return err
		}
		pairs = pairs[n:]
	}
	return nil
}
