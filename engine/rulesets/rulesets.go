// Package rulesets is the one list of all rule systems.
package rulesets

import (
	"slices"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/boulevard"
	"github.com/mafiabox/mafiabox/engine/forum"
	"github.com/mafiabox/mafiabox/engine/gangs"
	"github.com/mafiabox/mafiabox/engine/sport"
)

// All is every rule system that the engine plays, so every record replays.
var All = append(slices.Clone(Playable), forum.Standard)

// Playable are those that a lobby offers, in its order. One whose thread and
// deadlines no page shows yet is left out: nobody could play it.
var Playable = []engine.Ruleset{boulevard.Standard, sport.Standard, gangs.Standard}

// Find is the rule system of that name among those given.
func Find(all []engine.Ruleset, id string) (engine.Ruleset, bool) {
	for _, r := range all {
		if r.ID() == id {
			return r, true
		}
	}
	return nil, false
}
