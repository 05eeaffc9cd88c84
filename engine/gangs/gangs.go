// Package gangs is two gangs of two against a town of eight. Its day is the
// sport regulation's (package sport), which rules/source/gangs.txt keeps for
// all that it does not itself decide; the nights, the hidden order of the shots
// and the end are that text's. What it leaves unapproved is open: settled in
// the lobby, or asked of the host, never decided by the box.
package gangs

import (
	"slices"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/sport"
)

// The sides.
const (
	Town    engine.Side = "town"
	Irish   engine.Side = "irish"
	Italian engine.Side = "italian"
)

const (
	boss     engine.Role = "boss"
	gangster engine.Role = "gangster"
	don      engine.Role = "don"
	mafioso  engine.Role = "mafioso"
	sheriff  engine.Role = "sheriff"
)

var roles = []engine.RoleInfo{
	{Role: boss, Side: Irish},
	{Role: gangster, Side: Irish},
	{Role: don, Side: Italian},
	{Role: mafioso, Side: Italian},
	{Role: sheriff, Side: Town},
	{Role: "town", Side: Town, Many: true},
}

// cast is the one set of roles (rules/source/gangs.txt, composition).
var cast = []engine.Role{boss, gangster, don, mafioso, sheriff, "town", "town", "town", "town", "town", "town", "town"}

type rules struct{}

// Standard is the game for twelve seats.
var Standard engine.Ruleset = rules{}

// ID is "gangs".
func (rules) ID() string { return "gangs" }

// Seats is twelve.
func (rules) Seats() (int, int) { return len(cast), len(cast) }

// Roles lists the roles as a lobby may show them.
func (rules) Roles() []engine.RoleInfo { return roles }

// Cast is the one set of roles.
func (rules) Cast(int) []engine.Role { return slices.Clone(cast) }

// Draws is whose shot counts first (rules/source/gangs.txt, later nights).
func (rules) Draws() []engine.Drawn {
	return []engine.Drawn{{Name: "first_gang", Values: []string{string(Irish), string(Italian)}}}
}

// Options are the club's choices for sport's day, then the points that are not approved.
func (rules) Options() []engine.Option {
	club := func(name string, values ...string) engine.Option {
		return engine.Option{Name: name, Values: values, Source: "club"}
	}
	return slices.Concat(
		[]engine.Option{club("draw_after", "off", "3+3")},
		sport.DayOptions(), sport.DisciplineOptions(), openPoints(),
		[]engine.Option{sport.PeekOption()},
	)
}

// openPoints are what rules/source/gangs.txt says is not approved, or leaves
// to be read in two ways.
func openPoints() []engine.Option {
	open := func(source, name string, values ...string) engine.Option {
		return engine.Option{Name: name, Values: values, Open: true, Source: "source/gangs.txt, " + source}
	}
	return []engine.Option{
		open("later nights", "first_night_shots", "ask", "turn", "both"),
		open("limits of the regulation", "shot_by", "ask", "leader", "either", "agree"),
		open("to be confirmed", "gang_knows", "ask", "each_other", "nobody"),
		open("to be confirmed", "gang_channel", "off", "night", "always"),
		open("to be confirmed", "search_shared", "no", "yes"),
		open("to be confirmed", "killed_asks", "ask", "yes", "no"),
		open("hidden roles and the end", "final_state", "ask", "draw"),
	}
}

// asked are the open points that the host settles before the first day;
// final_state comes up when it comes up.
func asked() []engine.Option {
	return slices.DeleteFunc(openPoints(), func(o engine.Option) bool { return o.Name == "final_state" || o.Values[0] != "ask" })
}

// New begins a game in day 1, or with the first of the open points.
func (r rules) New(setup engine.Setup) (engine.State, []engine.Event, error) {
	options, err := engine.Options(r, setup.Options)
	if err != nil {
		return nil, nil, err
	}
	if err := sport.CheckDeal(cast, setup); err != nil {
		return nil, nil, err
	}
	first := engine.Side(setup.Draws["first_gang"])
	if first != Irish && first != Italian {
		return nil, nil, &engine.SetupError{Problem: "draw", Option: "first_gang"}
	}
	table, events := sport.Begin(sport.Game{
		Sides: gangs{first}, Options: options, Dealt: setup.Roles, Picks: 2, Asks: asked(),
	})
	return state{table}, events, nil
}
