package server

import (
	"slices"

	"github.com/mafiabox/mafiabox/engine"
)

// Who has read an answer can't unread it: when a correction changes an answer
// that its seat had read, the host is told.

// hasRead notes that a seat held its screen to read, after the night closed.
// Every seat is noted alike, whether or not it had an answer.
func (d *draft) hasRead(seat engine.Seat) error {
	if d.doc.Stage == playing && d.game.Phase().Name == engine.Closed && !slices.Contains(d.doc.Read, seat) {
		d.doc.Read, d.dirty = append(d.doc.Read, seat), true
	}
	return nil
}

// noteReaders keeps who was misled by what an act now tells differently.
func (d *draft) noteReaders(a engine.Act, events []engine.Event) {
	if newNight := a.Verb == engine.Night || a.Verb == engine.Replay; newNight && len(d.doc.Read)+len(d.doc.Misled) > 0 {
		d.doc.Read, d.doc.Misled, d.dirty = nil, nil, true
	}
	for _, e := range events {
		if seat := engine.Seat(e.To); e.Kind == engine.Told && e.Corrected && slices.Contains(d.doc.Read, seat) {
			d.doc.Read = slices.DeleteFunc(slices.Clone(d.doc.Read), func(s engine.Seat) bool { return s == seat })
			d.dirty = true
			if !slices.Contains(d.doc.Misled, seat) { // corrected, read and corrected again
				d.doc.Misled = append(d.doc.Misled, seat)
			}
		}
	}
}
