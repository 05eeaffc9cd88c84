package engine

import (
	"errors"
	"time"
	_ "time/tzdata" // a record reads the same on a machine without time zones
)

// errZone: the machine's own zone is not the same everywhere.
var errZone = errors.New("a time zone has a name, such as Europe/Berlin")

// Zone is the time zone of that name.
func Zone(name string) (*time.Location, error) {
	if name == "" || name == "Local" {
		return nil, errZone
	}
	return time.LoadLocation(name)
}

// Due is when something happens by itself in this game, if nobody does anything
// before; zero: nothing, as in every game without deadlines.
func (g Game) Due() time.Time {
	timed, ok := g.last().state.(Timed)
	if now := g.now(); !ok || now.ended || now.stopped || now.ruling {
		return time.Time{}
	}
	return timed.Due()
}

// moment is the time of the game: that of its last clock act, or of its beginning.
func (g Game) moment() time.Time {
	latest := g.setup.Start
	for _, s := range g.steps {
		if s.act.Moment.After(latest) {
			latest = s.act.Moment
		}
	}
	return latest
}
