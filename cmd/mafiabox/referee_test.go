package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// TestReferee is a game in which the host makes mistakes and mends them: what he
// entered wrongly before the morning, and a wrong morning by the round once more.
// Somebody speaks out of turn and loses a speech; somebody appeals.
func TestReferee(t *testing.T) {
	t.Parallel()
	browser := chromium(t)
	e := newParty(t, browser)
	e.seat7(browser)
	e.night()
	e.enter(1, 5)
	e.enter(3, 5)
	e.enter(4, 2)
	e.host.step("close")
	e.host.sees("#f-dawn")

	// The Doctor had meant 6: what that changes is shown, and left, and then done.
	before := e.record()
	e.mends(3, 6)
	if read := e.host.held("#changes .press"); !strings.Contains(read, "In the morning would leave: "+e.named(5)+" (until now: nobody)") || strings.Contains(e.host.text(), "heal") {
		t.Errorf("what would change, behind a hold:\n%s\nand in the open:\n%s", read, e.host.text())
	}
	e.pictures("change")
	e.host.click("#leave")
	e.host.sees("#f-dawn")
	if now := e.record(); now != before {
		t.Errorf("looking at a change has done something:\n%s", now)
	}
	e.mends(3, 6)
	e.host.sees("#f-do")
	if refused := e.tries("/t/1/host/act", "verb", "heal", "for", "3", "mends", "1", "seat", "7"); refused != "" {
		t.Fatal(refused)
	}
	e.host.click("#f-do button")
	e.host.shows("The game has moved on since")
	if strings.Contains(e.record(), "correct 3 heal 6") {
		t.Error("a change was done that nobody had read of")
	}
	e.mends(3, 6)
	e.changes()
	e.until("it is corrected", func() bool { return strings.Contains(e.record(), "host correct 3 heal 6") })
	e.host.step("dawn")
	e.screen.shows("Day 1")
	e.until("the morning", func() bool { return strings.Contains(e.record(), "= all out 5 night") })

	// It was the wrong one: two ways are left, and the round is played once more.
	if refused := e.tries("/t/1/host/act", "verb", "heal", "for", "3", "mends", "1", "seat", "5"); refused == "" {
		t.Error("what is announced is rewritten")
	}
	e.host.unfold("#d-offer-decide")
	e.host.unfold("#d-offer-replay")
	e.host.shows("who is out stays out")
	e.host.shows("Back in the game: " + e.named(5))
	e.host.types("#f-offer-replay [name=text]", "the host misread")
	e.pictures("ways")
	e.host.click("#f-offer-replay button")
	e.changes("Back in the game: "+e.named(5), "The game goes on from: Night 1", "No longer counts")
	e.screen.shows("Night 1")
	e.until("the round is void", func() bool { return strings.Contains(e.record(), `host replay "the host misread"`) })
	e.host.step("close")
	e.host.step("dawn")
	e.screen.shows("Day 1")

	// Two warnings cost the next day's speech, and the console says so before.
	e.hostAct("warn", 3)
	e.host.unfold("#d-offer-warn")
	e.host.shows("One more warning means: " + e.named(3) + ": no speech in the next round")
	e.hostAct("warn", 3)
	e.until("the second warning", func() bool { return strings.Contains(e.record(), "= all muted 3") })
	e.host.step("night")
	e.screen.shows("Night 2")
	e.host.step("close")
	e.host.step("dawn")
	e.screen.shows("Day 2")
	e.screen.shows("no speech")
	day := len(e.record())
	for range 7 {
		time.Sleep(rest)
		if e.host.eval(`document.querySelector('#f-speech') ? 'yes' : ''`) == "" {
			break
		}
		e.host.step("speech")
	}
	if spoke := e.record()[day:]; strings.Contains(spoke, "= all speech 3") || !strings.Contains(spoke, "= all speech 2") || !strings.Contains(spoke, "= all speech 4") {
		t.Errorf("who has the word that day:\n%s", spoke)
	}

	// An appeal is for the time between games.
	if refused := e.tries("/t/1/host/appeal", "seat", "5", "text", "the replay"); !strings.Contains(refused, "between games only") {
		t.Errorf("an appeal in the game: %q", refused)
	}
	e.log("")
	e.host.shows("of the round that ")
	e.host.shows("replaced by")
	e.host.shows("Host: start the round again")
	e.pictures("log")
	e.log("?seat=3&kind=mend")
	e.host.shows("heal")
	if text := e.host.text(); strings.Contains(text, "shoot") || strings.Contains(text, "warning") {
		t.Errorf("the corrections for 3 are\n%s", text)
	}
	e.log("?seat=3&kind=night")
	e.host.shows("replaced by")
	if text := e.host.text(); strings.Count(text, "heal") < 2 {
		t.Errorf("the nights' acts of 3 are without the one that stands\n%s", text)
	}
	e.host.do(chromedp.Navigate(e.b.url + "/t/1/host"))
	for _, black := range []int{1, 2} {
		e.hostAct("disqualify", black)
	}
	e.host.sees("#f-next")
	e.host.unfold("#d-appeals")
	e.host.do(chromedp.SetValue(chromedp.CSS("#f-appeal select"), "5"))
	e.host.types("#f-appeal [name=text]", "the first morning stood")
	e.host.click("#f-appeal button")
	e.until("the appeal", func() bool { return strings.Contains(e.record(), `host appeal 5 "the first morning stood"`) })
	e.host.click("#f-next [value=lobby]") // and it is answered between games
	e.host.sees("#f-deal")
	e.host.unfold("#d-appeals")
	e.host.types("[id^=f-answer] [name=text]", "it was void")
	e.pictures("appeal")
	e.host.click("[id^=f-answer] button")
	e.host.shows("The host's answer: «it was void»")
	e.host.do(chromedp.Navigate(e.b.url + "/archive/1/1"))
	e.host.shows("the first morning stood")
	e.host.shows("it was void")
	e.pictures("archived")
	e.screen.shows("Player 5")
	if strings.Contains(e.screen.text(), "stood") {
		t.Error("the screen shows the appeal")
	}
}

