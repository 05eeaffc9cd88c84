package store

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// plan is a Commit worked out before anything is written.
type plan struct {
	store   *store
	pairs   []pair
	undo    []pair // what brings the book back to what it was
	bytes   int
	tails   map[string]tail
	text    map[string]*addition // what the record files gain, by file name
	docs    map[string]copied    // the documents' second copies, by table
	gone    map[string]GameID    // deleted games, by their prefix
	sweep   []pair               // of long games that are deleted: taken away after the rest is written
	awaited map[string]int       // how many records a game has yet to get, by gameKey
}

func (p *plan) set(key string, old, value []byte) {
	p.pairs = append(p.pairs, pair{key, value})
	p.undo = append(p.undo, pair{key, old})
	p.bytes += len(key) + len(value) + 16 // Badger counts about a dozen bytes for each
}

func (p *plan) add(c Change) error {
	if err := checkTable(c.Table); err != nil {
		return err
	}
	if c.Doc != nil {
		if err := p.addDoc(c); err != nil {
			return err
		}
	}
	if c.Gone {
		return p.delete(c)
	}
	if c.Head == nil && len(c.Acts) == 0 && !c.Over {
		return nil
	}
	if c.Game < 1 || c.Game > most {
		return fmt.Errorf("%w: game number %d", ErrInvalid, c.Game)
	}
	t, text, err := p.begin(c)
	if err != nil {
		return err
	}
	for _, a := range c.Acts {
		if a.No != t.no+1 || a.No > most {
			return fmt.Errorf("%w: act %d of game %d of table %s, expected %d", ErrOrder, a.No, c.Game, c.Table, t.no+1)
		}
		if err := checkAct(a); err != nil {
			return err
		}
		r := record{Prev: t.sum, Line: a.Line, Events: a.Events, Key: a.Key, Rules: a.Rules}
		if err := p.link(c, a.No, r, &t, text); err != nil {
			return err
		}
		t.no = a.No
	}
	if c.Over {
		r := record{Prev: t.sum, Acts: t.no, Size: t.size + endLen}
		if err := p.link(c, atEnd, r, &t, text); err != nil {
			return err
		}
		t.over = true
	}
	p.tails[gameKey(c.Table, c.Game)] = t
	return nil
}

// link adds a record to the end of a game, in the book and in its file.
func (p *plan) link(c Change, no int, r record, t *tail, text *addition) error {
	key, game := linkKey(c.Table, c.Game, no), gameKey(c.Table, c.Game)
	switch {
	case no == atEnd: // is the last of its Commit
	case no < len(c.left):
		r.Left = c.left[no]
	default:
		r.Left = p.awaited[game]
	}
	p.awaited[game]--
	value, sum, err := seal(key, r)
	if err != nil {
		return err
	}
	p.set(key, nil, value)
	before := len(text.text)
	text.text = appendLink(text.text, no, r, sum)
	t.sum, t.size = sum, t.size+int64(len(text.text)-before)
	return nil
}

func (p *plan) addDoc(c Change) error {
	if len(c.Doc) > maxValue {
		return fmt.Errorf("%w: the document of table %s has %d bytes, at most %d fit", ErrTooLong, c.Table, len(c.Doc), maxValue)
	}
	old, err := p.store.book.get(docKey(c.Table))
	if err != nil && !errors.Is(err, ErrNotFound) {
		return err
	}
	no, was, err := counted(p.store.book, c.Table)
	if err != nil {
		return err
	}
	d := copied{no: no + 1, doc: bytes.Clone(c.Doc)} // one more, however often this Commit changes it
	p.set(docKey(c.Table), old, d.doc)
	p.set(copyKey(c.Table), was, strconv.AppendInt(nil, d.no, 10))
	p.docs[c.Table] = d
	return nil
}

// bind notes with each document what else is committed: what a pulled plug has
// left of it is of no use without the rest.
func (p *plan) bind() {
	var all []part
	for table, d := range p.docs {
		all = append(all, part{docKey(table), d.no})
	}
	for key, t := range p.tails {
		if id, deleted := p.gone[key]; deleted {
			all = append(all, part{goneKey(id.Table, id.N), 0})
			continue
		}
		no := int64(t.no)
		if t.over {
			no = atEnd
		}
		all = append(all, part{key, no})
	}
	slices.SortFunc(all, func(a, b part) int { return strings.Compare(a.Key, b.Key) })
	for table, d := range p.docs {
		if len(all) > 1 {
			d.with = all
		}
		p.docs[table] = d
	}
}

// begin gives where the change's game stands, and begins it when the change has a head.
func (p *plan) begin(c Change) (tail, *addition, error) {
	key, name := gameKey(c.Table, c.Game), fileName(c.Table, c.Game)
	t, found := p.tails[key]
	if !found {
		var err error
		if t, found, err = p.store.stand(c.Table, c.Game); err != nil {
			return t, nil, err
		}
	}
	text := p.text[name]
	if text == nil {
		text = &addition{at: t.size}
		p.text[name] = text
	}
	switch {
	case found && t.over:
		return t, nil, fmt.Errorf("%w: game %d of table %s is over", ErrOrder, c.Game, c.Table)
	case found && c.Head != nil:
		return t, nil, fmt.Errorf("%w: game %d of table %s has begun already", ErrOrder, c.Game, c.Table)
	case !found && c.Head == nil:
		return t, nil, fmt.Errorf("%w: game %d of table %s has not begun", ErrOrder, c.Game, c.Table)
	case found:
		return t, text, nil
	}
	if _, err := p.store.book.get(goneKey(c.Table, c.Game)); !errors.Is(err, ErrNotFound) {
		return t, nil, errors.Join(fmt.Errorf("%w: game %d of table %s was deleted", ErrOrder, c.Game, c.Table), err)
	}
	if err := checkHead(c.Head); err != nil {
		return t, nil, err
	}
	if p.store.files != nil {
		// A file of a game that the book does not know is no part of the new one.
		if _, err := p.store.files.align(name, nil); err != nil {
			return t, nil, err
		}
	}
	err := p.link(c, atHead, record{Head: string(c.Head)}, &t, text)
	return t, text, err
}
