package server

import (
	"slices"

	"github.com/mafiabox/mafiabox/engine"
)

// What a judge has at a table with hands: who speaks next, the candidates, hands
// counted, fouls. It follows from the offers, so every rule system that offers
// the acts has it.

// turnView is who would have the word next, and for how long.
type turnView struct {
	seatView
	Seconds int
}

// nominationView is what the speaker may do about candidates.
type nominationView struct {
	By    seatView
	Seats []seatView // whom he may name; Shut: a tap is refused, with its reason
	Done  bool       // he has named one
}

// handsView is counting hands for one candidate.
type handsView struct {
	Candidate seatView
	Voters    []seatView // Pick: their hand is counted here, or would be; Shut: they have voted
	For       []seatView // whose hand is counted here
	No        int        // the act that counted them; 0: none, or one that can't be taken back
	Now       bool       // it is this candidate's turn
}

// pollView is how far a vote by hands is.
type pollView struct {
	Hands []handsView // in voting order
	At    int         // the place of the one whose turn it is
	In    int         // who has voted
	Of    int         // who may
	Rest  []seatView  // who has not
	Last  seatView    // for whom they count, where the rules have it so
}

// raiseView is the question whether all of the tied leave.
type raiseView struct {
	Seats []seatView // Shut: their hand is counted
	In    int
	Need  int
	Of    int
}

// judge fills in what the judge of this moment has at hand.
func (p *hostPage) judge(g engine.Game, seen engine.Seen) {
	w := p.words
	open := func(v engine.Verb) (engine.Offer, bool) {
		i := slices.IndexFunc(seen.Offers, func(o engine.Offer) bool { return o.Verb == v && o.Now == engine.Open })
		if i < 0 {
			return engine.Offer{}, false
		}
		return seen.Offers[i], true
	}
	if speech, ok := open(engine.Speech); ok {
		p.Turn = nextSpeaker(g, p.Seats)
		p.Word = offered(speech, p.Seats)
	}
	if seen.Speaker != 0 {
		p.Nominate = nominating(g, seen, p.Seats)
	}
	if votes, ok := open(engine.Votes); ok {
		p.Poll = polling(g, votes.Seats, p.Seats)
	}
	if raise, ok := open(engine.Raise); ok {
		p.Raise = raising(raise, p.Seats)
	}
	if foul, ok := open(engine.Foul); ok {
		p.Fouls, p.Removal = p.fouls(g, seen, foul), w.removal(seen)
	}
	for _, s := range p.Seats {
		if !s.Out {
			continue
		}
		for _, o := range g.Offers(engine.Actor(s.Seat)) {
			if o.Now == engine.Open && !ownWords(o.Verb) {
				v := w.offer(o, p.Seats, s.Seat)
				v.By = s
				p.Farewell = append(p.Farewell, v)
			}
		}
	}
}

// offered are the seats of an offer.
func offered(o engine.Offer, seats []seatView) (some []seatView) {
	for _, s := range seats {
		if slices.Contains(o.Seats, s.Seat) {
			some = append(some, s)
		}
	}
	return some
}

// spoken is what a step of speech would say: to whom the word goes, and for
// how long.
func spoken(g engine.Game) (engine.Event, bool) {
	_, events, err := g.Do(engine.Act{By: engine.Host, Verb: engine.Speech})
	i := slices.IndexFunc(events, func(e engine.Event) bool { return e.Kind == engine.Speaks })
	if err != nil || i < 0 {
		return engine.Event{}, false
	}
	return events[i], true
}

func nextSpeaker(g engine.Game, seats []seatView) *turnView {
	if e, ok := spoken(g); ok {
		return &turnView{seats[e.Of-1], e.N}
	}
	return nil
}

