package gangs

import (
	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/sport"
)

// state is sport's table with the gangs' channel, where the club opens it.
type state struct{ sport.Table }

// Offers adds to each living seat's page the channel. Who is in no gang has it
// too, so that no page shows who is, and writes to himself.
func (s state) Offers(a engine.Actor) []engine.Offer {
	offers := s.Table.Offers(a)
	channel := s.Option("gang_channel")
	if a.Seat() == 0 || len(offers) == 0 || !s.Lives(a.Seat()) || channel == "off" {
		return offers
	}
	whisper := engine.Offer{Verb: engine.Whisper, Words: []string{"gang"}, TextMax: engine.TextMax}
	switch s.Phase().Name {
	case engine.Nights:
		whisper.Now = engine.Open
	case "", engine.Closed: // who was shot does not know it yet
	default:
		if channel == "always" {
			whisper.Now = engine.Open
		}
	}
	return append(offers, whisper)
}

// Do does an act on a copy.
func (s state) Do(a engine.Act) (engine.State, []engine.Event, error) {
	if a.Verb == engine.Whisper {
		return s, s.whisper(a.By.Seat(), a.Word, a.Text), nil
	}
	events := s.Follow(a)
	return s, events, nil
}

// whisper goes to the writer and to his partner, who sees by whom it is only
// where the members know each other.
func (s state) whisper(by engine.Seat, channel, text string) []engine.Event {
	told := engine.Event{To: engine.Audience(by), Kind: engine.Told, Of: by, Verb: engine.Whisper, Words: []string{channel}, Text: text}
	events := []engine.Event{told}
	if side(&s.Table, by) == Town {
		return events
	}
	if ally := partner(&s.Table, by); s.Lives(ally) {
		told.To = engine.Audience(ally)
		if s.Option("gang_knows") != "each_other" {
			told.Of = 0
		}
		events = append(events, told)
	}
	return events
}
