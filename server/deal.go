package server

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"strings"
	"time"
	"unicode"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/record"
)

// tryDeal tells what would keep a game with this cast from beginning.
func (d doc) tryDeal(rules engine.Ruleset) error {
	cast := d.cast(rules)
	_, _, err := engine.Begin(rules, engine.Setup{Seats: d.seated(), Options: d.ruled(rules), Roles: cast, Draws: draws(rules, cast)})
	return err
}

// deal begins the next game. Roles are shuffled by the box, or given by hand as
// the physical cards fell. Record and store get the roles and never the dice.
func (d *draft) deal(rules engine.Ruleset, byHand []engine.Role) error {
	if err := d.inLobby(); err != nil {
		return err
	}
	if err := d.doc.seatedSuspended(d.suspended()); err != nil {
		return err
	}
	if err := d.doc.noGaps(); err != nil {
		return err
	}
	if d.box != nil { // a draft of a test may have none
		if err := d.box.onceEach(d.table, d.doc); err != nil {
			return err
		}
	}
	roles := byHand
	if roles == nil {
		roles = engine.Deal(d.doc.cast(rules), seed())
	}
	setup := engine.Setup{Seats: len(d.doc.People), Options: d.doc.ruled(rules), Roles: roles, Names: d.doc.names(), Draws: draws(rules, roles)}
	if hasDeadlines(rules) && d.doc.house(rules, "deadlines") == "yes" {
		if !d.known {
			return say("time_unsure")
		}
		setup.Start = d.time.In(d.zone(rules)).Truncate(time.Second)
	}
	game, opening, err := engine.Begin(rules, setup)
	if err != nil {
		return asProblem(err)
	}
	d.closeLast()
	d.doc.Game++
	d.doc.Story, d.doc.Read, d.doc.Misled = false, nil, nil
	d.doc.Sat = d.clubNow().Suspensions
	d.doc.Led, d.doc.Opened = len(d.doc.Hosts), false
	d.doc.Stage = playing
	d.game, d.dirty = game, true
	d.clock, d.stepAt, d.pages = clockwork{}, d.now, nil
	d.due, d.settled = dues{moved: setup.Start}, true
	d.doc.Held, d.doc.Away, d.doc.Alive = nil, nil, d.time
	d.change().Head = d.writeHead(rules, setup, opening)
	return nil
}

// closeLast ends the game before in the store: until now it could be appealed
// against.
func (d *draft) closeLast() {
	if d.doc.Game > 0 && !d.doc.Deleted && !d.doc.Broken && !d.over {
		d.change().Over = true
	}
	d.doc.Deleted, d.doc.Broken, d.over = false, false, false
}

// draws are the random outcomes that the rules need besides the deal of these
// roles. A cast without the role that a draw is among fits no rules that have it.
func draws(rules engine.Ruleset, roles []engine.Role) map[string]string {
	all := make(map[string]string)
	for _, d := range rules.Draws() {
		if among := d.Among(roles); len(among) > 0 {
			all[d.Name] = among[seed()%uint64(len(among))]
		}
	}
	return all
}

// writeHead is the record's header of a game, up to the results of its beginning.
func (d *draft) writeHead(rules engine.Ruleset, setup engine.Setup, opening []engine.Event) []byte {
	h := record.Header{Rules: rules, Seats: setup.Seats, Roles: setup.Roles, Names: setup.Names, Start: setup.Start}
	if d.known {
		h.Date = d.time.In(d.zone(rules)).Format("2006-01-02")
	}
	for _, o := range rules.Options() {
		if value, set := setup.Options[o.Name]; set {
			h.Options = append(h.Options, record.Setting{Name: o.Name, Value: value})
		}
	}
	for _, drawn := range rules.Draws() {
		h.Draws = append(h.Draws, record.Setting{Name: drawn.Name, Value: setup.Draws[drawn.Name]})
	}
	text := record.FormatHeader(h)
	if d.doc.Set != "" {
		text = setComment + strings.Map(printable, d.doc.Set) + "\n" + text
	}
	for _, e := range opening {
		text += "= " + record.FormatEvent(e) + "\n"
	}
	return []byte(text)
}

// printable drops what might end a comment's line.
func printable(r rune) rune {
	if !unicode.IsPrint(r) {
		return -1
	}
	return r
}

// asProblem is a deal's error in the words of the texts.
func asProblem(err error) error {
	var e *engine.SetupError
	if !errors.As(err, &e) {
		return err
	}
	return say("setup_"+e.Problem, "Role", string(e.Role), "Got", e.Got, "Min", e.Min, "Max", e.Max, "Option", e.Option)
}

func seed() uint64 {
	var b [8]byte
	rand.Read(b[:])
	return binary.LittleEndian.Uint64(b[:])
}
