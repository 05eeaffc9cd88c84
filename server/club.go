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

// club is what the box knows besides its tables. It is stored whole.
type club struct {
	mu    sync.Mutex
	store store.Store
	clubDoc
	book book
}

type clubDoc struct {
	Sets  []set     `json:"sets"`  // the club's own sets of options and roles, for every table
	Hours confirmed `json:"hours"` // what time a host has said it is

	Panel string `json:"panel,omitempty"` // the table that the panel belongs to; empty: the first
	Quiet quiet  `json:"quiet"`           // when the buzzer is silent

	Suspended   []suspension `json:"suspended,omitempty"`   // who sits out the next game of some rules
	Suspensions int          `json:"suspensions,omitempty"` // how many there ever were

	Imports int `json:"imports,omitempty"` // the number of the last game that came as a file
	Coming  int `json:"coming,omitempty"`  // of the one that is being stored in several commits; zero: none
}

// set is a choice of options and roles under a name.
type set struct {
	Name    string            `json:"name"`
	Rules   string            `json:"rules"`
	Options map[string]string `json:"options"` // those that differ from the default
	Cast    map[string]int    `json:"cast"`    // nil: the usual
}

func openClub(s store.Store, text, people []byte) (*club, error) {
	c := &club{store: s}
	if err := c.book.decode(people); err != nil {
		return nil, err
	}
	if text != nil {
		if err := json.Unmarshal(text, &c.clubDoc); err != nil {
			return nil, fmt.Errorf("the club's sets can't be read: %w", err)
		}
	}
	games, err := s.Games(importID)
	for _, n := range games { // a club that began anew counts on
		c.Imports = max(c.Imports, n)
	}
	return c, err
}

// panel is the table that a host gave the panel to; "" for none.
func (c *club) panel() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.Panel
}

// quiet is when the buzzer is silent.
func (c *club) quiet() quiet {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.Quiet
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
	return name, c.change(func(d *clubDoc) error {
		d.Sets = slices.DeleteFunc(slices.Clone(d.Sets), func(o set) bool { return o.Rules == s.Rules && fold(o.Name) == fold(name) })
		if len(d.Sets) >= maxSets {
			return say("too_many_sets", "Max", maxSets)
		}
		d.Sets = append(d.Sets, s)
		slices.SortFunc(d.Sets, func(a, b set) int { return strings.Compare(a.Name, b.Name) })
		return nil
	})
}

func (c *club) drop(rules, name string) error {
	return c.change(func(d *clubDoc) error {
		d.Sets = slices.DeleteFunc(slices.Clone(d.Sets), func(o set) bool { return o.Rules == rules && o.Name == name })
		return nil
	})
}

// change stores the club as it would be, in one transaction with what changes
// elsewhere, and then has it. What it holds is never changed in place.
func (c *club) change(do func(*clubDoc) error, elsewhere ...store.Change) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	after := c.clubDoc
	if err := do(&after); err != nil {
		return err
	}
	text, err := json.Marshal(after)
	if err != nil {
		return err
	}
	if err := c.store.Commit(append(elsewhere, store.Change{Table: clubID, Doc: text})...); err != nil {
		return fmt.Errorf("%w: %w", errStorage, err)
	}
	c.clubDoc = after
	return nil
}

// clubSet uses, keeps or drops one of the club's sets. The club is stored
// before the table, which keeps the form's key: between the two a pulled plug
// leaves what the same form only does again.
func (d *draft) clubSet(c *club, do, name string) error {
	rules := d.doc.Rules
	switch do {
	case "use":
		s, err := c.find(rules, name)
		if err != nil {
			return err
		}
		return d.useSet(s)
	case "keep":
		name, err := c.keep(set{Name: name, Rules: rules, Options: d.doc.Options[rules], Cast: d.doc.Cast})
		if err == nil && d.doc.Stage == lobby {
			d.doc.Set = name
		}
		d.dirty = true // also where nothing but the list has changed
		return err
	case "drop":
		d.dirty = true
		return c.drop(rules, name)
	}
	return say("no_such_set")
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
