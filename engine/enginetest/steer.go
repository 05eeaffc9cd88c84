package enginetest

import (
	"errors"
	"slices"

	"github.com/mafiabox/mafiabox/engine"
)

// errNothing: the second game has no act like the script's.
var errNothing = errors.New("nothing like it can be done")

// draw is one way to play what is hidden in a section of the script.
type draw struct {
	*Pairs
	from, to int
	chose    bool // something could have been drawn otherwise
	manner   map[engine.Seat]int
	donors   map[engine.Seat]engine.Seat // whose acts in the script a seat does
	done     map[engine.Seat][]engine.Verb
	ballots  map[engine.Seat]engine.Seat // whose secret vote in the script a seat gives
	last     map[engine.Seat]int         // the place of a seat's last vote
	drops    bool                        // it ends with somebody leaving an open vote
	eager    int                         // how many of a hundred do what their role did
}

// The manners of a seat in a draw.
const (
	likeRole = iota // as who has its role did in the script
	likeSeat        // as the same seat did
	free            // anything
)

func newDraw(p *Pairs, from, to, n int) *draw {
	d := &draw{Pairs: p, from: from, to: to, eager: 80, manner: map[engine.Seat]int{}, donors: map[engine.Seat]engine.Seat{}, done: map[engine.Seat][]engine.Verb{}, ballots: map[engine.Seat]engine.Seat{}, last: map[engine.Seat]int{}}
	if n%2 == 1 {
		d.eager = 45
	}
	if phase := p.script.games[to-1].Phase(); asks(phase) && phase.Name != engine.Nights {
		// Who leaves takes the votes for him away. How many those were is told by
		// how many now owe one, and who gave them by whose new vote lowers that: so
		// the rules have it.
		d.drops = slices.ContainsFunc(p.script.Tries[to-1].Events, func(e engine.Event) bool { return e.Kind == engine.Out && e.Words[0] != engine.ByVote })
	}
	var voters []engine.Seat
	for i := from; i < to; i++ {
		if t := p.script.Tries[i]; t.Err == nil && t.Act.Verb == engine.Vote && p.hidden(i) {
			if s := t.Act.Subject().Seat(); d.last[s] == 0 {
				voters = append(voters, s)
			}
			d.last[t.Act.Subject().Seat()] = i
		}
	}
	if n%4 < 3 {
		for i, s := range shuffled(p.rng, voters) {
			d.ballots[voters[i]] = s
		}
	}
	return d
}

// hidden tells whether the viewer can't know what the act at place i was. By
// night it is what others do, unless he is shown it as their ally; by day the
// votes of others where they are secret; always what they write in private.
func (p *Pairs) hidden(i int) bool {
	t := p.script.Tries[i]
	s := t.Act.Subject().Seat()
	if s == 0 || engine.Audience(s) == p.Viewer || shown(t.Events, s, p.Viewer) {
		return false
	}
	switch phase := p.script.games[i].Phase().Name; {
	case t.Act.Verb == engine.Post: // everybody reads it
		return false
	case t.Act.Verb == engine.Whisper:
		return true
	case phase == engine.Nights, phase == engine.Closed:
		return true
	case t.Act.Verb == engine.Vote:
		return p.secret
	}
	return false
}

// secretVotes tells whether a game has votes of which is told only who gave
// them. Then none may tell more.
func secretVotes(s *Script) bool {
	return slices.ContainsFunc(s.Tries, func(t Try) bool {
		return t.Act.Verb != engine.Raise && slices.ContainsFunc(t.Events, func(e engine.Event) bool { // a hand names nobody
			return e.Kind == engine.Voted && e.To == engine.All && len(e.Seats)+len(e.Words) == 0
		})
	})
}

// shown tells whether the viewer is shown what another seat chose or wrote.
func shown(events []engine.Event, s engine.Seat, viewer engine.Audience) bool {
	return slices.ContainsFunc(events, func(e engine.Event) bool {
		return (e.Kind == engine.Chose || e.Verb == engine.Whisper) && e.Of == s && e.To == viewer
	})
}

// do does in the second game what stands at place i of the script.
func (d *draw) do(b engine.Game, i int) (engine.Game, []engine.Event, error) {
	a := d.script.Tries[i].Act
	if !d.hidden(i) || d.drops && a.Verb == engine.Vote {
		after, events, err := b.Do(a)
		if err != nil && d.limited(b, i) {
			err = errNothing
		}
		return after, events, err
	}
	d.chose = true
	s := a.Subject().Seat()
	for range 8 {
		like, ok := d.like(b, i)
		if !ok {
			break
		}
		after, events, err := b.Do(like)
		ally := slices.Contains(d.allies, s)
		if err == nil && !(ally && shown(events, s, d.Viewer)) {
			d.done[s] = append(d.done[s], like.Verb)
			return after, events, nil
		}
	}
	after, events, err := b.Do(a)
	if err == nil || secretive(a) {
		return after, events, err
	}
	return after, nil, errNothing
}

