package rehearsal

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// choose chooses the rules. Where rounds last hours, here the host closes them.
func (t *table) choose(ctx context.Context, page *page) error {
	f := page.form("f-rules")
	if f == nil || len(f.choices("rules")) == 0 {
		return fmt.Errorf("the console of table %s has no choice of games", t.id)
	}
	if slices.Contains(f.choices("rules"), t.rules) {
		for _, field := range f.fields {
			if field.name == "rules" && field.shut { // the one that is chosen
				t.before = field.value
			}
		}
		if err := t.host.fill(ctx, "f-rules", url.Values{"rules": {t.rules}}); err != nil {
			return err
		}
	}
	page, _, err := t.host.open(ctx, t.host.path)
	if err != nil {
		return err
	}
	f = page.form("f-options")
	if f == nil || !slices.Contains(f.choices("deadlines"), "no") {
		return nil
	}
	t.options = url.Values{"deadlines": {f.data(nil).Get("deadlines")}}
	return t.host.fill(ctx, "f-options", url.Values{"deadlines": {"no"}})
}

// deals begins the next game. Who has to sit it out is taken off the table, with
// his phone; players without one are added where the game needs more.
func (t *table) deals(ctx context.Context) error {
	for {
		page, _, err := t.host.open(ctx, t.host.path)
		if err != nil {
			return err
		}
		suspended := page.suspended()
		switch f := page.form("f-deal"); {
		case f == nil:
			return fmt.Errorf("the console of table %s shows no lobby", t.id)
		case f.ready():
			if err := t.seated(ctx); err != nil {
				return err
			}
			t.filled = len(page.people()) - len(t.phones)
			return t.host.fill(ctx, "f-deal", nil)
		case suspended != nil:
			err = t.leaves(ctx, suspended)
		case page.form("f-close-up") != nil:
			err = t.host.fill(ctx, "f-close-up", url.Values{"do": {"close-up"}})
		case len(page.people()) < t.seats:
			t.added++ // a name that nobody had
			err = t.host.fill(ctx, "f-add", url.Values{"name": {fmt.Sprint("Rehearsal ", t.evening.Phones+t.added)}})
		default:
			err = fmt.Errorf("table %s can't begin a game of %s: %s", t.id, t.rules, page.problem())
		}
		if err != nil {
			return err
		}
	}
}

// suspended is the form of somebody who has to sit the next game out, or nil.
func (p *page) suspended() *form {
	for _, f := range p.people() {
		for _, n := range p.find(func(n *node) bool { return get(n, "id") == strings.Replace(f.id, "f-", "d-", 1) }) {
			gone := false
			each(n, func(in *node) { gone = gone || is(in, "gone") })
			if gone {
				return f
			}
		}
	}
	return nil
}

// leaves takes somebody off the table.
func (t *table) leaves(ctx context.Context, who *form) error {
	seat, _ := strconv.Atoi(who.value("seat"))
	if i := slices.IndexFunc(t.phones, func(p *phone) bool { return p.seat == seat }); i >= 0 {
		t.phones[i].close()
		t.phones = slices.Delete(t.phones, i, i+1)
	}
	return t.host.fill(ctx, who.id, url.Values{"do": {"remove"}})
}

// seated looks which seat each phone has by now.
func (t *table) seated(ctx context.Context) error {
	for _, p := range t.phones {
		page, _, err := p.open(ctx, p.path)
		if err != nil {
			return err
		}
		if p.seat = page.seat(); p.seat == 0 {
			return fmt.Errorf("%s has a page without a seat", p.name)
		}
	}
	return nil
}

// ready tells whether the form can be sent.
func (f *form) ready() bool {
	return slices.ContainsFunc(f.fields, func(b field) bool { return b.kind == "button" && !b.shut })
}

// problem is what a console says against a deal.
func (p *page) problem() string {
	for _, n := range p.find(func(n *node) bool { return is(n, "problem") }) {
		return strings.TrimSpace(text(n))
	}
	return "it does not say why"
}

// people are the forms of a lobby that are about one player.
func (p *page) people() (all []*form) {
	for _, f := range p.forms {
		if strings.HasPrefix(f.id, "f-person-") {
			all = append(all, f)
		}
	}
	return all
}
