package server

import (
	"fmt"
	"slices"

	"github.com/gofiber/fiber/v2"
	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/server/store"
)

// mending is what the host of a table must know of what the disk has lost. It
// stays on his console until he puts it away.
type mending struct {
	Case string `json:"case"` // lost, unsure, gone, people, table or rebuilt: its text
	Game int    `json:"game"` // its number
	Good int    `json:"good"` // the last good act
}

const keptMendings = 5

// mended keeps what is to be told of a table, once.
func (d *doc) mended(note mending) {
	if slices.Contains(d.Mended, note) {
		return
	}
	d.Mended = append(d.Mended, note)
	d.Mended = d.Mended[max(0, len(d.Mended)-keptMendings):]
}

// agree brings a table's document in line with the games that the store has:
// each may be older than the other where the disk has lost something, or the
// plug was pulled between the two. Used is the number of the last game there
// ever was, also a deleted one: no other may have it.
func (d *doc) agree(games []int, used int) {
	last := 0
	if len(games) > 0 {
		last = games[len(games)-1]
	}
	switch {
	case d.Game > 0 && !d.Deleted && !slices.Contains(games, d.Game):
		d.mended(mending{Case: "gone", Game: d.Game})
		d.Game, d.Stage = last, lobby
	case last > d.Game:
		d.Game, d.Stage, d.Deleted = last, playing, false
	}
	if used > d.Game {
		d.Game, d.Stage, d.Deleted = used, lobby, true
	}
}

// seats tells whether the people at the table are those of that game.
func (d doc) seats(g engine.Game) bool { return slices.Equal(d.names(), g.Setup().Names) }

// tell keeps for a table's host what was found of it, and not told yet.
func (m *moment) tell(id string, found []store.Finding, acts int) {
	rebuilt := false
	for _, f := range found {
		rebuilt = rebuilt || f.What == store.Rebuilt && !f.Told
		switch {
		case f.Told:
		case f.What == store.Anew && f.Table == id:
			m.doc.mended(mending{Case: "table"})
		case f.What != store.Lost || f.Table != id:
		case f.Game == 0 && f.Good < 0:
			m.doc.mended(mending{Case: "table"})
		case f.Game == 0:
			m.doc.mended(mending{Case: "people"})
		case f.Game == m.doc.Game && f.Good >= 0 && m.doc.Stage == playing:
			note := mending{"lost", f.Game, f.Good}
			if f.Unsure {
				note.Case = "unsure"
			}
			m.doc.mended(note)
			m.doc.Story, m.doc.Read, m.doc.Misled = false, nil, nil // of what may be yet to come again
			return
		}
	}
	if rebuilt && m.doc.Stage == playing {
		m.doc.mended(mending{"rebuilt", m.doc.Game, acts})
	}
}

// hostMended puts away what the host was told.
func (b *Box) hostMended(c *fiber.Ctx) error {
	return b.hostDo(c, func(d *draft) error {
		d.dirty = d.dirty || len(d.doc.Mended) > 0
		d.doc.Mended = nil
		return nil
	})
}

// mendings are what is told, in words. The last good act of the game that is on
// is told in words, too, where inWords has any.
func (w words) mendings(notes []mending, inWords func(mending) string) (lines []string) {
	for _, n := range notes {
		lines = append(lines, w.T("mended."+n.Case, "Game", n.Game, "Good", n.Good, "Act", inWords(n)))
	}
	return lines
}

// lastGood is the last good act of the game that is on, in words. A host who plays
// has none: an act of the night tells a role.
func (p hostPage) lastGood(m *moment) func(mending) string {
	return func(n mending) string {
		if p.Playing || !m.plays() || n.Game != m.doc.Game {
			return ""
		}
		for _, entry := range m.game.Log() {
			if entry.Act.No == n.Good {
				return p.act(entry.Act, p.Seats)
			}
		}
		return ""
	}
}

// findings are what was found when the store was opened, then or before: nobody
// has put it away.
func (b *Box) findings() []store.Finding {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.cfg.Found
}

// hostsTold notes that tables have stored what their hosts are to be told; untold are
// those that could not. Without it they were told again at each start, whatever
// their hosts have read.
func (b *Box) hostsTold(untold map[string]bool) {
	all, more := slices.Clone(b.findings()), false
	for i, f := range all {
		if !f.Told && !untold[f.Table] && (f.Table != "" || len(untold) == 0) { // the store is every table's
			all[i].Told, more = true, true
		}
	}
	if more {
		if err := b.keepFound(all); err != nil {
			b.log.Warn("what was lost is told once more at the next start", "error", err)
		}
	}
}

// keepFound makes these what was found, also for the next start.
func (b *Box) keepFound(found []store.Finding) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.cfg.Data != "" {
		if err := store.KeepFound(b.cfg.Data, found); err != nil {
			return err
		}
	}
	b.cfg.Found = found
	return nil
}

// putAway puts away what the owner has read.
func (b *Box) putAway(c *fiber.Ctx) error {
	if !b.owns(c) {
		return fiber.ErrForbidden
	}
	if err := b.keepFound(nil); err != nil {
		return fmt.Errorf("%w: %w", errStorage, err)
	}
	return done(c, "/box")
}

// found is what was found, for the owner.
func (b *Box) found(w words) (lines []string) {
	games, unread := 0, 0
	for _, f := range b.findings() {
		if f.Unread {
			unread++
		}
		args := []any{"Table", f.Table, "Game", f.Game, "Good", f.Good, "Aside", f.Aside}
		switch {
		case f.What == store.Rebuilt:
			lines = append(lines, w.T("mend.box.rebuilt", args...))
		case f.What == store.Anew:
			lines = append(lines, w.anew(f))
		case f.What == store.Mended && f.Game > 0 && !f.Unread:
			games++
		case f.What == store.Lost && f.Game == 0 && number(f.Table) == 0:
			lines = append(lines, w.T("mend.box.club"))
		case f.What == store.Lost && f.Game == 0 && f.Good < 0:
			lines = append(lines, w.T("mend.box.table", args...))
		case f.What == store.Lost && f.Game == 0:
			lines = append(lines, w.T("mend.box.people", args...))
		case f.What == store.Lost && f.Good < 0:
			lines = append(lines, w.T("mend.box.gone", args...))
		case f.What == store.Lost && f.Unsure:
			lines = append(lines, w.T("mend.box.unsure", args...))
		case f.What == store.Lost:
			lines = append(lines, w.T("mend.box.lost", args...))
		}
	}
	if games > 0 {
		lines = append(lines, w.T("mend.box.mended", "N", games))
	}
	if unread > 0 {
		lines = append(lines, w.T("mend.box.unread", "N", unread))
	}
	if slices.ContainsFunc(b.findings(), func(f store.Finding) bool { return f.Restored }) {
		lines = append(lines, w.T("backup.partly"))
	}
	if b.cfg.Data != "" {
		if mb := (store.Aside(b.cfg.Data) + 1<<20 - 1) >> 20; mb > 0 {
			lines = append(lines, w.T("mend.box.aside", "N", int(mb)))
		}
	}
	return lines
}

// nearlyFull says that the disk gets full, from when the ballast is thrown off
// until it is back; empty: it doesn't.
func (b *Box) nearlyFull(w words) string {
	if b.cfg.Data == "" {
		return ""
	}
	if is, err := store.Look(b.cfg.Data); err == nil && is.Short {
		return w.T("mend.box.short", "N", int(is.Free>>20))
	}
	return ""
}
