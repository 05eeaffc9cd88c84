package server

import (
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/fasthttp/websocket"
	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/rulesets"
	"github.com/mafiabox/mafiabox/server/store"
)

// TestPageBreaks: a page that breaks costs that request and no other, a live page
// that breaks its stream; the log gets no more of it than where, and the phone nothing.
func TestPageBreaks(t *testing.T) {
	log := &logText{}
	var sick atomic.Bool
	s := besiege(t, func(c *Config) {
		c.Log, c.Panel = slog.New(slog.NewTextHandler(log, nil)), sickPanel{sick: &sick}
	})
	s.night()
	sick.Store(true)
	for lang, want := range map[string]string{"en": "Something went wrong", "ru": "Что-то не получилось"} {
		for range 2 * clientWorks { // whatever they hold must be given back
			if page := s.host.must("GET", "/t/1/host?lang="+lang, 500); !strings.Contains(page, want) || strings.Contains(page, "Quentin") {
				t.Errorf("the broken page says:\n%s", page)
			}
		}
	}
	s.player.must("GET", "/t/1", 200)
	url := s.serve(t)
	// the machine's own address has no share of the box that could run out
	phone := websocket.Dialer{NetDialContext: (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2)}}).DialContext}
	for range 2 * clientWorks {
		conn, _, err := phone.Dial("ws"+strings.TrimPrefix(url, "http")+"/t/1/live?as=host", s.host.headers())
		if err != nil {
			t.Fatal(err)
		}
		conn.SetReadDeadline(time.Now().Add(5 * time.Second))
		if _, text, err := conn.ReadMessage(); err == nil {
			t.Errorf("the broken stream says %q", text)
		} else if nerr, ok := err.(interface{ Timeout() bool }); ok && nerr.Timeout() {
			t.Error("the broken stream stays open")
		}
		conn.Close()
	}
	sick.Store(false)
	conn, _, err := phone.Dial("ws"+strings.TrimPrefix(url, "http")+"/t/1/live?as=host", s.host.headers())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetReadDeadline(time.Now().Add(5 * time.Second))
	if _, _, err := conn.ReadMessage(); err != nil {
		t.Errorf("the console is well again, and its stream is not: %v", err)
	}
	text := log.String()
	if !strings.Contains(text, "page broke") || !strings.Contains(text, "sickPanel") || strings.Contains(text, "Quentin") {
		t.Errorf("the log:\n%s", text)
	}
	if n := strings.Count(text, "broke\" where="); n == 0 || n > 4 {
		t.Errorf("%d lines in the log", n)
	}
}

// TestFrozenTable: everybody at a frozen table is told, in both languages; the
// others go on. Its host takes the record, as far as it goes, and leaves the game
// for the next one, to the same seats. What was stored is there after a restart.
func TestFrozenTable(t *testing.T) {
	for name, rotten := range map[string]bool{"an act breaks": false, "its record is rotten": true} {
		t.Run(name, func(t *testing.T) {
			keep := &holed{Store: store.Memory()}
			s := besiege(t, func(c *Config) { c.Store = keep })
			s.night()
			s.player.must("POST", "/t/1/night", 303, "p1", "2", "p2", "0")
			table, acts := s.b.Tables()[0], len(s.b.Tables()[0].now.Load().game.Log())
			if rotten {
				keep.hole = acts
				s.reopen()
				table = s.b.Tables()[0]
			} else if err := table.Do("", func(*draft) error { panic("Quentin is the don") }); err == nil {
				t.Error("a broken invariant goes on")
			}
			for _, at := range []struct {
				who          *browser
				path, en, ru string
			}{
				{s.player, "/t/1", "is being looked after", "Стол проверяют"},
				{s.host, "/t/1/host", "This table is frozen", "Стол заморожен"},
				{s.screen, "/screen", "is being looked after", "С этим столом разбираются"},
				{s.stranger, "/j/" + table.Code(), "is being looked after", "Стол проверяют"},
			} {
				if page := at.who.must("GET", at.path+"?lang=en", 200); !strings.Contains(page, at.en) {
					t.Errorf("%s says nothing of it:\n%s", at.path, page)
				}
				if page := at.who.must("GET", at.path+"?lang=ru", 200); !strings.Contains(page, at.ru) {
					t.Errorf("%s says nothing of it:\n%s", at.path, page)
				}
			}
			if resp := s.player.live("/t/1/night", "p1", "3", "p2", "0"); resp.StatusCode == 204 {
				t.Error("a frozen table takes acts")
			}
			s.other.must("POST", "/t/2/host/rules", 303, "rules", "sport")
			record := s.host.must("GET", "/t/1/host/record.mafia", 200)
			if !strings.Contains(record, "host night") {
				t.Errorf("the record:\n%s", record)
			}
			if page := s.player.must("GET", "/t/1/host", 303); strings.Contains(page, "record") {
				t.Error("a player gets the record")
			}
			s.owner.must("GET", "/box/record/1", 403)

			s.host.must("POST", "/t/1/host/next", 303, "do", "leave")
			m := table.now.Load()
			if m.doc.Stage != lobby || m.frozen != "" || m.doc.seated() != 5 {
				t.Fatalf("left for %s, frozen by %q, with %d people", m.doc.Stage, m.frozen, m.doc.seated())
			}
			s.night()
			s.player.must("POST", "/t/1/night", 303, "p1", "2", "p2", "0")
			if now := table.now.Load(); now.doc.Game != 2 || len(now.game.Log()) != acts {
				t.Errorf("game %d with %d acts", now.doc.Game, len(now.game.Log()))
			}
			if left, _ := keep.Game("1", 1); left.Over || len(left.Acts) < acts-1 {
				t.Errorf("the game that was left: over %v, %d acts", left.Over, len(left.Acts))
			}
			s.reopen()
			if m := s.b.Tables()[0].now.Load(); m.frozen != "" || m.doc.Game != 2 || len(m.game.Log()) != acts {
				t.Errorf("after a restart: frozen by %q, game %d with %d acts", m.frozen, m.doc.Game, len(m.game.Log()))
			}
		})
	}
}

