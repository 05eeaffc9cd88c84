package main

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// airTable is a table at which phones play at random while the air is recorded.
type airTable struct {
	*testing.T
	b      *box
	host   *airPhone
	screen *airPhone // shows the table
	guest  *airPhone // a screen that nobody has paired
	phones []*airPhone
	rng    *rand.Rand
	hand   []string // the cards that the host dealt, if not the box
	games  []played
	stalls int        // how often this machine stood still for a while
	quiet  []exchange // forms of a night while nobody else did anything
}

// played is a game: when it was on, and what its host's record says.
type played struct {
	from, to time.Time
	record   string
}

// Names differ in length, and so do the roles in each group of phones that is compared.
var airNames = []string{"Ann", "Константин Павлович", "Bo", "Maximilian the Second", "Юля", "O'Hara & \"Sons\"", "Z", "Анастасия", "Lee", "Bartholomew", "Ян", "Женя Ж."}

func newAirTable(t *testing.T, seed uint64, seats int, hand []string, options ...string) *airTable {
	b := start(t, "--clock", "trusted")
	g := &airTable{T: t, b: b, hand: hand, rng: rand.New(rand.NewPCG(seed, 99))}
	g.host = b.airPhone(0, "en", true, seed)
	g.host.path = "/t/1/host"
	g.host.post("/host", form("code", hostCode))
	for i := range seats {
		lang := []string{"en", "ru"}[i/2%2]
		p := b.airPhone(i+1, lang, i%3 != 2, seed) // every third has no script
		p.get("/j/" + b.code())
		p.post("/j/"+b.code(), form("name", airNames[i]))
		g.phones = append(g.phones, p)
	}
	if len(options) > 0 {
		g.host.post("/t/1/host/options", form(options...))
	}
	g.screen, g.guest = b.airPhone(0, "en", true, seed), b.airPhone(0, "en", false, seed)
	g.screen.path, g.guest.path = "/screen", "/screen"
	code := regexp.MustCompile(`class="pair"[^>]*>\s*([A-Z]{4})`).FindStringSubmatch(g.screen.get("/screen"))
	g.host.post("/t/1/host/screen", form("code", code[1]))
	g.guest.get("/screen") // which gives it its cookie
	for _, p := range append([]*airPhone{g.host, g.screen, g.guest}, g.phones...) {
		p.load("page")
	}
	return g
}

// hangUp ends every stream, and nothing is recorded any more.
func (g *airTable) hangUp() {
	for _, p := range append([]*airPhone{g.host, g.screen}, g.phones...) {
		if p.conn != nil {
			p.conn.Close()
		}
		p.reading.Wait()
	}
}

// play plays games, one after another, until so much time has passed.
func (g *airTable) play(length time.Duration) {
	defer g.hangUp()
	end := time.Now().Add(length)
	stop, stopped := make(chan struct{}), make(chan int)
	go func() {
		for n := 0; ; {
			began := time.Now()
			select {
			case <-stop:
				stopped <- n
				return
			case <-time.After(10 * time.Millisecond):
				if time.Since(began) > 150*time.Millisecond {
					n++
				}
			}
		}
	}()
	defer func() { close(stop); g.stalls = <-stopped }()
	for time.Now().Before(end) && !g.Failed() {
		from := time.Now()
		deal := form("by", "box")
		if g.hand != nil {
			g.rng.Shuffle(len(g.hand), func(i, j int) { g.hand[i], g.hand[j] = g.hand[j], g.hand[i] })
			deal = form("by", "hand")
			for i, role := range g.hand {
				deal.Set(fmt.Sprint("role", i+1), role)
			}
		}
		g.host.post("/t/1/host/deal", deal)
		time.Sleep(700 * time.Millisecond)
		for round := 1; ; round++ {
			g.host.step("night")
			over := g.night(round)
			if round == 1 {
				time.Sleep(700 * time.Millisecond)
				g.host.post("/t/1/host/act", form("verb", "replay", "text", "cards were seen"))
				over = g.night(0)
			}
			if !over {
				g.day()
				over = g.over()
			}
			if over || time.Now().After(end) {
				break
			}
		}
		time.Sleep(700 * time.Millisecond)
		g.games = append(g.games, played{from, time.Now(), g.host.record()})
		if g.over() {
			g.host.post("/t/1/host/next", form())
			time.Sleep(700 * time.Millisecond)
		}
	}
}

func (g *airTable) over() bool { return strings.Contains(g.host.record(), "= all phase ended") }

var outRow = regexp.MustCompile(`<li class="out"><b class="num">(\d+)</b>`)

// living are the phones whose seats are in the game.
func (g *airTable) living() []*airPhone {
	rows := fmt.Sprint(outRow.FindAllString(g.host.get("/t/1/host"), -1))
	return slices.DeleteFunc(slices.Clone(g.phones), func(p *airPhone) bool {
		return strings.Contains(rows, fmt.Sprintf(">%d<", p.seat))
	})
}

