package server

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/enginetest"
	"github.com/mafiabox/mafiabox/engine/record"
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
		for _, rules := range rulesets.All {
			needs("rules." + rules.ID())
			needs("rules." + rules.ID() + ".help")
			for _, o := range options(rules) {
				needs("option." + o.Name)
				needs("option." + o.Name + ".help")
				for _, value := range o.Values {
					if o.Max == 0 && !o.Zone {
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

// rulings are all that a host is asked, with the answers; those of day-tie are seats, too.
var rulings = map[string][]string{
	"lawyer": {"check_cover", "flip", "guard"}, "duel": {"mafia", "maniac", "draw"}, "day-tie": {"3", "nobody"},
	"tie-of-all": {"draw", "play-on"}, "final-state": {"irish", "italian", "draw", "play-on"},
	"first_night_shots": {"turn", "both"}, "shot_by": {"leader", "either", "agree"}, "gang_knows": {"each_other", "nobody"}, "killed_asks": {"yes", "no"},
	"missed_whack_round": {"if_even", "always"}, "missed-whack-reveal": {"yes", "no"}, "two-missed": {"all-leave", "nobody"}, "no-votes": {"runoff-all", "nobody"}, "runoff-limit": {"runoff", "nobody"},
}

// TestRulingsAreExplained: whatever a host may be asked is asked in words, with
// the rule that leaves it open and what each answer leads to.
func TestRulingsAreExplained(t *testing.T) {
	all, err := loadTexts(static.Files, "en", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, rules := range rulesets.All { // the open points that are asked about at the beginning
		for _, o := range rules.Options() {
			answers, known := rulings[o.Name]
			if !o.Open || !slices.Contains(o.Values, "ask") || o.Name == "final_state" {
				continue
			}
			if !known || len(answers) != len(o.Values)-1 {
				t.Errorf("%s: the answers to %s are %v, not %v", rules.ID(), o.Name, o.Values, answers)
			}
		}
	}
	paths, err := filepath.Glob("../engine/testdata/*/*.mafia")
	if err != nil {
		t.Fatal(err)
	}
	asked := make(map[string]bool)
	for _, path := range paths { // and those that come up
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^= host ruling (\S+) ?(.*)$`).FindAllStringSubmatch(string(text), -1) {
			asked[m[1]] = true
			for _, answer := range strings.Fields(m[2]) {
				if _, err := strconv.Atoi(answer); err != nil && !slices.Contains(rulings[m[1]], answer) {
					t.Errorf("%s: nobody has explained %q of %s", path, answer, m[1])
				}
			}
		}
	}
	if len(asked) < len(rulings) {
		t.Errorf("no record has a ruling on others than %v", slices.Sorted(maps.Keys(asked)))
	}
	for _, lang := range Languages {
		w := words{all.in(lang)}
		for code, answers := range rulings {
			v := w.ruling(code, answers, make([]seatView, 9))
			said := []string{v.Ask, v.Why}
			for _, c := range v.Choices {
				said = append(said, c.Label, c.Then)
			}
			for _, s := range said {
				if raw.MatchString(s) || strings.TrimSpace(s) == "" {
					t.Errorf("%s: %s says %q", lang, code, s)
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
		needs("ruling." + e.Words[0] + ".why")
		for _, word := range e.Words[1:] {
			needs(thenKey(e.Words[0], word))
			if word[0] < '0' || word[0] > '9' {
				needs("choice." + word)
			}
		}
	case e.Kind == engine.Told && e.Verb == "":
		needs("event.told." + e.Words[0])
	case e.Kind == engine.Told && e.Verb != engine.ToldRole && e.Verb != engine.ToldAlly && e.Verb != engine.Whisper:
		needs("answer." + e.Words[0])
	case e.Kind == engine.Out:
		needs("event.out." + e.Words[0])
	}
}

// raw is a key that no text was found for, or an argument that none was given for.
var raw = regexp.MustCompile(`\b(event|verb|ask|choice|answer|fate|ruling|role|side|phase|option|refused|problem|cause|time|by)\.[a-z_]|<no value>|\{\{|%!`)

// TestRecordsInWords: whatever a record of any rule system does, tells or offers
// is a sentence in each language.
func TestRecordsInWords(t *testing.T) {
	all, err := loadTexts(static.Files, "en", nil)
	if err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob("../engine/testdata/*/*.mafia")
	if err != nil || len(paths) < 100 {
		t.Fatalf("%d records (%v)", len(paths), err)
	}
	said, wrong := 0, make(map[string]bool)
	kinds := make(map[string]bool) // of each there is a sentence, whatever its seats: they need not be said twice
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		r, err := record.Parse(text, rulesets.All)
		if err != nil {
			t.Fatal(err)
		}
		var seats []seatView
		for i := range r.Seats {
			seats = append(seats, seatView{Seat: engine.Seat(i + 1), Name: fmt.Sprint("P", i+1)})
		}
		check := func(kind string, say func(words) string) {
			if kind = r.Rules.ID() + kind; kinds[kind] {
				return
			}
			kinds[kind] = true
			for _, lang := range Languages {
				said++
				s := say(words{all.in(lang)}.under(r.Rules.ID()))
				if raw.MatchString(s) || strings.HasSuffix(s, ":") || strings.HasPrefix(s, ":") || strings.TrimSpace(s) == "" {
					wrong[lang+" "+r.Rules.ID()+" "+s] = true
				}
				if testing.Verbose() {
					t.Log(lang, kind, "|", s)
				}
			}
		}
		for step := range record.Play(r) {
			if step.Err != nil {
				continue
			}
			refused := slices.ContainsFunc(step.Events, func(e engine.Event) bool { return e.Kind == engine.Refused })
			if a := step.Line.Act; !step.Opening() && !refused {
				a.Text = ""
				check(fmt.Sprint(" act ", a.Verb, a.Word, len(a.Seats), a.By.Seat() > 0), func(w words) string { return w.act(a, seats) })
			}
			for _, e := range step.Events {
				if e.Kind == engine.Trace && len(e.Fates) == 0 {
					continue
				}
				if e.Text != "" {
					e.Text = "text"
				}
				check(fmt.Sprint(" told ", e.Kind, e.Verb, e.Words, len(e.Seats), len(e.Tally) > 0, e.Of > 0, e.To > 0, len(e.Fates)), func(w words) string { return w.told(e, seats) })
			}
			if len(step.Events) == 0 {
				continue
			}
			for by := engine.Actor(engine.Host); int(by) <= r.Seats; by++ {
				for _, o := range step.Game.Offers(by) {
					check(fmt.Sprint(" offer ", o.Verb, o.Words), func(w words) string {
						v := w.offer(o, seats, 0)
						s := v.Label + " " + v.Ask
						for _, c := range v.Words {
							s += " " + c.Label
						}
						return s
					})
				}
			}
		}
	}
	for s := range wrong {
		t.Error(s)
	}
	if said < 500 {
		t.Errorf("only %d sentences", said)
	}
}
