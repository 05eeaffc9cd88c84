// Package server is the tables of the box, the people at them, and their pages.
// It knows phases, offers and events, and what a role does is the engine's alone: what a page shows is what
// the engine's Seen holds for its viewer.
package server

import (
	"crypto/subtle"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/mafiabox/mafiabox/engine"
)

// doc is what a table is besides the acts of its game. It is stored whole.
type doc struct {
	Code    string                       `json:"code"` // five letters, to join by
	Boot    string                       `json:"boot"` // the start of the machine that the code is of
	Hosts   []string                     `json:"hosts"`
	People  []person                     `json:"people"` // by seat; while a game is on it stays as it is, and no seat is free
	Shut    bool                         `json:"shut"`   // no phone may join now
	Old     []string                     `json:"old"`    // the join codes before, the latest last
	Rules   string                       `json:"rules"`
	Set     string                       `json:"set"`               // the club's own set that options and roles are of, unchanged; empty: none
	Options map[string]map[string]string `json:"options"`           // by rule system: those that differ from the default
	Cast    map[string]int               `json:"cast"`              // how many of each role; nil: the usual for that many seats
	Game    int                          `json:"game"`              // the number of the game that is on, or of the last one
	Broken  bool                         `json:"broken,omitempty"`  // that game was given up at a frozen table: nothing is written to it any more
	Deleted bool                         `json:"deleted,omitempty"` // that game was deleted
	Played  int                          `json:"played"`            // games that were more than a deal
	Stage   stage                        `json:"stage"`
	Screens []string                     `json:"screens"` // the hashes of the devices that are its screens
	Story   bool                         `json:"story"`   // the host has opened the story of the game
	Read    []engine.Seat                `json:"read"`    // who has held to read since the night closed
	Misled  []engine.Seat                `json:"misled"`  // who had read an answer that was corrected since
	Sat     int                          `json:"sat"`     // the last of the club's suspensions when the game was dealt: it is the one to sit out
	Led     int                          `json:"led"`     // how many devices have been host of the game that is on
	Opened  bool                         `json:"opened"`  // the owner of the box may read its record
	Clock   clockNote                    `json:"clock"`   // how the clock stood when it was noted last
	Alive   time.Time                    `json:"alive"`   // when the box was last known to be on, in a game with deadlines
	Held    []heldAct                    `json:"-"`       // what waits for the time; stored by itself
	Away    []away                       `json:"away"`    // when the box was off, in the game that is on
	Keys    []string                     `json:"keys"`    // of the forms that changed it last, the oldest first
	Mended  []mending                    `json:"mended"`  // what the host is to be told of losses
}

// keptKeys is how many of those keys a document holds. It is stored whole with
// each change, so they cost up to a kilobyte each time, a fifth of a full
// table. That reaches back far enough for phones that ask again after the box
// was away: only what was accepted counts, and players, who join once and read
// once a night, can't push a host's key out between two tries.
const keptKeys = 32

// keep remembers the key of a form that has changed the document.
func (d *doc) keep(key string) {
	if key == "" {
		return
	}
	d.Keys = append(d.Keys, key)
	d.Keys = d.Keys[max(0, len(d.Keys)-keptKeys):]
}

type stage string

const (
	lobby   stage = "lobby"
	playing stage = "playing" // and after the end, until the host goes on to the next game
)

// person is who sits on a seat. Without a device the host enters the acts.
type person struct {
	Name   string `json:"name"`
	Device string `json:"device"` // the hash of the device's token
	Salt   string `json:"salt"`   // drawn with the seat, so that its page never shows a ticket again
	Ticket string `json:"ticket"` // the hash of the ticket that its page shows
}

func (d doc) clone() doc {
	d.Hosts = slices.Clone(d.Hosts)
	d.People = slices.Clone(d.People)
	d.Screens, d.Old = slices.Clone(d.Screens), slices.Clone(d.Old)
	d.Read, d.Misled, d.Keys = slices.Clone(d.Read), slices.Clone(d.Misled), slices.Clone(d.Keys)
	d.Held, d.Away, d.Mended = slices.Clone(d.Held), slices.Clone(d.Away), slices.Clone(d.Mended)
	d.Cast = maps.Clone(d.Cast)
	options := make(map[string]map[string]string, len(d.Options))
	for rules, set := range d.Options {
		options[rules] = maps.Clone(set)
	}
	d.Options = options
	return d
}

func (d doc) encode() []byte {
	text, err := json.Marshal(d)
	if err != nil {
		panic(err) // strings, numbers and maps of them
	}
	return text
}

func (d *doc) decode(text []byte) error {
	if err := json.Unmarshal(text, d); err != nil {
		return fmt.Errorf("its document can't be read: %w", err)
	}
	return nil
}

// names are the people's names by seat.
func (d doc) names() (all []string) {
	for _, p := range d.People {
		all = append(all, p.Name)
	}
	return all
}

// seatOf is the seat that a device holds; zero: none.
func (d doc) seatOf(device string) engine.Seat {
	if device == "" {
		return 0
	}
	return engine.Seat(1 + slices.IndexFunc(d.People, func(p person) bool { return equal(p.Device, device) }))
}

// ticketOf is the ticket that a seat's page shows on the phone with that token,
// if it is the one that counts.
func (d doc) ticketOf(seat engine.Seat, token []byte, table string) string {
	p := d.People[seat-1]
	own := ownTicket(token, table, p.Salt)
	if !equal(p.Ticket, hash([]byte(own))) {
		return ""
	}
	return own
}

func (d doc) hosts(device string) bool { return isAmong(device, d.Hosts) }

// shownOn tells whether a device is a screen of the table.
func (d doc) shownOn(device string) bool { return isAmong(device, d.Screens) }

func isAmong(device string, devices []string) bool {
	return device != "" && slices.ContainsFunc(devices, func(d string) bool { return equal(d, device) })
}

// equal compares what stands for a secret, in a time that tells nothing of it.
func equal(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }
