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
	seen    bool      // there was a sample
	raw     bool      // the last sample: down or not
	since   time.Time // the first sample of the run to which the last belongs
	armed   bool      // the button was up once, so a wire that is shorted from the start presses nothing
	down    bool      // the settled level
	pressed time.Time
	locked  time.Time // no press begins before
}

// sample takes how the contact stands at a moment. It gives the press that
// ends with this sample, if one does.
func (d *debouncer) sample(down bool, now time.Time) (Press, bool) {
	if !d.seen || down != d.raw {
		d.seen, d.raw, d.since = true, down, now
	}
	if now.Sub(d.since) < settle {
		return Press{}, false
	}
	switch {
	case !down && d.down:
		d.down, d.locked = false, now.Add(lockOut)
		return Press{At: d.pressed, Held: d.since.Sub(d.pressed)}, true
	case !down:
		d.armed = true
	case d.armed && !d.down && !now.Before(d.locked):
		d.down, d.pressed = true, d.since
		if d.pressed.Before(d.locked) {
			d.pressed = d.locked
		}
	}
	return Press{}, false
}

// busy tells whether the last level may still come to count without another
// edge, so that the contact must be watched closely.
func (d *debouncer) busy(now time.Time) bool {
	return now.Sub(d.since) < settle || d.raw && d.armed && !d.down
}
