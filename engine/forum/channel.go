package forum

import "github.com/mafiabox/mafiabox/engine"

// The private channels.
const (
	ofMafia = "mafia"
	ofOut   = "out"
	ofHost  = "host"
)

// channels are those that a seat reads and writes: the living mafiosi theirs
// (source/forum.txt, 1b), who is out the chat that 1a calls the town's, and
// everybody the one with the host.
func (s *state) channels(seat engine.Seat) []string {
	switch {
	case s.lives(seat) && s.role(seat) == mafia:
		return []string{ofMafia, ofHost}
	case s.chats(seat):
		return []string{ofOut, ofHost}
	}
	return []string{ofHost}
}

// chats tells whether a seat is in the chat of those who are out.
func (s *state) chats(seat engine.Seat) bool {
	return !s.lives(seat) && (s.options["post_death"] == "all" || s.options["post_death"] == "town" && s.side(seat) == Town)
}

// whisper goes to the members of a channel. The host reads all of it anyway;
// what he writes himself bears no seat.
func (s *state) whisper(a engine.Act) (events []engine.Event) {
	by, channel := a.By.Seat(), a.Word
	members := []engine.Seat{by}
	switch {
	case by == 0:
		members, channel = a.Seats, ofHost
	case channel == ofMafia:
		members = s.black()
	case channel == ofOut:
		members = s.seats(s.chats)
	}
	for _, seat := range members {
		events = append(events, engine.Event{To: engine.Audience(seat), Kind: engine.Told, Of: by, Verb: engine.Whisper, Words: []string{channel}, Text: a.Text})
	}
	return events
}
