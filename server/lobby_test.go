package server

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mafiabox/mafiabox/engine/rulesets"
	"github.com/mafiabox/mafiabox/server/store"
)

// TestLobbyWithDeadlines: a game with deadlines takes any zone there is, says
// what it expected instead of another, and is not dealt while the box doesn't
// know the time.
func TestLobbyWithDeadlines(t *testing.T) {
	for _, sure := range []bool{true, false} {
		s := besiege(t, func(c *Config) { c.Trusted = sure })
		table := s.b.Tables()[0]
		s.host.must("POST", "/t/1/host/rules", 303, "rules", "forum")
		const unsure = "know what time it is"
		page := s.host.must("GET", "/t/1/host", 200)
		if strings.Contains(page, unsure) == sure || strings.Contains(page, "data-now=") != sure {
			t.Errorf("time is sure: %v, and the lobby says the other", sure)
		}
		if !strings.Contains(page, `<option value="Europe/Berlin">`) || !strings.Contains(page, `value="America/New_York" list="zones"`) {
			t.Error("the lobby offers no zones")
		}
		s.host.must("POST", "/t/1/host/options", 303, "zone", " Asia/Kathmandu ", "round_h", "36", "screen_owing", "no")
		set := table.now.Load().doc.Options["forum"]
		if fmt.Sprint(set) != "map[round_h:36 screen_owing:no zone:Asia/Kathmandu]" {
			t.Errorf("chosen: %v", set)
		}
		for _, zone := range []string{"Mars/Olympus", "Local", "", "../../etc/passwd", "EST5EDT,M3.2.0"} {
			text := s.host.must("POST", "/t/1/host/options", 422, "zone", zone)
			if !strings.Contains(text, "such as Europe/Berlin") {
				t.Errorf("%q is refused without a word of what is expected", zone)
			}
		}
		for _, wrong := range [][2]string{{"deadlines", "maybe"}, {"round_h", "0"}, {"round_h", "1h"}, {"away", ""}} {
			s.host.must("POST", "/t/1/host/options", 422, wrong[0], wrong[1])
		}
		status := 422
		if sure {
			status = 303
		}
		s.host.must("POST", "/t/1/host/deal", status, "by", "box")
		if !sure { // a game that the host closes needs no time
			s.host.must("POST", "/t/1/host/options", 303, "deadlines", "no")
			if page := s.host.must("GET", "/t/1/host", 200); strings.Contains(page, unsure) {
				t.Error("without deadlines the lobby wants the time")
			}
			s.host.must("POST", "/t/1/host/deal", 303, "by", "box")
		}
	}
}

// TestLobbyOfEverySize: a table of any size that the rules take can be dealt
// with the usual roles, and the lobby says who is missing below and above.
func TestLobbyOfEverySize(t *testing.T) {
	for _, rules := range rulesets.All {
		fewest, most := rules.Seats()
		d := doc{Rules: rules.ID(), Stage: lobby}
		for n := 0; n <= most+1; n++ {
			if err := d.tryDeal(rules); (err == nil) != (n >= fewest && n <= most) {
				t.Errorf("%s, %d seats: %v", rules.ID(), n, err)
			}
			d.People = append(d.People, person{Name: fmt.Sprint("P", n+1)})
		}
	}
}

// TestAir: the lobby warns before the box's own Wi-Fi is full, and says nothing
// where nobody knows how many it bears.
func TestAir(t *testing.T) {
	b, _ := open(t, store.Memory())
	defer b.Close()
	w := words{b.texts.in("en")}
	if said := b.air(w); said != "" {
		t.Errorf("without a radio: %q", said)
	}
	for _, c := range []struct {
		now, most int
		want      string
	}{
		{30, 0, ""}, {0, 7, ""}, {4, 7, ""}, {5, 7, "nearly full: 5 in it, and it bears 7"}, {6, 7, "nearly full: 6"}, {7, 7, "is full: 7 in it"}, {9, 7, "is full: 9 in it"},
	} {
		b.cfg.Stations = func() (int, int) { return c.now, c.most }
		page := b.hostPage(b.Tables()[0], b.Tables()[0].now.Load(), w, "", 0)
		said := page.Lobby.Air
		if c.want == "" && said != "" || !strings.Contains(said, c.want) {
			t.Errorf("%d of %d: %q", c.now, c.most, said)
		}
	}
}
