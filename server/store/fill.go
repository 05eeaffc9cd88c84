package store

import (
	"maps"
	"slices"
)

// The most that fill gives one Commit: as JSON a byte of text may become six,
// and to each act its sums and names are added.
const (
	fillBytes = 96 << 10
	fillActs  = 1000
)

// fill puts all of a backup into an empty store.
func fill(s Store, b *Backup) error {
	var changes []Change
	size, acts := 0, 0
	flush := func() error {
		err := s.Commit(changes...)
		changes, size, acts = nil, 0, 0
		return err
	}
	add := func(c Change, bytes int) error {
		changes = append(changes, c)
		if size, acts = size+bytes, acts+len(c.Acts); size > fillBytes || acts >= fillActs {
			return flush()
		}
		return nil
	}
	for _, id := range slices.Sorted(maps.Keys(b.Docs)) {
		if err := add(Change{Table: id, Doc: b.Docs[id]}, len(b.Docs[id])); err != nil {
			return err
		}
	}
	for _, id := range b.Games() {
		g, err := b.Game(id.Table, id.N)
		if err != nil {
			return err
		}
		c := Change{Table: id.Table, Game: id.N, Head: g.Head, left: g.left}
		bytes := len(g.Head)
		for i, a := range g.Acts {
			c.Acts = append(c.Acts, a)
			bytes += len(a.Line) + len(a.Key) + len(a.Rules)
			for _, e := range a.Events {
				bytes += len(e)
			}
			if size+bytes > fillBytes || acts+len(c.Acts) >= fillActs {
				c.Over = g.Over && i+1 == len(g.Acts)
				if err := add(c, bytes); err != nil {
					return err
				}
				c, bytes = Change{Table: id.Table, Game: id.N, left: g.left}, 0
			}
		}
		if len(c.Acts) > 0 || c.Head != nil {
			c.Over = g.Over
			if err := add(c, bytes); err != nil {
				return err
			}
		}
	}
	return flush()
}
