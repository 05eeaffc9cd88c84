package server

import (
	"fmt"
	"slices"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/record"
)

// What a correction, an undo or a replay would change is worked out before it is
// done: on a game of its own, as a game is a value. The host reads it, and then
// does it or leaves it.

// change is a game before and after acts that mend it.
type change struct {
	before, after engine.Game
	events        []engine.Event // what is told anew
}

// tryChange does acts on a game that nobody plays.
func tryChange(g engine.Game, acts []engine.Act) (change, error) {
	c := change{before: g, after: g}
	for _, a := range acts {
		after, events, err := c.after.Do(a)
		if err != nil {
			return c, err
		}
		c.after, c.events = after, append(c.events, events...)
	}
	return c, nil
}

// print tells one change from another: who has read of one must not do another,
// as the game may have moved on. Deadlines move by themselves.
func (c change) print() string {
	var text []byte
	for _, e := range c.events {
		if e.Kind != engine.Owed && e.Kind != engine.Closes {
			text = append(text, record.FormatEvent(e)+"\n"...)
		}
	}
	return hash(fmt.Append(text, c.void(), c.atDawn()))[:16]
}

// void are the acts that would count no more, in their order.
func (c change) void() (acts []engine.Act) {
	stood, stands := c.before.Stands(), c.after.Stands()
	for _, entry := range c.before.Log() {
		if a := entry.Act; stood[a.No] && !stands[a.No] && a.Verb != engine.Advance {
			acts = append(acts, a)
		}
	}
	return acts
}

// moved are the seats that would be in the game again, and those that would be out.
func (c change) moved() (in, out []engine.Seat) {
	for i := range c.before.Setup().Seats {
		switch seat := engine.Seat(i + 1); {
		case c.before.IsOut(seat) == c.after.IsOut(seat):
		case c.after.IsOut(seat):
			out = append(out, seat)
		default:
			in = append(in, seat)
		}
	}
	return in, out
}

// dawns is whom a morning announced now would send out; a closed night alone has one.
func dawns(g engine.Game) (out []engine.Seat, ok bool) {
	if g.Phase().Name != engine.Closed {
		return nil, false
	}
	after, _, err := g.Do(engine.Act{By: engine.Host, Verb: engine.Dawn})
	if err != nil {
		return nil, false
	}
	_, out = change{before: g, after: after}.moved()
	return out, true
}

// atDawn is whom the morning would send out then, where that is somebody else
// than now.
func (c change) atDawn() *dawnChange {
	was, ok := dawns(c.before)
	now, still := dawns(c.after)
	if !ok || !still || slices.Equal(was, now) {
		return nil
	}
	return &dawnChange{was, now}
}

type dawnChange struct{ Was, Now []engine.Seat }

func (d *dawnChange) String() string { return fmt.Sprint(*d) }

// changeView is a change in words.
type changeView struct {
	Title  string   // what would be done
	Public []string // what everybody would see
	Secret []string // what only the host may know before
	Print  string
}

// changes puts a change in words: for whom it comes, and who has read otherwise.
func (w words) changes(c change, read []engine.Seat, seats []seatView) changeView {
	v := changeView{Print: c.print()}
	public := func(key string, args ...any) { v.Public = append(v.Public, w.T(key, args...)) }
	if p := c.after.Phase(); p != c.before.Phase() {
		public("change.phase", "Phase", w.phase(p))
	}
	in, out := c.moved()
	if len(in) > 0 {
		public("change.in", "Who", names(seats, in))
	}
	if len(out) > 0 {
		public("change.out", "Who", names(seats, out))
	}
	told := make(map[engine.Audience]bool)
	for _, e := range c.events {
		switch e.Kind {
		case engine.Owed, engine.PhaseIs, engine.Chose, engine.Ruling:
			continue
		case engine.Closes:
			v.Public = append(v.Public, w.event(e, seats))
			continue
		}
		switch {
		case e.To == engine.All:
			v.Public = append(v.Public, w.event(e, seats))
		case e.Kind == engine.Told && e.To > 0 && e.Corrected:
			v.Secret = append(v.Secret, w.T("change.again", "Who", who(seats, engine.Seat(e.To)), "What", w.event(e, seats)))
			told[e.To] = true
		default:
			v.Secret = append(v.Secret, w.told(e, seats))
		}
	}
	for _, seat := range read {
		if told[engine.Audience(seat)] {
			v.Secret = append(v.Secret, w.T("change.read", "Who", who(seats, seat)))
		}
	}
	if d := c.atDawn(); d != nil {
		nobody := func(all []engine.Seat) string {
			if len(all) == 0 {
				return w.T("change.nobody")
			}
			return names(seats, all)
		}
		v.Secret = append(v.Secret, w.T("change.dawn", "Was", nobody(d.Was), "Now", nobody(d.Now)))
	}
	for _, a := range c.void() {
		v.Secret = append(v.Secret, w.T("change.void", "No", a.No, "What", w.act(a, seats)))
	}
	return v
}

// alone tells whether nothing would change but that one act counts no more.
func (c change) alone() bool {
	in, out := c.moved()
	private := func(e engine.Event) bool { return e.To != engine.All && e.Kind != engine.Chose }
	return len(c.void()) <= 1 && len(in)+len(out) == 0 && !slices.ContainsFunc(c.events, private) && c.atDawn() == nil
}
