package lan

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/miekg/dns"
)

// radio is a network under test: its links, and what was registered on it.
type radio struct {
	start time.Time
	mu    sync.Mutex
	links []Link
	err   error
	log   strings.Builder
	done  []string
}

// set changes the network, and with an error makes registering fail.
func (r *radio) set(err error, links ...Link) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.err, r.links = err, links
}

func (r *radio) get() ([]Link, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.links, r.err
}

func (r *radio) note(what string) {
	r.done = append(r.done, fmt.Sprintf("%v %s", time.Since(r.start), what))
}

// announceOn runs the announcer on a made-up network until play returns.
func announceOn(t *testing.T, play func(*radio)) *radio {
	r := &radio{}
	synctest.Test(t, func(t *testing.T) {
		r.start = time.Now()
		a := announcer{
			log:   slog.New(slog.NewTextHandler(&r.log, nil)),
			links: func() []Link { l, _ := r.get(); return l },
			register: func(on []Link) (func(), error) {
				if _, err := r.get(); err != nil {
					r.note("failed")
					return nil, err
				}
				r.note("hello " + names(on))
				return func() { r.note("goodbye " + names(on)) }, nil
			},
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() { a.run(ctx); close(ended) }()
		time.Sleep(time.Second) // what play does falls between two looks at the links
		play(r)
		cancel()
		<-ended
	})
	return r
}

func (r *radio) want(t *testing.T, want ...string) {
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
	r := announceOn(t, func(r *radio) {
		r.set(nil, link("wlan0", up, "fe80::1"), link("docker0", up, "172.17.0.1"))
		time.Sleep(10 * time.Minute)
		r.set(nil, wlan, link("docker0", up, "172.17.0.1"))
		time.Sleep(10 * time.Minute)
	})
	r.want(t, "10m3s hello wlan0", "20m1s goodbye wlan0")
	if n := strings.Count(r.log.String(), "\n"); n != 1 {
		t.Errorf("%d lines in the log, want 1:\n%s", n, r.log.String())
	}
}

func TestAnnounceFollowsAddresses(t *testing.T) {
	r := announceOn(t, func(r *radio) {
		r.set(nil, wlan)
		time.Sleep(time.Minute)
		r.set(nil, eth, wlan)
		time.Sleep(time.Minute)
		r.set(nil, eth, link("wlan0", up, "192.168.4.9"))
		time.Sleep(time.Minute)
		r.set(nil)
		time.Sleep(time.Minute)
		r.set(nil, eth)
		time.Sleep(time.Minute)
	})
	r.want(t,
		"3s hello wlan0",
		"1m3s goodbye wlan0", "1m3s hello eth0 wlan0",
		"2m3s goodbye eth0 wlan0", "2m3s hello eth0 wlan0",
		"3m3s goodbye eth0 wlan0",
		"4m3s hello eth0", "5m1s goodbye eth0")
}

func TestAnnounceTriesOn(t *testing.T) {
	r := announceOn(t, func(r *radio) {
		r.set(errors.New("port is taken"), wlan)
		time.Sleep(time.Hour)
		r.set(nil, wlan)
		time.Sleep(time.Minute)
	})
	if first := r.done[:5]; !slices.Equal(first, []string{"3s failed", "6s failed", "12s failed", "24s failed", "48s failed"}) {
		t.Errorf("tries at %v", first)
	}
	if n := len(r.done); n > 67 || !strings.HasSuffix(r.done[n-2], "hello wlan0") {
		t.Errorf("%d events, the last %v", n, r.done[n-2:])
	}
	if n := strings.Count(r.log.String(), "port is taken"); n != 1 {
		t.Errorf("told %d times", n)
	}
}

// TestLabel checks that a name is written as it comes back out of a packet,
// which is what the library compares it with.
func TestLabel(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"mafia", "mafia"},
		{"Mafia box", `Mafia\ box`},
		{"Ann's box (2nd floor); no. 3", ""},
		{`back\slash "and" @`, ""},
		{"Мафия", `\208\156\208\176\209\132\208\184\209\143`},
		{".. mafia ..", "mafia"},
		{strings.Repeat("я", 40), ""},
		{strings.Repeat("x", 62) + ". end", ""},
	} {
		got, err := label(c.name)
		if err != nil {
			t.Errorf("%q: %v", c.name, err)
			continue
		}
		if c.want != "" && got != c.want {
			t.Errorf("%q is %s, want %s", c.name, got, c.want)
		}
		buf := make([]byte, 300)
		n, err := dns.PackDomainName(got+"._http._tcp.local.", buf, 0, nil, false)
		if err != nil {
			t.Errorf("%q: %v", c.name, err)
			continue
		}
		if back, _, err := dns.UnpackDomainName(buf[:n], 0); err != nil || back != got+"._http._tcp.local." {
			t.Errorf("%q comes back as %s, sent %s, %v", c.name, back, got, err)
		}
	}
	for _, name := range []string{"", " ", "...", "\xff"} {
		if got, err := label(name); err == nil {
			t.Errorf("%q gives %q", name, got)
		}
	}
}
