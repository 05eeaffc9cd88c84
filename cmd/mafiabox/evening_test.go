package main

import (
	"context"
	"fmt"
	"os"
	"regexp"
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
func newParty(t *testing.T, browser context.Context) *party {
	e := &party{T: t, b: start(t), phones: make(map[int]*phone)}
	e.host = newPhone(t, browser, "host")
	e.host.do(chromedp.Navigate(e.b.url+"/host"), chromedp.SendKeys(chromedp.CSS("input[name=code]"), hostCode))
	e.host.click("main button")
	e.host.sees("#f-deal")
	return e
}

// TestEvening is an evening of two games in a browser: twelve phones and one
// who has none, a table screen and the console; the first game is dealt by hand.
// A wrong count of hands and a wrong check are mended, the box is started again
// in the middle, one leaves and another comes for the second game.
func TestEvening(t *testing.T) {
	t.Parallel()
	browser := chromium(t)
	e := newParty(t, browser)

	e.screen = newPhone(t, browser, "screen")
	e.screen.do(chromedp.EmulateViewport(1920, 1080), chromedp.Navigate(e.b.url+"/screen"))
	e.screen.shows(e.b.code())
	e.shots("free")
	e.host.click("#d-screen summary")
	e.host.do(chromedp.SendKeys(chromedp.CSS("#f-screen input[name=code]"), e.screen.eval(pairingCode)))
	e.host.click("#f-screen button")

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
	e.host.shows("1 player still to answer")
	e.enter(13, wrong, right) // Grandma has no phone
	e.until("Grandma heals", func() bool { return strings.Contains(e.record(), fmt.Sprintf("\nhost for 13 heal %d ", wrong)) })
	e.host.shows("Everybody has answered")
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
	e.host.click("#d-log summary")
	check := e.number(fmt.Sprintf("%d check %d ", commissioner, wrong))
	e.host.click("#d-correct-" + check + " summary")
	e.host.do(chromedp.SetValue(chromedp.CSS("#f-correct-"+check+" select[name=seat]"), strconv.Itoa(right)))
	e.host.click("#f-correct-" + check + " button")
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
	e.host.click("#f-vote button")
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
	e.phones[11] = e.phones[12] // who sat behind have moved up
	delete(e.phones, 12)
	e.join(browser, 13, "Newcomer")
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
	e.host.click("#f-vote button")
	e.votes(12, black)
	e.host.step("close")
	e.until("the vote", func() bool { return strings.Contains(e.record(), fmt.Sprintf("= all out %d vote", black)) })
	e.finish()
	e.shots("end")
}

// grandmasAct is a night's act of the seat without a phone, and not that it waits.
var grandmasAct = regexp.MustCompile(`(?m)^host for 12 (shoot|attack|block|cover|swap|heal|check|seek|compare|suspect) `)

// shots keeps the screen's picture in both languages, where pictures are kept.
func (e *party) shots(name string) {
	if os.Getenv("MAFIABOX_SHOTS") == "" {
		return
	}
	for _, lang := range []string{"ru", "en"} { // it goes on in English
		e.screen.do(chromedp.Navigate(e.b.url+"/screen?lang="+lang), chromedp.WaitReady(chromedp.CSS("main")))
		time.Sleep(200 * time.Millisecond)
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
	e.host.click("#d-hand summary")
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
	if len(e.roles) != 13 {
		e.Fatalf("%d roles", len(e.roles))
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
	p.click("#d-nominate summary")
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
	e.host.sees(fmt.Sprintf("#d-hands-%d", candidate))
	e.host.eval(fmt.Sprintf(`(() => { document.querySelector('#d-hands-%d').open = true; return '' })()`, candidate))
	for _, v := range voters {
		e.host.click(fmt.Sprintf(`%s label:has(input[type=checkbox][value="%d"])`, form, v))
	}
	e.host.click(form + " button.big")
}

// label is a seat with its name, as lists have it.
func (e *party) label(seat int) string { return fmt.Sprintf("%d Player %[1]d", seat) }

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
