package server

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/mafiabox/mafiabox/server/store"
)

// The club knows its people by their names alone, as the games have them. What
// was said about names is kept here: which spellings are one person, and who is
// to be forgotten.

// bookID is under what the store keeps it.
const bookID = "people"

// How much of it there may be: it is stored whole, in 64 KiB.
const (
	maxSpellings = 100
	maxForgotten = 300
	maxBars      = 60 // suspensions, when a host adds one
)

// book is what was said about names. It is never changed in place.
type book struct {
	Same      map[string]string `json:"same,omitempty"`      // the name of the person, by another spelling; of an older box that is folded
	Forgotten []string          `json:"forgotten,omitempty"` // hashes of folded names: the list tells nobody's
	spelling  map[string]string // the key in Same, by what it folds to
}

func (b *book) decode(text []byte) error {
	if text == nil {
		return nil
	}
	if err := json.Unmarshal(text, b); err != nil {
		return fmt.Errorf("what is kept about names can't be read: %w", err)
	}
	b.resame(b.Same)
	return nil
}

// resame takes these spellings instead of the others.
func (b *book) resame(same map[string]string) {
	b.Same, b.spelling = same, make(map[string]string, len(same))
	for spelling := range same {
		b.spelling[fold(spelling)] = spelling
	}
}

// people is what was said about names.
func (c *club) people() book {
	if c == nil {
		return book{}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.book
}

// person is the name of the person whom a name means.
func (b book) person(name string) string {
	if spelling, known := b.spelling[fold(name)]; known {
		return b.Same[spelling]
	}
	return name
}

// known is the name of the person whom somebody means who types it, as games or
// suspensions have it; none when none of them has it.
func (b book) known(typed string, all []*finished, bars []suspension) (name string, ok bool) {
	if _, ok := b.spelling[fold(typed)]; ok {
		return b.person(typed), true
	}
	key := fold(typed)
	for _, f := range all {
		for _, s := range f.seats {
			if s.name != "" && b.key(s.name) == key {
				return b.person(s.name), true
			}
		}
	}
	for _, s := range bars {
		if b.key(s.Name) == key {
			return b.person(s.Name), true
		}
	}
	return "", false
}

// key names the person whom a name means; equal names have one.
func (b book) key(name string) string { return fold(b.person(name)) }

// forgets tells whether that name is not to be shown.
func (b book) forgets(name string) bool {
	return len(b.Forgotten) > 0 && (slices.Contains(b.Forgotten, nameHash(fold(name))) || slices.Contains(b.Forgotten, nameHash(b.key(name))))
}

func nameHash(folded string) string { return hash([]byte("name " + folded))[:20] }

// spellings are the other spellings of a person's name, as they were typed.
func (b book) spellings(key string) (all []string) {
	for _, spelling := range slices.Sorted(maps.Keys(b.Same)) {
		if fold(b.Same[spelling]) == key {
			all = append(all, spelling)
		}
	}
	return all
}

// spelled are suspensions under each spelling of the names.
func (b book) spelled(all []suspension) []suspension {
	if len(b.Same) == 0 {
		return all
	}
	var more []suspension
	for _, s := range all {
		key := b.key(s.Name)
		for _, spelling := range append(b.spellings(key), key) {
			if fold(spelling) != fold(s.Name) {
				also := s
				also.Name = spelling
				more = append(more, also)
			}
		}
	}
	return slices.Concat(all, more)
}

// merge makes one person of two names: the first is another spelling of the second.
func (b *book) merge(name, into string) error {
	from, to := b.key(name), b.key(into)
	if from == to {
		return say("same_person", "Name", into)
	}
	into = b.person(into)
	same := maps.Clone(b.Same)
	if same == nil {
		same = make(map[string]string)
	}
	for spelling, person := range same {
		if fold(person) == from {
			same[spelling] = into
		}
	}
	same[b.person(name)] = into
	if len(same) > maxSpellings {
		return say("too_many_spellings", "Max", maxSpellings)
	}
	b.resame(same)
	return nil
}

// part takes a spelling for a person of its own again.
func (b *book) part(spelling string) {
	same := maps.Clone(b.Same)
	delete(same, b.spelling[fold(spelling)])
	b.resame(same)
}

// forget has all spellings of a person's name shown no more.
func (b *book) forget(name string) error {
	key := b.key(name)
	names := append(b.spellings(key), key)
	if len(b.Forgotten)+len(names) > maxForgotten {
		return say("too_many_forgotten", "Max", maxForgotten)
	}
	same := maps.Clone(b.Same)
	b.Forgotten = slices.Clone(b.Forgotten)
	for _, spelling := range names {
		delete(same, spelling)
		if h := nameHash(fold(spelling)); !slices.Contains(b.Forgotten, h) {
			b.Forgotten = append(b.Forgotten, h)
		}
	}
	b.resame(same)
	return nil
}

// remember has a name shown again.
func (b *book) remember(name string) error {
	i := slices.Index(b.Forgotten, nameHash(fold(name)))
	if i < 0 {
		return say("not_forgotten")
	}
	b.Forgotten = slices.Delete(slices.Clone(b.Forgotten), i, i+1)
	return nil
}

// changePeople changes what is said about names, and what the club keeps of
// them, in one transaction.
func (c *club) changePeople(do func(*book, *clubDoc) error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	names, after := c.book, c.clubDoc
	if err := do(&names, &after); err != nil {
		return err
	}
	var changes []store.Change
	for id, doc := range map[string]any{bookID: names, clubID: after} {
		text, err := json.Marshal(doc)
		if err != nil {
			return err
		}
		changes = append(changes, store.Change{Table: id, Doc: text})
	}
	if err := c.store.Commit(changes...); err != nil {
		return fmt.Errorf("%w: %w", errStorage, err)
	}
	c.book, c.clubDoc = names, after
	return nil
}

// bar has a person sit out the next game of these rules.
func (c *clubDoc) bar(s suspension) error {
	if len(c.Suspended) >= maxBars {
		return say("too_many_bars", "Max", maxBars)
	}
	c.Suspensions++
	s.No = c.Suspensions
	c.Suspended = append(slices.Clone(c.Suspended), s)
	return nil
}

// lift takes a suspension back.
func (c *clubDoc) lift(no int) {
	c.Suspended = slices.DeleteFunc(slices.Clone(c.Suspended), func(s suspension) bool { return s.No == no })
}