// nominating is the speaker's nomination, in a rule system where it is his alone.
func nominating(g engine.Game, seen engine.Seen, seats []seatView) *nominationView {
	for _, o := range g.Offers(engine.Actor(seen.Speaker)) {
		if o.Verb != engine.Nominate || o.Now != engine.Open && o.Now != engine.Spent {
			continue
		}
		v := &nominationView{By: seats[seen.Speaker-1], Done: o.Now == engine.Spent}
		for _, s := range seats {
			if !s.Out {
				s.Shut = v.Done || !slices.Contains(o.Seats, s.Seat)
				v.Seats = append(v.Seats, s)
			}
		}
		return v
	}
	return nil
}

// polling counts hands candidate by candidate. What a phone has voted is
// nobody's to see here.
func polling(g engine.Game, candidates []engine.Seat, seats []seatView) *pollView {
	p, counted := &pollView{}, countedHands(g)
	last, falls := candidates[len(candidates)-1], fallsToLast(g)
	at := 0 // the place after the last candidate whose hands are counted
	for i, c := range candidates {
		if slices.ContainsFunc(seats, func(s seatView) bool { return counted[s.Seat].Seats != nil && counted[s.Seat].Seats[0] == c }) {
			at = i + 1
		}
	}
	p.At = at
	for _, s := range seats {
		if s.Out {
			continue
		}
		p.Of++
		if s.Voted {
			p.In++
		} else {
			p.Rest = append(p.Rest, s)
		}
	}
	for i, c := range candidates {
		v := handsView{Candidate: seats[c-1], Now: i == at}
		for _, s := range seats {
			if s.Out {
				continue
			}
			act, hand := counted[s.Seat]
			mine := hand && act.Seats[0] == c
			if mine {
				v.For = append(v.For, s)
				if _, _, err := g.Do(engine.Act{By: engine.Host, Verb: engine.Undo, N: act.No}); err == nil {
					v.No = act.No
				}
			}
			s.Pick = mine || c == last && falls && !s.Voted
			s.Shut = s.Voted && !votes(g, s.Seat)
			s.VotedFor = 0
			if hand {
				s.VotedFor = act.Seats[0]
			}
			v.Voters = append(v.Voters, s)
		}
		p.Hands = append(p.Hands, v)
	}
	if falls {
		p.Last = seats[last-1]
	}
	return p
}

// votes tells whether a seat may still vote, or vote anew.
func votes(g engine.Game, seat engine.Seat) bool {
	return slices.ContainsFunc(g.Offers(engine.Actor(seat)), func(o engine.Offer) bool { return o.Verb == engine.Vote && o.Now == engine.Open })
}

// fallsToLast tells whether a close now would count who has not voted for
// the last candidate: more votes in the tally than were given.
func fallsToLast(g engine.Game) bool {
	_, events, err := g.Do(engine.Act{By: engine.Host, Verb: engine.Close})
	if err != nil {
		return false
	}
	counted := 0
	for _, e := range events {
		for _, c := range e.Tally {
			counted += c.Votes
		}
	}
	return counted == living(g)
}

func living(g engine.Game) (n int) {
	for seat := range g.Setup().Seats {
		if !g.IsOut(engine.Seat(seat + 1)) {
			n++
		}
	}
	return n
}

// countedHands are the acts that counted hands in the running vote, by voter.
func countedHands(g engine.Game) map[engine.Seat]engine.Act {
	counted, stands := make(map[engine.Seat]engine.Act), g.Stands()
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
				counted[voter] = a
			}
		case a.Verb == engine.Close: // and a runoff after it
			clear(counted)
		}
	}
	return counted
}

// raising is the question about the leaving of all: more than half are needed.
func raising(o engine.Offer, seats []seatView) *raiseView {
	v := &raiseView{}
	for _, s := range seats {
		if s.Out {
			continue
		}
		v.Of++
		if s.Shut = slices.Contains(o.Barred, s.Seat); s.Shut {
			v.In++
		}
		v.Seats = append(v.Seats, s)
	}
	v.Need = v.Of/2 + 1
	return v
}
