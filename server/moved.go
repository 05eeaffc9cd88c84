package server

// Moved is called when the box has other addresses, or another name on its
// network: every page that is open is drawn anew, as it may show them.
func (b *Box) Moved() {
	for _, t := range b.Tables() {
		t.wake(func(w *watcher) { w.signal(w.changed) })
	}
}
