package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// consoleCode is the join code on a console.
var consoleCode = regexp.MustCompile(`class="joincode">.*?<b class="letters">([A-Z]{5})</b>`)

// TestSeatOfOnesOwn: a player takes the seat at which he sits; what is taken or
// not there is refused with the way on, and a card's seat is proposed.
func TestSeatOfOnesOwn(t *testing.T) {
	t.Parallel()
	b := start(t)
	join := "/j/" + b.code()
	sit := func(c *client, name, seat string) (int, string) {
		c.get(join)
		status, body, err := c.ask("POST", join, form("name", name, "seat", seat))
		if err != nil {
			t.Fatal(err)
		}
		return status, mainPart.FindString(body)
	}
	anna, boris, vera := b.client(), b.client(), b.client()
	for _, c := range []struct {
		who        *client
		name, seat string
		status     int
		says       string
	}{
		{anna, "Anna", "7", 303, ""},
		{boris, "Boris", "7", 422, "\u2068Anna\u2069 has seat 7. Choose another, or ask the host."},
		{boris, "Boris", "21", 422, "There is no such seat: this game has 20."},
		{boris, "Boris", "", 303, ""},
		{vera, "Anna", "2", 303, ""},
	} {
		if status, body := sit(c.who, c.name, c.seat); status != c.status || !strings.Contains(body, c.says) {
			t.Errorf("%s on %q: %d\n%s", c.name, c.seat, status, body)
		}
	}
	for i, c := range []*client{anna, boris, vera} {
		want := []string{`<b class="num">7</b><bdi>Anna</bdi>`, `<b class="num">1</b><bdi>Boris</bdi>`, `<b class="num">2</b><bdi>Anna 2</bdi>`}[i]
		if page := c.get("/t/1"); !strings.Contains(page, want) {
			t.Errorf("the page has no %s:\n%s", want, page)
		}
	}
	// Who scans again is told where he sits, and sits there alone.
	if status, _, _ := anna.ask("GET", join, nil); status != 303 {
		t.Error("who sits is asked to join:", status)
	}
	if page := anna.get("/t/1"); !strings.Contains(page, "You sit here already: seat 7.") {
		t.Errorf("who scans again isn't told that he sits:\n%s", page)
	}

	// Cards name a seat and never own it.
	gleb := b.client()
	gleb.get("/?seat=5")
	status, _, _ := gleb.ask("POST", "/join", form("code", strings.ToLower(b.code()), "seat", "5"))
	page := gleb.get(join + "?seat=5")
	if status != 303 || !strings.Contains(page, "<option selected>5</option>") || strings.Contains(page, "<option>7</option>") {
		t.Errorf("%d: the card's seat isn't chosen, or a taken one is offered:\n%s", status, page)
	}
	if page := gleb.get(join + "?seat=7"); !strings.Contains(page, "\u2068Anna\u2069 has seat 7.") || strings.Contains(page, "selected>") {
		t.Errorf("the card of a taken seat:\n%s", page)
	}

	// The host closes the gaps, and moves.
	host := b.client()
	host.post("/host", form("code", hostCode))
	if page := host.get("/t/1/host"); !strings.Contains(page, "City mafia") || strings.Contains(page, `id="f-close-up"`) {
		t.Errorf("the console asks to close gaps before there are enough:\n%s", page)
	}
	host.post("/t/1/host/people", form("do", "move", "seat", "7", "to", "1"))
	if page := anna.get("/t/1") + boris.get("/t/1"); !strings.Contains(page, `<b class="num">1</b><bdi>Anna</bdi>`) || !strings.Contains(page, `<b class="num">7</b><bdi>Boris</bdi>`) {
		t.Errorf("they have not changed places:\n%s", page)
	}
	host.post("/t/1/host/people", form("do", "add", "name", "Dina", "to", "4"))
	host.post("/t/1/host/people", form("do", "add", "name", "Egor"))
	if page := host.get("/t/1/host"); !strings.Contains(page, "Seats 5, 6 are free. Wait for somebody, or close the gaps.") || !strings.Contains(page, `id="f-close-up"`) {
		t.Errorf("the console doesn't say what is free:\n%s", page)
	}
	host.post("/t/1/host/people", form("do", "close-up"))
	if page := boris.get("/t/1"); !strings.Contains(page, `<b class="num">5</b><bdi>Boris</bdi>`) {
		t.Errorf("the gaps are still there:\n%s", page)
	}
}

