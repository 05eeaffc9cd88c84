package main

import (
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// actLines are the acts that a record has and an earlier one hadn't, as
// "5 suspect 1".
func actLines(before, now string) (acts []string) {
	for line := range strings.Lines(strings.TrimPrefix(now, strings.TrimSuffix(before, "end\n"))) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "=") {
			act, _, _ := strings.Cut(line, " @")
			acts = append(acts, act)
		}
	}
	return acts
}

// TestAttackOtherSeats has seat 5 act in every way that might count for seat 3:
// whatever a request names, it is the cookie's seat that acts, or nobody's.
func TestAttackOtherSeats(t *testing.T) {
	t.Parallel()
	b := start(t)
	host, players := b.seated(7)
	host.dealUsual()
	me := players[4]
	me.get("/t/1")
	names := []string{"for", "by", "seat", "as", "actor", "who", "me", "subject", "player", "device", "mends", "via", "id", "for[]", "For", "FOR"}
	type way struct {
		name string
		send func(path string, f url.Values) int
	}
	var ways []way
	add := func(name string, send func(path string, f url.Values) int) { ways = append(ways, way{name, send}) }
	ask := func(path string, f url.Values, header ...string) int {
		status, body, err := me.ask("POST", path, f, header...)
		if err != nil || strings.Contains(body, "Commissioner") {
			t.Errorf("POST %s %v: %v\n%s", path, f, err, body)
		}
		return status
	}
	add("every field", func(path string, f url.Values) int {
		for _, n := range names {
			if n != "seat" || !f.Has("seat") {
				f.Set(n, "3")
			}
		}
		return ask(path, f)
	})
	add("every field twice", func(path string, f url.Values) int {
		for _, n := range names {
			if n != "seat" {
				f[n] = []string{"5", "3"}
			}
		}
		return ask(path, f, "X-Mafiabox", "live")
	})
	add("the address's query", func(path string, f url.Values) int {
		q := url.Values{}
		for _, n := range names {
			q.Set(n, "3")
		}
		return ask(path+"?"+q.Encode(), f)
	})
	add("the headers", func(path string, f url.Values) int {
		return ask(path, f, "X-Seat", "3", "Seat", "3", "For", "3", "X-For", "3", "By", "3", "X-Forwarded-User", "3", "Authorization", "Bearer 3")
	})
	add("another cookie", func(path string, f url.Values) int {
		return ask(path, f, "Cookie", "seat=3; for=3; mafiabox=3")
	})
	add("the path", func(path string, f url.Values) int {
		return max(ask("/t/1/3"+strings.TrimPrefix(path, "/t/1"), f), ask(path+"/3", f), ask(path+";seat=3", f), ask("/t/2/../1/host/act?for=3", f))
	})
	withToken := func(f url.Values) url.Values {
		f.Set("key", me.token+"-"+strconv.Itoa(len(ways)))
		f.Set("for", "3")
		f.Set("by", "3")
		return f
	}
	add("parts", func(path string, f url.Values) int {
		body, kind := multi(withToken(f))
		status, _ := me.bare(path, kind, body)
		return status
	})
	add("JSON", func(path string, f url.Values) int {
		status, _ := me.bare(path, "application/json", fmt.Sprintf(`{"key":%q,"for":3,"by":3,"seat":3,"verb":"check","p1":"1"}`, me.token+"-j"))
		return status
	})
	add("a form with JSON behind it", func(path string, f url.Values) int {
		status, _ := me.bare(path, "application/x-www-form-urlencoded; application/json", withToken(f).Encode()+`&{"by":3}`)
		return status
	})

	only := func(what string, before string) {
		t.Helper()
		for _, act := range actLines(before, host.record()) {
			if !strings.HasPrefix(act, "5 ") || strings.Contains(act, "for") {
				t.Errorf("%s: the record has %q", what, act)
			}
		}
	}
	try := func(moment string, forms func() map[string]url.Values) {
		t.Helper()
		for _, w := range ways {
			before := host.record()
			for path, f := range forms() {
				w.send(path, f)
			}
			only(moment+", "+w.name, before)
		}
	}
	host.step("night")
	begun := host.record()
	try("night", func() map[string]url.Values {
		return map[string]url.Values{
			"/t/1/night": form("p1", "1", "p2", "0"),
			"/t/1/act":   form("verb", "check", "seat", "1"),
			"/t/1/read":  form(),
		}
	})
	if acts := actLines(begun, host.record()); len(acts) == 0 {
		t.Error("no way did anything, also for the cookie's own seat")
	}
	players[2].post("/t/1/night", form("p1", "6", "p2", "0"))
	players[0].post("/t/1/night", form("p1", "7", "p2", "0"))
	players[1].post("/t/1/night", form("p1", "7", "p2", "0"))
	host.step("close")
	closed := host.record()
	try("closed", func() map[string]url.Values {
		return map[string]url.Values{"/t/1/read": form(), "/t/1/night": form("p1", "1"), "/t/1/act": form("verb", "check", "seat", "1")}
	})
	if acts := actLines(closed, host.record()); len(acts) > 0 {
		t.Errorf("after the close: %q", acts)
	}
	// Who was told to have read is named to the host when an answer changes: not seat 3.
	host.post("/t/1/host/act", form("verb", "check", "seat", "1", "for", "3", "mends", "1"))
	if !strings.Contains(host.record(), "corrected") {
		t.Errorf("the answer was not corrected:\n%s", host.record())
	}
	if page := host.get("/t/1/host"); !strings.Contains(page, "<h2>Had already read the old answer</h2><p>Nobody.</p>") {
		t.Error("seat 5 read for seat 3")
	}
	host.step("dawn")
	players[4].post("/t/1/act", form("verb", "nominate", "seat", "1"))
	players[5].post("/t/1/act", form("verb", "nominate", "seat", "2"))
	host.step("vote")
	try("vote", func() map[string]url.Values {
		return map[string]url.Values{"/t/1/act": form("verb", "vote", "seat", "1")}
	})
	if rec := host.record(); !strings.Contains(rec, "\n5 vote 1") || strings.Contains(rec, "\n3 vote") {
		t.Errorf("the votes are not seat 5's alone:\n%s", rec)
	}
}

