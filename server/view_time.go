package server

import (
	"slices"
	"time"

	"github.com/mafiabox/mafiabox/engine"
)

// closesView is when a round closes by itself. The page counts on alone.
type closesView struct {
	At     string // date, time and zone, in words
	Until  int64  // in milliseconds, as Now
	Now    int64
	Left   string // in words
	Stands bool   // time does not pass: the game is stopped, or the time is not known
}

// timely is what a page of a game with deadlines shows of the time.
func (v *view) timely(b *Box, m *moment, seen engine.Seen) {
	if !m.dated() || seen.Over {
		return
	}
	now, known := b.Time()
	known = known && m.settled
	if !known {
		v.Notices = append(v.Notices, v.T("notice.time"))
	}
	if seen.Deadline.IsZero() {
		return
	}
	at := seen.Deadline.In(m.zone(m.game.Rules()))
	v.Closes = &closesView{
		At: v.moment(at) + " " + at.Format("MST"), Until: at.UnixMilli(), Now: now.UnixMilli(),
		Left: v.left(at.Sub(now)), Stands: !known || seen.Stopped,
	}
}

// left is how long it is until something, in words: "in 2 hours".
func (w words) left(d time.Duration) string {
	switch {
	case d >= 48*time.Hour:
		return w.T("left.days", "N", int(d/(24*time.Hour)))
	case d >= 2*time.Hour:
		return w.T("left.hours", "N", int(d/time.Hour))
	case d >= time.Minute:
		return w.T("left.minutes", "N", int(d/time.Minute))
	case d >= 0:
		return w.T("left.seconds", "N", int(d/time.Second))
	}
	return w.T("left.now")
}

// Title is what the browser calls a page of a table: with it a phone's list of
// pages says how long there is to vote.
func (v view) Title() string {
	if v.Closes == nil || v.Closes.Stands {
		return v.words.Title()
	}
	return v.T("closes.title", "Left", v.Closes.Left) + " · " + v.words.Title()
}

// timeView is how a host says what time it is.
type timeView struct {
	Thinks string // what the box thinks, in words
	Zone   string
	Local  string // the same, as a form has it
	Said   bool   // a host has said it: it may be put right
}

// timeForm is how a form has a moment.
const timeForm = "2006-01-02T15:04"

// timeView is nil while the box knows the time by itself, or nothing here
// depends on it.
func (b *Box) timeView(m *moment, w words) *timeView {
	now, known := b.Time()
	rules := b.rules(m.doc)
	if m.plays() {
		rules = m.game.Rules()
	}
	known = known && (m.settled || !m.dated())
	if known && b.cfg.Trusted || !hasDeadlines(rules) || m.plays() && (!m.dated() || m.game.Ended()) {
		return nil
	}
	zone := m.zone(rules)
	return &timeView{Thinks: w.moment(now.In(zone)) + now.In(zone).Format(" MST"), Zone: zone.String(), Local: now.In(zone).Format(timeForm), Said: known}
}

// waits are the seat's own acts that wait for the time, or came too late. What
// was sent at night is nothing to be read openly: as long as it waits it is
// behind the hold with what else was sent, and too late it is told of in general.
func (m *moment) waits(w words, seat engine.Seat, seats []seatView, now time.Time) (open []string, behind string) {
	for _, h := range m.doc.Held {
		act, err := h.act(len(m.doc.People))
		if err != nil || h.Seat != seat || h.Late && now.Sub(h.Told) >= lateStays {
			continue
		}
		act.Text = "" // its author knows it
		text := w.act(act, seats)
		switch night := ofNight(act.Verb); {
		case !h.Late && night:
			behind = w.T("held.waits", "Text", text) // the last one counts
			continue
		case !h.Late:
			text = w.T("held.waits", "Text", text)
		case night:
			text = w.T("held.late.night")
		case act.Verb == engine.Post:
			text = w.T("held.late.post")
		default:
			text = w.T("held.late", "Text", text)
		}
		if !slices.Contains(open, text) {
			open = append(open, text)
		}
	}
	return open, behind
}
