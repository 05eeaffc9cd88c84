package engine

import (
	"slices"
	"time"
)

// fold is what a viewer knows, one step after another.
type fold struct {
	Seen
	mutes  []int // by seat: 2 until the next day begins, 1 during it
	speech int   // the seconds of a whole speech
}

func (f *fold) step(s *step) {
	switch s.act.Verb {
	case Pass, Night, Vote:
		if s.act.By == Host {
			f.Speaker, f.Held = 0, false
		}
	case Hold, Go:
		f.Held = s.act.Verb == Hold
	}
	for _, e := range s.events {
		if e.Kind != PhaseIs {
			continue
		}
		f.AskAll = nil
		if e.Words[0] == Nights || e.Words[0] == Voting {
			f.open()
		}
	}
	for _, e := range s.events {
		if e.To == All || e.To == f.Viewer && e.To != Nobody || f.Viewer == ToHost && e.To != Nobody {
			f.event(e)
		}
	}
}

// open begins a round: what was told of the last one gives way.
func (f *fold) open() {
	f.Notes = append(f.Notes, f.Answers...)
	f.News, f.Tally, f.Tied = nil, nil, nil
	f.Chosen, f.Answers, f.Traces = nil, nil, nil
	for i := range f.Seats {
		f.Seats[i].Answered = false
	}
}

func (f *fold) event(e Event) {
	var seat *SeatSeen
	if e.Of > 0 && int(e.Of) <= len(f.Seats) {
		seat = &f.Seats[e.Of-1]
	}
	switch e.Kind {
	case Told:
		f.told(e)
	case Chose:
		switch {
		case e.To != All:
			f.chose(e)
		case e.Verb == Lock, e.Verb == Unlock:
			seat.Locked = e.Verb == Lock
		}
	case Trace:
		f.Traces = append(f.Traces, e)
	case Ruling:
		f.Ruling = e.Words
	case PhaseIs:
		f.phase(Phase{e.Words[0], e.N})
	case Owed:
		f.Owed = e.N
	case Nominated:
		f.Candidates = append(f.Candidates[:len(f.Candidates):len(f.Candidates)], e.Seats...)
	case Candidates:
		f.Candidates = e.Seats
	case Voted:
		seat.Voted, seat.VotedFor = len(e.Words) == 0, 0 // null is no vote
		if len(e.Seats) > 0 {
			seat.VotedFor = e.Seats[0]
		}
	case Tallied:
		f.Tally, f.Owed = e.Tally, 0
	case Tie:
		f.Tied = e.Seats
	case AskAll:
		f.AskAll = e.Seats
	case Speaks:
		f.Speaker, f.Speech, f.SpeechNo, f.Held = e.Of, e.N, f.SpeechNo+1, false
		if f.Phase.Name == Day && e.N < f.speech && !seat.Out {
			seat.Muted, f.mutes[e.Of] = false, 0 // this was the speech that it lost, or what was left of it
		}
	case Closes:
		f.Deadline = e.Moment
	case Out:
		seat.Out, seat.Cause = true, e.Words[0]
		f.left(e.Of, e.Words[0])
	case Missed:
		seat.Missed = e.N
	case Suspended:
		seat.Suspended = true
	case Warned:
		seat.Warned = e.N
	case Fouls:
		if len(e.Words) == 0 {
			seat.Fouls = e.N
		} else {
			seat.Technical = e.N
		}
	case Muted:
		seat.Muted, f.mutes[e.Of] = true, 2
	case RoleIs:
		seat.Role, seat.Public = Role(e.Words[0]), true
	case Win:
		f.Winner = Side(e.Words[0])
	case Draw:
		f.Drawn = true
	}
	switch e.Kind {
	case Tallied, Tie, Out, Stay, Void, Missed, Warned, Muted, Fouls, Decision, Win, Draw, RoleIs, Chose:
		if e.To == All && e.Verb != Lock && e.Verb != Unlock {
			f.News = append(f.News, e)
		}
	}
}

func (f *fold) told(e Event) {
	switch {
	case e.Verb == ToldRole:
		f.Seats[e.To-1].Role = Role(e.Words[0])
		if f.Viewer == e.To {
			f.Role = Role(e.Words[0])
		}
	case e.Verb == ToldAlly:
		f.Allies = append(f.Allies, e)
		if f.Viewer == e.To {
			f.Seats[e.Seats[0]-1].Role = Role(e.Words[0])
		}
	case e.Verb == Whisper:
		if f.Viewer != ToHost || e.Of == 0 || e.Of == Seat(e.To) { // the host reads a letter once, not each member's copy
			f.Letters = append(f.Letters, e)
		}
	case e.Verb == "":
		f.Seats[e.To-1].Suspended = true
	case e.isAnswer():
		f.Answers = append(f.Answers, e)
	}
}

// chose keeps the latest choice of each seat and verb; wait takes back all.
func (f *fold) chose(e Event) {
	f.Chosen = slices.DeleteFunc(f.Chosen, func(o Event) bool {
		return o.Of == e.Of && (o.Verb == e.Verb || e.Verb == Wait || o.Verb == Wait)
	})
	f.Chosen = append(f.Chosen, e)
	f.Seats[e.Of-1].Answered = !e.Verb.ByDay()
}

// left drops a seat from what goes on. Who had voted for it votes again, as far
// as the viewer knows who that was.
func (f *fold) left(out Seat, cause string) {
	f.Candidates = slices.DeleteFunc(slices.Clone(f.Candidates), func(c Seat) bool { return c == out })
	if f.Speaker == out {
		f.Speaker, f.Held = 0, false
	}
	if cause == ByVote {
		return // and that vote is over
	}
	for i, s := range f.Seats {
		chose := func(e Event) bool { return e.Of == s.Seat && e.Verb == Vote && slices.Contains(e.Seats, out) }
		if s.VotedFor == out || slices.ContainsFunc(f.Chosen, chose) {
			f.Seats[i].Voted, f.Seats[i].VotedFor, f.Seats[i].Locked = false, 0, false
			f.Chosen = slices.DeleteFunc(f.Chosen, chose)
		}
	}
}

func (f *fold) phase(p Phase) {
	if morning := f.Phase.Name == Nights || f.Phase.Name == Closed; p.Name == Day && morning {
		for i := range f.Seats {
			f.mutes[i+1] = max(0, f.mutes[i+1]-1)
			f.Seats[i].Muted = f.mutes[i+1] > 0
		}
	}
	f.Phase, f.Over = p, p.Name == Ended
	f.Held, f.Owed, f.Deadline = false, 0, time.Time{}
	if p.Name == Closed {
		return
	}
	if p.Name == Day || p.Name == Nights || p.Name == Ended {
		f.Candidates = nil
	}
	for i := range f.Seats {
		f.Seats[i].Voted, f.Seats[i].VotedFor, f.Seats[i].Locked = false, 0, false
	}
	if p.Name != Day {
		f.Speaker, f.Chosen = 0, nil
	}
}
