package server

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/mafiabox/mafiabox/server/store"
	"github.com/mafiabox/mafiabox/static"
)

// logText is what the box has logged.
type logText struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logText) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logText) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// sickPanel fails when it is drawn.
type sickPanel struct {
	noPanel
	sick *atomic.Bool
}

func (p sickPanel) Shows() (PanelNow, []PanelShow) {
	if p.sick.Load() {
		panic("the panel of Quentin")
	}
	return p.noPanel.Shows()
}

// TestAttackLog provokes every error that is logged, in the night of a game, and
// looks in the log, at its most talkative, for what nobody may read there.
func TestAttackLog(t *testing.T) {
	log := &logText{}
	disk := &flaky{Store: store.Memory()}
	var sick atomic.Bool
	files := fstest.MapFS{}
	for _, name := range []string{"entry", "host", "layout", "parts", "screen", "seat", "style"} {
		text, err := static.Files.ReadFile("templates/" + name + ".html")
		if err != nil {
			t.Fatal(err)
		}
		if name == "seat" { // fails in the middle of a page, at who has chosen
			text = bytes.Replace(text, []byte(`{{define "seat-read"}}`), []byte(`{{define "seat-read"}}{{if .Sent}}{{index .Role 99}}{{end}}`), 1)
		}
		files["templates/"+name+".html"] = &fstest.MapFile{Data: text}
	}
	for _, name := range []string{"en.json", "ru.json", "roles.en.json", "roles.ru.json", "screen.en.json", "screen.ru.json"} {
		text, err := static.Files.ReadFile("texts/" + name)
		if err != nil {
			t.Fatal(err)
		}
		files["texts/"+name] = &fstest.MapFile{Data: text}
	}
	s := besiege(t, func(c *Config) {
		c.Log = slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug, AddSource: true}))
		c.Store, c.Files, c.Panel = disk, files, sickPanel{sick: &sick}
	})
	s.night()
	ticket, err := s.b.newTicket(s.b.Tables()[0], 2)
	if err != nil {
		t.Fatal(err)
	}
	everybody := []*browser{s.nowhere, s.stranger, s.player, s.host, s.other, s.screen, s.owner}
	visit := func() {
		for _, r := range s.routes() {
			for _, who := range everybody {
				for _, query := range []string{"", "?for=2", "?key=" + who.key() + "&code=" + ticket} {
					q := attempt{who: who, query: query, header: []string{"Referer", "http://" + ownHost + "/x?" + who.key(), "User-Agent", "civilian"}}
					if r.method == "POST" && query == "" {
						q.body = sentForm + "&seat=2&seat=banana&key=" + who.key()
					}
					if !strings.HasSuffix(r.path, "/sets") {
						s.send(r.method, r.path, q)
					}
				}
			}
		}
	}
	disk.set(true, 0)
	visit()
	s.player.ask("POST", "/t/1/night", map[string][]string{"p1": {"2"}, "p2": {"0"}})
	disk.set(false, 0)
	sick.Store(true)
	s.host.ask("GET", "/t/1/host", nil)
	sick.Store(false)
	s.player.must("POST", "/t/1/night", 303, "p1", "2", "p2", "0")
	s.host.must("POST", "/t/1/host/act", 303, "verb", "close")
	if status, _ := s.player.ask("GET", "/t/1", nil); status != 500 {
		t.Errorf("the broken page has status %d", status)
	}
	// A broken invariant freezes the table.
	if err := s.b.Tables()[0].Do("", func(*draft) error { panic("broken") }); err == nil {
		t.Error("a broken invariant goes on")
	}
	time.Sleep(10 * time.Millisecond)

	text := log.String()
	for _, must := range []string{"disk on fire", "page broke", "table frozen", "page failed"} {
		if !strings.Contains(text, must) {
			t.Errorf("%q is not logged: nothing was provoked", must)
		}
	}
	secrets := append([]string{ticket, "SESAME", "OWNER", s.b.HostCode(s.b.Tables()[1]), "Quentin", "ommissioner", "ivilian", "octor", "=don", "\"don\""}, s.b.Tables()[1].Code())
	for _, who := range everybody {
		if _, value, ok := strings.Cut(who.cookie, "="); ok {
			token, _ := base64.RawURLEncoding.DecodeString(value)
			secrets = append(secrets, value, hex.EncodeToString(token), hash(token), hash(token)[:deviceInKey], who.key()[:32])
		}
	}
	for _, secret := range secrets {
		if at := strings.Index(text, secret); at >= 0 {
			t.Errorf("the log has %q: …%s…", secret, text[max(0, at-200):min(len(text), at+100)])
		}
	}
}
