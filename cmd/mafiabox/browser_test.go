package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// chromium starts a browser for a test; each phone is a context of its own in it.
func chromium(t *testing.T, more ...chromedp.ExecAllocatorOption) context.Context {
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no chromium: `make test` as root installs it")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun, chromedp.UserDataDir(t.TempDir()),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true))
	alloc, stop := chromedp.NewExecAllocator(context.Background(), append(options, more...)...)
	t.Cleanup(stop)
	ctx, cancel := chromedp.NewContext(alloc)
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil {
		t.Fatal(err)
	}
	return ctx
}

// phone is a browser with its own cookies and, most of the time, one open page.
type phone struct {
	t       *testing.T
	name    string
	browser context.Context
	home    cdp.BrowserContextID
	page    context.Context
	close   context.CancelFunc
}

func newPhone(t *testing.T, browser context.Context, name string) *phone {
	home, leave := chromedp.NewContext(browser, chromedp.WithNewBrowserContext()) // keeps the cookies while no page is open
	t.Cleanup(leave)
	if err := chromedp.Do(home, chromedp.Navigate("about:blank")); err != nil {
		t.Fatal(err)
	}
	p := &phone{t: t, name: name, browser: browser, home: chromedp.FromContext(home).BrowserContextID}
	p.open()
	t.Cleanup(func() { p.close() })
	return p
}

func (p *phone) open() {
	p.page, p.close = chromedp.NewContext(p.browser, chromedp.WithExistingBrowserContext(p.home))
	// The first step opens the page, whose life is that of the context it ran under.
	if err := chromedp.Do(p.page, chromedp.EmulateViewport(390, 844, chromedp.EmulateScale(1))); err != nil {
		p.t.Fatal(err)
	}
}

// patience is how long a page may take for a step. Not speed is tested here: a
// machine that runs four such tests at once has taken ten seconds to lay out the
// style page, so only a page that hangs shall fail.
const patience = time.Minute

// do runs steps, each within patience. A page that is drawn anew at that moment
// makes the browser forget its nodes: then once more.
func (p *phone) do(steps ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	for _, step := range steps {
		err := p.try(step)
		for end := time.Now().Add(patience); forgotten(err) && time.Now().Before(end); err = p.try(step) {
			time.Sleep(50 * time.Millisecond)
		}
		if err != nil {
			p.shoot("failed-" + strings.ReplaceAll(p.name, " ", "-"))
			p.t.Fatalf("%s: %v\n%s", p.name, err, p.text())
		}
	}
}

func (p *phone) try(step chromedp.Action[chromedp.Void]) error {
	ctx, cancel := context.WithTimeout(p.page, patience)
	defer cancel()
	return chromedp.Do(ctx, step)
}

// forgotten tells whether the browser knows the node no more that a step was
// about, for which it has one code with much else, or hasn't laid it out.
func forgotten(err error) bool {
	var refused *cdproto.Error
	return errors.As(err, &refused) && refused.Code == -32000 ||
		errors.Is(err, chromedp.ErrInvalidDimensions) || errors.Is(err, chromedp.ErrInvalidBoxModel)
}

// click clicks on an element as soon as it can be seen.
func (p *phone) click(selector string) {
	p.t.Helper()
	p.sees(selector)
	p.do(chromedp.Click(chromedp.CSS(selector)))
}

// types types into a field as soon as it can be seen.
func (p *phone) types(selector, text string) {
	p.t.Helper()
	p.sees(selector)
	p.do(chromedp.SendKeys(chromedp.CSS(selector), text))
}

// unfold opens a part of the page. A click may miss it while the page is laid out.
func (p *phone) unfold(part string) {
	p.t.Helper()
	open := fmt.Sprintf(`document.querySelector(%q).open ? 'yes' : 'no'`, part)
	for end := time.Now().Add(patience); p.eval(open) != "yes"; time.Sleep(200 * time.Millisecond) {
		if time.Now().After(end) {
			p.t.Fatalf("%s can't open %s:\n%s", p.name, part, p.text())
		}
		p.click(part + " > summary")
	}
}

func (p *phone) sees(selector string) {
	p.t.Helper()
	p.do(chromedp.WaitVisible(chromedp.CSS(selector)))
}

