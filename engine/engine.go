// Package engine holds what every rule system shares: the acts that are done
// at a table, the events they lead to, and the game that keeps both. A rule
// system (package boulevard and its siblings) says two things only: what each
// actor may do, and what follows from an act. The rest is here, once.
//
// The engine has no dice, no clock, no I/O and no goroutine. Whatever is random
// or timed comes in from outside: in the Setup, or as an act.
package engine

import (
	"strconv"
	"time"
)

// Seat is a place at the table, from 1. Zero is no seat.
type Seat int

// Actor is who does an act: a seat's number, or one of the constants.
type Actor int

// The actors that are not seats.
const (
	Host  Actor = -1
	Clock Actor = -2
	Guest Actor = -3
)

// Seat is the actor's seat, or zero when the actor is none.
func (a Actor) Seat() Seat {
	if a > 0 {
		return Seat(a)
	}
	return 0
}

// Audience is who learns an event: a seat's number, or one of the constants.
// The zero Audience is nobody, so that a forgotten audience keeps the secret.
type Audience int

// The audiences that are not seats.
const (
	Nobody Audience = 0
	ToHost Audience = Audience(Host)
	All    Audience = -10
)

// Source is what an act was entered with.
type Source string

// The sources of acts.
const (
	ByPhone  Source = "phone"
	ByHost   Source = "host"
	ByButton Source = "button"
	ByBox    Source = "box"
)

// Act is one thing done: one line of a record.
type Act struct {
	By     Actor
	Verb   Verb
	Seats  []Seat // in the order named; of Votes the first is the candidate, the rest are his voters
	Word   string // null, technical, a choice, a channel, a time of extension
	Text   string
	For    Seat      // the seat for which the host enters the act (`for`, `correct`), else zero
	Mends  bool      // the host's correction of that seat's accepted act of this verb
	N      int       // the act that Undo takes back; zero is the last
	Moment time.Time // of a clock act: time moves on to here
	No     int       // the act's number in its record; zero: the next one
	Via    Source    // for the log alone
	At     time.Time // for the log alone: when it was entered
}

// Subject is who the act is done by or entered for.
func (a Act) Subject() Actor {
	if a.For != 0 {
		return Actor(a.For)
	}
	return a.By
}

// Event is one thing told to somebody: one `=` line of a record. Which fields
// are used depends on the kind; they print in the order in which they stand.
type Event struct {
	To        Audience
	Kind      Kind
	Of        Seat // the seat that it is about: who is out, who chose, who is warned
	Verb      Verb
	Seats     []Seat
	Words     []string
	Tally     []Count
	N         int
	Moment    time.Time
	Text      string
	Fates     []Fate // of a trace: what became of the act, in order
	Corrected bool   // a private answer told again, because a correction changed it
}

// Count is how many votes a seat has.
type Count struct {
	Seat  Seat
	Votes int
}

// Fate is one thing that happened to an act of the night.
type Fate struct {
	What string // blocked, overruled, swapped, protected, out, stands
	Seat Seat   // of swapped: the seat that it then aimed at
}

// Standing is how an offer stands at this moment.
type Standing int

// The standings of an offer. The zero Standing is closed to everybody.
const (
	Later Standing = iota // not in this phase
	Turn                  // in this phase, but somebody else's turn
	Spent                 // used up
	Open                  // may be taken now
)

// Offer is what an actor may do: a verb of his in this game and how it stands
// now. It holds only what its actor may know, so a refusal tells nothing.
type Offer struct {
	Verb     Verb
	Now      Standing
	Min, Max int      // how many seats to name; with Min 0 none is needed
	Seats    []Seat   // the seats that may be named
	Barred   []Seat   // the seats that a limit forbids now (refused as limit, not as target)
	Words    []string // the words that may be said instead of a seat, or as the choice
	Beside   bool     // a word is said beside the seats, not instead of them
	TextMax  int      // longest text in characters; zero: no text
	AtOnce   bool     // its private answer follows from the seats alone: who calls a night without phones may show it before the close
}

