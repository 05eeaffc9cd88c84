package server

import (
	"cmp"
	"slices"

	"github.com/mafiabox/mafiabox/engine"
)

// hostPage is the console of a table's host.
type hostPage struct {
	view
	Lobby *lobbyView
	Next  *stepView  // the next step of the phase
	Steps []stepView // the other steps that could be taken
	Fresh bool       // nothing was done since the deal: it may be dealt again
	Undo  *entryView // the host's last act that a tap takes back; at night it is behind a fold

	Misled   []seatView      // who had read an answer that was corrected since, behind a hold
	Tickets  []ticketView    // seats that wait for another phone
	Screens  int             // how many screens show this table
	Devices  []hostView      // that are hosts of it
	Become   string          // the code that makes another device host, behind a hold
	Login    string          // the address where it is typed
	Owing    []seatView      // who still owes an answer or a vote, behind a hold
	Secrets  []seatView      // every seat with its role, behind a hold
	Traces   []string        // what became of each act of this night, behind a hold
	Turn     *turnView       // who has the word next
	Word     []seatView      // who may be given it by hand
	Nominate *nominationView // the speaker's
	Poll     *pollView       // counting hands
	Raise    *raiseView      // hands for the leaving of all
	Fouls    *foulsView
	Removal  string      // what becomes of the vote when somebody is removed
	Farewell []offerView // what those may do who are out
	Calls    []callView  // of the night, behind a fold
	Ruling   *rulingView
	Offers   []offerView // conduct, decisions, notes
	Ways     *waysView   // once something wrong was announced
	Appeals  *appealsView
	Log      []entryView // the acts of this round, latest first, behind a hold
	For      *forView    // entering for a player
	Panel    *panelView
	Playing  bool   // the host has a seat, too
	Screen   string // the address that a table screen opens
	codesView

	Mended []string // what the disk has lost
	Asked  int      // phones that ask to be host by the button

	Time  *timeView   // the box doesn't know what time it is
	Sheet *sheetLinks // of a finished game that has one
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
	Again bool   // it waits for a second press
}

type rulingView struct {
	Ask     string
	Why     string // the rule that leaves it open
	Choices []rulingChoice
}

// rulingChoice is an answer, with what follows from it.
type rulingChoice struct {
	choiceView
	Then string
}

// ruling is what the host is asked, with the rule that leaves it open and what
// each answer leads to.
func (w words) ruling(code string, choices []string, seats []seatView) *rulingView {
	v := &rulingView{Ask: w.own("ruling." + code), Why: w.own("ruling." + code + ".why")}
	for _, word := range choices {
		v.Choices = append(v.Choices, rulingChoice{choiceView{word, w.choice(word, seats)}, w.own(thenKey(code, word))})
	}
	return v
}

// thenKey is the text of what an answer leads to.
func thenKey(code, word string) string {
	if word[0] >= '0' && word[0] <= '9' {
		word = "seat"
	}
	return "ruling." + code + "." + word
}

// far is how far a step's button stands from the clock: what is of the clock
// stands beside it.
func (s stepView) far() int {
	if ofClock(s.Verb) {
		return 0
	}
	return 1
}

