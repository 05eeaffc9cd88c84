// Package sheet is the judge's sheet of a finished game: who sat where with
// which role, who was nominated, who voted for whom, fouls, shots, checks, and
// who left when. It is for the rule systems with the sport regulation's day
// (packages sport and gangs), and holds only what stands: an act that was
// undone, corrected or played again shows as it counted in the end.
//
// A game of sport also has the form in which club rating sites take games; see
// Export.
package sheet

import (
	"time"

	"github.com/mafiabox/mafiabox/engine"
)

// Sheet is a finished game as its judge writes it down.
type Sheet struct {
	Rules  string // sport or gangs
	Seats  []Seat // the first is seat 1's
	Days   []Day
	Nights []Night // those with shots: night 0 of sport has none

	// The result. With none of them the game was abandoned.
	Winner   engine.Side
	Drawn    bool
	Defeated engine.Seat // who was disqualified, when the judge ruled that his team has lost

	Began, Ended time.Time // of the first and the last act of play, which an appeal is not; zero when the record names no times

	rotation string // the option first_speaker
}

// Seat is what the sheet has of one seat.
type Seat struct {
	Role      engine.Role
	Fouls     []When
	Technical []When // technical fouls
	BestMove  []engine.Seat
	Left      *Exit // nil for who is in the game at its end
}

// Exit is when and why a seat left.
type Exit struct {
	When
	Cause string // as `out` gives it

	// Fouls and Technical are how many it had by then: more may be given to who
	// still has a last word.
	Fouls, Technical int
}

// When is a moment of the game, as exactly as a sheet needs it.
type When struct {
	engine.Phase
	Polls   int         // the votes of this day that were closed before
	Decided bool        // the day's vote is over
	Asking  bool        // it is asked whether all of the tied leave
	Speaker engine.Seat // who has the word or had it last in this phase
	Last    bool        // it is the speaker's last word
}

// Day is one day: what was nominated and how it was voted.
type Day struct {
	N           int
	Nominations []Nomination // in voting order, without those that were withdrawn
	Polls       []Poll       // the vote and those of a split; a vote that became void is none
	Asked       []engine.Seat
	Hands       []engine.Seat // who was for all of the Asked leaving, by seat
	Void        bool
	Out         []engine.Seat // voted out, in voting order
}

// Nomination is who nominated whom.
type Nomination struct{ By, Of engine.Seat }

// Poll is one closed vote.
type Poll struct {
	Candidates []engine.Seat // in voting order
	// Votes are by voter, the first is seat 1's; 0 for who was out. Who did not
	// vote counts for the last candidate (the regulation), and so does here.
	Votes []engine.Seat
}

// For lists who voted for a candidate, by seat.
func (p Poll) For(candidate engine.Seat) (voters []engine.Seat) {
	for i, of := range p.Votes {
		if of == candidate {
			voters = append(voters, engine.Seat(i+1))
		}
	}
	return voters
}

// Night is one night with shots. When the game ended before it was closed it
// has no acts.
type Night struct {
	N    int
	Acts []Act         // as they counted: shots, searches for the sheriff and checks
	Out  []engine.Seat // shot, by seat
}

// Act is what a seat did at night.
type Act struct {
	By      engine.Seat
	Verb    engine.Verb // Shoot, Seek or Check
	Seats   []engine.Seat
	Answers []string // one for each seat asked about: yes, no, black, red, a side, or none
	Fate    string   // what became of it, as `trace` gives it
}

// Shots are the shots of a night.
func (n Night) Shots() (shots []Act) {
	for _, a := range n.Acts {
		if a.Verb == engine.Shoot {
			shots = append(shots, a)
		}
	}
	return shots
}

// Has tells whether games of these rules have a sheet.
func Has(rules engine.Ruleset) bool {
	switch rules.ID() {
	case "sport", "gangs":
		return true
	}
	return false
}

// Of is the sheet of a game. There is none while the game goes on, when all of
// it would be secret, nor under rules that have none.
func Of(g engine.Game) (s Sheet, ok bool) {
	if !g.Begun() || !g.Ended() || !Has(g.Rules()) {
		return s, false
	}
	setup := g.Setup()
	s = Sheet{Rules: g.Rules().ID(), rotation: setup.Options["first_speaker"]}
	for _, role := range setup.Roles {
		s.Seats = append(s.Seats, Seat{Role: role})
	}
	p := pen{Sheet: &s}
	for _, e := range g.Course() {
		if at := e.Act.At; !at.IsZero() {
			if s.Began.IsZero() {
				s.Began = at
			}
			s.Ended = at
		}
		p.act(e.Act)
		p.events(e.Events)
	}
	return s, true
}
