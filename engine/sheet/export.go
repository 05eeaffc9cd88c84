package sheet

import (
	"slices"
	"time"

	"github.com/mafiabox/mafiabox/engine"
)

// Export is a game of sport in the JSON that club rating sites take: the game
// form of mafiaratings.com, as that site's public programming interface
// describes it. Round N is night N and day N; round 0 is the agreement and the
// zero day. What the box does not know is left out: the site's own numbers of
// people, club and event, its code of the rules, points and bonuses.
type Export struct {
	// Features are the letters of what the game tells. Without an n the
	// nominations are missing, see Sheet.Reordered.
	Features string   `json:"features"`
	Start    string   `json:"startTime,omitempty"` // ISO 8601; the form asks for it, old records have none
	End      string   `json:"endTime,omitempty"`
	Language string   `json:"language,omitempty"` // two letters
	Winner   string   `json:"winner"`             // civ, maf or tie
	Players  []Player `json:"players"`            // ten, by seat
}

// Player is a seat of an Export. Lists by round are cut after the last round in
// which there is something; null stands for nothing.
type Player struct {
	Name       string         `json:"name"`
	Role       string         `json:"role,omitempty"` // don, maf or sheriff; none is civ
	Death      *Death         `json:"death,omitempty"`
	Warnings   []Time         `json:"warnings,omitempty"`
	TechFouls  []Time         `json:"techFouls,omitempty"`
	Don        int            `json:"don,omitempty"`     // the night of the don's first check of this player
	Sheriff    int            `json:"sheriff,omitempty"` // the sheriff's
	Legacy     []engine.Seat  `json:"legacy,omitempty"`  // the best move
	Nominating []*engine.Seat `json:"nominating,omitempty"`
	// Voting has a seat for a round with one vote, and a list for a split: a
	// seat for each vote, and at the end whether the player was for the leaving
	// of all, when that was asked.
	Voting   []any          `json:"voting,omitempty"`
	Shooting []*engine.Seat `json:"shooting,omitempty"` // from night 1 on
}

// Death is how and when a player left.
type Death struct {
	Round int    `json:"round"`
	Type  string `json:"type"`           // night, day, warnings, techFouls, kickOut, teamKickOut, giveUp
	Time  *Time  `json:"time,omitempty"` // of who was removed or went
}

// Time is a moment of the game in the form's words.
type Time struct {
	Round   int         `json:"round"`
	Time    string      `json:"time"`
	Voting  *int        `json:"votingRound,omitempty"` // which vote of the day, from 0
	Speaker engine.Seat `json:"speaker,omitempty"`
}

// times are the moments of a round in their order.
var times = []string{
	"start", "arrangement", "relaxed sitting", "night start", "shooting", "don", "sheriff", "night end",
	"day start", "night kill speaking", "speaking", "voting start", "voting", "voting kill all", "day kill speaking", "end",
}

// The features of an export: g and s the checks, d, u, t and c the deaths, l the
// best move, h the shots, v and k the votes, n the nominations, w and r the fouls.
const (
	unnominated = "gsdutclhvkwr"
	whole       = unnominated + "n"
)

// Exports tells whether the game has an Export: rating sites know sport alone,
// and only games with a result.
func (s Sheet) Exports() bool {
	return s.Rules == "sport" && (s.Winner != "" || s.Drawn)
}

// Export is the game for a rating site, with a name for each seat. It is to be
// asked for only where Exports says so.
func (s Sheet) Export(names []string, language string) Export {
	e := s.export(names)
	e.Language = language
	if len(s.Reordered()) > 0 {
		e.Features = unnominated
		for i := range e.Players {
			e.Players[i].Nominating = nil
		}
	}
	return e
}

// export is the game with its nominations, whatever a site makes of them.
func (s Sheet) export(names []string) Export {
	e := Export{Features: whole, Start: iso(s.Began), End: iso(s.Ended), Winner: "tie"}
	switch s.Winner {
	case "town":
		e.Winner = "civ"
	case "mafia":
		e.Winner = "maf"
	}
	for i, line := range s.Seats {
		seat := engine.Seat(i + 1)
		p := Player{Death: s.death(seat), Legacy: line.BestMove}
		if i < len(names) {
			p.Name = names[i]
		}
		switch line.Role {
		case "don", "sheriff":
			p.Role = string(line.Role)
		case "mafia":
			p.Role = "maf"
		}
		fouls, technical := line.Fouls, line.Technical
		if left := line.Left; left != nil {
			fouls, technical = fouls[:left.Fouls], technical[:left.Technical]
		}
		p.Warnings, p.TechFouls = clocked(fouls), clocked(technical)
		s.days(seat, &p)
		s.nights(seat, &p)
		e.Players = append(e.Players, p)
	}
	return e
}

