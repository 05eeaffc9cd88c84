package main

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// phoneSays lets a page believe that it is another time.
const phoneSays = `(() => {
	const Real = Date, ahead = %d - Real.now();
	window.Date = class extends Real {
		constructor(...of) { if (of.length) super(...of); else super(Real.now() + ahead); }
		static now() { return Real.now() + ahead; }
	};
	return '';
})()`

// TestWeek is a game of eleven phones that lasts from a Tuesday to the next, on
// a clock that is moved: a runoff, a vote missed twice, letters of the mafia and
// of those who are out, a weekend, a round that closes early, and the mafia's
// win. Whoever is not in a channel never received a letter of it.
func TestWeek(t *testing.T) {
	t.Parallel()
	browser := chromium(t)
	w := newWeek(newParty(t, browser, "--clock", "untrusted"))
	w.begins(browser)
	w.dayOne()
	w.runoff()
	w.nightOne()
	w.dayTwo()
	w.dayThree()
	w.dayFour()
	w.ends()
	w.letters.check(t, w.wires)
}

// begins sits everybody, tells the box the time and deals.
func (w *week) begins(browser context.Context) {
	w.Helper()
	w.posts(w.host, "/t/1/host/rules", "rules", "forum")
	w.host.sees("#f-time")
	w.posts(w.host, "/t/1/host/options", "zone", "Europe/Berlin")
	w.now = w.day("02 12:00")
	w.host.eval(fmt.Sprintf(phoneSays, w.now.UnixMilli()))
	w.host.shows("Mar 2, ")
	w.host.shoot("en-week-time")
	w.host.click("#f-time button.big")
	w.host.sees("#d-time") // from now on it stands where it may be put right

	w.screen = newPhone(w.T, browser, "screen")
	w.wires[0] = w.screen.wiretap()
	w.screen.do(chromedp.EmulateViewport(1920, 1080), chromedp.Navigate(w.b.url+"/screen"))
	w.screen.shows(w.b.code())
	w.posts(w.host, "/t/1/host/screen", "code", w.screen.eval(pairingCode))
	w.sit(browser)
	w.host.shows("Ольга")
	w.host.unfold("#d-hand")
	for i, role := range weekRoles {
		w.host.do(chromedp.SetValue(chromedp.CSS(fmt.Sprintf("#f-hand select[name=role%d]", i+1)), role))
	}
	w.goesOn("02 12:00")
	w.host.click("#f-hand button")
	w.says(w.host, "Day 1", "Wed 3 Mar, 12:00 CET")
	w.recorded("= all closes 2027-03-03T12:00:")
	for _, p := range w.phones {
		p.sees("#f-vote")
		w.token(p)
	}
	if told := w.phones[1].held(".hold .press"); !strings.Contains(told, "Гриша") {
		w.Errorf("a mafioso is not told who the others are: %q", told)
	}
	if told := w.phones[11].held(".hold .press"); strings.Contains(told, "Anna") {
		w.Errorf("one of the town is told %q", told)
	}
}

// dayOne ends with two who have as many votes; one has voted for nobody, and one
// has only held a place.
func (w *week) dayOne() {
	w.Helper()
	w.goesOn("02 13:30")
	w.called(w.phones[1], "closes in 22 hours · ")
	w.called(w.phones[11], "закроется через 22 часа · ")

	w.taps(1, 9)
	w.says(w.phones[1], "Counted at 13:3", "10 players have yet to vote")
	w.phones[1].shoot("en-week-seat-voted")
	w.taps(8, 11)
	w.phones[8].click("#f-lock button")
	w.phones[8].shows("зафиксирован")
	w.phones[8].shoot("ru-week-seat-voted")

	// Typed: it is shown first what it counts as, and asked where it isn't sure.
	p := w.types(4, "I trust nobody here.\nZoë > Annika")
	w.says(p, "This will count as", "vote for 9 Annika")
	p.shoot("en-week-preview")
	p.click(".reads button.big")
	w.says(p, "counted as: vote for 9 Annika")
	p = w.types(7, "Fay > An")
	w.says(p, "Whom do you mean?")
	p.shoot("en-week-asks")
	p.click(".reads button[value='09']")
	w.says(p, "counted as: vote for 9 Annika")
	p = w.types(6, "Ли > null")
	w.says(p, "Это засчитается как", "пустой голос")
	p.shoot("ru-week-preview")
	p.click(".reads button.big")
	w.says(p, "засчитано: пустой голос")
	p = w.types(3, "Гриша > О")
	w.says(p, "Это засчитается как", "11 Ольга")
	p.click(".reads button.big")
	w.says(p, "засчитано: голос за 11 Ольга")
	w.recorded("= all voted 6 null", "= all voted 7 9", "= all voted 3 11")
	w.voteFor(9, 2)
	w.voteFor(11, 5, 9)
	w.voteFor(3, 11)

	p = w.opens(10, "/tally")
	w.says(p, "2 have yet to vote: 6 Ли, 10 Kim", "Closes")
	p.shoot("en-week-tally")
	w.opens(11, "/tally").shoot("ru-week-tally")
	w.opens(10, "/thread").shoot("en-week-thread")
	w.opens(11, "/thread").shoot("ru-week-thread")
	w.says(w.host, "2 players have yet to vote")
	w.host.shoot("en-week-console")
	w.says(w.screen, "Kim", "Day 1")
	w.shots("week-day")
	for _, seat := range []int{3, 4, 6, 7, 10, 11} {
		w.opens(seat, "")
	}
	w.look("day 1")
}

// runoff is among the two; one asks for more time.
func (w *week) runoff() {
	w.Helper()
	w.goesOn("03 12:01")
	w.recorded("= all tally 9:4 11:4 3:1", "= all missed 6 1", "= all missed 10 1", "= all tie 9 11", "= all phase runoff 1", "= all closes 2027-03-04T12:00:")
	w.says(w.phones[5], "runoff")
	w.says(w.phones[11], "перебаллотировка")
	if n := w.phones[5].eval(`String(document.querySelectorAll('#f-vote input[name=seat]').length)`); n != "2" {
		w.Errorf("in the runoff there are %s to vote for", n)
	}
	w.phones[5].click("#f-extension button")
	w.recorded("= all closes 2027-03-04T18:00:")
	w.says(w.phones[5], "Thu 4 Mar, 18:00 CET")
	w.goesOn("04 09:00")
	w.called(w.phones[8], "закроется через 8 часов · ")
	w.taps(6, 9)
	w.phones[6].shoot("ru-week-seat-runoff")
	w.taps(10, 9)
	w.voteFor(9, 11)
	w.shots("week-runoff")
	w.says(w.opens(7, "/thread"), "Day 1: runoff", "6 Ли: 1 missed vote", "Closes Thu 4 Mar, 18:00")
	p := w.opens(7, "/tally")
	w.says(p, "Everybody has voted.", "Missed votes", "6 Ли: 1, 10 Kim: 1")
	p.shoot("en-week-tally-runoff")
	w.opens(7, "")
	w.look("runoff")
	w.goesOn("04 18:01")
	w.recorded("= all tally 9:7 11:4", "= all out 9 vote", "= all phase night 1")
}
