package server

import (
	"slices"
	"time"

	"github.com/mafiabox/mafiabox/engine"
)

// Who is suspended sits out the club's next game under the same rules, at
// whatever table. The club keeps it, stored in one transaction with the act that
// ended the game: a pulled plug leaves both or neither.

// suspension is one player's, until the next game of these rules has begun.
type suspension struct {
	No    int    `json:"no"` // of all that the club ever had
	Name  string `json:"name"`
	Rules string `json:"rules"`
	Why   string `json:"why"`            // missed or conduct
	Date  string `json:"date,omitempty"` // of the game's end; empty: the box didn't know
}

// suspended are those of the club who sit out its next game, under each spelling
// of their names.
func (c *club) suspended() []suspension {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.book.spelled(c.Suspended)
}

// sitsOut is the suspension that a name has under these rules, if any. Names are
// compared as a table reads them.
func sitsOut(all []suspension, rules, name string) (suspension, bool) {
	i := slices.IndexFunc(all, func(s suspension) bool { return s.Rules == rules && fold(s.Name) == fold(name) })
	if i < 0 {
		return suspension{}, false
	}
	return all[i], true
}

// suspended are those of the club as they will be once this draft is stored.
func (d *draft) suspended() []suspension {
	now := d.clubNow().Suspended
	if d.box == nil || d.box.club == nil {
		return now
	}
	return d.box.club.people().spelled(now)
}

func (d *draft) clubNow() (now clubDoc) {
	if d.box != nil && d.box.club != nil { // a draft of a test may have neither
		d.box.club.mu.Lock()
		now = d.box.club.clubDoc
		d.box.club.mu.Unlock()
	}
	for _, do := range d.clubDo {
		do(&now)
	}
	return now
}

// letsIn refuses a name that is suspended under the rules of the next game.
func (d *draft) letsIn(names ...string) error {
	for _, name := range names {
		if s, ok := sitsOut(d.suspended(), d.doc.Rules, name); ok {
			return say("suspended_"+s.Why, "Name", name, "Date", s.Date)
		}
	}
	return nil
}

// seatedSuspended refuses to begin with somebody who has to sit this game out:
// people stay seated from one game to the next.
func (d doc) seatedSuspended(all []suspension) error {
	for _, p := range d.People {
		if _, ok := sitsOut(all, d.Rules, p.Name); ok {
			return say("suspended_seated", "Name", p.Name)
		}
	}
	return nil
}

// noteSuspended keeps in the club what an act of the game has to do with
// suspensions: the first one lifts those that were there at the deal, as this is
// the game that had to be sat out. A wrong deal, taken back before anybody has
// done anything, lifts none. The end of the game brings new ones.
func (d *draft) noteSuspended(before engine.Game, a engine.Act) {
	rules, last := d.game.Rules().ID(), d.doc.Sat
	served := func(s suspension) bool { return s.Rules == rules && s.No <= last }
	begun := before.Posts() > 0 || slices.ContainsFunc(before.Log(), func(e engine.Entry) bool { return e.Act.Verb != engine.Advance })
	if !begun && a.Verb != engine.Advance && a.Verb != engine.End && slices.ContainsFunc(d.suspended(), served) {
		d.clubDo = append(d.clubDo, func(c *clubDoc) {
			c.Suspended = slices.DeleteFunc(slices.Clone(c.Suspended), served)
		})
	}
	if !d.game.Ended() || before.Ended() {
		return
	}
	date := ""
	if d.known {
		date = d.time.In(d.zone(d.game.Rules())).Format(time.DateOnly)
	}
	var fresh []suspension
	for _, s := range d.game.Seen(engine.All).Seats {
		switch at := (suspension{Name: d.doc.People[s.Seat-1].Name, Rules: rules, Date: date}); {
		case s.Suspended:
			at.Why = "conduct"
			fresh = append(fresh, at)
		case s.Cause == engine.ByMissed:
			at.Why = "missed"
			fresh = append(fresh, at)
		}
	}
	if len(fresh) == 0 {
		return
	}
	d.clubDo = append(d.clubDo, func(c *clubDoc) {
		c.Suspended = slices.Clone(c.Suspended)
		for _, s := range fresh {
			c.Suspensions++
			s.No = c.Suspensions
			c.Suspended = append(c.Suspended, s)
		}
	})
}
