package engine

import (
	"maps"
	"slices"
)

// Game is one game: the acts in the order in which they were entered, and
// those of them that stand, with the states and events they led to. A Game is
// a value: Do gives a new one and the old stays valid, so a table can try acts
// before it stores them.
type Game struct {
	rules  Ruleset
	setup  Setup
	log    []Entry // but for quiet acts
	steps  []*step // the acts that stand; the first is the beginning
	given  []Event
	lastNo int // of the last accepted act
	posts  int // in the thread

	logged, stood *claim // of log and steps
}

// Entry is one accepted act with what it led to, as it was entered. Undone and
// replayed acts stay in the log.
type Entry struct {
	Act    Act
	Events []Event
}

// step is one act that stands. It never changes once it is in a game.
type step struct {
	act    Act // by its subject; the act's number is that of the last correction
	no     int // the number under which it was entered
	was    []Act
	before *Game // of a replay: the game in which it put a round aside
	state  State
	events []Event
	moment status
}

// Begin starts a game. The error is a *SetupError.
func Begin(rules Ruleset, setup Setup) (Game, []Event, error) {
	options, err := Options(rules, setup.Options)
	if err != nil {
		return Game{}, nil, err
	}
	setup.Options, setup.Roles, setup.Names = options, slices.Clone(setup.Roles), slices.Clone(setup.Names)
	state, events, err := rules.New(setup)
	if err != nil {
		return Game{}, nil, err
	}
	g := Game{rules: rules, setup: setup}
	g.steps = []*step{{state: state, events: events, moment: status{}.after(Act{}, events)}}
	return g, events, nil
}

// Rules is the game's rule system.
func (g Game) Rules() Ruleset { return g.rules }

// Setup is what was fixed at the beginning, with a value for every option.
func (g Game) Setup() Setup { return g.setup }

// Log is every accepted act in the order entered, but for those that leave
// nothing behind: see quiet. It is not to be changed.
func (g Game) Log() []Entry { return g.log }

// LastNo is the number of the last accepted act; 0: there was none yet.
func (g Game) LastNo() int { return g.lastNo }

// Opening is what the beginning led to.
func (g Game) Opening() []Event { return g.steps[0].events }

// Begun tells whether this is a game at all: the zero Game is none.
func (g Game) Begun() bool { return len(g.steps) > 0 }

// Since is the number of the act that opened the phase, or of the replay that
// went back to it: with it two votes of one day are told apart.
func (g Game) Since() int {
	since := 0
	for i, s := range g.steps[g.opening():] {
		if i == 0 || s.act.Verb == Replay {
			since = max(since, s.no)
		}
	}
	return since
}

// Latest is the number of the act that told something of this kind last, of
// those that stand; 0: none did.
func (g Game) Latest(k Kind) int {
	for i := len(g.steps) - 1; i > 0; i-- {
		if slices.ContainsFunc(g.steps[i].events, func(e Event) bool { return e.Kind == k }) {
			return g.steps[i].no
		}
	}
	return 0
}

// Undoable is the number of the act that Undo would take back.
func (g Game) Undoable() (no int, ok bool) { return g.lastCounted() }

// Phase is where the game stands.
func (g Game) Phase() Phase { return g.now().phase }

// Ended tells whether the game is over.
func (g Game) Ended() bool { return g.now().ended }

// IsOut tells whether a seat has left the game.
func (g Game) IsOut(s Seat) bool { return g.now().isOut(s) }

// Stands are the numbers of the acts that still count: they were not undone, and
// their round was not replayed.
func (g Game) Stands() map[int]bool {
	all := make(map[int]bool, len(g.log))
	for _, e := range g.log {
		if v := e.Act.Verb; v == Undo || v == Note || v == Appeal { // these change no state
			all[e.Act.No] = true
		}
	}
	for _, s := range g.steps {
		all[s.no], all[s.act.No] = true, true
		for _, a := range s.was {
			all[a.No] = true
		}
	}
	return all
}

// Replaced are the acts that a correction put another in the place of, with the
// number of that other; also those of a round that was started again.
func (g Game) Replaced() map[int]int {
	all := make(map[int]int)
	for _, s := range g.steps {
		if s.before != nil {
			maps.Copy(all, s.before.Replaced())
		}
		for i, a := range s.was {
			all[a.No] = s.act.No
			if i+1 < len(s.was) {
				all[a.No] = s.was[i+1].No
			}
		}
	}
	return all
}

func (g Game) last() *step { return g.steps[len(g.steps)-1] }
func (g Game) now() status { return g.last().moment }

// Do does one act. When it is refused the error is a Refusal, and the game is
// as it was. The events are the act's results in the order of the record.
func (g Game) Do(a Act) (Game, []Event, error) {
	if a.No == 0 {
		a.No = g.lastNo + 1
	}
	if err := g.barred(a); err != nil {
		return g, nil, err
	}
	next, events, err := g.apply(a)
	if err != nil {
		return g, nil, err
	}
	next.log, next.logged, next.lastNo, next.posts = g.log, g.logged, a.No, g.posts
	if a.Verb == Post {
		next.posts++ // whatever is undone or replayed
	}
	if !quiet(a, events) {
		next.log, next.logged = grow(g.log, g.logged, Entry{Act: a, Events: events})
	}
	return next, events, nil
}

func (g Game) apply(a Act) (Game, []Event, error) {
	switch {
	case a.Mends:
		return g.correct(a)
	case a.Verb == Undo:
		return g.undo(a)
	case a.Verb == Replay:
		return g.replay(a)
	case a.Verb == Appeal && !g.Ended():
		return g, nil, RefusedPhase // only between games
	case a.Verb == Note, a.Verb == Appeal:
		return g, nil, nil
	}
	return g.follow(a)
}

