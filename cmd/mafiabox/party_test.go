package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// party is an evening in a browser: the console, the screen and the phones.
type party struct {
	*testing.T
	b      *box
	host   *phone
	screen *phone
	phones map[int]*phone // by seat; a seat without one is played by the host
	roles  []string
}

// newParty is a box with a host at his console, and nobody else yet.
func newParty(t *testing.T, browser context.Context, args ...string) *party {
	e := &party{T: t, b: start(t, args...), phones: make(map[int]*phone)}
	e.host = newPhone(t, browser, "host")
	e.host.do(chromedp.Navigate(e.b.url+"/host"), chromedp.SendKeys(chromedp.CSS("input[name=code]"), hostCode))
	e.host.click("main button")
	e.host.sees("#f-deal")
	return e
}

// shots keeps the screen's picture in both languages, where pictures are kept.
func (e *party) shots(name string) {
	if os.Getenv("MAFIABOX_SHOTS") == "" {
		return
	}
	for _, lang := range []string{"ru", "en"} { // it goes on in English
		e.screen.do(chromedp.Navigate(e.b.url+"/screen?lang="+lang), chromedp.WaitReady(chromedp.CSS("main")))
		time.Sleep(200 * time.Millisecond)
		e.screen.eval("(() => { " + atRest + "; return '' })()")
		e.screen.shoot(lang + "-screen-" + name)
	}
}

// pairingCode finds the code that an unpaired screen shows.
const pairingCode = `document.querySelector('.pair').textContent.trim()`

func (e *party) join(browser context.Context, seat int, name string) {
	e.Helper()
	p := newPhone(e.T, browser, name)
	p.do(chromedp.Navigate(e.b.url+"/j/"+e.b.code()), chromedp.SendKeys(chromedp.CSS("input[name=name]"), name))
	p.click("main button")
	p.sees(".page.seat")
	e.phones[seat] = p
}

func (e *party) record() string {
	return e.host.eval(`fetch('/t/1/host/record.mafia').then(r => r.text())`)
}

func (e *party) deal() {
	e.Helper()
	e.host.click("#f-deal button")
	e.dealt()
}

// dealByHand enters which card fell where, as the box would not tell.
func (e *party) dealByHand(roles ...string) {
	e.Helper()
	e.host.unfold("#d-hand")
	for i, role := range roles {
		e.host.do(chromedp.SetValue(chromedp.CSS(fmt.Sprintf("#f-hand select[name=role%d]", i+1)), role))
	}
	e.host.click("#f-hand button")
	e.dealt()
}

// dealt looks whether everybody has a role, and keeps which.
func (e *party) dealt() {
	e.Helper()
	e.host.sees("#f-night")
	e.roles = nil
	for _, r := range roleLine.FindAllStringSubmatch(e.record(), -1) {
		e.roles = append(e.roles, r[1])
	}
	if !strings.Contains(e.record(), fmt.Sprintf("\nseats %d\n", len(e.roles))) {
		e.Fatalf("%d roles in\n%s", len(e.roles), e.record())
	}
	for _, p := range e.phones {
		p.sees(".hold .press")
	}
}

// seats are those with a phone that have one of the roles; there must be some.
func (e *party) seats(roles ...string) (all []int) {
	e.Helper()
	for i, r := range e.roles {
		if slices.Contains(roles, r) && e.phones[i+1] != nil {
			all = append(all, i+1)
		}
	}
	if len(all) == 0 {
		e.Fatalf("nobody with a phone is %v", roles)
	}
	return all
}

func (e *party) seat(roles ...string) int { return e.seats(roles...)[0] }

func (e *party) night() {
	e.Helper()
	e.host.step("night")
	for _, p := range e.phones {
		p.sees("#f-night")
	}
}

// send sends a seat's night form with this first pick, or nothing.
func (e *party) send(seat, pick int) {
	e.Helper()
	p := e.phones[seat]
	if pick == 0 {
		p.click("#f-night [value=none]")
	} else {
		p.picks("#f-night", 1, pick)
		p.click("#f-night button.big")
	}
	e.until(fmt.Sprintf("seat %d has answered", seat), func() bool {
		return strings.Contains(e.record(), fmt.Sprintf("= %d chose %d ", seat, seat))
	})
}

// picks marks a seat in a pick of a night's form.
func (p *phone) picks(form string, n, seat int) {
	p.t.Helper()
	cell := fmt.Sprintf(`%s label:has(input[name=p%d][value="%02d"])`, form, n, seat)
	p.sees(cell)
	p.eval(fmt.Sprintf(`(() => { document.querySelector(%q).scrollIntoView({block: 'center'}); return '' })()`, cell)) // from under the buttons
	p.click(cell)
}

// nominates nominates a seat from a player's own phone.
func (p *phone) nominates(seat int) {
	p.t.Helper()
	p.unfold("#d-nominate")
	p.click(fmt.Sprintf(`#f-nominate label:has(input[value="%02d"])`, seat))
	p.click("#f-nominate button.big")
}

