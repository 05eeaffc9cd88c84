package server

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/server/store"
)

// The archive is all finished games of the box. They never change, so what a
// list needs of each is read once, in the background, and kept in memory: about
// a kilobyte a game. A game that is on is in none of its pages.

// importID is under what the store keeps games that came as files. No table has
// it: theirs are numbers.
const importID = store.Imported

// gameID names a game of the box.
type gameID struct {
	table string
	game  int
}

// finished is what the archive's lists have of a game.
type finished struct {
	gameID
	rules   string // empty: its head can't be read
	set     string // the club's own set
	date    string // such as 2026-05-04; empty: the box didn't know
	order   time.Time
	minutes int // that it lasted; 0: unknown
	days    int
	nights  int
	seats   []finishedSeat
	ended   bool // its end is known
	winner  engine.Side
	drawn   bool
	bare    bool  // a deal that nobody did anything in
	broken  error // why these rules can't do it again, a problem
	sum     string
}

type finishedSeat struct {
	name  string // empty: it had none
	role  engine.Role
	side  engine.Side
	cause string // why it was out; empty: it was in to the end
}

// archive is the index of all finished games.
type archive struct {
	mu     sync.Mutex
	all    map[gameID]*finished
	list   []*finished // the latest first; nil: to be made
	todo   []gameID
	left   int           // to be read
	wanted chan struct{} // there is something to do
}

func newArchive() *archive {
	return &archive{all: make(map[gameID]*finished), wanted: make(chan struct{}, 1)}
}

// want has games read.
func (a *archive) want(ids ...gameID) {
	a.mu.Lock()
	a.todo = append(a.todo, ids...)
	a.left = max(a.left, len(a.todo))
	a.mu.Unlock()
	select {
	case a.wanted <- struct{}{}:
	default:
	}
}

// next is a game to be read.
func (a *archive) next() (id gameID, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.left = len(a.todo); a.left == 0 {
		return id, false
	}
	id, a.todo = a.todo[0], a.todo[1:]
	return id, true
}

func (a *archive) put(f *finished) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.all[f.gameID], a.list = f, nil
}

func (a *archive) drop(id gameID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.all, id)
	a.list = nil
}

// games are all of them, the latest first, and how many are still to be read.
func (a *archive) games() (list []*finished, left int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.list == nil {
		a.list = inOrder(a.all)
	}
	return a.list, a.left
}

// same is the game that was played so, if there is one.
func (a *archive) same(sum string) (gameID, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for id, f := range a.all {
		if f.sum == sum {
			return id, true
		}
	}
	return gameID{}, false
}

// reads tells whether games of before this start are still to be read.
func (a *archive) reads() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.left > 0
}

// inOrder sorts games, the latest first. One whose date nobody knows stands with
// the game of its table before it.
func inOrder(all map[gameID]*finished) []*finished {
	list := make([]*finished, 0, len(all))
	for _, f := range all {
		list = append(list, f)
	}
	slices.SortFunc(list, func(x, y *finished) int {
		return cmp.Or(cmp.Compare(number(x.table), number(y.table)), cmp.Compare(x.game, y.game))
	})
	at := make(map[gameID]time.Time, len(list))
	for i, f := range list {
		at[f.gameID] = f.order
		if f.order.IsZero() && i > 0 && list[i-1].table == f.table && f.table != importID {
			at[f.gameID] = at[list[i-1].gameID]
		}
	}
	slices.Reverse(list)
	slices.SortStableFunc(list, func(x, y *finished) int { return at[y.gameID].Compare(at[x.gameID]) })
	return list
}

// readArchive reads what there is, and then each game that ends, on one
// goroutine. It rests as long as it works: tables go first.
func (b *Box) readArchive() {
	for _, table := range b.archived() {
		games, err := b.store.Games(table)
		if err != nil {
			b.log.Error("the archive lacks games", "table", table, "error", err)
		}
		for _, n := range games {
			b.archive.want(gameID{table, n})
		}
	}
	for {
		id, ok := b.archive.next()
		if !ok {
			select {
			case <-b.archive.wanted:
			case <-b.closing:
				return
			}
			continue
		}
		began := time.Now()
		if err := b.index(id); err != nil && !errors.Is(err, errPlaying) && !errors.Is(err, store.ErrNotFound) {
			b.log.Warn("a game can't be listed", "table", id.table, "game", id.game, "error", err)
		}
		select {
		case <-time.After(time.Since(began)):
		case <-b.closing:
			return
		}
	}
}

// archived are the ids under which games are kept.
func (b *Box) archived() []string {
	all := []string{importID}
	for _, t := range b.Tables() {
		all = append(all, t.id)
	}
	return all
}

// errPlaying says that a game is not one of the archive's yet.
var errPlaying = errors.New("the game is not over")

// over tells whether a game may be shown to others than its table: one that is
// on may not, whatever is asked for.
func (b *Box) over(id gameID) error {
	if id.table == importID {
		return nil
	}
	t := b.Table(id.table)
	if t == nil {
		return store.ErrNotFound
	}
	m := t.now.Load()
	switch {
	case id.game < 1 || id.game > m.doc.Game:
		return store.ErrNotFound
	case id.game == m.doc.Game && m.doc.Stage == playing && !(m.game.Begun() && m.game.Ended()):
		return errPlaying
	}
	return nil
}

// index reads a game for the lists.
func (b *Box) index(id gameID) error {
	stored, game, names, err := b.reread(id)
	var odd problem
	if err != nil && !errors.As(err, &odd) {
		return err
	}
	f := &finished{gameID: id, sum: playSum(stored)}
	if err != nil {
		f.broken = err
		b.log.Warn("a game can't be gone through", "table", id.table, "game", id.game, "error", cmp.Or[any](odd.Args["Why"], err))
	}
	f.read(b.cfg.Rulesets, stored, game, names)
	b.archive.put(f)
	if err := b.store.EachAct(id.table, id.game, 1, func(store.Act) bool { return false }); errors.Is(err, store.ErrNotFound) { // deleted since
		b.archive.drop(id)
	}
	return nil
}

// ended has the archive read a game that has just ended.
func (t *Table) ended(before, after *moment) {
	over := func(m *moment) bool { return m.game.Begun() && m.game.Ended() }
	if over(after) && !(before.doc.Game == after.doc.Game && over(before)) {
		t.box.archive.want(gameID{t.id, after.doc.Game})
	}
}

// result is who won a game of the archive, in words.
func (w words) resultOf(f *finished) string {
	if !f.ended {
		return w.T("archive.result.unknown")
	}
	return w.result(engine.Seen{Winner: f.winner, Drawn: f.drawn})
}

// length is how long a game was, in words.
func (w words) lengthOf(f *finished) string {
	var parts []string
	if f.days > 0 {
		parts = append(parts, w.T("archive.days", "N", f.days))
	}
	if f.nights > 0 {
		parts = append(parts, w.T("archive.nights", "N", f.nights))
	}
	switch {
	case f.minutes >= 48*60:
		parts = append(parts, w.T("archive.length.days", "N", f.minutes/(24*60)))
	case f.minutes >= 120:
		parts = append(parts, w.T("archive.length.hours", "Hours", f.minutes/60, "Minutes", fmt.Sprintf("%02d", f.minutes%60)))
	case f.minutes > 0:
		parts = append(parts, w.T("archive.length.minutes", "N", f.minutes))
	}
	return strings.Join(parts, ", ")
}

// tableOf is the table of a game, in words.
func (w words) tableOf(id gameID) string {
	if id.table == importID {
		return w.T("archive.imported")
	}
	return w.T("sheet.table", "Table", id.table)
}
