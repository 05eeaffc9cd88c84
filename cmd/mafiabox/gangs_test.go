package main

import (
	"fmt"
	"strings"
	"testing"
)

// TestGangs is a game of the two gangs in a browser with twelve phones: the open
// points are asked on the console, the Boss leaves in the middle and his partner
// goes on shooting, and one Irish, one Italian and one of the town are a draw.
func TestGangs(t *testing.T) {
	t.Parallel()
	browser := chromium(t)
	e := newParty(t, browser)
	e.host.unfold("#d-rules")
	e.host.click("#d-rules button[value=gangs]")
	e.host.shows("Irish and Italians")
	for i := range 12 {
		e.join(browser, i+1, fmt.Sprintf("Player %d", i+1))
	}
	e.pairScreen(browser)
	e.host.click("#f-deal button")
	e.screen.shows("The host decides.")
	e.host.shows("Whether the turn begins with the first night is not approved.") // why it is asked
	e.host.shows("Both victims leave after the first night")                      // and what follows
	for _, choice := range []string{"turn", "leader", "each_other", "yes"} {
		e.host.click(fmt.Sprintf("#f-rule button[value=%s]", choice))
	}
	e.host.sees("#f-speech")
	e.until("the screen waits no longer", func() bool { return !strings.Contains(e.screen.text(), "The host decides.") })
	for _, r := range roleLine.FindAllStringSubmatch(e.record(), -1) {
		e.roles = append(e.roles, r[1])
	}
	boss, gangster, italian, sheriff := e.seat("boss"), e.seat("gangster"), e.seat("mafioso"), e.seat("sheriff")
	var town []int
	for i, role := range e.roles {
		if role == "town" {
			town = append(town, i+1)
		}
	}
	if held := e.phones[gangster].held(".press"); !strings.Contains(held, fmt.Sprint(boss)) {
		t.Errorf("the Gangster's phone does not name the Boss: %q", held)
	}

	// Day 1: the first speaker nominates himself and the vote is left out.
	e.host.click("#f-speech button")
	e.host.shows("Player 1")
	e.host.step("night") // the speech is cut short
	first := make(map[int][2]int)
	for seat := range e.phones {
		first[seat] = [2]int{town[6], town[6]}
	}
	first[sheriff] = [2]int{boss, town[0]}
	e.gangsNight(1, first)
	if read := e.phones[sheriff].held(".press.read"); !strings.Contains(read, "Irish") || !strings.Contains(read, "town") {
		t.Errorf("the Sheriff (%d) reads %q\n%s", sheriff, read, e.record())
	}
	if read := e.phones[town[0]].held(".press.read"); strings.Contains(read, "Irish") {
		t.Errorf("one of the town reads %q", read)
	}
	e.host.step("dawn")
	e.until("the victim of both gangs is out", func() bool { return strings.Contains(e.record(), fmt.Sprintf("= all out %d night", town[6])) })

	// The Boss goes home; his partner shoots, and searches for nobody.
	e.hostAct("leave", boss)
	e.host.step("night")
	second := make(map[int][2]int)
	for seat := range e.phones {
		if seat != boss && seat != town[6] {
			second[seat] = [2]int{town[5], town[4]}
		}
	}
	e.gangsNight(2, second)
	if rec := e.record(); !strings.Contains(rec, fmt.Sprintf("\n%d shoot %d ", gangster, town[5])) || strings.Contains(rec[strings.LastIndex(rec, "host night"):], fmt.Sprintf("\n%d seek ", gangster)) {
		t.Errorf("the Gangster does not shoot, or searches:\n%s", rec)
	}
	e.host.step("dawn")
	e.host.shows("Day 3")

	// One of each is left.
	for i := range e.roles {
		if seat := i + 1; seat != gangster && seat != italian && seat != town[0] && !strings.Contains(e.record(), fmt.Sprintf("= all out %d ", seat)) {
			e.hostAct("disqualify", seat)
		}
	}
	e.until("the draw", func() bool { return strings.Contains(e.record(), "= all draw") })
	for _, seat := range []int{gangster, italian, town[0], boss} {
		e.phones[seat].shows("draw")
	}
}

// gangsNight sends both picks of each seat and closes the night.
func (e *party) gangsNight(n int, picks map[int][2]int) {
	e.Helper()
	for seat, pick := range picks {
		p := e.phones[seat]
		p.shows(fmt.Sprint("Night ", n))
		for i, target := range pick {
			cell := fmt.Sprintf(`#f-night label:has(input[name=p%d][value="%02d"])`, i+1, target)
			p.eval(fmt.Sprintf(`(() => { document.querySelector(%q).scrollIntoView({block: 'center'}); return '' })()`, cell)) // from under the buttons
			p.click(cell)
		}
		p.click("#f-night button.big")
		e.until(fmt.Sprintf("seat %d has answered in night %d", seat, n), func() bool {
			rec := e.record()
			return strings.Contains(rec[strings.LastIndex(rec, "host night"):], fmt.Sprintf("= %d chose %d ", seat, seat))
		})
	}
	e.host.shows("Everybody has answered")
	e.host.step("close")
	for seat := range picks {
		e.phones[seat].sees(".press.read")
	}
}

// hostAct does an act of the host about a seat.
func (e *party) hostAct(verb string, seat int) {
	e.Helper()
	refused := e.host.eval(fmt.Sprintf(`fetch('/t/1/host/act', {method: 'POST', headers: {'X-Mafiabox': 'live'}, body: new URLSearchParams({
		verb: '%s', seat: '%d', key: document.querySelector('[name=key]').value + '.%[1]s%[2]d'})}).then(r => r.text()).then(t => t.trim())`, verb, seat))
	if refused != "" {
		e.Fatalf("%s %d: %s", verb, seat, refused)
	}
}
