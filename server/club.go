package server

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/mafiabox/mafiabox/server/store"
)

// clubID is under what the store keeps what belongs to the whole box. No table
// has it: theirs are numbers.
const clubID = "club"

// maxSets is how many sets of its own a club may keep.
const maxSets = 30

// club is what the box knows besides its tables: the club's own sets of options
// and roles, for every table.
type club struct {
	mu    sync.Mutex
	store store.Store
	Sets  []set `json:"sets"`
}

// set is a choice of options and roles under a name.
type set struct {
	Name    string            `json:"name"`
	Rules   string            `json:"rules"`
	Options map[string]string `json:"options"` // those that differ from the default
	Cast    map[string]int    `json:"cast"`    // nil: the usual
}

func openClub(s store.Store, text []byte) (*club, error) {
	c := &club{store: s}
	if text == nil {
		return c, nil
	}
	if err := json.Unmarshal(text, c); err != nil {
		return nil, fmt.Errorf("the club's sets can't be read: %w", err)
	}
	return c, nil
}

// sets are those of a rule system.
func (c *club) sets(rules string) (all []set) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range c.Sets {
		if s.Rules == rules {
			all = append(all, s)
		}
	}
	return all
}

func (c *club) find(rules, name string) (set, error) {
	for _, s := range c.sets(rules) {
		if s.Name == name {
			return s, nil
		}
	}
	return set{}, say("no_such_set")
}

// keep stores a set, and tells under which name; one of the same name gives way.
func (c *club) keep(s set) (name string, err error) {
	name, bad := tidyName(s.Name)
	if bad != "" {
		return "", say(bad, "Max", maxName)
	}
	s.Name, s.Options, s.Cast = name, maps.Clone(s.Options), maps.Clone(s.Cast)
	return name, c.change(func(sets []set) ([]set, error) {
		sets = slices.DeleteFunc(sets, func(o set) bool { return o.Rules == s.Rules && fold(o.Name) == fold(name) })
		if len(sets) >= maxSets {
			return nil, say("too_many_sets", "Max", maxSets)
		}
		sets = append(sets, s)
		slices.SortFunc(sets, func(a, b set) int { return strings.Compare(a.Name, b.Name) })
		return sets, nil
	})
}

func (c *club) drop(rules, name string) error {
	return c.change(func(sets []set) ([]set, error) {
		return slices.DeleteFunc(sets, func(o set) bool { return o.Rules == rules && o.Name == name }), nil
	})
}

// change stores the sets as they would be, and then has them.
func (c *club) change(do func([]set) ([]set, error)) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	sets, err := do(slices.Clone(c.Sets))
	if err != nil {
		return err
	}
	text, err := json.Marshal(&club{Sets: sets})
	if err != nil {
		return err
	}
	if err := c.store.Commit(store.Change{Table: clubID, Doc: text}); err != nil {
		return fmt.Errorf("%w: %w", errStorage, err)
	}
	c.Sets = sets
	return nil
}

// useSet takes a set's options and roles for the next game.
func (d *draft) useSet(s set) error {
	if err := d.inLobby(); err != nil {
		return err
	}
	d.doc.Options[s.Rules] = maps.Clone(s.Options)
	if d.doc.Options[s.Rules] == nil {
		d.doc.Options[s.Rules] = make(map[string]string)
	}
	d.doc.Cast, d.doc.Set, d.dirty = maps.Clone(s.Cast), s.Name, true
	return nil
}

// keepAs names the set that options and roles are of.
func (d *draft) keepAs(name string) error {
	if err := d.inLobby(); err != nil {
		return err
	}
	d.doc.Set, d.dirty = name, true
	return nil
}