// TestSitsElsewhere: who has a seat at one table and scans the code of another is
// told; he may leave the first for it, but not a game that is on.
func TestSitsElsewhere(t *testing.T) {
	t.Parallel()
	b := start(t)
	host, players := b.seated(8)
	_, second := b.secondTable()
	other := "/j/" + second
	page := players[7].get(other)
	for _, want := range []string{"You sit at table " + b.code() + ": seat 8, \u2068Player 8\u2069.", "To my seat", "Leave it and sit here"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q:\n%s", want, page)
		}
	}
	if status, body, _ := players[7].ask("POST", other, form("name", "Eight")); status != 422 || !strings.Contains(body, "Leave that seat first.") {
		t.Errorf("a second seat without a word: %d\n%s", status, body)
	}
	if status, body, _ := players[7].ask("POST", other, form("name", "", "leave", "1")); status != 422 || !strings.Contains(players[7].get("/t/1"), "Player 8") {
		t.Errorf("who is refused loses his seat: %d\n%s", status, body)
	}
	if status, body, _ := players[7].ask("POST", other, form("name", "Eight", "leave", "1")); status != 303 {
		t.Errorf("changing tables: %d\n%s", status, body)
	}
	if page := host.get("/t/1/host"); strings.Contains(page, "Player 8") || !strings.Contains(players[7].get("/t/2"), "Eight") {
		t.Errorf("he has not changed tables:\n%s", page)
	}
	host.post("/t/1/host/deal", form("by", "box"))
	if page := players[0].get(other); !strings.Contains(page, "A game is on there.") || strings.Contains(page, "<form") {
		t.Errorf("who plays is asked to sit:\n%s", page)
	}
	if status, _, _ := players[0].ask("POST", other, form("name", "One", "leave", "1")); status != 422 {
		t.Error("who plays may leave:", status)
	}
	host.post("/t/1/host/act", form("verb", "end"))
	if status, body, _ := players[0].ask("POST", other, form("name", "One")); status != 303 {
		t.Errorf("a game that is over keeps him: %d\n%s", status, body)
	}
}

// TestSpectator: who comes when a game is on sees what everybody may know and
// follows it; once the table is in its lobby he may sit down.
func TestSpectator(t *testing.T) {
	t.Parallel()
	b := start(t)
	host, _ := b.seated(7)
	late := b.client()
	late.get("/j/" + b.code())
	host.dealUsual()
	if status, _, _ := late.ask("POST", "/j/"+b.code(), form("name", "Late")); status != 303 {
		t.Error("a form that was late:", status)
	}
	page := late.get("/j/" + b.code())
	if !strings.Contains(page, "A game is on. The next one will take you in.") || !strings.Contains(page, "You watch.") || !strings.Contains(page, "Player 7") {
		t.Errorf("who is too late is shown\n%s", page)
	}
	for _, no := range []string{"<form", "Commissioner", "Don<", "Doctor", "/t/1/live"} {
		if strings.Contains(page, no) {
			t.Errorf("the spectator's page has %q:\n%s", no, page)
		}
	}
	live := "/j/" + b.code() + "/live"
	if _, status := late.dial("/j/ZZZZZ/live", b.url); status != 404 {
		t.Error("a stream under no code:", status)
	}
	if _, status := late.dial(live, "http://evil.example"); status != 403 {
		t.Error("a stream for another site:", status)
	}
	stream, _ := late.dial(live, b.url)
	eventually(t, "the first frame", func() bool { return stream.count() == 1 })
	stream.take()
	host.step("night")
	eventually(t, "the night", func() bool {
		return slices.ContainsFunc(stream.take(), func(f string) bool { return strings.Contains(f, "Night 1") })
	})
	if status, body, _ := late.ask("POST", "/t/1/act", form("verb", "vote", "seat", "2")); status != 403 {
		t.Errorf("a spectator votes: %d\n%s", status, body)
	}
	host.post("/t/1/host/act", form("verb", "end"))
	host.post("/t/1/host/next", form("do", "lobby"))
	eventually(t, "the way to a seat", func() bool {
		return slices.ContainsFunc(stream.take(), func(f string) bool { return strings.Contains(f, `href="/j/`+b.code()+`"`) })
	})
	late.post("/j/"+b.code(), form("name", "Late"))
	host.post("/t/1/host/people", form("do", "rename", "seat", "8", "name", "Later"))
	select {
	case <-stream.done: // his page is another now
	case <-time.After(patience):
		t.Error("the stream goes on for who has a seat")
	}
}

