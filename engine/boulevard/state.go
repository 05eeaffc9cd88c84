package boulevard

import (
	"slices"

	"github.com/mafiabox/mafiabox/engine"
)

// game is what stays the same for a whole game.
type game struct {
	options map[string]string
	table   []Role
	dealt   []engine.Role // by seat, the first is seat 1's
	picks   int           // how many picks each seat has at night: as many as the busiest role
}

// state is a game at one moment.
type state struct {
	*game
	lawyer string        // what the Lawyer does: the option, or the host's ruling
	ruling string        // the ruling that the game waits for, if any
	tied   []engine.Seat // of the ruling on a tie
	phase  engine.Phase
	round  int
	out    set
	ended  bool

	// The night.
	choices  []choice // as entered: a new one of the same verb goes to the end
	answered set      // who has sent anything
	fallen   set      // out at dawn
	previous []choice // last night's, for the limits on repeating
	selfUsed set      // who has used the one act on himself that `once` allows

	// The day.
	spoken     set
	muted      set // loses this day's speech
	mutedNext  set // loses the next day's
	warnings   []int
	speaker    engine.Seat
	held       bool
	candidates []engine.Seat
	ballots    []engine.Seat // by voter; 0: none
	voted      bool          // this day's vote is over
}

// choice is one accepted act of a night.
type choice struct {
	by    engine.Seat
	verb  engine.Verb
	seats []engine.Seat
	no    int // when it was entered: a corrected one counts as entered with its correction
}

// set is a set of seats.
type set uint64

func (s set) has(seat engine.Seat) bool { return s&(1<<uint(seat)) != 0 }
func (s *set) add(seat engine.Seat)     { *s |= 1 << uint(seat) }

func (g *game) row(role engine.Role) (Role, bool) {
	i := slices.IndexFunc(g.table, func(r Role) bool { return r.Role == role })
	if i < 0 {
		return Role{}, false
	}
	return g.table[i], true
}

func (g *game) role(seat engine.Seat) engine.Role { return g.dealt[seat-1] }

func (g *game) side(seat engine.Seat) engine.Side {
	row, _ := g.row(g.role(seat))
	return row.Side
}

// does lists the night verbs of a seat, as the options leave them.
func (g *game) does(seat engine.Seat) []engine.Verb {
	row, _ := g.row(g.role(seat))
	verbs := slices.Clone(row.Does)
	if row.Role == lawyer && g.options["lawyer_shoots"] == "yes" {
		verbs = append(verbs, engine.Shoot)
	}
	if g.options["don_seek"] == "none" {
		verbs = slices.DeleteFunc(verbs, func(v engine.Verb) bool { return v == engine.Seek })
	}
	return verbs
}

func (g *game) shoots(seat engine.Seat) bool {
	return slices.Contains(g.does(seat), engine.Shoot)
}

// busy is how many picks a seat's role has at night.
func (g *game) busy(seat engine.Seat) (picks int) {
	for _, v := range g.does(seat) {
		picks += abilities[v].targets
	}
	return picks
}

func (g *game) begin() (engine.State, []engine.Event, error) {
	s := state{game: g, lawyer: g.options["lawyer"], warnings: make([]int, len(g.dealt)+1)}
	var events []engine.Event
	for _, seat := range s.living() {
		g.picks = max(g.picks, g.busy(seat))
		events = append(events, engine.Event{To: engine.Audience(seat), Kind: engine.Told, Verb: engine.ToldRole, Words: []string{string(g.role(seat))}})
	}
	for _, seat := range s.living() {
		for _, ally := range s.living() {
			if seat != ally && g.side(seat) == Mafia && g.side(ally) == Mafia {
				events = append(events, engine.Event{To: engine.Audience(seat), Kind: engine.Told, Verb: engine.ToldAlly, Seats: []engine.Seat{ally}, Words: []string{string(g.role(ally))}})
			}
		}
	}
	if s.lawyer == "ask" && slices.Contains(g.dealt, lawyer) {
		return s, append(events, s.ask("lawyer")), nil
	}
	return s, append(events, s.enter(engine.Day, 0)), nil
}

// living lists the seats that are in the game.
func (s *state) living() (seats []engine.Seat) {
	for i := range s.dealt {
		if seat := engine.Seat(i + 1); !s.out.has(seat) {
			seats = append(seats, seat)
		}
	}
	return seats
}

// enter goes to a phase.
func (s *state) enter(name string, n int) engine.Event {
	s.phase = engine.Phase{Name: name, N: n}
	return engine.Event{To: engine.All, Kind: engine.PhaseIs, Words: []string{name}, N: n}
}

// ask waits for a ruling by the host.
func (s *state) ask(code string) engine.Event {
	s.ruling = code
	return engine.Event{To: engine.ToHost, Kind: engine.Ruling, Words: append([]string{code}, s.answers()...)}
}

// owed says how many still owe an answer or a vote.
func (s *state) owed() engine.Event {
	n := 0
	for _, seat := range s.living() {
		if s.phase.Name == engine.Nights && !s.answered.has(seat) || s.voting() && s.ballots[seat] == 0 {
			n++
		}
	}
	return engine.Event{To: engine.All, Kind: engine.Owed, N: n}
}

func (s *state) voting() bool {
	return s.phase.Name == engine.Voting || s.phase.Name == engine.Runoff
}

// Round changes when a night opens and when a vote opens.
func (s state) Round() int { return s.round }

// Do does an act on a copy.
func (s state) Do(a engine.Act) (engine.State, []engine.Event, error) {
	s.warnings = slices.Clone(s.warnings)
	s.choices = slices.Clone(s.choices)
	s.candidates = slices.Clone(s.candidates)
	s.ballots = slices.Clone(s.ballots)
	events := s.do(a)
	return s, events, nil
}

func (s *state) do(a engine.Act) []engine.Event {
	if seat := a.By.Seat(); seat != 0 {
		switch a.Verb {
		case engine.Nominate:
			return s.nominate(seat, a.Seats[0])
		case engine.Vote:
			return s.vote(seat, a.Seats[0])
		}
		return s.choose(choice{seat, a.Verb, a.Seats, a.No})
	}
	switch a.Verb {
	case engine.Night:
		return s.night()
	case engine.Close:
		if s.voting() {
			return s.count()
		}
		return s.closeNight()
	case engine.Dawn:
		return s.dawn()
	case engine.Speech:
		return s.speech(a.Seats)
	case engine.Pass:
		s.speaker, s.held = 0, false
	case engine.Hold, engine.Go:
		s.held = a.Verb == engine.Hold
	case engine.Vote:
		return s.openVote()
	case engine.Rule:
		return s.rule(a.Word)
	case engine.Warn:
		return s.warn(a.Seats[0])
	case engine.Disqualify:
		return s.remove(a.Seats[0], engine.ByDisqualified)
	case engine.Leave:
		return s.remove(a.Seats[0], engine.ByLeft)
	case engine.End:
		return s.finish(nil)
	}
	return nil // stop, resume, replay, clock: nothing here depends on them
}
