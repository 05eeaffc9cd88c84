package forum

import (
	"slices"
	"strconv"
	"time"

	"github.com/mafiabox/mafiabox/engine"
)

// game is what stays the same for a whole game.
type game struct {
	options map[string]string
	dealt   []engine.Role // by seat, the first is seat 1's
	known   engine.Seat   // the mafioso whom the Inspector knows
	names   []name        // by seat
	zone    *time.Location
}

// state is a game at one moment.
type state struct {
	*game
	pending   string   // the ruling that the game waits for, if any
	choices   []string // its choices
	makeUp    string   // missed_whack_round, as the host has settled it where it was open
	phase     engine.Phase
	round     int
	since     int // the replay that began this round again: what was posted before it votes no more
	out       set
	ended     bool
	missed    []int // votes, by seat
	warned    []int
	suspended set
	exile     engine.Seat // the most recent
	shown     set         // whose roles are public

	poll
	night
	clock
}

// set is a set of seats.
type set uint64

func (s set) has(seat engine.Seat) bool { return s&(1<<uint(seat)) != 0 }
func (s *set) add(seat engine.Seat)     { *s |= 1 << uint(seat) }
func (s *set) drop(seat engine.Seat)    { *s &^= 1 << uint(seat) }

func (g *game) number(option string) int {
	n, _ := strconv.Atoi(g.options[option])
	return n
}

func (g *game) hours(option string) time.Duration {
	return time.Duration(g.number(option)) * time.Hour
}

func (g *game) role(seat engine.Seat) engine.Role { return g.dealt[seat-1] }

func (g *game) side(seat engine.Seat) engine.Side {
	if g.role(seat) == mafia {
		return Mafia
	}
	return Town
}

func (s *state) lives(seat engine.Seat) bool { return !s.out.has(seat) }

// seats are those of which something is true, in order.
func (s *state) seats(of func(engine.Seat) bool) (seats []engine.Seat) {
	for i := range s.dealt {
		if seat := engine.Seat(i + 1); of(seat) {
			seats = append(seats, seat)
		}
	}
	return seats
}

func (s *state) living() []engine.Seat { return s.seats(s.lives) }

func (s *state) all() []engine.Seat { return s.seats(func(engine.Seat) bool { return true }) }

// black are the living mafiosi.
func (s *state) black() []engine.Seat {
	return s.seats(func(seat engine.Seat) bool { return s.lives(seat) && s.role(seat) == mafia })
}

// seeker is the Inspector's seat.
func (g *game) seeker() engine.Seat { return engine.Seat(1 + slices.Index(g.dealt, inspector)) }

// begin tells the roles. Mafiosi learn each other, the Inspector one of them
// (source/forum.txt, 1 and 2).
func (s state) begin() (engine.State, []engine.Event, error) {
	var events []engine.Event
	for _, seat := range s.all() {
		events = append(events, engine.Event{To: engine.Audience(seat), Kind: engine.Told, Verb: engine.ToldRole, Words: []string{string(s.role(seat))}})
	}
	for _, seat := range s.all() {
		for _, ally := range s.black() {
			if s.role(seat) == mafia && ally != seat || s.role(seat) == inspector && ally == s.known {
				events = append(events, engine.Event{To: engine.Audience(seat), Kind: engine.Told, Verb: engine.ToldAlly, Seats: []engine.Seat{ally}, Words: []string{string(mafia)}})
			}
		}
	}
	s.makeUp = s.options["missed_whack_round"]
	if s.makeUp == "ask" { // rules don't change once the game has begun (source/forum.txt, after 14)
		return s, append(events, s.ask("missed_whack_round", "if_even", "always")), nil
	}
	return s, append(events, s.opens(engine.Day, 1)...), nil
}

// ask waits for a ruling by the host.
func (s *state) ask(code string, choices ...string) engine.Event {
	s.pending, s.choices = code, choices
	return engine.Event{To: engine.ToHost, Kind: engine.Ruling, Words: append([]string{code}, choices...)}
}