// TestAttackOut has seats that are out go on playing, by day and at night: they
// do nothing, and what they are told is the same for every role.
func TestAttackOut(t *testing.T) {
	t.Parallel()
	b := start(t)
	host, players := b.seated(7)
	host.dealUsual()
	for _, seat := range []string{"4", "5"} { // the Doctor and a civilian
		host.step("night")
		for _, killer := range players[:2] {
			killer.post("/t/1/night", form("p1", seat, "p2", "0"))
		}
		host.step("close")
		host.step("dawn")
	}
	if rec := host.record(); !strings.Contains(rec, "= all out 4 ") || !strings.Contains(rec, "= all out 5 ") {
		t.Fatalf("seats 4 and 5 are not out:\n%s", rec)
	}
	var forms []url.Values
	for _, verb := range []string{"heal", "suspect", "check", "shoot", "attack", "block", "wait", "nominate", "vote", "votes", "end", "night", "close", "dawn", "undo", "stop", "note", "warn", "leave", "rule", "clock", "fly"} {
		forms = append(forms, form("path", "/t/1/act", "verb", verb), form("path", "/t/1/act", "verb", verb, "seat", "1"), form("path", "/t/1/act", "verb", verb, "seat", "6", "text", "x", "n", "1"))
	}
	forms = append(forms, form("path", "/t/1/night", "p1", "1", "p2", "0"), form("path", "/t/1/night", "p1", "0", "p2", "0"), form("path", "/t/1/night", "do", "none"), form("path", "/t/1/night", "p1", "1", "p2", "6"))
	try := func(moment string) {
		t.Helper()
		before := host.record()
		answers := make([][2]string, len(forms))
		var sending sync.WaitGroup
		for k, out := range []*client{players[3], players[4]} {
			for i := range forms {
				f := form()
				for name, v := range forms[i] {
					f[name] = v
				}
				f.Set("key", fmt.Sprintf("%s%d", moment, i))
				sending.Go(func() {
					status, body, err := out.ask("POST", f.Get("path"), f, "X-Mafiabox", "live")
					answers[i][k] = fmt.Sprint(status, " ", len(body), " ", strings.TrimSpace(body), err)
				})
			}
			sending.Wait()
		}
		for i, f := range forms {
			if answers[i][0] != answers[i][1] {
				t.Errorf("%s: to %v the Doctor who is out is told %q, the civilian %q", moment, f, answers[i][0], answers[i][1])
			}
			if !regexp.MustCompile(`^200 1024 .*[a-z].*\.<nil>$`).MatchString(answers[i][0]) {
				t.Errorf("%s: %v is answered with %q", moment, f, answers[i][0])
			}
			for _, word := range []string{"Doctor", "Don", "Commissioner", "ivilian", "heal"} {
				if strings.Contains(answers[i][0]+answers[i][1], word) {
					t.Errorf("%s: %v: the refusal holds %q: %s", moment, f, word, answers[i][0])
				}
			}
		}
		if now := host.record(); now != before {
			t.Errorf("%s: who is out did something: %q", moment, actLines(before, now))
		}
		for _, out := range []*client{players[3], players[4]} {
			for _, other := range []string{"Don", "Commissioner", `name="p1"`, `id="f-`} {
				if page := out.get("/t/1"); strings.Contains(page, other) {
					t.Errorf("%s: the page of who is out holds %q", moment, other)
				}
			}
		}
	}
	players[5].post("/t/1/act", form("verb", "nominate", "seat", "1"))
	players[6].post("/t/1/act", form("verb", "nominate", "seat", "6"))
	try("day")
	host.step("vote")
	try("vote")
	host.step("close")
	if !strings.Contains(host.get("/t/1/host"), "f-night") { // a tie without a vote: somebody rules
		host.post("/t/1/host/act", form("verb", "rule", "word", "nobody"))
	}
	host.step("night")
	try("night")
	host.step("close")
	try("closed")
}

