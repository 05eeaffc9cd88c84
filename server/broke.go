package server

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/gofiber/contrib/websocket"
	"github.com/mafiabox/mafiabox/engine"
)

// What breaks costs what it was for, and nothing else: a page, a stream, a
// table. The log gets where it broke and never the value, in which a name or a
// role may stand; and not each time, as anybody may ask for the same page again.

// breakRest is how long the log is spared after the first few.
const breakRest = time.Minute

// broke logs what has broken.
func (b *Box) broke(what, where string, value any) {
	b.breaks.Do(func() {
		b.log.Error(what+" broke", "where", where, "error", harmless(value), "stack", string(debug.Stack()))
	})
}

// harmless is what a panic may be told of: the runtime's own words hold indexes
// and types, of anything else only its type is told.
func harmless(value any) string {
	if err, ok := value.(runtime.Error); ok {
		return err.Error()
	}
	return fmt.Sprintf("a %T", value)
}

// streams is how live pages are opened. The library would tell the page what broke.
func (b *Box) streams() websocket.Config {
	return websocket.Config{RecoverHandler: func(conn *websocket.Conn) {
		if value := recover(); value != nil {
			b.broke("live page", "", value)
			conn.Close()
		}
	}}
}

// isFrozen logs that a table is frozen, and tells by what.
func (t *Table) isFrozen(value any) string {
	t.box.log.Error("table frozen", "table", t.id, "error", harmless(value), "stack", string(debug.Stack()))
	return harmless(value)
}

// freeze ends what a table takes, after something broke that none of its
// requests was at fault for: what is stored stays, and nothing is made up on top of it.
func (t *Table) freeze(value any) {
	m := *t.now.Load()
	m.frozen = t.isFrozen(value)
	t.now.Store(&m)
	t.wake(func(w *watcher) { w.signal(w.changed) })
}

// leaveFrozen gives up the game that a frozen table can't go on with. Its record
// stays as it is, and nothing is written to it any more.
func (d *draft) leaveFrozen() error {
	if d.frozen == "" {
		return say("not_frozen")
	}
	d.frozen, d.game = "", engine.Game{}
	d.clock, d.due, d.pages, d.asked = clockwork{}, dues{}, nil, confirm{}
	d.doc.Stage, d.doc.Broken, d.doc.Held, d.doc.Clock = lobby, true, nil, clockNote{}
	d.dirty = true
	return nil
}
