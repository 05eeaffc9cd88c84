package server

import (
	"fmt"

	"github.com/mafiabox/mafiabox/engine"
)

// entryView is one act in the host's log.
type entryView struct {
	No      int
	Verb    engine.Verb
	Seat    engine.Seat // who did it, or for whom it was entered; 0: the host
	Label   string      // who did what, without whom it meant: for a host who plays
	Lines   []string    // the rest of it, behind his hold
	Text    string
	Results []string
	Void    bool // taken back, or of a round that was started again
	Old     bool // the same seat has sent the same again since
	Undo    bool
	Alone   bool // taking it back changes nothing else
	Correct *offerView
}

// logged is how many acts the console lists at the most.
const logged = 60

// log lists the acts since the last announcement, the last first, with what can
// still be mended; the one that announced closes the list.
func (w words) log(g engine.Game, seats []seatView) (entries []entryView) {
	all := g.Log()
	open, later, stands := true, make(map[string]bool), g.Stands()
	for i := len(all) - 1; i >= 0 && open && len(entries) < logged; i-- {
		a := all[i].Act
		open = a.Verb.Conduct() || !engine.Announces(all[i].Events)
		if a.Verb == engine.Hold || a.Verb == engine.Go || a.Verb == engine.Advance && len(all[i].Events) == 0 {
			continue
		}
		seat := a.Subject().Seat()
		e := entryView{No: a.No, Verb: a.Verb, Seat: seat, Label: w.does(a, seats), Text: w.act(a, seats), Void: !stands[a.No]}
		if seat != 0 && !e.Void && !several(a.Verb) {
			of := fmt.Sprint(seat, a.Verb)
			e.Old = later[of] || later[fmt.Sprint(seat, engine.Wait)]
			later[of] = true
		}
		for _, result := range all[i].Events {
			if result.Kind != engine.Owed && result.Kind != engine.Chose {
				e.Results = append(e.Results, w.told(result, seats))
			}
		}
		if open && !e.Void && !e.Old && !g.Ended() {
			_, _, err := g.Do(engine.Act{By: engine.Host, Verb: engine.Undo, N: a.No})
			e.Undo = err == nil
		}
		if seat != 0 && e.Undo && !e.Old && len(a.Seats) > 0 {
			e.Correct = w.correction(a, seats)
		}
		entries = append(entries, e)
	}
	return entries
}

// ofNight tells whether a seat does that at night, where its page shows nothing
// of it without a hold.
func ofNight(v engine.Verb) bool {
	return v == engine.Suspect || v == engine.Wait || nightly(engine.Offer{Verb: v})
}

// several tells whether a seat does that more than once, each for itself.
func several(v engine.Verb) bool {
	return v == engine.Nominate || v == engine.Post || v == engine.Whisper || v == engine.Extension
}

// Discreet tells whether the console is a player's: nothing that he must not
// know is on it without a hold.
func (p hostPage) Discreet() bool { return p.Playing && p.Stage == playing && !p.Over }

// bySeat is the log of a host who plays. How many acts a seat has sent in a night
// tells its role, so then each living seat has one line, whatever it sent. Letters
// are not in it.
func (w words) bySeat(entries []entryView, seats []seatView, night bool) (lines []entryView) {
	sent := make(map[engine.Seat][]string)
	for _, e := range entries {
		if e.Verb == engine.Whisper {
			continue // private, and nothing that a host has to mend
		}
		if e.Void {
			e.Text += " (" + w.T("page.void") + ")"
		}
		if e.Seat == 0 || !night {
			if e.Seat != 0 && ofNight(e.Verb) {
				e.Label = w.T("log.night") // the choice that ended the night: whose it was tells a role
			}
			e.Lines = append([]string{e.Text}, e.Results...)
			lines = append(lines, e)
		} else {
			sent[e.Seat] = append(sent[e.Seat], e.Text)
		}
	}
	for _, s := range seats {
		if night && !s.Out {
			lines = append(lines, entryView{Seat: s.Seat, Label: who(seats, s.Seat), Lines: sent[s.Seat]})
		}
	}
	return lines
}

// correction is the form that replaces an accepted act by one of the same verb.
func (w words) correction(a engine.Act, seats []seatView) *offerView {
	v := offerView{Verb: a.Verb, For: a.Subject().Seat(), Label: w.T("correct"), Ask: w.ask(a.Verb, 0, 1), Many: len(a.Seats), Needs: true}
	for _, s := range seats {
		if !s.Out {
			v.Seats = append(v.Seats, s)
		}
	}
	return &v
}

// undoable is the host's own last act, if it can be taken back. What a phone has
// sent since is no slip of the host's, and stands.
func (w words) undoable(g engine.Game, seats []seatView) *entryView {
	all, stands := g.Log(), g.Stands()
	for i := len(all) - 1; i >= 0; i-- {
		a := all[i].Act
		if a.By != engine.Host || !stands[a.No] || a.Verb == engine.Undo || a.Verb.Skipped() {
			continue
		}
		did, err := tryChange(g, []engine.Act{{By: engine.Host, Verb: engine.Undo, N: a.No}})
		if err != nil {
			return nil
		}
		return &entryView{No: a.No, Text: w.act(a, seats), Alone: did.alone()}
	}
	return nil
}
