package main

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// A time tells a secret when two requests that differ in it alone take different
// times. What is measured here is never a time by itself: each question is asked
// in four ways, mixed, each over a connection of its own: one way, the same once
// more, the other way, and one with a planted delay. The other way may differ
// from the one no more than the one from itself; the planted delay must.

// planted is the delay that must be found.
const planted = 200 * time.Microsecond

// question is a request that is sent again and again over one connection.
type question struct {
	who    *client
	method string
	path   string
	form   url.Values
	http   *http.Client
	status int
}

// ask sends it once and gives how long the answer took.
func (q *question) ask(t *testing.T, key int, delay time.Duration) float64 {
	if q.http == nil {
		q.http = &http.Client{Jar: q.who.http.Jar, Timeout: 10 * time.Second, Transport: &http.Transport{MaxConnsPerHost: 1}, CheckRedirect: q.who.http.CheckRedirect}
		t.Cleanup(q.http.CloseIdleConnections)
		q.ask(t, -1, 0)
	}
	text := ""
	if q.form != nil {
		if q.who.token == "" {
			q.who.get("/")
		}
		q.form.Set("key", fmt.Sprintf("%s-time%p%d", q.who.token, q, key))
		text = q.form.Encode()
	}
	r, err := http.NewRequest(q.method, q.who.b.url+q.path, strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if q.form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("X-Mafiabox", "live")
	}
	began := time.Now()
	resp, err := q.http.Do(r)
	if err != nil {
		t.Error(err)
		return 0
	}
	_, _ = io.Copy(io.Discard, resp.Body)
	resp.Body.Close()
	for from := time.Now(); time.Since(from) < delay; { // spins: a sleep would take far longer
	}
	took := time.Since(began)
	q.status = resp.StatusCode
	return float64(took) / float64(time.Microsecond)
}

// low is the lower quartile: what else the machine does only makes it slower, so
// that the quicker answers tell the most.
func low(times []float64) float64 {
	sorted := slices.Sorted(slices.Values(times))
	return sorted[len(sorted)/4]
}

// noise is how far the lower quartiles of two samples of the same may lie apart,
// from as many samples that are drawn of both.
func noise(a, b []float64, rng *rand.Rand) float64 {
	all := slices.Concat(a, b)
	draw := func() float64 {
		some := make([]float64, len(a))
		for i := range some {
			some[i] = all[rng.IntN(len(all))]
		}
		return low(some)
	}
	squares := 0.0
	const draws = 200
	for range draws {
		d := draw() - draw()
		squares += d * d
	}
	return math.Abs(low(a)-low(b)) + 4*math.Sqrt(squares/draws)
}

// alike fails when two questions take different times. A busy machine may spoil
// a round: one that doesn't find the planted delay says nothing, and a difference
// counts when it is found three times and no round is without it.
func alike(t *testing.T, name string, one, other func() *question) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	ways := []*question{one(), one(), other(), one()} // the one, itself, the other, the delayed
	n, differed, said := 200, 0, ""
	for round := range 6 {
		times := make([][]float64, len(ways))
		for i := range n {
			for _, w := range rng.Perm(len(ways)) {
				delay := time.Duration(0)
				if w == 3 {
					delay = planted
				}
				times[w] = append(times[w], ways[w].ask(t, round*100000+i, delay))
			}
		}
		if ways[0].status != ways[2].status {
			t.Errorf("%s: the statuses %d and %d tell them apart", name, ways[0].status, ways[2].status)
		}
		limit := noise(times[0], times[1], rng)
		gap, plant := low(times[2])-low(times[0]), low(times[3])-low(times[0])
		said += fmt.Sprintf("\n%d of each: apart %.0f µs, the planted %.0f µs, noise %.0f µs", n, gap, plant, limit)
		switch {
		case plant <= limit:
			n += n / 2
			continue
		case math.Abs(gap) <= limit:
			t.Log(name, said)
			return
		}
		if differed++; differed == 3 {
			t.Errorf("%s: the times tell them apart:%s", name, said)
			return
		}
	}
	t.Errorf("%s: also a delay of %v is not found:%s", name, planted, said)
}

