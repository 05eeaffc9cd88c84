package gangs

import (
	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/sport"
)

// Verdict is the end by rules/source/gangs.txt, hidden roles and the end. A
// state that it leaves open is the host's to decide.
func (gangs) Verdict(t *sport.Table) sport.Verdict {
	irish, italian := len(members(t, Irish)), len(members(t, Italian))
	town := len(t.Living()) - irish - italian
	switch {
	case irish+italian == 0:
		return sport.Verdict{Over: true, Winner: Town}
	case italian == 0:
		return sport.Verdict{Over: irish >= town, Winner: Irish}
	case irish == 0:
		return sport.Verdict{Over: italian >= town, Winner: Italian}
	case irish == 1 && italian == 1:
		return sport.Verdict{Over: town <= 1}
	case town > 0:
		return sport.Verdict{}
	case irish > italian:
		return sport.Verdict{Over: true, Winner: Irish}
	case italian > irish:
		return sport.Verdict{Over: true, Winner: Italian}
	case t.Option("final_state") == "draw":
		return sport.Verdict{Over: true}
	}
	return sport.Verdict{Ask: "final-state", Choices: []string{string(Irish), string(Italian), "draw", "play-on"}}
}

// Defeat: with three sides no rule says who wins when one team is defeated.
func (gangs) Defeat(*sport.Table, engine.Seat) engine.Side { return "" }
