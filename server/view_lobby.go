package server

import "github.com/mafiabox/mafiabox/engine"

// zones are those that a lobby suggests: one for each time that many people
// live by. Any other may be typed.
var zones = []string{
	"Europe/London", "Europe/Lisbon", "Europe/Berlin", "Europe/Paris", "Europe/Madrid", "Europe/Rome", "Europe/Warsaw",
	"Europe/Athens", "Europe/Kyiv", "Europe/Chisinau", "Europe/Vilnius", "Europe/Istanbul", "Europe/Minsk",
	"Europe/Kaliningrad", "Europe/Moscow", "Europe/Samara", "Asia/Yekaterinburg", "Asia/Omsk", "Asia/Novosibirsk",
	"Asia/Krasnoyarsk", "Asia/Irkutsk", "Asia/Yakutsk", "Asia/Vladivostok", "Asia/Kamchatka",
	"Asia/Jerusalem", "Asia/Tbilisi", "Asia/Yerevan", "Asia/Baku", "Asia/Almaty", "Asia/Tashkent", "Asia/Kolkata",
	"Asia/Bangkok", "Asia/Shanghai", "Asia/Tokyo", "Australia/Sydney",
	"America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles", "America/Sao_Paulo", "UTC",
}

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
	Air     string // the box's own Wi-Fi is full, or nearly
	Shut    bool   // no phone may join
	Gaps    bool   // that is the problem: seats are free among the others
	Played  int
}

// airLeft is how many places in the Wi-Fi are few: somebody always comes with a
// second phone.
const airLeft = 2

// air says that the box's own Wi-Fi is full, or nearly; "" while there is room,
// or nobody knows.
func (b *Box) air(w words) string {
	if b.cfg.Stations == nil {
		return ""
	}
	switch now, most := b.cfg.Stations(); {
	case most == 0 || now < most-airLeft:
		return ""
	case now >= most:
		return w.T("lobby.air.full", "Got", now, "Max", most)
	default:
		return w.T("lobby.air.near", "Got", now, "Max", most)
	}
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
	Zone              bool
	Zones             []string // well-known ones
	Now               string   // the time in that zone; empty: the box doesn't know it
	Value             string
	Choices           []choiceView
}

func (b *Box) lobbyView(t *Table, m *moment, w words) *lobbyView {
	rules := b.rules(m.doc)
	l := &lobbyView{Shut: m.doc.Shut, Usual: m.doc.Cast == nil, Played: m.doc.Played}
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
	now, sure := b.Time()
	err := m.doc.seatedSuspended(b.club.suspended())
	if err == nil {
		err = b.onceEach(t.id, m.doc)
	}
	if err == nil {
		err = asProblem(m.doc.tryDeal(rules))
	}
	if err == nil {
		err = m.doc.noGaps()
		l.Gaps = err != nil
	}
	if err == nil && !sure && m.doc.house(rules, "deadlines") == "yes" {
		err = say("time_unsure")
	}
	if err != nil {
		l.Problem = w.refusal(err)
	}
	l.Air = b.air(w)
	for _, s := range b.club.sets(rules.ID()) {
		l.Sets = append(l.Sets, s.Name)
	}
	for _, o := range options(rules) {
		v := w.option(o, m.doc.Options[rules.ID()][o.Name])
		if v.Zone && sure {
			v.Now = now.In(m.zone(rules)).Format("15:04")
		}
		l.Options = append(l.Options, v)
	}
	return l
}

func (w words) option(o engine.Option, value string) optionView {
	key := "option." + o.Name
	v := optionView{Name: o.Name, Label: w.T(key), Help: w.T(key + ".help"), Open: o.Open, Number: o.Max > 0, Zone: o.Zone, Min: o.Min, Max: o.Max, Value: value}
	if value == "" {
		v.Value = o.Values[0]
	}
	switch {
	case v.Zone:
		v.Zones = zones
	case !v.Number:
		for _, choice := range o.Values {
			v.Choices = append(v.Choices, choiceView{choice, w.TOr(key+"."+choice, w.T("value."+choice))})
		}
	}
	return v
}