// holed is a store in which the first game of table 1 is broken at an act.
type holed struct {
	store.Store
	hole int
}

func (h *holed) Game(table string, n int) (store.Game, error) {
	g, err := h.Store.Game(table, n)
	if h.hole > 0 && table == "1" && n == 1 {
		g.Acts = g.Acts[:h.hole-1]
		return g, &store.BrokenError{Table: table, Game: n, No: h.hole}
	}
	return g, err
}

func (h *holed) Commit(changes ...store.Change) error {
	for _, c := range changes {
		if h.hole > 0 && c.Table == "1" && c.Game == 1 {
			return &store.BrokenError{Table: "1", Game: 1, No: h.hole}
		}
	}
	return h.Store.Commit(changes...)
}

// reopen closes the box and opens one on the same store.
func (s *siege) reopen() {
	s.Helper()
	s.b.Close()
	config := s.b.cfg
	config.Before = s.b
	b, err := Open(config)
	if err != nil {
		s.Fatal(err)
	}
	s.b = b
	for _, br := range []*browser{s.host, s.player, s.other, s.screen, s.owner, s.stranger, s.nowhere} {
		br.b = b
	}
}

// TestBreaksBesides: what breaks at a table beside its acts freezes it, who has
// asked is answered, and the box goes on.
func TestBreaksBesides(t *testing.T) {
	b, table, _ := dealt(t, store.Memory(), 7)
	if err := act(table, "", night1); err != nil {
		t.Fatal(err)
	}
	err := table.Do("", func(d *draft) error {
		d.dirty, d.game = true, engine.Game{} // no game that is on is none: showing it breaks
		d.clubDo = append(d.clubDo, func(*clubDoc) { panic("a bug") })
		return nil
	})
	if err == nil || table.now.Load().frozen == "" {
		t.Errorf("answered %v, frozen by %q", err, table.now.Load().frozen)
	}
	if _, err := b.NewTable(); err != nil {
		t.Errorf("another table: %v", err)
	}
	if err := act(table, "", waits(3)); err == nil {
		t.Error("a frozen table takes acts")
	}
	if n := len(table.now.Load().game.Log()); n != 1 {
		t.Errorf("%d acts", n)
	}
}

// TestRestoreBreaks: a game at which the rules break freezes its table, and the
// box comes up all the same.
func TestRestoreBreaks(t *testing.T) {
	keep := store.Memory()
	_, table, _ := dealt(t, keep, 7)
	if err := act(table, "", night1); err != nil {
		t.Fatal(err)
	}
	stored, err := keep.Game("1", 1)
	if err != nil {
		t.Fatal(err)
	}
	var none *moment // what it would write to breaks it
	if err := none.restore(stored, rulesets.All, time.Now()); err == nil {
		t.Error("what breaks is restored")
	}
}

// serve has the box answer on this machine.
func (s *siege) serve(t *testing.T) (url string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go s.b.Serve(l)
	return "http://" + l.Addr().String()
}

// headers are what a browser sends with each request.
func (br *browser) headers() http.Header { return http.Header{"Cookie": {br.cookie}} }
