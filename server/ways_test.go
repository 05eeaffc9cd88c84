package server

import (
	"testing"

	"github.com/mafiabox/mafiabox/engine/boulevard"
	"github.com/mafiabox/mafiabox/server/store"
)

// TestLedBack: who types the box's address is led to his seat, and a host to his
// console, unless he wants another table's as well; a stranger is asked.
func TestLedBack(t *testing.T) {
	s := besiege(t)
	for _, c := range []struct {
		who    *browser
		path   string
		status int
	}{
		{s.player, "/", 303}, {s.stranger, "/", 200}, {s.host, "/", 200},
		{s.host, "/host", 303}, {s.host, "/host?other=1", 200}, {s.player, "/host", 200}, {s.stranger, "/host", 200},
	} {
		c.who.must("GET", c.path, c.status)
	}
}

// TestStrangersWakeNoConsole: pages of who has no seat come and go without a word
// to the consoles, which are large; those of players are shown there.
func TestStrangersWakeNoConsole(t *testing.T) {
	b, _ := open(t, store.Memory())
	defer b.Close()
	table := b.Tables()[0]
	if err := table.Do("", func(d *draft) error { return d.join(boulevard.Standard, device(1), "Anna", 0) }); err != nil {
		t.Fatal(err)
	}
	console, leave := table.watch(device(9), true)
	defer leave()
	woken := func() bool {
		select {
		case <-console.changed:
			return true
		default:
			return false
		}
	}
	woken()
	for who, want := range map[string]bool{device(2): false, "": false, device(1): true} {
		_, stop := table.watch(who, false)
		if got := woken(); got != want {
			t.Errorf("a page that came woke the console: %v, want %v", got, want)
		}
		stop()
		if got := woken(); got != want {
			t.Errorf("a page that went woke the console: %v, want %v", got, want)
		}
	}
}
