package server

import (
	"sync"
	"time"

	"github.com/mafiabox/mafiabox/engine"
)

// A box without a hardware clock doesn't know what time it is once it was
// without power: it comes up with the time at which it went down, which looks
// right and is hours slow. So until a host has said what time it is, nothing
// that falls due at a moment does. Durations, such as a speech, don't care.

// hours is the box's clock on the wall.
type hours struct {
	mu   sync.Mutex
	at   time.Time // of the machine, when a host said what time it is; zero: nobody has
	says time.Time // what he said
	odd  bool      // the machine's time is before what the box remembers, whatever clock it has
}

// confirmed is what a host has said, as it is stored: it holds as long as the
// machine runs, however often the box is started.
type confirmed struct {
	Boot  string        `json:"boot"`
	Ahead time.Duration `json:"ahead"` // of the machine's clock
}

// Time is what time it is, and whether that is sure.
func (b *Box) Time() (now time.Time, sure bool) { return b.timeAt(b.cfg.Now()) }

// timeAt is what time it was at that moment of the machine.
func (b *Box) timeAt(machine time.Time) (then time.Time, sure bool) {
	b.hours.mu.Lock()
	defer b.hours.mu.Unlock()
	if b.hours.at.IsZero() {
		return machine.Round(0), b.cfg.Trusted && !b.hours.odd
	}
	return b.hours.says.Add(machine.Sub(b.hours.at)), true
}

// set takes what a host has said.
func (h *hours) set(machine, says time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.at, h.says = machine, says.Round(0)
}

// remember looks at a box that was just opened: a host may have said what time
// it is since the machine was started, and a clock that is behind what the box
// remembers is wrong, whatever it is.
func (b *Box) remember(said confirmed) {
	if said.Boot != "" && said.Boot == b.cfg.Boot {
		b.hours.set(b.opened, b.opened.Round(0).Add(said.Ahead))
	} else if b.cfg.Trusted && b.lastKnown().After(b.opened.Add(time.Minute)) {
		b.log.Warn("the machine's clock is behind what the box remembers: a host has to say what time it is", "clock", b.opened)
		b.hours.odd = true
	}
}

// hasDeadlines tells whether rounds of these rules close at a moment: then their
// record names the zone in which people read it.
func hasDeadlines(rules engine.Ruleset) bool {
	for _, o := range rules.Options() {
		if o.Zone {
			return true
		}
	}
	return false
}

// dated tells whether the game that is on has deadlines.
func (m *moment) dated() bool { return m.plays() && !m.game.Setup().Start.IsZero() }

// zonesRead are the time zones read so far, by name: each act and each page of a
// game of days asks for one, and the library reads its file every time. There
// are no more names than the machine has zones.
var zonesRead sync.Map

// zone is the time zone of the table's rules: that of the game that is on, or
// the one that is chosen for the next.
func (m *moment) zone(rules engine.Ruleset) *time.Location {
	set := m.doc.Options[rules.ID()]
	if m.plays() {
		set = m.game.Setup().Options
	}
	for _, o := range rules.Options() {
		if o.Zone {
			name := o.Values[0]
			if set[o.Name] != "" {
				name = set[o.Name]
			}
			if zone, known := zonesRead.Load(name); known {
				return zone.(*time.Location)
			}
			if zone, err := engine.Zone(name); err == nil {
				zonesRead.Store(name, zone)
				return zone
			}
		}
	}
	return time.UTC
}

// day is a date as people write it: Tue 1 Dec.
func (w words) day(t time.Time) string {
	return w.T("time.day", "Weekday", w.T("time.weekday."+t.Format("Mon")), "Day", t.Day(), "Month", w.T("time.month."+t.Format("Jan")))
}

// moment is a date with its time to the minute, in the zone of t.
func (w words) moment(t time.Time) string { return w.day(t) + ", " + t.Format("15:04") }
