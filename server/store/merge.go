package store

import (
	"bytes"
	"encoding/json"
	"slices"
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

// withoutHalf leaves out what a record file has of a Commit that the plug has cut
// short there, and that Badger, which takes all or nothing, does not have: the
// last act, and those of the same form before it.
func (m merged) withoutHalf(have map[string][]byte) merged {
	n, form := len(m.pairs), ""
	for ; n > 0; n-- {
		var r record
		_, booked := have[m.pairs[n-1].key]
		if booked || json.Unmarshal(m.pairs[n-1].value[sumLen:], &r) != nil || n < len(m.pairs) && (form == "" || r.Key != form) {
			break
		}
		form = r.Key
	}
	if n == len(m.pairs) {
		return m
	}
	short := merged{pairs: m.pairs[:n], last: n - 1}
	for no, p := range short.pairs {
		var r record
		if json.Unmarshal(p.value[sumLen:], &r) == nil {
			short.text = appendLink(short.text, no, r, string(p.value[:sumLen]))
		}
	}
	return short
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
