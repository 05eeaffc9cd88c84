package server

import (
	"encoding/base64"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/mafiabox/mafiabox/engine/rulesets"
	"github.com/mafiabox/mafiabox/server/store"
	"github.com/mafiabox/mafiabox/static"
)

// The tests of attacks on routes take them from the app's own list, so that a
// route that is added is attacked as well.

const ownHost = "192.168.4.1:8080"

// siege is a box with two tables, the first of which is in the night, and
// everybody who may come to its pages.
type siege struct {
	*testing.T
	b                                                     *Box
	host, player, other, screen, owner, stranger, nowhere *browser
}

// sentForm is what a form says besides its token: something that works where it
// may, on each route.
const sentForm = "verb=night&p1=2&do=ticket&seat=2&by=box&name=Intruder&code=SESAME&word=mafia&usual=1"

func besiege(t *testing.T, changes ...func(*Config)) *siege {
	config := Config{
		Store: store.Memory(), Rulesets: rulesets.All, Files: static.Files, Lang: "en", Port: 8080, HostCode: "SESAME", OwnerCode: "OWNER", WiFi: WiFi{"Club", ""},
		Addresses: func() []netip.Addr { return []netip.Addr{netip.MustParseAddr("192.168.4.1")} }, Host: func() string { return "mafia.local" }, Names: []string{"raspberrypi", "raspberrypi.local"},
		Now: time.Now, Log: slog.New(slog.DiscardHandler), Panel: noPanel{},
	}
	for _, change := range changes {
		change(&config)
	}
	b, err := Open(config)
	if err != nil {
		t.Fatal(err)
	}
	s := &siege{T: t, b: b}
	t.Cleanup(func() { s.b.Close() })
	for _, br := range []**browser{&s.host, &s.player, &s.other, &s.screen, &s.owner, &s.stranger, &s.nowhere} {
		*br = &browser{T: t, b: b}
	}
	s.owner.must("POST", "/box", 303, "code", "OWNER")
	s.owner.must("POST", "/box/tables", 303)
	s.other.must("POST", "/host", 303, "code", b.HostCode(b.Tables()[1]))
	s.host.must("POST", "/host", 303, "code", "SESAME")
	s.player.must("POST", "/j/"+b.Tables()[0].Code(), 303, "name", "Quentin")
	for _, name := range []string{"Rosalind", "Siegfried", "Tatyana", "Ulrike"} {
		(&browser{T: t, b: b}).must("POST", "/j/"+b.Tables()[0].Code(), 303, "name", name)
	}
	_, code, _ := strings.Cut(s.screen.must("GET", "/screen", 200), `class="pair" translate="no">`)
	s.host.must("POST", "/t/1/host/screen", 303, "code", code[:4])
	s.stranger.must("GET", "/", 200)
	return s
}

// night deals by hand and begins the night.
func (s *siege) night() {
	s.Helper()
	s.host.must("POST", "/t/1/host/deal", 303, "by", "hand", "role1", "don", "role2", "doctor", "role3", "commissioner", "role4", "civilian", "role5", "civilian")
	s.host.must("POST", "/t/1/host/act", 303, "verb", "night")
}

type noPanel struct{}

func (noPanel) Shows() (PanelNow, []PanelShow) {
	return PanelNow{Cue: "night", Lights: "night", Lamp: "blinks"}, nil
}
func (noPanel) Press(time.Duration)    {}
func (noPanel) Drawn() bool            { return true }
func (noPanel) About() (string, []any) { return "panel.is.drawn", nil }
func (noPanel) Held() bool             { return false }
func (noPanel) Cues() []string         { return []string{"night"} }
func (noPanel) Rhythm(string) string   { return "—" }

// state is all that a form may change.
func (s *siege) state() string {
	text := ""
	for _, t := range s.b.Tables() {
		m := t.now.Load()
		text += fmt.Sprintf("%s %s %q %q", t.id, m.doc.encode(), m.of(), m.frozen)
		if m.plays() {
			text += fmt.Sprint(len(m.game.Log()))
		}
	}
	s.b.mu.Lock()
	defer s.b.mu.Unlock()
	return text + fmt.Sprint(len(s.b.owners), len(s.b.pairings), len(s.b.tickets), len(s.b.codes), len(s.b.told), len(s.b.club.Sets))
}

// changed is where two states differ.
func changed(before, now string) string {
	i := 0
	for i < len(before) && i < len(now) && before[i] == now[i] {
		i++
	}
	from := max(0, i-60)
	return before[from:min(len(before), i+60)] + "\ninto\n" + now[from:min(len(now), i+60)]
}

// route is one of the app's, with an address that it answers.
type route struct{ method, pattern, path string }

func (s *siege) routes() (all []route) {
	fill := strings.NewReplacer(":table", "1", ":code", s.b.Tables()[0].Code(), ":name", "awake.mp4", ":seat", "3", ":game", "1")
	for _, r := range s.b.app.GetRoutes(true) {
		all = append(all, route{r.Method, r.Path, fill.Replace(r.Path)})
	}
	if len(all) < 30 {
		s.Fatalf("only %d routes", len(all))
	}
	return all
}

