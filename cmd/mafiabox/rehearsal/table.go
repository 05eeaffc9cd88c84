package rehearsal

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"net/url"
	"strings"
	"sync"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/record"
)

// table is one at which is rehearsed.
type table struct {
	id, join, code string // its codes: to join by, and the host's
	free           bool   // nobody sits there, and no game is on

	evening *evening
	rules   string
	host    *host
	screen  *screen
	phones  []*phone
	seats   int        // that the game has at the most
	added   int        // players without a phone, since the first game
	filled  int        // of those who play now
	before  string     // the rule system that was chosen there before, if it was another
	options url.Values // and what else was chosen otherwise
}

// play plays the games of a table and leaves it as it was.
func (t *table) play(ctx context.Context) (err error) {
	defer func() {
		for _, p := range t.phones {
			if p.stream != nil {
				p.close()
			}
		}
		if t.screen.stream != nil {
			t.screen.close()
		}
		if t.host.stream != nil {
			t.host.close()
		}
	}()
	if err := t.sit(ctx); err != nil {
		return err
	}
	at := t.evening.count.table(Table{ID: t.id, Rules: t.rules, Phones: len(t.phones)})
	for n := range t.evening.Games {
		if n > 0 {
			if err := t.host.fill(ctx, "f-next", url.Values{"do": {"lobby"}}); err != nil {
				return err
			}
		}
		if err := t.deals(ctx); err != nil {
			return err
		}
		filled := t.filled
		t.evening.count.add(func(r *Report) { r.Tables[at].Filled = max(r.Tables[at].Filled, filled) })
		cut, err := t.game(ctx)
		if err != nil {
			return err
		}
		t.evening.count.add(func(r *Report) {
			r.Tables[at].Games++
			if cut {
				r.Tables[at].Cut++
			}
		})
		t.evening.Say("table %s, %s: game %d of %d is over", t.id, t.rules, n+1, t.evening.Games)
	}
	return nil
}

// sit brings host, screen and phones to the table.
func (t *table) sit(ctx context.Context) error {
	if err := t.host.enter(ctx, t.code); err != nil {
		return err
	}
	page, _, err := t.host.open(ctx, t.host.path)
	if err != nil {
		return err
	}
	if page.form("f-deal") == nil || len(page.people()) > 0 {
		return fmt.Errorf("table %s: %w", t.id, errInUse) // since it was looked at
	}
	if err := t.choose(ctx, page); err != nil {
		return err
	}
	code, err := t.screen.code(ctx)
	if err == nil {
		err = t.host.fill(ctx, "f-screen", url.Values{"code": {code}})
	}
	if err == nil {
		err = t.screen.show(ctx)
	}
	if err != nil {
		return err
	}
	page, _, err = t.phones[0].open(ctx, "/j/"+t.join)
	if err != nil {
		return err
	}
	f := page.to("/j/" + t.join)
	if f == nil {
		return fmt.Errorf("table %s lets nobody join", t.id)
	}
	t.seats = len(f.choices("seat")) - 1 // the first is any
	t.phones = t.phones[:min(t.seats, len(t.phones))]
	for i, p := range t.phones {
		if err := p.join(ctx, t.join); err != nil {
			t.phones = t.phones[:i]
			return err
		}
	}
	return t.host.fill(ctx, "f-shut", url.Values{"do": {"shut"}}) // nobody gets into the rehearsal
}

// game is one game, from the deal to its record.
func (t *table) game(ctx context.Context) (cut bool, err error) {
	if !t.host.until(ctx, pageShows, func() bool { return t.host.now().plays() }) {
		return false, cmp.Or(ctx.Err(), fmt.Errorf("the console of table %s does not show the game that was dealt", t.id))
	}
	playing, over := context.WithCancel(ctx)
	defer over()
	var phones sync.WaitGroup
	for _, p := range t.phones {
		phones.Go(func() { p.play(ctx, playing) })
	}
	cut, err = t.host.lead(ctx)
	over()
	phones.Wait()
	if err != nil {
		return cut, err
	}
	text, err := t.host.record(ctx)
	if err != nil {
		return cut, err
	}
	t.check(ctx, text)
	if t.host.now().form("f-story") != nil && t.host.rng.IntN(2) == 0 {
		err = t.host.fill(ctx, "f-story", nil)
	}
	return cut, err
}

// plays tells whether a console shows a game that is on.
func (p *page) plays() bool {
	return p.of != "" && p.form("f-next") == nil && p.form("f-deal") == nil
}

// check looks for everything that was accepted in the record of the game.
func (t *table) check(ctx context.Context, text []byte) {
	count := t.evening.count
	unread := func(r *Report) { r.Unread++ }
	r, err := record.Parse(text, t.evening.Known)
	if err != nil {
		count.finds(ctx, unread, "the record of table %s can't be read: %v", t.id, err)
		r = &record.Record{Lines: linesOf(text)}
	} else if wrong := record.Verify(r); len(wrong) > 0 {
		count.finds(ctx, unread, "the record of table %s does not replay to the same game: %s", t.id, wrong[0])
	}
	var acts []engine.Act
	for _, line := range r.Lines {
		acts = append(acts, line.Act)
	}
	for _, p := range t.phones {
		lost, spare := compare(actsOf(acts, p.seat), p.sent)
		for _, s := range lost {
			count.finds(ctx, func(r *Report) { r.Lost++ }, "seat %d at table %s: the box accepted %s, and the record does not have it", p.seat, t.id, s)
		}
		for _, a := range spare {
			count.finds(ctx, func(r *Report) { r.Spare++ }, "seat %d at table %s: the record has %q, and it was not sent, or not as often", p.seat, t.id, record.FormatAct(a))
		}
	}
}

// linesOf are the acts of a record that can't be read as a whole, as far as
// they can be read one by one.
func linesOf(text []byte) (lines []record.Line) {
	_, acts, _ := bytes.Cut(text, []byte("\nbegin\n"))
	for line := range bytes.Lines(acts) {
		if a, err := record.ParseAct(strings.TrimSpace(string(line)), record.MaxSeats); err == nil {
			lines = append(lines, record.Line{Act: a})
		}
	}
	return lines
}
