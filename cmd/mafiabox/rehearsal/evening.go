// Package rehearsal plays whole games over HTTP as phones, host and screen do.
//
// It knows no roles and no rules. A player reads from his seat's page which
// forms there are, and chooses at random among what they offer; the host takes
// the steps that his console shows. What the box has accepted is looked for in
// the record of each game.
package rehearsal

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mafiabox/mafiabox/engine"
	"golang.org/x/time/rate"
)

// A box gives each address a share: so many requests a second, of which a form
// counts as four, and so many connections. Phones that have one address
// together keep to it.
const (
	formPrice   = 4
	sharedPace  = 36
	sharedBurst = 100
	sharedLines = 56
)

const tidyWait = 20 * time.Second // for leaving the tables as they were

// Config is what is to be rehearsed.
type Config struct {
	URL    string           // of the box
	Owner  string           // the owner's code, with which tables are opened
	Table  string           // the one table to rehearse at; empty: any that are free, and new ones
	Own    bool             // the box was started for this alone
	Tables int              // at which is played at the same time
	Phones int              // at each, or as many as the game takes
	Games  int              // at each
	Rules  []string         // by table, and again from the first
	Known  []engine.Ruleset // those that a record may be of
	Pace   Pace
	Seed   uint64
	Say    func(format string, args ...any) // tells how far it is
}

type evening struct {
	Config
	count  *tally
	owner  *browser
	pace   *rate.Limiter
	places int // addresses given out
}

// Run rehearses, and reports what it has seen; with an error as far as it came.
func Run(ctx context.Context, c Config) (*Report, error) {
	c.URL = strings.TrimSuffix(c.URL, "/")
	at, err := url.Parse(c.URL)
	if err != nil || at.Scheme != "http" || at.Host == "" || at.Path != "" {
		return nil, fmt.Errorf("%q is no address of a box: expected one such as http://192.168.1.20:8080", c.URL)
	}
	e := &evening{Config: c, count: &tally{}}
	if e.Say == nil {
		e.Say = func(string, ...any) {}
	}
	if at.Hostname() != "127.0.0.1" {
		if lines := c.Tables * (c.Phones + 3); lines > sharedLines {
			return nil, fmt.Errorf("%d phones at one address are more than a box lets in: expected %d at the most; a rehearsal on the box itself has no such limit",
				c.Tables*c.Phones, sharedLines-3*c.Tables)
		}
		e.pace = rate.NewLimiter(sharedPace, sharedBurst)
	}
	began := time.Now()
	e.count.report = Report{Box: c.URL, Own: c.Own, Shared: e.pace != nil, Seed: c.Seed, Pace: c.Pace}
	err = e.run(ctx)
	r := e.count.sum()
	if err != nil {
		r.Broken = err.Error()
	}
	r.Seconds = time.Since(began).Round(time.Millisecond).Seconds()
	return r, err
}

func (e *evening) run(ctx context.Context) error {
	tables, err := e.find(ctx)
	if err != nil {
		return err
	}
	for i, t := range tables {
		e.company(t, i)
	}
	errs := make([]error, len(tables))
	var playing sync.WaitGroup
	for i, t := range tables {
		playing.Go(func() {
			errs[i] = t.play(ctx)
			if t.host.path == "" || errors.Is(errs[i], errInUse) {
				return // he never came to the console, or others were there
			}
			tidy, cancel := context.WithTimeout(context.WithoutCancel(ctx), tidyWait)
			defer cancel()
			if err := t.host.tidy(tidy); err != nil {
				errs[i] = errors.Join(errs[i], fmt.Errorf("table %s is not left as it was: %w", t.id, err))
			}
		})
	}
	playing.Wait()
	if ctx.Err() != nil {
		return errBroken
	}
	return errors.Join(errs...)
}

