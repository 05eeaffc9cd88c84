package rehearsal

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strconv"
	"strings"
	"time"

	"golang.org/x/time/rate"
)

const (
	answerWait = 8 * time.Second  // as a page's script waits before it sends a form again
	lostAfter  = 90 * time.Second // a form that is not answered by then is given up
	largest    = 4 << 20          // bytes of an answer that are read
)

// browser is one device: its cookies, and an address of its own where there are
// some to choose from.
type browser struct {
	box   string // http://…, without a slash at its end
	http  *http.Client
	dial  *net.Dialer
	pace  *rate.Limiter // shared with all who have the same address; nil: none does
	again time.Duration // between tries of a form
	count *tally
}

func newBrowser(box string, local net.IP, pace *rate.Limiter, count *tally) *browser {
	jar, _ := cookiejar.New(nil)
	dial := &net.Dialer{Timeout: 5 * time.Second}
	if local != nil {
		dial.LocalAddr = &net.TCPAddr{IP: local}
	}
	return &browser{
		box: box, dial: dial, pace: pace, again: 2 * time.Second, count: count,
		http: &http.Client{
			Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
			Transport: &http.Transport{DialContext: dial.DialContext, DisableKeepAlives: pace != nil, MaxIdleConnsPerHost: 2, IdleConnTimeout: 30 * time.Second},
		},
	}
}

// reply is what came back.
type reply struct {
	status int
	to     string // where the box leads on
	text   string
}

// fails says that something was answered otherwise than it must be, or not at all.
func (r reply) fails(err error, what string) error {
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return fmt.Errorf("%s: the box answers with status %d", what, r.status)
}

// request sends one request and reads the answer. Price is what the box counts
// it as where one address has a share.
func (b *browser) request(ctx context.Context, method, path string, data url.Values, script bool, price int) (reply, error) {
	if b.pace != nil {
		if err := b.pace.WaitN(ctx, price); err != nil {
			return reply{}, err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, answerWait)
	defer cancel()
	var body io.Reader
	if data != nil {
		body = strings.NewReader(data.Encode())
	}
	r, err := http.NewRequestWithContext(ctx, method, b.box+path, body)
	if err != nil {
		return reply{}, err
	}
	r.Header.Set("Accept-Language", "en")
	if data != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Origin", b.box)
	}
	if script {
		r.Header.Set("X-Mafiabox", "live")
	}
	resp, err := b.http.Do(r)
	if err != nil {
		return reply{}, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, largest))
	if err != nil {
		return reply{}, err
	}
	to := ""
	if where, err := resp.Location(); err == nil {
		to = where.RequestURI()
	}
	return reply{resp.StatusCode, to, strings.TrimSpace(string(text))}, nil
}

// get asks for something until it is answered: also while the box starts anew.
func (b *browser) get(ctx context.Context, path string) (reply, error) {
	return b.insist(ctx, "GET", path, nil, 1)
}

// post sends a form as a page without a script does, until it is answered.
func (b *browser) post(ctx context.Context, f *form, chosen url.Values) (reply, error) {
	return b.insist(ctx, "POST", f.action, f.data(chosen), formPrice)
}

func (b *browser) insist(ctx context.Context, method, path string, data url.Values, price int) (reply, error) {
	for began := time.Now(); ; {
		r, err := b.request(ctx, method, path, data, false, price)
		if err == nil && r.status != http.StatusTooManyRequests || ctx.Err() != nil || time.Since(began) > lostAfter {
			return r, err
		}
		b.failed(err)
		sleep(ctx, b.again)
	}
}

// failed counts a try that must be made again.
func (b *browser) failed(err error) {
	b.count.add(func(r *Report) {
		if err == nil {
			r.Waited++
		} else {
			r.Retried++
		}
	})
}

// open loads a page, following where the box leads.
func (b *browser) open(ctx context.Context, path string) (*page, string, error) {
	for range 5 {
		r, err := b.get(ctx, path)
		switch {
		case err != nil:
			return nil, path, err
		case r.status == http.StatusSeeOther || r.status == http.StatusFound:
			path = r.to
		case r.status != http.StatusOK:
			return nil, path, fmt.Errorf("GET %s: status %d", path, r.status)
		default:
			return parse(r.text), path, nil
		}
	}
	return nil, path, fmt.Errorf("GET %s: the box leads on and on", path)
}

// load loads a page with what belongs to it, as a browser does at its first visit.
func (b *browser) load(ctx context.Context, path string) (*page, string, error) {
	p, at, err := b.open(ctx, path)
	if err != nil {
		return nil, at, err
	}
	for _, n := range p.find(func(n *node) bool { return n.Data == "link" || n.Data == "script" }) {
		part := get(n, "href") + get(n, "src")
		if strings.HasPrefix(part, "/static/") {
			if r, err := b.get(ctx, part); err != nil || r.status != http.StatusOK {
				return nil, at, r.fails(err, "GET "+part)
			}
		}
	}
	return p, at, nil
}

// send sends a form as a page's script does, until it is answered. The answer
// says why it was refused; nothing is refused when that is empty.
func (b *browser) send(ctx context.Context, action string, data url.Values) (refused string, err error) {
	data = padded(data)
	began := time.Now()
	for {
		sent := time.Now()
		r, err := b.request(ctx, "POST", action, data, true, formPrice)
		switch {
		case ctx.Err() != nil:
			return "", ctx.Err()
		case err == nil && r.status != http.StatusTooManyRequests:
			b.count.tap(time.Since(sent))
			return refusal(r), nil
		}
		b.failed(err)
		if time.Since(began) > lostAfter {
			return "", fmt.Errorf("POST %s: no answer after %v", action, lostAfter)
		}
		if err := sleep(ctx, b.again); err != nil {
			return "", err
		}
	}
}

// cut sends a form and loses the connection before the answer is there.
func (b *browser) cut(ctx context.Context, action string, data url.Values, after time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, after)
	defer cancel()
	if r, err := b.request(ctx, "POST", action, padded(data), true, formPrice); err == nil && r.status != http.StatusTooManyRequests {
		return // the box was faster
	}
	b.count.add(func(r *Report) { r.Cut++ })
}

// refusal is what an answer says against a form. In a game it has the same
// status whether it was refused or not.
func refusal(r reply) string {
	switch {
	case r.status == http.StatusNoContent, r.status == http.StatusSeeOther:
		return ""
	case r.status == http.StatusOK && (r.text == "" || strings.HasPrefix(r.text, "+")):
		return ""
	case r.text == "":
		return "status " + strconv.Itoa(r.status)
	}
	return r.text
}

// padded is a form filled up as a page's script does, so that its length tells nothing.
func padded(data url.Values) url.Values {
	data = maps.Clone(data)
	step := 256
	if data.Has("text") {
		step = 4096
	}
	data.Set("pad", "")
	data.Set("pad", strings.Repeat("0", step-len(data.Encode())%step))
	return data
}

// sleep waits, unless it is over before.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
