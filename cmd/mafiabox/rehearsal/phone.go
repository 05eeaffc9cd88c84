package rehearsal

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"time"

	"golang.org/x/time/rate"
)

// How often a phone does what phones do, of a hundred.
const (
	oftenSleeps  = 8  // at each phase: falls asleep for a while
	oftenRepeats = 15 // of its forms are sent twice with the same key
	oftenCut     = 8  // lose their connection before the answer is there
	oftenFolded  = 50 // of what stands in a folded part is done
	oftenOpen    = 95 // of what stands open
	oftenNothing = 10 // of nights: nothing is picked
	oftenAgain   = 20 // of forms of the night: another mind
	oftenFirst   = 85 // of choices are the first that there is: players agree more than chance would, or no game came to its end
	oftenWrites  = 10 // where there is something to be written
)

// What one seat may do at a table with a thread is limited by the box; nobody
// who plays comes near, but who plays ten games in a row at a machine's speed.
const (
	seatAtOnce = 30
	seatEvery  = 20 * time.Second
)

// phone is one player: it knows of the game what its page shows.
type phone struct {
	*stream
	*browser
	rng   *rand.Rand
	pace  Pace
	table *table
	name  string
	seat  int
	path  string // of its page
	share *rate.Limiter

	done map[string]bool // what was decided about, by the moment and the form
	sent []sent          // in this game, in order
}

// sent is a form that the box has accepted, and that the record must have.
type sent struct {
	verb  string // empty: the night's form
	seats []int
	word  string
	text  string
	whole bool // every pick of the night's form was made
}

// join takes a seat by the code, as who scans it does.
func (p *phone) join(ctx context.Context, code string) error {
	page, at, err := p.load(ctx, "/j/"+code)
	if err != nil {
		return err
	}
	f := page.to(at)
	if f == nil {
		return fmt.Errorf("the page of code %s lets nobody in", code)
	}
	r, err := p.post(ctx, f, url.Values{"name": {p.name}})
	for name, n := p.name, 2; err == nil && r.status == http.StatusUnprocessableEntity && n < 10; n++ {
		p.name = fmt.Sprint(name, " #", n) // who had this name may have to sit a game out since the last rehearsal
		r, err = p.post(ctx, f, url.Values{"name": {p.name}})
	}
	if err != nil || r.to == "" {
		return r.fails(err, p.name+" joins by code "+code)
	}
	p.path = r.to
	if page, _, err = p.load(ctx, p.path); err != nil {
		return err
	}
	if p.seat = page.seat(); p.seat == 0 {
		return fmt.Errorf("%s has a page without a seat", p.name)
	}
	p.stream = newStream(p.browser, p.path+"/live?as=seat")
	return p.connect(ctx)
}

// seat is whose page it is.
func (p *page) seat() (seat int) {
	for _, n := range p.find(func(n *node) bool { return is(n, "mine") }) {
		seat, _ = strconv.Atoi(leading.FindString(text(n)))
	}
	return seat
}

var leading = regexp.MustCompile(`^\d+`)

// play plays until the game is over. A form that is on its way then is still
// waited for: what was accepted must be in the record.
func (p *phone) play(ctx, game context.Context) {
	p.done, p.sent = make(map[string]bool), nil
	last := ""
	for game.Err() == nil {
		page := p.now()
		if page.of != last {
			last = page.of
			if p.chance(oftenSleeps) {
				p.nap(ctx, game)
				continue
			}
		}
		if !p.act(ctx, game, page) {
			select {
			case <-p.wake:
			case <-game.Done():
			}
		}
	}
}

// nap is a phone that falls asleep and wakes.
func (p *phone) nap(ctx, game context.Context) {
	p.count.add(func(r *Report) { r.Naps++ })
	p.drop()
	sleep(game, between(p.rng, p.pace.Asleep))
	for ctx.Err() == nil {
		err := p.connect(ctx)
		if err == nil {
			return
		}
		p.failed(err)
		sleep(ctx, p.again)
	}
}

// act does the next thing that the page offers; false when there is none.
func (p *phone) act(ctx, game context.Context, page *page) bool {
	for _, n := range page.find(func(n *node) bool { return is(n, "read") && get(n, "data-read") != "" }) {
		if p.once(page.of + " read") {
			if sleep(game, between(p.rng, p.pace.Think)) == nil {
				p.send(ctx, get(n, "data-read"), url.Values{"key": {get(n, "data-key")}})
			}
			return true
		}
	}
	if thread := page.thread(); thread != "" && p.once(page.of+" thread") && p.chance(oftenWrites) {
		if sleep(game, between(p.rng, p.pace.Think)) == nil {
			p.write(ctx, thread)
		}
		return true
	}
	for _, f := range page.forms {
		if f.grave || f.id == "" || !p.once(page.of+" "+f.id) {
			continue
		}
		often := oftenOpen
		switch {
		case len(f.groups("text")) > 0:
			often = oftenWrites
		case f.folded:
			often = oftenFolded
		}
		if !p.chance(often) || page.thread() != "" && !p.share.Allow() {
			continue
		}
		if sleep(game, between(p.rng, p.pace.Think)) != nil {
			return false
		}
		if now := p.now(); now.of == page.of && now.form(f.id) != nil {
			f = now.form(f.id) // it may offer something else by now
			p.submit(ctx, f, now.of)
			if f.id == nightForm && p.chance(oftenAgain) {
				delete(p.done, page.of+" "+f.id)
			}
		}
		return true
	}
	return false
}

// nightForm is the form that every seat has at night.
const nightForm = "f-night"

// submit fills a form in and sends it.
func (p *phone) submit(ctx context.Context, f *form, of string) {
	chosen, ok := p.choose(f)
	if !ok {
		return
	}
	data := f.data(chosen)
	p.count.add(func(r *Report) { r.Sent++ })
	if p.chance(oftenCut) {
		p.cut(ctx, f.action, data, time.Duration(p.rng.IntN(4000))*time.Microsecond)
	}
	refused, err := p.send(ctx, f.action, data)
	if ctx.Err() != nil {
		p.count.add(func(r *Report) { r.Sent-- }) // the evening was broken off: nobody knows
		return
	}
	if err != nil {
		p.count.unanswered(ctx, "seat %d at table %s: %v", p.seat, p.table.id, err)
		return
	}
	if refused == "" {
		p.count.add(func(r *Report) { r.Accepted++ })
		p.sent = append(p.sent, sentBy(f, data))
		if p.chance(oftenRepeats) {
			p.count.add(func(r *Report) { r.Repeated++ })
			if again, err := p.send(ctx, f.action, data); err == nil && again != "" {
				p.count.refused(ctx, "seat %d at table %s sent %s again and was told: %s", p.seat, p.table.id, f.id, again)
			}
		}
		return
	}
	now, _, err := p.open(ctx, p.path)
	if err != nil {
		now = p.now()
	}
	if still := now.form(f.id); now.of == of && still != nil && still.offers(chosen) {
		p.count.refused(ctx, "seat %d at table %s sent what its page offers, %s %v, and was told: %s", p.seat, p.table.id, f.id, chosen, refused)
		return
	}
	p.count.add(func(r *Report) { r.Overtaken++ })
}

// once tells whether this is the first time that something is decided about.
func (p *phone) once(what string) bool {
	was := p.done[what]
	p.done[what] = true
	return !was
}

func (p *phone) chance(of100 int) bool { return p.rng.IntN(100) < of100 }
