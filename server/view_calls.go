package server

import (
	"slices"

	"github.com/mafiabox/mafiabox/engine"
)

// A night of a table where somebody has no phone is called aloud: the host says
// who wakes, sees the numbers that they show, taps them in, and shows the answer.
// Who has a phone answers there; the call is made all the same, and also when
// nobody is left to wake: what is heard is the same in every night.

// callView is one call of the night.
type callView struct {
	ID       string
	Say      string
	Together *callerView  // several who name one seat, in one tap
	Callers  []callerView // who has no phone
	Phones   []seatView   // who answers by phone; Answered: has sent something
	Nobody   bool         // is left to wake: the host pauses, and goes on
}

// callerView is one who wakes.
type callerView struct {
	seatView
	On     *view      // the page, for the form
	By     []seatView // whose act it is; one, but together
	Verb   engine.Verb
	Seats  []seatView // whom he may name; Pick: whom he has named
	Many   int        // how many he names
	Shows  string     // the answer, as a sign to show him
	Chosen bool
}

// call names what wakes together: the doers of one verb on one side, if they
// know each other, else of one role.
type call struct {
	verb engine.Verb
	side engine.Side
	role engine.Role // of who wakes alone
}

// calls are the calls of this night, in the order of the roles; nil at a table
// where everybody has a phone, and while nothing is asked.
func (p *view) calls(g engine.Game, seen engine.Seen) (views []callView) {
	seats := p.Seats
	night, closed := seen.Phase.Name == engine.Nights && seen.Phase.N > 0, seen.Phase.Name == engine.Closed && seen.Phase.N > 0
	if !night && !closed || !slices.ContainsFunc(seats, func(s seatView) bool { return !s.Out && !s.Phone }) {
		return nil
	}
	told := foretold(g, seen)
	for _, c := range callOrder(g, seen) {
		v := callView{ID: string(c.verb) + "-" + string(c.side), Nobody: true}
		v.Say = p.TOr("call."+string(c.verb)+"."+string(c.side), p.T("call."+string(c.verb)))
		if c.role != "" {
			v.ID, v.Say = v.ID+"-"+string(c.role), p.T("call.alone", "Word", p.role(c.role))
		}
		for _, s := range seats {
			offers := g.Offers(engine.Actor(s.Seat))
			i := slices.IndexFunc(offers, func(o engine.Offer) bool { return o.Verb == c.verb && (o.Now == engine.Open || closed) })
			if s.Out || i < 0 || sideOf(g, s.Seat) != c.side || c.role != "" && c.role != g.Setup().Roles[s.Seat-1] {
				continue
			}
			v.Nobody = false
			if s.Answered = seen.Seats[s.Seat-1].Answered; s.Phone {
				v.Phones = append(v.Phones, s)
				continue
			}
			v.Callers = append(v.Callers, p.caller(s, offers[i], seen, told, night))
		}
		v.Together = together(v.Callers)
		views = append(views, v)
	}
	return views
}

func (p *view) caller(s seatView, o engine.Offer, seen engine.Seen, told []engine.Event, night bool) callerView {
	v := callerView{seatView: s, On: p, By: []seatView{s}, Verb: o.Verb, Many: o.Max}
	chosen := chosenBy(seen, s.Seat, o.Verb)
	v.Chosen = chosen != nil
	if night {
		for _, target := range offered(o, p.Seats) {
			target.Pick = slices.Contains(chosen, target.Seat)
			v.Seats = append(v.Seats, target)
		}
	}
	for _, e := range told {
		if e.To == engine.Audience(s.Seat) && e.Verb == o.Verb && (o.AtOnce || !night) {
			if v.Shows != "" {
				v.Shows += "; "
			}
			v.Shows += names(p.Seats, e.Seats) + ": " + p.T("answer."+e.Words[0])
		}
	}
	return v
}

// together is one pad for those who should all name the same seat.
func together(callers []callerView) *callerView {
	if len(callers) < 2 || callers[0].Many != 1 || callers[0].Verb != engine.Shoot || len(callers[0].Seats) == 0 {
		return nil
	}
	all := callerView{On: callers[0].On, Verb: callers[0].Verb, Many: 1, Seats: slices.Clone(callers[0].Seats), Chosen: true}
	for _, c := range callers {
		all.By = append(all.By, c.seatView)
		all.Chosen = all.Chosen && c.Chosen
		for i := range all.Seats {
			all.Seats[i].Pick = all.Seats[i].Pick && c.Seats[i].Pick
		}
	}
	return &all
}

// chosenBy is what a seat has chosen tonight with that verb.
func chosenBy(seen engine.Seen, seat engine.Seat, verb engine.Verb) []engine.Seat {
	for _, e := range seen.Chosen {
		if e.Of == seat && e.To == engine.Audience(seat) && e.Verb == verb {
			return e.Seats
		}
	}
	return nil
}

// callOrder is in which order a night is called: by the roles of the deal, as if
// all were still at the table.
func callOrder(g engine.Game, seen engine.Seen) (order []call) {
	whole, _, err := engine.Begin(g.Rules(), g.Setup())
	if err != nil {
		return nil
	}
	for _, info := range g.Rules().Roles() {
		for i, role := range g.Setup().Roles {
			if role != info.Role {
				continue
			}
			for _, o := range whole.Offers(engine.Actor(i + 1)) {
				c := call{o.Verb, info.Side, info.Role}
				if o.Verb != engine.Shoot || knows(g, seen, info.Side) {
					c.role = ""
				}
				if nightly(o) && !slices.Contains(order, c) {
					order = append(order, c)
				}
			}
		}
	}
	return order
}

// knows tells whether those of a side were told of each other.
func knows(g engine.Game, seen engine.Seen, side engine.Side) bool {
	return slices.ContainsFunc(seen.Allies, func(e engine.Event) bool { return sideOf(g, engine.Seat(e.To)) == side })
}

// sideOf is the side of a seat's role.
func sideOf(g engine.Game, seat engine.Seat) engine.Side {
	for _, info := range g.Rules().Roles() {
		if info.Role == g.Setup().Roles[seat-1] {
			return info.Side
		}
	}
	return ""
}

// nightly tells whether an offer is something that a role does at night.
func nightly(o engine.Offer) bool {
	switch o.Verb {
	case engine.Shoot, engine.Whack, engine.Attack, engine.Block, engine.Cover, engine.Swap, engine.Heal, engine.Check, engine.Guess, engine.Seek, engine.Compare:
		return true
	}
	return false
}

// foretold are the answers that the night gives: those given, or before the
// close those that it would give now.
func foretold(g engine.Game, seen engine.Seen) []engine.Event {
	if seen.Phase.Name == engine.Closed {
		return seen.Answers
	}
	_, events, err := g.Do(engine.Act{By: engine.Host, Verb: engine.Close})
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(events, func(e engine.Event) bool { return e.Kind != engine.Told })
}