func (b *Box) hostPage(t *Table, m *moment, w words, device string, from engine.Seat) hostPage {
	w = w.under(m.doc.Rules)
	p := hostPage{
		codesView: b.codesOf(t, m), Screen: b.address("/screen"), Panel: b.panelView(t, w), Playing: m.doc.seatOf(device) != 0, Screens: len(m.doc.Screens),
		Devices: b.hostViews(t, m.doc, device), Become: b.HostCode(t), Login: b.address("/host"), Asked: b.asked(t),
	}
	if !m.plays() {
		p.view = b.view(t, m, w, device, engine.Seen{})
		for i, s := range p.Seats {
			_, p.Seats[i].SitsOut = sitsOut(b.club.suspended(), m.doc.Rules, s.Name)
		}
		p.Tickets, p.Mended = b.ticketViews(t, p.Seats), w.mendings(m.doc.Mended, p.lastGood(m))
		p.Lobby, p.Time, p.Appeals = b.lobbyView(t, m, w), b.timeView(m, w), b.appealsView(m, w)
		return p
	}
	seen := m.game.Seen(engine.ToHost)
	p.view = b.view(t, m, w, device, seen)
	p.Sheet, p.Time, p.Mended = m.sheetLinks(), b.timeView(m, w), w.mendings(m.doc.Mended, p.lastGood(m))
	p.Tickets = b.ticketViews(t, p.Seats)
	if verb, ok := nextStep(seen); ok {
		p.Next = w.step(verb, m.occasion(verb, seen), m.game.Setup().Options)
		p.Next.Again = m.asked.verb == verb && m.early(verb, seen, b.cfg.Now())
	}
	for _, seat := range m.doc.Misled {
		p.Misled = append(p.Misled, p.Seats[seat-1])
	}
	for _, verb := range openSteps(seen) {
		idle := seen.Speaker == 0 && (verb == engine.Hold || verb == engine.Go) || verb == engine.Vote && len(seen.Candidates) == 0 ||
			verb == engine.Dawn && p.Next != nil && p.Next.Verb == engine.Close && m.occasion(engine.Close, seen) != "agreement" // answers are read before the morning
		if (p.Next == nil || verb != p.Next.Verb) && !idle {
			p.Steps = append(p.Steps, *w.step(verb, m.occasion(verb, seen), m.game.Setup().Options))
		}
	}
	for _, seat := range m.owing(seen) {
		p.Owing = append(p.Owing, p.Seats[seat-1])
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
				p.offer(w, m.game, o)
			}
		}
	}
	if len(seen.Ruling) > 0 {
		p.Ruling = w.ruling(seen.Ruling[0], seen.Ruling[1:], p.Seats)
	}
	p.Ways, p.Appeals = p.ways(m.upToNow(b), seen), b.appealsView(m, w)
	p.judge(m.game, seen)
	if !p.Playing { // he would see who wakes
		p.Calls = p.calls(m.game, seen)
	}
	p.Log = w.log(m.game, p.Seats)
	if p.Discreet() {
		p.Log = w.bySeat(p.Log, p.Seats, p.Night)
	}
	p.For = w.enteringFor(m.game, seen, p.Seats, from)
	slices.SortStableFunc(p.Steps, func(a, b stepView) int { return cmp.Compare(a.far(), b.far()) })
	for i, s := range p.Steps {
		p.Steps[i].Again = m.asked.verb == s.Verb && m.early(s.Verb, seen, b.cfg.Now())
	}
	p.Fresh = len(m.game.Log())+m.game.Posts() == 0
	p.Undo = w.undoable(m.game, p.Seats)
	return p
}

// placed are the acts of a host that have a place of their own on the console.
var placed = []engine.Verb{engine.Speech, engine.Votes, engine.Raise, engine.Foul, engine.Undo, engine.Decide, engine.Replay, engine.Appeal}

// offer puts a host's offer where the console has it.
func (p *hostPage) offer(w words, g engine.Game, o engine.Offer) {
	switch {
	case slices.Contains(placed, o.Verb), o.Max == 0 && o.TextMax == 0 && slices.Contains(steps, o.Verb):
		// these have places of their own, and steps are buttons
	default:
		v := w.offer(o, p.Seats, 0)
		v.Costs = costs(w, g, o, p.Seats)
		p.Offers = append(p.Offers, v)
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
// anything is the agreement of the black, and where no step of its own announces
// the morning it comes with the night's close.
func (m *moment) occasion(verb engine.Verb, s engine.Seen) string {
	announces := func(o engine.Offer) bool { return o.Verb == engine.Dawn }
	asked := s.Owed > 0 || slices.ContainsFunc(s.Seats, func(seat engine.SeatSeen) bool { return seat.Answered })
	switch {
	case verb == engine.Close && s.Phase.Name == engine.Nights && !slices.ContainsFunc(m.game.Offers(engine.Host), announces):
		return "morning"
	case verb == engine.Night && s.Phase.Name == "", verb == engine.Close && s.Phase.Name == engine.Nights && !asked:
		return "agreement"
	case verb == engine.Night && m.byHand():
		return "hands"
	case verb == engine.Close && s.Phase.Name == engine.Nights && m.byHand():
		return "called"
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

func (b *Box) ticketViews(t *Table, seats []seatView) (views []ticketView) {
	open := b.ticketsOf(t)
	for _, s := range seats {
		if code, ok := open[s.Seat]; ok {
			views = append(views, ticketView{s, code})
		}
	}
	return views
}