func (p *phone) text() string { return p.eval("document.body.innerText") }

func (p *phone) eval(js string) string {
	ctx, cancel := context.WithTimeout(p.page, patience)
	defer cancel()
	text, err := chromedp.Run(ctx, chromedp.Evaluate[string](js, chromedp.EvalAwaitPromise))
	if err != nil {
		return err.Error()
	}
	return text
}

// shows waits until the page's words hold these.
func (p *phone) shows(words string) {
	p.t.Helper()
	for end := time.Now().Add(patience); !strings.Contains(p.text(), words); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			p.shoot("failed-" + strings.ReplaceAll(p.name, " ", "-"))
			p.t.Fatalf("%s never shows %q:\n%s", p.name, words, p.text())
		}
	}
}

// held is what a hold shows while it is pressed; before and after nothing of it
// may be seen.
func (p *phone) held(selector string) (text string) {
	p.t.Helper()
	for end := time.Now().Add(patience); p.eval("document.readyState") != "complete" && time.Now().Before(end); { // its style hides what is held
		time.Sleep(50 * time.Millisecond)
	}
	visible := fmt.Sprintf(`(() => { const s = document.querySelector(%q).parentElement.querySelector('.secret'); const c = getComputedStyle(s); return c.visibility === 'hidden' || c.display === 'none' || c.opacity === '0' ? '' : s.innerText })()`, selector)
	if before := p.eval(visible); before != "" {
		p.t.Errorf("%s shows without a hold: %q", p.name, before)
	}
	p.do(chromedp.ScrollIntoView(chromedp.CSS(selector)))
	at := fmt.Sprintf(`(() => { const r = document.querySelector(%q).getBoundingClientRect(); return (r.x + r.width / 2) + ' ' + (r.y + r.height / 2) })()`, selector)
	var x, y float64
	fmt.Sscan(p.eval(at), &x, &y)
	p.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMousePressed, x, y, chromedp.ButtonLeft, chromedp.ClickCount(1)))
	text = p.eval(visible)
	p.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseReleased, x, y, chromedp.ButtonLeft, chromedp.ClickCount(1)))
	time.Sleep(100 * time.Millisecond)
	if after := p.eval(visible); after != "" {
		p.t.Errorf("%s goes on showing after the hold: %q", p.name, after)
	}
	return text
}

// showsNothingWithoutStyle loads the page anew while its style gets lost on the
// way: what is behind a hold is not seen then, either.
func (p *phone) showsNothingWithoutStyle(secret string) {
	p.t.Helper()
	if page := p.eval("document.documentElement.outerHTML"); !strings.Contains(page, secret) {
		p.t.Errorf("%q is not on the page of %s at all", secret, p.name)
	}
	block := func(patterns ...*network.BlockPattern) {
		_, err := chromedp.Call(p.page, network.Enable, network.EnableParams{})
		if err == nil {
			_, err = chromedp.Call(p.page, network.SetBlockedURLs, network.SetBlockedURLsParams{URLPatterns: patterns})
		}
		if err != nil {
			p.t.Fatal(err)
		}
	}
	block(&network.BlockPattern{URLPattern: "http://*:*/*.css", Block: true})
	p.do(chromedp.Reload(), chromedp.WaitReady(chromedp.CSS("main")))
	if text := p.text(); strings.Contains(text, secret) || p.eval("getComputedStyle(document.querySelector('.secret')).position") != "static" {
		p.t.Errorf("%s shows without its style:\n%s", p.name, text)
	}
	block()
	p.do(chromedp.Reload(), chromedp.WaitReady(chromedp.CSS("main")))
}

// rest is how long the large button rests after a step.
const rest = 2100 * time.Millisecond

// step presses the console's large button, a second time where it asks.
func (p *phone) step(verb string) {
	p.t.Helper()
	time.Sleep(rest)
	p.click("#f-" + verb + " button")
	time.Sleep(300 * time.Millisecond)
	if p.eval(`document.querySelector('#f-`+verb+` .again') ? 'yes' : 'no'`) == "yes" {
		p.click("#f-" + verb + " .again")
	}
}

