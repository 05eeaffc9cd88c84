package main

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// seatedPhone is a table of seven whose third player, the commissioner, has a
// real browser.
func (b *box) seatedPhone(name string, browserOf *phone) (host *client, players []*client) {
	b.t.Helper()
	host, players = b.seated(2)
	browserOf.do(chromedp.Navigate(b.url+"/j/"+b.code()), chromedp.SendKeys(chromedp.CSS("input[name=name]"), name))
	browserOf.click("main button")
	browserOf.sees(".page.seat")
	players = append(players, nil)
	for i := range 4 {
		p := b.client()
		p.post("/j/"+b.code(), form("name", fmt.Sprintf("Player %d", i+4)))
		players = append(players, p)
	}
	return host, players
}

// everything is all that a page holds, seen or not, and all that the browser
// keeps for its pages.
const everything = `document.documentElement.outerHTML + ' ' + JSON.stringify({...localStorage}) + JSON.stringify({...sessionStorage}) + ' ' + document.cookie + location.href`

// forgets waits until nothing of these words is left in the page and its stores.
func (p *phone) forgets(what string, words ...string) {
	p.t.Helper()
	found := ""
	for end := time.Now().Add(8 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		all := p.eval(everything)
		found = ""
		for _, w := range words {
			if strings.Contains(all, w) {
				found = w
			}
		}
		if found == "" {
			return
		}
	}
	p.t.Errorf("%s: %s still has %q:\n%s", what, p.name, found, p.text())
}

// TestAttackOldBrowser moves a seat away while its browser shows the role, has
// a choice that was not sent and one that is on its way: nothing of it stays.
func TestAttackOldBrowser(t *testing.T) {
	t.Parallel()
	slow(t)
	browser := chromium(t)
	b := start(t)
	old := newPhone(t, browser, "old")
	host, _ := b.seatedPhone("Olga", old)
	for _, moment := range []string{"night", "day"} {
		t.Run(moment, func(t *testing.T) {
			if moment == "night" {
				host.dealUsual()
				host.step("night")
				old.sees("#f-night")
				old.click(`#f-night label:has(input[name=p1][value="01"])`)
			} else {
				host.step("close")
				host.step("dawn")
				old.shows("Day 1")
			}
			if all := old.eval(everything); !strings.Contains(all, "Olga") || strings.Contains(all, "Commissioner") != (moment == "night") { // by day nobody's phone has his role
				t.Fatalf("the page is not the seat's:\n%s", all)
			}
			old.eval(`(() => { (document.querySelector('.press') ?? document.querySelector('main')).dispatchEvent(new PointerEvent('pointerdown', {bubbles: true})); return '' })()`) // held all the time
			fresh := b.client()
			if status := fresh.redeem(b.code(), host.ticket(1, 3)); status != 303 {
				t.Fatal(status)
			}
			old.forgets("after the seat has moved", "Commissioner", "Olga", "f-night", "data-of", "p1=", "secret")
			// Neither does it come back.
			old.do(chromedp.Navigate(b.url + "/t/1"))
			old.forgets("when its page is asked for", "Commissioner", "Olga", "secret")
			if moment == "night" { // and back for the day
				code := host.ticket(1, 3)
				old.do(chromedp.Navigate(b.url+"/j/"+b.code()+"?ticket=1"), chromedp.SendKeys(chromedp.CSS("input[name=code]"), code))
				old.click("main button")
				old.sees("#f-night")
			}
		})
	}
}

// site is another site: a page of one's own making, on another port.
func site(t *testing.T, page string) (port string) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, page)
	}))
	t.Cleanup(s.Close)
	_, port, _ = net.SplitHostPort(s.Listener.Addr().String())
	return port
}

