package server

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/mafiabox/mafiabox/engine/record"
	"github.com/mafiabox/mafiabox/engine/rulesets"
	"github.com/mafiabox/mafiabox/server/store"
)

// archiveRoutes are the app's own.
func (s *siege) archiveRoutes() (all []route) {
	for _, r := range s.routes() {
		if strings.HasPrefix(r.pattern, "/archive") {
			all = append(all, r)
		}
	}
	if len(all) < 14 {
		s.Fatalf("only %d routes", len(all))
	}
	return all
}

// onlyForClub asks for every page of the archive as those who may not.
func (s *siege) onlyForClub(when string) {
	s.Helper()
	for _, r := range s.archiveRoutes() {
		for name, who := range map[string]*browser{"nobody": s.nowhere, "a stranger": s.stranger, "a player": s.player, "the screen": s.screen} {
			what := fmt.Sprintf("%s: %s %s by %s", when, r.method, r.path, name)
			before := s.state()
			q := attempt{who: who, query: "?lang=ru&as=host"}
			if r.method == "POST" {
				q.query, q.body = "", "sure=1&do=forget&name=Quentin&rules=sport&key="+who.key()
			}
			resp, body := s.send(r.method, r.path, q)
			if resp.StatusCode != 403 && !(r.method == "GET" && resp.StatusCode == 303 && resp.Header.Get("Location") == "/host") {
				s.Errorf("%s: status %d", what, resp.StatusCode)
			}
			s.tellsNothing(what, body)
			if now := s.state(); now != before {
				s.Errorf("%s: it changed\n%s", what, changed(before, now))
			}
		}
	}
}

// TestArchiveAccess: whatever is asked for, players and strangers see nothing of
// the archive, and nobody sees there anything of a game that is on.
func TestArchiveAccess(t *testing.T) {
	s := besiege(t)
	s.onlyForClub("in the lobby")
	s.night()
	s.onlyForClub("in a game")
	running := func(who map[string]*browser) {
		t.Helper()
		for _, r := range s.archiveRoutes() {
			for name, br := range who {
				q := attempt{who: br, query: "?q=Quentin"}
				if r.method == "POST" {
					if !strings.HasSuffix(r.path, "/delete") {
						continue
					}
					q.query, q.body = "", "sure=1&key="+br.key()
				}
				resp, body := s.send(r.method, r.path, q)
				of := strings.HasPrefix(r.path, "/archive/1/1")
				if want := 404; of && r.method == "GET" && resp.StatusCode != want || !of && resp.StatusCode != 200 {
					t.Errorf("%s by %s: status %d", r.path, name, resp.StatusCode)
				}
				if r.method == "POST" && resp.StatusCode != 403 {
					t.Errorf("%s by %s: status %d", r.path, name, resp.StatusCode)
				}
				s.tellsNothing(r.path+" by "+name, strings.NewReplacer(`value="Quentin"`, "", "q=Quentin", "").Replace(body))
			}
		}
	}
	running(map[string]*browser{"its host": s.host, "another table's host": s.other, "the owner": s.owner})
	s.acts("1 shoot 3")
	s.host.must("POST", "/t/1/host/act", 303, "verb", "close")
	running(map[string]*browser{"another table's host": s.other, "the owner": s.owner})
	s.host.must("POST", "/t/1/host/act", 303, "verb", "end")
	indexed(t, s.b, 1)
	s.onlyForClub("after a game")
	for name, br := range map[string]*browser{"its host": s.host, "another table's host": s.other, "the owner": s.owner} {
		for _, r := range s.archiveRoutes() {
			want := 200
			if strings.HasSuffix(r.path, "/sheet") || strings.HasSuffix(r.path, "/game.json") { // rules without one
				want = 404
			}
			if resp, body := s.send(r.method, r.path, attempt{who: br}); r.method == "GET" && resp.StatusCode != want {
				t.Errorf("%s by %s: status %d\n%s", r.path, name, resp.StatusCode, body)
			}
		}
		page := br.must("GET", "/archive/1/1", 200)
		if !strings.Contains(page, "Quentin") || !strings.Contains(page, "shot") || strings.Contains(page, "f-delete") {
			t.Errorf("%s: the game's page, which can't be deleted yet, is\n%s", name, plainText(page))
		}
	}
	for _, path := range []string{"/archive/9/1", "/archive/1/2", "/archive/1/0", "/archive/1/x", "/archive/club/1", "/archive/import/1", "/archive/1/-1", "/archive/..%2f/1"} {
		for _, more := range []string{"", "/print", "/record.mafia", "/sheet", "/game.json"} {
			s.host.must("GET", path+more, 404)
		}
	}
}

