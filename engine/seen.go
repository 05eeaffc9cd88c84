package engine

import (
	"slices"
	"time"
)

// Seen is what one viewer knows: folded from the events that he was told by the
// acts that stand, and his offers. Nothing else of a game reaches a page. The
// fold never looks into a State, so it can't show what no event told.
type Seen struct {
	Viewer  Audience
	Dealing bool // roles are still being looked at: the host has not begun
	Phase   Phase
	Stopped bool
	Reason  string // of the stop
	Over    bool
	Winner  Side // when it is over; empty with Drawn, and when it was abandoned
	Drawn   bool

	Seats      []SeatSeen
	News       []Event // public results since the night or the vote opened
	Owed       int
	Candidates []Seat
	Tally      []Count
	Tied       []Seat
	AskAll     []Seat
	Speaker    Seat
	Speech     int  // the seconds of the speech
	SpeechNo   int  // which speech of the game it is, so that a clock knows a new one
	Held       bool // the running clock pauses
	Undecided  bool // the game waits for the host's ruling; about what, he alone is told
	Deadline   time.Time
	Posts      int // in the thread

	// What is private to a seat; the host sees it of everybody.
	Role    Role
	Allies  []Event  // told at the deal
	Chosen  []Event  // choices noted in this round, his own and those he may see
	Answers []Event  // to the acts of this night
	Notes   []Event  // answers of earlier nights
	Letters []Event  // what was written to him in a private channel, while that is open to him
	Traces  []Event  // the host's: what became of each act of this night
	Ruling  []string // the host's: the code and the choices

	Offers []Offer
}

// SeatSeen is what a viewer knows of a seat.
type SeatSeen struct {
	Seat      Seat
	Out       bool
	Cause     string
	Role      Role // where the viewer knows it
	Public    bool // everybody knows the role
	Warned    int
	Fouls     int
	Technical int // technical fouls
	Missed    int
	Muted     bool // loses a speech, this day's or the next
	Voted     bool
	VotedFor  Seat
	Locked    bool // the round may end with this vote
	Suspended bool // from the club's next game: his own and the host's knowledge, everybody's at the end
	Answered  bool // has sent something in this night: his own, the host's and the allies' knowledge
}

// Seen folds what a viewer knows: a seat, ToHost, or All for who only watches.
// The host is told everything.
func (g Game) Seen(viewer Audience) Seen {
	f := fold{Seen: Seen{Viewer: viewer, Seats: make([]SeatSeen, g.setup.Seats)}, mutes: make([]int, g.setup.Seats+1)}
	f.speech, _ = number(g.setup.Options["speech_s"])
	for i := range f.Seats {
		f.Seats[i].Seat = Seat(i + 1)
	}
	for _, s := range g.steps {
		f.step(s)
	}
	f.Stopped, f.Reason = g.now().stopped, g.now().reason
	if f.Undecided = g.now().ruling; !f.Undecided {
		f.Ruling = nil
	}
	f.Dealing, f.Posts = g.dealing(), g.posts
	if viewer > 0 {
		g.discreet(&f.Seen)
	}
	if viewer > 0 || viewer == ToHost {
		for _, o := range g.Offers(Actor(viewer)) {
			if o.Now != Later {
				f.Offers = append(f.Offers, o)
			}
		}
	}
	if viewer > 0 && !f.Over {
		f.Letters = offers(f.Offers).readable(f.Letters)
	}
	return f.Seen
}

// readable are the letters of the channels that are open now.
func (o offers) readable(letters []Event) (open []Event) {
	if !o.open(Whisper) {
		return nil
	}
	channels, _ := o.find(Whisper)
	for _, e := range letters {
		if slices.Contains(channels.Words, e.Words[0]) {
			open = append(open, e)
		}
	}
	return open
}

// discreet takes away what a seat may not look at now: by day every living
// seat's page is the same, and who is out sees what is public. Rules without
// the option peek are not played round a table: there the living look any time.
func (g Game) discreet(s *Seen) {
	me := s.Seats[s.Viewer-1]
	peek, table := g.setup.Options["peek"]
	if s.Over || !table && !me.Out {
		return
	}
	night := s.Phase.Name == Nights || s.Phase.Name == Closed
	looks := !me.Out && (peek == "always" || s.Dealing || peek != "deal_only" && night)
	if !looks {
		s.Role, s.Allies, s.Notes = "", nil, nil
		for i := range s.Seats {
			if !s.Seats[i].Public {
				s.Seats[i].Role = ""
			}
		}
	}
	if me.Out || !night {
		s.Answers = nil
		s.Chosen = slices.DeleteFunc(s.Chosen, func(e Event) bool { return me.Out || !e.Verb.ByDay() })
		for i := range s.Seats {
			s.Seats[i].Answered = false
		}
	}
}

// dealing tells whether roles are still being looked at: the host has not
// begun. A game with deadlines runs from its first moment.
func (g Game) dealing() bool {
	if _, timed := g.last().state.(Timed); timed {
		return false
	}
	return !slices.ContainsFunc(g.steps[1:], func(s *step) bool {
		return s.act.By == Host && !s.act.Verb.Conduct() && !s.act.Verb.Skipped() && s.act.Verb != Rule && s.act.Verb != Replay
	})
}

// Story is the log of everything that happened, for everybody, once the game is over.
func (g Game) Story() []Entry {
	if !g.Ended() {
		return nil
	}
	return g.log
}
