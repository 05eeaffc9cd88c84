package forum

import (
	"strconv"

	"github.com/mafiabox/mafiabox/engine"
)

// mostHours is the longest extension that a host gives at once.
const mostHours = 72

var extensions = func() (words []string) {
	for n := range mostHours {
		words = append(words, strconv.Itoa(n+1)+"h")
	}
	return words
}()

func when(open bool) engine.Standing {
	if open {
		return engine.Open
	}
	return engine.Later
}

// Offers lists what an actor may do.
func (s state) Offers(a engine.Actor) []engine.Offer {
	seat := a.Seat()
	post := engine.Offer{Verb: engine.Post, Now: engine.Open, TextMax: engine.PostMax}
	switch {
	case s.ended:
		return nil
	case a == engine.Host:
		return s.hostOffers()
	case a == engine.Guest && s.options["outsiders"] == "yes":
		return []engine.Offer{post}
	case seat == 0 || int(seat) > len(s.dealt):
		return nil
	}
	whisper := engine.Offer{Verb: engine.Whisper, Now: engine.Open, Words: s.channels(seat), TextMax: engine.TextMax}
	if !s.lives(seat) {
		return []engine.Offer{post, whisper}
	}
	return append(s.playerOffers(seat), post, whisper)
}

// playerOffers are what a living seat does in votes and nights. At night each
// has one pick: who has no other suspects somebody, for the story.
func (s *state) playerOffers(seat engine.Seat) []engine.Offer {
	voting := s.voting()
	vote := engine.Offer{Verb: engine.Vote, Now: when(voting), Min: 1, Max: 1, Seats: s.standing(seat), Words: []string{"null"}}
	lock := engine.Offer{Verb: engine.Lock, Now: when(voting)}
	unlock := engine.Offer{Verb: engine.Unlock, Now: when(voting)}
	switch {
	case !voting:
	case s.locks.has(seat):
		lock.Now = engine.Spent
	case s.votes[seat] == 0:
		lock.Now, unlock.Now = engine.Spent, engine.Spent
	default:
		unlock.Now = engine.Spent
	}
	pick := engine.Offer{Verb: engine.Suspect, Now: when(s.runs() && s.phase.Name == engine.Nights), Min: 1, Max: 1, Seats: s.living()}
	switch s.role(seat) {
	case mafia:
		pick.Verb = engine.Whack
	case inspector:
		pick.Verb = engine.Guess
	}
	return []engine.Offer{vote, lock, unlock, {Verb: engine.Extension, Now: when(voting && s.timed())}, pick}
}

// mayClose tells whether the host may close now: without deadlines anything,
// else a night that has had its shortest time (source/forum.txt, 8).
func (s *state) mayClose() bool {
	switch {
	case s.pending != "":
		return false
	case !s.timed():
		return true
	}
	return s.phase.Name == engine.Nights && !s.now.Before(s.opened.Add(s.hours("night_min_h")))
}

func (s *state) hostOffers() []engine.Offer {
	extend := engine.Offer{Verb: engine.Extend, Now: when(s.timed() && s.pending == ""), Words: extensions}
	if friday, _ := s.weekend(s.now); s.now.Before(friday) {
		extend.Words = append(extensions[:mostHours:mostHours], weekendWord)
	}
	about := func(verb engine.Verb, seats []engine.Seat, text int) engine.Offer {
		return engine.Offer{Verb: verb, Now: engine.Open, Min: 1, Max: 1, Seats: seats, TextMax: text}
	}
	suspend := about(engine.Suspend, nil, engine.TextMax)
	for _, seat := range s.all() {
		if s.suspended.has(seat) {
			suspend.Barred = append(suspend.Barred, seat)
		} else {
			suspend.Seats = append(suspend.Seats, seat)
		}
	}
	return []engine.Offer{
		{Verb: engine.Close, Now: when(s.mayClose())},
		{Verb: engine.Rule, Now: when(s.pending != ""), Words: s.choices},
		extend,
		about(engine.Whisper, s.all(), engine.TextMax),
		about(engine.Warn, s.all(), engine.TextMax),
		suspend,
		about(engine.Disqualify, s.living(), engine.TextMax),
		about(engine.Leave, s.living(), 0),
	}
}
