package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// ownerPhone is a browser that has typed the owner's code.
func ownerPhone(t *testing.T, b *box) *phone {
	p := newPhone(t, chromium(t), "owner")
	p.do(chromedp.Navigate(b.url+"/box"), chromedp.SendKeys(chromedp.CSS("input[name=code]"), "OWNER"))
	p.click("main button")
	p.shows("Tables")
	return p
}

// TestArchive finds a finished game in the archive, prints its sheet, takes its
// record away, deletes the game, and adds it again from the file: the page is the
// same, and so is the record.
func TestArchive(t *testing.T) {
	t.Parallel()
	b := start(t)
	host, _ := b.seated(0)
	host.post("/t/1/host/rules", form("rules", "sport"))
	deal := []string{"by", "hand"}
	for i, role := range []string{"don", "mafia", "mafia", "sheriff", "town", "town", "town", "town", "town", "town"} {
		host.post("/t/1/host/people", form("do", "add", "name", []string{"Анна", "Boris", "=1+1"}[i%3]))
		deal = append(deal, fmt.Sprint("role", i+1), role)
	}
	host.post("/t/1/host/deal", form(deal...))
	host.step("night")
	host.step("dawn")
	for _, seat := range []string{"1", "2", "3"} {
		host.post("/t/1/host/act", form("verb", "leave", "seat", seat))
	}
	host.post("/t/1/host/next", form("do", "lobby"))

	p := ownerPhone(t, b)
	p.click(`a[href="/archive"]`)
	p.shows("Victory: Town")
	p.shoot("archive-list")
	p.click(".games a")
	p.shows("The judge's sheet")
	before := p.said()
	for _, want := range []string{"Анна", "=1+1", "Victory: Town", "Sheriff", "left"} {
		if !strings.Contains(before, want) {
			t.Errorf("the page of the game has no %q:\n%s", want, before)
		}
	}
	rec := p.eval(`fetch(document.querySelector('[href$="record.mafia"]').href).then(r => r.text())`)
	for _, paper := range []string{"sheet", "print"} {
		p.click(`a[href$="/` + paper + `"]`)
		p.shows("To the game")
		p.shoot("archive-" + paper)
		text, leaves := p.printedText()
		if leaves < 1 || paper == "sheet" && leaves != 1 || strings.Contains(text, "To the game") {
			t.Errorf("%s: %d pages\n%s", paper, leaves, text)
		}
		for _, want := range []string{"Анна", "Boris 2", "=1+1 3", "Victory: Town"} {
			if !strings.Contains(solid(text), solid(want)) {
				t.Errorf("%s: no %q on paper:\n%s", paper, want, text)
			}
		}
		p.click("p.aside a")
		p.shows("The judge's sheet")
	}
	p.unfold("#d-delete")
	p.click("#d-delete [name=sure]")
	p.shoot("archive-delete")
	p.click("#d-delete button")
	p.shows("No finished game fits")
	if status, _, err := host.ask("GET", "/archive/1/1/record.mafia", nil); err != nil || status != 404 {
		t.Errorf("the deleted game: %d %v", status, err)
	}

	file := filepath.Join(t.TempDir(), "taken.mafia")
	if err := os.WriteFile(file, []byte(rec), 0o600); err != nil {
		t.Fatal(err)
	}
	p.click(`a[href="/archive/import"]`)
	p.sees("input[type=file]")
	large := filepath.Join(t.TempDir(), "large.mafia")
	if err := os.WriteFile(large, make([]byte, 64<<20), 0o600); err != nil { // more than the box would read to say so
		t.Fatal(err)
	}
	p.do(chromedp.SetUploadFiles(chromedp.CSS("input[type=file]"), []string{large}))
	p.click("main button.big")
	if said := p.eval(`document.querySelector('input[type=file]').validationMessage`); !strings.Contains(said, "larger than 16 MiB") {
		t.Errorf("of a large file the page says %q", said)
	}
	p.do(chromedp.SetUploadFiles(chromedp.CSS("input[type=file]"), []string{file}))
	p.click("main button.big")
	p.shows("The judge's sheet")
	if after := p.said(); after != strings.ReplaceAll(before, "Table 1", "From a file") {
		t.Errorf("the page was\n%s\nand is\n%s", before, after)
	}
	if again := p.eval(`fetch(document.querySelector('[href$="record.mafia"]').href).then(r => r.text())`); again != rec || !strings.Contains(rec, "= all win town") {
		t.Errorf("the record was\n%s\nand is\n%s", rec, again)
	}
	if season := host.get("/archive/season.csv"); !strings.Contains(season, "'=1+1,") {
		t.Errorf("the season is\n%s", season)
	}
	host.post("/t/1/host/deal", form(deal...)) // and the table goes on
}

