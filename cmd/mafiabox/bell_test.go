package main

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// falseTime stops a page's clock; from then on it moves by `shift` alone. What
// the page rings and sounds is noted with the number that it shows.
const falseTime = `(() => {
	window.shift = 0; window.rung = []; window.tones = 0;
	const began = performance.now();
	performance.now = () => began + shift;
	document.addEventListener('mark', (e) => rung.push(e.detail));
	const tone = AudioContext.prototype.createOscillator;
	AudioContext.prototype.createOscillator = function () { tones++; return tone.call(this) };
	return '';
})()`

// shown is the number of a page's clock; -1: it has none.
func shown(p *phone) int {
	n, err := strconv.Atoi(p.eval(`document.querySelector('[data-left]')?.textContent ?? ''`))
	if err != nil {
		return -1
	}
	return n
}

// TestBell: the console and the table screen count alike through a speech, also
// without the box, and each rings and sounds with its own number: at ten
// seconds, and at none. After the box is back the clock goes on with what was left.
func TestBell(t *testing.T) {
	t.Parallel()
	browser := chromium(t)
	e := newParty(t, browser)
	e.host.unfold("#d-rules")
	e.host.click("#d-rules button[value=sport]")
	e.host.shows("Sport mafia")
	e.pairScreen(browser)
	for i := range 10 {
		e.host.do(chromedp.SendKeys(chromedp.CSS("#f-add input[name=name]"), fmt.Sprint("Player ", i+1)))
		e.host.click("#f-add button")
		e.host.shows(fmt.Sprint("Player ", i+1))
	}
	e.host.click("#f-deal button")
	e.host.step("night")
	e.screen.shows("Agreement")
	e.host.step("close") // a second press: the agreement has all of its minute
	e.screen.shows("Free seating")
	e.host.step("dawn")
	e.host.step("speech")
	pages := map[string]*phone{"console": e.host, "screen": e.screen}
	for name, p := range pages {
		e.until(name+" has a clock", func() bool { return shown(p) > 50 })
		p.do(chromedp.Click(chromedp.CSS("h1"))) // browsers sound for who has tapped
	}
	before := shown(e.host)
	e.b.kill()
	first := make(map[string]int)
	for name, p := range pages {
		p.eval(falseTime)
		time.Sleep(150 * time.Millisecond) // a tick
		first[name] = shown(p)
	}
	if apart := first["console"] - first["screen"]; apart < -1 || apart > 1 {
		t.Errorf("the clocks begin apart: %v", first)
	}
	for gone := 5; gone <= 65; gone += 5 {
		for name, p := range pages {
			p.eval(fmt.Sprintf("shift = %d, ''", gone*1000))
			time.Sleep(150 * time.Millisecond)
			if got, want := shown(p), max(0, first[name]-gone); got != want {
				t.Errorf("%s after %d s of %d: %d are left, want %d", name, gone, first[name], got, want)
			}
			want := "[]"
			switch left := first[name] - gone; {
			case left <= 0:
				want = `["ten","time"]`
			case left <= 10:
				want = `["ten"]`
			}
			if rung := p.eval("JSON.stringify(rung)"); rung != want {
				t.Errorf("%s after %d s: rung %s, want %s", name, gone, rung, want)
			}
		}
	}
	for name, p := range pages {
		if tones := p.eval("String(tones)"); tones != "2" {
			t.Errorf("%s: %s tones", name, tones)
		}
	}

	e.b.run()
	for name, p := range pages {
		e.until(name+" goes on with what was left", func() bool { n := shown(p); return n > before-12 && n <= before })
	}
}
