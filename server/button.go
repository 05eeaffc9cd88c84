package server

import (
	"errors"
	"slices"
	"time"

	"github.com/mafiabox/mafiabox/engine"
)

// Press is a press of the panel's button, by how long it was held.
type Press string

// The presses.
const (
	PressShort Press = "short" // the next step
	PressHold  Press = "hold"  // one to three seconds: the clock pauses, or goes on
	PressLong  Press = "long"  // three seconds: the phone that asks becomes host
	PressStart Press = "start" // ten seconds from the box's start on: new codes
)

// Press does what a press is for at the panel's table, and tells what the panel
// answers; "" where the table's own cue says it. What can't be done changes
// nothing. The next press comes after that answer; made is when it was let go, or
// counted while held. One that was made before the last answer, or before the box began, was
// not meant for what is now: nothing is done, and nothing played over the cue that
// has just told what is. Only new codes are wanted whatever there is.
func (b *Box) Press(p Press, made time.Time) Cue {
	if b.waits.Load() != nil {
		return CueTrouble
	}
	if made.Before(b.pressed) && p != PressStart {
		return ""
	}
	defer func() { b.pressed = b.cfg.Now() }()
	t, asks := b.panelTable(), false
	var err error
	switch p {
	case PressShort, PressHold:
		err = t.Do("", func(d *draft) (err error) {
			asks, err = d.press(p)
			return err
		})
	case PressLong:
		err = b.pairByButton(t)
	case PressStart:
		err = b.newCodes()
	}
	if errors.Is(err, errStorage) || err != nil && b.gone(err) {
		return CueTrouble
	}
	return answered(p, asks, err)
}

// answered is what the panel says of a press.
func answered(p Press, asks bool, err error) Cue {
	switch {
	case err != nil:
		return CueRefused
	case asks:
		return CueAgain
	case p == PressLong, p == PressStart:
		return CuePaired
	}
	return ""
}

// press does what the button is for in a game, and tells whether it asks to be
// pressed once more.
func (d *draft) press(p Press) (asks bool, err error) {
	if p == PressHold {
		return false, d.pause(engine.ByButton)
	}
	was := d.asked
	err = d.step("", engine.ByButton)
	return d.asked != was && d.asked.verb != "", err
}

// pause stops the running clock, or lets it go on. The rules would pause a time
// in which there is none.
func (d *draft) pause(via engine.Source) error {
	if d.doc.Stage != playing {
		return say("nothing_to_step")
	}
	if d.clock.Left(d.now) == 0 {
		return engine.RefusedPhase
	}
	open := openSteps(d.game.Seen(engine.ToHost))
	for _, verb := range []engine.Verb{engine.Hold, engine.Go} {
		if slices.Contains(open, verb) {
			return d.act(engine.Act{By: engine.Host, Verb: verb, Via: via})
		}
	}
	return engine.RefusedPhase
}

// panelTable is the table that the panel belongs to: the one that a host chose,
// or else the first.
func (b *Box) panelTable() *Table {
	if t := b.Table(b.club.panel()); t != nil {
		return t
	}
	return b.Tables()[0]
}

// jot notes in the log of the game that is on what the button did besides it; a
// game that is over takes no note.
func (d *draft) jot(text string) {
	if d.plays() {
		_ = d.act(engine.Act{By: engine.Host, Verb: engine.Note, Text: text, Via: engine.ByButton})
	}
}

// words are the box's own words, for what is written where nobody chose a language.
func (b *Box) words() words { return words{b.texts.in(b.cfg.Lang)} }

// newCodes draws every code anew: who held an old one, or a phone that was host
// or owner by it, is nobody any more. Who sits stays.
func (b *Box) newCodes() error {
	for _, t := range b.Tables() {
		err := t.Do("", func(d *draft) error {
			d.doc.Hosts = nil
			d.jot(b.words().T("jot.codes"))
			return d.newCode(b)
		})
		if err != nil {
			return err
		}
		b.dropTickets(t)
		b.mu.Lock()
		b.codes[t.id] = newCode(secretCode)
		b.mu.Unlock()
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.cfg.OwnerCode, b.owners = newCode(secretCode), make(map[string]struct{})
	return nil
}