func iso(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// days fills in what a player nominated and voted.
func (s Sheet) days(seat engine.Seat, p *Player) {
	for _, d := range s.Days {
		for _, n := range d.Nominations {
			if n.By == seat {
				put(&p.Nominating, d.N, &n.Of)
			}
		}
		var votes []any
		for _, poll := range d.Polls {
			if of := poll.Votes[seat-1]; of != 0 {
				votes = append(votes, of)
			}
		}
		if d.Asked != nil && len(votes) > 0 {
			votes = append(votes, slices.Contains(d.Hands, seat))
		}
		switch len(votes) {
		case 0:
		case 1:
			put(&p.Voting, d.N, votes[0])
		default:
			put(&p.Voting, d.N, any(votes))
		}
	}
}

// nights fills in a player's shots, and when he was checked.
func (s Sheet) nights(seat engine.Seat, p *Player) {
	for _, n := range s.Nights {
		for _, a := range n.Acts {
			checks := a.Seats[0] == seat && a.Verb != engine.Shoot && a.Answers[0] != "none"
			switch {
			case a.Verb == engine.Shoot && a.By == seat:
				put(&p.Shooting, n.N-1, &a.Seats[0])
			case checks && a.Verb == engine.Seek && p.Don == 0:
				p.Don = n.N
			case checks && a.Verb == engine.Check && p.Sheriff == 0:
				p.Sheriff = n.N
			}
		}
	}
}

// put sets one place of a list, which grows up to it.
func put[T any](list *[]T, i int, value T) {
	for len(*list) <= i {
		var nothing T
		*list = append(*list, nothing)
	}
	(*list)[i] = value
}

// death is how a seat left. A seat whose team was defeated for it is a kind of
// its own in the form; so are four fouls and two technical ones.
func (s Sheet) death(seat engine.Seat) *Death {
	line := s.Seats[seat-1]
	if line.Left == nil {
		return nil
	}
	at := line.Left.time()
	d := &Death{Round: at.Round, Time: &at}
	switch line.Left.Cause {
	case engine.ByNight:
		d.Type, d.Time = "night", nil
	case engine.ByVote:
		d.Type, d.Time = "day", nil
	case engine.ByFouls:
		d.Type = "warnings"
		if line.Left.Fouls < 4 {
			d.Type = "techFouls"
		}
	case engine.ByDisqualified:
		d.Type = "kickOut"
		if s.Defeated == seat {
			d.Type = "teamKickOut"
		}
	default:
		d.Type = "giveUp"
	}
	return d
}

// clocked are the times of a seat's fouls. For the form a seat is gone once it
// is out, whatever it still says.
func clocked(fouls []When) (list []Time) {
	for _, w := range fouls {
		list = append(list, w.time())
	}
	return list
}

// time is a moment in the form's words. After a vote by which nobody has the
// last word the next night has begun there: there is nothing between.
func (w When) time() Time {
	t := Time{Round: w.N}
	switch w.Name {
	case "":
		t.Time = "start"
	case engine.Nights:
		t.Time = "night start"
		if w.N == 0 {
			t.Time = "arrangement"
		}
	case engine.Closed:
		t.Time = "night end"
		if w.N == 0 {
			t.Time = "relaxed sitting"
		}
	case engine.Day:
		switch {
		case w.Decided && w.Last:
			t.Time, t.Speaker = "day kill speaking", w.Speaker
		case w.Decided:
			t.Round, t.Time = w.N+1, "night start"
		case w.Last:
			t.Time = "night kill speaking"
		case w.Speaker != 0:
			t.Time, t.Speaker = "speaking", w.Speaker
		default:
			t.Time = "day start"
		}
	default: // a vote or a split
		t.Time, t.Voting, t.Speaker = "voting", &w.Polls, w.Speaker
		if w.Asking {
			t.Time, t.Speaker = "voting kill all", 0
			*t.Voting = w.Polls - 1
		}
	}
	return t
}
