package rehearsal

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"
)

// mostFindings is how many of the things that went wrong are told one by one.
const mostFindings = 20

// Report is what a rehearsal has seen. Times are in milliseconds.
type Report struct {
	Box     string  `json:"box"`     // its address
	Own     bool    `json:"own"`     // it was started for this alone
	Shared  bool    `json:"shared"`  // all phones had one address, which is one share of the box
	Seed    uint64  `json:"seed"`    // with which everybody chose
	Pace    Pace    `json:"pace"`    // how fast everybody played
	Seconds float64 `json:"seconds"` // how long it took
	Tables  []Table `json:"tables"`

	// Acts are forms that the pages of players offered.
	Sent      int `json:"acts_sent"`
	Accepted  int `json:"acts_accepted"`
	Overtaken int `json:"acts_overtaken"` // refused, and no longer offered when the answer came: the game had gone on
	Refused   int `json:"acts_refused"`   // refused and still offered: must be 0
	Lost      int `json:"acts_lost"`      // accepted and not in the record: must be 0
	Spare     int `json:"acts_spare"`     // in the record, and not sent or not as often: must be 0
	Silent    int `json:"acts_unanswered"`
	Unread    int `json:"records_unread"` // that can't be read, or don't replay to the same game

	Naps     int `json:"naps"`     // of phones that fell asleep
	Cut      int `json:"cut"`      // connections that were cut before the answer was there
	Repeated int `json:"repeated"` // forms that were sent again though they were answered
	Retried  int `json:"retried"`  // tries that got no answer and were made again
	Waited   int `json:"waited"`   // times that the box said: not so fast
	Streams  int `json:"streams_lost"`
	Behind   int `json:"pages_behind"` // that did not show a new phase within ten seconds

	Phase Times `json:"phase"` // from the host's step answered until the last phone that is awake shows the new phase
	Tap   Times `json:"tap"`   // from a form sent until it is answered

	Findings []string `json:"findings"` // what went wrong, the first of it in words
	Broken   string   `json:"broken"`   // why it was broken off; empty: it was not
}

// Table is where games were played.
type Table struct {
	ID     string `json:"id"`
	Rules  string `json:"rules"`
	Phones int    `json:"phones"`
	Filled int    `json:"filled"` // seats without a phone, that the game needed besides: the most of any game
	Games  int    `json:"games"`  // that came to their end
	Cut    int    `json:"cut"`    // games that the host had to end
}

// Times are how long something took.
type Times struct {
	N      int     `json:"n"`
	Median float64 `json:"median_ms"`
	P95    float64 `json:"p95_ms"`
	Worst  float64 `json:"worst_ms"`
}

// timesOf sums up measured times.
func timesOf(all []time.Duration) Times {
	if len(all) == 0 {
		return Times{}
	}
	all = slices.Sorted(slices.Values(all))
	ms := func(part float64) float64 {
		return float64(all[int(part*float64(len(all)-1)+0.5)].Microseconds()) / 1000
	}
	return Times{len(all), ms(0.5), ms(0.95), ms(1)}
}

// tally is a report that all write to.
type tally struct {
	mu     sync.Mutex
	report Report
	phases []time.Duration
	taps   []time.Duration
}

func (t *tally) add(change func(*Report)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	change(&t.report)
}

func (t *tally) tap(took time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.taps = append(t.taps, took)
}

func (t *tally) phase(took time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.phases = append(t.phases, max(0, took))
}

// find notes what went wrong, unless everything is broken off.
func (t *tally) find(ctx context.Context, format string, args ...any) {
	t.finds(ctx, nil, format, args...)
}

func (t *tally) finds(ctx context.Context, count func(*Report), format string, args ...any) {
	if ctx.Err() != nil {
		return
	}
	t.add(func(r *Report) {
		if count != nil {
			count(r)
		}
		if len(r.Findings) < mostFindings {
			r.Findings = append(r.Findings, fmt.Sprintf(format, args...))
		}
	})
}

func (t *tally) refused(ctx context.Context, format string, args ...any) {
	t.finds(ctx, func(r *Report) { r.Refused++ }, format, args...)
}

func (t *tally) unanswered(ctx context.Context, format string, args ...any) {
	t.finds(ctx, func(r *Report) { r.Silent++ }, format, args...)
}

// sum is the report as it stands.
func (t *tally) sum() *Report {
	t.mu.Lock()
	defer t.mu.Unlock()
	r := t.report
	r.Phase, r.Tap = timesOf(t.phases), timesOf(t.taps)
	r.Tables, r.Findings = slices.Clone(r.Tables), slices.Clone(r.Findings)
	if r.Findings == nil {
		r.Findings = []string{}
	}
	return &r
}

// table adds a table, and tells at which place it stands.
func (t *tally) table(at Table) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.report.Tables = append(t.report.Tables, at)
	return len(t.report.Tables) - 1
}
