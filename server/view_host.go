package server

import (
	"slices"

	"github.com/mafiabox/mafiabox/engine"
)

// hostPage is the console of a table's host.
type hostPage struct {
	view
	Lobby   *lobbyView
	Next    *stepView    // the next step of the phase
	Steps   []stepView   // the other steps that could be taken
	Fresh   bool         // nothing was done since the deal: it may be dealt again
	UndoNo  int          // the act that a tap takes back, by day when it is public; 0: none
	Confirm bool         // the next step waits for a second press
	Misled  []seatView   // who had read an answer that was corrected since, behind a hold
	Tickets []ticketView // seats that wait for another phone
	Screens int          // how many screens show this table
	Devices []hostView   // that are hosts of it
	Become  string       // the code that makes another device host, behind a hold
	Login   string       // the address where it is typed
	Owing   []seatView   // who still owes an answer or a vote, behind a hold
	Secrets []seatView   // every seat with its role, behind a hold
	Traces  []string     // what became of each act of this night, behind a hold
	Hands   []handsView  // counting hands, by candidate
	Ruling  *rulingView
	Offers  []offerView // conduct, decisions, notes
	Log     []entryView // the acts of this round, latest first, behind a hold
	For     *forView    // entering for a player
	Panel   *panelView
	Playing bool   // the host has a seat, too
	URL     string // the address in letters
	Screen  string // the address that a table screen opens
	Code    string // the join code
	Wifi    bool   // there is a code for the Wi-Fi
}

// ticketView is a code that a player types to have his seat on another phone.
type ticketView struct {
	seatView
	Code string
}

// stepView is a step of the game as a button.
type stepView struct {
	Verb  engine.Verb
	Label string
	Say   string // what to say aloud before it
	Does  string // what it will do
}

type handsView struct {
	Candidate seatView
	Voters    []seatView // all who may vote; Pick: for this candidate
	For       []seatView // who has voted for this candidate
}

type rulingView struct {
	Ask     string
	Choices []choiceView
}

// forView is what the host may enter for one player.
type forView struct {
	Seat    seatView
	Role    string   // to show to a player without a phone, behind a hold
	Chosen  []string // what was sent or entered for the seat, behind a hold
	Answers []string // behind a hold
	Offers  []offerView
}

// panelView is the simulated panel on the host's page.
type panelView struct {
	Cue          string
	Lamp, Buzzer bool
	History      []string
}

func (b *Box) hostPage(t *Table, m *moment, w words, device string, from engine.Seat) hostPage {
	p := hostPage{
		Code: m.doc.Code, URL: b.address("/j/" + m.doc.Code), Screen: b.address("/screen"), Wifi: b.cfg.WiFi != "", Panel: b.panel(t), Playing: m.doc.seatOf(device) != 0, Screens: len(m.doc.Screens),
		Devices: b.hostViews(t, m.doc, device), Become: b.HostCode(t), Login: b.address("/host"),
	}
	if !m.plays() {
		p.view = b.view(t, m, w, device, engine.Seen{})
		p.Tickets = b.ticketViews(t, p.Seats)
		p.Lobby = b.lobbyView(m, w)
		return p
	}
	seen := m.game.Seen(engine.ToHost)
	p.view = b.view(t, m, w, device, seen)
	p.Tickets = b.ticketViews(t, p.Seats)
	if verb, ok := nextStep(seen); ok {
		p.Next = w.step(verb, occasion(verb, seen), m.game.Setup().Options)
		p.Confirm = m.asked.verb == verb && m.early(verb, seen, b.cfg.Now())
	}
	for _, seat := range m.doc.Misled {
		p.Misled = append(p.Misled, p.Seats[seat-1])
	}
	for _, verb := range openSteps(seen) {
		idle := seen.Speaker == 0 && (verb == engine.Hold || verb == engine.Go) || verb == engine.Vote && len(seen.Candidates) == 0 ||
			verb == engine.Dawn && p.Next != nil && p.Next.Verb == engine.Close // answers are read before the morning
		if (p.Next == nil || verb != p.Next.Verb) && !idle {
			p.Steps = append(p.Steps, *w.step(verb, occasion(verb, seen), m.game.Setup().Options))
		}
	}
	night := seen.Phase.Name == engine.Nights
	for _, s := range p.Seats {
		if p.Asks && !s.Out && (night && !s.Answered || !night && !s.Voted) {
			p.Owing = append(p.Owing, s)
		}
	}
	if !seen.Over {
		p.Secrets = p.Seats
		p.Seats = slices.Clone(p.Seats)
		for i, s := range seen.Seats {
			p.Seats[i].Answered = false
			if !s.Public {
				p.Seats[i].Role = ""
			}
		}
	}
	for _, e := range seen.Traces {
		p.Traces = append(p.Traces, w.event(e, p.Seats))
	}
	for _, o := range seen.Offers {
		if o.Now == engine.Open {
			if o.Verb != engine.Rule || len(seen.Ruling) == 0 { // what is asked has a place of its own
				p.offer(w, o)
			}
		}
		if o.Verb == engine.Votes && o.Now == engine.Open {
			p.Hands = hands(m.game, o.Seats, p.Seats)
		}
	}
	if len(seen.Ruling) > 0 {
		p.Ruling = &rulingView{Ask: w.T("ruling." + seen.Ruling[0])}
		for _, word := range seen.Ruling[1:] {
			p.Ruling.Choices = append(p.Ruling.Choices, choiceView{word, w.choice(word, p.Seats)})
		}
	}
	p.Log = w.log(m.game, p.Seats)
	p.For = w.enteringFor(m.game, seen, p.Seats, from)
	p.Fresh = len(m.game.Log()) == 0
	if no, ok := m.game.Undoable(); ok && !p.Night && !p.Over {
		if _, _, err := m.game.Do(engine.Act{By: engine.Host, Verb: engine.Undo, N: no}); err == nil {
			p.UndoNo = no
		}
	}
	return p
}

