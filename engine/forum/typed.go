package forum

import (
	"slices"
	"strings"
	"unicode"

	"github.com/mafiabox/mafiabox/engine"
)

// mention is what a typed vote names.
type mention struct {
	seats []engine.Seat
	null  bool
	sure  bool
	two   bool // two players are named
	lock  bool // "lock" stands after the name
}

// reading is what a post counts as: a vote, a lock, a question or a refusal.
// The zero reading holds no vote.
type reading struct {
	votes   bool
	target  engine.Seat // of a vote; 0 is null
	locks   bool
	asks    bool
	asked   []engine.Seat
	refused engine.Refusal
}

// read tells what a post counts as. The last valid line counts; what is
// doubtful beside it asks nothing.
func (s *state) read(author engine.Seat, text string) (r reading) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(strings.ReplaceAll(line, "&gt;", ">"))
		if isLock(line) {
			r.locks = true
			continue
		}
		voter, target, ok := form(line)
		if !ok {
			continue
		}
		own, player := s.votesAs(author, voter)
		if !player {
			continue // no vote but talk
		}
		if l := s.judge(author, own, s.mentioned(target)); l.votes || !r.votes {
			r = l
		}
	}
	return r
}

// form splits a line of the form `Voter > Target` (source/forum.txt, 3b).
func form(line string) (voter, target string, ok bool) {
	voter, target, ok = strings.Cut(line, ">")
	voter = strings.TrimSpace(strings.TrimSuffix(voter, "-"))
	return voter, strings.TrimSpace(target), ok && voter != ""
}

// votesAs tells whether a voter's name is the author's, and whether it is any player's.
func (g *game) votesAs(author engine.Seat, voter string) (own, player bool) {
	seats, _ := g.called(voter)
	return slices.Contains(seats, author), len(seats) > 0
}

// judge tells what a line counts as.
func (s *state) judge(author engine.Seat, own bool, m mention) (r reading) {
	may := s.standing(author)
	possible := slices.DeleteFunc(slices.Clone(m.seats), func(seat engine.Seat) bool { return !slices.Contains(may, seat) })
	switch {
	case author == 0:
		r.refused = engine.RefusedRole // a guest
	case len(m.seats) == 0 && !m.null:
		r.refused = engine.RefusedUnknown
	case !s.lives(author):
		r.refused = engine.RefusedDead
	case !s.voting():
		r.refused = engine.RefusedPhase
	case m.two, len(possible) == 0 && !m.null:
		r.refused = engine.RefusedTarget
	case !own, !m.sure:
		r.asks, r.asked = true, possible
	case m.null:
		r.votes, r.locks = true, m.lock
	default:
		r.votes, r.target, r.locks = true, possible[0], m.lock
	}
	return r
}

// mentioned reads the target of a vote: a name, or a name followed by other
// words, which then must be a whole one, if misspelt.
func (g *game) mentioned(text string) mention {
	words := strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",;/|+&()", r) })
	if seats := g.named(func(n name) bool { return n.whole == fold(text) }); len(seats) == 1 {
		return mention{seats: seats, sure: true}
	}
	lock := len(words) > 1 && isLock(words[len(words)-1])
	if lock {
		words = words[:len(words)-1]
		text = strings.Join(words, " ")
	}
	if len(words) > 0 && strings.EqualFold(words[0], "null") {
		others := g.whole(words[1:])
		return mention{seats: others, null: true, sure: true, two: len(others) > 0, lock: lock || len(words) > 1 && isLock(words[1])}
	}
	m := mention{lock: lock}
	if m.seats, m.sure = g.called(text); len(m.seats) > 0 {
		return g.doubted(m, words)
	}
	return g.leading(words) // here a lock at the end has other words before it
}

// leading reads a name that other words follow. Nothing short for a name is
// sure here, and neither is a second name that is only like one.
func (g *game) leading(words []string) (m mention) {
	tail := len(words) // where the other words begin
	for i, like := range []func(name, string) bool{
		func(n name, text string) bool { return n.whole == text },
		name.misspelt,
		name.shortFor,
	} {
		for n := min(len(words)-1, g.mostWords()); n > 0 && len(m.seats) == 0; n-- {
			head := fold(strings.Join(words[:n], ""))
			m.seats, tail = g.named(func(n name) bool { return like(n, head) }), n
			m.sure = i < 2 && len(m.seats) == 1
		}
	}
	if len(m.seats) == 0 {
		return m
	}
	m = g.doubted(m, words[:tail])
	m.lock = isLock(words[tail])
	for _, other := range g.whole(words[tail:]) {
		if !slices.Contains(m.seats, other) {
			return mention{seats: append(m.seats, other), two: true}
		}
	}
	for _, word := range words[tail:] {
		m = m.or(g.named(func(n name) bool { return n.misspelt(fold(word)) }))
	}
	return m
}

// or is the mention where these may be meant, too.
func (m mention) or(others []engine.Seat) mention {
	for _, seat := range others {
		if !slices.Contains(m.seats, seat) {
			m.seats, m.sure = append(m.seats, seat), false
		}
	}
	slices.Sort(m.seats)
	return m
}

// doubted is a name, misspelt in several words, of which the first alone may be
// short for another player's.
func (g *game) doubted(m mention, words []string) mention {
	if text := fold(strings.Join(words, "")); !m.sure || g.names[m.seats[0]-1].whole == text || g.names[m.seats[0]-1].shortFor(text) {
		return m
	}
	for n := 1; n < len(words); n++ {
		head := fold(strings.Join(words[:n], ""))
		m = m.or(g.named(func(n name) bool { return n.shortFor(head) }))
	}
	return m
}

// whole are the players whose exact name stands somewhere in these words.
func (g *game) whole(words []string) (seats []engine.Seat) {
	for i := range words {
		for j := i + 1; j <= min(len(words), i+g.mostWords()); j++ {
			text := fold(strings.Join(words[i:j], ""))
			seats = append(seats, g.named(func(n name) bool { return n.whole == text })...)
		}
	}
	return seats
}

// isLock tells whether a line or a word says that a vote is locked (source/forum.txt, 16).
// What stands around it may be no figure, which may be a name, and no sign of a vote.
func isLock(word string) bool {
	word = strings.TrimFunc(word, func(r rune) bool { return r != '>' && !unicode.IsLetter(r) && !unicode.IsNumber(r) })
	return strings.EqualFold(word, "lock") || strings.EqualFold(word, "locked")
}

// post puts a text into the thread, where it stays whatever becomes of its
// vote. A round that began again keeps what was posted, not its votes. A lock is
// told again, too: only what holds no vote tells nothing.
func (s *state) post(a engine.Act) (events []engine.Event) {
	by := a.By.Seat()
	r := s.read(by, a.Text)
	refuse := func(why engine.Refusal) {
		events = append(events, engine.Event{To: engine.Audience(a.By), Kind: engine.Refused, Words: []string{string(why)}})
	}
	switch {
	case a.No < s.since:
		return nil
	case r.refused != "":
		refuse(r.refused)
		return events
	case r.asks:
		return []engine.Event{{To: engine.Audience(by), Kind: engine.Asked, Seats: r.asked}}
	case r.votes:
		events = s.vote(by, r.target)
	}
	switch {
	case !r.locks:
	case by == 0:
		refuse(engine.RefusedRole)
	case !s.lives(by):
		refuse(engine.RefusedDead)
	case !s.voting():
		refuse(engine.RefusedPhase)
	case s.votes[by] == 0:
		refuse(engine.RefusedLimit)
	default:
		events = append(events, s.lock(by, engine.Lock)...)
	}
	return events
}
