package hardware

import "time"

const (
	// settle is how long a level must stay before it counts: contacts of cheap
	// buttons bounce for up to 20 ms.
	settle = 30 * time.Millisecond
	// lockOut is how long after a press no other begins: a nervous double tap
	// would move the table two phases on.
	lockOut = 250 * time.Millisecond
)

// debouncer makes presses of samples of a bouncing contact. Its zero value is
// ready. It has no clock: each sample comes with its time.
type debouncer struct {
	begun   bool      // a press from the first sample on may become a Start
	seen    bool      // there was a sample
	raw     bool      // the last sample: down or not
	since   time.Time // the first sample of the run to which the last belongs
	known   bool      // a level has settled
	down    bool      // the settled level
	first   bool      // down since the first sample: a finger, or a shorted wire
	told    bool      // this press is sent, or never will be
	pressed time.Time
	locked  time.Time // no press begins before
}

// sample takes how the contact stands at a moment. It gives the press that is
// to be sent with this sample, if one is.
func (d *debouncer) sample(down bool, now time.Time) (Press, bool) {
	if !d.seen || down != d.raw {
		d.seen, d.raw, d.since = true, down, now
	}
	settled := now.Sub(d.since) >= settle
	switch {
	case down && d.down: // a gap shorter than settle was a bounce
		if d.told || now.Before(d.sent()) {
			return Press{}, false
		}
		d.told = true
		press := Press{At: d.pressed, Held: now.Sub(d.pressed), Kind: Long}
		if d.first {
			press.Kind = Start
		}
		return press, true
	case !settled:
	case d.down:
		quiet := d.told || d.first
		d.down, d.first, d.locked = false, false, now.Add(lockOut)
		if held := d.since.Sub(d.pressed); !quiet {
			return Press{At: d.pressed, Held: held, Kind: kindOf(min(held, longAfter))}, true
		}
	case !down:
		d.known = true
	case !now.Before(d.locked):
		d.first, d.known = !d.known, true
		d.down, d.told, d.pressed = true, d.first && !d.begun, d.since
		if d.pressed.Before(d.locked) {
			d.pressed = d.locked
		}
	}
	return Press{}, false
}

// sent is when the press that is held now is sent without being let go.
func (d *debouncer) sent() time.Time {
	if d.first {
		return d.pressed.Add(startAfter)
	}
	return d.pressed.Add(longAfter)
}

// busy tells whether the last level may still come to count without another
// edge, so that the contact must be watched closely.
func (d *debouncer) busy() bool { return !d.known || d.raw != d.down }

// wait is how long the contact may be left alone, at most that long.
func (d *debouncer) wait(most time.Duration, now time.Time) time.Duration {
	if d.down && !d.told {
		return min(most, d.sent().Sub(now))
	}
	return most
}