// TestArchiveList: games of all tables and files are listed with what is known,
// the latest first, in pages and by choice.
func TestArchiveList(t *testing.T) {
	s := besiege(t)
	s.atTable("sport")
	s.acts(sportGame)
	s.host.must("POST", "/t/1/host/next", 303)
	s.host.must("POST", "/t/1/host/deal", 303, "by", "box")
	s.acts("host night; host end")
	s.host.must("POST", "/t/1/host/next", 303)
	s.host.must("POST", "/t/1/host/deal", 303, "by", "box")
	s.host.must("POST", "/t/1/host/next", 303) // a wrong deal
	for seed := range uint64(70) {
		text, _ := randomRecord(rulesets.All[seed%4], 100+seed, 1<<20)
		in, err := readRecord(text, rulesets.All)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.b.keepGame(in); err != nil {
			t.Fatal(err)
		}
	}
	all := indexed(t, s.b, 73)
	rows := func(query string) int {
		return strings.Count(s.other.must("GET", "/archive"+query, 200), "<li><a href=")
	}
	bare := 0
	for i, f := range all {
		if f.bare {
			bare++
		}
		if i > 0 && f.table == importID && all[i-1].table == importID && f.date > all[i-1].date {
			t.Errorf("%s stands after %s", f.date, all[i-1].date)
		}
	}
	if bare < 1 {
		t.Error("no wrong deal is known as one")
	}
	for query, want := range map[string]int{"": 30, "?page=2": 30, "?page=3": 73 - bare - 60, "?page=99": 73 - bare - 60, "?page=-1": 30, "?table=1": 2, "?table=1&all=1": 3, "?table=2": 0, "?q=zzz": 0, "?rules=chess": 0, "?q=quentin": 0, "?q=" + "%D0%9E%D0%9B%D0%95%D0%93": 2} {
		if got := rows(query); got != want {
			t.Errorf("%q lists %d games, want %d", query, got, want)
		}
	}
	if page := s.other.must("GET", "/archive?table=1", 200); !strings.Contains(page, "Victory: Mafia") || !strings.Contains(page, "Олег") || !strings.Contains(page, "4 nights") {
		t.Errorf("the list is\n%s", plainText(page))
	}
	var e struct{ Players []struct{ Name string } }
	if err := json.Unmarshal([]byte(s.other.must("GET", "/archive/1/1/game.json", 200)), &e); err != nil || len(e.Players) != 10 || e.Players[6].Name != "Олег" {
		t.Errorf("the export: %v %v", e, err)
	}
	for _, lang := range []string{"en", "ru"} {
		for _, path := range []string{"/archive/1/1/sheet", "/archive/1/1/print", "/archive/1/1", "/archive/1/2/print"} {
			if page := s.other.must("GET", path+"?lang="+lang, 200); strings.Contains(page, "<b>Bob") || strings.Contains(plainText(page), "archive.") {
				t.Errorf("%s: a name is markup, or a text is missing", path)
			}
		}
	}
}

