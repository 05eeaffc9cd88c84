package server

import "github.com/mafiabox/mafiabox/engine"

// waysView are the two ways that are left once something wrong was announced: a
// decision that rewrites nothing, or the round once more.
type waysView struct {
	Decide, Replay *offerView
	Stays          []string // what the decision leaves as it is
	Back           []string // what the round once more would mean, in this round of these rules
}

// ways are those that are open now. What a round's acts were is not in them: a
// host who plays reads it, too.
func (p *hostPage) ways(g engine.Game, seen engine.Seen) *waysView {
	v := &waysView{}
	for _, o := range seen.Offers {
		if o.Now != engine.Open {
			continue
		}
		form := p.words.offer(o, p.Seats, 0)
		switch o.Verb {
		case engine.Decide:
			v.Decide, v.Stays = &form, []string{p.T("decide.told"), p.own("decide.stays"), p.T("decide.log")}
		case engine.Replay:
			v.Replay = &form
			did, err := tryChange(g, []engine.Act{{By: engine.Host, Verb: engine.Replay}})
			if err != nil {
				v.Replay = nil
				continue
			}
			back := p.changes(did, nil, p.Seats)
			if did.before.Phase() == did.after.Phase() {
				v.Back = append(v.Back, p.T("replay.from", "Phase", p.phase(did.after.Phase())))
			}
			v.Back = append(append(v.Back, back.Public...), p.own("replay.void"), p.own("replay.stays"), p.T("replay.log"))
		}
	}
	if v.Decide == nil && v.Replay == nil {
		return nil
	}
	return v
}

// costs is what a warning would cost each who has one already, by trying it.
func costs(w words, g engine.Game, o engine.Offer, seats []seatView) (all []string) {
	if o.Verb != engine.Warn || !g.Begun() {
		return nil
	}
	for _, s := range offered(o, seats) {
		if s.Warned == 0 {
			continue
		}
		did, err := tryChange(g, []engine.Act{{By: engine.Host, Verb: engine.Warn, Seats: []engine.Seat{s.Seat}}})
		for _, e := range did.events {
			if err == nil && e.Kind == engine.Muted {
				all = append(all, w.T("warn.costs", "What", w.event(e, seats)))
			}
		}
	}
	return all
}
