// Package rulesets is the one list of all rule systems.
package rulesets

import (
	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/boulevard"
	"github.com/mafiabox/mafiabox/engine/forum"
	"github.com/mafiabox/mafiabox/engine/gangs"
	"github.com/mafiabox/mafiabox/engine/sport"
)

// All is every rule system, in the order in which a lobby offers them.
var All = []engine.Ruleset{boulevard.Standard, sport.Standard, gangs.Standard, forum.Standard}

// Find is the rule system of that name among those given.
func Find(all []engine.Ruleset, id string) (engine.Ruleset, bool) {
	for _, r := range all {
		if r.ID() == id {
			return r, true
		}
	}
	return nil, false
}
