package server

import (
	mathrand "math/rand/v2"
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

// join gives a device a seat, or finds the one it has.
func (d *draft) join(rules engine.Ruleset, device, typed string) error {
	if d.doc.seatOf(device) != 0 && device != "" {
		return nil
	}
	if err := d.inLobby(); err != nil {
		return say("join_playing")
	}
	name, bad := tidyName(typed)
	if bad != "" {
		return say(bad, "Max", maxName)
	}
	if _, most := rules.Seats(); len(d.doc.People) >= most {
		return say("table_full", "Max", most)
	}
	distinct := distinctName(name, d.doc.People)
	if err := d.letsIn(name, distinct); err != nil {
		return err
	}
	d.doc.People = append(d.doc.People, person{Name: distinct, Device: device})
	d.dirty = true
	return nil
}

// rename gives a person another name, between games.
func (d *draft) rename(seat engine.Seat, typed string) error {
	if err := d.inLobby(); err != nil {
		return err
	}
	if seat < 1 || int(seat) > len(d.doc.People) {
		return say("no_such_seat")
	}
	name, bad := tidyName(typed)
	if bad != "" {
		return say(bad, "Max", maxName)
	}
	others := slices.Delete(slices.Clone(d.doc.People), int(seat)-1, int(seat))
	distinct := distinctName(name, others)
	if err := d.letsIn(name, distinct); err != nil {
		return err
	}
	d.doc.People[seat-1].Name = distinct
	d.dirty = true
	return nil
}

// part takes a person off the table, between games; seats behind move up.
func (d *draft) part(seat engine.Seat) error {
	if err := d.inLobby(); err != nil {
		return err
	}
	if seat < 1 || int(seat) > len(d.doc.People) {
		return say("no_such_seat")
	}
	d.doc.People = slices.Delete(d.doc.People, int(seat)-1, int(seat))
	d.dirty = true
	return nil
}

// move puts a person on another seat, between games; the others close up.
func (d *draft) move(from, to engine.Seat) error {
	if err := d.inLobby(); err != nil {
		return err
	}
	if n := engine.Seat(len(d.doc.People)); from < 1 || to < 1 || from > n || to > n {
		return say("no_such_seat")
	}
	p := d.doc.People[from-1]
	d.doc.People = slices.Insert(slices.Delete(d.doc.People, int(from)-1, int(from)), int(to)-1, p)
	d.dirty = true
	return nil
}

// shuffle draws a new order of the seats, between games.
func (d *draft) shuffle() error {
	if err := d.inLobby(); err != nil {
		return err
	}
	rng := mathrand.New(mathrand.NewPCG(seed(), seed()))
	rng.Shuffle(len(d.doc.People), func(i, j int) {
		d.doc.People[i], d.doc.People[j] = d.doc.People[j], d.doc.People[i]
	})
	d.dirty = true
	return nil
}

// newCode draws another join code: that of an earlier evening leads nowhere.
func (d *draft) newCode(b *Box) error {
	d.doc.Code, d.doc.Boot, d.dirty = b.freshCode(), b.cfg.Boot, true
	return nil
}

// newEvening takes everybody off the table, between games, and draws another
// join code.
func (d *draft) newEvening(b *Box) error {
	if err := d.inLobby(); err != nil {
		return err
	}
	d.doc.People, d.doc.Played = nil, 0
	return d.newCode(b)
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
		return rules.Cast(len(d.People))
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
