package rehearsal

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

const (
	stepRest   = 2100 * time.Millisecond // a press right after a step does nothing
	stepShows  = 5 * time.Second         // until then a step has changed the console
	pageShows  = 10 * time.Second        // and every page
	longestRun = 200                     // steps of a game, before the host ends it
)

// host leads a table from its console. He knows of the game what that shows.
type host struct {
	*stream
	*browser
	rng     *rand.Rand
	pace    Pace
	table   *table
	path    string // of the console
	stepped time.Time
}

// enter types the host code.
func (h *host) enter(ctx context.Context, code string) error {
	page, at, err := h.load(ctx, "/host")
	if err != nil {
		return err
	}
	f := page.to("/host")
	if f == nil {
		return fmt.Errorf("%s asks for no host code", at)
	}
	r, err := h.post(ctx, f, url.Values{"code": {code}})
	if err != nil || !strings.HasSuffix(r.to, "/host") {
		return r.fails(err, "the host code of table "+h.table.id)
	}
	h.path = r.to
	if _, _, err = h.load(ctx, h.path); err != nil {
		return err
	}
	h.stream = newStream(h.browser, strings.TrimSuffix(h.path, "/host")+"/live?as=host")
	return h.connect(ctx)
}

// fill fills in a form of the console and sends it; it must be accepted.
func (h *host) fill(ctx context.Context, id string, chosen url.Values) error {
	page, _, err := h.open(ctx, h.path)
	if err != nil {
		return err
	}
	f := page.form(id)
	if f == nil {
		return fmt.Errorf("the console of table %s has no form %s", h.table.id, id)
	}
	refused, err := h.send(ctx, f.action, f.data(chosen))
	if err == nil && refused != "" {
		err = fmt.Errorf("the console of table %s: %s: %s", h.table.id, id, refused)
	}
	return err
}

// lead leads a game from the deal to its end, and tells whether he had to end it.
func (h *host) lead(ctx context.Context) (cut bool, err error) {
	began, stood := "", time.Now()
	h.stepped = stood // the deal counts as a step
	for steps := 0; ; steps++ {
		page := h.now()
		if page.form("f-next") != nil {
			return cut, nil
		}
		if page.of != began { // everybody has some time for what opens
			began, stood = page.of, time.Now()
			if err := sleep(ctx, time.Duration(h.pace.Think[1])*time.Millisecond); err != nil {
				return cut, err
			}
			h.answers(ctx)
			page = h.now()
		}
		done, err := h.next(ctx, page)
		switch {
		case err != nil:
			return cut, err
		case steps > longestRun || !done && time.Since(stood) > 3*pageShows:
			cut = true
			if err := h.fill(ctx, "f-offer-end", url.Values{"sure": {"1"}}); err != nil {
				return cut, err
			}
			if !h.until(ctx, pageShows, func() bool { return h.now().form("f-next") != nil }) {
				return cut, fmt.Errorf("the game at table %s can't be ended", h.table.id)
			}
		case !done:
			if !h.until(ctx, time.Second, func() bool { return false }) && ctx.Err() != nil {
				return cut, ctx.Err()
			}
		default:
			stood = time.Now()
		}
	}
}

// next does what the console asks for next.
func (h *host) next(ctx context.Context, page *page) (done bool, err error) {
	if f := page.form("f-rule"); f != nil {
		word := f.choices("word")
		return true, h.press(ctx, f, url.Values{"word": {word[h.rng.IntN(len(word))]}})
	}
	if f := page.form("f-resume"); f != nil {
		return true, h.press(ctx, f, nil)
	}
	h.conducts(ctx, page)
	step, others := page.steps()
	if step != nil && step.value("verb") == "speech" && h.rng.Float64() >= h.pace.Talks || step == nil {
		for _, verb := range []string{"vote", "night"} {
			if i := slices.IndexFunc(others, func(f *form) bool { return f.value("verb") == verb }); i >= 0 {
				step = others[i]
				break
			}
		}
	}
	if step == nil {
		return false, nil
	}
	return true, h.press(ctx, step, nil)
}

// conducts gives a foul now and then.
func (h *host) conducts(ctx context.Context, page *page) {
	var fouls []*form
	for _, f := range page.forms {
		if strings.HasPrefix(f.id, "f-foul-") && !f.grave && !f.again {
			fouls = append(fouls, f)
		}
	}
	if len(fouls) == 0 || h.rng.IntN(6) > 0 {
		return
	}
	f := fouls[h.rng.IntN(len(fouls))]
	if refused, err := h.send(ctx, f.action, f.data(nil)); err == nil && refused != "" && h.now().of == page.of {
		h.count.refused(ctx, "the host of table %s gave a foul that his console offers, and was told: %s", h.table.id, refused)
	}
}

// answers waits for who still owes an answer or a vote, as long as a host does.
func (h *host) answers(ctx context.Context) {
	h.until(ctx, time.Duration(h.pace.Owing)*time.Millisecond, func() bool { return h.now().owing() == 0 })
}

// owing is how many the console names, behind its hold.
func (p *page) owing() (n int) {
	for _, hold := range p.find(func(n *node) bool { return get(n, "id") == "owing" }) {
		each(hold, func(d *node) {
			if d.Data == "li" {
				n++
			}
		})
	}
	return n
}

// until waits for something, so long at the most, and tells whether it came.
func (h *host) until(ctx context.Context, most time.Duration, is func() bool) bool {
	end := time.Now().Add(most)
	for !is() {
		if !time.Now().Before(end) || ctx.Err() != nil {
			return false
		}
		sleep(ctx, 20*time.Millisecond)
	}
	return true
}

// record is the game as its host may take it.
func (h *host) record(ctx context.Context) ([]byte, error) {
	r, err := h.get(ctx, h.path+"/record.mafia")
	if err == nil && r.status != http.StatusOK {
		err = fmt.Errorf("the record of table %s: status %d", h.table.id, r.status)
	}
	return []byte(r.text + "\n"), err
}

// tidy leaves the table as it was found: nobody there, and the game that was on
// ended.
func (h *host) tidy(ctx context.Context) error {
	page, _, err := h.open(ctx, h.path)
	if err != nil {
		return err
	}
	var errs []error
	if page.form("f-next") == nil && page.form("f-deal") == nil {
		errs = append(errs, h.fill(ctx, "f-offer-end", url.Values{"sure": {"1"}}))
	}
	if page.form("f-deal") == nil {
		errs = append(errs, h.fill(ctx, "f-next", url.Values{"do": {"lobby"}}))
	}
	if h.table.options != nil {
		errs = append(errs, h.fill(ctx, "f-options", h.table.options))
	}
	if h.table.before != "" {
		errs = append(errs, h.fill(ctx, "f-rules", url.Values{"rules": {h.table.before}}))
	}
	if page.form("f-screens") != nil {
		errs = append(errs, h.fill(ctx, "f-screens", url.Values{"do": {"drop"}}))
	}
	errs = append(errs, h.fill(ctx, "f-evening", url.Values{"sure": {"1"}, "do": {"evening"}}))
	return errors.Join(errs...)
}
