package server

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/server/store"
)

// played is a table that plays in a thread, with a browser for each seat, the
// host's and a guest's.
type played struct {
	*testing.T
	b           *Box
	table       *Table
	clock       *testClock
	host, guest *browser
	seats       []*browser // the first is seat 1's
}

// The names of the seats: the first two are those of the channel that is tested,
// the third learns something of them, the others nothing.
var playedNames = []string{"Anna", "Bob", "Cecil", "Dora", "Edward", "Frieda", "Dolores"}

// inThread deals a game by hand, in which posts are written.
func inThread(t *testing.T) *played {
	t.Helper()
	clock := &testClock{now: time.Date(2026, 5, 4, 21, 0, 0, 0, time.UTC)}
	config := openConfig()
	config.Store, config.Now, config.After, config.HostCode, config.Trusted = store.Memory(), clock.Now, clock.After, "SESAME", true
	b, err := Open(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	p := &played{T: t, b: b, table: b.Tables()[0], clock: clock, host: &browser{T: t, b: b}, guest: &browser{T: t, b: b}}
	p.host.must("POST", "/host", 303, "code", "SESAME")
	for _, name := range playedNames {
		br := &browser{T: t, b: b}
		br.must("POST", "/j/"+p.table.Code(), 303, "name", name)
		p.seats = append(p.seats, br)
	}
	p.host.must("POST", "/t/1/host/rules", 303, "rules", "forum")
	roles := []string{"by", "hand"}
	for i, role := range []string{"mafia", "mafia", "inspector", "town", "town", "town", "town"} {
		roles = append(roles, fmt.Sprint("role", i+1), role)
	}
	p.host.must("POST", "/t/1/host/deal", 303, roles...)
	p.guest.must("GET", "/t/1/thread?page=1", 200)
	return p
}

func (p *played) seen() engine.Seen { return p.table.now.Load().game.Seen(engine.All) }

var hiddenField = regexp.MustCompile(`name="(sure|of)" value="([^"]*)"`)

// sure are the fields of a look at a post that its author sends back.
func sure(t *testing.T, page string) (fields []string) {
	t.Helper()
	for _, m := range hiddenField.FindAllStringSubmatch(page, -1) {
		fields = append(fields, m[1], m[2])
	}
	if len(fields) != 4 {
		t.Fatalf("the page doesn't ask back: %v\n%s", fields, page)
	}
	return fields
}

// TestPostOfVote: what holds a vote is shown before it is posted, and only what
// was shown is posted.
func TestPostOfVote(t *testing.T) {
	p := inThread(t)
	anna := p.seats[0]
	anna.must("POST", "/t/1/post", 303, "text", "Good evening.")
	const text = "I am sure.\nAnna > Bob, locked"
	page := anna.must("POST", "/t/1/post", 200, "text", text)
	if !strings.Contains(page, "This will count as") || !strings.Contains(page, "vote for 2 \u2068Bob\u2069") || !strings.Contains(page, "<li>locked</li>") {
		t.Errorf("the look shows no vote:\n%s", page)
	}
	if s := p.seen(); s.Posts != 1 || s.Seats[0].Voted {
		t.Fatalf("it was posted before its author has seen it: %d posts", s.Posts)
	}
	fields := sure(t, page)
	other := anna.must("POST", "/t/1/post", 200, append(fields, "text", "Anna > Cecil")...) // the look was of another text
	if !strings.Contains(other, "Cecil") || p.seen().Posts != 1 {
		t.Fatal("another text was posted under the same look")
	}
	anna.must("POST", "/t/1/post", 303, append(fields, "text", text)...)
	if s := p.seen(); s.Posts != 2 || s.Seats[0].VotedFor != 2 || !s.Seats[0].Locked {
		t.Errorf("%d posts, %+v", s.Posts, s.Seats[0])
	}
	page = anna.must("GET", "/t/1/thread?page=1", 200)
	for _, must := range []string{`id="post-2"`, "counted as: vote for 2 \u2068Bob\u2069, locked", "Counted at ", "I am sure.\nAnna &gt; Bob, locked"} {
		if !strings.Contains(page, must) {
			t.Errorf("the thread has no %q\n%s", must, page)
		}
	}
	if page = p.guest.must("GET", "/t/1/tally", 200); !strings.Contains(page, "6 have yet to vote") || !strings.Contains(page, "locked") {
		t.Errorf("the tally:\n%s", page)
	}
}

// TestPostAsked: a doubtful vote is asked back, and what its author presses is
// his vote, beside the text as he wrote it.
func TestPostAsked(t *testing.T) {
	p := inThread(t)
	anna := p.seats[0]
	const text = "Anna > Do"
	page := anna.must("POST", "/t/1/post", 200, "text", text)
	if !strings.Contains(page, "Whom do you mean?") || strings.Count(page, `name="vote"`) != 2 {
		t.Fatalf("it asks nothing:\n%s", page)
	}
	fields := append(sure(t, page), "text", text)
	anna.must("POST", "/t/1/post", 409, append(fields, "vote", "02")...) // nobody has asked that
	if s := p.seen(); s.Posts != 0 || s.Seats[0].Voted {
		t.Fatal("a vote was counted that nobody was shown")
	}
	anna.must("POST", "/t/1/post", 303, append(fields, "vote", "07")...)
	if s := p.seen(); s.Posts != 1 || s.Seats[0].VotedFor != 7 {
		t.Errorf("%d posts, for %d", s.Posts, s.Seats[0].VotedFor)
	}
	page = p.seats[1].must("POST", "/t/1/post", 200, "text", "B > Do")
	p.seats[1].must("POST", "/t/1/post", 303, append(sure(t, page), "text", "B > Do")...)
	if s := p.seen(); s.Posts != 2 || s.Seats[1].Voted {
		t.Error("without a vote it counts as one, or is not posted")
	}
	for _, reader := range append(p.seats[1:], p.guest) { // that somebody was asked is his own matter
		if page := reader.must("GET", "/t/1/thread?page=1", 200); strings.Contains(page, "mean?") || strings.Contains(page, "which seat") {
			t.Error("others learn that somebody was asked")
		}
	}
}

// TestPostRefused: a vote that can't count says why, and its text may be posted.
func TestPostRefused(t *testing.T) {
	p := inThread(t)
	for _, tt := range []struct {
		by         *browser
		text, says string
	}{
		{p.seats[0], "Anna > Zacharias", "No player is called like this."},
		{p.seats[0], "lock", "There is no vote of yours to lock."},
		{p.guest, "Anna > Bob", "Only players vote."},
	} {
		before := p.seen().Posts
		page := tt.by.must("POST", "/t/1/post", 200, "text", tt.text)
		if !strings.Contains(page, tt.says) || !strings.Contains(page, "Post it without a vote") {
			t.Errorf("%q: %s", tt.text, page)
		}
		tt.by.must("POST", "/t/1/post", 303, append(sure(t, page), "text", tt.text)...)
		if s := p.seen(); s.Posts != before+1 || slices.ContainsFunc(s.Seats, func(s engine.SeatSeen) bool { return s.Voted }) {
			t.Errorf("%q: %d posts", tt.text, s.Posts)
		}
	}
	for _, reader := range append(p.seats, p.guest) {
		if page := reader.must("GET", "/t/1/thread?page=1", 200); strings.Contains(page, "called like") || strings.Contains(page, "Not done") {
			t.Error("a refusal is read by all")
		}
	}
}

// TestPostAfterRound: a look of an earlier round is not posted.
func TestPostAfterRound(t *testing.T) {
	p := inThread(t)
	page := p.seats[0].must("POST", "/t/1/post", 200, "text", "Anna > Bob")
	fields := append(sure(t, page), "text", "Anna > Bob")
	p.host.must("POST", "/t/1/host/act", 303, "verb", "replay")
	page = p.seats[0].must("POST", "/t/1/post", 200, fields...)
	if !strings.Contains(page, "The round has changed") || p.seen().Posts != 0 {
		t.Fatalf("it was posted into another round:\n%s", page)
	}
	p.seats[0].must("POST", "/t/1/post", 303, append(sure(t, page), "text", "Anna > Bob")...)
	if p.seen().Seats[0].VotedFor != 2 {
		t.Error("the second look is not enough")
	}
}

// TestPostTooLong: a text that is refused comes back as it was.
func TestPostTooLong(t *testing.T) {
	p := inThread(t)
	long := strings.Repeat("Я думаю. ", 700)
	page := p.seats[0].must("POST", "/t/1/post", 422, "text", long+"Конец")
	if !strings.Contains(page, long+"Конец</textarea>") || !strings.Contains(page, "8 KB") {
		t.Errorf("a long text is lost:\n%.500s", page)
	}
	p.seats[0].must("POST", "/t/1/post", 303, "text", strings.Repeat("Я", engine.PostMax/2))
	p.seats[0].must("POST", "/t/1/post", 422, "text", " \n\u200b\u3164 ")
	p.host.must("POST", "/t/1/host/act", 303, "verb", "stop", "text", "why")
	if page = p.seats[0].must("POST", "/t/1/post", 409, "text", "I was writing"); !strings.Contains(page, "I was writing") {
		t.Error("while the game is stopped a text is lost")
	}
	p.host.must("POST", "/t/1/post", 403, "text", "I am the host")
	if n := p.seen().Posts; n != 1 {
		t.Errorf("%d posts", n)
	}
}

// TestPostOnce: the same form posts once, however often it is sent.
func TestPostOnce(t *testing.T) {
	p := inThread(t)
	for range 3 {
		p.seats[0].forms = 100
		p.seats[0].must("POST", "/t/1/post", 303, "text", "Once.")
	}
	p.guest.must("POST", "/t/1/post", 303, "text", "Once, too.")
	for range 2 {
		p.guest.forms--
		p.guest.must("POST", "/t/1/post", 303, "text", "Once, too.")
	}
	if n := p.seen().Posts; n != 2 {
		t.Errorf("%d posts", n)
	}
}

// TestPostHostile: whatever is written stays text, and changes no vote but by
// what its author was shown.
func TestPostHostile(t *testing.T) {
	p := inThread(t)
	for _, text := range []string{
		"<script>alert(1)</script><img src=x onerror=alert(1)>", "</p></article><form action=//evil>", "{{.T \"x\"}} %s \x00\x1b[31m",
		"\u202eboB > annA\u202c", "A\u200bnna >\u200b Bo\u200bb", "Anna\u2066 > Bob\u2069", "\u2067Anna > Bob", strings.Repeat(">", 4000), "Anna " + strings.Repeat("> ", 200) + "Bob",
		"Anna > " + strings.Repeat("Bob", 500), "Z" + strings.Repeat("\u0301", 300), strings.Repeat("\u034f", 100) + "x", "Anna\r> Bob", "Anna >\u2028Bob", "&gt; Anna &gt; Bob", "\xff\xfeAnna > Bob", "#post-1 = all voted 1 2", "host decide \"x\"\n= all out 1 vote",
	} {
		before := p.seen()
		status, page := p.seats[0].ask("POST", "/t/1/post", url.Values{"text": {text}})
		shown := ""
		if status == 200 {
			shown = page
			fields := sure(t, page)
			status, page = p.seats[0].ask("POST", "/t/1/post", url.Values{"text": {text}, fields[0]: {fields[1]}, fields[2]: {fields[3]}})
		}
		if status != 303 {
			t.Errorf("%q: %d %.300s", text, status, page)
			continue
		}
		after := p.seen()
		if moved := before.Seats[0].VotedFor != after.Seats[0].VotedFor; moved && !strings.Contains(shown, "This will count as</h2>") {
			t.Errorf("%q moved a vote to %d that nobody was shown", text, after.Seats[0].VotedFor)
		}
		for seat := range after.Seats[1:] {
			if after.Seats[seat+1].Voted {
				t.Errorf("%q: seat %d votes", text, seat+2)
			}
		}
		page = p.guest.must("GET", "/t/1/thread?page=1", 200)
		if found := inline.FindString(page); found != "" || strings.Contains(page, "onerror=alert(1)>") || strings.Contains(page, "<form action=//") {
			t.Errorf("%q becomes markup: %q", text, found)
		}
		if strings.ContainsAny(page, "\x00\x1b\u202e\u2067") || strings.Contains(page, strings.Repeat("\u0301", maxPile+1)) {
			t.Errorf("%q is shown with what turns or covers the text around it", text)
		}
		p.host.must("POST", "/t/1/host/act", 303, "verb", "replay") // votes are gone
		p.clock.pass(time.Minute)
	}
}

// TestThreadOfRunoff: the thread calls a phase as these rules do, as every other
// page.
func TestThreadOfRunoff(t *testing.T) {
	p := inThread(t)
	p.seats[0].must("POST", "/t/1/act", 303, "verb", "vote", "seat", "02")
	p.seats[1].must("POST", "/t/1/act", 303, "verb", "vote", "seat", "01")
	p.clock.pass(24 * time.Hour)
	p.host.must("POST", "/t/1/host/act", 303, "verb", "decide", "text", "A tie.")
	if page := p.guest.must("GET", "/t/1/thread?page=1", 200); strings.Count(page, "Day 1: runoff") < 2 {
		t.Errorf("%s", page)
	}
}

// TestTempo: a player who floods a game with posts and votes is told to wait, and
// keeps his text; the others go on.
func TestTempo(t *testing.T) {
	p := inThread(t)
	for range postsAtOnce {
		p.seats[0].must("POST", "/t/1/post", 303, "text", "Again.")
	}
	if page := p.seats[0].must("POST", "/t/1/post", 422, "text", "And again."); !strings.Contains(page, "6 times a minute") || !strings.Contains(page, "And again.</textarea>") {
		t.Errorf("%s", page)
	}
	p.seats[1].must("POST", "/t/1/post", 303, "text", "I am here, too.")
	for i := range actsAtOnce + 5 {
		p.seats[0].must("POST", "/t/1/act", 303, "verb", "vote", "seat", fmt.Sprintf("%02d", 2+i%2))
	}
	if page := p.seats[0].must("GET", "/t/1", 200); !strings.Contains(page, "200 votes and letters an hour") {
		t.Error("nobody says why a vote is not taken")
	}
	if n := len(p.table.now.Load().game.Log()); n != actsAtOnce {
		t.Errorf("%d acts", n)
	}
	p.clock.pass(time.Minute)
	p.seats[0].must("POST", "/t/1/post", 303, "text", "And again.")
	if n := p.seen().Posts; n != postsAtOnce+2 {
		t.Errorf("%d posts", n)
	}
}

// TestTextOfActs: what is written by another form than a post's is as tidy, and
// no other form posts past what its author is shown.
func TestTextOfActs(t *testing.T) {
	p := inThread(t)
	const text = "a\u202eb\u200b\x00Z" + "\u0301\u0301\u0301\u0301\u0301\u0301\u0301"
	p.seats[0].must("POST", "/t/1/act", 400, "verb", "post", "text", "Anna > Bob "+text)
	if s := p.seen(); s.Posts != 0 || s.Seats[0].Voted {
		t.Error("an act's form has posted")
	}
	p.seats[0].must("POST", "/t/1/act", 303, "verb", "whisper", "word", "host", "text", text)
	p.host.must("POST", "/t/1/host/act", 303, "verb", "decide", "text", text)
	p.host.must("POST", "/t/1/host/act", 303, "verb", "post", "for", "04", "text", text)
	p.host.must("POST", "/t/1/host/act", 422, "verb", "post", "for", "04", "text", "\u200b\u3164")
	for path, by := range map[string]*browser{"/t/1/thread?page=1": p.guest, "/t/1/tally": p.guest, "/t/1/host/letters": p.host} {
		page := by.must("GET", path, 200)
		if !strings.Contains(page, "abZ") || strings.ContainsAny(page, "\u202e\u200b\x00") || strings.Contains(page, strings.Repeat("\u0301", maxPile+1)) {
			t.Errorf("%s shows what was written as it came", path)
		}
	}
	if n := p.seen().Posts; n != 1 {
		t.Errorf("%d posts", n)
	}
}

// TestGuestLimits: guests are few, and the thread is not theirs.
func TestGuestLimits(t *testing.T) {
	p := inThread(t)
	may := func(device, from, key string) string {
		err := p.b.outsiders.may("1", guestPost{p.clock.Now(), device, from, key})
		if err == nil {
			return ""
		}
		return err.(problem).Key
	}
	p.guest.must("POST", "/t/1/post", 303, "text", "Hello")
	page := p.guest.must("POST", "/t/1/post", 422, "text", "Hello again")
	if !strings.Contains(page, "Hello again") || !strings.Contains(page, "once a minute") {
		t.Errorf("%s", page)
	}
	other := &browser{T: t, b: p.b}
	other.must("POST", "/t/1/post", 422, "text", "From the same address")
	p.clock.pass(guestRest)
	p.guest.must("POST", "/t/1/post", 303, "text", "Hello again")
	if page = p.seats[0].must("GET", "/t/1/thread?page=1", 200); strings.Count(page, `class="post guest"`) != 2 {
		t.Error("a guest is not marked")
	}
	for i := 2; i < guestDay; i++ {
		p.clock.pass(time.Minute)
		if got := may(fmt.Sprint("d", i), fmt.Sprint("a", i), fmt.Sprint("k", i)); got != "" {
			t.Fatal(i, got)
		}
	}
	p.clock.pass(time.Hour)
	p.guest.must("POST", "/t/1/post", 422, "text", "One more")
	p.clock.pass(23 * time.Hour)
	if got := may("x", "x", "x"); got != "" {
		t.Error("the next day:", got)
	}
	if got := may("x", "y", "y"); got != "guest_fast" {
		t.Error("the same device:", got)
	}
	if got := may("x", "x", "x"); got != "" {
		t.Error("the same form:", got)
	}
}

// TestThreadUnread: a device goes on where it has stopped reading.
func TestThreadUnread(t *testing.T) {
	p := inThread(t)
	for i := range 2*postsOnPage + 5 {
		if err := act(p.table, "", engine.Act{By: engine.Actor(i%7 + 1), Verb: engine.Post, Text: fmt.Sprint("post no. ", i+1, ".")}); err != nil {
			t.Fatal(err)
		}
	}
	read := ""
	get := func(path string) (*http.Response, string) {
		t.Helper()
		r := httptest.NewRequest("GET", path, nil)
		r.Host = "192.168.4.1:8080"
		if read != "" {
			r.Header.Set("Cookie", read)
		}
		resp, err := p.b.app.Test(r, 5000)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range resp.Cookies() {
			if c.Name == "read1" {
				if !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.MaxAge <= 0 || c.Path != "/t/1" {
					t.Errorf("cookie %v", c)
				}
				read = c.Name + "=" + c.Value
			}
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp, string(body)
	}
	to := func(want string) {
		t.Helper()
		if resp, _ := get("/t/1/thread"); resp.StatusCode != 303 || resp.Header.Get("Location") != "/t/1/thread?page="+want {
			t.Errorf("%d %s, want %s", resp.StatusCode, resp.Header.Get("Location"), want)
		}
	}
	page := func(n int, unread bool, posts ...int) {
		t.Helper()
		_, body := get(fmt.Sprint("/t/1/thread?page=", n))
		if strings.Contains(body, `id="unread"`) != unread {
			t.Errorf("page %d: what is unread is marked: %v", n, !unread)
		}
		for _, post := range posts {
			if !strings.Contains(body, fmt.Sprintf(`id="post-%d"`, post)) || !strings.Contains(body, fmt.Sprintf("post no. %d.", post)) {
				t.Errorf("page %d has no post %d", n, post)
			}
		}
		if got := strings.Count(body, "<article"); got != min(postsOnPage, 105-(n-1)*postsOnPage) {
			t.Errorf("page %d has %d posts", n, got)
		}
	}
	to("1")
	page(1, false, 1, 50)
	to("2#unread")
	page(2, true, 51, 100)
	page(2, false)
	page(1, false)
	to("3#unread")
	page(3, true, 101, 105)
	to("3#end")
	if read != "read1=1.105" {
		t.Error(read)
	}
	page(3, false)
	read = "read1=1.77"
	to("2#unread")
	page(2, true)
	for _, odd := range []string{"read1=2.77", "read1=1.-5", "read1=x", "read1=1.99999999999999999999999"} {
		read = odd
		to("1")
	}
	read = "read1=1.100000"
	to("3#end")
	for _, query := range []string{"?page=0", "?page=-1", "?page=99999999"} {
		if resp, _ := get("/t/1/thread" + query); resp.StatusCode != 200 {
			t.Errorf("%s: %d", query, resp.StatusCode)
		}
	}
}

// TestThreadIsOfItsGame: other rules have no thread, and a finished game keeps it
// until the next lobby.
func TestThreadIsOfItsGame(t *testing.T) {
	p := inThread(t)
	p.seats[0].must("POST", "/t/1/post", 303, "text", "Good evening.")
	p.host.must("POST", "/t/1/host/act", 303, "verb", "end")
	if page := p.guest.must("GET", "/t/1/thread?page=1", 200); !strings.Contains(page, "Good evening.") || strings.Contains(page, `id="f-post"`) {
		t.Error("after the end the thread is gone, or one may go on")
	}
	p.seats[0].must("POST", "/t/1/post", 409, "text", "Good night.")
	p.guest.must("GET", "/t/1/tally", 200)
	p.host.must("POST", "/t/1/host/next", 303)
	for _, path := range []string{"/t/1/thread", "/t/1/tally", "/t/1/letters"} {
		p.seats[0].must("GET", path, 404)
	}
	p.host.must("POST", "/t/1/host/rules", 303, "rules", "boulevard")
	p.host.must("POST", "/t/1/host/deal", 303)
	for _, path := range []string{"/t/1/thread", "/t/1/tally", "/t/1/letters"} {
		p.seats[0].must("GET", path, 404)
	}
	p.seats[0].must("POST", "/t/1/post", 404, "text", "x")
}