// night is a night from its opening until the morning, and tells whether the
// game ended with it.
func (g *airTable) night(round int) (over bool) {
	end := time.Now().Add(5800 * time.Millisecond)
	living := g.living()
	var acting sync.WaitGroup
	for _, p := range living {
		acting.Go(func() { g.acts(p, end) })
	}
	g.guest.load("page")
	time.Sleep(1300 * time.Millisecond)
	g.enter(living[g.rng.IntN(len(living))].seat)
	time.Sleep(time.Second)
	g.correct(living)
	if who := living[g.rng.IntN(len(living))]; round != 2 {
		g.host.send("/t/1/host/act", form("verb", "warn", "seat", strconv.Itoa(who.seat), "text", "speaks"))
	} else if len(living) > 4 {
		g.host.send("/t/1/host/act", form("verb", "disqualify", "seat", strconv.Itoa(who.seat), "text", "peeks"))
	}
	acting.Wait()
	g.guest.load("page")
	g.oneByOne()
	time.Sleep(time.Until(end))
	if g.over() { // by the removal
		return true
	}
	g.host.step("close")
	for _, p := range living {
		acting.Go(func() {
			time.Sleep(time.Duration(300+p.rng.IntN(1500)) * time.Millisecond)
			p.read()
			if p.rng.IntN(6) == 0 {
				p.load("page")
			}
		})
	}
	time.Sleep(1200 * time.Millisecond)
	g.correct(living)
	acting.Wait()
	time.Sleep(2000 * time.Millisecond)
	g.host.step("dawn")
	return g.over()
}

// acts is one phone's night: some send, change their minds, ask for nothing, try
// what their role may not do, or load the page anew.
func (g *airTable) acts(p *airPhone, end time.Time) {
	for range 2 + p.rng.IntN(3) {
		time.Sleep(time.Duration(p.rng.IntN(1300)) * time.Millisecond)
		if time.Until(end) < 2900*time.Millisecond {
			return
		}
		if !p.live || p.rng.IntN(7) == 0 {
			p.load("page")
		}
		p.mu.Lock()
		f := formsOf(p.shown)["f-night"]
		p.mu.Unlock()
		if f == nil {
			continue // sent off meanwhile
		}
		choice := make(map[string]string)
		for _, pick := range []string{"p1", "p2"} {
			open, shut := f.choices(pick)
			if len(open) == 0 {
				continue
			}
			choice[pick] = open[p.rng.IntN(len(open))]
			if p.rng.IntN(3) == 0 {
				shut = append(shut, "20") // there is no such seat
				choice[pick] = shut[p.rng.IntN(len(shut))]
			}
		}
		button := "send"
		if p.rng.IntN(6) == 0 {
			button = "none"
		}
		p.submit("night", "f-night", choice, button)
	}
}

// oneByOne lets some phones send alone, in turn what is accepted and what is not.
func (g *airTable) oneByOne() {
	some := slices.DeleteFunc(g.living(), func(p *airPhone) bool { return !p.live })
	for i := range 4 {
		time.Sleep(300 * time.Millisecond)
		p, choice, button := some[g.rng.IntN(len(some))], map[string]string{"p1": "20"}, "send"
		if i%2 == 0 {
			button = "none"
		}
		if sent, _ := p.submit("night", "f-night", choice, button); sent {
			g.quiet = append(g.quiet, p.all[len(p.all)-1])
		}
	}
}

// day is nominations and a vote by phones, one at a time, so that each push can
// be told from the next.
func (g *airTable) day() {
	living := g.living()
	choose := func(p *airPhone, id string) {
		time.Sleep(700 * time.Millisecond)
		if !p.live {
			p.load("page")
		}
		p.mu.Lock()
		f := formsOf(p.shown)["f-"+id]
		p.mu.Unlock()
		if f == nil {
			return
		}
		if open, _ := f.choices("seat"); len(open) > 0 {
			p.submit(id, "f-"+id, map[string]string{"seat": open[p.rng.IntN(len(open))]}, "")
		}
	}
	some := func(n int) []*airPhone {
		g.rng.Shuffle(len(living), func(i, j int) { living[i], living[j] = living[j], living[i] })
		return living[:min(n, len(living))]
	}
	for _, p := range some(3) {
		choose(p, "nominate")
	}
	time.Sleep(700 * time.Millisecond)
	if _, problem, _ := g.host.send("/t/1/host/act", form("verb", "vote")); problem != "" {
		return
	}
	for _, p := range some(5) {
		choose(p, "vote")
	}
	choose(living[0], "vote") // another mind
	for range 2 {             // and a runoff
		time.Sleep(700 * time.Millisecond)
		g.host.send("/t/1/host/act", form("verb", "close"))
	}
	time.Sleep(700 * time.Millisecond)
}