// attempt is a request and who sends it.
type attempt struct {
	who    *browser
	header []string // pairs; Host and Cookie, too
	query  string
	body   string
}

// key is the client key with the visitor's token.
func (br *browser) key() string {
	_, value, _ := strings.Cut(br.cookie, "=")
	token, _ := base64.RawURLEncoding.DecodeString(value)
	return formToken(hash(token)) + "-x"
}

func (s *siege) send(method, path string, q attempt) (*http.Response, string) {
	s.Helper()
	r := httptest.NewRequest(method, path+q.query, strings.NewReader(q.body))
	r.Host = ownHost
	if q.body != "" {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if q.who != nil && q.who.cookie != "" {
		r.Header.Set("Cookie", q.who.cookie)
	}
	for i := 0; i+1 < len(q.header); i += 2 {
		if q.header[i] == "Host" {
			r.Host = q.header[i+1]
		}
		r.Header.Set(q.header[i], q.header[i+1])
	}
	resp, err := s.b.app.Test(r, 5000)
	if err != nil {
		s.Fatalf("%s %s %q: %v", method, path, q.header, err)
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	return resp, string(body)
}

// secrets are what a page may hold for those alone who sit at the table.
var secrets = []string{"Quentin", "Rosalind", "Siegfried", "Commissioner", "Doctor", "role 1"}

func (s *siege) tellsNothing(what, body string) {
	s.Helper()
	for _, secret := range secrets {
		if strings.Contains(body, secret) {
			s.Errorf("%s: it holds %q", what, secret)
		}
	}
}

// TestAttackHostRoutes asks for every page of the host and sends every form of
// his, without a cookie and with the cookies of everybody else.
func TestAttackHostRoutes(t *testing.T) {
	s := besiege(t)
	s.night()
	asked := 0
	for _, r := range s.routes() {
		if !strings.HasPrefix(r.pattern, "/t/:table/host") {
			continue
		}
		asked++
		for name, who := range map[string]*browser{"nobody": s.nowhere, "a stranger": s.stranger, "a player": s.player, "another table's host": s.other, "the screen": s.screen} {
			what := fmt.Sprintf("%s %s by %s", r.method, r.path, name)
			before := s.state()
			for _, q := range []attempt{{who: who}, {who: who, query: "?for=1&as=host"}, {who: who, header: []string{"X-Mafiabox", "live"}}} {
				if r.method == "POST" && who.cookie != "" {
					q.body = sentForm + "&key=" + who.key()
				}
				resp, body := s.send(r.method, r.path, q)
				if resp.StatusCode != 403 && !(r.method == "GET" && resp.StatusCode == 303 && resp.Header.Get("Location") == "/host") {
					t.Errorf("%s: status %d", what, resp.StatusCode)
				}
				s.tellsNothing(what, body)
				if resp.Header.Get("Set-Cookie") != "" && r.method == "POST" {
					t.Errorf("%s: it sets a cookie", what)
				}
			}
			if now := s.state(); now != before {
				t.Errorf("%s: it changed\n%s", what, changed(before, now))
			}
		}
		if r.method == "GET" { // and the host gets it
			want := 200
			if r.path == "/t/1/host/sheet" || r.path == "/t/1/host/game.json" || r.path == "/t/1/host/letters" { // no game that has them
				want = 404
			}
			if r.path == "/t/1/host/change" { // only a form shows a change; whoever comes back to its address is led to the console
				want = 303
			}
			if resp, _ := s.send(r.method, r.path, attempt{who: s.host}); resp.StatusCode != want {
				t.Errorf("%s by the host: status %d", r.path, resp.StatusCode)
			}
		}
	}
	if asked < 15 {
		t.Errorf("only %d routes of the host", asked)
	}
	// The owner's tables, by all who are not the owner.
	for name, who := range map[string]*browser{"nobody": s.nowhere, "a stranger": s.stranger, "a player": s.player, "a host": s.host, "the screen": s.screen} {
		before := s.state()
		q := attempt{who: who}
		resp, body := s.send("GET", "/box", q)
		if strings.Contains(body, s.b.HostCode(s.b.Tables()[1])) || strings.Contains(body, s.b.Tables()[1].Code()) || resp.StatusCode != 200 {
			t.Errorf("/box by %s: status %d\n%s", name, resp.StatusCode, body)
		}
		if who.cookie != "" {
			q.body = sentForm + "&key=" + who.key()
		}
		if resp, _ := s.send("POST", "/box/tables", q); resp.StatusCode != 403 {
			t.Errorf("/box/tables by %s: status %d", name, resp.StatusCode)
		}
		if now := s.state(); now != before {
			t.Errorf("the owner's by %s: it changed\n%s", name, changed(before, now))
		}
	}
}

// TestAttackForeignForms sends every form of the app as another site could make
// a browser send it: with the cookie, and without what only the box's own pages
// know, or from another place than them.
func TestAttackForeignForms(t *testing.T) {
	s := besiege(t)
	s.night()
	w := words{s.b.texts.in("en")}
	forms := 0
	for _, r := range s.routes() {
		if r.method != "POST" {
			continue
		}
		forms++
		who := s.stranger // who may send it
		switch {
		case strings.HasPrefix(r.path, "/t/1/host"):
			who = s.host
		case strings.HasPrefix(r.path, "/t/1"):
			who = s.player
		case strings.HasPrefix(r.path, "/box/"):
			who = s.owner
		}
		key := "&key=" + who.key()
		json := `{"verb":"night","p1":"2","name":"Intruder","code":"SESAME","key":"` + who.key() + `"}`
		part := "--b\r\nContent-Disposition: form-data; name=\"key\"\r\n\r\n" + who.key() + "\r\n--b\r\nContent-Disposition: form-data; name=\"verb\"\r\n\r\nnight\r\n--b--\r\n"
		before := s.state()
		for name, q := range map[string]attempt{
			"no token":                {who: who, body: sentForm},
			"a key without the token": {who: who, body: sentForm + "&key=night1"},
			"an empty form":           {who: who},
			"another one's token":     {who: who, body: sentForm + "&key=" + s.other.key()},
			"half of the token":       {who: who, body: sentForm + key[:21]},
			"the token without the cookie": {
				body: sentForm + key},
			"the token in the address":     {who: who, body: sentForm, query: "?" + key[1:]},
			"the token in a header":        {who: who, body: sentForm, header: []string{"key", who.key()}},
			"JSON":                         {who: who, body: json, header: []string{"Content-Type", "application/json"}},
			"text/plain":                   {who: who, body: sentForm + key, header: []string{"Content-Type", "text/plain"}},
			"no type":                      {who: who, body: sentForm + key, header: []string{"Content-Type", ""}},
			"parts":                        {who: who, body: part, header: []string{"Content-Type", "multipart/form-data; boundary=b"}},
			"a foreign Origin":             {who: who, body: sentForm + key, header: []string{"Origin", "http://evil.example"}},
			"an Origin of another port":    {who: who, body: sentForm + key, header: []string{"Origin", "http://192.168.4.1:9999"}},
			"an Origin that begins alike":  {who: who, body: sentForm + key, header: []string{"Origin", "http://192.168.4.1:8080.evil.example"}},
			"an Origin with a user":        {who: who, body: sentForm + key, header: []string{"Origin", "http://192.168.4.1:8080@evil.example"}},
			"the Origin null":              {who: who, body: sentForm + key, header: []string{"Origin", "null"}},
			"an Origin that is none":       {who: who, body: sentForm + key, header: []string{"Origin", "http://%zz"}},
			"cross-site":                   {who: who, body: sentForm + key, header: []string{"Sec-Fetch-Site", "cross-site"}},
			"same-site":                    {who: who, body: sentForm + key, header: []string{"Sec-Fetch-Site", "same-site"}},
			"another method in the header": {who: who, body: sentForm, header: []string{"X-HTTP-Method-Override", "GET", "X-Mafiabox", "live"}},
		} {
			if name == "parts" && r.path == uploadPath { // the one form that comes so
				continue
			}
			resp, body := s.send("POST", r.path, q)
			if resp.StatusCode != 403 || resp.Header.Get("Set-Cookie") != "" {
				t.Errorf("%s with %s: status %d, cookie %q", r.path, name, resp.StatusCode, resp.Header.Get("Set-Cookie"))
			}
			s.tellsNothing(r.path+" with "+name, body)
		}
		for _, method := range []string{"PUT", "PATCH", "DELETE", "OPTIONS"} {
			resp, _ := s.send(method, r.path, attempt{who: who, body: sentForm + key})
			if resp.StatusCode < 400 || resp.Header.Get("Access-Control-Allow-Origin") != "" {
				t.Errorf("%s %s: status %d", method, r.path, resp.StatusCode)
			}
		}
		for _, method := range []string{"GET", "HEAD"} { // what a link may do
			s.send(method, r.path, attempt{who: who, query: "?" + sentForm + key})
		}
		if now := s.state(); now != before {
			t.Errorf("%s: it changed\n%s", r.path, changed(before, now))
		}
		if r.path == "/t/1/night" || r.path == "/box/tables" { // and the box's own page may
			if resp, body := s.send("POST", r.path, attempt{who: who, body: sentForm + key, header: []string{"Origin", "http://" + ownHost, "Sec-Fetch-Site", "same-origin"}}); resp.StatusCode != 303 || strings.Contains(body, w.T("problem.strange_form")) {
				t.Errorf("%s from its own page: status %d\n%s", r.path, resp.StatusCode, body)
			}
		}
	}
	if forms < 15 {
		t.Errorf("only %d forms", forms)
	}
}
