package checkup_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mafiabox/mafiabox/server"
	"github.com/mafiabox/mafiabox/server/checkup"
	"github.com/mafiabox/mafiabox/server/lan"
	"github.com/mafiabox/mafiabox/static"
)

// tree makes a root of files by path. A text that begins with -> is a link.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for path, text := range files {
		path = filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		var err error
		if to, ok := strings.CutPrefix(text, "->"); ok {
			err = os.Symlink(to, path)
		} else {
			err = os.WriteFile(path, []byte(text), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// place is an interface with addresses that phones reach; none of these names is
// one of the machine that tests.
func place(name string, addrs ...string) lan.Place {
	p := lan.Place{Name: name}
	for _, text := range addrs {
		a := netip.MustParseAddr(text)
		p.Addrs = append(p.Addrs, a)
		if !a.IsLoopback() && (a.Is4() || !a.IsLinkLocalUnicast()) {
			p.Phones = append(p.Phones, a)
		}
	}
	return p
}

// inner is one behind which there are none.
func inner(name, addr string) lan.Place {
	return lan.Place{Name: name, Addrs: []netip.Addr{netip.MustParseAddr(addr)}, Inner: true}
}

func places(list ...lan.Place) func(*checkup.Machine) {
	return func(m *checkup.Machine) {
		m.Places, m.Reached = append([]lan.Place{place("lo", "127.0.0.1", "::1")}, list...), nil
		for _, p := range list {
			m.Reached = append(m.Reached, p.Phones...)
		}
	}
}

func listen(at string) func(*checkup.Machine) { return func(m *checkup.Machine) { m.Listen = at } }

func clock(how string) func(*checkup.Machine) { return func(m *checkup.Machine) { m.Clock = how } }

func code(ssid, password string) func(*checkup.Machine) {
	return func(m *checkup.Machine) { m.SSID, m.Password = ssid, password }
}

func serving(m *checkup.Machine) { m.Serving = true }

// point is an access point with so many in it.
func point(n int) func(*checkup.Machine) {
	return func(m *checkup.Machine) { m.Access = func(string) (bool, int, error) { return true, n, nil } }
}

const (
	phy     = "sys/class/net/wlan0/phy80211/x"
	chip    = "sys/class/net/wlan0/device/device"
	fw      = "lib/firmware/cypress/cyfmac43455-sdio.bin"
	profile = "etc/NetworkManager/system-connections/mafiabox.nmconnection"
	manager = "run/NetworkManager/x"
	ours    = "[connection]\ninterface-name=wlan0\n[wifi]\nssid=Mafia-KXTR\n[wifi-security]\npsk=bcdfg-hjkmn-prstv\n"
)

// sockets are the kernel's list of them: one, on a port, with the inode 4242.
func sockets(port int, state string) string {
	return "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n" +
		fmt.Sprintf("   0: 00000000:%04X 00000000:0000 %s 00000000:00000000 00:00000000 00000000     0        0 4242 1 0000000000000000 100 0 0 10 0\n", port, state)
}

// TestFindings makes a machine for each thing that can be found, and looks that
// it is found and said in both languages. Whatever there is a text for has a
// machine here, or a test of its own.
func TestFindings(t *testing.T) {
	own := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `<link rel="stylesheet" href="/static/css/mafiabox.css">`)
	}))
	defer own.Close()
	other := httptest.NewServer(http.NotFoundHandler())
	defer other.Close()
	taken := other.Listener.Addr().(*net.TCPAddr).Port
	secret := "bcdfg-hjkmn-prstv"
	wlan := place("wlan9", "192.168.77.1")
	type files = map[string]string
	type machine = []func(*checkup.Machine)
	seen := map[string]bool{"name.own": true, "name.other": true, "name.free": true, "name.silent": true, "boxes.some": true, "port.forbidden": true} // by tests of their own
	for _, c := range []struct {
		files   files
		machine machine
		want    string
		state   checkup.State
		says    string // in English
	}{
		{nil, machine{func(m *checkup.Machine) { m.Hidden = "/etc/mafiabox/mafiabox.conf" }}, "settings.hidden", checkup.Note, "/etc/mafiabox/mafiabox.conf"},

		{nil, machine{places()}, "addresses.none", checkup.Bad, ""},
		{nil, machine{places(inner("docker0", "172.17.0.1"))}, "addresses.none", checkup.Bad, ""},
		{nil, machine{places(place("eth9", "169.254.3.4"))}, "addresses.linklocal", checkup.Bad, "eth9 169.254.3.4"},
		{nil, machine{places(wlan, place("eth9", "10.0.0.5", "fe80::1"))}, "addresses.some", checkup.OK, "wlan9 192.168.77.1, eth9 10.0.0.5"},
		{nil, machine{places(wlan, inner("docker0", "172.17.0.1"), inner("wg0", "10.8.0.1"))}, "left.some", checkup.OK, "docker0, wg0:"},
		{nil, machine{places(wlan, place("eth9", "fe80::1"))}, "!left.some", "", ""},

		{nil, machine{places(wlan), listen(":80")}, "codes.held", checkup.OK, "http://192.168.77.1/"},
		{nil, machine{places(place("eth9", "10.0.0.5", "fd00::2"))}, "codes.held", checkup.OK, "http://10.0.0.5:8080/"},
		{nil, machine{places(wlan, place("eth9", "10.0.0.5"))}, "codes.first", checkup.Note, "http://192.168.77.1:8080/"},
		{nil, machine{places(wlan, place("eth9", "10.0.0.5")), listen("10.0.0.5:8080")}, "codes.held", checkup.OK, "http://10.0.0.5:8080/"},
		{nil, machine{places()}, "codes.none", checkup.Bad, ""},
		{nil, machine{places(wlan), listen("127.0.0.1:8080")}, "codes.loopback", checkup.Bad, "127.0.0.1:8080"},
		{nil, machine{places(wlan), listen("192.168.77.9:80")}, "codes.elsewhere", checkup.Bad, "192.168.77.9:80"},
		{nil, machine{listen("nonsense")}, "!codes.", "", ""},

		{nil, machine{places(wlan)}, "name.unasked", checkup.Note, "evening.local"},

		{nil, machine{listen("127.0.0.1:0")}, "port.free", checkup.OK, ""},
		{nil, machine{serving}, "port.own", checkup.OK, ":8080"},
		{nil, machine{listen(own.Listener.Addr().String())}, "port.own", checkup.OK, own.Listener.Addr().String()},
		{nil, machine{listen("nonsense")}, "port.wrong", checkup.Bad, "nonsense"},
		{nil, machine{listen(":99999")}, "port.wrong", checkup.Bad, "99999"},
		{nil, machine{listen("192.0.2.99:8080")}, "port.never", checkup.Bad, "assign"},
		{files{"proc/net/tcp": sockets(taken, "0A"), "proc/77/fd/3": "->socket:[4242]", "proc/77/comm": "nginx\n", "proc/78/fd/3": "->socket:[1]", "proc/78/comm": "sshd\n"},
			machine{listen(other.Listener.Addr().String())}, "port.taken", checkup.Bad, "nginx."},
		{files{"proc/net/tcp6": sockets(taken, "0A"), "proc/77/fd/3": "->socket:[4242]", "proc/77/comm": "caddy\n"},
			machine{listen(other.Listener.Addr().String())}, "port.taken", checkup.Bad, "caddy"},
		{files{"proc/net/tcp": sockets(taken, "01"), "proc/77/fd/3": "->socket:[4242]", "proc/77/comm": "curl\n"}, // a connection, no listener
			machine{listen(other.Listener.Addr().String())}, "port.taken.hidden", checkup.Bad, ""},

		{nil, nil, "mdns.alone", checkup.OK, ""},
		{files{"proc/net/udp": sockets(5353, "07"), "proc/77/fd/3": "->socket:[4242]", "proc/77/comm": "mafiabox\n"}, nil, "mdns.alone", checkup.OK, ""},
		{files{"proc/net/udp": sockets(5353, "07"), fmt.Sprintf("proc/%d/fd/3", os.Getpid()): "->socket:[4242]", fmt.Sprintf("proc/%d/comm", os.Getpid()): "mb\n"}, nil, "mdns.alone", checkup.OK, ""}, // under another name
		{files{"proc/self/exe": "->/opt/mb", "proc/net/udp": sockets(5353, "07"), "proc/77/fd/3": "->socket:[4242]", "proc/77/comm": "mb\n", "proc/77/exe": "->/opt/mb (deleted)"}, nil, "mdns.alone", checkup.OK, ""},
		{files{"proc/self/exe": "->/opt/mb", "proc/net/udp": sockets(5353, "07"), "proc/77/fd/3": "->socket:[4242]", "proc/77/comm": "mb\n", "proc/77/exe": "->/opt/other"}, nil, "mdns.some", checkup.Note, "mb"},
		{files{"proc/net/udp": sockets(5353, "07"), "proc/77/fd/3": "->socket:[4242]", "proc/77/comm": "avahi-daemon\n"}, nil, "mdns.avahi", checkup.OK, ""},
		{files{"run/avahi-daemon/pid": "77\n", "proc/net/udp": sockets(5353, "07")}, nil, "mdns.avahi", checkup.OK, ""},
		{files{"proc/net/udp6": sockets(5353, "07"), "proc/77/fd/3": "->socket:[4242]", "proc/77/comm": "systemd-resolve\n"}, nil, "mdns.resolved", checkup.Note, ""},
		{files{"proc/net/udp": sockets(5353, "07"), "proc/77/fd/3": "->socket:[4242]", "proc/77/comm": "chromium\n"}, nil, "mdns.some", checkup.Note, "chromium"},
		{files{"proc/net/udp": sockets(5353, "07")}, nil, "mdns.hidden", checkup.Note, ""},
		{files{"proc/net/udp": sockets(5353, "07")}, machine{serving}, "mdns.alone", checkup.OK, ""}, // it is the box's own
		{files{"proc/net/udp": sockets(5354, "07")}, nil, "mdns.alone", checkup.OK, ""},

		{nil, nil, "radio.none", checkup.OK, ""},
		{files{phy: ""}, machine{func(m *checkup.Machine) {
			m.Access = func(string) (bool, int, error) { return false, 0, errors.New("no") }
		}}, "radio.unasked", checkup.Note, "wlan0"},
		{files{phy: "", chip: "0x1234\n", "sys/class/net/wlan0/device/driver": "->/sys/bus/pci/drivers/iwlwifi"}, nil, "radio.guest", checkup.OK, "wlan0 (iwlwifi)"},
		{files{phy: "", chip: "0xa9a6\n"}, nil, "radio.guest.known", checkup.OK, "bear 10"},
		{files{phy: "", chip: "0x1234\n"}, machine{point(3)}, "radio.unknown", checkup.Note, "3 in it"},
		{files{phy: "", chip: "0xa9a6\n"}, machine{point(3)}, "radio.bears", checkup.OK, "chip 43430, is the access point: 3 in it, and it bears 10"},
		{files{phy: "", chip: "0xa9bf\n", fw: "->cyfmac43455-sdio-minimal.bin"}, machine{point(18)}, "radio.bears", checkup.OK, "bears 19"},
		{files{phy: "", chip: "0xa9bf\n", fw: "->cyfmac43455-sdio-standard.bin"}, machine{point(3)}, "radio.standard", checkup.Note, "bears 7"},
		{files{phy: "", chip: "0xa9bf\n"}, machine{point(7)}, "radio.full", checkup.Bad, "7 in it, and it bears 7"},

		{nil, nil, "!hotspot.", "", ""},
		{files{phy: ""}, nil, "hotspot.none", checkup.OK, ""},
		{files{profile: ours, manager: ""}, machine{code("Mafia-KXTR", secret), point(0)}, "hotspot.up", checkup.OK, "Mafia-KXTR on wlan0"},
		{files{profile: ours, manager: ""}, machine{code("Mafia-KXTR", secret)}, "hotspot.down", checkup.Bad, "wlan0"},
		{files{profile: ours, manager: ""}, machine{code("Mafia-KXTR", "another-word"), point(0)}, "hotspot.differs", checkup.Bad, "Mafia-KXTR"},
		{files{profile: ours, manager: ""}, machine{code("Club", secret), point(0)}, "hotspot.differs", checkup.Bad, "Mafia-KXTR"},
		{files{profile: ours, manager: ""}, machine{point(0)}, "hotspot.unshown", checkup.Bad, "Mafia-KXTR"},
		{files{profile: ours}, machine{code("Mafia-KXTR", secret), point(0)}, "hotspot.unmanaged", checkup.Bad, "NetworkManager"},
		{files{profile + "/x": ""}, nil, "hotspot.hidden", checkup.Note, ""}, // what root can't read, either
		{files{profile + "/x": "", phy: ""}, machine{point(0)}, "hotspot.running", checkup.OK, ""},

		{nil, nil, "wifi.none", checkup.Note, ""},
		{nil, machine{code("Mafia-KXTR", secret)}, "wifi.read", checkup.OK, "Mafia-KXTR"},
		{nil, machine{code("Our Club", secret)}, "wifi.odd", checkup.Note, "Our Club"},
		{nil, machine{code("Club-Net", "ABCDEF12")}, "wifi.odd", checkup.Note, "Club-Net"},
		{nil, machine{code("Club-Net", "")}, "wifi.open", checkup.Note, "Club-Net"},

		{nil, nil, "!country.", "", ""},
		{files{phy: ""}, nil, "country.none", checkup.Note, ""},
		{files{phy: "", "boot/firmware/cmdline.txt": "cfg80211.ieee80211_regdom=GB"}, nil, "country.set", checkup.OK, "GB"},

		{nil, nil, "!blocked.", "", ""},
		{files{"sys/class/rfkill/rfkill0/type": "wlan\n", "sys/class/rfkill/rfkill0/soft": "1\n"}, nil, "blocked.soft", checkup.Bad, ""},
		{files{"sys/class/rfkill/rfkill0/type": "wlan\n", "sys/class/rfkill/rfkill0/hard": "1\n"}, nil, "blocked.hard", checkup.Bad, ""},

		{nil, nil, "clock.none", checkup.Note, ""},
		{files{"dev/rtc0": ""}, nil, "clock.chip", checkup.OK, ""},
		{files{"dev/rtc0": "", "sys/class/rtc/rtc0/battery_voltage": "3021000\n"}, nil, "clock.chip", checkup.OK, ""},
		{files{"dev/rtc0": "", "sys/class/rtc/rtc0/battery_voltage": "4000\n"}, nil, "clock.flat", checkup.Note, ""},
		{nil, machine{clock("trusted")}, "clock.trusted", checkup.OK, ""},
		{files{"dev/rtc0": ""}, machine{clock("untrusted")}, "clock.untrusted", checkup.Note, ""},
	} {
		m := checkup.Machine{Root: tree(t, c.files), Listen: ":8080", Name: "Evening", Clock: "auto",
			Access: func(string) (bool, int, error) { return false, 0, nil }}
		places(wlan)(&m)
		for _, change := range c.machine {
			change(&m)
		}
		findings := m.Examine(t.Context())
		at := slices.IndexFunc(findings, func(f checkup.Finding) bool { return f.ID+"."+f.Case == c.want })
		for _, f := range findings {
			if not, ok := strings.CutPrefix(c.want, "!"); ok && strings.HasPrefix(f.ID+"."+f.Case, not) {
				t.Errorf("found %s.%s among %+v", f.ID, f.Case, findings)
			}
			seen[f.ID+"."+f.Case] = true
			said(t, f, secret)
		}
		if strings.HasPrefix(c.want, "!") {
			continue
		}
		if at < 0 {
			t.Errorf("%s is not found among %+v", c.want, findings)
			continue
		}
		if findings[at].State != c.state {
			t.Errorf("%s is %s, want %s", c.want, findings[at].State, c.state)
		}
		if found := texts(t, "en").Found(findings[at]); !strings.Contains(found.Found, c.says) {
			t.Errorf("%s says %q, want %q in it", c.want, found.Found, c.says)
		}
	}
	var all map[string]string
	data, err := static.Files.ReadFile("texts/checkup.en.json")
	if err == nil {
		err = json.Unmarshal(data, &all)
	}
	if err != nil {
		t.Fatal(err)
	}
	for key := range all {
		what, how, ok := strings.Cut(strings.TrimPrefix(key, "checkup."), ".")
		if ok && what != "state" && !seen[what+"."+strings.TrimSuffix(how, ".do")] {
			t.Errorf("%s is never said", key)
		}
	}
	if len(seen) < 50 {
		t.Errorf("only %d findings: %v", len(seen), slices.Sorted(maps.Keys(seen)))
	}
}

