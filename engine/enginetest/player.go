// Package enginetest is what tests of rule systems share: a player that plays
// any of them at random, and pairs of games that prove what a viewer can't know.
package enginetest

import (
	"math/rand/v2"
	"slices"
	"time"

	"github.com/mafiabox/mafiabox/engine"
)

// Player plays one game at random, legally for the most part. It knows no rule
// system: it takes what the game offers.
type Player struct {
	Rng  *rand.Rand
	Game engine.Game
	Acts int // tried so far

	tried engine.Act   // last
	done  []engine.Act // those that were accepted: the game does not keep all
	now   time.Time    // the clock

	calm    int  // from this one on nothing but what goes on with the game
	wild    int  // how many of a hundred of those are anything all the same
	haste   int  // how many of a hundred of those are the host's
	tired   int  // from this one on the host lets people go
	sparing bool // then those of the largest side go first
	abandon int  // with this one the game is abandoned, unless it has ended before
}

// MostActs is how long the wildest game may last.
const MostActs = 500

// NewPlayer begins a random game; the same seed is the same game.
func NewPlayer(rules engine.Ruleset, seed uint64) *Player {
	p := &Player{Rng: rand.New(rand.NewPCG(seed, 1))}
	p.calm, p.haste, p.abandon = p.Rng.IntN(64), pick(p.Rng, []int{20, 50}), MostActs-1
	p.tired, p.sparing = p.calm+4000/p.haste, seed%4 == 0
	if p.Rng.IntN(100) == 0 {
		p.abandon = p.Rng.IntN(100)
	}
	for {
		setup := p.setup(rules)
		game, _, err := engine.Begin(rules, setup)
		if err == nil {
			p.Game, p.now = game, setup.Start
			return p
		}
	}
}

func pick[T any](rng *rand.Rand, from []T) T { return from[rng.IntN(len(from))] }

// Next is the act to try now.
func (p *Player) Next() engine.Act {
	if p.Game.LastNo() > len(p.done) {
		p.done = append(p.done, p.tried)
	}
	p.tried = p.next()
	return p.tried
}

func (p *Player) next() engine.Act {
	p.Acts++
	r := p.Rng.IntN(100)
	calm := p.Acts > p.calm && (p.wild == 0 || p.Rng.IntN(100) >= p.wild)
	switch {
	case p.Acts == p.abandon:
		return engine.Act{By: engine.Host, Verb: engine.End}
	case p.Acts > p.tired:
		return p.removes()
	case calm:
		if r < p.haste {
			return p.goesOn()
		}
		return p.seats()
	case r < 8:
		return p.Nonsense()
	case r < 12:
		return p.corrects()
	case r < 16:
		return p.entersFor()
	case r < 18:
		return p.clock()
	case r < 40:
		return p.hosts(everything)
	}
	return p.seats()
}

// clock is what the box itself does, and never wrongly: time moves on, often to
// the moment at which something is due, to the second before, or past it.
func (p *Player) clock() engine.Act {
	due, r := p.Game.Due(), p.Rng.IntN(20)
	switch {
	case due.IsZero() || r < 4:
		p.now = p.now.Add(time.Duration(1+p.Rng.IntN(300)) * time.Minute)
	case r < 6:
		p.now = due.Add(-time.Duration(1+p.Rng.IntN(3600)) * time.Second)
	case r < 19:
		p.now = due
	default:
		p.now = due.Add(time.Duration(p.Rng.IntN(72)) * time.Hour)
	}
	return engine.Act{By: engine.Clock, Verb: engine.Advance, Moment: p.now}
}

// goesOn is what brings the game further: where time does, mostly that.
func (p *Player) goesOn() engine.Act {
	switch timed := !p.Game.Due().IsZero(); {
	case timed && p.Game.Seen(engine.All).Owed > 1 && p.Rng.IntN(16) > 0:
		return p.seats() // or most would be out for what they missed
	case timed && p.Rng.IntN(8) > 0:
		return p.clock()
	}
	return p.hosts(progress)
}

// often is how often the host does what he may do; what isn't here, twice in a while.
var often = map[engine.Verb]int{
	engine.Resume: 12, engine.Rule: 12, engine.Night: 5, engine.Close: 8, engine.Dawn: 8, engine.Vote: 8, engine.Votes: 8,
	engine.Speech: 6, engine.Raise: 6, engine.Undo: 8, engine.Replay: 1, engine.Stop: 1, engine.Leave: 1, engine.Disqualify: 1, engine.Note: 1, engine.Decide: 1,
}

func everything(v engine.Verb) int {
	if n, ok := often[v]; ok {
		return n
	}
	return 2
}

// progress is only what goes on with the game.
func progress(v engine.Verb) int {
	if n := often[v]; n > 4 && v != engine.Undo {
		return n
	}
	return 0
}

// hosts is an act of the host that fits his offers.
func (p *Player) hosts(weight func(engine.Verb) int) engine.Act {
	var offers []engine.Offer
	seen := p.Game.Seen(engine.ToHost)
	for _, o := range p.Game.Offers(engine.Host) {
		if o.Now == engine.Open && p.Rng.IntN(20) > 0 && rash(seen, o.Verb) {
			continue
		}
		if o.Now == engine.Open && o.Verb != engine.End {
			offers = append(offers, slices.Repeat([]engine.Offer{o}, weight(o.Verb))...)
		}
	}
	if len(offers) == 0 {
		return engine.Act{By: engine.Host, Verb: engine.Note, Text: "nothing to do"}
	}
	a := p.takes(engine.Host, pick(p.Rng, offers))
	switch a.Verb {
	case engine.Undo:
		if p.Rng.IntN(3) == 0 {
			a.N = 1 + p.Rng.IntN(len(p.done)+2)
		}
	case engine.Votes:
		living := p.living()
		p.Rng.Shuffle(len(living), func(i, j int) { living[i], living[j] = living[j], living[i] })
		a.Seats = append(a.Seats, living[:1+p.Rng.IntN(len(living))]...)
	}
	return a
}

