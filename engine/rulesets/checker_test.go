package rulesets_test

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/enginetest"
	"github.com/mafiabox/mafiabox/engine/record"
)

// checker holds each act of a random game against what is true of any game.
// What it finds is a sentence; "" when all is well.
type checker struct {
	p    *enginetest.Player
	kept []memory
}

// memory is a game as it was once: no later act may change it.
type memory struct {
	game engine.Game
	seen []engine.Seen
}

func newChecker(p *enginetest.Player) *checker {
	c := &checker{p: p}
	c.keep(p.Game)
	return c
}

func (c *checker) keep(g engine.Game) { c.kept = append(c.kept, memory{g, seenByAll(g)}) }

func seenByAll(g engine.Game) (seen []engine.Seen) {
	for _, v := range viewers(g) {
		seen = append(seen, g.Seen(v))
	}
	return seen
}

// differs tells who sees something else than before.
func differs(g engine.Game, before []engine.Seen) string { return differ(seenByAll(g), before) }

func differ(now, before []engine.Seen) string {
	for i, got := range now {
		if !reflect.DeepEqual(before[i], got) {
			return fmt.Sprintf("%d sees\n%+v\nnot\n%+v", got.Viewer, got, before[i])
		}
	}
	return ""
}

// unmarked is what is seen without the marks of answers that were given again:
// those stay when a correction is undone.
func unmarked(seen []engine.Seen) []engine.Seen {
	for i := range seen {
		seen[i].Answers = slices.Clone(seen[i].Answers)
		for j := range seen[i].Answers {
			seen[i].Answers[j].Corrected = false
		}
	}
	return seen
}

// check looks at one act that was tried on the player's game.
func (c *checker) check(a engine.Act, after engine.Game, events []engine.Event, err error) string {
	before := c.p.Game
	if fits, sure := oracle(before, a); sure && fits != (err == nil) {
		return fmt.Sprintf("fits: %v", fits)
	}
	often := c.p.Rng.IntN(24) == 0 // what costs much is looked at now and then
	if err != nil {
		return refusal(before, after, events, err, often)
	}
	if _, err := record.ParseAct(record.FormatAct(a), before.Setup().Seats); err != nil {
		return "no record can hold it: " + err.Error()
	}
	for _, e := range events {
		if _, err := record.ParseEvent(record.FormatEvent(e)); err != nil {
			return "no record can hold what it tells: " + err.Error()
		}
	}
	for _, what := range []string{ordered(before, a, events), tallied(before, events), kept(before, after, a, events)} {
		if what != "" {
			return what
		}
	}
	if often || c.p.Rng.IntN(8) == 0 {
		seat := engine.Seat(1 + c.p.Rng.IntN(after.Setup().Seats))
		for _, what := range []string{
			public(after.Seen(engine.All), "All"),
			own(after, seat),
			owed(after),
			untold(before, after, a, events, seat),
		} {
			if what != "" {
				return what
			}
		}
	}
	if often {
		if what := invented(after, engine.Seat(1+c.p.Rng.IntN(after.Setup().Seats))); what != "" {
			return what
		}
		if len(c.kept) < 3 && c.p.Rng.IntN(4) == 0 {
			c.keep(before)
		}
		if what := undone(before, after, a); what != "" {
			return what
		}
		if what := correctedToItself(after, a); what != "" {
			return what
		}
	}
	return ""
}

// kept: the log only grows, and what was announced stays as it was until its round
// is played once more.
func kept(before, after engine.Game, a engine.Act, events []engine.Event) string {
	was, now := before.Log(), after.Log()
	if more := len(now) - len(was); more < 0 || more > 1 {
		return fmt.Sprintf("the log went from %d acts to %d", len(was), len(now))
	}
	if n := len(was); n > 0 && (now[0].Act.No != was[0].Act.No || !reflect.DeepEqual(now[n-1], was[n-1])) {
		return "the log has lost something"
	}
	if a.Verb == engine.Replay {
		return ""
	}
	if (a.Verb == engine.Undo || a.Mends) && a.N == 0 && engine.Announces(events) {
		return "mending has announced something"
	}
	for i := range before.Setup().Seats {
		if s := engine.Seat(i + 1); before.IsOut(s) && !after.IsOut(s) {
			return fmt.Sprint(s, " is in again")
		}
	}
	stood, stands := before.Stands(), after.Stands()
	for _, entry := range was {
		if stood[entry.Act.No] && !stands[entry.Act.No] && engine.Announces(entry.Events) {
			return fmt.Sprintf("act %d was announced and counts no more", entry.Act.No)
		}
	}
	return ""
}

