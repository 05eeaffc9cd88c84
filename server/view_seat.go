package server

import (
	"slices"

	"github.com/mafiabox/mafiabox/engine"
)

// seatPage is a player's page.
type seatPage struct {
	view
	Me      seatView
	Leads   bool   // the same phone is a host's
	Role    string // in words; empty when it may not be looked at now
	Side    string
	Help    string // what the role is for
	Allies  []string
	Notes   []string // answers of earlier nights
	Answers []string // to hold and read after the night has closed
	ReadNow bool     // the night is closed: everybody reads, most of them a neutral line
	Chosen  []string // what the seat has sent this night, behind a hold
	Sent    bool
	Picks   []pickView // the night form: the same number for every seat
	Nothing bool       // it may be left empty
	Offers  []offerView
	Voted   engine.Seat
	Ticket  string     // moves the seat to another phone, behind a hold
	Write   *offerView // to a private channel, where there is one
	Letters []string   // that came by it, the latest, behind a hold
	Mine    string     // for whom the seat votes, where everybody may read it
	Waits   []string   // what waits for the box to know the time, or came too late
}

// pickView is one pick of the night form. What it means for this seat is
// behind a hold; everything else about it is the same for all.
type pickView struct {
	N     int
	Ask   string
	Seats []seatView
}

func (b *Box) seatPage(t *Table, m *moment, w words, seat engine.Seat) seatPage {
	w = w.under(m.doc.Rules)
	device := m.doc.People[seat-1].Device
	if !m.plays() {
		p := seatPage{view: b.view(t, m, w, device, engine.Seen{})}
		for _, s := range p.Seats { // some may be free
			if s.Seat == seat {
				p.Me = s
			}
		}
		return p
	}
	seen := m.game.Seen(engine.Audience(seat))
	p := seatPage{view: b.view(t, m, w, device, seen)}
	p.Me = p.Seats[seat-1]
	if seen.Role != "" {
		help := "role." + string(seen.Role) + ".help"
		p.Help = w.TOr(help+"."+m.doc.Rules, w.TOr(help, ""))
	}
	p.Role, p.Side = w.role(seen.Role), w.side(b.rules(m.doc), seen.Role)
	for _, e := range seen.Allies {
		p.Allies = append(p.Allies, w.event(e, p.Seats))
	}
	notes := seen.Notes
	if seen.Phase.Name != engine.Nights && seen.Phase.Name != engine.Closed {
		notes = slices.Concat(notes, seen.Answers) // where they come with the morning
	}
	for _, e := range notes {
		p.Notes = append(p.Notes, w.event(e, p.Seats))
	}
	for _, e := range seen.Answers {
		p.Answers = append(p.Answers, w.event(e, p.Seats))
	}
	p.ReadNow = seen.Phase.Name == engine.Closed && !p.Me.Out
	for _, e := range seen.Chosen {
		p.Chosen = append(p.Chosen, w.event(e, p.Seats))
		if e.Of == seat && e.Verb == engine.Vote {
			p.Voted = e.Seats[0]
		}
	}
	p.Sent = p.Me.Answered
	now, _ := b.Time()
	waits, behind := m.waits(w, seat, p.Seats, now)
	if p.Waits = waits; behind != "" {
		p.Chosen, p.Sent = append(p.Chosen, behind), true
	}
	if p.VotesNow != nil && p.Me.VotedFor != 0 {
		p.Mine = who(p.Seats, p.Me.VotedFor)
	}
	for _, o := range seen.Offers {
		switch v := w.offer(o, p.Seats, 0); {
		case o.Now != engine.Open, o.Verb == engine.Post:
		case o.Verb == engine.Wait && seen.Phase.Name == engine.Nights:
			p.Nothing = true
		case o.Verb == engine.Whisper:
			p.Write = &v
		case seen.Phase.Name != engine.Nights:
			p.Offers = append(p.Offers, v)
		}
	}
	for _, e := range seen.Letters[max(0, len(seen.Letters)-lettersShown):] {
		p.Letters = append(p.Letters, w.event(e, p.Seats))
	}
	if seen.Phase.Name == engine.Nights {
		p.Picks = w.picks(seen, p.Seats)
	}
	return p
}

// lettersShown is how many letters a page has: all pages must hold as many.
const lettersShown = 4

// picks lays the seat's night offers out as picks. Every living seat gets as
// many, each over all living seats, so that the form looks the same for all:
// what may not be named shows so only under the finger.
func (w words) picks(seen engine.Seen, seats []seatView) (picks []pickView) {
	living := slices.DeleteFunc(slices.Clone(seats), func(s seatView) bool { return s.Out })
	for _, o := range seen.Offers {
		if o.Now != engine.Open || o.Max == 0 {
			continue
		}
		for i := range o.Max {
			pick := pickView{N: len(picks) + 1, Ask: w.ask(o.Verb, i, o.Max), Seats: slices.Clone(living)}
			for j, s := range pick.Seats {
				pick.Seats[j].Shut = !slices.Contains(o.Seats, s.Seat)
				pick.Seats[j].Pick = slices.ContainsFunc(seen.Chosen, func(e engine.Event) bool {
					return e.Of == engine.Seat(seen.Viewer) && e.Verb == o.Verb && i < len(e.Seats) && e.Seats[i] == s.Seat
				})
			}
			picks = append(picks, pick)
		}
	}
	return picks
}
