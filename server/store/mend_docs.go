package store

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Imported is under what games are kept that came as files. It is no table: it
// has no document.
const Imported = "import"

// mendDocs makes both copies of each table's document the later one. Games are
// mended by then: a table that has any, or had, has a document, too.
func (s *store) mendDocs(old *backups) (found []Finding, err error) {
	tables, played := map[string]bool{}, map[string]bool{}
	err = s.book.scan(docs, func(key string, _ func() ([]byte, error)) (string, error) {
		tables[key[len(docs):]] = true
		return "", nil
	})
	if err == nil {
		err = eachGame(s.book, "game/", func(table string, _ int) { played[table] = true })
	}
	if err == nil {
		err = eachGone(s.book, "", func(id GameID) { played[id.Table] = true })
	}
	if err != nil {
		return nil, err
	}
	delete(played, Imported)
	maps.Copy(tables, played)
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
		f, err := s.mendDoc(table, played[table], old)
		if err != nil {
			return found, fmt.Errorf("store: the document of table %s: %w", table, err)
		}
		if f != nil {
			found = append(found, *f)
		}
	}
	return found, nil
}

// mendDoc mends a table's document; played says that the table has games.
func (s *store) mendDoc(table string, played bool, old *backups) (f *Finding, err error) {
	text, err := s.book.get(docKey(table))
	missing := errors.Is(err, ErrNotFound)
	if err != nil && !missing {
		return nil, err
	}
	no, _, err := counted(s.book, table)
	if err != nil {
		return nil, err
	}
	second, partly, unread := s.files.copyOf(table)
	if unread != nil && !ofFile(unread) {
		return nil, unread
	}
	path := filepath.Join(s.files.tables, copyName(table))
	if unread != nil {
		aside, err := s.files.setAside(path)
		s.files.log.Warn("the copy of a document can't be read", "file", path, "err", errors.Join(unread, err))
		defer func() {
			if f == nil {
				f = &Finding{What: Mended, Table: table}
			}
			f.Unread, f.Aside = true, aside
		}()
	}
	if second.no > no && !old.first {
		whole, err := s.committed(second.with)
		if err != nil {
			return nil, err
		}
		if !whole { // the plug was pulled, and the rest never came to the disk: nobody was told of it
			if unread == nil {
				err = s.files.unput(table, second)
			}
			if err != nil || missing {
				return nil, err
			}
			return nil, s.copyDoc(table, copied{no: no, doc: text})
		}
	}
	switch {
	case unread == nil && !missing && second.no == no && bytes.Equal(second.doc, text):
		return nil, nil
	case !missing && second.no <= no:
		return nil, s.copyDoc(table, copied{no: no, doc: text})
	case second.no == 0 && no == 0 && unread == nil && !played && !(old.first && (partly || old.doc(table) != nil)):
		return nil, nil // there never was one that somebody was told of
	case second.no == 0:
		f = &Finding{What: Lost, Table: table}
		kept := old.doc(table)
		if kept == nil {
			f.Good = -1
		}
		s.note(*f)
		aside, err := s.files.setAside(path)
		switch {
		case err == nil:
			f.Aside = aside
		case unread == nil && !errors.Is(err, fs.ErrNotExist):
			return nil, err
		}
		if kept == nil {
			return f, nil
		}
		second = copied{no: max(no, 1), doc: kept}
	case missing && partly: // the one that is not whole may be the later one
		f = &Finding{What: Lost, Table: table}
		s.note(*f)
	default:
		f = &Finding{What: Mended, Table: table}
	}
	if err := s.writeAll([]pair{{docKey(table), second.doc}, {copyKey(table), strconv.AppendInt(nil, second.no, 10)}}); err != nil {
		return nil, err
	}
	return f, s.copyDoc(table, second)
}

// copyDoc gives a table's document its second copy, in a new file if the old one
// can't be written. A name that the disk has spoilt stays without: it is tried
// again at the document's next Commit. But a disk that takes nothing is no such name.
func (s *store) copyDoc(table string, d copied) error {
	err := s.files.put(table, d)
	if err == nil {
		return nil
	}
	path := filepath.Join(s.files.tables, copyName(table))
	if _, moved := s.files.setAside(path); moved == nil {
		err = s.files.put(table, d)
	}
	if err != nil && ofFile(err) && writable(s.files.tables) == nil {
		s.files.log.Warn("the copy of a document is left as it is", "file", path, "err", err)
		return nil
	}
	return err
}

// committed tells whether all of this is in one of the copies. Games are mended by then.
func (s *store) committed(parts []part) (bool, error) {
	for _, p := range parts {
		var no int64
		if table, ok := strings.CutPrefix(p.Key, docs); ok {
			inBook, _, err := counted(s.book, table)
			if err != nil {
				return false, err
			}
			d, _, _ := s.files.copyOf(table) // what can't be read doesn't count
			no = max(inBook, d.no)
		} else if strings.HasPrefix(p.Key, gone) && !s.deleted(p.Key) {
			return false, nil
		} else if table, n, ok := splitGame(p.Key); ok {
			no = -1
			_, err := follow(s.book, table, n, func(at int, _ record, _ string) { no = int64(at) })
			if broken := (*BrokenError)(nil); err != nil && !errors.Is(err, ErrNotFound) && !errors.As(err, &broken) {
				return false, err
			}
		}
		if no < p.No {
			return false, nil
		}
	}
	return true, nil
}

// backups are the newest ones of a ring, one of each kind, and none from before a
// good one of everything: older ones may be of games that somebody has replaced. They are opened when something is missing
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
		if wrong == nil && k.Kind == "whole" {
			break
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
