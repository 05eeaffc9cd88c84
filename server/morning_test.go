package server

import (
	"strings"
	"testing"
)

// TestMorningAnswer: who asked at night is told with the day, and reads it from
// then on; nobody else does.
func TestMorningAnswer(t *testing.T) {
	p := inThread(t)
	for _, seat := range p.seats {
		seat.must("POST", "/t/1/act", 303, "verb", "vote", "seat", "7")
	}
	for _, seat := range p.seats[:6] {
		seat.must("POST", "/t/1/act", 303, "verb", "lock")
	}
	const answer = "\u2068Anna\u2069, of the mafia: yes"
	p.seats[0].must("POST", "/t/1/night", 303, "p1", "5")
	p.seats[2].must("POST", "/t/1/night", 303, "p1", "1")
	read := func(moment string) {
		t.Helper()
		for i, seat := range p.seats {
			if page := seat.must("GET", "/t/1", 200); strings.Contains(page, answer) != (i == 2) {
				t.Errorf("%s: the answer is on the page of %d: %v", moment, i+1, i != 2)
			}
		}
	}
	read("the next day")
	for _, i := range []int{0, 1, 2, 3, 5} {
		p.seats[i].must("POST", "/t/1/act", 303, "verb", "vote", "seat", "4")
	}
	for _, i := range []int{0, 1, 2, 5} {
		p.seats[i].must("POST", "/t/1/act", 303, "verb", "lock")
	}
	read("the next night")
}

// TestSeatPageOfLobby: a page that is open since before the deal is told what the
// game needs besides: a round of days has a look and a clock of its own. A page
// of the lobby loads neither.
func TestSeatPageOfLobby(t *testing.T) {
	p := inThread(t)
	m := p.table.now.Load()
	pushed := string(pageOf(p.b, "seat-main", p.b.seatPage(p.table, m, words{Texts: p.b.texts.in("en")}, 1)))
	if !strings.Contains(pushed, `data-extra="css/thread.css js/until.js"`) {
		t.Errorf("it is not told:\n%s", pushed)
	}
	lobby := &browser{T: t, b: p.b}
	p.host.must("POST", "/t/1/host/act", 303, "verb", "end", "sure", "1")
	p.host.must("POST", "/t/1/host/next", 303, "do", "lobby")
	lobby.must("POST", "/j/"+p.table.Code(), 303, "name", "Zelda")
	if page := lobby.must("GET", "/t/1", 200); strings.Contains(page, "thread.css") || strings.Contains(page, "until.js") {
		t.Errorf("the lobby loads it:\n%s", page)
	}
}
