package server

import (
	"testing"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/enginetest"
	"github.com/mafiabox/mafiabox/engine/rulesets"
	"github.com/mafiabox/mafiabox/static"
)

// TestRulesHaveTexts: whatever a rule system offers, tells or lets a club choose
// has words in each language.
func TestRulesHaveTexts(t *testing.T) {
	all, err := loadTexts(static.Files, "en", nil)
	if err != nil {
		t.Fatal(err)
	}
	missing := make(map[string]bool)
	for _, lang := range Languages {
		w := words{all.in(lang)}
		needs := func(key string) {
			if w.TOr(key, "", "N", 1) == "" && !missing[lang+key] {
				missing[lang+key] = true
				t.Errorf("%s has no %q", lang, key)
			}
		}
		for _, rules := range rulesets.Playable {
			needs("rules." + rules.ID())
			needs("rules." + rules.ID() + ".help")
			for _, o := range rules.Options() {
				needs("option." + o.Name)
				needs("option." + o.Name + ".help")
				for _, value := range o.Values {
					if o.Max == 0 {
						needs("option." + o.Name + "." + value)
					}
				}
			}
			for _, info := range rules.Roles() {
				needs("role." + string(info.Role))
				needs("role." + string(info.Role) + ".help")
				needs("side." + string(info.Side))
			}
			for seed := range uint64(30) {
				p := enginetest.NewPlayer(rules, seed)
				for range 150 {
					for viewer := engine.Actor(0); int(viewer) <= p.Game.Setup().Seats; viewer++ {
						by := viewer
						if by == 0 {
							by = engine.Host
						}
						for _, o := range p.Game.Offers(by) {
							needs("verb." + string(o.Verb))
							needs("ask." + string(o.Verb))
						}
					}
					var events []engine.Event
					p.Game, events, _ = p.Game.Do(p.Next())
					for _, e := range events {
						textOf(e, needs)
					}
				}
			}
		}
	}
}

// textOf asks for the texts that an event is made of.
func textOf(e engine.Event, needs func(string)) {
	for _, f := range e.Fates {
		needs("fate." + f.What)
	}
	switch {
	case e.Kind == engine.Ruling:
		needs("ruling." + e.Words[0])
		for _, word := range e.Words[1:] {
			if word[0] < '0' || word[0] > '9' {
				needs("choice." + word)
			}
		}
	case e.Kind == engine.Told && e.Verb != engine.ToldRole && e.Verb != engine.ToldAlly && e.Verb != engine.Whisper:
		needs("answer." + e.Words[0])
	case e.Kind == engine.Out:
		needs("event.out." + e.Words[0])
	}
}
