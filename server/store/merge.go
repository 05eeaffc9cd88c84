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

// fromFile is what a record file has. A number that is spoilt is no loss: the sum
// tells which one it was.
func fromFile(links map[int]link, odd []link, table string, n int) source {
	return func(no int, prev string) ([]byte, string, bool) {
		for _, l := range append([]link{links[no]}, odd...) {
			l.Prev = prev
			value, sum, err := seal(linkKey(table, n, no), l.record)
			if err == nil && sum == l.sum {
				return value, sum, true
			}
		}
		return nil, "", false
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
		if no < len(g.left) {
			r.Left = g.left[no]
		}
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

// merged is what all copies of a game together hold.
type merged struct {
	pairs []pair // for the book
	text  []byte // of the record file
	last  int    // the last good act; -1: there is not even a head
	over  bool
}

// at gives a record of it by its place, which is its number unless it is the end.
func (m merged) at(place int) (r record) {
	json.Unmarshal(m.pairs[place].value[sumLen:], &r) // merge has read it
	return r
}

// taken is how many of the book's records are in it.
func (m merged) taken(have map[string][]byte) (n int) {
	for _, p := range m.pairs {
		if _, ok := have[p.key]; ok {
			n++
		}
	}
	return n
}

// lost tells whether there is something left in a copy, from beyond the last
// good act; filed says that there is a file with anything in it.
func (m merged) lost(have map[string][]byte, links map[int]link, filed bool) bool {
	for no, l := range links {
		if no > m.last && !(no == atEnd && m.over) && !m.holds(l.sum) {
			return true
		}
	}
	return m.taken(have) < len(have) || m.last < 0 && filed
}

// holds tells whether a record with that sum is there: what has it in the file
// is that record, and only its number is spoilt.
func (m merged) holds(sum string) bool {
	return slices.ContainsFunc(m.pairs, func(p pair) bool { return string(p.value[:sumLen]) == sum })
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