// TestArchiveBroken: what can't be done again is listed with what is known, and says why.
func TestArchiveBroken(t *testing.T) {
	keep := store.Memory()
	head := []byte("rules boulevard\ndate 2024-01-02\nset self_heal maybe\nseats 5\nname 1 \"Anna\"\nrole 1 don\nrole 2 doctor\nrole 3 commissioner\nrole 4 civilian\nrole 5 civilian\nbegin\n")
	doc := doc{Code: "ABCDE", Rules: "boulevard", Stage: lobby, Game: 3}
	long := store.Act{No: 1, Line: `host note "` + strings.Repeat("x", 60_000) + `"`, Rules: "0"}
	changes := []store.Change{
		{Table: "1", Doc: doc.encode()},
		{Table: "1", Game: 1, Head: head, Acts: []store.Act{{No: 1, Line: "host dance", Events: []string{"all win town", "all phase ended"}}}, Over: true},
		{Table: "1", Game: 2, Head: []byte("rules chess\nbegin\n"), Over: true},
		{Table: "1", Game: 3, Head: head},
	}
	for n := 1; n*60_000 <= record.MaxSize+60_000; n++ {
		long.No = n
		changes = append(changes, store.Change{Table: "1", Game: 3, Acts: []store.Act{long}})
	}
	for _, c := range changes {
		if err := keep.Commit(c); err != nil {
			t.Fatal(err)
		}
	}
	b, _ := open(t, keep)
	defer b.Close()
	all := indexed(t, b, 3)
	br := &browser{T: t, b: b}
	br.must("POST", "/host", 303, "code", b.HostCode(b.Tables()[0]))
	page := plainText(br.must("GET", "/archive", 200))
	for _, want := range []string{"2024-01-02", "Anna", "Victory: Town", "older version of the rules", "chess", "longer than 16 MiB", "How it ended is not known"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
	for _, f := range all {
		page := plainText(br.must("GET", f.path(), 200))
		if f.broken == nil || !strings.Contains(page, words{b.texts.in("en")}.refusal(f.broken)) {
			t.Errorf("game %d does not say why:\n%s", f.game, page)
		}
		br.must("GET", f.path()+"/print", 404)
		if said := (words{b.texts.in("ru")}).refusal(f.broken); strings.ContainsAny(strings.ReplaceAll(said, "MiB", ""), "abcdefghijklmnopqrstuvwxyz") {
			t.Errorf("in Russian: %s", said)
		}
	}
	br.must("GET", "/archive/1/1/record.mafia", 200)
	br.must("GET", "/archive/season", 200)
}

// TestDeleteGame: the owner deletes a finished game, when it is off its table and
// he is sure; its table deals the next one all the same, and after a restart.
func TestDeleteGame(t *testing.T) {
	keep := store.Memory()
	s := besiege(t, func(c *Config) { c.Store = keep })
	s.night()
	del := "/archive/1/1/delete"
	s.owner.must("POST", del, 403, "sure", "1")
	s.host.must("POST", "/t/1/host/act", 303, "verb", "end")
	s.owner.must("POST", del, 403, "sure", "1") // it is over, and still on its table
	s.host.must("POST", "/t/1/host/next", 303)
	indexed(t, s.b, 1)
	s.host.must("POST", del, 403, "sure", "1")
	s.owner.must("POST", del, 422)
	if page := s.owner.must("GET", "/archive/1/1", 200); !strings.Contains(page, "f-delete") || !strings.Contains(page, "It stays in backups") {
		t.Errorf("it does not say what goes:\n%s", plainText(page))
	}
	s.owner.must("POST", del, 303, "sure", "1")
	indexed(t, s.b, 0)
	for _, path := range []string{"/archive/1/1", "/archive/1/1/record.mafia", "/t/1/host/record.mafia"} {
		s.host.must("GET", path, 404)
	}
	s.owner.must("GET", "/box/record/1", 404)
	s.owner.must("POST", del, 404, "sure", "1")
	s.host.must("GET", "/t/1/host", 200)

	again, err := Open(s.b.cfg)
	if err != nil {
		t.Fatal(err)
	}
	m := again.Tables()[0].now.Load()
	if m.frozen != "" || m.doc.Game != 1 || m.game.Begun() {
		t.Errorf("after a restart: %q, game %d", m.frozen, m.doc.Game)
	}
	again.Close()

	s.night()
	if m := s.b.Tables()[0].now.Load(); m.doc.Game != 2 || m.doc.Deleted {
		t.Errorf("the next game is %d, %v", m.doc.Game, m.doc.Deleted)
	}
	s.host.must("POST", "/t/1/host/act", 303, "verb", "end")
	s.host.must("POST", "/t/1/host/next", 303)
	s.night()
	s.owner.must("POST", "/archive/1/2/delete", 303, "sure", "1") // while the next is on
	s.acts("host note \"goes on\"")
	if games, err := keep.Games("1"); err != nil || len(games) != 1 || games[0] != 3 {
		t.Errorf("the store has the games %v (%v)", games, err)
	}
}

// BenchmarkArchive reads a thousand games for the lists.
func BenchmarkArchive(b *testing.B) {
	keep := store.Memory()
	for n := 1; n <= 1000; n++ {
		text, _ := randomRecord(rulesets.All[n%4], uint64(n), 1<<20)
		in, err := readRecord(text, rulesets.All)
		if err == nil {
			for _, c := range inChunks(gameID{importID, n}, in.Game) {
				if err := keep.Commit(c); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
	box := &Box{cfg: openConfig(), store: keep}
	var before, after runtime.MemStats
	for b.Loop() {
		box.archive = newArchive()
		runtime.GC()
		runtime.ReadMemStats(&before)
		for n := 1; n <= 1000; n++ {
			if err := box.index(gameID{importID, n}); err != nil {
				b.Fatal(err)
			}
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		began := time.Now()
		all, _ := box.archive.games()
		b.ReportMetric(float64(time.Since(began).Microseconds()), "µs/list")
		began = time.Now()
		list, _, _ := standings(all, book{}, span{})
		b.ReportMetric(float64(time.Since(began).Microseconds()), "µs/season")
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/1000, "B/game")
		if len(all) != 1000 || len(list) == 0 {
			b.Fatal(len(all))
		}
	}
}

// TestArchiveAppealed: a file of before an appeal, or after another, holds the
// same game, which the archive has once.
func TestArchiveAppealed(t *testing.T) {
	s := besiege(t)
	s.night()
	s.host.must("POST", "/t/1/host/act", 303, "verb", "end")
	indexed(t, s.b, 1)
	before := s.host.must("GET", "/archive/1/1/record.mafia", 200)
	s.host.must("POST", "/t/1/host/appeal", 303, "seat", "2", "text", "I was not asked")
	after := s.host.must("GET", "/archive/1/1/record.mafia", 200)
	if before == after {
		t.Fatal("the record is without the appeal")
	}
	for name, text := range map[string]string{"before": before, "after": after, "after another": before + "host appeal 3 \"nor I\"\n"} {
		if status, page, _ := s.other.upload(text); status != 422 || !strings.Contains(page, "/archive/1/1") {
			t.Errorf("a file of %s: status %d\n%s", name, status, plainText(page))
		}
	}
}
