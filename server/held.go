package server

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/record"
	"github.com/mafiabox/mafiabox/server/store"
)

// heldAct is an act that waits for the time.
type heldAct struct {
	No   int         `json:"no"`   // they are done in this order
	Seat engine.Seat `json:"seat"` // whose it is; guests are all seat 0
	Line string      `json:"line"`
	Key  string      `json:"key,omitempty"`  // of its form, which is not done twice either
	At   time.Time   `json:"at"`             // of the machine
	Boot string      `json:"boot"`           // the start of the machine of which that moment is
	Of   string      `json:"of"`             // the round that was meant
	Late bool        `json:"late,omitempty"` // it was too late: its seat is told
	Told time.Time   `json:"told"`           // since when
}

const (
	heldOfSeat = 12             // acts held of one seat at the most
	heldRoom   = 16 << 10       // bytes of them: all of a table are done in one transaction
	lateStays  = 24 * time.Hour // how long a seat is told that something was too late
)

// act is what is held.
func (h heldAct) act(seats int) (engine.Act, error) { return record.ParseAct(h.Line, seats) }

// hold takes an act while the time is not known.
func (d *draft) hold(a engine.Act) error {
	_, events, err := d.game.Do(a)
	if err != nil {
		return err
	}
	switch {
	case a.By == engine.Host && !conducts(a.Verb):
		return say("time_unsure")
	case a.By == engine.Host, a.Verb == engine.Whisper, a.Verb == engine.Post && len(events) == 0:
		_, err := d.do(a)
		return err
	}
	h := heldAct{Seat: a.Subject().Seat(), Line: record.FormatAct(a), Key: d.key, At: d.now.Round(0), Boot: d.box.cfg.Boot, Of: d.of()}
	own, others := []heldAct{}, []heldAct{}
	for _, o := range d.doc.Held {
		h.No = max(h.No, o.No+1)
		if o.Seat == h.Seat {
			own = append(own, o)
		} else {
			others = append(others, o)
		}
	}
	for own = append(own, h); len(own) > heldOfSeat || len(encodeHeld(own)) > heldRoom; {
		late := slices.IndexFunc(own, func(o heldAct) bool { return o.Late })
		if late < 0 {
			return say("held_full")
		}
		own = slices.Delete(own, late, late+1)
	}
	d.doc.Held = append(others, own...)
	sortHeld(d.doc.Held)
	d.dirty, d.heard = true, true
	word := say("kept")
	d.word = &word
	return nil
}

// conducts tells whether a host may do this without knowing the time: nothing
// that could end a round.
func conducts(v engine.Verb) bool {
	switch v {
	case engine.Note, engine.Whisper, engine.Decide, engine.Warn, engine.Suspend, engine.Appeal:
		return true
	}
	return false
}

// release does a held act as of its moment. A post of an earlier round still
// stands in the thread, unless it would count as a vote in this one.
func (d *draft) release(h heldAct, now time.Time) heldAct {
	then := d.doc.Alive // held before the machine was started again: in favour of the player
	if h.Boot == d.box.cfg.Boot && h.Boot != "" {
		then, _ = d.box.timeAt(h.At)
	}
	if then.After(now) {
		then = now
	}
	d.time = latest(then, d.due.moved)
	d.advance(d.time)
	act, err := h.act(len(d.doc.People))
	if err == nil && h.Of != d.of() && (act.Verb != engine.Post || d.votes(act)) {
		err = engine.RefusedPhase
	}
	if err == nil {
		d.key = h.Key
		_, err = d.do(act)
		d.key = ""
	}
	if err != nil {
		h.Late, h.Told = true, now.Round(0)
	}
	return h
}

// votes tells whether a post would change a vote or a lock now.
func (d *draft) votes(post engine.Act) bool {
	return slices.ContainsFunc(d.game.Reads(post.By, post.Text), func(e engine.Event) bool { return e.Kind == engine.Voted || e.Kind == engine.Chose })
}

// latePost is what a seat has written into a round that had ended, and that is
// not in the thread: it is given back.
func (m *moment) latePost(seat engine.Seat) string {
	for _, h := range m.doc.Held {
		if act, err := h.act(len(m.doc.People)); err == nil && h.Late && h.Seat == seat && seat != 0 && act.Verb == engine.Post {
			return act.Text
		}
	}
	return ""
}

// dropLatePosts forgets what was given back once its author has written again.
func (d *draft) dropLatePosts(seat engine.Seat) {
	before := len(d.doc.Held)
	d.doc.Held = slices.DeleteFunc(d.doc.Held, func(h heldAct) bool {
		act, err := h.act(len(d.doc.People))
		return err == nil && h.Late && h.Seat == seat && act.Verb == engine.Post
	})
	d.dirty = d.dirty || len(d.doc.Held) < before
}

// Of each seat it is stored by itself: a table's document is stored whole with
// each change, and has no room for what many write.

const heldPrefix = "held-"

func heldID(table string, seat engine.Seat) string { return fmt.Sprint(heldPrefix, table, "-", seat) }

func encodeHeld(own []heldAct) []byte {
	text, err := json.Marshal(own)
	if err != nil {
		panic(err) // strings, numbers and moments
	}
	return text
}

func sortHeld(all []heldAct) {
	slices.SortFunc(all, func(a, b heldAct) int { return cmp.Compare(a.No, b.No) })
}

// heldChanges are what changes in the store when this is held instead of that.
func heldChanges(table string, before, after []heldAct) (changes []store.Change) {
	bySeat := func(all []heldAct) map[engine.Seat][]heldAct {
		seats := make(map[engine.Seat][]heldAct)
		for _, h := range all {
			seats[h.Seat] = append(seats[h.Seat], h)
		}
		return seats
	}
	was, is := bySeat(before), bySeat(after)
	for seat := range was {
		if is[seat] == nil {
			is[seat] = []heldAct{}
		}
	}
	for _, seat := range slices.Sorted(maps.Keys(is)) {
		if !slices.Equal(was[seat], is[seat]) {
			changes = append(changes, store.Change{Table: heldID(table, seat), Doc: encodeHeld(is[seat])})
		}
	}
	return changes
}

// takeHeld takes what is held out of the store's documents, by table.
func takeHeld(docs map[string][]byte) (map[string][]heldAct, error) {
	all := make(map[string][]heldAct)
	for id, text := range docs {
		rest, ok := strings.CutPrefix(id, heldPrefix)
		if !ok {
			continue
		}
		var own []heldAct
		if err := json.Unmarshal(text, &own); err != nil {
			return nil, fmt.Errorf("what is held can't be read: %s: %w", id, err)
		}
		table, _, _ := strings.Cut(rest, "-")
		all[table] = append(all[table], own...)
		sortHeld(all[table])
		delete(docs, id)
	}
	return all, nil
}