// TestFullTable is twenty-four phones at a table of twenty: two have the same
// name, one comes twice, four find no seat, one has an old code, and one comes
// when the game has begun. Nobody is lost, and each is told what to do.
func TestFullTable(t *testing.T) {
	t.Parallel()
	slow(t)
	browser := chromium(t)
	b := start(t)
	host := b.client()
	host.post("/host", form("code", hostCode))
	old := b.code()
	host.post("/t/1/host/people", form("do", "evening"))
	code := consoleCode.FindStringSubmatch(host.get("/t/1/host"))[1]
	if code == old {
		t.Fatal("the code of the last evening still counts")
	}
	url := b.url + "/j/" + code
	var phones []*phone
	for i := range 24 {
		phones = append(phones, newPhone(t, browser, fmt.Sprint("phone ", i+1)))
	}
	sit := func(p *phone, name string) {
		p.do(chromedp.Navigate(url))
		p.types("input[name=name]", name)
		p.click("main button")
		p.sees(".page.seat")
	}
	names := []string{"Anna", "Олег", "anna"}
	for i := len(names); i < 20; i++ {
		names = append(names, fmt.Sprint("Guest ", i+1))
	}
	for i, name := range names {
		sit(phones[i], name)
	}
	seats := func() string {
		return phones[0].eval(`[...document.querySelectorAll('.seats bdi')].map(b => b.textContent).join()`)
	}
	want := slices.Clone(names)
	want[2] = "anna 2"
	phones[0].shows("Guest 20")
	if got := seats(); got != strings.Join(want, ",") {
		t.Errorf("at the table sit %s, want %v", got, want)
	}

	// Once more with the same phone: his seat, and told so.
	phones[1].do(chromedp.Navigate(url))
	phones[1].shows("You sit here already: seat 2.")
	if got := seats(); got != strings.Join(want, ",") {
		t.Errorf("who came twice sits there twice: %s", got)
	}

	// Four more than there are seats, the last of whom has an old code first.
	phones[23].do(chromedp.Navigate(b.url + "/j/" + old))
	phones[23].shows("Another evening's code")
	for _, p := range phones[20:] {
		p.do(chromedp.Navigate(url))
		p.shows("All 20 seats are taken.")
	}
	phones[20].shoot("join-full")
	host.post("/t/1/host/people", form("do", "remove", "seat", "9"))
	phones[20].sees("input[name=name]") // by itself
	phones[20].shoot("join-one-seat")
	phones[20].types("input[name=name]", "Twenty-first")
	phones[20].click("main button")
	phones[20].shows("Twenty-first")
	if got := phones[20].eval(`document.querySelector('.mine .num').textContent`); got != "9" {
		t.Errorf("the seat that became free is 9, and the next one got %s", got)
	}

	// The game begins: who has no seat watches it, and so does who comes later.
	host.post("/t/1/host/deal", form("by", "box"))
	for _, p := range phones[21:] {
		p.do(chromedp.Navigate(url))
		p.shows("You watch.")
	}
	host.step("night")
	for _, p := range phones[21:] {
		p.shows("Night 1")
	}
	phones[22].shoot("watch-night")
	for i, p := range phones[:20] {
		if i == 8 {
			continue // he was taken off the table
		}
		p.do(chromedp.Reload())
		p.sees("#f-night")
	}
	if got := phones[8].eval(`location.pathname`); got == "/t/1" {
		t.Error("who was taken off the table is still on its page")
	}
}
