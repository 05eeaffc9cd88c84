package rehearsal

import (
	"fmt"
	"slices"

	"github.com/mafiabox/mafiabox/engine"
)

// What was accepted is compared with the host's record of the game: each form of
// a seat must be there, in its order and once.

// acts are those in a record that a seat has sent itself.
func actsOf(all []engine.Act, seat int) (own []engine.Act) {
	for _, a := range all {
		if a.By == engine.Actor(seat) {
			own = append(own, a)
		}
	}
	return own
}

// compare tells which of the accepted forms a record lacks, and which of its
// acts nobody has sent, or not as often: the fewest with which the two agree, as a
// form that is lost may be alike to one that came later.
func compare(own []engine.Act, all []sent) (lost []sent, spare []engine.Act) {
	// kept[i][j] is how many of the forms from i on the acts from j on can have.
	kept := make([][]int, len(all)+1)
	for i := range kept {
		kept[i] = make([]int, len(own)+1)
	}
	for i := len(all) - 1; i >= 0; i-- {
		for j := len(own) - 1; j >= 0; j-- {
			kept[i][j] = max(kept[i+1][j], kept[i][j+1])
			if n := all[i].begins(own[j:]); n > 0 {
				kept[i][j] = max(kept[i][j], 1+kept[i+1][j+n])
			}
		}
	}
	i, j := 0, 0
	for i < len(all) && j < len(own) {
		n := all[i].begins(own[j:])
		switch {
		case n > 0 && kept[i][j] == 1+kept[i+1][j+n]:
			i, j = i+1, j+n
		case kept[i][j] == kept[i+1][j]:
			lost, i = append(lost, all[i]), i+1
		default:
			spare, j = append(spare, own[j]), j+1
		}
	}
	return append(lost, all[i:]...), append(spare, own[j:]...)
}

// begins tells how many acts the form is, if they begin with it; else 0.
func (s sent) begins(acts []engine.Act) int {
	if s.verb != "" {
		a := acts[0]
		if string(a.Verb) == s.verb && a.Word == s.word && a.Text == s.text && slices.Equal(numbers(a.Seats), s.seats) {
			return 1
		}
		return 0
	}
	// A form of the night is an act for each purpose that its picks have, after
	// one that takes back what was sent before.
	n := 0
	if acts[0].Verb == engine.Wait {
		n = 1
	}
	var named []int
	for len(named) < len(s.seats) && n < len(acts) && len(acts[n].Seats) > 0 {
		more := numbers(acts[n].Seats)
		if !slices.Equal(append(named, more...), s.seats[:min(len(s.seats), len(named)+len(more))]) {
			break
		}
		named = append(named, more...)
		n++
	}
	if s.whole && len(named) < len(s.seats) || n == 0 {
		return 0 // a pick that is not whole may count as none: it says so behind a hold
	}
	return n
}

func numbers(seats []engine.Seat) (all []int) {
	for _, s := range seats {
		all = append(all, int(s))
	}
	return all
}

func (s sent) String() string {
	switch {
	case s.verb != "":
		return fmt.Sprintf("%s %v %s%q", s.verb, s.seats, s.word, s.text)
	case len(s.seats) == 0:
		return "a night's form with nobody picked"
	}
	return fmt.Sprintf("a night's form with %v", s.seats)
}
