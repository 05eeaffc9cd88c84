package sport

import (
	"maps"
	"slices"
	"strconv"

	"github.com/mafiabox/mafiabox/engine"
)

// Sides is what a rule system says for itself: who knows whom, what each seat
// may do at night, what a night comes to, and when the game is over.
type Sides interface {
	// Allies are what the seats privately learn of each other. It is asked at the
	// deal, and again after each open point that the host settles before the game.
	Allies(t *Table, settled string) []engine.Event
	// Acts are what a living seat may do tonight, as far as its page may show it.
	Acts(t *Table, seat engine.Seat) []Act
	// Resolve is what the night comes to that closes now.
	Resolve(t *Table) Outcome
	// Verdict tells whether the living seats end the game.
	Verdict(t *Table) Verdict
	// Defeat is who wins when this seat's team is defeated; empty where no rule says.
	Defeat(t *Table, seat engine.Seat) engine.Side
}

// Act is a verb of a night, and how many seats it names.
type Act struct {
	Verb    engine.Verb
	Targets int
	AtOnce  bool // nothing else of the night changes its answer
}

// Choice is one accepted act of a night.
type Choice struct {
	By    engine.Seat
	Verb  engine.Verb
	Seats []engine.Seat
	No    int // when it was entered: a corrected one counts as entered with its correction
}

// Outcome is what a night comes to.
type Outcome struct {
	Fallen  []engine.Seat
	Answers []engine.Event // in the order in which the acts were entered
	Traces  []engine.Event
}

// Verdict is whether the game is over, and how. With Ask the host decides: his
// choices are sides, "draw" or "play-on".
type Verdict struct {
	Over    bool
	Winner  engine.Side // empty for a draw
	Ask     string      // the code of the ruling
	Choices []string
}

// Game is what stays the same for a whole game.
type Game struct {
	Sides     Sides
	Options   map[string]string
	Dealt     []engine.Role // by seat, the first is seat 1's
	Agreement bool          // it begins with the black's night 0, and day 0 follows; without it, with day 1
	Picks     int           // how many picks each seat has at night
	Asks      []engine.Option
}

// Table is a game at one moment.
type Table struct {
	*Game
	settled map[string]string // the open points that the host has settled
	pending string            // the ruling that the game waits for, if any
	choices []string          // its choices
	then    opening           // what opens when it lets the game go on
	phase   engine.Phase
	round   int
	out     set
	ended   bool

	night
	day
	conduct
	quiet
}

// set is a set of seats.
type set uint64

func (s set) has(seat engine.Seat) bool { return s&(1<<uint(seat)) != 0 }
func (s *set) add(seat engine.Seat)     { *s |= 1 << uint(seat) }
func (s *set) drop(seat engine.Seat)    { *s &^= 1 << uint(seat) }

// Option is the value of an option, as the host has settled it where it was open.
func (t *Table) Option(name string) string {
	if value, ok := t.settled[name]; ok {
		return value
	}
	return t.Options[name]
}

func (t *Table) number(option string) int {
	n, _ := strconv.Atoi(t.Option(option))
	return n
}

// Role is the role of a seat.
func (t *Table) Role(seat engine.Seat) engine.Role { return t.Dealt[seat-1] }

// Holder is the seat of a role that is dealt once.
func (t *Table) Holder(role engine.Role) engine.Seat {
	return engine.Seat(1 + slices.Index(t.Dealt, role))
}

// Lives tells whether a seat is in the game.
func (t *Table) Lives(seat engine.Seat) bool { return !t.out.has(seat) }

// Living lists the seats that are in the game.
func (t *Table) Living() (seats []engine.Seat) {
	for i := range t.Dealt {
		if seat := engine.Seat(i + 1); t.Lives(seat) {
			seats = append(seats, seat)
		}
	}
	return seats
}

// Night is the number of the night that is on or that was last.
func (t *Table) Night() int {
	if t.phase.Name == engine.Nights || t.phase.Name == engine.Closed || t.Agreement {
		return t.phase.N
	}
	return t.phase.N - 1
}

// Phase is where the game stands.
func (t *Table) Phase() engine.Phase { return t.phase }

// zeroDay is the number of the first day, which has rules of its own.
func (t *Table) zeroDay() int {
	if t.Agreement {
		return 0
	}
	return 1
}