// oracle tells whether an act fits what its subject is offered, and whether
// that alone decides.
func oracle(g engine.Game, a engine.Act) (fits, sure bool) {
	host := a.By == engine.Host && a.For == 0
	switch {
	case a.By == engine.Clock && a.Verb == engine.Advance:
		return true, true
	case a.By != engine.Host && (a.For != 0 || a.Mends):
		return false, true
	case a.Mends, a.Verb == engine.Votes && host:
		return false, false
	}
	mine := g.Offers(a.Subject())
	i := slices.IndexFunc(mine, func(o engine.Offer) bool { return o.Verb == a.Verb && o.Now == engine.Open })
	if i < 0 {
		return false, true
	}
	o := mine[i]
	fits = len(a.Text) <= o.TextMax && (a.N == 0 || a.N > 0 && a.Verb == engine.Undo) && a.Moment.IsZero()
	for i, s := range a.Seats {
		fits = fits && slices.Contains(o.Seats, s) && !slices.Contains(a.Seats[:i], s)
	}
	switch {
	case a.Word != "" && !o.Beside:
		fits = fits && slices.Contains(o.Words, a.Word) && len(a.Seats) == 0
	default:
		fits = fits && (a.Word == "" || slices.Contains(o.Words, a.Word)) && len(a.Seats) >= o.Min && len(a.Seats) <= o.Max && (o.Max > 0 || len(o.Words) == 0)
	}
	return fits, !fits || !(a.Verb == engine.Undo || a.Verb == engine.Replay)
}

// refusal must be one, and change nothing.
func refusal(before, after engine.Game, events []engine.Event, err error, often bool) string {
	if _, ok := err.(engine.Refusal); !ok {
		return fmt.Sprintf("the error is a %T", err)
	}
	if events != nil || !reflect.DeepEqual(before, after) {
		return "a refused act changed the game"
	}
	if often {
		return differs(after, seenByAll(before))
	}
	return ""
}

// undone: to take an act back gives everybody back what he saw.
func undone(before, after engine.Game, a engine.Act) string {
	switch a.Verb {
	case engine.Undo, engine.Advance, engine.Note, engine.Decide, engine.Stop, engine.Resume, engine.Appeal, engine.Post, engine.Whisper:
		return ""
	}
	back, _, err := after.Do(engine.Act{By: engine.Host, Verb: engine.Undo})
	if err == engine.RefusedRevealed || err == engine.RefusedEnded {
		return ""
	}
	if err != nil {
		return "undo: " + err.Error()
	}
	if what := differ(unmarked(seenByAll(back)), unmarked(seenByAll(before))); what != "" {
		return "undone, " + what
	}
	return ""
}

// correctedToItself: an act corrected to what it was changes nothing. (A shot
// counts as entered now, so it may decide between equals; an act that closed
// its round is not corrected any more.)
func correctedToItself(g engine.Game, a engine.Act) string {
	if a.Subject() <= 0 || a.Mends || a.Verb == engine.Shoot || a.Verb == engine.Post || a.Verb == engine.Whisper {
		return ""
	}
	if log := g.Log(); engine.Announces(log[len(log)-1].Events) {
		return ""
	}
	a.By, a.For, a.Mends = engine.Host, a.Subject().Seat(), true
	same, events, err := g.Do(a)
	if err != nil {
		return "corrected to itself: " + err.Error()
	}
	for _, e := range events {
		if e.Kind != engine.Chose && e.Kind != engine.Voted && e.Kind != engine.Nominated && e.Kind != engine.Candidates && e.Kind != engine.Closes {
			return "corrected to itself: " + record.FormatEvent(e)
		}
	}
	if what := differs(same, seenByAll(g)); what != "" {
		return "corrected to itself, " + what
	}
	return ""
}

// ended looks at a game that is over.
func (c *checker) ended() string {
	g := c.p.Game
	winners := 0
	for _, entry := range g.Log() {
		for _, e := range entry.Events {
			if e.Kind == engine.Win || e.Kind == engine.Draw {
				winners++
			}
		}
	}
	if winners > 1 {
		return fmt.Sprint(winners, " winners")
	}
	for range 20 {
		a := c.p.Nonsense()
		_, _, err := g.Do(a)
		private := a.By == engine.Host && (a.Verb == engine.Note || a.Verb == engine.Appeal) || a.By == engine.Clock
		if !private && err != engine.RefusedEnded {
			return fmt.Sprintf("after the end %s: %v", record.FormatAct(a), err)
		}
	}
	for _, m := range c.kept {
		if what := differs(m.game, m.seen); what != "" {
			return "an earlier game has changed: " + what
		}
	}
	return ""
}