// enter goes to a phase.
func (s *state) enter(name string, n int) engine.Event {
	s.phase = engine.Phase{Name: name, N: n}
	return engine.Event{To: engine.All, Kind: engine.PhaseIs, Words: []string{name}, N: n}
}

// Round changes when a vote or a night opens: a runoff is a round of its own.
func (s state) Round() int { return s.round }

// Do does an act on a copy, and what it brings about.
func (s state) Do(a engine.Act) (engine.State, []engine.Event, error) {
	s.votes, s.runoff, s.about = slices.Clone(s.votes), slices.Clone(s.runoff), slices.Clone(s.about)
	s.missed, s.warned = slices.Clone(s.missed), slices.Clone(s.warned)
	if a.Verb == engine.Post && len(a.Text) > engine.PostMax {
		return nil, nil, engine.RefusedLimit // an offer counts characters, a post has so many bytes
	}
	events, closed := s.does(a), s.happens()
	if closed != nil { // nobody owes anything to a round that has closed
		events = slices.DeleteFunc(events, func(e engine.Event) bool { return e.Kind == engine.Owed && a.Verb != engine.Advance })
	}
	return s, append(events, closed...), nil
}

func (s *state) does(a engine.Act) []engine.Event {
	if s.ended {
		return nil // time goes on
	}
	seat := a.By.Seat()
	switch {
	case a.Verb == engine.Post:
		return s.post(a)
	case a.Verb == engine.Whisper:
		return s.whisper(a)
	case seat == 0:
		return s.hostDoes(a)
	}
	switch a.Verb {
	case engine.Vote:
		if len(a.Seats) == 0 {
			return s.vote(seat, 0)
		}
		return s.vote(seat, a.Seats[0])
	case engine.Lock, engine.Unlock:
		return s.lock(seat, a.Verb)
	case engine.Extension:
		return s.request(seat)
	}
	return s.choose(seat, a.Verb, a.Seats[0])
}

func (s *state) hostDoes(a engine.Act) []engine.Event {
	switch a.Verb {
	case engine.Advance:
		return s.advance(a.Moment)
	case engine.Close:
		return s.close()
	case engine.Rule:
		return s.rule(a.Word)
	case engine.Extend:
		return s.extend(a.Word)
	case engine.Warn:
		s.warned[a.Seats[0]]++
		return []engine.Event{{To: engine.All, Kind: engine.Warned, Of: a.Seats[0], N: s.warned[a.Seats[0]]}}
	case engine.Suspend: // told to nobody else before the end (source/forum.txt, 12)
		s.suspended.add(a.Seats[0])
		return []engine.Event{{To: engine.Audience(a.Seats[0]), Kind: engine.Told, Words: []string{"suspended"}}}
	case engine.Disqualify:
		return s.remove(a.Seats[0], engine.ByDisqualified)
	case engine.Leave:
		return s.remove(a.Seats[0], engine.ByLeft)
	case engine.Stop:
		s.stopped, s.stoppedAt = true, s.now
	case engine.Resume:
		return s.resume()
	case engine.Replay:
		s.since = a.No
		return s.again(a.Moment)
	case engine.End:
		return s.finish(nil)
	}
	return nil
}

// close ends the round that is open: a vote, or a night.
func (s *state) close() []engine.Event {
	if s.phase.Name == engine.Nights {
		return s.endNight()
	}
	return s.count()
}

// rule follows the host's ruling.
func (s *state) rule(choice string) []engine.Event {
	code := s.pending
	s.pending, s.choices = "", nil
	switch code {
	case "missed_whack_round":
		s.makeUp = choice
		return s.opens(engine.Day, 1)
	case "missed-whack-reveal":
		return s.reveal(choice)
	case "two-missed":
		return s.twoMissed(choice)
	}
	return s.untied(choice) // no-votes, runoff-limit
}
