package server

import (
	"maps"
	"slices"

	"github.com/mafiabox/mafiabox/engine"
)

// house are the choices of a club that are the table's and not the rules': a
// game's record doesn't need them.
func house(rules engine.Ruleset) []engine.Option {
	if !hasDeadlines(rules) {
		return nil
	}
	return []engine.Option{
		{Name: "deadlines", Values: []string{"yes", "no"}},    // no: the host closes, as in an evening at a table
		{Name: "away", Values: []string{"close", "move"}},     // the box was off over a deadline: it holds, or moves by that time
		{Name: "screen_owing", Values: []string{"yes", "no"}}, // the table's screen names who has yet to vote
	}
}

// options are all choices before a game under these rules. Whether there are
// deadlines comes first.
func options(rules engine.Ruleset) []engine.Option { return append(house(rules), rules.Options()...) }

func findOption(rules engine.Ruleset, name string) (engine.Option, bool) {
	all := options(rules)
	i := slices.IndexFunc(all, func(o engine.Option) bool { return o.Name == name })
	if i < 0 {
		return engine.Option{}, false
	}
	return all[i], true
}

// ruled are the choices that the rules know.
func (d doc) ruled(rules engine.Ruleset) map[string]string {
	set := maps.Clone(d.Options[rules.ID()])
	for _, o := range house(rules) {
		delete(set, o.Name)
	}
	return set
}

// house is the club's choice of one of its own.
func (d doc) house(rules engine.Ruleset, name string) string {
	for _, o := range house(rules) {
		if value, set := d.Options[rules.ID()][name]; o.Name == name && !set {
			return o.Values[0]
		} else if o.Name == name {
			return value
		}
	}
	return ""
}
