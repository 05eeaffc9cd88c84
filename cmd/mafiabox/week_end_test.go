package main

import (
	"strings"

	"github.com/chromedp/chromedp"
)

// nightOne: the mafia write to each other, whoever is out begins to write, and
// the night ends with whack and guess.
func (w *week) nightOne() {
	w.Helper()
	w.says(w.phones[9], "You are out")
	w.letters["zibeline"] = []int{1, 2, 3}
	p := w.opens(1, "/letters")
	p.do(chromedp.SetValue(chromedp.CSS("#letter-to"), "mafia"), chromedp.SendKeys(chromedp.CSS("#letter-text"), "Tonight it is zibeline."))
	p.shoot("en-week-letters-write")
	p.click("#f-letter button")
	w.recorded(`1 whisper mafia "Tonight it is zibeline."`)
	w.writes(2, "mafia", "obsidian", 1, 2, 3)
	for place, words := range []string{"obsidian", "zibeline"} {
		if held := w.holds(3, place+1); !strings.Contains(held, words) {
			w.Errorf("the third mafioso's letter %d is %q", place+1, held)
		}
	}
	if held := w.holds(11, 1); strings.Contains(held, "The word is") {
		w.Errorf("one of the town reads %q", held)
	}
	w.phones[11].shoot("ru-week-letters")
	w.writes(5, "host", "question", 5)
	w.letters["answer7"] = []int{5}
	w.posts(w.host, "/t/1/host/act", "verb", "whisper", "seat", "5", "text", "The host says answer7.")
	w.writes(9, "out", "marabout", 9)
	for _, seat := range []int{5, 11} { // the channels of others are closed, whatever is sent
		for _, channel := range []string{"mafia", "out"} {
			if said := w.tries(w.phones[seat], "/t/1/act", "verb", "whisper", "word", channel, "text", "Let me in."); said == "" {
				w.Errorf("seat %d writes to %s", seat, channel)
			}
		}
	}
	w.goesOn("04 20:00")
	for _, seat := range []int{1, 3, 7, 11} { // a long night's pages stay for half a minute
		w.opens(seat, "").sees("#f-night")
	}
	w.called(w.phones[7], "closes in 15 hours · ")
	w.phones[7].shoot("en-week-seat-night")
	w.phones[11].shoot("ru-week-seat-night")
	w.shots("week-night")
	w.look("night 1")
	w.sends(11, 3)
	w.sends(1, 5)
	w.phones[3].picks("#f-night", 1, 7)
	w.phones[3].click("#f-night button.big")
	w.recorded("3 whack 7")
	w.phones[4].picks("#f-night", 1, 1)
	w.phones[4].click("#f-night button.big")
	w.recorded("= all phase day 2", "= all out 7 night", "= 4 told guess 1 yes")
}

// dayTwo lasts over a weekend. One misses a vote for the second time and leaves,
// whoever the others have voted for.
func (w *week) dayTwo() {
	w.Helper()
	w.says(w.phones[4], "Day 2", "Mon 8 Mar, 08:00 CET")
	w.letters["zinnober"] = []int{7, 9}
	p := w.opens(9, "/letters")
	p.do(chromedp.SetValue(chromedp.CSS("#letter-to"), "out"), chromedp.SendKeys(chromedp.CSS("#letter-text"), "I say zinnober."))
	p.click("#f-letter button")
	w.recorded(`9 whisper out "I say zinnober."`)
	if held := w.holds(7, 1); !strings.Contains(held, "zinnober") || !strings.Contains(held, "9 Annika") {
		w.Errorf("who is out reads %q", held)
	}
	w.phones[7].shoot("en-week-letters-out")
	w.opens(9, "/thread").shoot("en-week-thread-out")
	w.opens(7, "").shoot("en-week-seat-out")
	w.opens(9, "")
	if held := unmarked(w.phones[4].held(".hold .press")); !strings.Contains(held, "1 Anna, of the mafia: yes") {
		w.Errorf("the Inspector is told %q", held)
	}
	w.goesOn("05 12:00")
	w.called(w.phones[5], "closes in 2 days · ")
	w.taps(2, 11)
	w.voteFor(11, 1, 3)
	w.voteFor(3, 4, 5, 6, 8, 11)
	p = w.types(11, "Ольга > Гриша, locked")
	w.says(p, "голос за 3 Гриша", "голос зафиксирован")
	p.click(".reads button.big")
	w.recorded("= all chose 11 lock")
	w.opens(11, "")
	w.goesOn("06 12:00") // a Saturday
	w.says(w.phones[10], "Day 2", "You have not voted yet")
	w.phones[10].shoot("en-week-seat-weekend")
	w.look("day 2")
	w.goesOn("08 08:01")
	w.recorded("= all tally 3:5 11:3", "= all missed 10 2", "= all out 10 missed", "= all phase night 2")
	w.says(w.phones[10], "You are out")
	w.says(w.phones[3], "Ночь 2")
	w.phones[10].shoot("en-week-seat-missed")

	w.writes(1, "mafia", "ziggurat", 1, 2, 3)
	w.writes(10, "out", "cinnabar", 7, 9, 10)
	w.look("night 2")
	w.goesOn("08 10:00")
	w.sends(2, 8)
	w.sends(4, 5)
	w.recorded("= all phase day 3", "= all out 8 night", "= 4 told guess 5 no")
}

