package server

import (
	"cmp"
	"slices"

	"github.com/mafiabox/mafiabox/engine"
)

// votesView is a round of open votes while it lasts, as everybody may read it: it
// is made of what the table was told alone, whoever looks.
type votesView struct {
	words
	Open    bool          // votes are taken now
	Counts  []supportView // who has votes, most first, equal ones by seat
	Ballots []ballotView  // of everybody who votes, in the order of seats
	Without []seatView    // who has yet to vote
	Closes  *closesView   // nil: nothing closes by itself
	Notes   []string      // the host's decisions, the latest last
	Missed  []missedView
}

// supportView is somebody with votes, and whose they are.
type supportView struct {
	seatView
	Votes int
	By    []seatView
}

// ballotView is one voter's vote.
type ballotView struct {
	seatView
	For    *seatView // nil: none yet
	Locked bool
	Missed int // votes so far
}

// missedView is who has missed votes.
type missedView struct {
	seatView
	Times int
}

// notesShown is how many of the host's decisions a tally lists.
const notesShown = 5

// hasThread tells whether posts are written in the game that is on. Once it is
// over nothing is offered any more, so then its beginning says so.
func (m *moment) hasThread() bool {
	if !m.plays() {
		return false
	}
	g := m.game
	if g.Ended() {
		var err error
		if g, _, err = engine.Begin(g.Rules(), g.Setup()); err != nil {
			return false
		}
	}
	_, ok := offerOf(g.Offers(1), engine.Post)
	return ok
}

// offerOf is the offer of a verb.
func offerOf(offers []engine.Offer, verb engine.Verb) (engine.Offer, bool) {
	i := slices.IndexFunc(offers, func(o engine.Offer) bool { return o.Verb == verb })
	if i < 0 {
		return engine.Offer{}, false
	}
	return offers[i], true
}

// votesNow is the tally of the votes as they are now.
func (b *Box) votesNow(m *moment, w words, seats []seatView, seen engine.Seen, closes *closesView) *votesView {
	v := &votesView{words: w, Closes: closes, Open: !seen.Over && seen.Phase.Name != engine.Nights}
	by := make(map[engine.Seat][]seatView)
	for i, s := range seen.Seats {
		if s.Out || seen.Over {
			continue
		}
		if s.Missed > 0 {
			v.Missed = append(v.Missed, missedView{seats[i], s.Missed})
		}
		ballot := ballotView{seatView: seats[i], Locked: s.Locked, Missed: s.Missed}
		switch {
		case s.VotedFor > 0:
			ballot.For = &seats[s.VotedFor-1]
			by[s.VotedFor] = append(by[s.VotedFor], seats[i])
		case v.Open:
			v.Without = append(v.Without, seats[i])
		}
		if v.Open {
			v.Ballots = append(v.Ballots, ballot)
		}
	}
	for seat, voters := range by {
		v.Counts = append(v.Counts, supportView{seats[seat-1], len(voters), voters})
	}
	slices.SortFunc(v.Counts, func(a, b supportView) int {
		return cmp.Or(cmp.Compare(b.Votes, a.Votes), cmp.Compare(a.Seat, b.Seat))
	})
	v.Notes = decisions(m.game)
	return v
}

// decisions are the last ones that the host has announced.
func decisions(g engine.Game) (notes []string) {
	for _, entry := range slices.Backward(g.Log()) {
		if len(notes) == notesShown {
			break
		}
		for _, e := range entry.Events { // an act announces one at the most
			if e.Kind == engine.Decision && e.To == engine.All {
				notes = append(notes, e.Text)
			}
		}
	}
	slices.Reverse(notes)
	return notes
}
