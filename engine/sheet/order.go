package sheet

import (
	"slices"

	"github.com/mafiabox/mafiabox/engine"
)

// Order is in which order a rating site takes the candidates of a round: the
// form holds only who nominated whom, and from who speaks first that day the
// site goes round the table. It reads nothing but the export.
//
// Who speaks first is the next living seat after the last round's first
// speaker; where the club plays with `last_moves_on`, and has told the site so,
// the second living seat after the last round's last speaker.
func (e Export) Order(round int, lastMovesOn bool) (candidates []engine.Seat) {
	first := e.first(round, lastMovesOn)
	for i := range e.Players {
		of := e.Players[(first+i)%len(e.Players)].Nominating
		if round < len(of) && of[round] != nil {
			candidates = append(candidates, *of[round])
		}
	}
	return candidates
}

// first is the place of who speaks first in a round.
func (e Export) first(round int, lastMovesOn bool) int {
	if round == 0 {
		return e.around(len(e.Players)-1, 1, 0)
	}
	before := e.first(round-1, lastMovesOn)
	if lastMovesOn {
		before = e.around(e.around(before, -1, round-1), 1, round)
	}
	return e.around(before, 1, round)
}

// around is the next place in a direction whose player is there on the morning
// of a round.
func (e Export) around(from, step, round int) int {
	n := len(e.Players)
	for i := 1; i <= n; i++ {
		if at := (from + i*step + i*n) % n; e.wakes(at, round) {
			return at
		}
	}
	return from
}

// wakes tells whether a player is there after a round's morning is announced.
func (e Export) wakes(place, round int) bool {
	d := e.Players[place].Death
	switch {
	case d == nil || d.Round > round:
		return true
	case d.Round < round:
		return false
	case d.Time == nil:
		return d.Type == "day"
	}
	return slices.Index(times, d.Time.Time) > slices.Index(times, "night kill speaking")
}

// Reordered are the days whose order of candidates the rating sites' form can't
// tell, though there was a vote: the judge gave the word out of turn, or who had
// been shot nominated. A site would take another order from the nominations, so
// an Export of such a game leaves all of them out and says so in its features.
func (s Sheet) Reordered() (days []int) {
	e := s.export(nil)
	for _, d := range s.Days {
		if len(d.Polls) == 0 {
			continue
		}
		gone := slices.ContainsFunc(d.Nominations, func(n Nomination) bool { return !e.wakes(int(n.By)-1, d.N) })
		if gone || !slices.Equal(e.Order(d.N, s.rotation == "last_moves_on"), d.Polls[0].Candidates) {
			days = append(days, d.N)
		}
	}
	return days
}
