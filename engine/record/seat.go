package record

import (
	"strconv"

	"github.com/mafiabox/mafiabox/engine"
)

// errNotSeat: the word is no seat's number at all, so something else may have
// been meant.
var errNotSeat = syntax("expected a seat's number")

// parseSeat reads the number of a seat that exists.
func parseSeat(w word, seats int) (engine.Seat, error) {
	n, ok := number(w.text)
	switch {
	case !ok || w.quoted:
		return 0, errNotSeat
	case n < 1 || n > seats:
		return 0, syntax("there is no seat %d: expected 1 to %d", n, seats)
	}
	return engine.Seat(n), nil
}

func formatSeat(s engine.Seat) string { return strconv.Itoa(int(s)) }

func formatActor(a engine.Actor) string {
	if a > 0 {
		return formatSeat(a.Seat())
	}
	return string(speakerOf(a))
}

func speakerOf(a engine.Actor) speaker {
	switch a {
	case engine.Host:
		return host
	case engine.Clock:
		return clock
	case engine.Guest:
		return guest
	}
	return seat
}