// barred tells what keeps an act out before its own rules are asked.
func (g Game) barred(a Act) error {
	if a.By == Clock && a.Verb == Advance {
		return nil
	}
	now := g.now()
	if g.closedTo(now, a) {
		switch {
		case now.ended:
			return RefusedEnded
		case now.stopped:
			return RefusedStopped
		default:
			return RefusedRuling
		}
	}
	own := a.Verb.enginesOwn()
	if a.Verb == Advance || a.By != Host && (own || a.For != 0) || own && a.For != 0 {
		if now.isOut(a.By.Seat()) {
			return RefusedDead
		}
		return RefusedRole
	}
	if own {
		if o, ok := g.hostOffers().find(a.Verb); ok && o.Now == Open {
			return o.takes(a)
		}
	}
	return nil
}

// closedTo tells whether an ended, stopped or waiting game takes no such act.
func (g Game) closedTo(now status, a Act) bool {
	hostly := a.By == Host && a.For == 0
	mends := a.By == Host && a.Mends || hostly && (a.Verb.Conduct() || a.Verb.mending())
	switch {
	case now.ended:
		return !(hostly && (a.Verb == Note || a.Verb == Appeal))
	case now.stopped:
		return !(mends || hostly && (a.Verb == Stop || a.Verb == Appeal))
	case now.ruling:
		return !(mends || hostly && a.Verb == Stop)
	}
	return false
}

// TextMax is the longest text of an act about the game, in characters.
const TextMax = 500

// PostMax is the longest post in a thread, in bytes.
const PostMax = 8 << 10

// follow adds an act to those that stand. Hands counted are one vote a seat.
func (g Game) follow(a Act) (Game, []Event, error) {
	if a.Verb != Votes {
		s, err := g.last().next(subjective(a))
		if err != nil {
			return g, nil, err
		}
		return g.add(s)
	}
	candidate, voters := a.Seats[:min(1, len(a.Seats))], a.Seats[min(1, len(a.Seats)):]
	offered := a
	offered.Seats = candidate
	if err := g.last().offers(Host).fits(offered); err != nil {
		return g, nil, err
	}
	if len(voters) == 0 || !distinct(voters) {
		return g, nil, RefusedTarget
	}
	var all []Event
	next := g
	for _, voter := range voters {
		s, err := next.last().next(Act{By: Actor(voter), Verb: Vote, Seats: candidate, No: a.No, Via: a.Via, At: a.At})
		if err == RefusedDead || err == RefusedRole {
			err = RefusedTarget // to the host the voter is a seat that he names
		}
		if err != nil {
			return g, nil, err
		}
		var events []Event
		next, events, _ = next.add(s)
		all = append(all, events...)
	}
	return next, lastOwed(all), nil
}

// subjective is the act as its subject would have done it.
func subjective(a Act) Act {
	a.By, a.For, a.Mends = a.Subject(), 0, false
	return a
}

// add puts a new step at the end and settles its answers against those given.
// A quiet post is no step, and of quiet clock acts in a row the latest is one.
func (g Game) add(s *step) (Game, []Event, error) {
	last := g.last()
	if s.state.Round() != last.state.Round() {
		g.given = nil
	}
	told := g.settle(g.now(), s)
	if quiet(s.act, s.events) {
		again := last.act.Verb == Advance && quiet(last.act, last.events)
		switch {
		case s.act.Verb == Post, again && !s.act.Moment.After(last.act.Moment):
			return g, told, nil
		case again:
			g.steps, g.stood = g.steps[:len(g.steps)-1], nil // a copy: earlier games have it still
		}
	}
	g.steps, g.stood = grow(g.steps, g.stood, s)
	return g, told, nil
}

// next is the step that an act leads to. The error is a Refusal.
func (s *step) next(a Act) (*step, error) {
	n := &step{act: a, no: a.No, state: s.state}
	var own []Event
	switch a.Verb {
	case Stop, Resume:
		if (a.Verb == Stop) == s.moment.stopped {
			return nil, RefusedPhase
		}
		own = []Event{{To: All, Kind: Stopped, Text: a.Text}}
		if a.Verb == Resume {
			own = []Event{{To: All, Kind: Resumed}}
		}
	case Decide:
		n.events = []Event{{To: All, Kind: Decision, Text: a.Text}}
	case Advance, Replay, End:
	default:
		if err := s.refuses(a); err != nil {
			return nil, err
		}
	}
	if a.Verb != Decide {
		state, events, err := s.state.Do(a)
		if err != nil {
			return nil, err
		}
		n.state, n.events = state, append(own, events...)
	}
	n.moment = s.moment.after(a, n.events)
	return n, nil
}

// refuses tells why an act does not fit the offers of its actor.
func (s *step) refuses(a Act) error {
	err := s.offers(a.By).fits(a)
	if err != nil && s.moment.isOut(a.By.Seat()) && !s.offers(a.By).open(a.Verb) {
		return RefusedDead
	}
	return err
}

func distinct(seats []Seat) bool {
	for i, s := range seats {
		if slices.Contains(seats[:i], s) {
			return false
		}
	}
	return true
}

// lastOwed keeps of several `owed` events only the last.
func lastOwed(events []Event) []Event {
	var kept []Event
	for i, e := range events {
		if e.Kind == Owed && slices.ContainsFunc(events[i+1:], func(l Event) bool { return l.Kind == Owed }) {
			continue
		}
		kept = append(kept, e)
	}
	return kept
}
