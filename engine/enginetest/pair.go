package enginetest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/record"
)

// Pairs are the pairs of a game with others that differ from it only in what
// one viewer can't know: the roles dealt to others, drawn outcomes, and what
// others chose in secret. The viewer's acts, the host's and what others do in
// public are the same. Compared act by act, the viewer must be told, offered,
// refused and shown the same until he learns something by the rules.
//
// Left to chance two such games part at about the first close. So what is
// hidden in the second is drawn again, on forked games, until what the first
// announced comes out.
type Pairs struct {
	Viewer engine.Audience // a seat, or All: the screen, the panel, who only watches
	Deals  int             // how many deals to try
	Draws  int             // how often to draw the hidden acts up to an announcement

	script *Script
	rng    *rand.Rand
	sights []*sight // of the script's games, by place; looked at when needed
	probes [][]Try  // what the viewer might try at each place
	allies []engine.Seat
	secret bool // votes are
}

// Course is how far a second game followed.
type Course struct {
	Leak   string // what differed, and must not
	End    Ending
	Dealt  bool        // the second game has other roles
	Closes int         // closes of nights and votes that the pair passed, other acts hidden in each
	Pair   []Moment    // the games after each act, the beginning first
	Other  engine.Game // the second where it ended
}

// Moment is the two games where they must be the same to the viewer.
type Moment struct{ A, B engine.Game }

// Ending is why a pair ended.
type Ending string

// The endings of pairs.
const (
	Whole  Ending = "whole"  // to the end of the first game
	Apart  Ending = "apart"  // the viewer learned something by the rules
	ByHost Ending = "host"   // he, who knows the secrets, did what the second game refuses
	Stuck  Ending = "stuck"  // somebody can do nothing in the second game like what he did in the first
	Leaked Ending = "leaked" // see Leak
)

// NewPairs are the pairs of a script for one viewer.
func NewPairs(s *Script, viewer engine.Audience, seed uint64) *Pairs {
	p := &Pairs{Viewer: viewer, Deals: 5, Draws: 12, script: s, rng: rand.New(rand.NewPCG(seed, 2)), secret: secretVotes(s)}
	p.sights, p.probes = make([]*sight, len(s.games)), make([][]Try, len(s.games))
	for _, e := range told(s.games[0].Opening(), viewer) {
		if e.Verb == engine.ToldAlly {
			p.allies = append(p.allies, e.Seats...)
		}
	}
	return p
}

// Follow plays second games. It returns at the first leak, else the course that
// came furthest.
func (p *Pairs) Follow() (best Course) {
	if p.rng.IntN(5) == 0 {
		return p.follow(p.script.games[0]) // the same roles: only what is chosen differs
	}
	for n := range p.Deals {
		c := p.follow(p.deal(n))
		if n == 0 || c.Leak != "" || c.Closes > best.Closes {
			best = c
		}
		if c.Leak != "" || c.Closes >= enough {
			break
		}
	}
	return best
}

// enough closes are passed by a pair that needs no other deal.
const enough = 5

// follow plays one second game along the script.
func (p *Pairs) follow(b engine.Game) Course {
	c := Course{Dealt: !slices.Equal(b.Setup().Roles, p.script.games[0].Setup().Roles), End: Whole, Pair: []Moment{{p.script.games[0], b}}, Other: b}
	if what := p.sight(0).differs(look(b, p.Viewer)); what != "" {
		c.End, c.Leak = Leaked, what
		return c
	}
	for from := 0; from < len(p.script.Tries) && c.End == Whole; {
		to := p.script.section(from)
		var best []engine.Game
		for n := range p.Draws {
			d := newDraw(p, from, to, n)
			games, end, leak := d.play(c.Other)
			if n == 0 || len(games) > len(best) {
				best, c.End = games, end
			}
			if leak != "" {
				best, c.End, c.Leak = games, Leaked, leak
			}
			if end == Whole || leak != "" || !d.chose {
				break
			}
		}
		for i, g := range best {
			c.Pair, c.Other = append(c.Pair, Moment{p.script.games[from+i+1], g}), g
		}
		from = to
	}
	c.Closes = closes(c.Pair)
	return c
}

// play follows the tries of a section from one game on. It returns the games
// after each try up to where it ended.
func (d *draw) play(b engine.Game) (games []engine.Game, end Ending, leak string) {
	p := d.Pairs
	for i := d.from; i < d.to; i++ {
		a := p.script.Tries[i]
		if a.Err == nil || p.own(a.Act) {
			after, events, err := d.do(b, i)
			switch end, leak = p.compare(i, a, events, err); {
			case leak != "":
				return append(games, after), Leaked, fmt.Sprintf("%s: %s", record.FormatAct(a.Act), leak)
			case end != Whole:
				return games, end, ""
			case err == nil:
				if leak = p.sight(i + 1).differs(look(after, p.Viewer)); leak == "" {
					leak = p.probe(i+1, after)
				}
				if leak != "" {
					return append(games, after), Leaked, fmt.Sprintf("after %s: %s", record.FormatAct(a.Act), leak)
				}
			}
			b = after
		}
		games = append(games, b)
	}
	return games, Whole, ""
}

