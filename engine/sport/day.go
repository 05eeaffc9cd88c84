package sport

import (
	"slices"

	"github.com/mafiabox/mafiabox/engine"
)

// day is what is said and done on one day, up to its vote.
type day struct {
	first, last engine.Seat // who speaks first, and who spoke last
	spoken      set
	speaker     engine.Seat
	held        bool
	words       []engine.Seat // whose last word is still to come
	leaving     set           // who has left since the last night began, and may still have a last word
	victims     set           // of them, who fell last night
	best        set           // who may still name a best move
	nominations []nomination  // in voting order
	decided     bool          // the day's vote is over
	poll
}

type nomination struct{ by, of engine.Seat }

// wakes begins a day. The seat after yesterday's first speaker speaks first;
// where the club doesn't want one seat to speak last twice running, the next one.
func (t *Table) wakes() {
	before, last := t.first, t.last
	if last == 0 && before != 0 {
		last = t.around(before, -1)
	}
	t.first = t.around(before, 1)
	if before != 0 && t.Option("first_speaker") == "last_moves_on" && t.around(t.first, -1) == last {
		t.first = t.around(t.first, 1)
	}
	t.last, t.spoken, t.nominations, t.decided = 0, 0, nil, false
	t.muted, t.mutedNext = t.muted|t.mutedNext, 0
	t.calm, t.counted = true, false
}

// around is the next living seat from this one in that direction, round the table.
func (t *Table) around(seat engine.Seat, step int) engine.Seat {
	n := len(t.Dealt)
	for i := 1; i <= n; i++ {
		if s := engine.Seat((int(seat)-1+step*i+2*n)%n + 1); t.Lives(s) {
			return s
		}
	}
	return seat
}

// debates tells whether speeches and nominations go on.
func (t *Table) debates() bool {
	return t.phase.Name == engine.Day && t.pending == "" && !t.decided
}

// heard are the seats that may have the word: who lives, and who has just left.
func (t *Table) heard() (seats []engine.Seat) {
	for i := range t.Dealt {
		if seat := engine.Seat(i + 1); t.Lives(seat) || t.leaving.has(seat) {
			seats = append(seats, seat)
		}
	}
	return seats
}

// next is who has the word next: first the last words, then of a split the
// tied, by day the living from the first speaker on. 0: nobody.
func (t *Table) next() engine.Seat {
	if len(t.words) > 0 {
		return t.words[0]
	}
	if t.phase.Name == engine.Split {
		for _, seat := range t.tied {
			if !t.argued.has(seat) {
				return seat
			}
		}
	}
	if !t.debates() {
		return 0
	}
	for i := range t.Dealt {
		if seat := engine.Seat((int(t.first)-1+i)%len(t.Dealt) + 1); t.Lives(seat) && !t.spoken.has(seat) {
			return seat
		}
	}
	return 0
}

func (t *Table) speech(to []engine.Seat) []engine.Event {
	seat := t.next()
	if len(to) > 0 {
		seat = to[0]
	}
	return []engine.Event{t.speaks(seat)}
}

// speaks gives a seat the word: its last one, one in a split, or its own of this day.
func (t *Table) speaks(seat engine.Seat) engine.Event {
	switch {
	case !t.Lives(seat):
		t.words = slices.DeleteFunc(t.words, func(w engine.Seat) bool { return w == seat })
		return t.word(seat, t.number("last_word_s"))
	case t.phase.Name == engine.Split:
		t.argued.add(seat)
		return t.word(seat, t.number("split_s"))
	}
	length := t.number("speech_s")
	if t.muted.has(seat) && !t.spoken.has(seat) {
		length = t.penalty(length)
		t.muted.drop(seat)
	}
	if t.spoken == 0 {
		t.first = seat
	}
	t.spoken.add(seat)
	t.last = seat
	return t.word(seat, length)
}

// word gives a seat the word for that many seconds.
func (t *Table) word(seat engine.Seat, seconds int) engine.Event {
	t.speaker, t.held = seat, false
	return engine.Event{To: engine.All, Kind: engine.Speaks, Of: seat, N: seconds}
}

// lastWord gives the first of those who have left his last word.
func (t *Table) lastWord() []engine.Event {
	if len(t.words) == 0 {
		return nil
	}
	return []engine.Event{t.speaks(t.words[0])}
}

// candidates are the nominated in voting order.
func (t *Table) candidates() (seats []engine.Seat) {
	for _, n := range t.nominations {
		seats = append(seats, n.of)
	}
	return seats
}

func (t *Table) hasNominated(seat engine.Seat) bool {
	return slices.ContainsFunc(t.nominations, func(n nomination) bool { return n.by == seat })
}

// nominate puts a candidate up; where the club plays so it replaces the
// seat's earlier one.
func (t *Table) nominate(by, of engine.Seat) []engine.Event {
	nominated := engine.Event{To: engine.All, Kind: engine.Nominated, Of: by, Seats: []engine.Seat{of}}
	replaces := t.hasNominated(by)
	if replaces {
		t.withdraw(by)
	}
	t.nominations = append(t.nominations, nomination{by, of})
	if replaces {
		return []engine.Event{nominated, t.listed(t.candidates())}
	}
	return []engine.Event{nominated}
}

func (t *Table) withdraw(by engine.Seat) []engine.Event {
	t.nominations = slices.DeleteFunc(t.nominations, func(n nomination) bool { return n.by == by })
	return []engine.Event{t.listed(t.candidates())}
}

func (t *Table) listed(seats []engine.Seat) engine.Event {
	return engine.Event{To: engine.All, Kind: engine.Candidates, Seats: seats}
}

// bestMove is said aloud by the victim of the first night.
func (t *Table) bestMove(seat engine.Seat, of []engine.Seat) []engine.Event {
	t.best.drop(seat)
	return []engine.Event{{To: engine.All, Kind: engine.Chose, Of: seat, Verb: engine.BestMove, Seats: of}}
}
