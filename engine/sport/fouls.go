package sport

import (
	"slices"

	"github.com/mafiabox/mafiabox/engine"
)

// conduct is what the judge has against the seats, and what follows from it.
type conduct struct {
	fouls     []int // by seat
	technical []int
	muted     set // has lost its next speech
	mutedNext set // will have lost the next day's
	void      bool
	voidNext  bool        // the next day's vote
	accused   engine.Seat // who was disqualified last: the judge may rule that his team has lost
}

// foul counts a foul. The third costs a speech, the fourth and a second
// technical one the game.
func (t *Table) foul(seat engine.Seat, technical bool) []engine.Event {
	event := engine.Event{To: engine.All, Kind: engine.Fouls, Of: seat}
	if technical {
		t.technical[seat]++
		event.N, event.Words = t.technical[seat], []string{"technical"}
	} else {
		t.fouls[seat]++
		event.N = t.fouls[seat]
	}
	events := []engine.Event{event}
	switch out := t.fouls[seat] >= 4 || t.technical[seat] >= 2; {
	case out && t.Lives(seat):
		return append(events, t.remove(seat, engine.ByFouls)...)
	case !technical && t.fouls[seat] == 3 && t.Lives(seat) && t.Option("third_foul") != "none":
		if t.spoken.has(seat) {
			t.mutedNext.add(seat)
		} else {
			t.muted.add(seat)
		}
		if t.Option("third_foul") == "lose_speech" {
			events = append(events, engine.Event{To: engine.All, Kind: engine.Muted, Of: seat})
		}
	}
	return events
}

// penalty is what the third foul leaves of a speech. With few at the table a
// lost one is only shorter.
func (t *Table) penalty(length int) int {
	if t.Option("third_foul") == "speech_30" || len(t.Living()) <= 4 {
		return min(30, length)
	}
	return 0
}

// remove takes a seat out at once, without a last word, and makes a vote void:
// the one that runs or is still to come today, else the next day's. A seat
// that was shot tonight would have left anyway.
func (t *Table) remove(seat engine.Seat, cause string) []engine.Event {
	events := []engine.Event{t.leaves(seat, cause)}
	if t.speaker == seat {
		t.speaker, t.held = 0, false
	}
	running := !t.decided && (t.phase.Name == engine.Voting || t.phase.Name == engine.Split)
	switch {
	case running:
		t.pending, t.choices = "", nil
		t.settle()
		events = append(events, engine.Event{To: engine.All, Kind: engine.Void})
		return t.after(events, opensDay)
	case t.fallen.has(seat):
	case t.decided:
		t.voidNext = true
	default:
		t.void = true
	}
	t.nominations = slices.DeleteFunc(t.nominations, func(n nomination) bool { return n.of == seat })
	return t.after(events, opensNothing)
}

// rulings are what the judge may rule now: on what the game waits for, and
// after a disqualification the defeat of a team, for which it doesn't wait.
func (t *Table) rulings() []string {
	if t.accused == 0 || t.Sides.Defeat(t, t.accused) == "" {
		return t.choices
	}
	return append(slices.Clone(t.choices), "team-defeat")
}

// rule follows the judge's ruling.
func (t *Table) rule(choice string) []engine.Event {
	if choice == "team-defeat" {
		return t.finish([]engine.Event{won(t.Sides.Defeat(t, t.accused))})
	}
	code := t.pending
	t.pending, t.choices = "", nil
	if slices.ContainsFunc(t.Asks, func(o engine.Option) bool { return o.Name == code }) {
		settled := map[string]string{code: choice}
		for name, value := range t.settled {
			settled[name] = value
		}
		t.settled = settled
		t.round++ // the deal is over; the last answer is what its first round opened with
		return append(t.Sides.Allies(t, code), t.start()...)
	}
	switch {
	case choice == "draw":
		return t.finish([]engine.Event{won("")})
	case choice != "play-on":
		return t.finish([]engine.Event{won(engine.Side(choice))})
	case code == "tie-of-all":
		return t.nobody(nil, engine.Stay)
	case t.phase.Name == "":
		return t.start() // not all points are settled yet
	}
	return t.opens(t.then)
}
