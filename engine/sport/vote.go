package sport

import (
	"slices"

	"github.com/mafiabox/mafiabox/engine"
)

// poll is one vote, and what a tie in it leads to.
type poll struct {
	running []engine.Seat // who is voted on, in voting order
	ballots []engine.Seat // by voter; 0: none
	tied    []engine.Seat // in the order of the nominations; nil in the day's first vote
	argued  set           // who of the tied has spoken
	asking  bool          // whether all of the tied leave
	hands   set           // who is for that
}

// polling tells whether votes are taken.
func (t *Table) polling() bool {
	return t.phase.Name == engine.Voting && t.pending == "" && !t.decided
}

// openVote opens the day's vote or the next one of a split. A void day has
// none; and nobody leaves without a candidate, or by one alone on the zero day.
func (t *Table) openVote() []engine.Event {
	t.speaker, t.held, t.words = 0, false, nil
	if t.phase.Name == engine.Split {
		t.running = slices.Clone(t.tied)
		if t.Option("revote_order") == "reverse" {
			slices.Reverse(t.running)
		}
		return t.open()
	}
	t.running = t.candidates()
	switch {
	case t.void:
		t.void = false
		return t.nobody(nil, engine.Void)
	case len(t.running) == 0,
		len(t.running) == 1 && t.phase.N == t.zeroDay() && t.Option("zero_single") == "no_vote":
		return t.nobody(nil, engine.Stay)
	}
	t.round++
	return t.open()
}

func (t *Table) open() []engine.Event {
	t.ballots = make([]engine.Seat, len(t.Dealt)+1)
	return []engine.Event{t.enter(engine.Voting, t.phase.N), t.listed(t.running), t.owed()}
}

// owed says how many still owe an answer or a vote.
func (t *Table) owed() engine.Event {
	n := 0
	for _, seat := range t.Living() {
		if t.shooting() && !t.answered.has(seat) || t.polling() && t.ballots[seat] == 0 {
			n++
		}
	}
	return engine.Event{To: engine.All, Kind: engine.Owed, N: n}
}

func (t *Table) vote(by, seat engine.Seat) []engine.Event {
	t.ballots[by] = seat
	voted := engine.Event{To: engine.All, Kind: engine.Voted, Of: by}
	if t.Option("open_vote") == "yes" {
		voted.Seats = []engine.Seat{seat}
	}
	chose := engine.Event{To: engine.Audience(by), Kind: engine.Chose, Of: by, Verb: engine.Vote, Seats: []engine.Seat{seat}}
	return []engine.Event{chose, voted, t.owed()}
}

// count closes the vote. Who has not voted counts for the last candidate.
func (t *Table) count() []engine.Event {
	votes := make(map[engine.Seat]int)
	for _, voter := range t.Living() {
		if t.ballots[voter] == 0 {
			t.ballots[voter] = t.running[len(t.running)-1]
		}
		votes[t.ballots[voter]]++
	}
	tally := engine.Event{To: engine.All, Kind: engine.Tallied}
	var top []engine.Seat
	for _, candidate := range t.running {
		tally.Tally = append(tally.Tally, engine.Count{Seat: candidate, Votes: votes[candidate]})
		if len(top) > 0 && votes[candidate] > votes[top[0]] {
			top = nil
		}
		if len(top) == 0 || votes[candidate] == votes[top[0]] {
			top = append(top, candidate)
		}
	}
	events := []engine.Event{tally}
	switch {
	case len(top) > 1:
		return t.tie(events, top)
	case t.tied == nil && t.phase.N == t.zeroDay():
		return t.zero(events, top[0])
	}
	return t.exile(events, top)
}

// zero is what becomes of who has most votes on the zero day.
func (t *Table) zero(events []engine.Event, top engine.Seat) []engine.Event {
	switch t.Option("zero_top") {
	case "leaves":
		return t.exile(events, []engine.Seat{top})
	case "leaves_if_self_voted":
		if t.ballots[top] == top {
			return t.exile(events, []engine.Seat{top})
		}
	case "talk":
		events = t.nobody(events, engine.Stay)
		if !t.ended {
			events = append(events, t.word(top, 30))
		}
		return events
	}
	return t.nobody(events, engine.Stay)
}

// nobody ends the day's vote without an exit: as a stay, or as void.
func (t *Table) nobody(events []engine.Event, why engine.Kind) []engine.Event {
	t.settle()
	events = append(events, engine.Event{To: engine.All, Kind: why})
	if t.dayCounts() {
		return t.finish(append(events, won("")))
	}
	return append(events, t.enter(engine.Day, t.phase.N))
}

// exile ends the day's vote: these leave, each with a last word.
func (t *Table) exile(events []engine.Event, seats []engine.Seat) []engine.Event {
	t.settle()
	for _, seat := range seats {
		events = append(events, t.leaves(seat, engine.ByVote))
		t.leaving.add(seat)
	}
	t.words = slices.Clone(seats)
	return t.after(events, opensDay)
}

// settle ends the day's vote.
func (t *Table) settle() {
	t.decided, t.poll, t.nominations = true, poll{}, nil
	t.speaker, t.held = 0, false
}
