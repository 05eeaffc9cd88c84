package server

import (
	"slices"
	"strconv"

	"github.com/mafiabox/mafiabox/engine"
)

// A view is what one page shows. It is built from the engine's Seen of its
// viewer and the table's document, and from nothing else.
type view struct {
	words
	Table  string // the table's id, part of the page's addresses
	Key    string // the client key of the forms of this page
	Of     string // the moment of the forms of this page
	Error  string // what was wrong with the last form, in words
	Done   string // what is to be said of the last form when it was done
	Frozen bool   // the table takes no more acts until somebody looks after it

	Stage     stage
	Heading   string // the phase in words
	Night     bool
	Deal      bool   // roles are dealt, and nothing has happened yet
	Rules     string // in words, with the name of the club's own set
	Stopped   bool
	Undecided bool   // the game waits for the host's ruling
	Reason    string // of the stop, for the host
	Notices   []string
	Closes    *closesView // when the round closes by itself, if it does
	Posts     int         // in the thread

	Seats      []seatView
	News       []string // the public results since the night or the vote opened
	Tally      []countView
	Speech     *speechView
	Clock      *clockView // of the black's agreement and the free seating
	Candidates []seatView // in voting order
	Owed       int        // how many still owe an answer or a vote
	Asks       bool
	Asked      int        // at night: the phones of those at the table; who has none is called aloud
	Aloud      bool       // somebody has none
	AskAll     []seatView // do all of them leave?
	Over       bool
	Result     string // who won, in words
	Opened     bool   // the host has opened the story to everybody
	Story      []storyLine
	Best       []guessView // who suspected best, the best first
	VotesNow   *votesView  // of a game whose votes everybody reads in its thread
}

// seatView is a seat as this viewer sees it.
type seatView struct {
	Seat      engine.Seat
	Name      string
	Person    string // names the person, whatever the seat, among the parts of a page
	Out       bool
	Cause     string
	Role      string // in words, where the viewer may see it
	Public    bool   // everybody may
	Me        bool
	Speaks    bool
	Candidate bool
	Voted     bool
	VotedFor  engine.Seat
	Votes     int
	Warned    int
	Fouls     int
	Technical int // technical fouls
	Muted     bool
	Locked    bool // the round may end with this vote
	Missed    int  // votes
	Answered  bool
	Phone     bool // there is a device
	Awake     bool // with a page of this table open
	Pick      bool // chosen in the form that is being shown
	Shut      bool // may not be named in the form that is being shown
	SitsOut   bool // suspended from the next game
}

type countView struct {
	seatView
	Votes int
}

type speechView struct {
	seatView
	clockView
}

// clockView is the running clock, in milliseconds; the page counts on by itself.
type clockView struct {
	Of     string // tells it from the one before
	LeftMs int64
	Runs   bool
}

// offerView is one offer as a form: any verb of any rule system.
type offerView struct {
	Verb  engine.Verb
	For   engine.Seat // the seat for which the host enters it
	By    seatView    // that seat, where the page names it
	Label string      // on the button
	Ask   string      // the question
	Seats []seatView  // that may be named
	Many  int         // how many may be named; 1 draws buttons or a choice, more draws checkboxes
	Words []choiceView
	Text  int // the longest text; 0: none
	Needs bool
	Grave bool     // can't be undone
	Costs []string // what it would lead to, for each who may be named, where it is more than usual
	Bare  bool     // nothing to choose or write: a button is all of it
}

type choiceView struct{ Value, Label string }

