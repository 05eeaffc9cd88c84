package server

import (
	"fmt"
	"slices"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/record"
	"github.com/mafiabox/mafiabox/server/store"
)

// The thread of a game is as long as its players write, and a game keeps none
// of it. A page of it is read where the acts are stored, from the act that the
// page begins with: so to draw one costs the same after ten posts and after ten
// thousand.

const (
	postsOnPage = 50  // of the thread
	mostBetween = 400 // other entries on a page
)

// threadEntry is an act as everybody may see it: a post, or something else that
// everybody was told of. The number of an act is on no entry: it would tell how
// many others acted in secret.
type threadEntry struct {
	Post   int            // its number in the thread, from 1; 0: it is none
	Act    engine.Act     // of a post; of what is none only when it was, and of a host's own its verb: who did it or how may be secret
	Events []engine.Event // what all were told, but for how many owe something
	Away   away           // a time in which the box was off; zero: it is none
}

// turnPage notes where a page of the thread begins: with a post that is the
// first of it. The game is the next one, not yet the moment's own.
func (m *moment) turnPage(game engine.Game) {
	if n := game.Posts(); n > m.game.Posts() && n%postsOnPage == 1 {
		m.pages = append(slices.Clip(m.pages), game.LastNo())
	}
}

// threadPages is how many pages the thread has: a game without posts has one.
func (m *moment) threadPages() int { return max(1, len(m.pages)) }

// threadPage reads a page of the thread, from 1, as it was at that moment. The
// first begins with the game's first act, after what its beginning told; each
// ends where the next begins. A page that is not there is empty.
func (b *Box) threadPage(t *Table, m *moment, page int) ([]threadEntry, error) {
	if page < 1 || page > m.threadPages() {
		return nil, nil
	}
	p := threadReader{post: (page - 1) * postsOnPage, seats: m.game.Setup().Seats}
	from, last := 1, m.game.LastNo()
	if page > 1 {
		from = m.pages[page-1]
	}
	if page < len(m.pages) {
		last = m.pages[page] - 1
	}
	if from > last {
		return nil, nil // nothing has been done
	}
	for _, a := range m.doc.Away {
		if a.After >= from-1 && (a.After < last || page == m.threadPages()) {
			p.away = append(p.away, a)
		}
	}
	var wrong error
	err := b.store.EachAct(t.id, m.doc.Game, from, func(a store.Act) bool {
		if wrong = p.read(a); wrong != nil {
			wrong = fmt.Errorf("act %d: %w", a.No, wrong)
		}
		return wrong == nil && a.No < last
	})
	if err == nil {
		err = wrong
	}
	if err != nil {
		return nil, fmt.Errorf("page %d of the thread: %w", page, err)
	}
	p.was(last)
	p.prune()
	return p.entries, nil
}

// threadReader makes entries of stored acts. However many acts stand between
// two posts, it holds a page's worth of them.
type threadReader struct {
	entries []threadEntry
	post    int // the number of the last post
	seats   int
	away    []away // that are still to come
}

// was adds when the box was off, up to what was after that act.
func (p *threadReader) was(after int) {
	for len(p.away) > 0 && p.away[0].After <= after {
		p.entries = append(p.entries, threadEntry{Away: p.away[0]})
		p.away = p.away[1:]
	}
}

func (p *threadReader) read(stored store.Act) error {
	act, err := record.ParseAct(stored.Line, p.seats)
	if err != nil {
		return err
	}
	p.was(stored.No - 1)
	e := threadEntry{Act: engine.Act{At: act.At}}
	if act.By == engine.Host && act.For == 0 {
		e.Act.By, e.Act.Verb = act.By, act.Verb
	}
	if act.Verb == engine.Advance {
		e.Act.Moment = act.Moment
	}
	for _, line := range stored.Events {
		told, err := record.ParseEvent(line)
		if err != nil {
			return err
		}
		if told.To == engine.All && told.Kind != engine.Owed {
			e.Events = append(e.Events, told)
		}
	}
	switch {
	case act.Verb == engine.Post:
		p.post++
		e.Post, e.Act = p.post, act
		p.entries = append(p.entries, e)
	case len(e.Events) > 0:
		p.replace(e.Events)
		p.entries = append(p.entries, e)
		if len(p.entries) > 2*(mostBetween+postsOnPage) {
			p.prune()
		}
	}
	return nil
}

// replace drops the votes and locks that newer ones of the same seat make old,
// back to the last post or to what turned the game, and entries of which nothing
// is left.
func (p *threadReader) replace(newer []engine.Event) {
	if !slices.ContainsFunc(newer, ballot) {
		return
	}
	old := func(e engine.Event) bool {
		return ballot(e) && slices.ContainsFunc(newer, func(n engine.Event) bool { return ballot(n) && n.Kind == e.Kind && n.Of == e.Of })
	}
	from := len(p.entries)
	for from > 0 && p.entries[from-1].Post == 0 && !turns(p.entries[from-1]) {
		from--
		p.entries[from].Events = slices.DeleteFunc(p.entries[from].Events, old)
	}
	left := slices.DeleteFunc(p.entries[from:], func(e threadEntry) bool { return e.Post == 0 && len(e.Events) == 0 && e.Away == away{} })
	p.entries = p.entries[:from+len(left)]
}

// ballot tells whether an event is a vote, or that a vote is locked or no longer.
func ballot(e engine.Event) bool {
	return e.Kind == engine.Voted || e.Kind == engine.Chose && (e.Verb == engine.Lock || e.Verb == engine.Unlock)
}

// turns tells whether an entry announces something or begins a phase.
func turns(e threadEntry) bool {
	return e.Away != away{} || engine.Announces(e.Events) || slices.ContainsFunc(e.Events, func(e engine.Event) bool { return e.Kind == engine.PhaseIs })
}

// prune keeps not too many of the entries that are no posts: what turns the
// game before the rest, and of either the latest.
func (p *threadReader) prune() {
	spare := -mostBetween
	for _, e := range p.entries {
		if e.Post == 0 {
			spare++
		}
	}
	for _, turning := range []bool{false, true} {
		p.entries = slices.DeleteFunc(p.entries, func(e threadEntry) bool {
			drop := spare > 0 && e.Post == 0 && turns(e) == turning
			if drop {
				spare--
			}
			return drop
		})
	}
}
