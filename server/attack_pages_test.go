package server

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// TestAttackForeignNames asks for every page, and sends every form, under names
// that aren't the box's, as a page does whose name was made to lead to the box.
func TestAttackForeignNames(t *testing.T) {
	s := besiege(t)
	s.night()
	names := []string{
		"captive.apple.com", "evil.example:8080", "evil.example.", "203.0.113.9", "203.0.113.9:8080", "192.168.4.1.evil.example:8080", "evil.example.mafia.local",
		"mafia.local.evil.example", "xmafia.local", "mafia.local..", "..mafia.local", "[2001:db8::1]:8080", "[2001:db8::1]", "[192.168.4.1", "0xc0a80401", "3232236545", "192.168.1025", "192.168.4.01",
		"192.168.4.1@evil.example", "evil.example@192.168.4.1", "mafia.local:80;script-src", "mafia.local:99999", "mafia.local:80:80", "0.0.0.0", "[::]", "mafia", "localhost.evil.example", "",
	}
	for _, r := range s.routes() {
		before := s.state()
		for i, name := range names {
			who := []*browser{s.host, s.player}[i%2]
			q := attempt{who: who, query: "?lang=ru&as=host", header: []string{"Host", name, "X-Forwarded-Host", ownHost, "Forwarded", "host=" + ownHost, "X-Host", ownHost, "X-Original-URL", "/static/js/live.js"}}
			if r.method == "POST" {
				q.body = sentForm + "&key=" + who.key()
			}
			what := fmt.Sprintf("%s %s as %q", r.method, r.path, name)
			resp, body := s.send(r.method, r.path, q)
			if strings.Contains(name, "@") && resp.StatusCode == 400 {
				continue
			}
			if resp.StatusCode != http.StatusMisdirectedRequest {
				t.Errorf("%s: status %d", what, resp.StatusCode)
			}
			if resp.Header.Get("Set-Cookie") != "" || resp.Header.Get("Location") != "" {
				t.Errorf("%s: cookie %q, location %q", what, resp.Header.Get("Set-Cookie"), resp.Header.Get("Location"))
			}
			if r.method == "GET" && !strings.Contains(body, "http://"+ownHost+"/") {
				t.Errorf("%s: it doesn't say where the box is", what)
			}
			for _, secret := range append(secrets, s.b.Tables()[0].Code(), who.key()[:32]) {
				if strings.Contains(body, secret) {
					t.Errorf("%s: it holds %q", what, secret)
				}
			}
			for key, values := range resp.Header {
				if value := strings.Join(values, " "); name != "" && strings.Contains(value, name) {
					t.Errorf("%s: the name comes back in %s: %s", what, key, value)
				}
			}
		}
		if now := s.state(); now != before {
			t.Errorf("%s %s: it changed\n%s", r.method, r.path, changed(before, now))
		}
	}
	if resp, _ := s.send("GET", "/static/js/live.js", attempt{header: []string{"Host", "evil.example"}}); resp.StatusCode != http.StatusMisdirectedRequest {
		t.Errorf("a file: status %d", resp.StatusCode)
	}
	for _, name := range []string{"192.168.4.1", ownHost, "mafia.local", "MAFIA.local:8080", "mafia.local.", "mafia.local.:8080", "raspberrypi", "RaspberryPi.local:8080", "localhost:8080", "127.0.0.1:8080", "[::1]:8080", "[::1]", "[::ffff:127.0.0.1]"} {
		resp, body := s.send("GET", "/host", attempt{header: []string{"Host", name, "X-Forwarded-Host", "evil.example", "X-Forwarded-Proto", "gopher"}})
		if resp.StatusCode != 200 || strings.Contains(body, "evil.example") || strings.Contains(fmt.Sprint(resp.Header), "evil.example") {
			t.Errorf("its own name %s: status %d\n%s", name, resp.StatusCode, body)
		}
	}
}