// shoot keeps a picture of the page where MAFIABOX_SHOTS says, for a person to look at.
func (p *phone) shoot(name string) {
	if key := textKey.FindString(p.text()); key != "" {
		p.t.Errorf("%s shows the key of a text, %s:\n%s", p.name, key, p.text())
	}
	dir := os.Getenv("MAFIABOX_SHOTS")
	if dir == "" {
		return
	}
	ctx, cancel := context.WithTimeout(p.page, patience)
	defer cancel()
	if png, err := chromedp.Run(ctx, chromedp.FullScreenshot(100)); err == nil {
		os.MkdirAll(dir, 0o755)
		os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644)
	}
}

var textKey = regexp.MustCompile(`(?i)\b(phase|event|refused|problem|ask|verb|next|say|does|cue|cause|option|role|side|fate|answer)\.[a-z]+`)

// TestSevenPhones joins seven browsers through the address that the code holds
// and plays two nights and a vote to the end, one phone being closed and opened
// again in the night.
func TestSevenPhones(t *testing.T) {
	t.Parallel()
	for _, lang := range []string{"en", "ru"} {
		t.Run(lang, func(t *testing.T) { sevenPhones(t, lang) })
	}
}

func sevenPhones(t *testing.T, lang string) {
	browser := chromium(t)
	b := start(t, "--lang", lang)
	host := newPhone(t, browser, "host")
	host.do(chromedp.Navigate(b.url+"/host?lang="+lang), chromedp.SendKeys(chromedp.CSS("input[name=code]"), hostCode))
	host.shoot(lang + "-host-login")
	host.click("main button")
	host.sees("#f-deal")

	var phones []*phone
	for i := range 7 {
		p := newPhone(t, browser, fmt.Sprintf("phone %d", i+1))
		p.do(chromedp.Navigate(b.url+"/j/"+b.code()+"?lang="+lang), chromedp.SendKeys(chromedp.CSS("input[name=name]"), []string{"Anna", "Борис", "مريم", "Zoë 🦊", "Maximilian von und zu Hohenstein", "Ли", "Fay"}[i]))
		if i == 0 {
			p.shoot(lang + "-join")
		}
		p.click("main button")
		p.sees(".page.seat")
		phones = append(phones, p)
	}
	host.shows("Fay")
	host.shoot(lang + "-host-lobby")
	phones[0].shoot(lang + "-seat-lobby")
	host.click("#f-deal button")
	host.sees("#f-night")
	host.shoot(lang + "-host-deal")

	roles := roleLine.FindAllStringSubmatch(host.eval(`fetch('/t/1/host/record.mafia').then(r => r.text())`), -1)
	var town, mafia []int
	for i, r := range roles {
		if black(r[1]) {
			mafia = append(mafia, i+1)
		} else if r[1] == "civilian" {
			town = append(town, i+1)
		}
	}
	if len(mafia) != 2 || len(town) != 3 {
		t.Fatalf("dealt %v", roles)
	}
	told := make(map[string]int)
	for _, p := range phones {
		p.sees(".hold .press")
		told[p.held(".hold .press")]++
	}
	if len(told) != 5 { // three civilians read the same
		t.Errorf("the phones tell %d different roles: %v", len(told), told)
	}
	phones[0].shoot(lang + "-seat-deal")

	night := func(victim int, closed int) {
		host.step("night")
		for i, p := range phones {
			if strings.Contains(host.eval(`fetch('/t/1/host/record.mafia').then(r => r.text())`), fmt.Sprintf("= all out %d ", i+1)) {
				continue
			}
			p.sees("#f-night")
			if i == closed { // the phone goes dark in the middle of it
				p.close()
				p.open()
				p.do(chromedp.Navigate(b.url + "/t/1"))
				p.sees("#f-night")
			}
			if i+1 != victim && i == closed {
				p.shoot(lang + "-seat-night")
			}
			pick := fmt.Sprintf(`#f-night label:has(input[name=p1][value="%02d"])`, victim)
			if i+1 == victim {
				p.click("#f-night [value=none]")
			} else {
				p.click(pick)
				p.click("#f-night button.big")
			}
			p.do(chromedp.WaitVisible(chromedp.CSS("#state")))
		}
		host.shows(map[string]string{"en": "Everybody", "ru": "Ответили все"}[lang])
		host.shoot(lang + "-host-night")
		host.step("close")
		for i, p := range phones {
			if p.eval("document.querySelector('.press.read') ? 'yes' : 'no'") == "yes" {
				if text := p.held(".press.read"); text == "" {
					t.Errorf("phone %d reads nothing", i+1)
				}
			}
		}
		phones[closed].sees(".press.read")
		phones[closed].shoot(lang + "-seat-closed")
		host.step("dawn")
	}
	doctor := 0
	for i, r := range roles {
		if r[1] == "doctor" {
			doctor = i + 1
		}
	}
	night(doctor, town[2]-1) // nobody heals himself here: his first pick is nobody
	phones[town[2]-1].sees("#d-nominate")
	phones[town[2]-1].shoot(lang + "-seat-day")
	phones[doctor-1].shoot(lang + "-seat-out")
	host.shoot(lang + "-host-day")

	phones[mafia[0]-1].unfold("#d-nominate")
	phones[mafia[0]-1].click(fmt.Sprintf(`#f-nominate label:has(input[value="%02d"])`, town[0]))
	phones[mafia[0]-1].click("#f-nominate button.big")
	host.sees("#f-vote")
	host.step("vote")
	for _, seat := range []int{mafia[0], mafia[1], town[1]} {
		phones[seat-1].sees("#f-vote")
		phones[seat-1].click(fmt.Sprintf(`#f-vote label:has(input[value="%02d"])`, town[0]))
		phones[seat-1].shoot(lang + "-seat-vote")
		phones[seat-1].click("#f-vote button.big")
		phones[seat-1].sees(".yours")
	}
	host.shoot(lang + "-host-vote")
	host.step("close")
	host.sees("#f-night")
	night(town[1], town[2]-1)
	host.click("#f-story button")
	for i, p := range phones {
		p.sees(".result")
		if i == 0 {
			p.click("#story summary")
			p.shoot(lang + "-seat-end")
		}
	}
	host.sees("#f-next")
	host.shoot(lang + "-host-end")
	host.click("#f-next [value=lobby]")
	phones[3].shows(map[string]string{"en": "Before the game", "ru": "До игры"}[lang])
}

