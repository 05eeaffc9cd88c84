package server

import (
	"encoding/base64"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/boulevard"
	"github.com/mafiabox/mafiabox/server/store"
	"github.com/mafiabox/mafiabox/static"
)

// browser speaks to a box's pages without a network.
type browser struct {
	*testing.T
	b      *Box
	cookie string
	forms  int // sent
}

func (br *browser) ask(method, path string, form url.Values) (int, string) {
	br.Helper()
	if method == http.MethodPost {
		if br.cookie == "" {
			br.ask("GET", "/", nil)
		}
		_, value, _ := strings.Cut(br.cookie, "=")
		token, err := base64.RawURLEncoding.DecodeString(value)
		if err != nil {
			br.Fatal(err)
		}
		br.forms++
		form.Set("key", formToken(hash(token))+fmt.Sprint("-", br.forms))
	}
	r := httptest.NewRequest(method, path, strings.NewReader(form.Encode()))
	r.Host = "192.168.4.1:8080"
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Cookie", br.cookie)
	resp, err := br.b.app.Test(r, 5000)
	if err != nil {
		br.Fatal(err)
	}
	defer resp.Body.Close()
	for _, c := range resp.Cookies() {
		if c.Name == cookieName {
			br.cookie = (&http.Cookie{Name: c.Name, Value: c.Value}).String()
		}
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		br.Fatal(err)
	}
	return resp.StatusCode, string(body)
}

func (br *browser) must(method, path string, want int, pairs ...string) string {
	br.Helper()
	form := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		form.Add(pairs[i], pairs[i+1])
	}
	status, body := br.ask(method, path, form)
	if status != want {
		br.Fatalf("%s %s %v: %d\n%s", method, path, form, status, body)
	}
	return body
}

// TestNewRole adds a role to a copy of the role table and plays it through
// pages and texts: nothing else of the program is touched.
func TestNewRole(t *testing.T) {
	bodyguard := boulevard.Role{RoleInfo: engine.RoleInfo{Role: "bodyguard", Side: boulevard.Town}, Does: []engine.Verb{engine.Heal}}
	rules := boulevard.Rules{Table: append(slices.Clone(boulevard.Table), bodyguard)}
	s := store.Memory()
	config := Config{
		Store: s, Rulesets: []engine.Ruleset{rules}, Files: static.Files, Lang: "en", Port: 8080, HostCode: "SESAME",
		Texts:     map[string]map[string]string{"en": {"role.bodyguard": "Bodyguard"}, "ru": {"role.bodyguard": "Телохранитель"}},
		Addresses: func() []netip.Addr { return []netip.Addr{netip.MustParseAddr("192.168.4.1")} },
		Now:       time.Now, Log: slog.New(slog.DiscardHandler),
	}
	b, err := Open(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })

	host := &browser{T: t, b: b}
	host.must("POST", "/host", 303, "code", "SESAME")
	var players []*browser
	for _, name := range []string{"Ann", "Bob", "Cid", "Dan", "Eve"} {
		p := &browser{T: t, b: b}
		p.must("POST", "/j/"+b.Tables()[0].Code(), 303, "name", name)
		players = append(players, p)
	}
	if page := host.must("GET", "/t/1/host", 200); !strings.Contains(page, "Bodyguard") {
		t.Error("the lobby does not list the role")
	}
	host.must("POST", "/t/1/host/deal", 303, "by", "hand", "role1", "don", "role2", "doctor", "role3", "bodyguard", "role4", "civilian", "role5", "civilian")
	if page := players[2].must("GET", "/t/1?lang=ru", 200); !strings.Contains(page, "Телохранитель") || strings.Contains(page, "Доктор") {
		t.Error("the seat is not told its role in Russian")
	}
	host.must("POST", "/t/1/host/act", 303, "verb", "night")
	forms := make(map[int]int)
	for _, p := range players {
		forms[strings.Count(p.must("GET", "/t/1", 200), `class="pick"`)]++
	}
	if len(forms) != 1 || forms[2] != 5 {
		t.Errorf("the night's forms have different picks: %v", forms)
	}
	// One shot and two protections: nobody falls, and the story says why.
	players[0].must("POST", "/t/1/night", 303, "p1", "4", "p2", "2")
	players[1].must("POST", "/t/1/night", 303, "p1", "5", "p2", "0")
	players[2].must("POST", "/t/1/night", 303, "p1", "4", "p2", "0")
	host.must("POST", "/t/1/host/act", 303, "verb", "dawn")
	if news := b.Tables()[0].now.Load().game.Seen(engine.All).News; len(news) != 1 || news[0].Kind != engine.Stay {
		t.Errorf("the bodyguard protects nobody: %v", news)
	}
	host.must("POST", "/t/1/host/act", 303, "verb", "end")
	if page := players[4].must("GET", "/t/1", 200); !strings.Contains(page, "Bodyguard") {
		t.Error("the story does not name the role")
	}
	again, err := Open(config)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if m := again.Tables()[0].now.Load(); m.frozen != "" || !m.game.Ended() {
		t.Errorf("after a restart: frozen %q", m.frozen)
	}
}
