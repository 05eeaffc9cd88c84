package main

import (
	"fmt"
	"html"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/chromedp/chromedp"
	"github.com/mafiabox/mafiabox/engine/record"
	"github.com/mafiabox/mafiabox/engine/rulesets"
)

// nastyNames are typed by who wants to break a page, each with what becomes of
// it; "" is refused.
var nastyNames = []struct{ typed, becomes string }{
	{`<img src=x onerror=xss=1>`, `<img src=x onerror=xss=1>`},
	{`<script>xss=1</script>`, `<script>xss=1</script>`},
	{`"><svg/onload=xss=1>`, `"><svg/onload=xss=1>`},
	{`' onclick='xss=1' x='`, `' onclick='xss=1' x='`},
	{`</bdi></title></main><h1>HOST`, `</bdi></title></main><h1>HOST`},
	{`{{.Code}}{{template "host"}}`, `{{.Code}}{{template "host"}}`},
	{`${xss=1}#{xss=1}<%=1%>`, `${xss=1}#{xss=1}<%=1%>`},
	{`&lt;b&gt;&#60;b&#62;`, `&lt;b&gt;&#60;b&#62;`},
	{"Ann\u202e\u2066\u2067\u202d\u061c\u200f\u206a\u206e\ufff9", "Ann"},
	{"Bo\x00\x1b[31m\a\r\nb\u2028c\u0085d", "Bo[31m b c d"},
	{"\u0301\u0308Cid", "Cid"},
	{"D" + strings.Repeat("\u0335\u0489", 15), "D" + strings.Repeat("\u0335\u0489", 2)},
	{strings.Repeat("W", 32), strings.Repeat("W", 32)},
	{strings.Repeat("﷽", 32), strings.Repeat("﷽", 32)},
	{"= all out 1 night", "= all out 1 night"},
	{"role 1 don\nrole 2 don", "role 1 don role 2 don"},
	{`"quoted" \"back\slash`, `"quoted" \"back\slash`},
	{"E\u00adv\u2060e\u180e", "Eve"},
	{"Eve", "Eve 2"},
	{"Еvе", "Еvе 3"}, // two Cyrillic letters
	{"\u0301\u0301\u0489", ""},
	{"\u200d\u200c\ufe0f", ""},
	{"\u202e\u2066", ""},
	{"\U000e0041\U000e0042", ""},
	{strings.Repeat("<", 33), ""},
	{"\xed\xa0\x80", ""},
	{strings.Repeat("a", 33), ""},
}

// enter gives a table its people under the names above.
func enter(t *testing.T, b *box) (names []string) {
	t.Helper()
	for _, refused := range []bool{true, false} { // a full table would refuse the rest
		for _, c := range nastyNames {
			if (c.becomes == "") != refused {
				continue
			}
			status, body, err := b.client().ask("POST", "/j/"+b.code(), form("name", c.typed))
			if want := map[bool]int{false: 303, true: 422}[refused]; err != nil || status != want {
				t.Errorf("%q: %d %v\n%s", c.typed, status, err, mainPart.FindString(body))
			}
			if !refused {
				names = append(names, c.becomes)
			}
		}
	}
	return names
}

var bdi = regexp.MustCompile(`<bdi[^>]*>([^<]*)</bdi>`)

