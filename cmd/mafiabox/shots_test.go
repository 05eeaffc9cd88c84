package main

import (
	"fmt"
	"net/url"
	"os"
	"regexp"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// TestShots keeps pictures of each page in each of its states, in both languages,
// for a person to look at. The host and most players are plain clients; what is
// pictured is the page of the third player, the console and the table screen.
func TestShots(t *testing.T) {
	if os.Getenv("MAFIABOX_SHOTS") == "" {
		t.Skip("pictures are kept where MAFIABOX_SHOTS says")
	}
	browser := chromium(t)
	s := &shots{b: start(t), seat: newPhone(t, browser, "seat"), console: newPhone(t, browser, "console"), screen: newPhone(t, browser, "screen"), stranger: newPhone(t, browser, "stranger")}
	s.begin()
	s.evening()
	for _, rules := range []string{"sport", "gangs"} {
		s.b = start(t)
		s.others(rules)
	}
}

// nextStep is what the large button of a console does.
var nextStep = regexp.MustCompile(`id="f-([a-z]+)" class="step"`)

type shots struct {
	b                               *box
	host                            *client
	players                         []*client // of whom the third is the seat
	seat, console, screen, stranger *phone
}

// snap keeps a page in both languages; prepare is done to it first.
func (s *shots) snap(p *phone, path, name, prepare string) {
	p.t.Helper()
	for _, lang := range []string{"ru", "en"} {
		at, _ := url.Parse(s.b.url + path)
		query := at.Query()
		query.Set("lang", lang)
		at.RawQuery = query.Encode()
		p.do(chromedp.Navigate(at.String()), chromedp.WaitReady(chromedp.CSS("main")))
		time.Sleep(250 * time.Millisecond) // the stream has begun
		p.eval("(() => {" + prepare + "; return '' })()")
		p.shoot(lang + "-" + name)
	}
}

const (
	atRest  = `document.querySelector('#deck').hidden = true`
	allOpen = `document.querySelectorAll('main details').forEach(d => { d.open = true })`
	hold    = `document.querySelector(%q).dispatchEvent(new PointerEvent('pointerdown', {bubbles: true}))`
)

// all keeps the player's page, the console on a phone and on a desk, and the screen.
func (s *shots) all(name string) {
	s.snap(s.seat, "/t/1", "seat-"+name, "")
	s.consoles(name, "/t/1/host", "")
	s.snap(s.screen, "/screen", "screen-"+name, atRest)
}

func (s *shots) consoles(name, path, prepare string) {
	for _, size := range [][2]int64{{1920, 1080}, {390, 844}} {
		s.console.do(chromedp.EmulateViewport(size[0], size[1]))
		s.snap(s.console, path, fmt.Sprintf("console-%s-%d", name, size[0]), prepare)
	}
}

// seats fills a table; the console is the host's own device, the seat the third player's.
func (s *shots) seats(names ...string) {
	s.host, s.players = s.b.seated(0)
	for _, name := range names {
		p := s.b.client()
		p.get("/j/" + s.b.code())
		p.post("/j/"+s.b.code(), form("name", name))
		s.players = append(s.players, p)
	}
	s.console.is(s.host)
	if len(names) > 0 {
		s.seat.is(s.players[2])
	}
	s.screen.do(chromedp.EmulateViewport(1920, 1080), chromedp.Navigate(s.b.url+"/screen"))
	s.host.post("/t/1/host/screen", form("code", s.screen.eval(pairingCode)))
}

// is gives a browser a client's cookie.
func (p *phone) is(c *client) {
	at, _ := url.Parse(c.b.url)
	p.do(chromedp.Navigate(c.b.url + "/static/css/icon.svg"))
	for _, cookie := range c.http.Jar.Cookies(at) {
		if cookie.Name != "lang" {
			p.eval(fmt.Sprintf("document.cookie = '%s=%s; path=/'", cookie.Name, cookie.Value))
		}
	}
}

// begin pictures what there is before anybody sits.
func (s *shots) begin() {
	s.snap(s.stranger, "/", "start", "")
	s.snap(s.stranger, "/j/"+s.b.code(), "join", "")
	s.snap(s.stranger, "/j/"+s.b.code()+"?ticket=1", "ticket", "")
	s.snap(s.stranger, "/host", "login", "")
	s.snap(s.stranger, "/nothing", "error", "")
	s.snap(s.stranger, "/box", "box-login", "")
	s.stranger.do(chromedp.EmulateViewport(1920, 1080))
	s.snap(s.stranger, "/screen", "screen-free", atRest)
	s.stranger.do(chromedp.EmulateViewport(390, 844))
	s.seats()
	s.consoles("lobby-empty", "/t/1/host", "")
}

// evening is a game of boulevard, with a correction, a stop, a tie and the story.
func (s *shots) evening() {
	s.b = start(s.seat.t)
	s.seats("Анна", "Boris", "Гриша", "Zoë", "Maximilian von und zu Hohenstein", "Ли", "Fay", "Юрий")
	act := func(pairs ...string) { s.host.post("/t/1/host/act", form(pairs...)) }
	s.host.post("/t/1/host/options", form("day_tie", "ask"))
	s.all("lobby")
	s.consoles("lobby-open", "/t/1/host", allOpen)
	s.snap(s.console, "/t/1/host/codes", "codes", "")
	s.host.post("/t/1/host/deal", form("by", "hand", "role1", "don", "role2", "mafia", "role3", "commissioner", "role4", "doctor", "role5", "putana", "role6", "civilian", "role7", "civilian", "role8", "civilian"))
	s.all("deal")
	s.snap(s.seat, "/t/1", "seat-role-held", fmt.Sprintf(hold, ".press"))
	s.snap(s.stranger, "/j/"+s.b.code(), "join-playing", "")
	owner := s.b.client()
	owner.post("/box", form("code", "OWNER"))
	s.stranger.is(owner)
	s.snap(s.stranger, "/box", "box", "")

	s.host.step("night")
	s.all("night")
	night := func(picks ...string) {
		for i, p := range s.players {
			if picks[i] != "" {
				p.post("/t/1/night", form("p1", picks[i], "p2", "0"))
			}
		}
	}
	night("6", "6", "7", "4", "2", "1", "1", "")
	s.snap(s.seat, "/t/1", "seat-night-sent", "")
	s.consoles("for", "/t/1/host?for=8", "")
	for _, lang := range []string{"ru", "en"} {
		time.Sleep(rest)
		s.console.do(chromedp.Navigate(s.b.url + "/t/1/host?lang=" + lang))
		s.console.click("#f-close button")
		s.console.sees("#f-close .again")
		s.console.shoot(lang + "-console-confirm-390")
		time.Sleep(5 * time.Second)
	}
	s.host.post("/t/1/host/night", form("for", "8", "do", "none"))
	s.host.step("close")
	s.all("closed")
	s.players[2].post("/t/1/read", form())
	act("verb", "check", "for", "3", "mends", "1", "seat", "1")
	s.snap(s.seat, "/t/1", "seat-answer-held", fmt.Sprintf(hold, ".press.read"))
	s.consoles("log-correction", "/t/1/host", allOpen)
	s.host.step("dawn")
	s.all("morning")
	act("verb", "speech")
	s.all("speech")
	s.host.step("stop")
	s.all("stopped")
	s.host.step("resume")
	s.players[1].post("/t/1/act", form("verb", "nominate", "seat", "1"))
	s.players[2].post("/t/1/act", form("verb", "nominate", "seat", "7"))
	s.snap(s.seat, "/t/1", "seat-nominate", allOpen)
	s.consoles("day-open", "/t/1/host", allOpen)
	s.host.step("vote")
	s.all("vote")
	for i, to := range []string{"7", "7", "1", "1"} {
		s.players[i].post("/t/1/act", form("verb", "vote", "seat", to))
	}
	s.snap(s.seat, "/t/1", "seat-voted", "")
	s.consoles("hands", "/t/1/host", allOpen)
	s.host.step("close")
	s.all("ruling")
	act("verb", "rule", "word", "7")
	s.all("tally")
	s.b.kill()
	s.seat.shows("No connection")
	s.seat.shoot("en-seat-lost")
	s.screen.shoot("en-screen-lost")
	s.b.run()
	s.host.step("night")
	s.players[4].post("/t/1/night", form("do", "none"))
	night("3", "3", "2", "5", "", "", "", "1")
	s.host.step("close")
	s.host.step("dawn")
	s.snap(s.seat, "/t/1", "seat-out", "")
	for _, seat := range []string{"1", "2"} {
		act("verb", "disqualify", "seat", seat)
	}
	s.all("end")
	s.host.post("/t/1/host/story", form())
	s.all("story")
	s.snap(s.seat, "/t/1", "seat-story-open", allOpen)
	s.snap(s.screen, "/screen", "screen-story-2", atRest+`; dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight'}))`)
}

// others are a few states of another game.
func (s *shots) others(rules string) {
	n := map[string]int{"sport": 10, "gangs": 12}[rules]
	var names []string
	for i := range n {
		names = append(names, fmt.Sprint("Player ", i+1))
	}
	s.seats(names...)
	s.host.post("/t/1/host/rules", form("rules", rules))
	s.all(rules + "-lobby")
	s.host.post("/t/1/host/deal", form("by", "box"))
	for _, choice := range []string{"turn", "leader", "each_other", "yes"} { // the open points of gangs
		if rules == "gangs" {
			s.consoles("gangs-ask-"+choice, "/t/1/host", "")
			s.host.post("/t/1/host/act", form("verb", "rule", "word", choice))
		}
	}
	s.all(rules + "-deal")
	for i := range 8 { // as the large button leads
		verb := nextStep.FindStringSubmatch(s.host.get("/t/1/host"))
		if verb == nil {
			break
		}
		s.host.step(verb[1])
		s.all(fmt.Sprintf("%s-%d-%s", rules, i+1, verb[1]))
	}
	s.consoles(rules+"-open", "/t/1/host", allOpen)
}