// Ruleset is one rule system: a value in the one list of all of them.
type Ruleset interface {
	ID() string
	Seats() (fewest, most int)
	Options() []Option
	Roles() []RoleInfo     // every role that a deal may hold, in the order in which a lobby lists them
	Cast(seats int) []Role // the usual set of roles for that many seats
	Draws() []Drawn        // the random outcomes that a game needs besides the deal
	// New begins a game. The error is a *SetupError when the setup does not fit the rules.
	New(Setup) (State, []Event, error)
}

// State is a game at one moment. It never changes: Do gives a new one.
type State interface {
	// Offers lists every verb that this actor may have in this game, and how each stands now.
	// An actor without offers is out, or has no part in the game.
	Offers(Actor) []Offer
	// Do does an act that fits an open offer, and those that go on under every
	// rule system (Clock, Stop, Resume, Replay, End). The error is a Refusal: only
	// for what no offer can say. A post that tells nothing changes nothing, and
	// would not in any other state of the game; a clock act that tells nothing
	// changes nothing but the time.
	Do(Act) (State, []Event, error)
	// Round changes whenever a round opens to which Replay goes back.
	Round() int
}

// Timed is the State of a rule system with deadlines. A table does a clock act
// before each act of such a game, and when something is due.
type Timed interface {
	// Due is when something happens by itself, if nobody does anything before;
	// zero while nothing will.
	Due() time.Time
}

// Role is the name of a role, such as "doctor".
type Role string

// Side is who wins together, such as "town".
type Side string

// RoleInfo is what a lobby may know of a role.
type RoleInfo struct {
	Role Role
	Side Side
	Many bool   // more than one seat may have it
	If   string // the option that must have the value "on" for this role, if any
}

// Option is a choice that a club makes before the game.
type Option struct {
	Name   string
	Values []string // the first is the default
	// Min and Max bound a number when Values holds only its default.
	Min, Max int
	Zone     bool   // any time zone by its name, such as Europe/Berlin; Values holds only the default
	Open     bool   // not settled by the rules: the lobby marks it
	Source   string // where the rules speak, or don't, of it
}

// Allows tells whether the option may have this value.
func (o Option) Allows(value string) bool {
	if o.Max > 0 {
		n, err := number(value)
		return err == nil && n >= o.Min && n <= o.Max
	}
	if o.Zone {
		_, err := Zone(value)
		return err == nil
	}
	for _, v := range o.Values {
		if v == value {
			return true
		}
	}
	return false
}

// Drawn is a random outcome that a rule system needs besides the deal.
type Drawn struct {
	Name   string
	Values []string // equally likely
	Holder Role     // instead of Values: one of the seats that were dealt this role
}

// Among are the values that are equally likely with this deal.
func (d Drawn) Among(dealt []Role) []string {
	if d.Holder == "" {
		return d.Values
	}
	var seats []string
	for i, role := range dealt {
		if role == d.Holder {
			seats = append(seats, strconv.Itoa(i+1))
		}
	}
	return seats
}

// Setup is all that is fixed when a game begins: every drawn outcome is in it.
type Setup struct {
	Seats   int
	Options map[string]string // those that differ from their defaults, or all
	Roles   []Role            // by seat, the first is seat 1's
	Names   []string          // by seat, for rules that read them in what is written; empty: the seat's number
	Draws   map[string]string // random outcomes that the rules need
	Start   time.Time         // the moment at which it begins, for rule systems with deadlines
}

// SetupError says why a deal or a set of roles does not fit the rules.
type SetupError struct {
	Problem  string // seats, count, role, twice, deal, no_black, too_many_black, option, draw
	Role     Role
	Option   string
	Got      int
	Min, Max int
}

func (e *SetupError) Error() string { return setupProblem(e) }
