package server

import (
	"net/netip"
	"slices"
	"testing"
)

// TestMoved: the box goes by the addresses and the name that it has now, and
// every open page is drawn anew when they are others.
func TestMoved(t *testing.T) {
	addr, host := netip.MustParseAddr("192.168.4.1"), ""
	s := besiege(t, func(c *Config) {
		c.Addresses = func() []netip.Addr { return []netip.Addr{addr} }
		c.Host = func() string { return host }
	})
	own := func(want ...string) {
		t.Helper()
		for _, name := range []string{"", "mafia.local", "mafia-2.local", "192.168.4.1", "10.42.0.1"} {
			if got := s.b.own(name); got != slices.Contains(want, name) {
				t.Errorf("%q is its own: %v", name, got)
			}
		}
	}
	own("192.168.4.1")
	host = "mafia.local"
	own("mafia.local", "192.168.4.1")
	addr, host = netip.MustParseAddr("10.42.0.1"), "mafia-2.local"
	own("mafia-2.local", "10.42.0.1")

	var pages []*watcher
	for _, table := range s.b.Tables() {
		for _, host := range []bool{false, true} {
			w, stop := table.watch("device", host)
			defer stop()
			pages = append(pages, w)
		}
	}
	for _, w := range pages {
		select {
		case <-w.changed: // other pages that came
		default:
		}
	}
	s.b.Moved()
	for i, w := range pages {
		select {
		case <-w.changed:
		default:
			t.Errorf("page %d is not drawn anew", i)
		}
	}
}
