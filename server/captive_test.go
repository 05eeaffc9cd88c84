package server

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mafiabox/mafiabox/server/lan"
)

const (
	appleSuccess = "<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>\n"
	nmOnline     = "NetworkManager is online\n"
	nmHeader     = "X-Networkmanager-Status"
	wispr        = "CaptiveNetworkSupport-443.120.2 wispr"
	dalvik       = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/60.0.3112.32 Safari/537.36"
	firefox      = "Mozilla/5.0 (Android 14; Mobile; rv:128.0) Gecko/128.0 Firefox/128.0"
)

// probes are what systems ask as they ask it, and what they take for a yes.
var probes = []struct {
	url, agent string
	status     int
	body       string
	header     string // that must say "online"
}{
	{"captive.apple.com/hotspot-detect.html", wispr, 200, appleSuccess, ""},
	{"captive.apple.com/library/test/success.html", wispr, 200, appleSuccess, ""},
	{"www.apple.com/library/test/success.html", wispr, 200, appleSuccess, ""},
	{"www.appleiphonecell.com/library/test/success.html", wispr, 200, appleSuccess, ""},
	{"www.itools.info/library/test/success.html", wispr, 200, appleSuccess, ""},
	{"www.ibook.info/library/test/success.html", wispr, 200, appleSuccess, ""},
	{"www.airport.us/library/test/success.html", wispr, 200, appleSuccess, ""},
	{"www.thinkdifferent.us/library/test/success.html", wispr, 200, appleSuccess, ""},
	{"connectivitycheck.gstatic.com/generate_204", dalvik, 204, "", ""},
	{"connectivitycheck.gstatic.com:80/generate_204", dalvik, 204, "", ""},
	{"ConnectivityCheck.GStatic.com./generate_204", dalvik, 204, "", ""},
	{"connectivitycheck.android.com/generate_204", dalvik, 204, "", ""},
	{"connectivitycheck.android.com/gen_204", dalvik, 204, "", ""},
	{"clients1.google.com/generate_204", dalvik, 204, "", ""},
	{"clients3.google.com/generate_204", dalvik, 204, "", ""},
	{"clients4.google.com/generate_204", dalvik, 204, "", ""},
	{"www.google.com/gen_204", dalvik, 204, "", ""},
	{"www.google.com/generate_204", dalvik, 204, "", ""},
	{"play.googleapis.com/generate_204", dalvik, 204, "", ""},
	{"www.gstatic.com/generate_204", dalvik, 204, "", ""},
	{"connect.rom.miui.com/generate_204", "Dalvik/2.1.0 (Linux; U; Android 13; 2201117TG)", 204, "", ""},
	{"connectivitycheck.platform.hicloud.com/generate_204", dalvik, 204, "", ""},
	{"wifi.vivo.com.cn/generate_204", dalvik, 204, "", ""},
	{"conn1.coloros.com/generate_204", dalvik, 204, "", ""},
	{"fireoscaptiveportal.com/generate_204", dalvik, 204, "", ""},
	{"www.msftconnecttest.com/connecttest.txt", "Microsoft NCSI", 200, "Microsoft Connect Test", ""},
	{"ipv6.msftconnecttest.com/connecttest.txt", "Microsoft NCSI", 200, "Microsoft Connect Test", ""},
	{"www.msftncsi.com/ncsi.txt", "Microsoft NCSI", 200, "Microsoft NCSI", ""},
	{"ipv6.msftncsi.com/ncsi.txt", "Microsoft NCSI", 200, "Microsoft NCSI", ""},
	{"detectportal.firefox.com/success.txt", firefox, 200, "success\n", ""},
	{"detectportal.firefox.com/success.txt?ipv4", firefox, 200, "success\n", ""},
	{"detectportal.firefox.com/canonical.html", firefox, 200, `<meta http-equiv="refresh" content="0;url=https://support.mozilla.org/kb/captive-portal"/>`, ""},
	{"nmcheck.gnome.org/check_network_status.txt", "", 200, nmOnline, nmHeader},
	{"network-test.debian.org/nm", "", 200, nmOnline, nmHeader},
	{"ping.archlinux.org/nm-check.txt", "", 200, nmOnline, nmHeader},
	{"connectivity-check.ubuntu.com/", "", 204, "", nmHeader},
	{"fedoraproject.org/static/hotspot.txt", "", 200, "OK\n", nmHeader},
	{"networkcheck.kde.org/", "Mozilla/5.0", 200, "OK\n", nmHeader},
	{"ipv4.connman.net/online/status.html", "ConnMan/1.42 wispr", 200, "<html><body></body></html>\n", "X-Connman-Status"},
}

