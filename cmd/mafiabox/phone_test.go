package main

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// yes tells whether a condition holds in the page.
func (p *phone) yes(js string) bool { return p.eval("("+js+") ? 'yes' : 'no'") == "yes" }

// TestPhone is what a phone at the table does by itself: it keeps its screen on,
// shows nothing when it is put away, speaks the language that was chosen, sends
// what the box did not get, and is marked on the console when it sleeps.
func TestPhone(t *testing.T) {
	t.Parallel()
	browser := chromium(t)
	b := start(t)
	p := newPhone(t, browser, "Olga")
	host, _ := b.seatedPhone("Olga", p)
	host.dealUsual() // the third is the Commissioner
	host.step("night")
	p.sees("#f-night")
	const film = `(document.querySelector('video.film') ?? {paused: true}).paused`

	t.Run("language", func(t *testing.T) {
		p.click("footer a[hreflang=ru]")
		p.shows("Ночь 1")
		p.do(chromedp.Reload())
		p.shows("Ночь 1")
		p.click("footer a[hreflang=en]")
		p.shows("Night 1")
	})
	t.Run("film", func(t *testing.T) {
		if p.yes(`document.querySelector('video')`) {
			t.Error("a film is there before anybody has touched the page")
		}
		p.click("h1")
		eventually(t, "the film runs", func() bool { return !p.yes(film) })
		p.click(".keep label")
		if !p.yes(film) || p.yes(`document.querySelector('video')`) {
			t.Error("the film goes on after it was switched off")
		}
		p.do(chromedp.Reload())
		p.sees("#f-night")
		p.click("h1")
		time.Sleep(200 * time.Millisecond)
		if p.yes(`document.querySelector('video') || document.querySelector('#keep').checked`) {
			t.Error("it is forgotten that the film was switched off")
		}
	})
	t.Run("hidden", func(t *testing.T) {
		hide := func(on string) {
			p.eval(`(() => { Object.defineProperty(document, 'hidden', {value: ` + on + `, configurable: true}); document.dispatchEvent(new Event('visibilitychange')); return '' })()`)
		}
		const seen = `[...document.body.children].some(e => getComputedStyle(e).visibility !== 'hidden')`
		hide("true")
		if p.yes(seen) {
			t.Error("the page that was put away shows something")
		}
		hide("false")
		if !p.yes(seen) || !strings.Contains(p.text(), "Night 1") {
			t.Errorf("back again it shows %q", p.text())
		}
	})
	t.Run("not sent yet", func(t *testing.T) {
		p.picks("#f-night", 1, 1)
		b.kill()
		p.click("#f-night button.big")
		p.shows("Not sent yet. Trying again.")
		p.shows("No connection. Trying again.")
		b.run()
		check := regexp.MustCompile(`(?m)^3 check 1 `)
		times := func() int { return len(check.FindAllString(host.record(), -1)) }
		eventually(t, "it is sent", func() bool { return times() > 0 })
		p.shows("Sent.")
		time.Sleep(2500 * time.Millisecond) // longer than it waits to try again
		if n := times(); n != 1 {
			t.Errorf("it is sent %d times:\n%s", n, host.record())
		}
		if strings.Contains(p.text(), "Not sent yet. Trying") || !p.yes(`document.querySelector('#net').hidden`) {
			t.Errorf("the page still says that it is not sent:\n%s", p.text())
		}
	})
	t.Run("asleep", func(t *testing.T) {
		host.step("close")
		host.step("dawn")
		row := regexp.MustCompile(`(?s)<li><b class="num">3</b><span>.*?</li>`)
		asleep := func() bool { return strings.Contains(row.FindString(host.get("/t/1/host")), "phone asleep") }
		p.shows("Day 1")
		if asleep() {
			t.Error("a phone with its page open is called asleep")
		}
		p.close()
		eventually(t, "the console says that the phone sleeps", asleep)
	})
}

// TestScreenOfAnEvening is what a table screen does by itself: it stays full when
// it is paired, and remembers how loud the night is to be.
func TestScreenOfAnEvening(t *testing.T) {
	t.Parallel()
	browser := chromium(t)
	b := start(t)
	host, _ := b.seated(5)
	p := newPhone(t, browser, "screen")
	p.do(chromedp.EmulateViewport(1280, 720), chromedp.Navigate(b.url+"/screen"))
	p.shows(b.code())
	p.click("h1")
	eventually(t, "it is full", func() bool { return p.yes("document.fullscreenElement") })
	host.post("/t/1/host/screen", form("code", p.eval(pairingCode)))
	p.sees(".company")
	if !p.yes("document.fullscreenElement") {
		t.Error("with the pairing it is not full any more")
	}
	host.post("/t/1/host/deal", form("by", "box"))
	p.shows("Look at your role")

	const deck = `document.querySelector('#level').textContent + ' ' + document.querySelector('#mute').textContent`
	before := p.eval(deck)
	p.do(chromedp.KeyEvent("+"), chromedp.KeyEvent("+"), chromedp.KeyEvent("m"))
	after := p.eval(deck)
	if !strings.HasPrefix(before, "50 %") || !strings.HasPrefix(after, "70 %") || before[4:] == after[4:] {
		t.Errorf("the night sound was %q and is %q", before, after)
	}
	p.do(chromedp.Reload())
	p.sees("svg.ring")
	if again := p.eval(deck); again != after {
		t.Errorf("loaded again the night sound is %q, it was %q", again, after)
	}
}
