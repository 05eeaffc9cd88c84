package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Each game is in two copies, and either may have lost something: Badger often
// without a word. Both are chained by the same sums, so of each record it is
// plain whether it is the one that was committed, whatever it comes from. The
// store takes the next record from whichever copy has it, until none has; then
// it gives either copy what it lacks.

// source gives a game's record by its number, as the book holds it, if it has
// one that follows the record with the sum prev.
type source func(no int, prev string) (value []byte, sum string, ok bool)

// fromBook is what the book has of a game, all of it by key.
func fromBook(have map[string][]byte, table string, n int) source {
	return func(no int, prev string) ([]byte, string, bool) {
		key := linkKey(table, n, no)
		_, sum, ok := unseal(key, have[key], prev)
		return have[key], sum, ok
	}
}

// fromFile is what a record file has.
func fromFile(links map[int]link, table string, n int) source {
	return func(no int, prev string) ([]byte, string, bool) {
		l, ok := links[no]
		if !ok {
			return nil, "", false
		}
		l.Prev = prev
		value, sum, err := seal(linkKey(table, n, no), l.record)
		return value, sum, err == nil && sum == l.sum
	}
}

// fromGame is a game that a backup holds. It has no sums of its own: its records
// count where the one before is the same.
func fromGame(g Game, table string, n int) source {
	values, sums := map[int][]byte{}, map[int]string{}
	prevs := map[int]string{}
	_, err := g.chain(table, n, func(no int, r record, value []byte, sum string) {
		values[no], sums[no], prevs[no] = value, sum, r.Prev
	})
	return func(no int, prev string) ([]byte, string, bool) {
		value, ok := values[no]
		return value, sums[no], ok && err == nil && prevs[no] == prev
	}
}

// chain shows a game's records as they are stored, and gives the sum of the last.
func (g Game) chain(table string, n int, see func(no int, r record, value []byte, sum string)) (sum string, err error) {
	var size int64
	link := func(no int, r record) {
		if err != nil {
			return
		}
		r.Prev = sum
		var value []byte
		if value, sum, err = seal(linkKey(table, n, no), r); err == nil {
			size += int64(len(appendLink(nil, no, r, sum)))
			see(no, r, value, sum)
		}
	}
	link(atHead, record{Head: string(g.Head)})
	for _, a := range g.Acts {
		link(a.No, record{Line: a.Line, Events: a.Events, Key: a.Key, Rules: a.Rules})
	}
	if g.Over {
		link(atEnd, record{Acts: len(g.Acts), Size: size + endLen})
	}
	return sum, err
}

