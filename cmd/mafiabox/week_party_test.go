package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/chromedp"
)

// week is a party whose game lasts for days.
type week struct {
	*party
	names   []string
	langs   map[int]string
	wires   map[int]*wire // by seat; 0 is the table's screen
	letters letters
	zone    *time.Location
	now     time.Time
	tokens  map[*phone]string
	sent    int // forms
}

// weekRoles are the roles by seat.
var weekRoles = []string{"mafia", "mafia", "mafia", "inspector", "town", "town", "town", "town", "town", "town", "town"}

func newWeek(e *party) *week {
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		e.Fatal(err)
	}
	return &week{
		party: e, langs: make(map[int]string), wires: make(map[int]*wire), letters: make(letters), tokens: make(map[*phone]string), zone: zone,
		names: []string{"Anna", "Boris", "Гриша", "Zoë", "Maximilian von und zu Hohenstein", "Ли", "Fay", "Юрий", "Annika", "Kim", "Ольга"},
	}
}

// sit lets everybody join, half of them in Russian, each in a browser that is listened to.
func (w *week) sit(browser context.Context) {
	w.Helper()
	var all sync.WaitGroup
	var mu sync.Mutex
	for i, name := range w.names {
		seat := i + 1
		w.langs[seat] = "en"
		if slices.Contains([]int{2, 3, 6, 8, 11}, seat) {
			w.langs[seat] = "ru"
		}
		lang := w.langs[seat]
		all.Go(func() {
			p := newPhone(w.T, browser, name)
			wire := p.wiretap()
			p.do(chromedp.Navigate(w.b.url+"/j/"+w.b.code()+"?lang="+lang), chromedp.SendKeys(chromedp.CSS("input[name=name]"), name))
			mu.Lock()
			defer mu.Unlock()
			w.phones[seat], w.wires[seat] = p, wire
		})
	}
	all.Wait()
	if w.Failed() {
		w.FailNow()
	}
	for seat := range len(w.names) { // they get their seats as they come
		w.phones[seat+1].click("main button")
		w.phones[seat+1].sees(".page.seat")
	}
}

// day is a moment of that week, as its people write it.
func (w *week) day(text string) time.Time {
	w.Helper()
	at, err := time.ParseInLocation("2006-01-02 15:04:05", "2027-03-"+text+":00", w.zone)
	if err != nil {
		w.Fatal(err)
	}
	return at
}

// goesOn moves the box on, as a host does who says what time it is.
func (w *week) goesOn(to string) {
	w.Helper()
	w.now = w.day(to)
	w.posts(w.host, "/t/1/host/time", "now", strconv.FormatInt(w.now.UnixMilli(), 10))
}

// tries sends a form with the page's own script and cookie, and gives what the
// box said against it.
func (w *week) tries(p *phone, path string, pairs ...string) string {
	w.Helper()
	w.sent++
	return p.eval(fmt.Sprintf(`(async () => {
		const form = new URLSearchParams(%q);
		form.set('key', '%s-week%d');
		const r = await fetch(%q, {method: 'POST', headers: {'X-Mafiabox': 'live'}, body: form, redirect: 'manual'});
		const text = r.status ? (await r.text()).trim() : '';
		return r.status >= 400 ? r.status + ' ' + text : text[0] === '+' ? '' : text;
	})()`, form(pairs...).Encode(), w.token(p), w.sent, path))
}

// token is that of a phone's forms. Who is out may have none on the page any more.
func (w *week) token(p *phone) string {
	if w.tokens[p] == "" {
		w.tokens[p] = p.eval(`document.querySelector('input[name=key]').value.split('-')[0]`)
	}
	return w.tokens[p]
}

// posts sends a form that must be accepted.
func (w *week) posts(p *phone, path string, pairs ...string) {
	w.Helper()
	if said := w.tries(p, path, pairs...); said != "" {
		w.Fatalf("%s sends %s %q: %s\n%s", p.name, path, pairs, said, w.b.out)
	}
}

// taps votes by a tap on the seat's own page.
func (w *week) taps(seat, target int) {
	w.Helper()
	p := w.phones[seat]
	cell := fmt.Sprintf(`#f-vote label:has(input[name=seat][value="%02d"])`, target)
	p.sees(cell)
	p.click(cell)
	p.click("#f-vote button.big")
	w.says(p, map[string]string{"en": "Your vote: ", "ru": "Ваш голос: "}[w.langs[seat]]+fmt.Sprint(target))
}