// TestAttackNames has names with markup, with characters that turn or hide text,
// and with nothing to see, on every page that shows names, and in the record.
func TestAttackNames(t *testing.T) {
	t.Parallel()
	b := start(t)
	host, _ := b.seated(0)
	names := enter(t, b)
	if len(names) != 20 {
		t.Fatalf("%d people", len(names))
	}
	screen, seat := b.client(), b.client()
	screen.pair(host)
	look := func(moment string, pages map[string]string) {
		t.Helper()
		for what, page := range pages {
			what = moment + ", " + what
			shown := make(map[string]bool)
			for _, m := range bdi.FindAllStringSubmatch(page, -1) {
				shown[html.UnescapeString(m[1])] = true
			}
			for _, name := range names {
				if !shown[name] {
					t.Errorf("%s doesn't show %q as text", what, name)
				}
			}
			for _, bad := range []string{"<img src=x", "<script>xss", "<svg/", "<h1>HOST", "x=''"} {
				if strings.Contains(page, bad) {
					t.Errorf("%s has markup of a name: %s", what, bad)
				}
			}
			if title := regexp.MustCompile(`<title>([^<]*)</title>`).FindStringSubmatch(page); title == nil || title[1] != "Mafia" && title[1] != "Мафия" {
				t.Errorf("%s has the title %q", what, title)
			}
			depth := 0 // the box's own marks around a name come in pairs
			for _, r := range page {
				switch {
				case r == 0x2068:
					depth++
				case r == 0x2069:
					depth--
				case unicode.Is(unicode.Bidi_Control, r), r == '\n', r == '\t': // handled below
				case unicode.IsControl(r):
					t.Fatalf("%s has the control character %U", what, r)
				}
				if unicode.Is(unicode.Bidi_Control, r) && r != 0x2068 && r != 0x2069 || depth < 0 || depth > 1 {
					t.Fatalf("%s has the direction mark %U", what, r)
				}
			}
			if depth != 0 {
				t.Errorf("%s has an open direction mark", what)
			}
		}
	}
	if status := seat.redeem(b.code(), host.ticket(1, 1)); status != 303 {
		t.Fatal(status)
	}
	pages := func(lang string) map[string]string {
		return map[string]string{"seat": seat.get("/t/1?lang=" + lang), "host": host.get("/t/1/host?lang=" + lang), "screen": screen.get("/screen?lang=" + lang)}
	}
	look("lobby", pages("en"))
	host.post("/t/1/host/deal", form("by", "box"))
	host.step("night")
	look("night", pages("ru"))
	host.step("close")
	host.step("dawn")
	host.post("/t/1/host/act", form("verb", "warn", "seat", "1", "text", `<b>{{.}}"`))
	for s := 1; s <= 20; s++ {
		host.post("/t/1/host/act", form("verb", "nominate", "for", fmt.Sprint(s%20+1), "seat", fmt.Sprint(s)))
	}
	look("day", pages("en"))
	host.step("end")
	host.post("/t/1/host/story", form())
	for _, lang := range []string{"ru", "en"} {
		all := pages(lang)
		look("story", all)
		for what, page := range all { // in sentences, too, names are text
			if !strings.Contains(html.UnescapeString(page), "\u2068"+names[0]+"\u2069") {
				t.Errorf("the story on the %s doesn't have the first name", what)
			}
		}
	}
	rec, err := record.Parse([]byte(host.record()), rulesets.All)
	if err != nil {
		t.Fatalf("the record can't be read: %v\n%s", err, host.record())
	}
	if fmt.Sprint(rec.Header.Names) != fmt.Sprint(names) {
		t.Errorf("the record has the names\n%q, want\n%q", rec.Header.Names, names)
	}
}

// outside finds names that stand out of what they stand in.
const outside = `(() => {
	const found = [];
	if (document.documentElement.scrollWidth > innerWidth + 1) found.push('the page is ' + document.documentElement.scrollWidth + ' wide');
	for (const cell of document.querySelectorAll('.cell > span, .rows > li, .mine, .who, .tally li')) {
		const room = cell.getBoundingClientRect();
		if (!room.width) continue;
		for (const name of cell.querySelectorAll('bdi')) {
			const r = name.getBoundingClientRect();
			if (r.left < room.left - 1 || r.right > room.right + 1 || r.top < room.top - 1 || r.bottom > room.bottom + 1) found.push(cell.className + ': ' + name.textContent + JSON.stringify([room, r]));
		}
	}
	if (window.xss || document.querySelector('main img[src="x"], main svg[onload], bdi *')) found.push('a name is code');
	return found.join('\n');
})()`

// TestAttackNamesShown looks at those names in Chromium: none runs, and none
// stands out of its place.
func TestAttackNamesShown(t *testing.T) {
	t.Parallel()
	slow(t)
	browser := chromium(t)
	b := start(t)
	host, _ := b.seated(0)
	enter(t, b)
	seat, console, screen := newPhone(t, browser, "seat"), newPhone(t, browser, "console"), newPhone(t, browser, "screen")
	console.do(chromedp.Navigate(b.url+"/host"), chromedp.SendKeys(chromedp.CSS("input[name=code]"), hostCode))
	console.click("main button")
	console.sees("#f-deal")
	screen.do(chromedp.EmulateViewport(1920, 1080), chromedp.Navigate(b.url+"/screen"))
	host.post("/t/1/host/screen", form("code", screen.eval(pairingCode)))
	seat.do(chromedp.Navigate(b.url+"/j/"+b.code()+"?ticket=1"), chromedp.SendKeys(chromedp.CSS("input[name=code]"), host.ticket(1, 14)))
	seat.click("main button")
	seat.sees(".page.seat")
	look := func(moment string) {
		t.Helper()
		for _, lang := range []string{"en", "ru"} {
			for p, path := range map[*phone]string{seat: "/t/1", console: "/t/1/host", screen: "/screen"} {
				p.do(chromedp.Navigate(b.url+path+"?lang="+lang), chromedp.WaitReady(chromedp.CSS("main")))
				if found := p.eval(outside); found != "" {
					t.Errorf("%s, %s in %s: %s", moment, p.name, lang, found)
				}
				p.shoot("names-" + moment + "-" + p.name + "-" + lang)
			}
		}
	}
	look("lobby")
	host.post("/t/1/host/deal", form("by", "box"))
	host.step("night")
	look("night")
	host.step("close")
	host.step("dawn")
	for s := 1; s <= 20; s++ {
		host.post("/t/1/host/act", form("verb", "nominate", "for", fmt.Sprint(s%20+1), "seat", fmt.Sprint(s)))
	}
	look("day")
	host.step("end")
	host.post("/t/1/host/story", form())
	look("story")
}