// Begin begins a game: each seat learns its role, and the host is asked for
// what is open, one point after another.
func Begin(g Game) (Table, []engine.Event) {
	t := Table{Game: &g}
	t.fouls, t.technical = make([]int, len(g.Dealt)+1), make([]int, len(g.Dealt)+1)
	var events []engine.Event
	for _, seat := range t.Living() {
		events = append(events, engine.Event{To: engine.Audience(seat), Kind: engine.Told, Verb: engine.ToldRole, Words: []string{string(t.Role(seat))}})
	}
	events = append(events, t.Sides.Allies(&t, "")...)
	return t, append(events, t.start()...)
}

// start asks for the next open point. When there is none the first day begins,
// or the game stands before its night 0.
func (t *Table) start() []engine.Event {
	for _, o := range t.Asks {
		if t.Option(o.Name) == "ask" {
			return []engine.Event{t.ask(o.Name, slices.DeleteFunc(slices.Clone(o.Values), func(v string) bool { return v == "ask" }))}
		}
	}
	if t.Agreement {
		return nil
	}
	t.wakes()
	return []engine.Event{t.enter(engine.Day, t.zeroDay())}
}

// enter goes to a phase.
func (t *Table) enter(name string, n int) engine.Event {
	t.phase = engine.Phase{Name: name, N: n}
	return engine.Event{To: engine.All, Kind: engine.PhaseIs, Words: []string{name}, N: n}
}

// ask waits for a ruling by the host.
func (t *Table) ask(code string, choices []string) engine.Event {
	t.pending, t.choices = code, choices
	return engine.Event{To: engine.ToHost, Kind: engine.Ruling, Words: append([]string{code}, choices...)}
}

// Round changes when a night opens and when a vote opens.
func (t Table) Round() int { return t.round }

// Do does an act on a copy.
func (t Table) Do(a engine.Act) (engine.State, []engine.Event, error) {
	events := t.Follow(a)
	return t, events, nil
}

// Follow does an act that fits an open offer, on this table.
func (t *Table) Follow(a engine.Act) []engine.Event {
	t.settled = maps.Clone(t.settled)
	t.chosen, t.ballots = slices.Clone(t.chosen), slices.Clone(t.ballots)
	t.nominations, t.words = slices.Clone(t.nominations), slices.Clone(t.words)
	t.fouls, t.technical = slices.Clone(t.fouls), slices.Clone(t.technical)
	if seat := a.By.Seat(); seat != 0 {
		return t.seatDoes(seat, a)
	}
	return t.hostDoes(a)
}

func (t *Table) seatDoes(seat engine.Seat, a engine.Act) []engine.Event {
	switch a.Verb {
	case engine.Nominate:
		return t.nominate(seat, a.Seats[0])
	case engine.Withdraw:
		return t.withdraw(seat)
	case engine.Vote:
		return t.vote(seat, a.Seats[0])
	case engine.Raise:
		return t.raise(seat)
	case engine.BestMove:
		return t.bestMove(seat, a.Seats)
	}
	return t.choose(Choice{seat, a.Verb, a.Seats, a.No})
}

func (t *Table) hostDoes(a engine.Act) []engine.Event {
	switch a.Verb {
	case engine.Night:
		return t.openNight()
	case engine.Close:
		switch {
		case t.asking:
			return t.countHands()
		case t.polling():
			return t.count()
		}
		return t.closeNight()
	case engine.Dawn:
		return t.dawn()
	case engine.Speech:
		return t.speech(a.Seats)
	case engine.Pass:
		t.speaker, t.held = 0, false
	case engine.Hold, engine.Go:
		t.held = a.Verb == engine.Hold
	case engine.Vote:
		return t.openVote()
	case engine.Raise:
		return t.raise(a.Seats...)
	case engine.Rule:
		return t.rule(a.Word)
	case engine.Foul:
		return t.foul(a.Seats[0], a.Word != "")
	case engine.Disqualify:
		t.accused = a.Seats[0]
		return t.remove(a.Seats[0], engine.ByDisqualified)
	case engine.Leave:
		return t.remove(a.Seats[0], engine.ByLeft)
	case engine.End:
		return t.finish(nil)
	}
	return nil // stop, resume, replay, clock: nothing here depends on them
}
