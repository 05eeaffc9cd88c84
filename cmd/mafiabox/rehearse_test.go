package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mafiabox/mafiabox/cmd/mafiabox/rehearsal"
	"github.com/mafiabox/mafiabox/engine/rulesets"
	"github.com/mafiabox/mafiabox/server"
	"github.com/mafiabox/mafiabox/static"
)

// rehearse runs the command and reads its report; nil when there is none.
func rehearse(t *testing.T, args ...string) (report *rehearsal.Report, out string, code int) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "report.json")
	cmd := exec.Command(program, append([]string{"rehearse", "--lang", "en", "--json", file}, args...)...)
	var both bytes.Buffer
	cmd.Stdout, cmd.Stderr = &both, &both
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(file); err == nil {
		if err := json.Unmarshal(text, &report); err != nil {
			t.Fatalf("the report is no JSON: %v\n%s", err, text)
		}
	}
	t.Logf("rehearse %s: exit code %d\n%s", strings.Join(args, " "), cmd.ProcessState.ExitCode(), &both)
	return report, both.String(), cmd.ProcessState.ExitCode()
}

// clean checks a report of games in which everything went as it must.
func clean(t *testing.T, r *rehearsal.Report, tables, games int) {
	t.Helper()
	if r == nil {
		t.Fatal("no report")
	}
	if r.Lost+r.Refused+r.Spare+r.Silent+r.Unread+r.Behind+r.Streams != 0 || len(r.Findings) > 0 || r.Broken != "" {
		t.Errorf("something went wrong: %+v", r)
	}
	if r.Accepted+r.Overtaken != r.Sent || r.Accepted < 20*tables*games || r.Naps == 0 || r.Cut == 0 || r.Repeated == 0 || r.Phase.N < 4*tables*games || r.Tap.N < r.Sent {
		t.Errorf("too little was played: %+v", r)
	}
	if len(r.Tables) != tables {
		t.Errorf("tables: %+v", r.Tables)
	}
	for _, table := range r.Tables {
		if table.Games != games || table.Cut > 0 {
			t.Errorf("table %s (%s): %d games of %d to the end, %d ended by the host", table.ID, table.Rules, table.Games, games, table.Cut)
		}
	}
}