// dayThree sends off one of the mafia: from then on its letters don't reach him,
// and those of the town who are out don't either.
func (w *week) dayThree() {
	w.Helper()
	w.voteFor(3, 4, 5, 6, 11)
	w.voteFor(11, 1, 2)
	w.taps(3, 4)
	w.look("day 3")
	w.goesOn("09 10:01")
	w.recorded("= all out 3 vote", "= all phase night 3")
	w.writes(1, "mafia", "zircon", 1, 2)
	w.writes(8, "out", "vermilion", 7, 8, 9, 10)
	w.says(w.phones[3], "Вы выбыли")
	if said := w.tries(w.phones[3], "/t/1/act", "verb", "whisper", "word", "out", "text", "And I?"); said == "" {
		w.Error("one of the mafia writes to the town's chat")
	}
	w.look("night 3")
	w.goesOn("09 11:00")
	w.sends(4, 2)
	w.sends(1, 4)
	w.recorded("= all phase day 4", "= all out 4 night")
	if strings.Contains(w.record(), "= 4 told guess 2") {
		w.Error("the Inspector is answered when he is out")
	}
}

// dayFour closes early, once all have locked who are not in jeopardy.
func (w *week) dayFour() {
	w.Helper()
	w.goesOn("09 15:00")
	w.voteFor(6, 1, 2, 5, 11)
	w.voteFor(5, 6)
	for _, seat := range []int{1, 2} {
		w.posts(w.phones[seat], "/t/1/act", "verb", "lock")
	}
	w.look("day 4")
	w.phones[11].click("#f-lock button")
	w.recorded("= all tally 6:4 5:1", "= all out 6 vote", "= all phase night 4")
	w.writes(2, "mafia", "zodiac", 1, 2)
	w.writes(6, "out", "sepia", 4, 6, 7, 8, 9, 10)
	w.look("night 4")
}

// ends: the mafia outnumber the town. Who has missed two votes sits out the next game.
func (w *week) ends() {
	w.Helper()
	w.phones[2].picks("#f-night", 1, 5)
	w.phones[2].click("#f-night button.big")
	w.recorded("= all win mafia", "= all phase ended")
	w.host.click("#f-story button")
	for seat, p := range w.phones {
		p.sees(".result")
		p.shows(map[string]string{"en": "Victory: Mafia", "ru": "Победа: Мафия"}[w.langs[seat]])
	}
	w.phones[11].shoot("ru-week-end")
	w.phones[1].eval("(() => { " + allOpen + "; return '' })()")
	w.phones[1].shoot("en-week-story")
	w.host.shoot("en-week-console-end")
	w.shots("week-end")
	w.look("the end")

	p := w.opens(10, "/thread")
	w.says(p, "The game is over", "10 Kim", "Times are those of Europe/Berlin")
	p.shoot("en-week-thread-end")
	w.opens(10, "")
	w.host.click("#f-next [value=lobby]")
	w.says(w.host, "Kim is suspended from this game", "suspended from this game")
	w.host.shoot("en-week-suspended")
	if said := w.tries(w.host, "/t/1/host/deal", "by", "box"); !strings.Contains(said, "Kim is suspended from this game") {
		w.Errorf("the next game is dealt to who is suspended: %q", said)
	}
	w.posts(w.host, "/t/1/host/people", "do", "remove", "seat", "10")
	w.until("Kim has left", func() bool { return !strings.Contains(w.host.text(), "Kim") })
	w.host.click("#f-close-up button")
	w.host.click("#f-deal button:not([disabled])")
	w.host.shows("Day 1")
}