// rash tells whether a host would hardly do that now: rule what nobody waits
// for, close a vote that most have not given, open one without two candidates.
func rash(seen engine.Seen, v engine.Verb) bool {
	switch v {
	case engine.Rule:
		return len(seen.Ruling) == 0
	case engine.Close:
		return seen.Phase.Name != engine.Nights && seen.Owed > 2
	case engine.Vote:
		return seen.Phase.Name == engine.Day && len(seen.Candidates) < 2
	}
	return false
}

// removes ends a game that has gone on for long. In some the larger side goes
// first: the ends where the smaller ones are left would be rare.
func (p *Player) removes() engine.Act {
	for _, o := range p.Game.Offers(engine.Host) {
		if o.Verb == engine.Leave && o.Now == engine.Open && len(o.Seats) > 0 {
			if many := p.ofLargestSide(o.Seats); p.sparing && len(many) > 0 {
				o.Seats = many
			}
			return p.takes(engine.Host, o)
		}
	}
	return p.goesOn()
}

// ofLargestSide are those of the seats that are on the side with most roles.
func (p *Player) ofLargestSide(seats []engine.Seat) (many []engine.Seat) {
	sides, count := make(map[engine.Role]engine.Side), make(map[engine.Side]int)
	for _, info := range p.Game.Rules().Roles() {
		sides[info.Role] = info.Side
	}
	roles := p.Game.Setup().Roles
	for _, r := range roles {
		count[sides[r]]++
	}
	for _, s := range seats {
		of := sides[roles[s-1]]
		if !slices.ContainsFunc(roles, func(r engine.Role) bool { return count[sides[r]] > count[of] }) {
			many = append(many, s)
		}
	}
	return many
}

// seats is an act of a seat that fits its offers.
func (p *Player) seats() engine.Act {
	if !p.Game.Due().IsZero() && p.Rng.IntN(4) > 0 {
		if seat := p.owing(); seat != 0 {
			for _, o := range p.Game.Offers(seat) {
				if o.Verb == engine.Vote && o.Now == engine.Open {
					return p.takes(seat, o)
				}
			}
		}
	}
	for _, i := range p.Rng.Perm(p.Game.Setup().Seats) {
		a := engine.Actor(i + 1)
		var open []engine.Offer
		for _, o := range p.Game.Offers(a) {
			idle := slices.Contains(idle, o.Verb)
			if o.Now == engine.Open && (!idle || p.Rng.IntN(4) == 0) {
				open = append(open, o)
			}
		}
		if len(open) > 0 {
			return p.takes(a, pick(p.Rng, open))
		}
	}
	return p.goesOn()
}

// owing is a seat that owes a vote: who misses too many before a deadline is
// out, and games would be short.
func (p *Player) owing() engine.Actor {
	seen := p.Game.Seen(engine.All)
	if seen.Owed == 0 {
		return 0
	}
	for _, i := range p.Rng.Perm(len(seen.Seats)) {
		if s := seen.Seats[i]; !s.Out && !s.Voted {
			return engine.Actor(s.Seat)
		}
	}
	return 0
}

// idle are the verbs that bring no game further.
var idle = []engine.Verb{engine.Wait, engine.Whisper, engine.Post, engine.Extension, engine.Unlock}

func (p *Player) entersFor() engine.Act {
	a := p.seats()
	if seat := a.By.Seat(); seat != 0 {
		a.By, a.For = engine.Host, seat
	}
	return a
}

// corrects replaces an act of a seat: most of the time one that it has sent.
func (p *Player) corrects() engine.Act {
	var sent []engine.Act
	for _, a := range p.done[max(0, len(p.done)-30):] {
		if a.Subject() > 0 {
			sent = append(sent, a)
		}
	}
	if len(sent) == 0 {
		return p.Nonsense()
	}
	was := pick(p.Rng, sent)
	for _, o := range p.Game.Offers(was.Subject()) {
		if o.Verb == was.Verb && len(o.Seats) >= o.Min {
			a := p.takes(was.Subject(), o)
			a.By, a.For, a.Mends = engine.Host, was.Subject().Seat(), true
			return a
		}
	}
	return engine.Act{By: engine.Host, Verb: was.Verb, Seats: was.Seats, For: was.Subject().Seat(), Mends: true}
}

// takes is an act that fits the offer. Seats often name the one of two whom
// others name now, too: else shots would never agree, and votes never be equal.
func (p *Player) takes(by engine.Actor, o engine.Offer) engine.Act {
	a := takes(p.Rng, by, o)
	if by > 0 && len(a.Seats) == 1 && p.Rng.IntN(4) > 0 {
		i := p.Game.Since()
		if p.Rng.IntN(3) == 0 {
			i++
		}
		a.Seats[0] = o.Seats[i%len(o.Seats)]
	}
	return a
}

func (p *Player) living() (seats []engine.Seat) {
	for i := range p.Game.Setup().Seats {
		if s := engine.Seat(i + 1); !p.Game.IsOut(s) {
			seats = append(seats, s)
		}
	}
	return seats
}
