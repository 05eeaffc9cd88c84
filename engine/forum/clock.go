package forum

import (
	"time"

	"github.com/mafiabox/mafiabox/engine"
)

// clock is the time of a game with deadlines. Without a beginning there is no
// time: nothing falls due, and the host closes.
type clock struct {
	now       time.Time
	opened    time.Time // when this round began, to the second: a vote in the second of its end is late
	end       time.Time
	planned   time.Time // the end without extensions
	requested bool      // the round's first request for more time was granted
	late      bool      // a late vote has extended it
	announced time.Time // the beginning of the weekend on which the host said he may close
	stopped   bool
	stoppedAt time.Time
}

// lastHour is how long before the planned end a vote extends the round
// (source/forum.txt, notes).
const lastHour = time.Hour

func (s *state) timed() bool { return !s.now.IsZero() }

// runs tells whether the round goes on: during a stop and while the host is
// asked time moves and nothing falls due.
func (s *state) runs() bool { return !s.ended && !s.stopped && s.pending == "" }

// Due is the end of the round, or of the weekend that alone keeps it open.
func (s state) Due() time.Time {
	if !s.timed() || !s.runs() {
		return time.Time{}
	}
	if s.voting() && s.complete() {
		if _, monday := s.weekend(s.now); monday.Before(s.end) {
			return monday
		}
	}
	return s.end
}

// advance moves time on. What falls due on the way happens in the order of its
// moments: a round that closes opens the next one at that moment.
func (s *state) advance(to time.Time) (events []engine.Event) {
	if !s.timed() {
		return nil
	}
	for due := s.Due(); !due.IsZero() && !due.After(to); due = s.Due() {
		s.now = later(s.now, due)
		events = append(events, s.happens()...)
	}
	s.now = later(s.now, to)
	return events
}

// happens is what has come about by now: the round's end, or what closes it early.
func (s *state) happens() []engine.Event {
	switch {
	case !s.runs():
		return nil
	case s.timed() && !s.now.Before(s.end),
		s.voting() && s.early(),
		s.phase.Name == engine.Nights && s.bothIn():
		return s.close()
	}
	return nil
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// length is how long a round lasts; the first day exactly a day (source/forum.txt, notes).
func (s *state) length() time.Duration {
	switch {
	case s.firstDay():
		return 24 * time.Hour
	case s.phase.Name == engine.Day:
		return s.hours("round_h")
	case s.phase.Name == engine.Nights:
		return s.hours("night_h")
	}
	return s.hours("runoff_h")
}

func (s *state) firstDay() bool { return s.phase == engine.Phase{Name: engine.Day, N: 1} }

// schedule plans the end of the round that opens now.
func (s *state) schedule() []engine.Event {
	if !s.timed() {
		return nil
	}
	s.opened, s.requested, s.late = s.now.Truncate(time.Second), false, false
	s.end = s.fit(s.opened.Add(s.length()))
	s.planned = s.end
	return []engine.Event{s.closes()}
}

// again plans the end of a round that began again at this moment.
func (s *state) again(now time.Time) []engine.Event {
	if !s.timed() || s.ended || s.pending != "" {
		return nil
	}
	s.now = later(s.now, now)
	return s.schedule()
}

// closes announces the planned end in the zone of the game, which a record
// writes by its distance from universal time.
func (s *state) closes() engine.Event {
	_, offset := s.end.In(s.zone).Zone()
	return engine.Event{To: engine.All, Kind: engine.Closes, Moment: s.end.In(time.FixedZone("", offset))}
}

// weekend is the one in which a moment is, or the next: from Friday 18:00 to
// Monday 08:00 (source/forum.txt, 3a).
func (s *state) weekend(t time.Time) (friday, monday time.Time) {
	local := t.In(s.zone)
	year, month, day := local.Date()
	day += (8 - int(local.Weekday())) % 7
	monday = time.Date(year, month, day, 8, 0, 0, 0, s.zone)
	if !monday.After(t) {
		day += 7
		monday = time.Date(year, month, day, 8, 0, 0, 0, s.zone)
	}
	return time.Date(year, month, day-3, 18, 0, 0, 0, s.zone), monday
}

// fit moves the end of a vote out of a weekend. The first day and the nights
// don't know weekends (source/forum.txt, 8 and notes).
func (s *state) fit(end time.Time) time.Time {
	friday, monday := s.weekend(end)
	if s.firstDay() || s.phase.Name == engine.Nights || end.Before(friday) {
		return end
	}
	return monday
}

// onWeekend tells whether a vote may not close early now, as it is a weekend.
// It may when the host has said so before, and everybody has voted (source/forum.txt, 3a).
func (s *state) onWeekend() bool {
	if !s.timed() {
		return false
	}
	friday, _ := s.weekend(s.now)
	return !s.now.Before(friday) && !(s.announced.Equal(friday) && len(s.idle()) == 0)
}

// longer adds to the current end, and announces the new one.
func (s *state) longer(more time.Duration) []engine.Event {
	end := s.fit(s.end.Add(more))
	if end.Equal(s.end) {
		return nil // still Monday
	}
	s.end = end
	return []engine.Event{s.closes()}
}

// request asks for more time: the first in a round is granted, the host hears
// of all of them (source/forum.txt, 3a and notes).
func (s *state) request(seat engine.Seat) []engine.Event {
	chose := engine.Event{To: engine.Audience(seat), Kind: engine.Chose, Of: seat, Verb: engine.Extension}
	toHost := chose
	toHost.To = engine.ToHost
	events := []engine.Event{chose, toHost}
	if s.requested {
		return events
	}
	s.requested = true
	return append(events, s.longer(s.hours("extension_h"))...)
}

// lateVote extends a round once, by a vote in the last hour before its planned end.
func (s *state) lateVote() []engine.Event {
	if !s.timed() || s.late || s.hours("late_vote_h") == 0 || s.now.Before(s.planned.Add(-lastHour)) || !s.now.Before(s.planned) {
		return nil
	}
	s.late = true
	return s.longer(s.hours("late_vote_h"))
}

// weekendWord announces the intention to close on a weekend.
const weekendWord = "weekend"

// extend adds hours, or announces that the host may close on the coming weekend.
func (s *state) extend(word string) []engine.Event {
	if word == weekendWord {
		s.announced, _ = s.weekend(s.now)
		return []engine.Event{{To: engine.All, Kind: engine.Chose, Verb: engine.Extend, Words: []string{word}}}
	}
	more, _ := time.ParseDuration(word)
	return s.longer(more)
}

// resume ends a stop: the ends move by the time that it took.
func (s *state) resume() []engine.Event {
	s.stopped = false
	if !s.timed() || !s.runs() {
		return nil
	}
	took := s.now.Sub(later(s.stoppedAt, s.opened))
	before := s.end
	s.opened, s.end, s.planned = s.opened.Add(took), s.fit(s.end.Add(took)), s.fit(s.planned.Add(took))
	if s.end.Equal(before) {
		return nil
	}
	return []engine.Event{s.closes()}
}