// listening is a box on a socket, which phones reach from addresses of their own.
type listening struct {
	*siege
	at  string
	now *atomic.Int64 // seconds that have gone
}

func listen(t *testing.T, policy Captive) *listening {
	began, now := time.Now(), new(atomic.Int64)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	at := l.Addr().String()
	s := besiege(t, func(c *Config) {
		c.Captive = policy
		c.Now = func() time.Time { return began.Add(time.Duration(now.Load()) * time.Second) }
		c.Addresses = func() []netip.Addr { return []netip.Addr{netip.MustParseAddr("192.168.4.1")} }
	})
	go s.b.Serve(l)
	return &listening{s, at, now}
}

// ask asks from an address as a phone does that believes to be elsewhere.
func (l *listening) ask(from, method, url, agent string, header ...string) (*http.Response, string) {
	l.Helper()
	host, path, _ := strings.Cut(url, "/")
	r, err := http.NewRequest(method, "http://"+l.at+"/"+path, nil)
	if err != nil {
		l.Fatal(err)
	}
	r.Host = host
	r.Header.Set("User-Agent", agent)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	line := &http.Transport{DisableKeepAlives: true, DisableCompression: true, DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return dialer.DialContext(ctx, network, l.at)
	}}
	resp, err := line.RoundTrip(r) // which follows nothing
	if err != nil {
		l.Fatalf("%s %s: %v", method, url, err)
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	what := fmt.Sprintf("%s %s (%d)", method, url, resp.StatusCode)
	if got := resp.Header.Get("Cache-Control"); got != "no-store" {
		l.Errorf("%s: Cache-Control %q", what, got)
	}
	if resp.Header.Get("Set-Cookie")+resp.Header.Get("Location") != "" {
		l.Errorf("%s: cookie %q, location %q", what, resp.Header.Get("Set-Cookie"), resp.Header.Get("Location"))
	}
	l.tellsNothing(what, string(body))
	return resp, string(body)
}

// isHere checks the small page: where the box is, and nothing that asks for more.
func (l *listening) isHere(what string, resp *http.Response, status int, body string) {
	l.Helper()
	if resp.StatusCode != status || !strings.Contains(body, "http://"+ownHost+"/") || !strings.Contains(body, "You are here") {
		l.Errorf("%s: %d, want %d\n%s", what, resp.StatusCode, status, body)
	}
	if found := regexp.MustCompile(`(?i)<(script|form|iframe|img|input|button)|\burl=`).FindString(body); found != "" {
		l.Errorf("%s: the page has %q", what, found)
	}
	if len(body) > 3<<10 {
		l.Errorf("%s: %d bytes", what, len(body))
	}
}

func (l *listening) isFine(from string) {
	l.Helper()
	for _, p := range probes {
		resp, body := l.ask(from, "GET", p.url, p.agent)
		if resp.StatusCode != p.status || body != p.body || p.header != "" && resp.Header.Get(p.header) != "online" {
			l.Errorf("%s: %d %q %v, want %d %q", p.url, resp.StatusCode, body, resp.Header, p.status, p.body)
		}
		if resp, body := l.ask(from, "HEAD", p.url, p.agent); resp.StatusCode != p.status || body != "" {
			l.Errorf("HEAD %s: %d %q", p.url, resp.StatusCode, body)
		}
	}
}

