package server

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/record"
	"github.com/mafiabox/mafiabox/server/store"
)

// How a finished game is read again from the store: by its acts, as a table that
// is opened does it. What can't be done again is still told as far as its record
// says it itself.

// setComment begins the head's line that names the club's own set.
const setComment = "# the club's own set: "

// reread does a finished game again. A problem tells why that can't be done; then
// there is what the store has of it, and the game is none. The names are by seat.
func (b *Box) reread(id gameID) (stored store.Game, game engine.Game, names []string, err error) {
	if err := b.over(id); err != nil {
		return stored, game, nil, err
	}
	if size, err := b.sizeOf(id); err != nil || size > record.MaxSize {
		var broken *store.BrokenError
		if err == nil {
			return stored, game, nil, say("game_long", "Max", record.MaxSize>>20)
		} else if !errors.As(err, &broken) {
			return stored, game, nil, err
		}
	}
	stored, err = b.store.Game(id.table, id.game)
	var broken *store.BrokenError
	switch {
	case errors.As(err, &broken):
		return stored, game, headNames(stored, b.cfg.Rulesets), say("game_broken", "No", broken.No)
	case err != nil:
		return stored, game, nil, err
	}
	names = headNames(stored, b.cfg.Rulesets)
	var m moment
	if err := m.restore(stored, b.cfg.Rulesets, b.cfg.Now()); err != nil {
		return stored, game, names, say("game_other_rules", "Why", err) // which is for the log alone
	}
	if !m.game.Ended() {
		return stored, game, names, say("game_endless")
	}
	return stored, m.game, names, nil
}

// sizeOf is how long a game's record is, up to the longest that is read.
func (b *Box) sizeOf(id gameID) (size int, err error) {
	err = b.store.EachAct(id.table, id.game, 1, func(a store.Act) bool {
		size += len(a.Line) + 1
		for _, e := range a.Events {
			size += len(e) + 3
		}
		return size <= record.MaxSize
	})
	return size, err
}

// headNames are a record's names by seat, fit to be shown, as far as its head can
// be read: its options may be of another version.
func headNames(stored store.Game, rulesets []engine.Ruleset) []string {
	head, err := record.Parse(stored.Head, rulesets)
	if err != nil {
		var kept []byte
		for line := range bytes.Lines(stored.Head) {
			if !bytes.HasPrefix(line, []byte("set ")) && !bytes.HasPrefix(line, []byte("draw ")) {
				kept = append(kept, line...)
			}
		}
		head, err = record.Parse(kept, rulesets)
	}
	if err != nil {
		return nil
	}
	names := make([]string, head.Seats)
	for i, name := range head.Names {
		names[i] = shownName(name)
	}
	return names
}

// headWord is what a head says under that word; empty: nothing.
func headWord(stored store.Game, word string) string {
	for line := range strings.Lines(string(stored.Head)) {
		if rest, ok := strings.CutPrefix(line, word); ok {
			return strings.Clone(strings.TrimSpace(rest)) // the list keeps no heads
		}
	}
	return ""
}

// read takes what lists have of a game. The game is none where it could not be
// done again: then it is what its record says.
func (f *finished) read(rulesets []engine.Ruleset, stored store.Game, game engine.Game, names []string) {
	f.rules, f.date, f.set = headWord(stored, "rules "), headWord(stored, "date "), headWord(stored, setComment)
	f.order, _ = time.Parse(time.DateOnly, f.date)
	f.seats = make([]finishedSeat, len(names))
	for i, name := range names {
		f.seats[i].name = strings.Clone(name)
	}
	if !game.Begun() {
		f.readTold(stored)
		return
	}
	sides := make(map[engine.Role]engine.Side)
	for _, r := range game.Rules().Roles() {
		sides[r.Role] = r.Side
	}
	seen := game.Seen(engine.All)
	f.ended, f.winner, f.drawn, f.bare = true, seen.Winner, seen.Drawn, len(game.Log()) < 2
	for i, role := range game.Setup().Roles {
		f.seats[i].role, f.seats[i].side, f.seats[i].cause = role, sides[role], seen.Seats[i].Cause
	}
	phases := make(map[engine.Phase]bool)
	var began, ended time.Time
	for _, entry := range game.Course() {
		for _, e := range entry.Events {
			if e.Kind == engine.PhaseIs {
				phases[engine.Phase{Name: e.Words[0], N: e.N}] = true
			}
		}
	}
	for p := range phases {
		switch p.Name {
		case engine.Day:
			f.days++
		case engine.Nights:
			f.nights++
		}
	}
	for _, entry := range game.Log() {
		at := entry.Act.At
		if began.IsZero() {
			began = at
		}
		if v := entry.Act.Verb; v != engine.Note && v != engine.Appeal { // which may be of another day
			ended = at
		}
	}
	if !began.IsZero() && ended.After(began) {
		f.minutes = max(1, int(ended.Sub(began).Round(time.Minute)/time.Minute))
	}
	if f.date != "" && !began.IsZero() && began.Format(time.DateOnly) == f.date {
		f.order = began
	}
}

// readTold takes who won, and the roles, from what the game has told.
func (f *finished) readTold(stored store.Game) {
	for line := range strings.Lines(string(stored.Head)) {
		seat, role, _ := strings.Cut(strings.TrimPrefix(line, "role "), " ")
		if n, err := strconv.Atoi(seat); err == nil && strings.HasPrefix(line, "role ") && n > 0 && n <= len(f.seats) {
			f.seats[n-1].role = engine.Role(strings.Clone(strings.TrimSpace(role)))
		}
	}
	for _, a := range stored.Acts {
		for _, line := range a.Events {
			e, err := record.ParseEvent(line)
			switch {
			case err != nil || e.To != engine.All:
			case e.Kind == engine.Win && len(e.Words) > 0:
				f.winner = engine.Side(strings.Clone(e.Words[0]))
			case e.Kind == engine.Draw:
				f.drawn = true
			case e.Kind == engine.PhaseIs && e.Words[0] == engine.Ended:
				f.ended = true
			}
		}
	}
}

// playSum tells one game from another. What was said of it after its end is none
// of it: a file of before an appeal holds the same game.
func playSum(stored store.Game) string {
	over := "all " + string(engine.PhaseIs) + " " + engine.Ended
	for i, a := range slices.Backward(stored.Acts) {
		if slices.ContainsFunc(a.Events, func(e string) bool { return strings.HasPrefix(e, over) }) {
			stored.Acts = stored.Acts[:i+1]
			break
		}
	}
	sum := sha256.Sum256(stored.Text())
	return string(sum[:])
}
