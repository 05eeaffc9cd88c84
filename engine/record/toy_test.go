package record

import "github.com/mafiabox/mafiabox/engine"

// toy is a rule system just large enough to be replayed: seats heal one another
// at night, the morning says that everybody stays, and who is warned leaves.
type toy struct{}

func (toy) ID() string        { return "toy" }
func (toy) Seats() (int, int) { return 2, 12 }
func (toy) Options() []engine.Option {
	return []engine.Option{
		{Name: "colour", Values: []string{"red", "blue"}},
		{Name: "speech_s", Values: []string{"60"}, Min: 5, Max: 600},
	}
}
func (toy) Roles() []engine.RoleInfo {
	return []engine.RoleInfo{{Role: "town", Side: "town", Many: true}}
}
func (toy) Draws() []engine.Drawn { return nil }

func (toy) Cast(seats int) []engine.Role {
	cast := []engine.Role{"don"}
	for len(cast) < seats {
		cast = append(cast, "town")
	}
	return cast
}

func (toy) New(s engine.Setup) (engine.State, []engine.Event, error) {
	state := toyState{seats: s.Seats, phase: engine.Day}
	for _, r := range s.Roles {
		if r != "town" && r != "don" {
			return nil, nil, &engine.SetupError{Problem: "role", Role: r}
		}
	}
	var told []engine.Event
	for i, r := range s.Roles {
		told = append(told, engine.Event{To: engine.Audience(i + 1), Kind: engine.Told, Verb: engine.ToldRole, Words: []string{string(r)}})
	}
	return state, append(told, state.is()), nil
}

type toyState struct {
	seats, night int
	phase        string
}

func (s toyState) is() engine.Event {
	return engine.Event{To: engine.All, Kind: engine.PhaseIs, Words: []string{s.phase}, N: s.night}
}

func (s toyState) Round() int { return s.night }

func (s toyState) Offers(a engine.Actor) []engine.Offer {
	var all []engine.Seat
	for i := range s.seats {
		all = append(all, engine.Seat(i+1))
	}
	when := func(phase string) engine.Standing {
		if s.phase == phase {
			return engine.Open
		}
		return engine.Later
	}
	switch {
	case a == engine.Host:
		return []engine.Offer{
			{Verb: engine.Night, Now: when(engine.Day)},
			{Verb: engine.Dawn, Now: when(engine.Nights)},
			{Verb: engine.Warn, Now: engine.Open, Min: 1, Max: 1, Seats: all, TextMax: engine.TextMax},
		}
	case a > 0:
		return []engine.Offer{
			{Verb: engine.Heal, Now: when(engine.Nights), Min: 1, Max: 1, Seats: all},
			{Verb: engine.Vote, Now: when(engine.Day), Min: 1, Max: 1, Seats: all, Words: []string{"null"}},
		}
	}
	return nil
}

func (s toyState) Do(a engine.Act) (engine.State, []engine.Event, error) {
	to := engine.Audience(a.By)
	switch a.Verb {
	case engine.Night:
		s.phase, s.night = engine.Nights, s.night+1
		return s, []engine.Event{s.is()}, nil
	case engine.Dawn:
		s.phase = engine.Day
		return s, []engine.Event{{To: engine.All, Kind: engine.Stay}, s.is()}, nil
	case engine.End:
		s.phase = engine.Ended
		return s, []engine.Event{{To: engine.All, Kind: engine.Draw}, s.is()}, nil
	case engine.Warn:
		return s, []engine.Event{{To: engine.All, Kind: engine.Out, Of: a.Seats[0], Words: []string{engine.ByLeft}}}, nil
	case engine.Heal:
		return s, []engine.Event{
			{To: to, Kind: engine.Chose, Of: a.By.Seat(), Verb: a.Verb, Seats: a.Seats},
			{To: engine.All, Kind: engine.Owed},
		}, nil
	}
	return s, nil, nil
}
