package server

import (
	"bytes"
	"fmt"
	"mime/multipart"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/enginetest"
	"github.com/mafiabox/mafiabox/engine/record"
	"github.com/mafiabox/mafiabox/engine/rulesets"
	"github.com/mafiabox/mafiabox/server/store"
)

// randomRecord plays a game at random, up to so many acts, and is its record as
// a box writes it: with a date, names, a set, moments and sources.
func randomRecord(rules engine.Ruleset, seed uint64, most int) (text []byte, game engine.Game) {
	p := enginetest.NewPlayer(rules, seed)
	setup := p.Game.Setup()
	h := record.Header{Rules: rules, Seats: setup.Seats, Roles: setup.Roles, Names: setup.Names, Start: setup.Start, Date: fmt.Sprintf("2026-%02d-%02d", 1+seed%12, 1+seed%28)}
	if h.Names == nil && rules.ID() != "forum" { // which reads them in posts
		for i := range setup.Seats {
			h.Names = append(h.Names, []string{"Анна", `Q "x" \`, "Zoë", "=1+1", "Ли"}[(uint64(i)+seed)%5]+fmt.Sprint(" ", (uint64(i)+seed)%23))
		}
	}
	for _, o := range rules.Options() {
		if seed%2 == 0 || setup.Options[o.Name] != o.Values[0] {
			h.Options = append(h.Options, record.Setting{Name: o.Name, Value: setup.Options[o.Name]})
		}
	}
	for _, d := range rules.Draws() {
		if value := setup.Draws[d.Name]; value != "" {
			h.Draws = append(h.Draws, record.Setting{Name: d.Name, Value: value})
		}
	}
	var b strings.Builder
	if seed%3 == 0 {
		b.WriteString(setComment + "Клуб «Дом» #2\n")
	}
	b.WriteString(record.FormatHeader(h))
	tell := func(events []engine.Event) {
		for _, e := range events {
			fmt.Fprintln(&b, "=", record.FormatEvent(e))
		}
	}
	tell(p.Game.Opening())
	at := time.Date(2026, 5, 4, 20, 0, 0, 0, []*time.Location{time.UTC, time.FixedZone("", 3*3600)}[seed%2])
	for p.Acts < enginetest.MostActs && !p.Game.Ended() && p.Game.LastNo() < most {
		a := p.Next()
		after, events, err := p.Game.Do(a)
		if err != nil {
			continue
		}
		p.Game = after
		at = at.Add(time.Duration(p.Rng.IntN(60_000)) * time.Millisecond)
		a.At, a.Via = at, []engine.Source{engine.ByPhone, engine.ByHost, engine.ByButton, engine.ByBox}[p.Rng.IntN(4)]
		if p.Rng.IntN(10) == 0 {
			a.At, a.Via = time.Time{}, ""
		}
		fmt.Fprintln(&b, record.FormatAct(a))
		tell(events)
	}
	return []byte(b.String()), p.Game
}

// TestRoundTrip: a record of a box is the same byte for byte when it came as a
// file, whether its game has an end or not.
func TestRoundTrip(t *testing.T) {
	for _, rules := range rulesets.All {
		t.Run(rules.ID(), func(t *testing.T) {
			t.Parallel()
			ended, undone := 0, 0
			for seed := uint64(1); seed <= 200; seed++ {
				most := 1 << 20
				if seed%5 == 0 {
					most = int(seed / 4)
				}
				text, game := randomRecord(rules, seed, most)
				in, err := readRecord(text, rulesets.All)
				if err != nil || len(in.differences) > 0 || in.left > 0 || in.game.Ended() != game.Ended() {
					t.Fatalf("seed %d: %v %v, %d left out\n%s", seed, err, in.differences, in.left, text)
				}
				keep := store.Memory()
				for _, c := range inChunks(gameID{importID, 1}, in.Game) {
					if err := keep.Commit(c); err != nil {
						t.Fatalf("seed %d: %v", seed, err)
					}
				}
				stored, err := keep.Game(importID, 1)
				if got := stored.Text(); err != nil || !bytes.Equal(got, text) {
					t.Fatalf("seed %d: %v, another text\n%s", seed, err, differs(string(text), string(got)))
				}
				if game.Ended() {
					ended++
				}
				undone += bytes.Count(text, []byte("\nhost undo "))
			}
			if ended < 150 || undone < 20 {
				t.Errorf("%d games with an end, %d acts taken back by number: too few", ended, undone)
			}
		})
	}
}

// differs is the first line in which two texts differ.
func differs(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d: want %q, got %q", i+1, a[i], b[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(b), len(a))
}

// send uploads a file as a browser does.
func (br *browser) upload(text string, pairs ...string) (int, string, string) {
	br.Helper()
	if br.cookie == "" {
		br.ask("GET", "/", nil)
	}
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	br.forms++
	form.WriteField("key", br.key()+fmt.Sprint(br.forms))
	for i := 0; i+1 < len(pairs); i += 2 {
		form.WriteField(pairs[i], pairs[i+1])
	}
	file, _ := form.CreateFormFile("file", "game.mafia")
	file.Write([]byte(text))
	form.Close()
	r := httptest.NewRequest("POST", importPath, &body)
	r.Host = ownHost
	r.Header.Set("Content-Type", form.FormDataContentType())
	r.Header.Set("Cookie", br.cookie)
	resp, err := br.b.app.Test(r, 30_000)
	if err != nil {
		return 0, err.Error(), ""
	}
	defer resp.Body.Close()
	var page bytes.Buffer
	page.ReadFrom(resp.Body)
	return resp.StatusCode, page.String(), resp.Header.Get("Location")
}

// indexed waits until the archive has read everything and has so many games.
func indexed(t *testing.T, b *Box, n int) []*finished {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		all, left := b.archive.games()
		if left == 0 && len(all) == n {
			return all
		}
		if time.Now().After(end) {
			t.Fatalf("the archive has %d games and %d to read, want %d", len(all), left, n)
		}
	}
}

// TestImport: games of all rules come as files, are listed and given out as they
// came; the same one comes once, and a number is never used again.
func TestImport(t *testing.T) {
	s := besiege(t)
	var texts []string
	for i, rules := range rulesets.All {
		text, _ := randomRecord(rules, uint64(20+i), 1<<20)
		texts = append(texts, string(text))
		status, page, to := s.other.upload(string(text))
		if status != 303 || to != fmt.Sprintf("/archive/import/%d", i+1) {
			t.Fatalf("%s: %d %s\n%s", rules.ID(), status, to, page)
		}
		if got := s.host.must("GET", to+"/record.mafia", 200); got != string(text) {
			t.Errorf("%s: given out with another text: %s", rules.ID(), differs(string(text), got))
		}
		for _, lang := range []string{"en", "ru"} {
			s.host.must("GET", to+"?lang="+lang, 200)
			s.host.must("GET", to+"/print?lang="+lang, 200)
		}
	}
	indexed(t, s.b, len(texts))
	if status, page, _ := s.owner.upload(texts[1]); status != 422 || !strings.Contains(page, "/archive/import/2") {
		t.Errorf("the same once more: %d\n%s", status, page)
	}
	s.owner.must("POST", "/archive/import/4/delete", 303, "sure", "1")
	if status, _, to := s.owner.upload(texts[3]); status != 303 || to != "/archive/import/5" {
		t.Errorf("deleted, then brought again: %d %s", status, to)
	}
}

// TestImportErrors: what can't be taken is refused by name and line, and nothing is kept.
func TestImportErrors(t *testing.T) {
	s := besiege(t)
	const head = "rules boulevard\nseats 5\nrole 1 don\nrole 2 doctor\nrole 3 commissioner\nrole 4 civilian\nrole 5 civilian\nbegin\n"
	for name, c := range map[string]struct{ text, want string }{
		"nothing":            {"", "There is no file"},
		"space":              {" \n\n", "There is no file"},
		"no rules":           {"seats 5\n", "Line 1 "},
		"unknown rules":      {"rules chess\n", "Line 1 "},
		"no begin":           {"rules sport\nseats 10\n", "Line 2 "},
		"a bad line":         {head + "host night\n1 shoots 5\n", "Line 10 "},
		"a seat beyond":      {head + "host night\n1 shoot 9\n", "Line 10 "},
		"no deal":            {"rules boulevard\nseats 5\nbegin\nhost end\n", "(line 3)"},
		"an odd role":        {strings.Replace(head, "doctor", "wizard", 1) + "host end\n", "(line 8)"},
		"not UTF-8":          {head + "host note \"\xff\xfe\"\nhost end\n", "Line 9 "},
		"a picture":          {"\x89PNG\r\n\x1a\n\x00\x00", "Line 1 "},
		"no end":             {head + "host night\n", "has no end"},
		"another result":     {head + "host end\n= all win town\n", "all win town"},
		"another opening":    {head + "= 1 told role doctor\nhost end\n", "1 told role don"},
		"an act refused":     {head + "host dawn\nhost end\n", "host refused phase"},
		"a result too many":  {head + "host end\n! all phase ended\n", "no all phase ended"},
		"too many acts":      {head + strings.Repeat("host note \"\"\n", maxImported+1), "more than 20000"},
		"too many lines":     {head + strings.Repeat("= all stay\n", importedLines), "more than 20000"},
		"larger than a form": {head + "host note \"" + strings.Repeat("x", 200<<10) + "\"\nhost end\n", "refused"},
	} {
		status, page, _ := s.host.upload(c.text)
		if status != 422 || !strings.Contains(page, c.want) {
			t.Errorf("%s: status %d, no %q in\n%s", name, status, c.want, plainText(page))
		}
		if _, err := readRecord([]byte(c.text), rulesets.All); err != nil {
			said := words{s.b.texts.in("ru")}.refusal(err)
			if english := regexp.MustCompile(`\b(expected|line|unknown|can't|not|of|the)\b`).FindString(said); english != "" || !strings.ContainsAny(said, "аеиоу") {
				t.Errorf("%s, in Russian: %s", name, said)
			}
		}
	}
	if status, page, _ := s.host.upload(head+"host end\n= all win town\n", "anyway", "1"); status != 303 {
		t.Errorf("taken all the same: %d\n%s", status, page)
	} else if got := s.host.must("GET", "/archive/import/1/record.mafia", 200); strings.Contains(got, "win town") || !strings.Contains(got, "= all phase ended") {
		t.Errorf("it is not what the rules tell:\n%s", got)
	}
	games := len(indexed(t, s.b, 1))
	for name, who := range map[string]*browser{"a stranger": s.stranger, "a player": s.player, "the screen": s.screen} {
		if status, _, _ := who.upload(head + "host end\n"); status != 403 {
			t.Errorf("by %s: status %d", name, status)
		}
		if status, page, _ := who.upload(strings.Repeat("#\n", 200<<10)); status != 413 && page != "body size exceeds the given limit" {
			t.Errorf("a large one by %s: status %d %s", name, status, page)
		}
	}
	if status, page, _ := s.host.upload(strings.Repeat("# a line that fills\n", 30<<20/20)); status != 413 && page != "body size exceeds the given limit" {
		t.Errorf("30 MiB: status %d\n%.300s", status, page)
	}
	if status, page, _ := s.host.upload(strings.Repeat("# a line that fills more of it than others do"+strings.Repeat(".", 54)+"\n", 15<<20/100)); status != 422 || !strings.Contains(page, "expected") {
		t.Errorf("15 MiB: status %d\n%.300s", status, page)
	}
	if all, _ := s.b.archive.games(); len(all) != games {
		t.Errorf("%d games, want %d", len(all), games)
	}
}

// TestImportForeign: a file that a person wrote is put straight once, and then stays.
func TestImportForeign(t *testing.T) {
	const text = "\uFEFF# notes of an evening\r\nrules   boulevard # ours\r\n\r\nseats 5\nname 2 \"Anna\"\ncast don doctor commissioner civilian*2\ndeal 42\nbegin\n" +
		"host dawn   # too early\n= host refused phase\n  host night\nhost note \"hm\"\nhost undo 3\n= host refused target\n! all out\nhost undo 2\nhost end\n= all phase ended\n"
	in, err := readRecord([]byte(text), rulesets.All)
	if err != nil || len(in.differences) > 0 || in.left != 2 {
		t.Fatal(err, in.differences, in.left)
	}
	once := in.Text()
	for _, line := range []string{"# notes", "\r", "host dawn", "undo 3"} {
		if bytes.Contains(once, []byte(line)) {
			t.Errorf("it still has %q:\n%s", line, once)
		}
	}
	if !bytes.Contains(once, []byte("host undo 1\n")) || !bytes.Contains(once, []byte("deal 42\n")) {
		t.Errorf("an act's number, or the deal, is not kept:\n%s", once)
	}
	again, err := readRecord(once, rulesets.All)
	if err != nil || len(again.differences) > 0 || !bytes.Equal(again.Text(), once) {
		t.Errorf("it does not stay: %v %v\n%s", err, again.differences, differs(string(once), string(again.Text())))
	}
}

// TestImportedNames: a name of a file is shown as one that is typed would be, and
// the record has it as it came.
func TestImportedNames(t *testing.T) {
	s := besiege(t)
	text, _ := randomRecord(rulesets.All[0], 1, 1<<20)
	odd := []string{"Line\nbreak\tand\x00", "\u202Ereversed\u2066", "\u200B", "Z" + strings.Repeat("\u0301", 50), strings.Repeat("w", 500)}
	n := 0
	lines := strings.Split(string(text), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "name ") && n < len(odd) {
			head, err := record.Parse([]byte("rules boulevard\nseats 5\n"+"begin\n"), rulesets.All)
			if err != nil {
				t.Fatal(err)
			}
			head.Names = make([]string, 5)
			head.Names[0] = odd[n]
			_, quoted, _ := strings.Cut(record.FormatHeader(head.Header), "name 1 ")
			quoted, _, _ = strings.Cut(quoted, "\n")
			seat := strings.Fields(line)[1]
			lines[i] = "name " + seat + " " + quoted
			n++
		}
	}
	sent := strings.Join(lines, "\n")
	status, page, at := s.host.upload(sent)
	if status != 303 || n != len(odd) {
		t.Fatal(status, n, plainText(page))
	}
	all := indexed(t, s.b, 1)
	var names []string
	for _, seat := range all[0].seats[:n] {
		names = append(names, seat.name)
	}
	if want := []string{"Line break and", "reversed", "", "Ź\u0301\u0301\u0301\u0301", strings.Repeat("w", 2*maxName)}; fmt.Sprintf("%q", names) != fmt.Sprintf("%q", want) {
		t.Errorf("the names are %q, want %q", names, want)
	}
	for _, path := range []string{"/archive", at, at + "/print", "/archive/season", "/archive/season.csv", "/archive/people"} {
		page := s.host.must("GET", path, 200)
		if strings.ContainsAny(page, "\u202E\u2066\x00\u200B") || strings.Contains(page, "Line\n") || strings.Contains(page, "break\t") || !strings.Contains(page, "Line break and") {
			t.Errorf("%s has names as they came", path)
		}
	}
	if rec := s.host.must("GET", at+"/record.mafia", 200); rec != sent {
		t.Error("the record is changed:", differs(sent, rec))
	}
}

// TestImportLarge: who sends a file that is too large is told so, script or none.
func TestImportLarge(t *testing.T) {
	s := besiege(t)
	for _, more := range []int{1, 1 << 20, 7 << 20} {
		status, page, _ := s.host.upload(strings.Repeat("#", record.MaxSize+more))
		if status != 422 || !strings.Contains(plainText(page), "larger than 16 MiB") {
			t.Errorf("%d more: %d %.300s", more, status, plainText(page))
		}
	}
	if status, _, _ := s.player.upload(strings.Repeat("#", 1<<20)); status == 422 {
		t.Error("a player's file was read")
	}
}
