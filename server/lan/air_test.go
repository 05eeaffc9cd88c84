package lan

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/miekg/dns"
)

// air is one network with boxes on it, in false time. Everybody hears what is
// said to everybody, himself too, as with a real group.
type air struct {
	*testing.T
	start, now time.Time
	boxes      []*onAir
	apart      bool // the boxes don't hear each other
	said       []said
}

type onAir struct {
	*responder
	addr netip.Addr // it speaks from there
	at   Link
}

// said is a message as it came out of its packet.
type said struct {
	by    *onAir
	after time.Duration
	to    netip.AddrPort // not valid: everybody
	*dns.Msg
}

func newAir(t *testing.T) *air {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	return &air{T: t, start: now, now: now}
}

// box is another box, with the first of its addresses as that from which it speaks.
func (a *air) box(addrs ...string) *onAir {
	b := &onAir{at: link("wlan0", up, addrs...)}
	b.addr = b.at.Addrs[0].Addr()
	b.responder = newResponder("mafia", func(on Link, to netip.AddrPort, m *dns.Msg) {
		data, err := m.Pack()
		if err != nil {
			a.Errorf("it can't be packed: %v\n%v", err, m)
			return
		}
		if len(data) > 1400 {
			a.Errorf("a packet of %d bytes", len(data))
		}
		out := new(dns.Msg)
		if err := out.Unpack(data); err != nil {
			a.Errorf("it can't be read: %v\n%v", err, m)
		}
		a.said = append(a.said, said{b, a.now.Sub(a.start), to, out})
		if to.IsValid() {
			return
		}
		for _, other := range a.boxes {
			if other == b || !a.apart {
				other.hear(packet{on.Index, netip.AddrPortFrom(b.addr, groupPort), data}, a.now)
			}
		}
	})
	a.boxes = append(a.boxes, b)
	b.set(addrs...)
	return b
}

// set gives a box its addresses.
func (b *onAir) set(addrs ...string) {
	b.at = link("wlan0", up, addrs...)
	b.addr = b.at.Addrs[0].Addr()
}

func (a *air) follow(boxes ...*onAir) {
	for _, b := range boxes {
		b.follow([]Link{b.at}, owned(b.at), a.now)
	}
}

// pass lets time pass.
func (a *air) pass(d time.Duration) {
	end := a.now.Add(d)
	for {
		next := end
		for _, b := range a.boxes {
			if at := b.due(); !at.IsZero() && at.Before(next) {
				next = at
			}
		}
		a.now = next
		for _, b := range a.boxes {
			b.step(a.now)
		}
		if !next.Before(end) {
			return
		}
	}
}

// hears has a box hear a message.
func (a *air) hears(b *onAir, from string, m *dns.Msg) {
	a.Helper()
	data, err := m.Pack()
	if err != nil {
		a.Fatal(err)
	}
	b.hear(packet{b.at.Index, netip.MustParseAddrPort(from), data}, a.now)
}

// since forgets what was said and returns it.
func (a *air) since() []said {
	list := a.said
	a.said = nil
	return list
}

// short is what a message says, without the names that are always the same.
func (s said) short() string {
	var parts []string
	for _, q := range s.Question {
		parts = append(parts, fmt.Sprint("? ", q.Name, " ", dns.TypeToString[q.Qtype]))
	}
	for what, list := range map[string][]dns.RR{"": s.Answer, "prop ": s.Ns} {
		for _, rr := range list {
			f := strings.Fields(rr.String())
			class := map[uint16]string{dns.ClassINET: "", dns.ClassINET | flush: "!"}[rr.Header().Class]
			parts = append(parts, fmt.Sprint(what, f[0], class, " ", rr.Header().Ttl, " ", strings.Join(f[3:], " ")))
		}
	}
	slices.Sort(parts)
	return strings.Join(parts, "; ")
}

func want(t *testing.T, list []said, want ...string) {
	t.Helper()
	var got []string
	for _, s := range list {
		got = append(got, s.short())
	}
	if !slices.Equal(got, want) {
		t.Errorf("it says\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}