// compare tells whether a try of the script, done in the second game, parted
// the two.
func (p *Pairs) compare(i int, a Try, events []engine.Event, err error) (Ending, string) {
	switch {
	case errors.Is(err, errNothing):
		return Stuck, ""
	case a.Err != err && a.Err == nil && secretive(a.Act):
		return ByHost, ""
	case a.Err != err && a.Act.Verb == engine.Whisper && shown(a.Events, a.Act.Subject().Seat(), p.Viewer):
		return Apart, "" // who writes there is one of those who may
	case a.Err != err:
		return Leaked, fmt.Sprintf("refused: %v or %v", a.Err, err)
	}
	switch v, what := judge(a.Events, events, p.Viewer, func() []engine.Verb { return p.asked(i, a.Act) }); v {
	case leaked:
		return Leaked, what
	case parted:
		return Apart, ""
	}
	return Whole, ""
}

// secretive are the host's acts that take or refuse by what only he knows:
// whether an announcement would come out differently, or what is to be ruled.
func secretive(a engine.Act) bool {
	return a.By == engine.Host && (a.Mends || a.Verb == engine.Undo || a.Verb == engine.Replay || a.Verb == engine.Rule)
}

// own tells whether an act is the viewer's, so that its refusal is compared, too.
func (p *Pairs) own(a engine.Act) bool {
	return p.Viewer > 0 && !a.Mends && (a.By == engine.Actor(p.Viewer) || a.By == engine.Host && engine.Audience(a.For) == p.Viewer)
}

// asked are the verbs that were done by or for the viewer before place i, and
// with the act that is compared; where a search is shared it may have been done for him.
func (p *Pairs) asked(i int, last engine.Act) (verbs []engine.Verb) {
	if p.script.games[0].Setup().Options["search_shared"] == "yes" {
		verbs = append(verbs, engine.Seek)
	}
	for _, t := range append(p.script.Tries[:i:i], Try{Act: last}) {
		if t.Err == nil && engine.Audience(t.Act.Subject()) == p.Viewer {
			verbs = append(verbs, t.Act.Verb)
		}
	}
	return verbs
}

func (p *Pairs) sight(i int) sight {
	if p.sights[i] == nil {
		s := look(p.script.games[i], p.Viewer)
		p.sights[i] = &s
	}
	return *p.sights[i]
}

// probe tries what the viewer might try in both games: they must refuse it for
// the same reason, or tell him the same.
func (p *Pairs) probe(i int, b engine.Game) string {
	if p.Viewer == engine.All {
		return ""
	}
	a := p.script.games[i]
	if p.probes[i] == nil {
		act := p.attempt(a)
		_, events, err := a.Do(act)
		p.probes[i] = []Try{{act, events, err}}
	}
	for _, t := range p.probes[i] {
		_, events, err := b.Do(t.Act)
		if end, leak := p.compare(i, t, events, err); end == Leaked {
			return fmt.Sprintf("trying %s: %s", record.FormatAct(t.Act), leak)
		}
	}
	return ""
}

// attempt is something that the viewer might try: most of the time a verb that
// he has, with any seats.
func (p *Pairs) attempt(g engine.Game) engine.Act {
	me := engine.Actor(p.Viewer)
	offers := g.Offers(me)
	if len(offers) == 0 || p.rng.IntN(6) == 0 {
		a := (&Player{Rng: p.rng, Game: g}).Nonsense()
		a.By, a.For, a.Mends = me, 0, false
		return a
	}
	o := pick(p.rng, offers)
	a := takes(p.rng, me, o)
	if p.rng.IntN(2) == 0 {
		a.Seats = nil
		for range max(1, o.Min) {
			a.Seats = append(a.Seats, engine.Seat(1+p.rng.IntN(g.Setup().Seats)))
		}
	}
	return a
}

// closes counts the nights and votes that were closed with other acts hidden in
// the second game.
func closes(pair []Moment) int {
	closed := make(map[engine.Phase]bool)
	varied := false
	for i := 1; i < len(pair); i++ {
		before, now := pair[i-1].A, pair[i]
		if now.A.LastNo() == before.LastNo() {
			continue
		}
		x, y := lastOf(now.A), lastOf(now.B)
		varied = varied || x.Verb != y.Verb || !slices.Equal(x.Seats, y.Seats)
		if was := before.Phase(); asks(was) && now.A.Phase() != was && varied {
			closed[was], varied = true, false
		}
	}
	return len(closed)
}

// lastOf is the last accepted act of a game; none when that left nothing behind.
func lastOf(g engine.Game) engine.Act {
	if log := g.Log(); len(log) > 0 && log[len(log)-1].Act.No == g.LastNo() {
		return log[len(log)-1].Act
	}
	return engine.Act{}
}
