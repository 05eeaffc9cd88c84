package rehearsal

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// Where a game has a thread, players write there. Here they write nothing that
// counts as a vote: the box posts that at once, and asks about nothing.

// thread is the address of the page's thread; empty without one.
func (p *page) thread() string {
	for _, n := range p.find(func(n *node) bool { return n.Data == "a" && strings.HasSuffix(get(n, "href"), "/thread") }) {
		return get(n, "href")
	}
	return ""
}

// write writes a post into the thread.
func (p *phone) write(ctx context.Context, thread string) {
	page, _, err := p.open(ctx, thread)
	if err != nil {
		p.count.find(ctx, "seat %d at table %s can't read the thread: %v", p.seat, p.table.id, err)
		return
	}
	f := page.form("f-post")
	if f == nil {
		return // nobody may write now
	}
	said := fmt.Sprintf("Rehearsal, post %d.", p.rng.IntN(1000))
	r, err := p.post(ctx, f, url.Values{"text": {said}})
	switch {
	case ctx.Err() != nil:
		return
	case err != nil:
		p.count.unanswered(ctx, "seat %d at table %s posts: %v", p.seat, p.table.id, err)
	case r.status == http.StatusSeeOther:
		p.count.add(func(r *Report) { r.Accepted++ })
		p.sent = append(p.sent, sent{verb: "post", text: said})
	default: // the game is over by now
		p.count.add(func(r *Report) { r.Overtaken++ })
	}
	p.count.add(func(r *Report) { r.Sent++ })
}
