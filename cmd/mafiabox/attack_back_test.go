package main

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// noteShown keeps what a page shows whenever it comes to be shown, before its
// own script can do anything about it.
const noteShown = `addEventListener('pageshow', (e) => {
	const shown = document.body ? document.body.innerText : '';
	window.shownAgain = (window.shownAgain ?? '') + (e.persisted ? 'kept: ' : 'new: ') + shown + '\n';
}, {capture: true});`

// back goes back in the phone's history and gives all that it shows from the
// first moment on, for as long as a page takes to settle.
func (p *phone) back() (shown string) {
	p.t.Helper()
	p.eval(`(() => { history.back(); return '' })()`)
	for end := time.Now().Add(700 * time.Millisecond); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		shown += p.eval(`(window.shownAgain ?? '') + document.body.innerText + ' ' + [...document.querySelectorAll('.secret')].map((s) => s.textContent).join(' ')`)
	}
	return shown
}

// away leaves the page by an address, as a link does.
func (p *phone) away(url string) {
	p.t.Helper()
	p.do(chromedp.Navigate(url), chromedp.WaitReady(chromedp.CSS("body")))
}

// TestAttackBack leaves private pages, lets the game go on, and comes back by
// the back button: nothing of the page of then may show, also when the browser
// keeps whole pages.
func TestAttackBack(t *testing.T) {
	t.Parallel()
	slow(t)
	browser := chromium(t, chromedp.Flag("enable-features", "BackForwardCache,CacheControlNoStoreEnterBackForwardCache,NetworkService"))
	b := start(t)
	seat := newPhone(t, browser, "seat")
	host, _ := b.seatedPhone("Olga", seat)
	console := newPhone(t, browser, "console")
	console.away(b.url + "/host")
	console.do(chromedp.SendKeys(chromedp.CSS("input[name=code]"), hostCode))
	console.click("main button")
	console.sees("#f-deal")
	kept := 0
	for _, p := range []*phone{seat, console} {
		p.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
			_, err := cdp.Call(ctx, t, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: noteShown})
			return err
		}))
	}
	look := func(p *phone, what string, old ...string) {
		t.Helper()
		shown := p.back()
		kept += strings.Count(shown, "kept: ")
		for _, word := range old {
			if strings.Contains(shown, word) {
				at := strings.Index(shown, word)
				t.Errorf("%s: by the back button the %s shows %q: …%s…", what, p.name, word, shown[max(0, at-100):min(len(shown), at+100)])
			}
		}
	}
	elsewhere := "http://localhost" + b.addr[strings.LastIndex(b.addr, ":"):] + "/style" // another origin: the page there knows nothing
	host.dealUsual()
	host.step("night")

	// The seat at night, held while it is left; the console with all roles in it;
	// and the page that is the result of the console's plain form.
	seat.away(b.url + "/t/1")
	seat.sees("#f-night")
	seat.eval(`(() => { document.querySelector('.press').dispatchEvent(new PointerEvent('pointerdown', {bubbles: true})); return '' })()`)
	if !strings.Contains(seat.text(), "Commissioner") && !strings.Contains(seat.text(), "Check") {
		t.Logf("the hold shows %q", seat.text())
	}
	seat.away(elsewhere)
	console.away(b.url + "/t/1/host?for=3")
	console.sees("#f-ticket")
	console.away(b.url + "/nothing")
	host.step("close")
	host.step("dawn")
	look(seat, "night to day", "Night 1", "Commissioner", "You check", "Send your choice")
	look(console, "night to day", "Night 1", "commissioner")

	// A plain form's result, which says why it was refused.
	console.away(b.url + "/t/1/host")
	console.eval(`(() => { const f = document.createElement('form'); f.method = 'post'; f.action = '/t/1/host/act'; f.append(Object.assign(document.createElement('input'), {name: 'key', value: document.querySelector('[name=key]').value}), Object.assign(document.createElement('input'), {name: 'verb', value: 'dawn'})); document.body.append(f); HTMLFormElement.prototype.submit.call(f); return '' })()`)
	console.shows("too early or too late")
	console.away(b.url + "/nothing")
	seat.away(b.url + "/t/1")
	seat.sees("#d-nominate")
	seat.eval(`(() => { const f = document.createElement('form'); f.method = 'post'; f.action = '/t/1/act'; f.append(Object.assign(document.createElement('input'), {name: 'key', value: document.querySelector('[name=key]').value}), Object.assign(document.createElement('input'), {name: 'verb', value: 'dawn'})); document.body.append(f); HTMLFormElement.prototype.submit.call(f); return '' })()`)
	seat.shows("not yours to do")
	time.Sleep(300 * time.Millisecond) // the stream's first page has come
	if !strings.Contains(seat.text(), "not yours to do") {
		t.Error("the stream wipes off what a form without the script was told")
	}
	seat.away(elsewhere)
	host.step("night")
	look(console, "a form's result", "Day 1", "too early or too late", "commissioner")
	look(seat, "a form's result", "Day 1", "not yours to do")

	// The seat moves to another phone while its page is left.
	seat.away(b.url + "/t/1")
	seat.sees("#f-night")
	seat.away(elsewhere)
	fresh := b.client()
	if status := fresh.redeem(b.code(), host.ticket(1, 3)); status != 303 {
		t.Fatal(status)
	}
	look(seat, "the seat has moved", "Night 2", "Commissioner", "Olga", "You check")

	// The next game.
	code := host.ticket(1, 3)
	seat.do(chromedp.Navigate(b.url+"/j/"+b.code()+"?ticket=1"), chromedp.SendKeys(chromedp.CSS("input[name=code]"), code))
	seat.click("main button")
	seat.sees("#f-night")
	seat.away(elsewhere)
	console.away(b.url + "/t/1/host")
	console.sees("#f-close")
	console.away(b.url + "/nothing")
	host.step("end")
	host.post("/t/1/host/next", form())
	second := byHand()
	second.Set("role3", "civilian")
	second.Set("role5", "commissioner")
	host.post("/t/1/host/deal", second)
	look(seat, "the next game", "Night 2", "Commissioner", "You check")
	look(console, "the next game", "Night 2")
	seat.sees(".hold .press")
	if role := seat.held(".hold .press"); !strings.Contains(role, "Civilian") {
		t.Errorf("in the next game the seat reads %q", role)
	}
	t.Logf("%d pages were kept by the browser", kept)

	// A browser that keeps whole pages, whatever they say, tells them so: they show
	// nothing from then on, and load anew when they are shown again.
	for _, p := range []*phone{seat, console} {
		p.away(b.url + "/t/1")
		p.eval(`(() => { window.old = 1; dispatchEvent(new PageTransitionEvent('pagehide', {persisted: true})); return '' })()`)
		if shown := strings.TrimSpace(p.text()); shown != "" {
			t.Errorf("the %s's page that is kept shows %q", p.name, shown)
		}
		if shown := p.eval(`(() => { dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true})); return document.body.innerText.trim() })()`); shown != "" {
			t.Errorf("the %s's page that was kept shows %q", p.name, shown)
		}
		eventually(t, "the page is loaded anew", func() bool { return p.eval(`window.old ? 'old' : 'new'`) == "new" })
	}
}
