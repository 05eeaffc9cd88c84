package server

import (
	"fmt"
	"maps"
	"slices"

	"github.com/mafiabox/mafiabox/engine"
)

// phaseOf is what everybody may see of a table's moment: a change of it is
// pushed at once, other changes of a night wait for the beat.
func phaseOf(m *moment) string {
	if !m.plays() {
		return string(m.doc.Stage)
	}
	s := m.game.Seen(engine.All)
	return fmt.Sprint(m.doc.Game, s.Phase, s.Stopped, s.Held, s.Undecided, len(s.News), m.doc.Led, m.doc.Opened)
}

func night(m *moment) bool {
	if !m.plays() {
		return false
	}
	name := m.game.Phase().Name
	return name == engine.Nights || name == engine.Closed
}

// watcher is one page that is open: a seat's, the host's or the screen's. Its channels hold one signal: a slow phone
// skips states and never blocks the table.
type watcher struct {
	host          bool   // the host's page follows at once, also at night
	device        string // whose page it is
	changed, beat chan struct{}
	n             int           // it grows from page to page
	over          chan struct{} // closed when newer pages of the device took its place
}

// devicePages are those of one device that the table keeps open, as each is drawn
// at every change. A phone that has lost a connection doesn't say so, so the
// newest count, and the oldest goes.
const devicePages = 6

func (w *watcher) signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// watch wakes a page at every change that it may show. Hosts see that it is open.
func (t *Table) watch(device string, host bool) (w *watcher, stop func()) {
	w = &watcher{host: host, device: device, changed: make(chan struct{}, 1), beat: make(chan struct{}, 1), over: make(chan struct{})}
	t.mu.Lock()
	t.opened++
	w.n = t.opened
	t.watchers[w] = true
	t.replace(device)
	t.mu.Unlock()
	seen := func() { // of others consoles show nothing, and they are large
		if d := t.now.Load().doc; d.seatOf(device) != 0 || d.hosts(device) {
			t.wakeHosts()
		}
	}
	seen()
	return w, func() {
		t.mu.Lock()
		delete(t.watchers, w)
		t.mu.Unlock()
		seen()
	}
}

// replace ends the device's oldest page when it has too many; the lock is held.
// The box itself, which is no device, has one.
func (t *Table) replace(device string) {
	var oldest *watcher
	pages := 0
	for w := range t.watchers {
		if w.device == device {
			pages++
			if oldest == nil || w.n < oldest.n {
				oldest = w
			}
		}
	}
	if pages > devicePages && device != "" {
		delete(t.watchers, oldest)
		close(oldest.over)
	}
}

// awake are the devices that have a page of this table open.
func (t *Table) awake() map[string]bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	devices := make(map[string]bool)
	for w := range t.watchers {
		devices[w.device] = w.device != ""
	}
	return devices
}

func (t *Table) wakeHosts() {
	t.wake(func(w *watcher) {
		if w.host {
			w.signal(w.changed)
		}
	})
}

func (t *Table) wake(each func(*watcher)) {
	t.mu.Lock()
	all := slices.Collect(maps.Keys(t.watchers))
	t.mu.Unlock()
	for _, w := range all {
		each(w)
	}
}