// TestDyingDevices: a player's phone dies at night and the seat goes on with
// another; the host's dies in a vote, and another device leads the game on.
func TestDyingDevices(t *testing.T) {
	t.Parallel()
	browser := chromium(t)
	e := newParty(t, browser)
	e.join(browser, 1, "Player 1")
	e.seat7(browser)
	e.night()
	old := e.phones[1]
	old.do(chromedp.Navigate("about:blank"))
	e.host.do(chromedp.Navigate(e.b.url + "/t/1/host?for=1"))
	e.host.click("#f-ticket button")
	e.host.sees(".hold .press .num")
	code := e.host.eval(`document.querySelector('.hold .secret .letters').textContent.trim()`)
	fresh := newPhone(t, browser, "another")
	fresh.do(chromedp.Navigate(e.b.url + "/j/" + e.b.code() + "?ticket=1"))
	fresh.types("form:has([name=ticket]) [name=code]", code)
	fresh.click("form:has([name=ticket]) button")
	fresh.sees("#f-night")
	e.phones[1] = fresh
	fresh.showsNothingWithoutStyle("Don")
	old.do(chromedp.Navigate(e.b.url + "/t/1")) // it comes back, and has no seat
	if old.eval(`document.querySelector('.page.seat') ? 'yes' : 'no'`) != "no" || !strings.Contains(old.text(), "Join the table") {
		t.Errorf("the old phone still has the seat, or does not say that it has none:\n%s", old.text())
	}
	e.host.do(chromedp.Navigate(e.b.url + "/t/1/host"))
	e.send(1, 5)
	e.host.step("close")
	e.host.step("dawn")
	fresh.shows("Day 1")
	fresh.nominates(2)
	e.until("the nomination", func() bool { return strings.Contains(e.record(), "= all nominated 1 2") })
	e.host.step("vote")
	e.hands(2, 3)
	e.until("one hand", func() bool { return strings.Contains(e.record(), "host votes 2: 3") })

	e.host.do(chromedp.Navigate("about:blank"))
	second := newPhone(t, browser, "second")
	second.do(chromedp.Navigate(e.b.url+"/host"), chromedp.SendKeys(chromedp.CSS("input[name=code]"), hostCode))
	second.click("main button")
	second.sees("#f-close")
	e.host = second
	fresh.shows("2 devices have led this game")
	e.hands(2, 4, 6)
	e.until("the other hands", func() bool { return strings.Contains(e.record(), "= all voted 6") })
	e.host.step("close")
	e.until("the vote", func() bool {
		return strings.Contains(e.record(), "= all tally 2:3") && strings.Contains(e.record(), "= all out 2 vote")
	})
}

// seat7 seats who is missing of seven, pairs the screen and deals.
func (e *party) seat7(browser context.Context) {
	e.Helper()
	e.pairScreen(browser)
	for seat := len(e.phones) + 1; seat <= 7; seat++ {
		e.host.do(chromedp.SendKeys(chromedp.CSS("#f-add input[name=name]"), fmt.Sprint("Player ", seat)))
		e.host.click("#f-add button")
		e.host.shows(fmt.Sprint("Player ", seat))
	}
	e.screen.shows("Player 7")
	e.dealByHand("don", "mafia", "doctor", "commissioner", "civilian", "civilian", "civilian")
}

// mends picks another target for a seat of a night that is closed, up to the page
// that tells what would change.
func (e *party) mends(seat, target int) {
	e.Helper()
	e.host.do(chromedp.Navigate(fmt.Sprintf("%s/t/1/host?for=%d", e.b.url, seat)))
	form := fmt.Sprintf("#f-for-%d-night", seat)
	e.host.picks(form, 1, target)
	e.host.click(form + " button.big")
	e.host.sees("#f-do")
}

// tries posts a form of the host's and is told why it was refused.
func (e *party) tries(path string, fields ...string) string {
	e.Helper()
	var form []string
	for i := 0; i < len(fields); i += 2 {
		form = append(form, fmt.Sprintf("%q: %q", fields[i], fields[i+1]))
	}
	return e.host.eval(fmt.Sprintf(`fetch(%q, {method: 'POST', headers: {'X-Mafiabox': 'live'}, body: new URLSearchParams({%s,
		key: document.querySelector('[name=key]').value + '.%d'})}).then(r => r.text()).then(t => t.trim())`, path, strings.Join(form, ", "), time.Now().UnixNano()))
}

// log opens the private log.
func (e *party) log(query string) {
	e.Helper()
	e.host.do(chromedp.Navigate(e.b.url + "/t/1/host/log" + query))
	e.host.shows("Private log")
}

// pictures keeps the host's page, narrow and wide, where pictures are kept.
func (e *party) pictures(name string) {
	e.Helper()
	e.host.shoot("referee-" + name)
	if os.Getenv("MAFIABOX_SHOTS") == "" {
		return
	}
	e.host.do(chromedp.EmulateViewport(1920, 1080, chromedp.EmulateScale(1)))
	e.host.shoot("referee-" + name + "-wide")
	e.host.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateScale(1)))
}