var inline = regexp.MustCompile(`(?i)<script(>| [^>]*>[^<])|<script [^>]*src="(https?:)?//|<style|<[a-z][^>]*\s(style|on[a-z]+|srcdoc)\s*=|javascript:|<(iframe|object|embed|base)\b|<link [^>]*href="(https?:)?//`)

// TestAttackHeaders looks at every route at every moment of a game: no answer may
// be kept, framed, guessed at or referred from, and no page has code of its own.
func TestAttackHeaders(t *testing.T) {
	s := besiege(t)
	visit := func(moment string) {
		t.Helper()
		for _, r := range s.routes() {
			for name, who := range map[string]*browser{"nobody": s.nowhere, "player": s.player, "host": s.host, "screen": s.screen, "owner": s.owner} {
				for _, query := range []string{"", "?for=2&ticket=1"} {
					q := attempt{who: who, query: query}
					if r.method == "POST" {
						if strings.HasSuffix(r.path, "/next") || query != "" || who.cookie == "" {
							continue
						}
						q.body = "verb=nonsense&p1=x&key=" + who.key() // refused, each with a page
					}
					resp, body := s.send(r.method, r.path, q)
					what := fmt.Sprintf("%s: %s %s%s by %s (%d)", moment, r.method, r.path, query, name, resp.StatusCode)
					h := resp.Header
					csp := h.Get("Content-Security-Policy")
					switch {
					case strings.HasPrefix(r.path, "/static/"):
					case h.Get("Cache-Control") != "no-store":
						t.Errorf("%s: Cache-Control %q", what, h.Get("Cache-Control"))
					}
					if h.Get("X-Frame-Options") != "DENY" || h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Referrer-Policy") != "same-origin" ||
						h.Get("Etag")+h.Get("Access-Control-Allow-Origin")+h.Get("X-Powered-By") != "" {
						t.Errorf("%s: headers %v", what, h)
					}
					for _, must := range []string{"default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'"} {
						if !strings.Contains(csp, must) {
							t.Errorf("%s: policy %q", what, csp)
						}
					}
					if strings.Contains(csp, "unsafe") || strings.Contains(csp, "*") || strings.Contains(csp, "data:") {
						t.Errorf("%s: policy %q", what, csp)
					}
					if strings.HasPrefix(h.Get("Content-Type"), "text/html") {
						if found := inline.FindString(body); found != "" {
							t.Errorf("%s: it has code of its own: %q", what, found)
						}
					}
				}
			}
		}
	}
	visit("before the game")
	s.night()
	visit("night")
	s.player.must("POST", "/t/1/night", 303, "p1", "2", "p2", "0")
	s.host.must("POST", "/t/1/host/people", 303, "do", "ticket", "seat", "2")
	s.host.must("POST", "/t/1/host/act", 303, "verb", "close")
	visit("closed")
	s.host.must("POST", "/t/1/host/act", 303, "verb", "dawn")
	s.host.must("POST", "/t/1/host/act", 303, "verb", "speech")
	s.player.must("POST", "/t/1/act", 303, "verb", "nominate", "seat", "3")
	visit("day")
	s.host.must("POST", "/t/1/host/act", 303, "verb", "vote")
	visit("vote")
	s.host.must("POST", "/t/1/host/act", 303, "verb", "stop", "text", "why")
	visit("stopped")
	s.host.must("POST", "/t/1/host/act", 303, "verb", "resume")
	s.host.must("POST", "/t/1/host/act", 303, "verb", "end")
	s.host.must("POST", "/t/1/host/story", 303)
	visit("ended")
	for _, path := range []string{"/nothing", "/t/99", "/static/none", "/static/../templates/seat.html"} {
		if resp, _ := s.send("GET", path, attempt{who: s.player}); resp.StatusCode != 404 || resp.Header.Get("Content-Security-Policy") == "" {
			t.Errorf("%s: %d %v", path, resp.StatusCode, resp.Header)
		}
	}
}
