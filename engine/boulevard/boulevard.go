// Package boulevard is the city mafia: roles that block, cover, swap, heal,
// check and compare by night, a vote by day. The order of the night and what a
// block means are source/boulevard.txt's; seats, limits, the day and the end
// are club options, whose defaults come first.
package boulevard

import (
	"slices"

	"github.com/mafiabox/mafiabox/engine"
)

// The sides.
const (
	Town   engine.Side = "town"
	Mafia  engine.Side = "mafia"
	Maniac engine.Side = "maniac"
)

// The roles that the rules themselves name; every other role is only a row of the table.
const (
	don          engine.Role = "don"
	lawyer       engine.Role = "lawyer"
	commissioner engine.Role = "commissioner"
)

// Role is one row of the role table: what a role is, and what it may do at night.
type Role struct {
	engine.RoleInfo
	Does []engine.Verb
}

// Table is the roles of the game. A role is added here, and with a verb that
// exists already it needs nothing more than its name in the texts.
var Table = []Role{
	{engine.RoleInfo{Role: don, Side: Mafia}, []engine.Verb{engine.Shoot, engine.Seek}},
	{engine.RoleInfo{Role: "mafia", Side: Mafia, Many: true}, []engine.Verb{engine.Shoot}},
	{engine.RoleInfo{Role: lawyer, Side: Mafia}, []engine.Verb{engine.Cover}},
	{engine.RoleInfo{Role: commissioner, Side: Town}, []engine.Verb{engine.Check}},
	{engine.RoleInfo{Role: "doctor", Side: Town}, []engine.Verb{engine.Heal}},
	{engine.RoleInfo{Role: "putana", Side: Town}, []engine.Verb{engine.Block}},
	{engine.RoleInfo{Role: "maniac", Side: Maniac}, []engine.Verb{engine.Attack}},
	{engine.RoleInfo{Role: "journalist", Side: Town}, []engine.Verb{engine.Compare}},
	{engine.RoleInfo{Role: "barman", Side: Town, If: "barman"}, []engine.Verb{engine.Swap}},
	{engine.RoleInfo{Role: "civilian", Side: Town, Many: true}, nil},
}

// ability is what the rules say of a night verb, whoever has it.
type ability struct {
	targets    int
	redirected bool   // the Barman's swap moves it
	self       string // the option about naming oneself, if any
	repeat     string // the option about naming the same seat two nights running, if any
}

var abilities = map[engine.Verb]ability{
	engine.Shoot:   {targets: 1, redirected: true},
	engine.Attack:  {targets: 1, redirected: true},
	engine.Seek:    {targets: 1, redirected: true},
	engine.Check:   {targets: 1, redirected: true},
	engine.Heal:    {targets: 1, redirected: true, self: "doctor_self", repeat: "doctor_repeat"},
	engine.Compare: {targets: 2, redirected: true, self: "journalist_self"},
	engine.Cover:   {targets: 1, self: "lawyer_self", repeat: "lawyer_repeat"},
	engine.Block:   {targets: 1, self: "", repeat: "putana_repeat"},
	engine.Swap:    {targets: 2, self: "barman_self"},
}

// Rules is the rule system with its role table.
type Rules struct{ Table []Role }

// Standard is the game with the roles of the rules.
var Standard = Rules{Table}

const (
	fewest = 5
	most   = 20
)

// ID is "boulevard".
func (Rules) ID() string { return "boulevard" }

// Seats is how few and how many seats may play.
func (Rules) Seats() (int, int) { return fewest, most }

// Roles lists the table as a lobby may show it.
func (r Rules) Roles() (infos []engine.RoleInfo) {
	for _, row := range r.Table {
		infos = append(infos, row.RoleInfo)
	}
	return infos
}

