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
	Frozen bool   // the table takes no more acts until somebody looks after it

	Stage   stage
	Heading string // the phase in words
	Night   bool
	Deal    bool   // roles are dealt, and nothing has happened yet
	Rules   string // in words, with the name of the club's own set
	Stopped bool
	Reason  string // of the stop, for the host
	Notices []string

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
	Answered  bool
	Phone     bool // there is a device
	Awake     bool // with a page of this table open
	Pick      bool // chosen in the form that is being shown
	Shut      bool // may not be named in the form that is being shown
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
	Grave bool // can't be undone
}

type choiceView struct{ Value, Label string }

// seatPage is a player's page.
type seatPage struct {
	view
	Me      seatView
	Role    string // in words; empty when it may not be looked at now
	Side    string
	Help    string // what the role is for
	Allies  []string
	Notes   []string // answers of earlier nights
	Answers []string // to hold and read after the night has closed
	ReadNow bool     // the night is closed: everybody reads, most of them a neutral line
	Chosen  []string // what the seat has sent this night, behind a hold
	Sent    bool
	Picks   []pickView // the night form: the same number for every seat
	Offers  []offerView
	Voted   engine.Seat
	Ticket  string     // moves the seat to another phone, behind a hold
	Write   *offerView // to a private channel, where there is one
	Letters []string   // that came by it, the latest, behind a hold
}

// pickView is one pick of the night form. What it means for this seat is
// behind a hold; everything else about it is the same for all.
type pickView struct {
	N     int
	Ask   string
	Seats []seatView
}

func (b *Box) view(t *Table, m *moment, w words, device string, seen engine.Seen) view {
	v := view{words: w, Table: t.id, Key: newKey(device), Of: m.of(), Frozen: m.frozen != "", Stage: m.doc.Stage}
	v.Rules = w.T("rules." + m.doc.Rules)
	if m.doc.Set != "" {
		v.Rules += " · " + m.doc.Set
	}
	awake := t.awake()
	if !m.plays() {
		for i, p := range m.doc.People {
			v.Seats = append(v.Seats, seatView{Seat: engine.Seat(i + 1), Name: p.Name, Person: hash([]byte(p.Name))[:8], Phone: p.Device != "", Awake: awake[p.Device]})
		}
		v.Heading = w.T("lobby")
		return v
	}
	v.Night, v.Deal = night(m), seen.Dealing && !seen.Over
	v.Heading = w.phase(seen.Phase)
	v.Stopped = seen.Stopped
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
			Voted: s.Voted, VotedFor: s.VotedFor, Warned: s.Warned, Fouls: s.Fouls, Technical: s.Technical, Muted: s.Muted, Answered: s.Answered,
			Me: engine.Audience(s.Seat) == seen.Viewer,
		})
	}
	switch seen.Phase.Name {
	case engine.Nights:
		v.Owed, v.Asked = m.phonesOwing()
		v.Asks = v.Asked > 0 && seen.Phase.N > 0
		v.Aloud = slices.ContainsFunc(v.Seats, func(s seatView) bool { return !s.Out && !s.Phone })
	case engine.Closed:
		_, v.Asked = m.phonesOwing()
	case engine.Voting, engine.Runoff, engine.Special:
		v.Asks = true
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
	if seen.Over {
		v.Result = w.result(seen)
		v.Opened = m.doc.Story
		if v.Opened || seen.Viewer == engine.ToHost {
			v.Story, v.Best = w.story(m.game, v.Seats), suspicions(m.game, v.Seats)
		}
	}
	return v
}

func (b *Box) seatPage(t *Table, m *moment, w words, seat engine.Seat) seatPage {
	device := m.doc.People[seat-1].Device
	if !m.plays() {
		p := seatPage{view: b.view(t, m, w, device, engine.Seen{})}
		p.Me = p.Seats[seat-1]
		return p
	}
	seen := m.game.Seen(engine.Audience(seat))
	p := seatPage{view: b.view(t, m, w, device, seen)}
	p.Me = p.Seats[seat-1]
	if seen.Role != "" {
		help := "role." + string(seen.Role) + ".help"
		p.Help = w.TOr(help+"."+m.doc.Rules, w.TOr(help, ""))
	}
	p.Role, p.Side = w.role(seen.Role), w.side(b.rules(m.doc), seen.Role)
	for _, e := range seen.Allies {
		p.Allies = append(p.Allies, w.event(e, p.Seats))
	}
	for _, e := range seen.Notes {
		p.Notes = append(p.Notes, w.event(e, p.Seats))
	}
	for _, e := range seen.Answers {
		p.Answers = append(p.Answers, w.event(e, p.Seats))
	}
	p.ReadNow = seen.Phase.Name == engine.Closed && !p.Me.Out
	for _, e := range seen.Chosen {
		p.Chosen = append(p.Chosen, w.event(e, p.Seats))
		if e.Of == seat && e.Verb == engine.Vote {
			p.Voted = e.Seats[0]
		}
	}
	p.Sent = p.Me.Answered
	for _, o := range seen.Offers {
		switch v := w.offer(o, p.Seats, 0); {
		case o.Now != engine.Open:
		case o.Verb == engine.Whisper:
			p.Write = &v
		case seen.Phase.Name != engine.Nights:
			p.Offers = append(p.Offers, v)
		}
	}
	for _, e := range seen.Letters[max(0, len(seen.Letters)-lettersShown):] {
		p.Letters = append(p.Letters, w.event(e, p.Seats))
	}
	if seen.Phase.Name == engine.Nights {
		p.Picks = w.picks(seen, p.Seats)
	}
	return p
}

// lettersShown is how many letters a page has: all pages must hold as many.
const lettersShown = 4

// picks lays the seat's night offers out as picks. Every living seat gets as
// many, each over all living seats, so that the form looks the same for all:
// what may not be named shows so only under the finger.
func (w words) picks(seen engine.Seen, seats []seatView) (picks []pickView) {
	living := slices.DeleteFunc(slices.Clone(seats), func(s seatView) bool { return s.Out })
	for _, o := range seen.Offers {
		if o.Now != engine.Open || o.Max == 0 {
			continue
		}
		for i := range o.Max {
			pick := pickView{N: len(picks) + 1, Ask: w.ask(o.Verb, i, o.Max), Seats: slices.Clone(living)}
			for j, s := range pick.Seats {
				pick.Seats[j].Shut = !slices.Contains(o.Seats, s.Seat)
				pick.Seats[j].Pick = slices.ContainsFunc(seen.Chosen, func(e engine.Event) bool {
					return e.Of == engine.Seat(seen.Viewer) && e.Verb == o.Verb && i < len(e.Seats) && e.Seats[i] == s.Seat
				})
			}
			picks = append(picks, pick)
		}
	}
	return picks
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
	v.Seats = offered(o, seats)
	for _, word := range o.Words {
		v.Words = append(v.Words, choiceView{word, w.choice(word, seats)})
	}
	return v
}

// left is a clock's time as a page shows it before its script runs.
func (c clockView) Left() int { return int((c.LeftMs + 999) / 1000) }