// said is what the page of a game says, but for where the game comes from.
func (p *phone) said() string {
	return p.eval(`document.querySelectorAll('main details').forEach(d => { d.open = true }); document.querySelector('main').innerText`)
}

// printedText is what the page prints, and on how many leaves.
func (p *phone) printedText() (text string, leaves int) {
	p.t.Helper()
	across := true // as the sheet says of itself
	pdf, err := chromedp.Run(p.page, chromedp.PrintToPDF(func(p *page.PrintToPDFParams) {
		p.PaperWidth, p.PaperHeight, p.PreferCSSPageSize = 210/25.4, 297/25.4, &across
	}))
	if err != nil {
		p.t.Fatal(err)
	}
	text, pictures := printed(p.t, pdf)
	return text, len(pictures)
}

// TestArchiveShots keeps pictures of the archive's pages with many games.
func TestArchiveShots(t *testing.T) {
	if os.Getenv("MAFIABOX_SHOTS") == "" {
		t.Skip("pictures are kept where MAFIABOX_SHOTS says")
	}
	b := start(t)
	s := &shots{b: b, console: ownerPhone(t, b)}
	files, err := filepath.Glob("../../engine/testdata/*/*.mafia")
	if err != nil {
		t.Fatal(err)
	}
	s.console.do(chromedp.Navigate(b.url + "/archive/import"))
	for i, file := range files {
		if i%12 != 0 && !strings.Contains(file, "sport-games") || i%4 != 0 {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s.console.eval(fmt.Sprintf(`(() => {
			const form = new FormData(document.querySelector('form')), names = ['Анна', 'Boris', 'Гриша', 'Zoë', 'Maximilian von und zu Hohenstein', 'Ли'];
			const seats = %q.match(/seats (\d+)/)?.[1] ?? 0, text = %[1]q;
			const named = /^name /m.test(text) || !seats || /^rules forum/m.test(text) ? text : text.replace(/^seats .*$/m, l => 'date 2026-0%[2]d-1%[3]d\n' + l + [...Array(+seats).keys()].map(i => '\nname ' + (i + 1) + ' "' + names[(i + %[4]d) %% 6] + ' ' + (i %% 4 + 1) + '"').join(''));
			form.set('file', new File([named], 'x.mafia')); form.set('anyway', '1');
			return fetch('/archive/import', {method: 'POST', body: form}).then(r => r.url);
		})()`, text, 1+i%8, i%9, i))
	}
	s.consoles("archive", "/archive", "")
	s.consoles("archive-2", "/archive?rules=sport&page=2", "")
	s.consoles("season", "/archive/season", `document.querySelectorAll('.season details').forEach((d, i) => { d.open = i < 2 })`)
	s.consoles("people", "/archive/people", `document.querySelectorAll('.people details').forEach((d, i) => { d.open = i < 2 })`)
	s.consoles("import", "/archive/import", "")
	at := s.console.eval(`fetch('/archive?rules=sport').then(r => r.text()).then(t => t.match(/<li><a href="([^"]+)/)[1])`)
	s.consoles("game", at, allOpen)
	s.consoles("game-print", at+"/print", "")
	s.consoles("game-sheet", at+"/sheet", "")
	for _, lang := range []string{"ru", "en"} {
		s.console.do(chromedp.Navigate(b.url + "/archive/import?lang=" + lang))
		file := filepath.Join(t.TempDir(), "odd.mafia")
		if err := os.WriteFile(file, []byte("rules boulevard\nseats 5\nrole 1 don\nrole 2 doctor\nrole 3 commissioner\nrole 4 civilian\nrole 5 civilian\nbegin\nhost night\n= all phase night 2\nhost end\n= all win town\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		s.console.do(chromedp.SetUploadFiles(chromedp.CSS("input[type=file]"), []string{file}))
		s.console.click("main button.big")
		s.console.sees(".differs")
		s.console.shoot(lang + "-import-differs")
	}
}
