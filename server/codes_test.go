package server

import (
	"net/netip"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
)

var codePicture = regexp.MustCompile(`/t/1/(code|wifi|host/card/3)\.png\?v=[0-9a-f]{8}`)

// TestCodesFollowTheAddress: when the box gets another address every page that
// shows codes is drawn with that, and with other pictures, which browsers load anew.
func TestCodesFollowTheAddress(t *testing.T) {
	var addr atomic.Value
	addr.Store(netip.MustParseAddr("192.168.4.1"))
	s := besiege(t, func(c *Config) {
		own := netip.MustParseAddr("192.168.4.1")
		c.Addresses = func() []netip.Addr { return []netip.Addr{addr.Load().(netip.Addr), own} }
		c.Host = func() string { return "mafia-2.local" }
		c.WiFi = WiFi{"Mafia-Club", "night-falls"}
	})
	free := &browser{T: t, b: s.b}
	pages := func() map[string]string {
		table := s.b.Tables()[0]
		m := table.now.Load()
		live, err := s.b.draw("codes-main", s.b.codesPage(table, m, words{s.b.texts.in("en")}))
		if err != nil {
			t.Fatal(err)
		}
		return map[string]string{
			"a screen without a table": free.must("GET", "/screen", 200), "the table's screen": s.screen.must("GET", "/screen", 200),
			"the console": s.host.must("GET", "/t/1/host", 200), "the host's codes": s.host.must("GET", "/t/1/host/codes", 200), "the same, live": string(live),
			"the cards": s.host.must("GET", "/t/1/host/cards", 200),
		}
	}
	before := pages()
	addr.Store(netip.MustParseAddr("10.42.0.1"))
	for name, now := range pages() {
		was := before[name]
		if !strings.Contains(was, "http://192.168.4.1:8080") || !strings.Contains(now, "http://10.42.0.1:8080") || strings.Contains(now, "http://192.168.4.1:8080") {
			t.Errorf("%s keeps an address:\n%s", name, now)
		}
		if !strings.Contains(now, "Mafia-Club") || !strings.Contains(now, "night-falls") {
			t.Errorf("%s lacks the Wi-Fi in letters:\n%s", name, now)
		}
		if inWords := name != "the console" && name != "the cards"; strings.Contains(now, "http://mafia-2.local:8080") != inWords {
			t.Errorf("%s and the box's name:\n%s", name, now)
		}
		a, b := codePicture.FindAllString(was, -1), codePicture.FindAllString(now, -1)
		if len(a) < 2 || len(a) != len(b) {
			t.Errorf("%s has the pictures %q, then %q", name, a, b)
			continue
		}
		for i := range a {
			if same := a[i] == b[i]; same != strings.Contains(a[i], "wifi.png") {
				t.Errorf("%s has the picture %q, then %q", name, a[i], b[i])
			}
		}
	}
}

// TestCodesOfAGame: while a game is on its screen and the players' pages show
// neither codes nor the Wi-Fi's password.
func TestCodesOfAGame(t *testing.T) {
	s := besiege(t, func(c *Config) { c.WiFi = WiFi{"Mafia-Club", "night-falls"} })
	if page := s.screen.must("GET", "/screen", 200); !strings.Contains(page, "night-falls") {
		t.Errorf("the lobby's screen lacks the password:\n%s", page)
	}
	if page := s.player.must("GET", "/t/1", 200); strings.Contains(page, "night-falls") {
		t.Errorf("a seat in the lobby has it:\n%s", page)
	}
	s.night()
	for name, page := range map[string]string{"screen": s.screen.must("GET", "/screen", 200), "seat": s.player.must("GET", "/t/1", 200), "console": s.host.must("GET", "/t/1/host", 200)} {
		if strings.Contains(page, "night-falls") || codePicture.MatchString(page) {
			t.Errorf("the %s of a game shows how to come in:\n%s", name, page)
		}
	}
	// Without a Wi-Fi of which the box knows there is none of it.
	plain := besiege(t, func(c *Config) { c.WiFi = WiFi{} })
	if page := plain.screen.must("GET", "/screen", 200); strings.Contains(page, "wifi.png") || strings.Contains(page, "Wi-Fi") {
		t.Errorf("a Wi-Fi without a name:\n%s", page)
	}
	plain.host.must("GET", "/t/1/wifi.png", 404)
	open := besiege(t, func(c *Config) { c.WiFi = WiFi{SSID: "Open-House"} })
	if page := open.screen.must("GET", "/screen", 200); !strings.Contains(page, "Open-House") || !strings.Contains(page, "without a password") {
		t.Errorf("an open Wi-Fi:\n%s", page)
	}
}
