package server

import (
	"strings"
	"testing"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/enginetest"
	"github.com/mafiabox/mafiabox/engine/rulesets"
	"github.com/mafiabox/mafiabox/static"
)

// TestChangesInWords: what mending would change is told in sentences, in each rule
// system and language, and it is what then changes; looking at it does nothing.
func TestChangesInWords(t *testing.T) {
	all, err := loadTexts(static.Files, "en", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, rules := range rulesets.All {
		did, ends := make(map[engine.Verb]int), 0
		for seed := range uint64(8) {
			p := enginetest.NewPlayer(rules, seed)
			var seats []seatView
			for i := range p.Game.Setup().Seats {
				seats = append(seats, seatView{Seat: engine.Seat(i + 1), Name: "P"})
			}
			for range 120 {
				act := p.Next()
				if act.Mends || act.Verb == engine.Undo || act.Verb == engine.Replay {
					was := len(p.Game.Log())
					c, err := tryChange(p.Game, []engine.Act{act})
					if len(p.Game.Log()) != was {
						t.Fatal("looking has changed the game")
					}
					if err == nil {
						did[act.Verb]++
						for _, lang := range Languages {
							w := words{all.in(lang)}.under(rules.ID())
							v := w.changes(c, nil, seats)
							for _, s := range append(v.Public, v.Secret...) {
								if raw.MatchString(s) || strings.TrimSpace(s) == "" {
									t.Errorf("%s %s: %q", rules.ID(), lang, s)
								}
							}
						}
					}
				}
				p.Game, _, _ = p.Game.Do(act)
				seen := p.Game.Seen(engine.ToHost)
				for _, lang := range Languages {
					page := hostPage{view: view{words: words{all.in(lang)}.under(rules.ID()), Seats: seats}}
					ways := page.ways(p.Game, seen)
					if ways == nil || ways.Replay == nil {
						continue
					}
					for _, s := range append(ways.Stays, ways.Back...) {
						if raw.MatchString(s) {
							t.Errorf("%s %s: %q", rules.ID(), lang, s)
						}
						if strings.HasPrefix(s, "This round ends on") {
							ends++
						}
					}
				}
			}
		}
		if did[engine.Undo] < 5 {
			t.Errorf("%s: only %v was mended", rules.ID(), did)
		}
		if timed := rules.ID() == "forum"; timed != (ends > 0) {
			t.Errorf("%s: a new planned end is named %d times", rules.ID(), ends)
		}
	}
}