// enter fills in a seat's night form on the console.
func (e *party) enter(seat int, picks ...int) {
	e.Helper()
	e.host.do(chromedp.Navigate(fmt.Sprintf("%s/t/1/host?for=%d", e.b.url, seat)))
	form := fmt.Sprintf("#f-for-%d-night", seat)
	for i, pick := range picks {
		if i == 0 || e.host.eval(fmt.Sprintf(`document.querySelector('%s [name=p%d]') ? 'yes' : 'no'`, form, i+1)) == "yes" {
			e.host.picks(form, i+1, pick)
		}
	}
	e.host.click(form + " button.big")
	e.until("it is entered", func() bool { return strings.Contains(e.record(), fmt.Sprintf("\nhost for %d ", seat)) })
	e.host.do(chromedp.Navigate(e.b.url + "/t/1/host"))
}

// pairScreen opens a table screen and pairs it.
func (e *party) pairScreen(browser context.Context) {
	e.Helper()
	e.screen = newPhone(e.T, browser, "screen")
	e.screen.do(chromedp.EmulateViewport(1920, 1080), chromedp.Navigate(e.b.url+"/screen"))
	e.screen.shows(e.b.code())
	e.shots("free")
	e.host.unfold("#d-screen")
	e.host.do(chromedp.SendKeys(chromedp.CSS("#f-screen input[name=code]"), e.screen.eval(pairingCode)))
	e.host.click("#f-screen button")
}

// changes waits for what a change would do, which must say these, and does it.
func (e *party) changes(says ...string) {
	e.Helper()
	e.host.sees("#f-do")
	e.until("the page is there with its script", func() bool { return e.host.eval("document.readyState") == "complete" })
	all := e.host.text() + e.host.held("#changes .press")
	for _, words := range says {
		if !strings.Contains(all, words) {
			e.Errorf("the page of a change does not say %q:\n%s", words, all)
		}
	}
	e.host.eval(`(() => { window.addEventListener('submit', (e) => { sessionStorage.sent = String(new URLSearchParams(new FormData(e.target))).length }); return '' })()`)
	e.host.click("#f-do button")
	e.host.sees(".console")
	if sent, _ := strconv.Atoi(e.host.eval("sessionStorage.sent")); sent == 0 || sent%1024 != 0 {
		e.Errorf("what is sent to do a change has %d bytes: its length tells what it is", sent)
	}
}

// votes enters a seat's vote on the console.
func (e *party) votes(seat, candidate int) {
	e.Helper()
	e.host.do(chromedp.Navigate(fmt.Sprintf("%s/t/1/host?for=%d", e.b.url, seat)))
	form := fmt.Sprintf("#f-for-%d-vote", seat)
	e.host.click(fmt.Sprintf(`%s label:has(input[value="%02d"])`, form, candidate))
	e.host.click(form + " button")
	e.until("the vote is entered", func() bool {
		return strings.Contains(e.record(), fmt.Sprintf("\nhost for %d vote %d ", seat, candidate))
	})
	e.host.do(chromedp.Navigate(e.b.url + "/t/1/host"))
}

// hands counts hands for a candidate on the console.
func (e *party) hands(candidate int, voters ...int) {
	e.Helper()
	form := fmt.Sprintf("#f-votes-%d", candidate)
	box := fmt.Sprintf("details:has(> %s)", form)
	e.host.sees(box)
	e.host.eval(fmt.Sprintf(`(() => { document.querySelector(%q).open = true; return '' })()`, box))
	for _, v := range voters {
		e.host.click(fmt.Sprintf(`%s label:has(input[type=checkbox][value="%d"])`, form, v))
	}
	e.host.click(form + " button.big")
}

// label is a seat with its name, as lists have it.
func (e *party) label(seat int) string { return fmt.Sprintf("%d Player %[1]d", seat) }

// named is a seat with its name as sentences have it.
func (e *party) named(seat int) string { return fmt.Sprintf("%d \u2068Player %[1]d\u2069", seat) }

// number is the number of the act whose line begins so.
func (e *party) number(begins string) string {
	n := 0
	_, acts, _ := strings.Cut(e.record(), "\nbegin\n")
	for line := range strings.Lines(acts) {
		if strings.HasPrefix(line, "=") {
			continue
		}
		n++
		if strings.HasPrefix(line, begins) {
			return strconv.Itoa(n)
		}
	}
	e.Fatalf("no act %q in\n%s", begins, e.record())
	return ""
}

// finish ends the game by sending the mafia off, opens the story, and looks
// whether everybody is told.
func (e *party) finish() {
	e.Helper()
	for i, role := range e.roles {
		if (black(role) || role == "maniac") && !strings.Contains(e.record(), fmt.Sprintf("= all out %d ", i+1)) {
			e.hostAct("disqualify", i+1)
		}
	}
	e.host.sees("#f-story")
	e.host.click("#f-story button")
	for _, p := range e.phones {
		p.sees("#story")
	}
	e.screen.shows("Town")
}

func (e *party) until(what string, is func() bool) {
	e.Helper()
	eventually(e.T, what, is)
}
