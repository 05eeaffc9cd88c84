package server

import (
	"math"

	"github.com/mafiabox/mafiabox/engine"
)

// screenPage is the table screen: what everybody may see.
type screenPage struct {
	view
	Ring []ringSeat
	In   int // votes or answers that are in
	Of   int
	Need int // hands for the leaving of all

	Names bool // the club lets everybody read who has yet to vote in a round of days
	codesView
}

// ringSeat is a seat with its place around the table, from −100 to 100; the
// first seat is at the top and the others follow like the hands of a clock.
type ringSeat struct {
	seatView
	X, Y float64
}

func (b *Box) screenPage(t *Table, m *moment, w words) screenPage {
	var seen engine.Seen
	if m.plays() {
		seen = m.game.Seen(engine.All)
	}
	p := screenPage{view: b.view(t, m, w, "", seen), codesView: b.codesOf(t, m)}
	p.arrange()
	p.Names = p.VotesNow != nil && m.doc.house(m.game.Rules(), "screen_owing") == "yes"
	return p
}

// arrange puts the seats around the table, and counts what is in.
func (p *screenPage) arrange() {
	p.Ring, p.Of = nil, 0
	for _, s := range p.Seats {
		turn := 2 * math.Pi * float64(s.Seat-1) / float64(p.Seats[len(p.Seats)-1].Seat)
		p.Ring = append(p.Ring, ringSeat{s, round(100 * math.Sin(turn)), round(-100 * math.Cos(turn))})
		if p.Asks && !s.Out {
			p.Of++
		}
	}
	if p.Night {
		p.Of = p.Asked
	}
	p.In, p.Need = max(0, p.Of-p.Owed), p.Of/2+1
}

func round(x float64) float64 { return math.Round(10*x) / 10 }
