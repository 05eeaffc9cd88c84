package sheet

import (
	"slices"

	"github.com/mafiabox/mafiabox/engine"
)

// pen writes a sheet while the game is told.
type pen struct {
	*Sheet
	when    When
	poll    *Poll       // the vote that is open
	accused engine.Seat // who was disqualified last
}

func (p *pen) day() *Day     { return &p.Days[len(p.Days)-1] }
func (p *pen) night() *Night { return &p.Nights[len(p.Nights)-1] }

func (p *pen) lives(s engine.Seat) bool { return p.Seats[s-1].Left == nil }

// act notes what only the acts tell: events keep votes secret.
func (p *pen) act(a engine.Act) {
	seat := a.By.Seat()
	switch {
	case a.Verb == engine.Nominate:
		p.withdraw(seat)
		p.day().Nominations = append(p.day().Nominations, Nomination{seat, a.Seats[0]})
	case a.Verb == engine.Withdraw:
		p.withdraw(seat)
	case a.Verb == engine.Vote && seat != 0:
		p.poll.Votes[seat-1] = a.Seats[0]
	case a.Verb == engine.Raise:
		hands := append(p.day().Hands, a.Seats...)
		if seat != 0 {
			hands = append(hands, seat)
		}
		slices.Sort(hands)
		p.day().Hands = hands
	case a.Verb == engine.Disqualify:
		p.accused = a.Seats[0]
	case a.Verb == engine.Rule && a.Word == "team-defeat":
		p.Defeated = p.accused
	}
}

// withdraw strikes a seat's nomination. One whose candidate has been removed
// stays: the seat may nominate again, but that day's vote is void.
func (p *pen) withdraw(by engine.Seat) {
	p.day().Nominations = slices.DeleteFunc(p.day().Nominations, func(n Nomination) bool { return n.By == by && p.lives(n.Of) })
}

func (p *pen) events(events []engine.Event) {
	for _, e := range events {
		switch e.Kind {
		case engine.PhaseIs:
			p.phase(engine.Phase{Name: e.Words[0], N: e.N})
		case engine.Candidates:
			if p.when.Name == engine.Voting {
				p.poll = &Poll{e.Seats, make([]engine.Seat, len(p.Seats))}
			}
		case engine.Tallied:
			p.closePoll()
		case engine.AskAll:
			p.day().Asked = e.Seats
		case engine.Void:
			p.day().Void, p.poll = true, nil
			p.day().Asked, p.day().Hands = nil, nil // nothing came of them
		case engine.Out:
			p.out(e.Of, e.Words[0])
		case engine.Fouls:
			s := &p.Seats[e.Of-1]
			if len(e.Words) > 0 {
				s.Technical = append(s.Technical, p.when)
			} else {
				s.Fouls = append(s.Fouls, p.when)
			}
		case engine.Speaks:
			p.when.Speaker, p.when.Last = e.Of, !p.lives(e.Of)
		case engine.Chose:
			if e.Verb == engine.BestMove {
				p.Seats[e.Of-1].BestMove = e.Seats
			}
		case engine.Trace:
			if e.Verb != engine.Suspect {
				p.night().Acts = append(p.night().Acts, nightAct(e, events))
			}
		case engine.Win:
			p.Winner = engine.Side(e.Words[0])
		case engine.Draw:
			p.Drawn = true
		}
	}
}

// phase goes on to a phase: a day that comes again is that day after its vote.
func (p *pen) phase(to engine.Phase) {
	p.when = When{Phase: to}
	switch to.Name {
	case engine.Nights:
		if to.N > 0 {
			p.Nights = append(p.Nights, Night{N: to.N})
		}
	case engine.Day:
		if len(p.Days) == 0 || p.day().N != to.N {
			p.Days = append(p.Days, Day{N: to.N})
			return
		}
		p.when.Decided, p.when.Polls = true, len(p.day().Polls)
	case engine.Voting, engine.Split:
		p.when.Polls = len(p.day().Polls)
		p.when.Asking = p.day().Asked != nil
	}
}

// closePoll counts the vote as the regulation does: who has not voted is for
// the last candidate.
func (p *pen) closePoll() {
	last := p.poll.Candidates[len(p.poll.Candidates)-1]
	for i := range p.Seats {
		if p.lives(engine.Seat(i+1)) && p.poll.Votes[i] == 0 {
			p.poll.Votes[i] = last
		}
	}
	p.day().Polls = append(p.day().Polls, *p.poll)
	p.poll = nil
}

func (p *pen) out(seat engine.Seat, cause string) {
	s := &p.Seats[seat-1]
	s.Left = &Exit{p.when, cause, len(s.Fouls), len(s.Technical)}
	switch cause {
	case engine.ByVote:
		p.day().Out = append(p.day().Out, seat)
	case engine.ByNight:
		p.night().Out = append(p.night().Out, seat)
	}
}

// nightAct is an act as its trace tells it, with the answers that its seat got.
func nightAct(trace engine.Event, events []engine.Event) Act {
	a := Act{By: trace.Of, Verb: trace.Verb, Seats: trace.Seats, Fate: trace.Fates[0].What}
	if a.Verb == engine.Shoot {
		return a
	}
	for _, of := range a.Seats {
		answer := "none"
		for _, e := range events {
			if e.Kind == engine.Told && e.To == engine.Audience(a.By) && e.Verb == a.Verb && e.Seats[0] == of {
				answer = e.Words[0]
			}
		}
		a.Answers = append(a.Answers, answer)
	}
	return a
}
