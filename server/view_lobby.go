package server

import "github.com/mafiabox/mafiabox/engine"

// lobbyView is what a host sets before a game.
type lobbyView struct {
	Roles   []roleView
	Usual   bool // the cast is the usual one for that many seats
	Dealt   int  // how many roles there are
	Problem string
	Options []optionView
	Rules   []choiceView // the rule systems, when there is a choice
	Chosen  string       // the one that is played
	Sets    []string     // the club's own sets, by name
	Most    int
	Played  int
}

type roleView struct {
	ID, Label, Side string
	Many            bool
	N               int
}

type optionView struct {
	Name, Label, Help string
	Open              bool
	Number            bool
	Min, Max          int
	Value             string
	Choices           []choiceView
}

func (b *Box) lobbyView(m *moment, w words) *lobbyView {
	rules := b.rules(m.doc)
	l := &lobbyView{Usual: m.doc.Cast == nil, Played: m.doc.Played}
	_, l.Most = rules.Seats()
	counts := make(map[engine.Role]int)
	for _, role := range m.doc.cast(rules) {
		counts[role]++
		l.Dealt++
	}
	for _, r := range rules.Roles() {
		if on := m.doc.Options[rules.ID()][r.If]; r.If == "" || on == "on" || counts[r.Role] > 0 {
			l.Roles = append(l.Roles, roleView{string(r.Role), w.role(r.Role), w.T("side." + string(r.Side)), r.Many, counts[r.Role]})
		}
	}
	l.Chosen = rules.ID()
	for _, r := range b.cfg.Rulesets {
		l.Rules = append(l.Rules, choiceView{r.ID(), w.T("rules." + r.ID())})
	}
	if err := m.doc.tryDeal(rules); err != nil {
		l.Problem = w.refusal(asProblem(err))
	}
	for _, s := range b.club.sets(rules.ID()) {
		l.Sets = append(l.Sets, s.Name)
	}
	for _, o := range rules.Options() {
		l.Options = append(l.Options, w.option(o, m.doc.Options[rules.ID()][o.Name]))
	}
	return l
}

func (w words) option(o engine.Option, value string) optionView {
	key := "option." + o.Name
	v := optionView{Name: o.Name, Label: w.T(key), Help: w.T(key + ".help"), Open: o.Open, Number: o.Max > 0, Min: o.Min, Max: o.Max, Value: value}
	if value == "" {
		v.Value = o.Values[0]
	}
	if !v.Number {
		for _, choice := range o.Values {
			v.Choices = append(v.Choices, choiceView{choice, w.TOr(key+"."+choice, w.T("value."+choice))})
		}
	}
	return v
}