// company is who comes to a table.
func (e *evening) company(t *table, n int) {
	t.evening, t.rules = e, e.Rules[n%len(e.Rules)]
	rng := func(who int) *rand.Rand { return rand.New(rand.NewPCG(e.Seed, uint64(n*1000+who))) }
	t.host = &host{browser: e.device(), rng: rng(0), pace: e.Pace, table: t}
	t.screen = &screen{browser: e.device()}
	for i := range e.Phones {
		t.phones = append(t.phones, &phone{
			browser: e.device(), rng: rng(i + 1), pace: e.Pace, table: t, name: fmt.Sprint("Rehearsal ", i+1),
			share: rate.NewLimiter(rate.Every(seatEvery), seatAtOnce),
		})
	}
}

// device is a browser: on the box's own machine with an address of its own, as
// each phone of an evening has.
func (e *evening) device() *browser {
	var local net.IP
	if e.pace == nil {
		e.places++
		local = net.IPv4(127, 0, byte(1+e.places/250), byte(1+e.places%250))
	}
	b := newBrowser(e.URL, local, e.pace, e.count)
	if e.Pace.Name == Machine.Name {
		b.again = 300 * time.Millisecond
	}
	return b
}

var errBroken = errors.New("the rehearsal was broken off")

var errInUse = errors.New("a table is in use: a rehearsal wants one where nobody sits and no game is on")

// find finds tables to rehearse at: those that are free, behind the first, to
// which people come; and new ones. None is touched before the box has said that
// it is free.
func (e *evening) find(ctx context.Context) ([]*table, error) {
	if e.Owner == "" {
		return nil, errors.New("a rehearsal on a box that runs wants its owner's code (--owner-code), to open tables of its own: the box prints it when it starts")
	}
	e.owner = e.device()
	if _, err := e.owner.request(ctx, "GET", "/box", nil, false, 1); err != nil {
		return nil, fmt.Errorf("no box answers at %s: %w", e.URL, err)
	}
	page, _, err := e.owner.load(ctx, "/box")
	if err != nil {
		return nil, err
	}
	f := page.to("/box")
	if f == nil {
		return nil, fmt.Errorf("%s is no mafiabox, or one that asks for no owner's code", e.URL)
	}
	r, err := e.owner.post(ctx, f, url.Values{"code": {e.Owner}})
	switch {
	case err != nil:
		return nil, err
	case r.status == http.StatusForbidden:
		return nil, errors.New("the box does not take this owner's code (--owner-code): it prints the right one when it starts")
	case r.status != http.StatusSeeOther:
		return nil, fmt.Errorf("the owner's code: status %d", r.status)
	}
	for {
		page, _, err := e.owner.open(ctx, "/box")
		if err != nil {
			return nil, err
		}
		all := page.tables()
		if e.Table != "" {
			return e.named(all)
		}
		free := slices.DeleteFunc(all, func(t *table) bool { return !t.free || t.id == "1" && !e.Own })
		if len(free) >= e.Tables {
			return free[:e.Tables], nil
		}
		f := page.to("/box/tables")
		if f == nil {
			return nil, errors.New("the owner's page opens no table")
		}
		if r, err := e.owner.post(ctx, f, nil); err != nil || r.status != http.StatusSeeOther {
			return nil, r.fails(err, "another table")
		}
	}
}

// named is the one table that was asked for.
func (e *evening) named(all []*table) ([]*table, error) {
	i := slices.IndexFunc(all, func(t *table) bool { return t.id == e.Table })
	switch {
	case i < 0:
		return nil, fmt.Errorf("the box has no table %s", e.Table)
	case !all[i].free:
		return nil, fmt.Errorf("table %s: %w", e.Table, errInUse)
	case e.Tables > 1:
		return nil, fmt.Errorf("%d tables and one that is named: expected one or the other", e.Tables)
	}
	return all[i : i+1], nil
}

// tables are those on the owner's page.
func (p *page) tables() (all []*table) {
	for _, box := range p.find(func(n *node) bool { return get(n, "data-table") != "" }) {
		t := &table{id: get(box, "data-table")}
		_, t.free = attr(box, "data-free")
		each(box, func(n *node) {
			switch {
			case !is(n, "letters"):
			case t.join == "":
				t.join = strings.TrimSpace(text(n))
			default:
				t.code = strings.TrimSpace(text(n))
			}
		})
		all = append(all, t)
	}
	return all
}