// TestAttackPlainForm refuses forms of a browser without the script: the reason
// stands once on its next page, and on nobody else's.
func TestAttackPlainForm(t *testing.T) {
	t.Parallel()
	b := start(t)
	host, players := b.seated(7)
	host.dealUsual()
	const phase, target, nothing = "It is too early or too late", "This choice doesn", "Nobody is chosen"
	refuse := func(moment, path, reason string, f url.Values) {
		t.Helper()
		status, body, err := players[0].ask("POST", path, f)
		if err != nil || status != 303 || strings.Contains(body, reason) {
			t.Errorf("%s: %d %v\n%s", moment, status, err, body)
		}
		if strings.Contains(players[1].get("/t/1"), reason) {
			t.Errorf("%s: another's page says so", moment)
		}
		line := regexp.MustCompile(`<p class="error" id="error" role="alert">([^<]*)</p>`)
		first, second := players[0].get("/t/1"), players[0].get("/t/1")
		if said := line.FindAllStringSubmatch(first, -1); len(said) != 1 || !strings.Contains(said[0][1], reason) || strings.Count(first, reason) != 1 {
			t.Errorf("%s: the next page says %q", moment, said)
		}
		if said := line.FindStringSubmatch(second); said == nil || said[1] != "" {
			t.Errorf("%s: the page after it says %q", moment, said)
		}
	}
	refuse("day", "/t/1/act", phase, form("verb", "vote", "seat", "2"))
	host.step("night")
	refuse("night", "/t/1/night", target, form("p1", "1", "p2", "0"))
	refuse("an empty night", "/t/1/night", nothing, form("p1", "0", "p2", "0"))
	// What was refused first is not said after what was accepted then.
	players[0].ask("POST", "/t/1/night", form("p1", "1", "p2", "0"))
	players[0].ask("POST", "/t/1/night", form("p1", "4", "p2", "0"))
	if strings.Contains(players[0].get("/t/1"), target) {
		t.Error("an accepted form's page says why an earlier one was refused")
	}
	// The console says it at once, and not again.
	if status, body, err := host.ask("POST", "/t/1/host/act", form("verb", "vote")); err != nil || status != 409 || strings.Count(body, phase) != 1 {
		t.Errorf("the console: %d %v, said %d times", status, err, strings.Count(body, phase))
	}
	if strings.Contains(host.get("/t/1/host"), phase) {
		t.Error("the console says it again")
	}
}
