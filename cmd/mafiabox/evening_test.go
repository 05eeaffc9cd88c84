package main

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// TestEvening is an evening of two games in a browser: twelve phones and one
// who has none, a table screen and the console; the first game is dealt by hand.
// A wrong count of hands and a wrong check are mended, the box is started again
// in the middle, one leaves and another comes for the second game.
func TestEvening(t *testing.T) {
	t.Parallel()
	browser := chromium(t)
	e := newParty(t, browser)

	e.pairScreen(browser)

	for i := range 12 {
		e.join(browser, i+1, fmt.Sprintf("Player %d", i+1))
	}
	e.host.do(chromedp.SendKeys(chromedp.CSS("#f-add input[name=name]"), "Grandma"))
	e.host.click("#f-add button")
	e.host.shows("Grandma")
	e.screen.shows("Grandma")
	e.shots("lobby")

	e.dealByHand("civilian", "don", "mafia", "mafia", "commissioner", "civilian", "civilian", "civilian", "civilian", "civilian", "civilian", "civilian", "doctor")
	e.shots("deal")
	e.night()
	e.shots("night")
	wrong, right := e.seat("civilian"), e.seat("don")
	commissioner := e.seat("commissioner")
	e.send(commissioner, wrong)
	for seat := range e.phones {
		if seat != commissioner {
			e.send(seat, 0)
		}
	}
	e.host.shows("Every phone has answered")
	if owing := e.host.held("#owing .press"); !strings.Contains(owing, "Grandma") { // who has no phone, and a role
		t.Errorf("still to answer: %q", owing)
	}
	e.enter(13, wrong, right)
	e.until("Grandma heals", func() bool { return strings.Contains(e.record(), fmt.Sprintf("\nhost for 13 heal %d ", wrong)) })
	e.host.shows("Every phone has answered")
	e.host.step("close")

	// The Commissioner reads his answer; the host had meant another target.
	e.phones[commissioner].sees(".press.read")
	if read := e.phones[commissioner].held(".press.read"); !strings.Contains(read, strconv.Itoa(wrong)) {
		t.Errorf("the Commissioner reads %q", read)
	}
	const seen = "had already read an answer that was corrected"
	if read := e.host.held("#misled .press"); !strings.Contains(read, "Nobody.") || strings.Contains(e.host.text(), seen) {
		t.Errorf("before anything is corrected the console names as misled: %q", read)
	}
	e.host.unfold("#d-log")
	check := e.number(fmt.Sprintf("%d check %d ", commissioner, wrong))
	e.host.unfold("#d-correct-" + check)
	e.host.do(chromedp.SetValue(chromedp.CSS("#f-correct-"+check+" select[name=seat]"), strconv.Itoa(right)))
	e.host.click("#f-correct-" + check + " button")
	e.changes(e.named(commissioner)+" is answered again", e.named(commissioner)+" has already read the old answer")
	e.until("the corrected answer is told", func() bool {
		return strings.Contains(e.record(), fmt.Sprintf("= %d told check %d mafia corrected", commissioner, right))
	})
	e.until("the Commissioner can read it", func() bool {
		return strings.Contains(e.phones[commissioner].held(".press.read"), "corrected")
	})
	e.host.shows(seen) // without a name, which the hold tells
	if read := e.host.held("#misled .press"); !slices.Contains(strings.Split(read, "\n"), e.label(commissioner)) || strings.Contains(read, "Nobody") {
		t.Errorf("the console names as who had read the old answer: %q, not %s", read, e.label(commissioner))
	}

	// The plug: every page finds back by itself.
	e.b.kill()
	time.Sleep(300 * time.Millisecond)
	e.b.run()
	e.until("the console is back", func() bool {
		return e.host.eval("document.querySelector('#net').hidden ? 'yes' : 'no'") == "yes"
	})
	e.host.step("dawn")
	for _, p := range e.phones {
		p.shows("Day 1")
	}
	e.screen.shows("Day 1")
	e.shots("morning")

	// A vote by hands, counted wrongly at first.
	e.phones[1].nominates(2)
	e.until("the nomination", func() bool { return strings.Contains(e.record(), "= all nominated 1 2") })
	e.host.step("vote")
	e.hands(2, 1, 3, 4, 5)
	e.until("the count", func() bool { return strings.Contains(e.record(), "host votes 2: 1 3 4 5") })
	e.host.shows("1, 3, 4, 5") // a console gets a few frames a second
	e.host.click("#f-undo button")
	e.until("the count is taken back", func() bool { return strings.Contains(e.record(), "host undo") })
	e.hands(2, 1, 3)
	e.votes(13, 2)
	e.screen.shows("Votes: 3 of 13")
	e.shots("vote")
	e.host.step("close")
	e.until("the tally", func() bool { return strings.Contains(e.record(), "= all tally 2:3") })
	e.finish()

	// The second game: one has left, another comes.
	e.host.click("#f-next [value=lobby]")
	e.host.sees("#f-deal")
	e.host.click(`.rows li:nth-child(11) summary`)
	e.host.click(`.rows li:nth-child(11) button[value=remove]`)
	e.until("a seat is free", func() bool { return !strings.Contains(e.host.text(), "Player 11") })
	e.join(browser, 11, "Newcomer") // on the seat that is free
	e.deal()
	e.night()
	town, black := e.seats("civilian"), e.seat("don", "mafia")
	victim, other := town[0], town[1]
	for seat := range e.phones {
		switch {
		case seat == victim:
			e.send(seat, 0)
		case e.roles[seat-1] == "civilian":
			e.send(seat, black) // suspects him
		default:
			e.send(seat, victim)
		}
	}
	e.enter(12, victim, other) // Grandma has moved up, and whatever she is she does it
	e.until("Grandma acts", func() bool { return grandmasAct.MatchString(e.record()) })
	e.host.step("close")
	e.host.step("dawn")
	e.phones[black].shows("Day 1")
	e.phones[black].nominates(black)
	e.until("the nomination", func() bool { return strings.Contains(e.record(), fmt.Sprintf("= all nominated %d %[1]d", black)) })
	e.host.step("vote")
	e.votes(12, black)
	e.host.step("close")
	e.until("the vote", func() bool { return strings.Contains(e.record(), fmt.Sprintf("= all out %d vote", black)) })
	e.finish()
	e.shots("end")
}

// grandmasAct is a night's act of the seat without a phone, and not that it waits.
var grandmasAct = regexp.MustCompile(`(?m)^host for 12 (shoot|attack|block|cover|swap|heal|check|seek|compare|suspect) `)
