// Package forum is Mafia 139, the game of a web forum whose rounds last a day:
// everybody votes and writes in one thread, and rounds close at their deadline.
// What happens by itself happens when a clock act moves time past its moment.
//
// The rules are rules/source/forum.txt, named here by their numbers; its
// referee's notes override the rest.
package forum

import (
	"slices"
	"strconv"

	"github.com/mafiabox/mafiabox/engine"
)

// The sides.
const (
	Town  engine.Side = "town"
	Mafia engine.Side = "mafia"
)

const (
	mafia     engine.Role = "mafia"
	inspector engine.Role = "inspector"
	town      engine.Role = "town"
)

var roles = []engine.RoleInfo{
	{Role: mafia, Side: Mafia, Many: true},
	{Role: inspector, Side: Town},
	{Role: town, Side: Town, Many: true},
}

type rules struct{}

// Standard is the game for five to forty seats.
var Standard engine.Ruleset = rules{}

// ID is "forum".
func (rules) ID() string { return "forum" }

// Seats is 5 to 40.
func (rules) Seats() (int, int) { return 5, 40 }

// Roles lists the roles as a lobby may show them.
func (rules) Roles() []engine.RoleInfo { return roles }

// Cast is three mafiosi and the Inspector for eleven seats (source/forum.txt,
// 1), and for others a quarter of the mafia, to the nearest whole.
func (rules) Cast(seats int) []engine.Role {
	black := (seats + 2) / 4
	return slices.Concat(
		slices.Repeat([]engine.Role{mafia}, black),
		[]engine.Role{inspector},
		slices.Repeat([]engine.Role{town}, max(0, seats-black-1)),
	)
}

// Draws is the mafioso whom the Inspector knows. The rules' permutation of the
// sign-ups makes it any of them (source/forum.txt, 1); a record may leave it
// out, then it is the last seat of the mafia.
func (rules) Draws() []engine.Drawn { return []engine.Drawn{{Name: "known_mafia", Holder: mafia}} }

// Options are what the rules leave to the referee, who says it before the game
// begins (source/forum.txt, after 14).
func (rules) Options() []engine.Option {
	choice := func(source, name string, values ...string) engine.Option {
		return engine.Option{Name: name, Values: values, Source: "source/forum.txt, " + source}
	}
	hours := func(source, name string, usual, fewest, most int) engine.Option {
		return engine.Option{Name: name, Values: []string{strconv.Itoa(usual)}, Min: fewest, Max: most, Source: "source/forum.txt, " + source}
	}
	open := func(o engine.Option) engine.Option {
		o.Open = true
		return o
	}
	return []engine.Option{
		{Name: "zone", Values: []string{"America/New_York"}, Zone: true, Source: "source/forum.txt, notes"},
		hours("3", "round_h", 24, 1, 168),
		hours("3e", "runoff_h", 24, 1, 168),
		hours("notes", "extension_h", 6, 1, 72),
		hours("notes", "late_vote_h", 6, 0, 72),
		choice("club", "self_vote", "yes", "no"),
		choice("16", "lock_keeps", "no", "yes"),
		choice("16", "d5", "three_alive", "fifth_day", "five_alive", "off"),
		{Name: "runoff_limit", Values: []string{"0"}, Max: 20, Source: "source/forum.txt, 3e"},
		choice("3g", "two_missed", "all_leave", "ask"),
		choice("8", "night_end", "both", "limit"),
		hours("8", "night_h", 18, 1, 72),
		hours("8", "night_min_h", 6, 0, 72),
		choice("5", "missed_whack_reveal", "ask", "yes", "no"),
		open(choice("8b", "missed_whack_round", "if_even", "ask", "always")),
		choice("1a", "post_death", "town", "all", "off"),
		choice("15", "outsiders", "yes", "no"),
	}
}

// New begins a game in day 1, or with the one point that the rules leave open.
func (r rules) New(setup engine.Setup) (engine.State, []engine.Event, error) {
	options, err := engine.Options(r, setup.Options)
	if err != nil {
		return nil, nil, err
	}
	if err := check(setup); err != nil {
		return nil, nil, err
	}
	g := &game{options: options, dealt: setup.Roles}
	if g.known, err = known(setup); err != nil {
		return nil, nil, err
	}
	if g.zone, err = engine.Zone(options["zone"]); err != nil {
		return nil, nil, &engine.SetupError{Problem: "option", Option: "zone " + options["zone"]}
	}
	for i := range setup.Roles {
		called := strconv.Itoa(i + 1)
		if i < len(setup.Names) && setup.Names[i] != "" {
			called = setup.Names[i]
		}
		g.names = append(g.names, newName(called))
	}
	s := state{game: g, missed: make([]int, len(g.dealt)+1), warned: make([]int, len(g.dealt)+1)}
	s.now = setup.Start
	return s.begin()
}

// check tells, as a *engine.SetupError, why nobody can play with this deal. The
// mafia may be as many as the others, not more: then it would have won.
func check(setup engine.Setup) error {
	fewest, most := Standard.Seats()
	if setup.Seats < fewest || setup.Seats > most {
		return &engine.SetupError{Problem: "seats", Got: setup.Seats, Min: fewest, Max: most}
	}
	if len(setup.Roles) != setup.Seats {
		return &engine.SetupError{Problem: "count", Got: len(setup.Roles), Min: setup.Seats}
	}
	dealt := make(map[engine.Role]int)
	for _, role := range setup.Roles {
		if !slices.ContainsFunc(roles, func(i engine.RoleInfo) bool { return i.Role == role }) {
			return &engine.SetupError{Problem: "role", Role: role}
		}
		dealt[role]++
	}
	switch {
	case dealt[inspector] != 1:
		return &engine.SetupError{Problem: "deal", Role: inspector, Got: dealt[inspector], Min: 1, Max: 1}
	case dealt[mafia] == 0:
		return &engine.SetupError{Problem: "no_black"}
	case dealt[mafia] > setup.Seats-dealt[mafia]:
		return &engine.SetupError{Problem: "too_many_black", Got: dealt[mafia]}
	}
	return nil
}

// known is the mafioso whom the Inspector learns.
func known(setup engine.Setup) (engine.Seat, error) {
	black := rules{}.Draws()[0].Among(setup.Roles)
	drawn, ok := setup.Draws["known_mafia"]
	if !ok {
		drawn = black[len(black)-1]
	}
	if !slices.Contains(black, drawn) {
		return 0, &engine.SetupError{Problem: "draw", Option: "known_mafia"}
	}
	seat, err := strconv.Atoi(drawn)
	return engine.Seat(seat), err
}