func TestCaptiveSuccess(t *testing.T) {
	l := listen(t, "")
	l.isFine("127.0.0.2")
	// Real sites and the pages that a system opens for people: none of them a probe.
	for _, url := range []string{"captive.apple.com/", "captive.apple.com/other", "www.apple.com/", "www.google.com/", "www.google.com/generate_2040", "www.msftconnecttest.com/redirect", "xcaptive.apple.com/hotspot-detect.html", "captive.apple.com.evil.example/hotspot-detect.html", "example.com/generate_204", "detectportal.firefox.com/"} {
		resp, body := l.ask("127.0.0.2", "GET", url, dalvik)
		l.isHere(url, resp, 421, body)
	}
	if resp, body := l.ask("127.0.0.2", "GET", ownHost+"/generate_204", dalvik); resp.StatusCode != 404 {
		t.Errorf("under its own name: %d %q", resp.StatusCode, body)
	}
}

func TestCaptiveOff(t *testing.T) {
	l := listen(t, CaptiveOff)
	for _, p := range probes {
		resp, body := l.ask("127.0.0.2", "GET", p.url, p.agent)
		l.isHere(p.url, resp, 421, body)
		if strings.Contains(body, "<a ") {
			t.Errorf("%s: a link, and the sheet would open it", p.url)
		}
	}
}

// TestCaptiveOnce: each phone gets the sheet with whatever it asks in the first
// minute, in any order, and never again that evening.
func TestCaptiveOnce(t *testing.T) {
	l := listen(t, CaptiveOnce)
	for i, p := range probes {
		from := fmt.Sprintf("127.0.1.%d", i+1)
		resp, body := l.ask(from, "GET", p.url, p.agent)
		l.isHere(p.url, resp, 200, body)
		if !strings.Contains(body, `content="61"`) || strings.Contains(body, "<a ") {
			t.Errorf("%s: no sheet:\n%s", p.url, body)
		}
		if resp, body := l.ask(from, "HEAD", p.url, p.agent); resp.StatusCode != 200 || body != "" || resp.Header.Get(p.header) == "online" {
			t.Errorf("HEAD %s: %d %v", p.url, resp.StatusCode, resp.Header)
		}
	}
	l.now.Store(40)
	resp, body := l.ask("127.0.1.1", "GET", "connectivitycheck.gstatic.com/generate_204", dalvik)
	l.isHere("a second probe", resp, 200, body)
	l.now.Store(61)
	l.isFine("127.0.1.1")
	resp, body = l.ask("127.0.9.9", "GET", "captive.apple.com/hotspot-detect.html", wispr)
	l.isHere("another phone", resp, 200, body)
	l.now.Store(7 * 3600)
	l.isFine("127.0.1.2")
	l.now.Store(9 * 3600)
	resp, body = l.ask("127.0.1.3", "GET", "captive.apple.com/hotspot-detect.html", wispr)
	l.isHere("the next evening", resp, 200, body)
}

// TestSheetsAreBounded: any number of addresses fills no memory, and most of
// those that are known stay known.
func TestSheetsAreBounded(t *testing.T) {
	s, now := sheets{since: make(map[string]time.Time)}, time.Now()
	for i := range 3 * maxSheets {
		s.due(fmt.Sprint("gone", i), now)
	}
	if len(s.since) > maxSheets {
		t.Errorf("%d addresses are remembered", len(s.since))
	}
	now = now.Add(sheetForget)
	if s.due("new", now); len(s.since) != 1 {
		t.Errorf("%d are left of another evening", len(s.since))
	}
	for i := range maxSheets + 10 {
		s.due(fmt.Sprint("here", i), now)
	}
	again := 0
	for i := range maxSheets + 10 {
		if s.due(fmt.Sprint("here", i), now.Add(2*sheetLasts)) {
			again++
		}
	}
	if again > maxSheets/2 {
		t.Errorf("%d of %d see the sheet twice", again, maxSheets+10)
	}
}