// TestRehearsal: a box of its own bears a game of each rule system, with phones
// that sleep, lose their connections and tap twice; nothing is lost or refused,
// and nothing of the box stays.
func TestRehearsal(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r, out, code := rehearse(t, "--rules", "all", "--phones", "12", "--dir", dir)
	clean(t, r, len(rulesets.All), 1)
	phones := make(map[string]int)
	for _, table := range r.Tables {
		phones[table.Rules] = table.Phones
	}
	if phones["boulevard"] != 12 || phones["sport"] != 10 || phones["gangs"] != 12 || phones["forum"] != 12 {
		t.Errorf("phones: %v", phones)
	}
	if code != 0 || !strings.Contains(out, "Phones: 46, tables: 4. Nothing was lost, nothing refused.") || !r.Own || r.Seed == 0 {
		t.Errorf("exit code %d", code)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestRehearsalFewPhones: seats that had to be filled without phones are said.
func TestRehearsalFewPhones(t *testing.T) {
	t.Parallel()
	r, out, code := rehearse(t, "--rules", "sport", "--phones", "2", "--dir", t.TempDir())
	if code != 0 || r == nil || len(r.Tables) != 1 || r.Tables[0].Phones != 2 || r.Tables[0].Filled != 8 || !strings.Contains(out, "8 seats were filled without phones") {
		t.Errorf("exit code %d: %+v", code, r)
	}
}

// faulty stands before a box and spoils some of the night's forms: one is
// answered as if it was accepted, however often it comes, others are refused,
// and none of them goes further.
func faulty(t *testing.T, b *box) *httptest.Server {
	to, err := url.Parse(b.url)
	if err != nil {
		t.Fatal(err)
	}
	proxy := &httputil.ReverseProxy{ErrorLog: log.New(io.Discard, "", 0), Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(to)
		r.Out.Host = r.In.Host // forms must come from where their page came
	}}
	var mu sync.Mutex
	var seen []string // the keys of forms
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == "POST" && regexp.MustCompile(`^/t/\d+/night$`).MatchString(r.URL.Path) {
			body, err := io.ReadAll(r.Body)
			form, _ := url.ParseQuery(string(body))
			if err != nil {
				return
			}
			mu.Lock()
			if !slices.Contains(seen, form.Get("key")) {
				seen = append(seen, form.Get("key"))
			}
			n := slices.Index(seen, form.Get("key"))
			mu.Unlock()
			switch n {
			case 2:
				fmt.Fprintf(w, "%1024s", "")
				return
			case 4, 5:
				fmt.Fprintf(w, "%-1024s", "Not this.")
				return
			}
			r.Body = io.NopCloser(bytes.NewReader(body))
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

// TestRehearsalFinds: at a box that runs, who sits there is left alone, and so is
// what they play; what a box loses or refuses is found; and the table is left
// as empty as it was.
func TestRehearsalFinds(t *testing.T) {
	t.Parallel()
	b := start(t)
	host, players := b.seated(5)
	host.post("/t/1/host/deal", form("by", "box"))
	before := append([]string{host.page("/t/1/host")}, players[0].page("/t/1"))
	for _, c := range []struct {
		args []string
		says string
	}{
		{nil, "--owner-code"},
		{[]string{"--owner-code", "NOBODY"}, "does not take this owner's code"},
		{[]string{"--owner-code", "OWNER", "--table", "1"}, "table 1: a table is in use"},
		{[]string{"--owner-code", "OWNER", "--table", "7"}, "the box has no table 7"},
	} {
		if r, out, code := rehearse(t, append(c.args, "--url", b.url)...); code != 1 || !strings.Contains(out, c.says) || r != nil && len(r.Tables) > 0 {
			t.Errorf("%v: exit code %d:\n%s", c.args, code, out)
		}
	}
	r, out, code := rehearse(t, "--url", faulty(t, b).URL, "--owner-code", "OWNER", "--phones", "6")
	if code != 1 || r == nil || r.Lost != 1 || r.Refused != 2 || r.Own {
		text, _ := os.ReadFile(filepath.Join(b.dir, "data", "games", "2-1.mafia"))
		t.Errorf("exit code %d, %+v\n%s", code, r, text)
	}
	if !strings.Contains(out, "1 act was accepted and is not in the record. 2 acts were refused though the page offered them.") || !strings.Contains(out, "the record does not have it") {
		t.Errorf("it does not say what was wrong:\n%s", out)
	}
	if is := append([]string{host.page("/t/1/host")}, players[0].page("/t/1")); is[0] != before[0] || is[1] != before[1] {
		t.Error("the game that was on looks different")
	}
	owner := b.client()
	owner.post("/box", form("code", "OWNER"))
	if page := owner.get("/box"); !strings.Contains(page, `data-table="2" data-free`) || strings.Contains(page, `data-table="1" data-free`) || strings.Contains(page, `data-table="3"`) {
		t.Errorf("the tables afterwards:\n%s", mainPart.FindString(page))
	}
	if text, err := os.ReadFile(filepath.Join(b.dir, "data", "games", "2-1.mafia")); err != nil || !strings.Contains(string(text), "Rehearsal 6") {
		t.Errorf("the game is not kept: %v\n%s", err, text)
	}
}

// allRules is a rehearsal of all rule systems at once on a box that runs.
func allRules(t *testing.T, b *box, games int, pace rehearsal.Pace) (r *rehearsal.Report) {
	t.Helper()
	c := rehearsal.Config{
		URL: b.url, Owner: "OWNER", Own: true, Tables: len(rulesets.All), Phones: 12, Games: games, Known: rulesets.All,
		Pace: pace, Seed: rand.Uint64N(1_000_000), Say: t.Logf,
	}
	for _, r := range rulesets.All {
		c.Rules = append(c.Rules, r.ID())
	}
	r, err := rehearsal.Run(context.Background(), c)
	if err != nil {
		t.Errorf("seed %d: %v\n%s", c.Seed, err, b.out)
		return r
	}
	var text strings.Builder
	texts, err := server.LoadTexts(static.Files, "en")
	if err != nil {
		t.Fatal(err)
	}
	r.Write(&text, texts)
	t.Log(text.String())
	return r
}

// TestRehearsalAgain: who has to sit out the next game since the last rehearsal
// comes under another name.
func TestRehearsalAgain(t *testing.T) {
	t.Parallel()
	b := start(t)
	owner := b.client()
	owner.post("/box", form("code", "OWNER"))
	owner.post("/archive/people", form("do", "bar", "name", "Rehearsal 2", "rules", "forum"))
	r, out, code := rehearse(t, "--url", b.url, "--owner-code", "OWNER", "--phones", "5", "--rules", "forum")
	if code != 0 || r == nil || r.Sent == 0 {
		t.Fatalf("exit code %d\n%s", code, out)
	}
	text, err := os.ReadFile(filepath.Join(b.dir, "data", "games", "2-1.mafia"))
	if err != nil || !strings.Contains(string(text), "Rehearsal 2 #2") {
		t.Errorf("%v\n%s", err, text)
	}
}

// TestLongRehearsal: two games of each rule system at once, with people's pace
// ten times as fast.
func TestLongRehearsal(t *testing.T) {
	if os.Getenv("MAFIABOX_LONG") == "" {
		t.Skip("MAFIABOX_LONG=1 runs it")
	}
	t.Parallel()
	clean(t, allRules(t, start(t), 2, rehearsal.Human.Shortened(10)), len(rulesets.All), 2)
}

// TestRehearsalKilled: games of each rule system while the box is killed two hundred
// times at random moments: every act that was accepted is there, none twice,
// and the games come to their ends.
func TestRehearsalKilled(t *testing.T) {
	if os.Getenv("MAFIABOX_LONG") == "" {
		t.Skip("MAFIABOX_LONG=1 runs it")
	}
	t.Parallel()
	for kills, round := 0, 1; kills < 200; round++ {
		kills += killedRound(t)
		t.Logf("%d kills in %d rounds", kills, round)
	}
}

// killedRound is one game of each rule system.
func killedRound(t *testing.T) (kills int) {
	t.Helper()
	b := start(t)
	done := make(chan *rehearsal.Report, 1)
	go func() { done <- allRules(t, b, 1, rehearsal.Machine) }()
	eventually(t, "every table plays", func() bool { // codes that are not typed yet are others after a kill
		games, _ := filepath.Glob(filepath.Join(b.dir, "data", "games", "*.mafia"))
		return len(games) == len(rulesets.All)
	})
	for {
		select {
		case r := <-done:
			if r == nil || kills < 10 || r.Streams == 0 {
				t.Fatalf("%d kills", kills)
			}
			r.Streams, r.Behind = 0, 0 // that is what a kill does
			r.Findings = slices.DeleteFunc(r.Findings, func(f string) bool { return strings.Contains(f, "does not show what follows") })
			clean(t, r, len(rulesets.All), 1)
			return kills
		case <-time.After(time.Duration(1000+rand.IntN(2000)) * time.Millisecond):
			b.kill()
			b.run()
			kills++
		}
	}
}