// overflowing finds what sticks out of its sample to the right. A table screen
// cuts off what is too long, so it is left out.
const overflowing = `[...document.querySelectorAll('.phone, .desk, .still')].flatMap(sample => {
	const edge = sample.getBoundingClientRect().right + 1;
	return [...sample.querySelectorAll('*')].filter(e => e.getBoundingClientRect().right > edge).map(e => e.outerHTML.slice(0, 150)).slice(0, 2);
}).join('\n')`

// TestStylePage draws every component in each of its states, in both languages:
// nothing may overflow, and no text may be missing.
func TestStylePage(t *testing.T) {
	t.Parallel()
	browser := chromium(t)
	b := start(t)
	p := newPhone(t, browser, "style")
	p.do(chromedp.Navigate(b.url+"/box"), chromedp.SendKeys(chromedp.CSS("input[name=code]"), "OWNER"))
	p.click("main button")
	p.shows("Tables")
	for _, lang := range []string{"en", "ru"} {
		for name, size := range map[string][2]int64{"390": {390, 844}, "1920": {1920, 1080}} {
			p.do(chromedp.Navigate("about:blank")) // the last page is not laid out anew
			p.do(chromedp.EmulateViewport(size[0], size[1]), chromedp.Navigate(b.url+"/style?lang="+lang), chromedp.WaitReady(chromedp.CSS("main")))
			p.shoot(lang + "-style-" + name)
			if broken := p.eval(`[...document.images].filter(i => !i.complete || !i.naturalWidth).map(i => i.src).join(' ')`); broken != "" {
				t.Errorf("%s at %s: these pictures don't show: %s", lang, name, broken)
			}
			if over := p.eval(overflowing); over != "" {
				t.Errorf("%s at %s: wider than their samples:\n%s", lang, name, over)
			}
			if wide := p.eval(`document.documentElement.scrollWidth > innerWidth + 1 ? String(document.documentElement.scrollWidth) : ''`); wide != "" {
				t.Errorf("%s at %s is %s wide", lang, name, wide)
			}
		}
	}
}