// limited tells whether an act that an ally of the viewer did before his eyes
// is one that the second game offers to it too, only not with these seats: what
// bars it may be something that the ally did in secret.
func (d *draw) limited(b engine.Game, i int) bool {
	t := d.script.Tries[i]
	s := t.Act.Subject().Seat()
	if s == 0 || !slices.Contains(d.allies, s) || !shown(t.Events, s, d.Viewer) {
		return false
	}
	return slices.ContainsFunc(b.Offers(engine.Actor(s)), func(o engine.Offer) bool { return o.Verb == t.Act.Verb && o.Now == engine.Open })
}

// like is an act for the second game in the place of a hidden one: by the same
// seat, entered the same way, and something that this seat can do.
func (d *draw) like(b engine.Game, i int) (engine.Act, bool) {
	a := d.script.Tries[i].Act
	s := a.Subject().Seat()
	if a.Verb == engine.Vote {
		return d.vote(b, i), true
	}
	offers := b.Offers(engine.Actor(s))
	if a.Mends {
		verb := d.mended(b, i)
		offers = slices.DeleteFunc(slices.Clone(offers), func(o engine.Offer) bool { return o.Verb != verb })
	} else {
		offers = slices.DeleteFunc(slices.Clone(offers), func(o engine.Offer) bool {
			return o.Now != engine.Open || o.Verb == engine.Post || (o.Verb == engine.Whisper) != (a.Verb == engine.Whisper) // a letter is no answer
		})
	}
	has := func(v engine.Verb) bool {
		return slices.ContainsFunc(offers, func(o engine.Offer) bool { return o.Verb == v })
	}
	switch r := d.rng.IntN(100); {
	case len(offers) == 0:
		return a, false
	case a.Verb == engine.Wait && r < 90, r < 4 && has(engine.Wait):
		return content(a, engine.Act{Verb: engine.Wait}), has(engine.Wait)
	}
	if _, known := d.manner[s]; !known {
		d.manner[s] = d.choose()
	}
	switch d.manner[s] {
	case likeRole:
		if done := d.roleDid(b, s, has); len(done) > 0 {
			return content(a, pick(d.rng, done)), true
		}
	case likeSeat:
		if has(a.Verb) {
			return a, true
		}
	}
	offers = slices.DeleteFunc(offers, func(o engine.Offer) bool { return o.Verb == engine.Wait })
	if len(offers) == 0 {
		return a, false
	}
	return content(a, takes(d.rng, a.By, pick(d.rng, offers))), true
}

func (d *draw) choose() int {
	switch r := d.rng.IntN(100); {
	case r < d.eager:
		return likeRole
	case r < d.eager+(100-d.eager)/4:
		return likeSeat
	}
	return free
}

// content is the act with what another one does.
func content(a, of engine.Act) engine.Act {
	a.Verb, a.Seats, a.Word, a.Text = of.Verb, of.Seats, of.Word, of.Text
	return a
}

// roleDid are the acts that somebody with the role which the seat now has did
// in this section of the script: first those with verbs that it hasn't done yet.
func (d *draw) roleDid(b engine.Game, s engine.Seat, has func(engine.Verb) bool) (all []engine.Act) {
	roles, role := d.script.games[0].Setup().Roles, b.Setup().Roles[s-1]
	if d.donors[s] == 0 {
		var holders []engine.Seat
		for i, r := range roles {
			if r == role {
				holders = append(holders, engine.Seat(i+1))
			}
		}
		d.donors[s] = pick(d.rng, holders)
		if roles[s-1] == role && d.rng.IntN(10) < 6 {
			d.donors[s] = s
		}
	}
	latest := make(map[engine.Verb]engine.Act)
	for _, t := range d.script.Tries[d.from:d.to] {
		if t.Err == nil && t.Act.Subject().Seat() == d.donors[s] && t.Act.Verb != engine.Wait && has(t.Act.Verb) {
			latest[t.Act.Verb] = t.Act
		}
	}
	for _, fresh := range []bool{true, false} {
		for _, t := range d.script.Tries[d.from:d.to] { // in order, as a map has none
			if l, ok := latest[t.Act.Verb]; ok && l.No == t.Act.No && slices.Contains(d.done[s], l.Verb) != fresh {
				all = append(all, l)
			}
		}
		if len(all) > 0 {
			return all
		}
	}
	return nil
}

// vote is a secret vote: the last of each voter is given to another, so that
// the tally stays.
func (d *draw) vote(b engine.Game, i int) engine.Act {
	a := d.script.Tries[i].Act
	s := a.Subject().Seat()
	if from, ok := d.ballots[s]; ok && d.last[s] == i {
		return content(a, d.script.Tries[d.last[from]].Act)
	}
	for _, o := range b.Offers(engine.Actor(s)) {
		if o.Verb == a.Verb && d.last[s] != i && len(o.Seats) > 0 {
			return content(a, takes(d.rng, a.By, o))
		}
	}
	return a
}

// mended is the verb of the second game's act that stands where the script has
// the one that is corrected at place i.
func (d *draw) mended(b engine.Game, i int) engine.Verb {
	a := d.script.Tries[i].Act
	for j := i - 1; j >= 0; j-- {
		t := d.script.Tries[j]
		if t.Err != nil || t.Act.Subject() != a.Subject() || t.Act.Verb != a.Verb {
			continue
		}
		for _, e := range b.Log() {
			if e.Act.No == t.Act.No {
				return e.Act.Verb
			}
		}
	}
	return a.Verb
}
