package rehearsal

import (
	"context"
	"net/url"
	"strings"
	"time"
)

// steps are the large button of the console, and the others.
func (p *page) steps() (step *form, others []*form) {
	for _, f := range p.forms {
		switch {
		case !strings.HasSuffix(f.action, "/host/step"):
		case f.value("other") != "":
			others = append(others, f)
		default:
			step = f
		}
	}
	return step, others
}

// press takes a step, and sees that it is taken: the console may want a second
// press, and every page must show what it leads to.
func (h *host) press(ctx context.Context, f *form, chosen url.Values) error {
	verb, was := f.value("verb"), f.value("of")
	clock := verb == "speech" || verb == "pass" // no page comes to another moment by it
	if err := sleep(ctx, time.Until(h.stepped.Add(stepRest))); err != nil {
		return err
	}
	lives := make([]int, len(h.table.phones))
	for i, p := range h.table.phones {
		_, _, lives[i] = p.moment()
	}
	var answered time.Time
	for range 3 {
		refused, err := h.send(ctx, f.action, f.data(chosen))
		if err != nil {
			return err
		}
		answered = time.Now()
		if refused != "" {
			page, _, err := h.open(ctx, h.path)
			if err != nil {
				return err
			}
			if still := page.form(f.id); page.of == was && still != nil {
				h.count.refused(ctx, "the host of table %s took the step %s that his console offers, and was told: %s", h.table.id, verb, refused)
			}
			return nil
		}
		asks := false
		h.until(ctx, stepShows, func() bool {
			page := h.now()
			again := page.form(f.id)
			asks = again != nil && again.again && !f.again
			return clock || asks || page.of != was
		})
		if !asks {
			break
		}
		f = h.now().form(f.id)
		if f == nil {
			break
		}
	}
	h.stepped = time.Now()
	if clock {
		return sleep(ctx, between(h.rng, h.pace.Speech))
	}
	if h.now().of != was {
		h.shown(ctx, was, answered, lives)
	}
	return ctx.Err()
}

// shown waits until every phone that was awake and still is shows another moment.
func (h *host) shown(ctx context.Context, was string, answered time.Time, lives []int) {
	last := answered
	all := h.until(ctx, pageShows, func() bool {
		for i, p := range h.table.phones {
			of, since, life := p.moment()
			switch {
			case life == 0 || life != lives[i]: // asleep, or has slept since
			case of == was:
				return false
			case since.After(last):
				last = since
			}
		}
		return true
	})
	if !all {
		for i, p := range h.table.phones {
			if of, _, life := p.moment(); life == lives[i] && life != 0 && of == was {
				h.count.finds(ctx, func(r *Report) { r.Behind++ }, "seat %d at table %s does not show what follows %s after %v", p.seat, h.table.id, was, pageShows)
			}
		}
		return
	}
	h.count.phase(last.Sub(answered))
}
