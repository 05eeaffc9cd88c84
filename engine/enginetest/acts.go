package enginetest

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/mafiabox/mafiabox/engine"
)

// takes is an act that fits the offer.
func takes(rng *rand.Rand, by engine.Actor, o engine.Offer) engine.Act {
	a := engine.Act{By: by, Verb: o.Verb}
	worded := len(o.Words) > 0 && (o.Max == 0 || rng.IntN(4) == 0)
	if worded {
		a.Word = pick(rng, o.Words)
	}
	if most := min(o.Max, len(o.Seats)); most > 0 && (!worded || o.Beside) {
		n := o.Min + rng.IntN(max(1, most-o.Min+1))
		for _, i := range rng.Perm(len(o.Seats))[:min(n, most)] {
			a.Seats = append(a.Seats, o.Seats[i])
		}
	}
	if o.TextMax > 0 {
		a.Text = pick(rng, texts)
	}
	if o.Verb == engine.Post && rng.IntN(3) > 0 {
		a.Text = typed(rng, by)
	}
	return a
}

// typed is a post with a vote in it, of a game whose seats are called by their
// numbers, or something like one.
func typed(rng *rand.Rand, by engine.Actor) string {
	target := pick(rng, []string{"null", "1", "2", "3", "4", "5", "6", "7", "8", "1 or 2", "nobody"})
	return fmt.Sprint(int(by), pick(rng, []string{" > ", "->"}), target, pick(rng, []string{"", "", " lock", "\nlocked"}))
}

var texts = []string{"", "a word", "“Zoë” said \"no\"\n# and \\ left\t", "\x00\x1b[2J\u2028", "@2026-05-04T12:00:00Z host", strings.Repeat("ж", 250)}

// Nonsense is an act of anybody with anything in it: most of the time it fits no offer.
func (p *Player) Nonsense() engine.Act {
	most := p.Game.Setup().Seats
	a := engine.Act{By: engine.Actor(p.Rng.IntN(most+5) - 3), Verb: pick(p.Rng, verbs)}
	if p.Rng.IntN(3) == 0 {
		a.By = engine.Host
	}
	if a.By == engine.Clock && a.Verb == engine.Advance {
		return p.clock()
	}
	for range p.Rng.IntN(4) {
		a.Seats = append(a.Seats, engine.Seat(p.Rng.IntN(most+3)-1))
	}
	switch p.Rng.IntN(12) {
	case 0:
		a.For = engine.Seat(1 + p.Rng.IntN(most+1))
	case 1:
		a.For, a.Mends = engine.Seat(p.Rng.IntN(most+2)), true
	case 2:
		a.Word = pick(p.Rng, []string{"null", "technical", "nobody", "flip", "1", "draw", "x"})
	case 3:
		a.Text = pick(p.Rng, append(texts, strings.Repeat("x", engine.PostMax+1)))
	case 4:
		a.N = p.Rng.IntN(9) - 2
	case 5:
		a.Moment = time.Unix(1, 0)
	}
	return a
}

var verbs = []engine.Verb{
	engine.Night, engine.Close, engine.Dawn, engine.Speech, engine.Pass, engine.Vote, engine.Votes, engine.Raise, engine.Hold, engine.Go,
	engine.Rule, engine.Extend, engine.Advance, engine.Nominate, engine.Withdraw, engine.Lock, engine.Unlock, engine.Post, engine.Whisper,
	engine.Extension, engine.BestMove, engine.Shoot, engine.Whack, engine.Attack, engine.Block, engine.Cover, engine.Swap, engine.Heal,
	engine.Check, engine.Guess, engine.Seek, engine.Compare, engine.Suspect, engine.Wait, engine.Warn, engine.Foul, engine.Disqualify,
	engine.Suspend, engine.Leave, engine.Stop, engine.Resume, engine.Decide, engine.Undo, engine.Replay, engine.Note, engine.Appeal,
	engine.ToldRole, "", "nonsense",
}