func (b *Box) view(t *Table, m *moment, w words, device string, seen engine.Seen) view {
	w = w.under(m.doc.Rules)
	v := view{words: w, Table: t.id, Key: newKey(device), Of: m.of(), Frozen: m.frozen != "", Stage: m.doc.Stage}
	v.Rules = w.T("rules." + m.doc.Rules)
	if m.doc.Set != "" {
		v.Rules += " · " + m.doc.Set
	}
	awake := t.awake()
	if !m.plays() {
		for i, p := range m.doc.People {
			if p.free() {
				continue
			}
			v.Seats = append(v.Seats, seatView{Seat: engine.Seat(i + 1), Name: p.Name, Person: hash([]byte(p.Name))[:8], Phone: p.Device != "", Awake: awake[p.Device]})
		}
		v.Heading = w.T("lobby")
		return v
	}
	v.Night, v.Deal = night(m), seen.Dealing && !seen.Over
	v.Heading = w.phase(seen.Phase)
	v.Stopped, v.Undecided = seen.Stopped, seen.Undecided
	v.Notices = w.notices(m.doc.Led, m.doc.Opened)
	if seen.Viewer == engine.ToHost { // refereeing: the reason is for the log, and in the story later
		v.Reason = seen.Reason
	}
	v.Owed, v.Over = seen.Owed, seen.Over
	for _, s := range seen.Seats {
		p := m.doc.People[s.Seat-1]
		v.Seats = append(v.Seats, seatView{
			Seat: s.Seat, Name: p.Name, Phone: p.Device != "", Awake: awake[p.Device], Out: s.Out, Cause: s.Cause,
			Role: w.role(s.Role), Public: s.Public, Speaks: seen.Speaker == s.Seat, Candidate: slices.Contains(seen.Candidates, s.Seat),
			Voted: s.Voted, VotedFor: s.VotedFor, Warned: s.Warned, Fouls: s.Fouls, Technical: s.Technical, Muted: s.Muted, Answered: s.Answered, Locked: s.Locked, Missed: s.Missed,
			Me: engine.Audience(s.Seat) == seen.Viewer,
		})
	}
	switch seen.Phase.Name {
	case engine.Nights:
		v.Owed, v.Asked = m.phonesOwing()
		v.Asks = v.Asked > 0 && seen.Phase.N > 0 && !m.hasThread() // it lasts hours, and nobody waits at a table
		v.Aloud = slices.ContainsFunc(v.Seats, func(s seatView) bool { return !s.Out && !s.Phone })
	case engine.Closed:
		_, v.Asked = m.phonesOwing()
	case engine.Voting, engine.Runoff, engine.Special:
		v.Asks = !m.hasThread()
	case engine.Split:
		v.Asks = len(seen.AskAll) > 0
	}
	for _, e := range seen.News {
		if e.Kind != engine.Tallied && !(seen.Over && e.Kind == engine.RoleIs) {
			v.News = append(v.News, w.event(e, v.Seats))
		}
	}
	for _, c := range seen.Tally {
		v.Tally = append(v.Tally, countView{v.Seats[c.Seat-1], c.Votes})
	}
	for _, c := range seen.Candidates {
		v.Candidates = append(v.Candidates, v.Seats[c-1])
	}
	for _, c := range seen.AskAll {
		v.AskAll = append(v.AskAll, v.Seats[c-1])
	}
	_, name, _ := timed(m.game, seen)
	clock := clockView{name, m.clock.Left(b.cfg.Now()).Milliseconds(), !m.clock.since.IsZero()}
	switch {
	case seen.Speaker != 0:
		clock.Of = strconv.Itoa(seen.SpeechNo)
		v.Speech = &speechView{v.Seats[seen.Speaker-1], clock}
	case name != "" && seen.Viewer < 0: // phones ask nothing in that night, and show nothing
		v.Clock = &clock
	}
	v.Posts = seen.Posts
	v.timely(b, m, seen)
	if m.hasThread() {
		v.VotesNow = b.votesNow(m, w, v.Seats, seen, v.Closes)
	}
	if seen.Over {
		v.Result = w.result(seen)
		v.Opened = m.doc.Story
		if v.Opened || seen.Viewer == engine.ToHost {
			v.Story, v.Best = w.story(m.game, v.Seats), suspicions(m.game, v.Seats)
		}
	}
	return v
}

// notices are what everybody must know of a game: who may know more than the table.
func (w words) notices(led int, opened bool) (all []string) {
	if led > 1 {
		all = append(all, w.T("notice.hosts", "N", led))
	}
	if opened {
		all = append(all, w.T("notice.owner"))
	}
	return all
}

// offer draws any offer as a form.
func (w words) offer(o engine.Offer, seats []seatView, from engine.Seat) offerView {
	v := offerView{Verb: o.Verb, For: from, Label: w.verb(o.Verb), Ask: w.ask(o.Verb, 0, 1), Many: o.Max, Text: o.TextMax, Needs: o.Min > 0, Grave: o.Verb == engine.Disqualify || o.Verb == engine.Leave || o.Verb == engine.End}
	v.Seats, v.Bare = offered(o, seats), o.Max == 0 && len(o.Words) == 0 && o.TextMax == 0
	for _, word := range o.Words {
		v.Words = append(v.Words, choiceView{word, w.said(o.Verb, word, seats)})
	}
	return v
}

// left is a clock's time as a page shows it before its script runs.
func (c clockView) Left() int { return int((c.LeftMs + 999) / 1000) }
