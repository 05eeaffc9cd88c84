package server

import (
	"slices"
	"strconv"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/record"
	"github.com/mafiabox/mafiabox/engine/rulesets"
)

// problem is something that a person did and that can't be done, as the key of
// a text that says what was expected, with its arguments.
type problem struct {
	Key  string
	Args map[string]any
}

func (p problem) Error() string { return p.Key }

func say(key string, args ...any) problem {
	p := problem{Key: key, Args: map[string]any{}}
	for i := 0; i+1 < len(args); i += 2 {
		p.Args[args[i].(string)] = args[i+1]
	}
	return p
}

// inLobby refuses what is only possible between games.
func (d *draft) inLobby() error {
	if d.doc.Stage != lobby {
		return say("not_in_lobby")
	}
	return nil
}

// setOption chooses a club option; the default is kept as no choice at all.
func (d *draft) setOption(rules engine.Ruleset, name, value string) error {
	if err := d.inLobby(); err != nil {
		return err
	}
	option, ok := findOption(rules, name)
	if ok && option.Zone && !option.Allows(value) {
		return say("bad_zone", "Value", value)
	}
	if !ok || !option.Allows(value) {
		return say("bad_option", "Option", name, "Value", value)
	}
	set := d.doc.Options[rules.ID()]
	if set == nil {
		set = make(map[string]string)
		d.doc.Options[rules.ID()] = set
	}
	delete(set, name)
	if value != option.Values[0] {
		set[name] = value
	}
	d.doc.Set, d.dirty = "", true
	return nil
}

// setRules chooses the rule system. Each keeps the options chosen for it; the
// roles are those of one alone.
func (d *draft) setRules(rules []engine.Ruleset, id string) error {
	if err := d.inLobby(); err != nil {
		return err
	}
	if _, ok := rulesets.Find(rules, id); !ok {
		return say("no_such_rules")
	}
	if id != d.doc.Rules {
		d.doc.Rules, d.doc.Set, d.doc.Cast, d.dirty = id, "", nil, true
	}
	return nil
}

// setCast chooses how many of each role there are; nil goes back to the usual.
func (d *draft) setCast(rules engine.Ruleset, counts map[string]int) error {
	if err := d.inLobby(); err != nil {
		return err
	}
	_, most := rules.Seats()
	for role, n := range counts {
		if !slices.ContainsFunc(rules.Roles(), func(r engine.RoleInfo) bool { return string(r.Role) == role }) || n < 0 || n > most {
			return say("bad_cast")
		}
	}
	d.doc.Cast, d.doc.Set, d.dirty = counts, "", true
	return nil
}

// cast is the set of roles that would be dealt now.
func (d doc) cast(rules engine.Ruleset) []engine.Role {
	if d.Cast == nil {
		return rules.Cast(d.seated())
	}
	var cast []engine.Role
	for _, r := range rules.Roles() {
		for range d.Cast[string(r.Role)] {
			cast = append(cast, r.Role)
		}
	}
	return cast
}

// next goes back to the lobby after a game, with the same people on the same seats.
func (d *draft) next() error {
	if !d.plays() {
		return say("not_playing")
	}
	if len(d.game.Log())+d.game.Posts() == 0 { // a wrong deal: nobody has done anything, so nobody is told the roles
		if err := d.act(engine.Act{By: engine.Host, Verb: engine.End}); err != nil {
			return err
		}
	}
	if !d.game.Ended() {
		return say("still_playing")
	}
	if len(d.game.Log()) > 1 {
		d.doc.Played++
	}
	d.doc.Stage = lobby
	if d.box != nil { // a draft of a test may have none
		for seat := range d.box.twice(d.table, d.doc) {
			d.leave(seat) // gone to another table since the game was over
		}
	}
	d.dirty = true
	return nil
}

// seatNumber reads a seat from a form; zero is none.
func seatNumber(s string) engine.Seat {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > record.MaxSeats {
		return 0
	}
	return engine.Seat(n)
}