// loaded are the texts by language, read once.
var loaded = sync.OnceValues(func() (map[string]server.Texts, error) {
	all := make(map[string]server.Texts)
	for _, lang := range server.Languages {
		texts, err := server.LoadTexts(static.Files, lang)
		if err != nil {
			return nil, err
		}
		all[lang] = texts
	}
	return all, nil
})

func texts(t *testing.T, lang string) server.Texts {
	t.Helper()
	all, err := loaded()
	if err != nil {
		t.Fatal(err)
	}
	return all[lang]
}

// said looks that a finding has words in both languages, and never a password.
func said(t *testing.T, f checkup.Finding, secret string) {
	t.Helper()
	for _, lang := range server.Languages {
		found := texts(t, lang).Found(f)
		text := found.Word + "\n" + found.Heading + "\n" + found.Found + "\n" + found.Do
		if strings.Contains(text, "checkup.") || strings.Contains(text, "<no value>") || found.Found == "" || strings.Contains(text, secret) {
			t.Errorf("%s: %+v says %s", lang, f, text)
		}
		if f.State == checkup.Bad && found.Do == "" {
			t.Errorf("%s: %+v is bad, and there is nothing to do", lang, f)
		}
	}
}

// TestLate: what hangs is left out and said so, and the rest is found.
func TestLate(t *testing.T) {
	end := make(chan struct{})
	defer close(end)
	m := checkup.Machine{Root: tree(t, map[string]string{phy: ""}), Listen: "127.0.0.1:0",
		Access: func(string) (bool, int, error) { <-end; return false, 0, nil }}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	var got []string
	for _, f := range m.Examine(ctx) {
		got = append(got, f.ID+"."+f.Case)
		said(t, f, "?")
	}
	want := []string{"addresses.none", "codes.loopback", "name.unasked", "port.free", "mdns.alone", "radio.late", "hotspot.none", "wifi.none", "country.none", "clock.none"}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestWorst(t *testing.T) {
	for _, c := range []struct{ states, want string }{{"", "ok"}, {"ok", "ok"}, {"ok note ok", "note"}, {"bad note", "bad"}, {"note bad ok", "bad"}} {
		var findings []checkup.Finding
		for _, s := range strings.Fields(c.states) {
			findings = append(findings, checkup.Finding{State: checkup.State(s)})
		}
		if got := checkup.Worst(findings); string(got) != c.want {
			t.Errorf("%q: %s, want %s", c.states, got, c.want)
		}
	}
}
