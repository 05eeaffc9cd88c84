// Package sport is the club's sport regulation for ten seats, and the day that
// package gangs stands on: speeches in rotation, nominations, votes, splits,
// fouls and removals. What a rule system with this day says for itself, its
// nights and its end, is a Sides; the rest is here, once.
package sport

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

// The roles that have more to do than to vote.
const (
	don     engine.Role = "don"
	mafia   engine.Role = "mafia"
	sheriff engine.Role = "sheriff"
)

var roles = []engine.RoleInfo{
	{Role: don, Side: Mafia},
	{Role: mafia, Side: Mafia, Many: true},
	{Role: sheriff, Side: Town},
	{Role: "town", Side: Town, Many: true},
}

var cast = []engine.Role{mafia, mafia, don, sheriff, "town", "town", "town", "town", "town", "town"}

type rules struct{}

// Standard is the game for ten seats.
var Standard engine.Ruleset = rules{}

// ID is "sport".
func (rules) ID() string { return "sport" }

// Seats is ten.
func (rules) Seats() (int, int) { return len(cast), len(cast) }

// Roles lists the roles as a lobby may show them.
func (rules) Roles() []engine.RoleInfo { return roles }

// Cast is the one set of roles of the regulation.
func (rules) Cast(int) []engine.Role { return slices.Clone(cast) }

// Draws is nothing: all that is random is the deal.
func (rules) Draws() []engine.Drawn { return nil }

// Options are the club's choices: federations differ in every number and in
// each variant. The defaults are what most public regulations agree on.
func (rules) Options() []engine.Option {
	return slices.Concat(
		[]engine.Option{seconds("agreement_s", 60), seconds("free_seating_s", 20)},
		DayOptions(),
		[]engine.Option{choice("shot_asks", "yes", "no")},
		DisciplineOptions(),
		[]engine.Option{choice("draw_after", "3+3", "3+2", "off"), PeekOption()},
	)
}

func choice(name string, values ...string) engine.Option {
	return engine.Option{Name: name, Values: values, Source: "club"}
}

func seconds(name string, usual int) engine.Option {
	return engine.Option{Name: name, Values: []string{strconv.Itoa(usual)}, Min: 5, Max: 600, Source: "club"}
}

// DayOptions are the choices about speeches, nominations, votes and splits.
func DayOptions() []engine.Option {
	return []engine.Option{
		seconds("speech_s", 60),
		choice("first_speaker", "next_after_first", "last_moves_on"),
		choice("withdraw", "impossible", "replace", "explicit"),
		seconds("last_word_s", 60),
		choice("victim_nominates", "no", "yes"),
		choice("open_vote", "no", "yes"),
		choice("zero_single", "no_vote", "vote"),
		choice("zero_top", "leaves", "talk", "nothing", "leaves_if_self_voted"),
		seconds("split_s", 30),
		choice("revote_order", "same", "reverse"),
		choice("shrinking_split", "again", "stay"),
		choice("second_tie", "ask", "stay"),
		choice("tie_of_all", "nobody", "ask_draw"),
		choice("two_of_four", "ask", "nobody"),
		choice("three_of_nine", "nobody", "ask", "nobody_day1"),
	}
}

// DisciplineOptions are the choices about the best move and about fouls.
func DisciplineOptions() []engine.Option {
	return []engine.Option{
		choice("best_move", "first_night", "off"),
		choice("best_move_after_double_exit", "no", "yes"),
		choice("third_foul", "lose_speech", "speech_30", "none"),
		choice("tech_fouls", "off", "two_out"),
	}
}

// PeekOption is when a phone may show its seat's role.
func PeekOption() engine.Option { return choice("peek", "night", "always", "deal_only") }

// New begins a game, which stands before night 0.
func (r rules) New(setup engine.Setup) (engine.State, []engine.Event, error) {
	options, err := engine.Options(r, setup.Options)
	if err != nil {
		return nil, nil, err
	}
	if err := CheckDeal(cast, setup); err != nil {
		return nil, nil, err
	}
	table, events := Begin(Game{Sides: sides{}, Options: options, Dealt: setup.Roles, Agreement: true, Picks: 2})
	return table, events, nil
}

// CheckDeal tells, as a *engine.SetupError, why a deal is not the one that these roles make.
func CheckDeal(cast []engine.Role, setup engine.Setup) error {
	if setup.Seats != len(cast) {
		return &engine.SetupError{Problem: "seats", Got: setup.Seats, Min: len(cast), Max: len(cast)}
	}
	if len(setup.Roles) != len(cast) {
		return &engine.SetupError{Problem: "count", Got: len(setup.Roles), Min: len(cast)}
	}
	for _, role := range slices.Concat(setup.Roles, cast) {
		switch dealt, usual := count(setup.Roles, role), count(cast, role); {
		case usual == 0:
			return &engine.SetupError{Problem: "role", Role: role}
		case dealt != usual:
			return &engine.SetupError{Problem: "deal", Role: role, Got: dealt, Min: usual, Max: usual}
		}
	}
	return nil
}

func count(roles []engine.Role, role engine.Role) (n int) {
	for _, r := range roles {
		if r == role {
			n++
		}
	}
	return n
}