// hands are the forms for counting hands, by candidate, with the hands counted
// until now. What a phone has voted is nobody's to see here.
func hands(g engine.Game, candidates []engine.Seat, seats []seatView) (all []handsView) {
	counted, stands := make(map[engine.Seat]engine.Seat), g.Stands() // by voter
	for _, entry := range g.Log() {
		a := entry.Act
		switch {
		case a.Verb == engine.Vote && a.By == engine.Host && a.For == 0: // a vote opens
			clear(counted)
		case !stands[a.No]:
		case a.Verb == engine.Vote:
			delete(counted, a.Subject().Seat())
		case a.Verb == engine.Votes:
			for _, voter := range a.Seats[1:] {
				counted[voter] = a.Seats[0]
			}
		case a.Verb == engine.Close: // and a runoff after it
			clear(counted)
		}
	}
	for _, candidate := range candidates {
		v := handsView{Candidate: seats[candidate-1]}
		for _, s := range seats {
			if s.Out {
				continue
			}
			s.Pick = counted[s.Seat] == candidate
			v.Voters = append(v.Voters, s)
			if s.Pick {
				v.For = append(v.For, s)
			}
		}
		all = append(all, v)
	}
	return all
}

// offer puts a host's offer where the console has it.
func (p *hostPage) offer(w words, o engine.Offer) {
	switch {
	case o.Verb == engine.Votes, o.Verb == engine.Undo, o.Max == 0 && o.TextMax == 0 && slices.Contains(steps, o.Verb):
		// counting hands and the log have places of their own, steps are buttons
	default:
		p.Offers = append(p.Offers, w.offer(o, p.Seats, 0))
	}
}

// step is a step in the words of its occasion, where there are any. They may
// name the seconds that the club has chosen.
func (w words) step(verb engine.Verb, occasion string, options map[string]string) *stepView {
	in := func(family string) string {
		key := family + string(verb)
		return w.TOr(key+"."+occasion, w.TOr(key, ""), "Agreement", options["agreement_s"], "Seating", options["free_seating_s"])
	}
	return &stepView{Verb: verb, Label: in("next."), Say: in("say."), Does: in("does.")}
}

// occasion is what a step ends or begins: a night in which nobody is asked
// anything is the agreement of the black.
func occasion(verb engine.Verb, s engine.Seen) string {
	asked := s.Owed > 0 || slices.ContainsFunc(s.Seats, func(seat engine.SeatSeen) bool { return seat.Answered })
	switch {
	case verb == engine.Night && s.Phase.Name == "", verb == engine.Close && s.Phase.Name == engine.Nights && !asked:
		return "agreement"
	case verb == engine.Close && s.Phase.Name == engine.Nights:
		return "night"
	case verb == engine.Close && len(s.AskAll) > 0:
		return "ask"
	case verb == engine.Close:
		return "vote"
	case s.Phase.Name == engine.Split:
		return "split"
	}
	return ""
}

// enteringFor is what the host may enter for one player.
func (w words) enteringFor(g engine.Game, seen engine.Seen, seats []seatView, from engine.Seat) *forView {
	if from < 1 || int(from) > len(seats) || seats[from-1].Out {
		return nil
	}
	v := &forView{Seat: seats[from-1], Role: w.role(seen.Seats[from-1].Role)}
	for _, e := range seen.Chosen {
		if e.Of == from && e.To == engine.Audience(from) {
			v.Chosen = append(v.Chosen, w.event(e, seats))
		}
	}
	for _, e := range seen.Answers {
		if e.To == engine.Audience(from) {
			v.Answers = append(v.Answers, w.event(e, seats))
		}
	}
	for _, o := range g.Offers(engine.Actor(from)) {
		if o.Now == engine.Open {
			o.Seats = append(o.Seats[:len(o.Seats):len(o.Seats)], o.Barred...)
			v.Offers = append(v.Offers, w.offer(o, seats, from))
		}
	}
	return v
}

// panel is the simulated panel, on the console of the table that it belongs to.
func (b *Box) panel(t *Table) *panelView {
	if b.cfg.Panel == nil || t != b.Tables()[0] {
		return nil
	}
	p := &panelView{}
	p.Cue, p.Lamp, p.Buzzer, p.History = b.cfg.Panel.PanelState()
	return p
}

func (b *Box) ticketViews(t *Table, seats []seatView) (views []ticketView) {
	open := b.ticketsOf(t)
	for _, s := range seats {
		if code, ok := open[s.Seat]; ok {
			views = append(views, ticketView{s, code})
		}
	}
	return views
}
