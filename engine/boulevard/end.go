package boulevard

import (
	"strconv"

	"github.com/mafiabox/mafiabox/engine"
)

func (s *state) leave(seat engine.Seat, cause string) engine.Event {
	s.out.add(seat)
	return engine.Event{To: engine.All, Kind: engine.Out, Of: seat, Words: []string{cause}}
}

// after follows an announcement that took these seats out: the end if there is
// one, otherwise what opens next.
func (s *state) after(events []engine.Event, left []engine.Seat, open func() []engine.Event) []engine.Event {
	winner, over := s.winner()
	switch {
	case over && winner == "ask":
		return append(append(events, s.reveal(left)...), s.ask("duel"))
	case over:
		return s.finish(append(events, won(winner)))
	}
	events = append(events, s.reveal(left)...)
	return append(events, open()...)
}

// won is the announcement of who wins, or of a draw.
func won(winner engine.Side) engine.Event {
	if winner == "draw" {
		return engine.Event{To: engine.All, Kind: engine.Draw}
	}
	return engine.Event{To: engine.All, Kind: engine.Win, Words: []string{string(winner)}}
}

// reveal makes the roles public of who leaves, where the club plays so.
func (s *state) reveal(left []engine.Seat) (events []engine.Event) {
	if s.options["reveal"] != "on_exit" {
		return nil
	}
	for _, seat := range left {
		events = append(events, s.shows(seat))
	}
	return events
}

func (s *state) shows(seat engine.Seat) engine.Event {
	return engine.Event{To: engine.All, Kind: engine.RoleIs, Of: seat, Words: []string{string(s.role(seat))}}
}

// finish ends the game; all roles are public.
func (s *state) finish(events []engine.Event) []engine.Event {
	s.ended, s.ruling, s.speaker, s.held = true, "", 0, false
	for i := range s.dealt {
		events = append(events, s.shows(engine.Seat(i+1)))
	}
	return append(events, s.enter(engine.Ended, 0))
}

// winner tells whether the game is over: the side that wins, "draw", or "ask"
// where the host decides a duel.
func (s *state) winner() (engine.Side, bool) {
	count := map[engine.Side]int{}
	for _, seat := range s.living() {
		count[s.side(seat)]++
	}
	mafia, maniac := count[Mafia], count[Maniac]
	others := len(s.living()) - mafia
	town := others - maniac
	switch {
	case mafia == 1 && maniac == 1 && town == 0:
		return engine.Side(s.options["duel"]), true
	case mafia+others == 0:
		return "draw", true
	case mafia == 0 && maniac == 0:
		return Town, true
	case mafia == 0:
		return Maniac, others <= 2
	}
	switch s.options["parity"] {
	case "town":
		return Mafia, mafia >= town && maniac == 0
	case "outnumber":
		return Mafia, mafia > others
	}
	return Mafia, mafia >= others
}

// rule follows the host's answer.
func (s *state) rule(choice string) []engine.Event {
	code := s.ruling
	s.ruling = ""
	switch code {
	case "lawyer":
		s.lawyer = choice
		s.round++ // the deal is over; the ruling is what its first round opened with
		return []engine.Event{s.enter(engine.Day, 0)}
	case "duel":
		return s.finish([]engine.Event{won(engine.Side(choice))})
	}
	if choice == "nobody" {
		return s.nobody(nil)
	}
	seat, _ := strconv.Atoi(choice)
	return s.exile(nil, engine.Seat(seat))
}

// answers are what the pending ruling takes.
func (s *state) answers() []string {
	switch s.ruling {
	case "lawyer":
		return []string{"check_cover", "flip", "guard"}
	case "duel":
		return []string{string(Mafia), string(Maniac), "draw"}
	case "day-tie":
		choices := make([]string, 0, len(s.tied)+1)
		for _, seat := range s.tied {
			choices = append(choices, strconv.Itoa(int(seat)))
		}
		return append(choices, "nobody")
	}
	return nil
}
