package gangs

import (
	"slices"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/sport"
)

// gangs are the two gangs and the town, with the drawn gang whose shot counts
// first. Nothing but the result of a night depends on whose turn it is.
type gangs struct{ first engine.Side }

func side(t *sport.Table, seat engine.Seat) engine.Side {
	i := slices.IndexFunc(roles, func(r engine.RoleInfo) bool { return r.Role == t.Role(seat) })
	return roles[i].Side
}

// members are the living seats of a gang, the leader first.
func members(t *sport.Table, gang engine.Side) (seats []engine.Seat) {
	for _, r := range roles[:4] {
		if seat := t.Holder(r.Role); r.Side == gang && t.Lives(seat) {
			seats = append(seats, seat)
		}
	}
	return seats
}

// leads tells whether a seat is the Boss or the Don.
func leads(t *sport.Table, seat engine.Seat) bool { return t.Role(seat) == boss || t.Role(seat) == don }

func partner(t *sport.Table, seat engine.Seat) engine.Seat {
	return t.Holder(map[engine.Role]engine.Role{boss: gangster, gangster: boss, don: mafioso, mafioso: don}[t.Role(seat)])
}

// Allies: where the club plays so, the members of a gang learn each other.
func (gangs) Allies(t *sport.Table, settled string) (events []engine.Event) {
	if t.Option("gang_knows") != "each_other" || settled != "" && settled != "gang_knows" {
		return nil
	}
	for _, seat := range t.Living() {
		if side(t, seat) != Town {
			events = append(events, sport.Ally(t, seat, partner(t, seat)))
		}
	}
	return events
}

// Acts: leaders shoot and look for the sheriff, partners shoot, the sheriff
// checks two seats on the first night and one on the later ones. A partner
// whose shot is the leader's has no shot of his own while the leader lives;
// unless he does not know the leader, whose loss his page would tell him.
func (gangs) Acts(t *sport.Table, seat engine.Seat) []sport.Act {
	shoot, sure := sport.Act{Verb: engine.Shoot, Targets: 1}, t.Option("killed_asks") == "yes"
	switch {
	case leads(t, seat):
		return []sport.Act{shoot, {Verb: engine.Seek, Targets: 1, AtOnce: sure}}
	case side(t, seat) != Town:
		if t.Option("shot_by") == "leader" && t.Option("gang_knows") == "each_other" && t.Lives(partner(t, seat)) {
			return nil
		}
		return []sport.Act{shoot}
	case t.Role(seat) == sheriff && t.Night() <= 1:
		return []sport.Act{{Verb: engine.Check, Targets: 2, AtOnce: sure}}
	case t.Role(seat) == sheriff:
		return []sport.Act{{Verb: engine.Check, Targets: 1, AtOnce: sure}}
	}
	return nil
}

// target is the seat that a gang shoots at, by the acts of its living members; 0: none.
func target(t *sport.Table, gang engine.Side) engine.Seat {
	shots := make(map[engine.Seat]sport.Choice) // by who shoots
	for _, c := range t.Choices() {
		if c.Verb == engine.Shoot {
			shots[c.By] = c
		}
	}
	var chosen sport.Choice
	alive := members(t, gang)
	for i, seat := range alive {
		shot, shoots := shots[seat]
		switch t.Option("shot_by") {
		case "leader":
			if i > 0 {
				continue // the leader's alone, or after him the partner's
			}
		case "agree":
			if !shoots || i > 0 && (chosen.By == 0 || shot.Seats[0] != chosen.Seats[0]) {
				return 0
			}
		}
		if shoots && shot.No >= chosen.No {
			chosen = shot
		}
	}
	if chosen.By == 0 {
		return 0
	}
	return chosen.Seats[0]
}

// fallen are the seats that leave tonight: while both gangs live by the shot of
// the one whose turn it is, and by the other's when it is the same.
func (g gangs) fallen(t *sport.Table) (seats []engine.Seat) {
	add := func(seat engine.Seat) {
		if seat != 0 && !slices.Contains(seats, seat) {
			seats = append(seats, seat)
		}
	}
	for _, gang := range []engine.Side{Irish, Italian} {
		if shot := target(t, gang); g.counts(t, gang) || shot == target(t, other(gang)) {
			add(shot)
		}
	}
	slices.Sort(seats)
	return seats
}

func other(gang engine.Side) engine.Side {
	if gang == Irish {
		return Italian
	}
	return Irish
}

// counts tells whether a gang's shot counts tonight, whatever the other does.
func (g gangs) counts(t *sport.Table, gang engine.Side) bool {
	if len(members(t, other(gang))) == 0 {
		return true
	}
	turn := t.Night() - 1
	if t.Option("first_night_shots") == "both" {
		if t.Night() == 1 {
			return true
		}
		turn--
	}
	return (turn%2 == 0) == (gang == g.first)
}

// Resolve: answers as the acts were entered, and whose shot counted.
func (g gangs) Resolve(t *sport.Table) (o sport.Outcome) {
	o.Fallen = g.fallen(t)
	silent := func(seat engine.Seat) bool {
		return t.Option("killed_asks") == "no" && slices.Contains(o.Fallen, seat)
	}
	tell := func(to engine.Seat, c sport.Choice, of engine.Seat, word string) {
		if silent(to) {
			word = "none"
		}
		o.Answers = append(o.Answers, sport.Answer(to, c.Verb, of, word))
	}
	for _, c := range t.Choices() {
		fate := "stands"
		switch c.Verb {
		case engine.Shoot:
			fate = g.fate(t, c, o.Fallen)
		case engine.Check:
			for _, of := range c.Seats {
				tell(c.By, c, of, string(side(t, of)))
			}
		case engine.Seek:
			answer := sport.YesNo(t.Role(c.Seats[0]) == sheriff)
			tell(c.By, c, c.Seats[0], answer)
			if ally := partner(t, c.By); t.Option("search_shared") == "yes" && t.Lives(ally) {
				if silent(c.By) {
					answer = "none"
				}
				tell(ally, c, c.Seats[0], answer)
			}
		}
		if silent(c.By) && (c.Verb == engine.Check || c.Verb == engine.Seek) {
			fate = "blocked"
		}
		o.Traces = append(o.Traces, sport.TraceOf(c, fate))
	}
	return o
}

// fate is what became of a shot, for the host and the story.
func (g gangs) fate(t *sport.Table, c sport.Choice, fallen []engine.Seat) string {
	switch gang := side(t, c.By); {
	case c.Seats[0] != target(t, gang):
		return "overruled"
	case !slices.Contains(fallen, c.Seats[0]):
		return "waited" // it was the other gang's turn
	}
	return "out"
}