// TestAttackTimes measures requests that differ in a secret alone.
func TestAttackTimes(t *testing.T) {
	slow(t)
	b := start(t)
	host, players := b.seated(5)
	otherHost, otherCode := b.secondTable()
	var others []*client
	for i := range 5 {
		p := b.client()
		p.post("/j/"+otherCode, form("name", fmt.Sprintf("Player %d", i+1)))
		others = append(others, p)
	}
	deal := func(host *client, table int, roles ...string) {
		f := form("by", "hand")
		for i, role := range roles {
			f.Add(fmt.Sprint("role", i+1), role)
		}
		host.post(fmt.Sprintf("/t/%d/host/deal", table), f)
		host.post(fmt.Sprintf("/t/%d/host/act", table), form("verb", "night"))
		host.post(fmt.Sprintf("/t/%d/host/act", table), form("verb", "close"))
		host.post(fmt.Sprintf("/t/%d/host/act", table), form("verb", "dawn"))
	}
	late := b.client()
	deal(host, 1, "civilian", "don", "doctor", "civilian", "commissioner")
	deal(otherHost, 2, "civilian", "civilian", "commissioner", "don", "doctor")

	post := func(who *client, path string, pairs ...string) func() *question {
		return func() *question { return &question{who: who, method: "POST", path: path, form: form(pairs...)} }
	}
	get := func(who *client, path string) func() *question {
		return func() *question { return &question{who: who, method: "GET", path: path} }
	}
	stranger := b.client()
	stranger.get("/")
	late.get("/")
	alike(t, "an act refused for its moment, other roles around it", post(players[0], "/t/1/act", "verb", "vote", "seat", "2"), post(others[0], "/t/2/act", "verb", "vote", "seat", "2"))
	alike(t, "an act refused for its role, of the Don and of a civilian", post(players[1], "/t/1/act", "verb", "check", "seat", "3"), post(players[3], "/t/1/act", "verb", "check", "seat", "3"))
	alike(t, "a night's form by day, of the Commissioner and of a civilian", post(players[4], "/t/1/night", "p1", "1", "p2", "0"), post(players[3], "/t/1/night", "p1", "1", "p2", "0"))
	alike(t, "the page by day, of the Doctor and of a civilian", get(players[2], "/t/1"), get(players[3], "/t/1"))
	alike(t, "the console asked for, by nobody and by a player", get(stranger, "/t/1/host"), get(players[0], "/t/1/host"))
	alike(t, "the console's form, by nobody and by a player", post(stranger, "/t/1/host/act", "verb", "night"), post(players[4], "/t/1/host/act", "verb", "night"))
	alike(t, "a seat's form, by nobody and by another table's player", post(stranger, "/t/1/act", "verb", "wait"), post(others[1], "/t/1/act", "verb", "wait"))
	alike(t, "joining a game that is on, under a name that is there and one that isn't", post(late, "/j/"+b.code(), "name", "Player 3"), post(late, "/j/"+b.code(), "name", "Myname 3"))
}

// TestAttackNightTimes sends forms that are refused to one role and not to
// another, at night: their answers leave at the same moment. They are held for
// long, so there are few, and the machine's timers are all the noise.
func TestAttackNightTimes(t *testing.T) {
	slow(t)
	b := start(t)
	host, players := b.seated(7)
	host.dealUsual()
	host.step("night")
	for _, p := range players {
		p.get("/t/1")
	}
	ways := []func() *question{ // the Doctor is refused himself, a civilian is not refused another
		func() *question {
			return &question{who: players[4], method: "POST", path: "/t/1/night", form: form("p1", "1", "p2", "0")}
		},
		func() *question {
			return &question{who: players[5], method: "POST", path: "/t/1/night", form: form("p1", "1", "p2", "0")}
		},
		func() *question {
			return &question{who: players[0], method: "POST", path: "/t/1/night", form: form("p1", "2", "p2", "0")}
		},
	}
	said := ""
	for round := range 3 {
		times := make([][]float64, len(ways))
		questions := make([]*question, len(ways))
		for w := range ways {
			questions[w] = ways[w]()
		}
		for i := range 10 {
			var asking sync.WaitGroup
			for w, q := range questions {
				asking.Go(func() {
					took := q.ask(t, round*1000+i, 0)
					times[w] = append(times[w], took)
				})
			}
			asking.Wait()
		}
		limit := noise(times[0], times[1], rand.New(rand.NewPCG(3, 4)))
		gap := low(times[2]) - low(times[0])
		said += fmt.Sprintf("\napart %.0f µs, noise %.0f µs", gap, limit)
		if math.Abs(gap) <= limit {
			t.Log(said)
			return
		}
	}
	t.Errorf("at night a refusal leaves at another moment than a yes:%s", said)
}