// mend looks at every game and document in both copies. Of the games that have
// ended, and whose file is as long as it was, only those are read that are said
// to be broken.
func (s *store) mend(old *backups, broken map[GameID]bool) (found []Finding, err error) {
	found, err = s.mendDocs(old)
	if err != nil {
		return found, err
	}
	all := map[GameID]bool{}
	if err := eachGame(s.book, "game/", func(table string, n int) { all[GameID{table, n}] = true }); err != nil {
		return found, err
	}
	filed, err := s.files.games()
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
		if s.ended(id) && !broken[id] {
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
	return found, nil
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
	text, err := s.files.text(name)
	if err != nil {
		return nil, err
	}
	links, torn := parseFile(text)
	sources := []source{fromBook(have, table, n), fromFile(links, table, n)}
	m := merge(table, n, sources...)
	if m.lost(have, links, text) || torn && m.differs(have) || old.first && !m.over {
		for _, b := range old.all() {
			if g, err := b.Game(table, n); err == nil {
				sources = append(sources, fromGame(g, table, n))
			}
		}
		m = merge(table, n, sources...)
	}
	f := Finding{What: Mended, Table: table, Game: n, Good: m.last}
	_, filed := links[m.last]
	_, booked := have[linkKey(table, n, max(m.last, atHead))]
	older := !filed && !booked && !m.over // it comes from a backup, and may have gone on since
	if m.lost(have, links, text) || torn && m.differs(have) || older {
		f.What = Lost
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
	if len(pairs) == 0 && f.What == Mended {
		return nil, nil
	}
	return &f, nil
}

// merged is what all copies of a game together hold.
type merged struct {
	pairs []pair // for the book
	text  []byte // of the record file
	last  int    // the last good act; -1: there is not even a head
	over  bool
}

// lost tells whether there is something left in a copy, from beyond the last
// good act.
func (m merged) lost(have map[string][]byte, links map[int]link, text []byte) bool {
	for no := range links {
		if no > m.last && !(no == atEnd && m.over) {
			return true
		}
	}
	taken := 0
	for _, p := range m.pairs {
		if _, ok := have[p.key]; ok {
			taken++
		}
	}
	return taken < len(have) || m.last < 0 && len(text) > 0
}

// differs tells whether the book lacks something of it.
func (m merged) differs(have map[string][]byte) bool {
	return slices.ContainsFunc(m.pairs, func(p pair) bool { return !bytes.Equal(have[p.key], p.value) })
}

func merge(table string, n int, sources ...source) merged {
	m := merged{last: -1}
	prev := ""
	take := func(no int) bool {
		key := linkKey(table, n, no)
		for _, has := range sources {
			value, sum, ok := has(no, prev)
			var r record
			if !ok || json.Unmarshal(value[sumLen:], &r) != nil || no == atEnd && r.Acts != m.last {
				continue
			}
			m.pairs = append(m.pairs, pair{key, value})
			m.text = appendLink(m.text, no, r, sum)
			prev = sum
			return true
		}
		return false
	}
	for m.last < most && take(m.last+1) {
		m.last++
	}
	m.over = m.last >= 0 && take(atEnd)
	return m
}

// mendDocs makes both copies of each table's document the later one.
func (s *store) mendDocs(old *backups) (found []Finding, err error) {
	tables := map[string]bool{}
	err = s.book.scan(docs, func(key string, _ func() ([]byte, error)) (string, error) {
		tables[key[len(docs):]] = true
		return "", nil
	})
	if err != nil {
		return nil, err
	}
	filed, err := s.files.copiedTables()
	if err != nil {
		return nil, err
	}
	for _, table := range filed {
		tables[table] = true
	}
	if old.first {
		for _, b := range old.all() {
			for table := range b.Docs {
				tables[table] = true
			}
		}
	}
	for _, table := range slices.Sorted(maps.Keys(tables)) {
		f, err := s.mendDoc(table, old)
		if err != nil {
			return found, fmt.Errorf("store: the document of table %s: %w", table, err)
		}
		if f != nil {
			found = append(found, *f)
		}
	}
	return found, nil
}

func (s *store) mendDoc(table string, old *backups) (*Finding, error) {
	text, err := s.book.get(docKey(table))
	missing := errors.Is(err, ErrNotFound)
	if err != nil && !missing {
		return nil, err
	}
	no, _, err := counted(s.book, table)
	if err != nil {
		return nil, err
	}
	second, partly, err := s.files.copyOf(table)
	if err != nil {
		return nil, err
	}
	var f *Finding
	switch {
	case !missing && second.no == no && bytes.Equal(second.doc, text):
		return nil, nil
	case !missing && second.no <= no:
		return nil, s.files.put(table, copied{no, text})
	case second.no == 0 && no == 0 && !(old.first && (partly || old.doc(table) != nil)):
		return nil, nil // there never was one that somebody was told of
	case second.no == 0:
		f = &Finding{What: Lost, Table: table}
		if f.Aside, err = s.files.setAside(filepath.Join(s.files.tables, copyName(table))); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		kept := old.doc(table)
		if kept == nil {
			return f, nil
		}
		second = copied{max(no, 1), kept}
	case missing && partly: // the one that is not whole may be the later one
		f = &Finding{What: Lost, Table: table}
	default:
		f = &Finding{What: Mended, Table: table}
	}
	if err := s.writeAll([]pair{{docKey(table), second.doc}, {copyKey(table), strconv.AppendInt(nil, second.no, 10)}}); err != nil {
		return nil, err
	}
	return f, s.files.put(table, second)
}

// backups are the newest ones of a ring, one of each kind: older ones may be of
// games that somebody has replaced. They are opened when something is missing
// that no copy has.
type backups struct {
	ring   Ring
	log    *slog.Logger
	first  bool // Badger is new: it knows of nothing, and games may be nowhere else
	opened []*Backup
	looked bool
}

func (o *backups) all() []*Backup {
	if o.looked {
		return o.opened
	}
	o.looked = true
	list, err := o.ring.List()
	seen := map[string]bool{}
	for _, k := range list {
		if seen[k.Kind] {
			continue
		}
		b, wrong := OpenBackup(k.Path)
		if wrong != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", k.Path, wrong))
		}
		if b != nil { // also one of which a part is whole
			seen[k.Kind] = wrong == nil
			o.opened = append(o.opened, b)
		}
	}
	if err != nil {
		o.log.Warn("store: a backup can't be read", "err", err)
	}
	return o.opened
}

func (o *backups) doc(table string) []byte {
	for _, b := range o.all() {
		if d := b.Docs[table]; d != nil {
			return d
		}
	}
	return nil
}

func (o *backups) close() {
	for _, b := range o.opened {
		b.Close()
	}
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

// text is a record file's text; none when it is not there.
func (f *files) text(name string) ([]byte, error) {
	file, err := os.Open(filepath.Join(f.dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxFile))
	if err != nil { // what can't be read is lost; what can, is not
		f.log.Warn("a record file can't be read to its end", "file", name, "err", err)
	}
	return text, nil
}

// games are those that have a record file.
func (f *files) games() (all []GameID, err error) {
	list, err := os.ReadDir(f.dir)
	for _, e := range list {
		name, ok := strings.CutSuffix(e.Name(), ".mafia")
		i := strings.LastIndexByte(name, '-')
		if !ok || i < 0 {
			continue
		}
		n, err := strconv.Atoi(name[i+1:])
		if id := (GameID{name[:i], n}); err == nil && n >= 1 && n <= most && checkTable(id.Table) == nil && fileName(id.Table, n) == e.Name() {
			all = append(all, id)
		}
	}
	return all, err
}

// dump keeps what the book had of a game and what is of no use any more.
func (f *files) dump(name string, have map[string][]byte) (string, error) {
	var text []byte
	for _, key := range slices.Sorted(maps.Keys(have)) {
		text = fmt.Appendf(text, "%s %q\n", key, have[key])
	}
	path, err := freeName(filepath.Join(f.dir, name) + ".badger")
	if err != nil {
		return "", err
	}
	return path, f.rewrite(path, text)
}
