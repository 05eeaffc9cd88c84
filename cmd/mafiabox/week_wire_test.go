package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// wire keeps all that a browser's page receives: whatever it asks for, seen or
// not, and what its socket is sent.
type wire struct {
	mu     sync.Mutex
	all    strings.Builder
	looked int // how much of it the last look has seen
	frames int
	bodies int
	errs   []error
}

// wiretap begins to listen. An answer waits until it is kept, so that none is
// lost to a page that was left.
func (p *phone) wiretap() *wire {
	p.t.Helper()
	w := &wire{}
	err := chromedp.Listen(p.page, func(e any) {
		switch e := e.(type) {
		case *network.EventWebSocketFrameReceived:
			w.keep(&w.frames, string(e.Response.PayloadData))
		case *fetch.EventRequestPaused:
			go w.body(p, e)
		}
	})
	if err == nil {
		_, err = chromedp.Call(p.page, fetch.Enable, fetch.EnableParams{Patterns: []*fetch.RequestPattern{{URLPattern: "*", RequestStage: fetch.RequestStageResponse}}})
	}
	if err != nil {
		p.t.Fatal(err)
	}
	return w
}

func (w *wire) keep(n *int, text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	*n++
	w.all.WriteString(text + "\n")
}

// body keeps an answer, with its headers, and lets it pass.
func (w *wire) body(p *phone, e *fetch.EventRequestPaused) {
	text := ""
	for _, h := range e.ResponseHeaders {
		text += h.Name + ": " + h.Value + "\n"
	}
	var err error
	if e.ResponseStatusCode == 200 || e.ResponseStatusCode >= 400 { // others have no body
		for range 3 { // a browser that is busy with four tests may forget to answer
			var got fetch.GetResponseBodyResult
			ctx, cancel := context.WithTimeout(p.page, patience/6)
			got, err = chromedp.Call(ctx, fetch.GetResponseBody, fetch.GetResponseBodyParams{RequestID: e.RequestID})
			cancel()
			if text += string(got.Body); !errors.Is(err, context.DeadlineExceeded) {
				break
			}
		}
	}
	w.keep(&w.bodies, text)
	if _, gone := chromedp.Call(p.page, fetch.ContinueRequest, fetch.ContinueRequestParams{RequestID: e.RequestID}); gone == nil && err != nil {
		w.mu.Lock()
		w.errs = append(w.errs, fmt.Errorf("%s: %w", e.Request.URL, err))
		w.mu.Unlock()
	}
}

func (w *wire) text() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.all.String()
}

// fresh is what came since the last look.
func (w *wire) fresh() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	text := w.all.String()[w.looked:]
	w.looked = w.all.Len()
	return text
}

// letters are the marks of what was written in private: each is a word that
// stands nowhere else, with the seats that may have it.
type letters map[string][]int

// check holds what everybody received against who may have it.
func (l letters) check(t *testing.T, wires map[int]*wire) {
	t.Helper()
	for seat, w := range wires {
		text := w.text()
		for mark, members := range l {
			switch has := strings.Contains(text, mark); {
			case has && !slices.Contains(members, seat):
				at := strings.Index(text, mark)
				t.Errorf("seat %d, who is none of %v, received %q: …%s…", seat, members, mark, text[max(0, at-300):min(len(text), at+100)])
			case !has && slices.Contains(members, seat):
				t.Errorf("seat %d never received %q, which was written to it", seat, mark)
			}
		}
		for _, err := range w.errs {
			t.Errorf("of seat %d an answer was not kept: %v", seat, err)
		}
		if seat > 0 && (w.frames < 20 || w.bodies < 40) {
			t.Errorf("of seat %d only %d frames and %d answers were kept", seat, w.frames, w.bodies)
		}
	}
}
