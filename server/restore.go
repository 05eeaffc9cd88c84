package server

import (
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/record"
	"github.com/mafiabox/mafiabox/server/store"
)

// load builds a table's moment from the store: the acts are done again, and
// what they tell must be what was told.
func load(s store.Store, rulesets []engine.Ruleset, id string, text []byte, now time.Time, log *slog.Logger) (moment, []store.Act, error) {
	m := moment{}
	if err := m.doc.decode(text); err != nil {
		return m, nil, fmt.Errorf("table %s: %w", id, err)
	}
	games, err := s.Games(id)
	if err != nil {
		return m, nil, fmt.Errorf("table %s: %w", id, err)
	}
	used, err := s.Last(id)
	if err != nil {
		return m, nil, fmt.Errorf("table %s: %w", id, err)
	}
	was := m.doc.Stage
	m.doc.agree(games, used)
	if m.doc.Game == 0 || m.doc.Deleted {
		return m, nil, nil
	}
	stored, err := s.Game(id, m.doc.Game)
	m.over = stored.Over
	if err != nil && m.doc.Stage == playing {
		m.frozen = err.Error()
		log.Error("table frozen", "table", id, "error", err)
		return m, stored.Acts, nil
	}
	m.doc.Broken = m.doc.Broken || err != nil
	err = m.restore(stored, rulesets, now)
	if m.doc.Stage == playing && was == lobby && (err != nil || m.over || !m.doc.seats(m.game)) {
		m.doc.Stage = lobby // the game is there, and those who played it are not
	}
	if err != nil && m.doc.Stage == lobby {
		log.Error("the last game can't be read again", "table", id, "error", err)
		m.game, m.doc.Broken = engine.Game{}, true // a part of it takes no appeal
	} else if err != nil {
		m.frozen = err.Error()
		log.Error("table frozen", "table", id, "error", err)
	}
	return m, stored.Acts, nil
}

// restore does a stored game's acts again.
func (m *moment) restore(stored store.Game, rulesets []engine.Ruleset, now time.Time) (err error) {
	defer func() {
		if broken := recover(); broken != nil { // a box must come up with whatever it finds
			err = fmt.Errorf("these rules break at it: %s", harmless(broken))
		}
	}()
	head, err := record.Parse(stored.Head, rulesets)
	if err != nil {
		return fmt.Errorf("the game's head: %w", err)
	}
	setup, err := head.Header.Setup()
	if err != nil {
		return fmt.Errorf("the game's head: %w", err)
	}
	game, _, err := engine.Begin(head.Header.Rules, setup)
	if err != nil {
		return fmt.Errorf("the game's head: %w", err)
	}
	m.game, m.due = game, dues{moved: setup.Start}
	for _, a := range stored.Acts {
		act, err := record.ParseAct(a.Line, setup.Seats)
		if err != nil {
			return fmt.Errorf("act %d: %w", a.No, err)
		}
		act.No = a.No
		next, events, err := game.Do(act)
		if err != nil {
			return fmt.Errorf("act %d: these rules give %w, but it was accepted", a.No, err)
		}
		var told []string
		for _, e := range events {
			told = append(told, record.FormatEvent(e))
		}
		if !slices.Equal(told, a.Events) {
			return fmt.Errorf("act %d: these rules tell something else than was told", a.No)
		}
		m.due = m.due.follow(game, act, next)
		m.turnPage(next)
		game = next
		m.game, m.clock = game, m.clock.follow(game, act.At)
	}
	m.clock = m.clock.again(m.doc.Clock, now)
	return nil
}