// voteFor gives one many votes, without a tap.
func (w *week) voteFor(target int, seats ...int) {
	w.Helper()
	for _, seat := range seats {
		w.posts(w.phones[seat], "/t/1/act", "verb", "vote", "seat", fmt.Sprint(target))
	}
}

// opens goes to one of the pages of the game, on the phone.
func (w *week) opens(seat int, page string) *phone {
	w.Helper()
	p := w.phones[seat]
	for range 3 { // what is recorded of it may hold it up
		ctx, cancel := context.WithTimeout(p.page, patience/3)
		err := chromedp.Do(ctx, chromedp.Navigate(w.b.url+"/t/1"+page))
		cancel()
		if err == nil {
			break
		}
	}
	p.do(chromedp.WaitReady(chromedp.CSS("main")))
	return p
}

// types writes into the thread with the page's form, as far as what the box asks.
func (w *week) types(seat int, text string) *phone {
	w.Helper()
	p := w.opens(seat, "/thread")
	p.do(chromedp.SendKeys(chromedp.CSS("#post-text"), text))
	p.click("#f-post button")
	return p
}

// writes sends a letter with a mark to a channel, without a tap.
func (w *week) writes(seat int, channel, mark string, members ...int) {
	w.Helper()
	w.letters[mark] = members
	w.posts(w.phones[seat], "/t/1/act", "verb", "whisper", "word", channel, "text", "The word is "+mark+".")
}

// holds reads a place of the letters' page.
func (w *week) holds(seat, place int) string {
	w.Helper()
	return unmarked(w.opens(seat, "/letters").held(fmt.Sprintf(".places li:nth-child(%d) .press", place)))
}

// sends sends a night's pick of seats without a tap.
func (w *week) sends(seat, pick int) {
	w.Helper()
	w.posts(w.phones[seat], "/t/1/night", "p1", fmt.Sprint(pick), "do", "send")
}

// living are the seats that are still in the game.
func (w *week) living() (seats []int) {
	record := w.record()
	for seat := range len(w.names) {
		if !strings.Contains(record, fmt.Sprintf("= all out %d ", seat+1)) {
			seats = append(seats, seat+1)
		}
	}
	return seats
}

// recorded waits until the record has acts or results that begin so.
func (w *week) recorded(lines ...string) {
	w.Helper()
	for _, line := range lines {
		has := func() bool { return strings.Contains(w.record(), "\n"+line) }
		for end := time.Now().Add(patience); !has(); time.Sleep(50 * time.Millisecond) {
			if time.Now().After(end) {
				w.Fatalf("the record never has %q:\n%s", line, w.record())
			}
		}
	}
}

// look lets every phone ask for all that there is for it, and more: what the
// channels are called must not be on a page of who is in none.
func (w *week) look(moment string) {
	w.Helper()
	living := w.living()
	for seat, p := range w.phones {
		p.eval(`Promise.all(['/t/1', '/t/1/thread?page=1', '/t/1/tally', '/t/1/letters', '/t/1/letters?page=2', '/t/1/host/letters?of=mafia', '/t/1/host/record.mafia', '/screen']
			.map((path) => fetch(path).then((r) => r.text()))).then(() => '')`)
		text := w.wires[seat].fresh()
		for what, may := range map[string]bool{
			`<option value="mafia"`: weekRoles[seat-1] == "mafia",
			`<option value="out"`:   !slices.Contains(living, seat),
		} {
			if !may && strings.Contains(text, what) {
				w.Errorf("%s: seat %d receives %s", moment, seat, what)
			}
		}
	}
}

// unmarked is a text without the marks that keep names apart from what stands around them.
func unmarked(text string) string {
	return strings.NewReplacer("\u2068", "", "\u2069", "").Replace(text)
}

// says waits until the page has all of these words, however it writes them.
func (w *week) says(p *phone, words ...string) {
	w.Helper()
	plain := func(text string) string { return strings.ToLower(strings.Join(strings.Fields(unmarked(text)), " ")) }
	for _, text := range words {
		for end := time.Now().Add(patience); !strings.Contains(plain(p.text()), plain(text)); time.Sleep(50 * time.Millisecond) {
			if time.Now().After(end) {
				p.shoot("failed-week")
				w.Fatalf("%s never says %q:\n%s", p.name, text, p.text())
			}
		}
	}
}

// called waits until a page is called so.
func (w *week) called(p *phone, title string) {
	w.Helper()
	is := ""
	for end := time.Now().Add(patience); !strings.HasPrefix(is, title); time.Sleep(50 * time.Millisecond) {
		if is = p.eval("document.title"); time.Now().After(end) {
			w.Fatalf("%s's page is called %q, not %q", p.name, is, title)
		}
	}
}
