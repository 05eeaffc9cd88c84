package lan

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"
)

// ether is a network under test: where the box holds which name, and what was
// registered there.
type ether struct {
	announcer
	now   time.Time
	links []Link
	host  string
	err   error
	log   strings.Builder
	done  []string
}

// set changes the network, and with an error makes registering fail.
func (r *ether) set(err error, host string, links ...Link) { r.err, r.host, r.links = err, host, links }

func (r *ether) note(what string) {
	r.done = append(r.done, fmt.Sprintf("%v %s", r.now.Sub(time.Unix(0, 0)), what))
}

// announceOn runs the announcer on a made-up network until play returns.
func announceOn(play func(*ether)) *ether {
	r := &ether{now: time.Unix(0, 0)}
	r.announcer = announcer{
		log: slog.New(slog.NewTextHandler(&r.log, nil)),
		register: func(on []Link, host string) (func(), error) {
			if r.err != nil {
				r.note("failed")
				return nil, r.err
			}
			r.note("hello " + host + " " + names(on))
			return func() { r.note("goodbye " + host + " " + names(on)) }, nil
		},
	}
	play(r)
	r.close()
	return r
}

// pass lets time pass, with a look at the network every three seconds.
func (r *ether) pass(d time.Duration) {
	for end := r.now.Add(d); r.now.Before(end); r.now = r.now.Add(poll) {
		r.keep(r.links, r.host, r.now)
	}
}

func (r *ether) want(t *testing.T, want ...string) {
	t.Helper()
	if !slices.Equal(r.done, want) {
		t.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(r.done, "\n\t"), strings.Join(want, "\n\t"))
	}
}

var (
	wlan = link("wlan0", up, "192.168.4.1", "fe80::1")
	eth  = link("eth0", up, "10.0.0.2")
)

func TestAnnounceWaitsForNetwork(t *testing.T) {
	r := announceOn(func(r *ether) {
		r.pass(10 * time.Minute)
		r.set(nil, "mafia", wlan)
		r.pass(10 * time.Minute)
	})
	r.want(t, "10m0s hello mafia wlan0", "20m0s goodbye mafia wlan0")
	if n := strings.Count(r.log.String(), "\n"); n != 1 {
		t.Errorf("%d lines in the log, want 1:\n%s", n, r.log.String())
	}
}

func TestAnnounceFollows(t *testing.T) {
	r := announceOn(func(r *ether) {
		r.set(nil, "mafia", wlan)
		r.pass(time.Minute)
		r.set(nil, "mafia", eth, wlan)
		r.pass(time.Minute)
		r.set(nil, "mafia", eth, link("wlan0", up, "192.168.4.9"))
		r.pass(time.Minute)
		r.set(nil, "mafia-2", eth, link("wlan0", up, "192.168.4.9"))
		r.pass(time.Minute)
		r.set(nil, "")
		r.pass(time.Minute)
		r.set(nil, "mafia", eth)
		r.pass(time.Minute)
	})
	r.want(t,
		"0s hello mafia wlan0",
		"1m0s goodbye mafia wlan0", "1m0s hello mafia eth0 wlan0",
		"2m0s goodbye mafia eth0 wlan0", "2m0s hello mafia eth0 wlan0",
		"3m0s goodbye mafia eth0 wlan0", "3m0s hello mafia-2 eth0 wlan0",
		"4m0s goodbye mafia-2 eth0 wlan0",
		"5m0s hello mafia eth0", "6m0s goodbye mafia eth0")
}

func TestAnnounceTriesOn(t *testing.T) {
	r := announceOn(func(r *ether) {
		r.set(errors.New("port is taken"), "mafia", wlan)
		r.pass(time.Hour)
		r.set(nil, "mafia", wlan)
		r.pass(2 * time.Minute)
	})
	if first := r.done[:5]; !slices.Equal(first, []string{"0s failed", "3s failed", "9s failed", "21s failed", "45s failed"}) {
		t.Errorf("tries at %v", first)
	}
	if n := len(r.done); n > 67 || !strings.HasSuffix(r.done[n-2], "hello mafia wlan0") {
		t.Errorf("%d events, the last %v", n, r.done[n-2:])
	}
	if n := strings.Count(r.log.String(), "port is taken"); n != 1 {
		t.Errorf("told %d times", n)
	}
}
