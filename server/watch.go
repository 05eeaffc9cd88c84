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
	if m.doc.Stage != playing {
		return string(m.doc.Stage)
	}
	s := m.game.Seen(engine.All)
	return fmt.Sprint(m.doc.Game, s.Phase, s.Stopped, len(s.News))
}

func night(m *moment) bool {
	if m.doc.Stage != playing {
		return false
	}
	name := m.game.Phase().Name
	return name == engine.Nights || name == engine.Closed
}

// watcher is one page that is open. Its channels hold one signal: a slow phone
// skips states and never blocks the table.
type watcher struct {
	host          bool // the host's page follows at once, also at night
	changed, beat chan struct{}
}

func (w *watcher) signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// watch wakes a page at every change that it may show.
func (t *Table) watch(host bool) (w *watcher, stop func()) {
	w = &watcher{host, make(chan struct{}, 1), make(chan struct{}, 1)}
	t.mu.Lock()
	t.watchers[w] = true
	t.mu.Unlock()
	return w, func() {
		t.mu.Lock()
		delete(t.watchers, w)
		t.mu.Unlock()
	}
}

func (t *Table) wake(each func(*watcher)) {
	t.mu.Lock()
	all := slices.Collect(maps.Keys(t.watchers))
	t.mu.Unlock()
	for _, w := range all {
		each(w)
	}
}