// TestHere: under a foreign name there is one page for everybody, in the
// visitor's language, with the code of a table that can be joined.
func TestHere(t *testing.T) {
	l := listen(t, "")
	first, second := l.b.Tables()[0].Code(), l.b.Tables()[1].Code()
	seat, _, _ := strings.Cut(l.player.cookie, ";")
	for _, method := range []string{"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"} {
		for _, url := range []string{"example.com/", "example.com/t/1?lang=ru", "evil.example/t/1/host", "captive.apple.com/j/" + first, "203.0.113.9/join", "example.com/static/js/live.js"} {
			resp, body := l.ask("127.0.0.2", method, url, dalvik, "Cookie", seat)
			if resp.StatusCode != 421 {
				t.Errorf("%s %s: %d", method, url, resp.StatusCode)
			}
			if method == "GET" && (!strings.Contains(body, first) || strings.Contains(body, second)) {
				t.Errorf("%s: not the code of the first table that can be joined:\n%s", url, body)
			}
		}
	}
	for _, probe := range []string{"captive.apple.com/hotspot-detect.html", "connectivitycheck.gstatic.com/generate_204"} {
		resp, body := l.ask("127.0.0.2", "POST", probe, dalvik)
		l.isHere("POST "+probe, resp, 421, body)
	}
	if _, body := l.ask("127.0.0.2", "GET", "example.com/", dalvik, "Accept-Language", "ru-RU,ru"); !strings.Contains(body, "Вы на месте") || !strings.Contains(body, `<a href="http://`+ownHost+`/"`) {
		t.Errorf("in Russian, with a link for a browser:\n%s", body)
	}
	if resp, body := l.ask("127.0.0.2", "GET", "example.com/t/1/act", dalvik, "X-Mafiabox", "live"); resp.StatusCode != 421 || strings.Contains(body, "<") || !strings.Contains(body, ownHost) {
		t.Errorf("a page's script: %d %q", resp.StatusCode, body)
	}
	resp, body := l.ask("127.0.0.2", "GET", "captive.apple.com"+hereStyle, dalvik)
	if resp.StatusCode != 200 || !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/css") || !strings.Contains(body, ".here") {
		t.Errorf("its style: %d %v", resp.StatusCode, resp.Header)
	}
	l.night()
	if _, body := l.ask("127.0.0.2", "GET", "example.com/", dalvik); strings.Contains(body, first) || !strings.Contains(body, second) {
		t.Errorf("with a game on at the first table:\n%s", body)
	}
	// An address in the request line that names another host than the header.
	conn, err := net.Dial("tcp", l.at)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "GET http://captive.apple.com/t/1?lang=ru HTTP/1.1\r\nHost: %s\r\nConnection: close\r\nCookie: %s\r\n\r\n", ownHost, seat)
	answer, _ := io.ReadAll(conn)
	if text := string(answer); !strings.HasPrefix(text, "HTTP/1.1 421 ") || strings.Contains(text, "Set-Cookie") || strings.Contains(text, "Quentin") {
		t.Errorf("%s", text)
	}
}

// TestProbes checks the list itself, which also goes to the network's names.
func TestProbes(t *testing.T) {
	hosts := lan.ProbeHosts()
	for _, host := range hosts {
		if host != plainHost(host) || !regexp.MustCompile(`^[a-z0-9-]+(\.[a-z0-9-]+)+$`).MatchString(host) {
			t.Errorf("%q is no host name as it is looked up", host)
		}
	}
	for _, host := range []string{"www.google.com", "www.apple.com", "fedoraproject.org", ""} { // they have other things as well
		if slices.Contains(hosts, host) {
			t.Errorf("a box with internet takes %q away", host)
		}
	}
	seen := make(map[string]bool)
	for _, p := range lan.Probes {
		for _, host := range p.Hosts {
			for _, path := range p.Paths {
				if seen[host+path] || !strings.HasPrefix(path, "/") || p.Who == "" {
					t.Errorf("%s asks %s%s: twice, or no path", p.Who, host, path)
				}
				seen[host+path] = true
			}
		}
		if a := p.Answer; a.Status != 200 && a.Status != 204 || a.Status == 204 && a.Body != "" || a.Status == 200 && a.Type == "" {
			t.Errorf("%s: %+v", p.Who, a)
		}
	}
}