// Options are the club's choices. The source text has no day procedure and no
// end, so most of them are the club's own; `lawyer` is what the text leaves
// open: it never says what the Lawyer's act is.
func (Rules) Options() []engine.Option {
	choice := func(name string, values ...string) engine.Option {
		return engine.Option{Name: name, Values: values, Source: "club"}
	}
	seconds := func(name string) engine.Option {
		return engine.Option{Name: name, Values: []string{"60"}, Min: 5, Max: 600, Source: "club"}
	}
	return []engine.Option{
		{Name: "lawyer", Values: []string{"check_cover", "flip", "guard", "ask"}, Open: true, Source: "source/boulevard.txt, step 3"},
		choice("lawyer_scope", "commissioner", "all_checks"),
		choice("lawyer_self", "yes", "no"),
		choice("lawyer_repeat", "no", "yes"),
		choice("barman", "off", "on"),
		choice("barman_self", "no", "yes"),
		choice("putana_repeat", "no", "yes"),
		choice("doctor_repeat", "no", "yes"),
		choice("doctor_self", "once", "free", "never"),
		choice("don_seek", "commissioner", "none"),
		choice("shot_choice", "don", "majority", "last"),
		choice("blocked_aim", "shared", "free"),
		choice("lawyer_shoots", "no", "yes"),
		choice("maniac_reads", "clear", "mafia"),
		choice("don_reads", "mafia", "clear"),
		choice("journalist_self", "no", "yes"),
		choice("friendly_fire", "no", "yes"),
		choice("first", "night", "acquaintance", "day"),
		choice("nominate", "anyone", "speaker"),
		choice("open_vote", "no", "yes"),
		choice("day_tie", "revote_then_nobody", "nobody", "ask"),
		seconds("speech_s"),
		seconds("last_word_s"),
		choice("reveal", "end", "on_exit"),
		choice("parity", "all", "town", "outnumber"),
		choice("duel", "draw", "ask", "mafia", "maniac"),
		choice("peek", "night", "always", "deal_only"),
	}
}

// Cast is one black in three and a half seats, the first the don, and the
// town's roles as the table grows.
func (Rules) Cast(seats int) []engine.Role {
	blacks := seats * 2 / 7
	cast := []engine.Role{don}
	for len(cast) < blacks {
		cast = append(cast, "mafia")
	}
	add := func(from int, role engine.Role) {
		if seats >= from {
			cast = append(cast, role)
		}
	}
	if seats >= 11 {
		cast[blacks-1] = lawyer
	}
	add(0, commissioner)
	add(7, "doctor")
	add(9, "putana")
	add(9, "maniac")
	add(13, "journalist")
	for len(cast) < seats {
		cast = append(cast, "civilian")
	}
	return cast
}

// Draws is nothing: all that is random is the deal.
func (Rules) Draws() []engine.Drawn { return nil }

// New begins a game in day 0, or with the ruling on the Lawyer.
func (r Rules) New(setup engine.Setup) (engine.State, []engine.Event, error) {
	options, err := engine.Options(r, setup.Options)
	if err != nil {
		return nil, nil, err
	}
	g := &game{options: options, table: r.Table, dealt: setup.Roles}
	if err := g.check(setup.Seats); err != nil {
		return nil, nil, err
	}
	return g.begin()
}

// check tells why a deal does not fit, as a *SetupError.
func (g *game) check(seats int) error {
	if seats < fewest || seats > most {
		return &engine.SetupError{Problem: "seats", Got: seats, Min: fewest, Max: most}
	}
	if len(g.dealt) != seats {
		return &engine.SetupError{Problem: "count", Got: len(g.dealt), Min: seats}
	}
	black, shooters := 0, 0
	for i, role := range g.dealt {
		row, ok := g.row(role)
		switch {
		case !ok, row.If != "" && g.options[row.If] != "on":
			return &engine.SetupError{Problem: "role", Role: role}
		case !row.Many && slices.Contains(g.dealt[:i], role):
			return &engine.SetupError{Problem: "twice", Role: role}
		}
		if row.Side == Mafia {
			black++
			if slices.Contains(row.Does, engine.Shoot) {
				shooters++
			}
		}
	}
	switch {
	case shooters == 0:
		return &engine.SetupError{Problem: "no_black"}
	case black >= seats-black:
		return &engine.SetupError{Problem: "too_many_black", Got: black}
	}
	return nil
}