// TestAttackForeignSite opens pages of other origins in the browsers of a host
// and of a player. They send forms, open streams, draw the box in themselves and
// ask for its pages, and must neither change nor read anything.
func TestAttackForeignSite(t *testing.T) {
	t.Parallel()
	slow(t)
	browser := chromium(t)
	b := start(t)
	player := newPhone(t, browser, "player")
	host, _ := b.seatedPhone("Olga", player)
	console := newPhone(t, browser, "console")
	console.do(chromedp.Navigate(b.url+"/host"), chromedp.SendKeys(chromedp.CSS("input[name=code]"), hostCode))
	console.click("main button")
	console.sees("#f-deal")
	host.dealUsual()
	host.step("night")
	before := host.record()

	port := site(t, `<!doctype html><body><a id="link" href="`+b.url+`/">the box</a><iframe name="f" hidden></iframe><script>
		const box = '`+b.url+`', seen = [];
		async function attack() {
			const paths = ['/t/1/host/act', '/t/1/host/next', '/t/1/night', '/t/1/act', '/t/1/host/people', '/j/`+b.code()+`', '/box/tables'];
			for (const path of paths) for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data']) {
				const form = document.createElement('form');
				form.method = 'post'; form.action = box + path; form.enctype = type; form.target = 'f';
				for (const [k, v] of Object.entries({verb: 'end', p1: '1', p2: '0', do: 'ticket', seat: '3', name: 'Evil', key: 'x'})) {
					const i = document.createElement('input'); i.name = k; i.value = v; form.append(i);
				}
				document.body.append(form);
				HTMLFormElement.prototype.submit.call(form);
				await new Promise((done) => setTimeout(done, 15));
				await fetch(box + path, {method: 'POST', mode: 'no-cors', credentials: 'include', body: new URLSearchParams({verb: 'end', key: 'x', p1: '1', p2: '0'})}).catch(() => {});
				navigator.sendBeacon(box + path, new URLSearchParams({verb: 'end', p1: '1', p2: '0'}));
			}
			await Promise.all(['/t/1', '/t/1/host', '/t/1/host/record.mafia', '/box', '/screen', '/'].map(async (path) => {
				await fetch(box + path, {credentials: 'include'}).then((r) => r.text()).then((t) => seen.push('read ' + path + t)).catch(() => {});
				await fetch(box + path, {credentials: 'include', headers: {'X-Mafiabox': 'live'}}).then((r) => r.text()).then((t) => seen.push('read ' + path + t)).catch(() => {});
				const frame = document.createElement('iframe');
				frame.src = box + path;
				await new Promise((done) => { frame.onload = done; document.body.append(frame); setTimeout(done, 500); });
				try { if (frame.contentDocument === null) throw 0; seen.push(frame.contentDocument.body.innerText.trim() && 'framed ' + path); } catch {}
				const script = document.createElement('script');
				await new Promise((done) => { script.onload = () => { seen.push('script ' + path); done(); }; script.onerror = done; script.src = box + path; document.body.append(script); setTimeout(done, 500); });
			}));
			await Promise.all(['/t/1/live?as=seat', '/t/1/live?as=host', '/screen/live'].map((path) =>
				new Promise((done) => { const ws = new WebSocket(box.replace('http', 'ws') + path); ws.onopen = () => seen.push('stream ' + path); ws.onmessage = (e) => seen.push('frame ' + e.data); ws.onclose = done; setTimeout(done, 1000); })));
			return seen.filter(Boolean).join('\n');
		}</script>`)
	for _, where := range []string{"127.0.0.1", "localhost"} {
		for _, victim := range []*phone{console, player} {
			what := fmt.Sprintf("a page of %s in the %s's browser", where, victim.name)
			victim.do(chromedp.Navigate("http://" + where + ":" + port + "/"))
			if seen := victim.eval("attack()"); seen != "" {
				t.Errorf("%s: %s", what, seen)
			}
			if now := host.record(); now != before {
				t.Errorf("%s changed the game: %q", what, actLines(before, now))
				before = now
			}
			if strings.Contains(host.get("/t/1/host"), "Evil") {
				t.Errorf("%s joined the table", what)
			}
			// A link is no attack: whoever follows it has the seat and the console
			// that he had.
			victim.do(chromedp.Navigate("http://" + where + ":" + port + "/"))
			victim.click("#link")
			if victim == player {
				victim.sees("#f-night") // the front page leads on to his seat
			} else {
				victim.sees("main.entry")
			}
			victim.do(chromedp.Navigate(b.url + "/t/1"))
			if victim == console {
				victim.sees(".page.console")
			} else {
				victim.sees("#f-night")
			}
		}
	}
	owner := b.client()
	owner.post("/box", form("code", "OWNER"))
	if strings.Count(owner.get("/box"), "data-table=") != 1 {
		t.Error("a foreign page opened a table")
	}
}

// slow leaves a test out where tests must be quick.
func slow(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("slow")
	}
}
