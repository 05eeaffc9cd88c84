package lan

import (
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/miekg/dns"
)

// ask is a question, as those ask it who listen to the group.
func ask(kind uint16, names ...string) *dns.Msg {
	m := new(dns.Msg)
	for _, name := range names {
		m.Question = append(m.Question, dns.Question{Name: name, Qtype: kind, Qclass: dns.ClassINET})
	}
	return m
}

// says is an answer that nobody asked for.
func says(records ...dns.RR) *dns.Msg {
	m := reply()
	m.Answer = records
	return m
}

// settled is a box that has its name and has said nothing for a while.
func settled(t *testing.T, addrs ...string) (*air, *onAir) {
	a := newAir(t)
	b := a.box(addrs...)
	a.follow(b)
	a.pass(time.Minute)
	a.since()
	return a, b
}

func TestAnswers(t *testing.T) {
	const (
		phone   = "192.168.4.20:5353"
		v4      = "mafia.local.! 120 A 192.168.4.1"
		v6      = "mafia.local.! 120 AAAA fd00::1"
		reverse = "1.4.168.192.in-addr.arpa."
	)
	known := func(ttl uint32) *dns.Msg {
		m := ask(dns.TypeA, "mafia.local.")
		rr := addressRecord("mafia.local.", netip.MustParseAddr("192.168.4.1"))
		rr.Header().Class, rr.Header().Ttl = dns.ClassINET, ttl
		m.Answer = []dns.RR{rr}
		return m
	}
	with := func(m *dns.Msg, change func(*dns.Msg)) *dns.Msg { change(m); return m }
	for _, c := range []struct {
		name, from string
		m          *dns.Msg
		want       string // empty: it is silent
	}{
		{"A", phone, ask(dns.TypeA, "mafia.local."), v4},
		{"AAAA", phone, ask(dns.TypeAAAA, "mafia.local."), v6},
		{"any", phone, ask(dns.TypeANY, "mafia.local."), v4 + "; " + v6},
		{"letter case", phone, ask(dns.TypeA, "MaFia.LOCAL."), v4},
		{"through IPv6", "[fe80::20%wlan0]:5353", ask(dns.TypeA, "mafia.local."), v4},
		{"reverse", phone, ask(dns.TypePTR, reverse), reverse + "! 120 PTR mafia.local."},
		{"a type that there is not", phone, ask(dns.TypeHINFO, "mafia.local."), "mafia.local.! 120 NSEC mafia.local. A AAAA"},
		{"a type that reverse has not", phone, ask(dns.TypeA, reverse), reverse + "! 120 NSEC " + reverse + " PTR"},
		{"two questions", phone, ask(dns.TypeA, "mafia.local.", "printer.local.", "mafia.local."), v4},
		{"any class", phone, with(ask(dns.TypeA, "mafia.local."), func(m *dns.Msg) { m.Question[0].Qclass = dns.ClassANY }), v4},
		{"known for long enough", phone, known(60), ""},
		{"known for too short", phone, known(59), v4},

		{"another name", phone, ask(dns.TypeA, "mafia-2.local."), ""},
		{"a name below", phone, ask(dns.TypeA, "x.mafia.local."), ""},
		{"no local name", phone, ask(dns.TypeA, "mafia."), ""},
		{"another's reverse", phone, ask(dns.TypePTR, "2.4.168.192.in-addr.arpa."), ""},
		{"another class", phone, with(ask(dns.TypeA, "mafia.local."), func(m *dns.Msg) { m.Question[0].Qclass = dns.ClassCHAOS }), ""},
		{"from another network", "192.168.5.20:5353", ask(dns.TypeA, "mafia.local."), ""},
		{"from the internet", "203.0.113.9:53", ask(dns.TypeA, "mafia.local."), ""},
		{"an answer that asks", phone, with(ask(dns.TypeA, "mafia.local."), func(m *dns.Msg) { m.Response = true }), ""},
		{"another opcode", phone, with(ask(dns.TypeA, "mafia.local."), func(m *dns.Msg) { m.Opcode = dns.OpcodeUpdate }), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, b := settled(t, "192.168.4.1", "fd00::1", "fe80::1")
			a.hears(b, c.from, c.m)
			if c.want == "" {
				want(t, a.since())
				return
			}
			list := a.since()
			want(t, list, c.want)
			if len(list) == 1 && (list[0].to.IsValid() || !list[0].Response || !list[0].Authoritative || list[0].Id != 0 || len(list[0].Question) > 0) {
				t.Errorf("to %v: %v", list[0].to, list[0])
			}
		})
	}
}

// TestAnswerExtra: who asks for one kind of address is told the other, or that
// there is none.
func TestAnswerExtra(t *testing.T) {
	a, b := settled(t, "192.168.4.1", "fe80::1", "fd00::1")
	a.hears(b, "192.168.4.20:5353", ask(dns.TypeA, "mafia.local."))
	if list := a.since(); len(list) != 1 || len(list[0].Extra) != 1 || !strings.Contains(list[0].Extra[0].String(), "fd00::1") {
		t.Errorf("%v", list)
	}
	a, b = settled(t, "192.168.4.1")
	a.hears(b, "192.168.4.20:5353", ask(dns.TypeA, "mafia.local."))
	if list := a.since(); len(list) != 1 || len(list[0].Extra) != 1 || !strings.Contains(list[0].Extra[0].String(), "NSEC\tmafia.local. A") {
		t.Errorf("%v", list)
	}
	a.pass(2 * time.Second)
	a.hears(b, "192.168.4.20:5353", ask(dns.TypeAAAA, "mafia.local."))
	want(t, a.since(), "mafia.local.! 120 NSEC mafia.local. A")
}

// TestAnswerAlone: who wants the answer for himself alone gets it so, unless
// everybody should hear it again.
func TestAnswerAlone(t *testing.T) {
	a, b := settled(t, "192.168.4.1")
	const phone = "192.168.4.20:5353"
	alone := ask(dns.TypeA, "mafia.local.")
	alone.Question[0].Qclass |= unicast
	for _, to := range []string{"everybody", phone, phone} { // the first comes a minute after all were told
		a.pass(5 * time.Second)
		a.hears(b, phone, alone)
		list := a.since()
		want(t, list, "mafia.local.! 120 A 192.168.4.1")
		if len(list) == 1 && list[0].to.IsValid() != (to == phone) {
			t.Errorf("to %v, want %s", list[0].to, to)
		}
	}

	m := ask(dns.TypeA, "MAFIA.local.")
	m.Id, m.RecursionDesired = 4711, true
	a.hears(b, "192.168.4.20:40000", m)
	list := a.since()
	want(t, list, "? MAFIA.local. A; mafia.local. 10 A 192.168.4.1")
	if len(list) == 1 && (list[0].to.String() != "192.168.4.20:40000" || list[0].Id != 4711 || len(list[0].Extra) > 0) {
		t.Errorf("to %v: %v", list[0].to, list[0])
	}
}

// TestAnswersAreFew: no number of questions makes many answers.
func TestAnswersAreFew(t *testing.T) {
	a, b := settled(t, "192.168.4.1", "fd00::1")
	for range 1000 { // ten seconds
		a.pass(10 * time.Millisecond)
		a.hears(b, "192.168.4.20:5353", ask(dns.TypeA, "mafia.local."))
		a.hears(b, "192.168.4.20:5353", ask(dns.TypeANY, "mafia.local.", "1.4.168.192.in-addr.arpa."))
	}
	told := make(map[string]int)
	for _, s := range a.since() {
		for _, rr := range append(s.Answer, s.Extra...) {
			told[key(rr)]++
		}
	}
	for record, n := range told {
		if n > 11 {
			t.Errorf("%d times in ten seconds: %q", n, record)
		}
	}
	if len(told) != 3 {
		t.Errorf("told %d records", len(told))
	}
	alone := ask(dns.TypeA, "mafia.local.")
	alone.Question[0].Qclass |= unicast
	for range 1000 {
		a.pass(10 * time.Millisecond)
		a.hears(b, "192.168.4.20:40000", ask(dns.TypeA, "mafia.local."))
		a.hears(b, "192.168.4.20:5353", alone)
	}
	if n := len(a.since()); n < 100 || n > 250 {
		t.Errorf("%d answers to one in ten seconds", n)
	}
}

// TestDefence: who wants the name is told at once that it is taken, but for
// somebody who floods.
func TestDefence(t *testing.T) {
	a, b := settled(t, "192.168.4.1")
	probe := ask(dns.TypeANY, "mafia.local.")
	probe.Question[0].Qclass |= unicast
	probe.Ns = []dns.RR{addressRecord("mafia.local.", netip.MustParseAddr("192.168.4.66"))}
	a.hears(b, "192.168.4.66:5353", ask(dns.TypeA, "mafia.local."))
	a.since()
	answered := 0
	for range 20 { // five seconds
		a.pass(250 * time.Millisecond)
		a.hears(b, "192.168.4.66:5353", probe)
		a.hears(b, "192.168.4.66:5353", probe)
		for _, s := range a.since() {
			if s.to.IsValid() || !strings.Contains(s.short(), "mafia.local.! 120 A 192.168.4.1") {
				t.Errorf("to %v: %s", s.to, s.short())
			}
			answered++
		}
	}
	if answered != 20 || b.inUse != "mafia" {
		t.Errorf("%d answers to 40 probes, called %q", answered, b.inUse)
	}
}

// TestManyAddresses: however many a link has, they fit a packet.
func TestManyAddresses(t *testing.T) {
	addrs := []string{"192.168.4.1"}
	for i := range 99 {
		addrs = append(addrs, netip.AddrFrom16([16]byte{0xfd, 14: byte(i), 15: 1}).String())
	}
	a, b := settled(t, addrs...)
	a.hears(b, "192.168.4.20:5353", ask(dns.TypeANY, "mafia.local."))
	if list := a.since(); len(list) != 1 || len(list[0].Answer) != maxNamed {
		t.Errorf("%v", list)
	}
	if b.inUse != "mafia" {
		t.Errorf("called %q", b.inUse)
	}
	b.close()
}

// FuzzHear: whatever comes in, the box lives, and speaks of nothing but its own
// names, in no more than a few packets.
func FuzzHear(f *testing.F) {
	probe := ask(dns.TypeANY, "mafia.local.", "1.4.168.192.in-addr.arpa.")
	probe.Ns = []dns.RR{addressRecord("mafia.local.", netip.MustParseAddr("192.168.4.66")), reverseRecord(netip.MustParseAddr("192.168.4.1"), "pi.local.")}
	known := ask(dns.TypeA, "mafia.local.")
	known.Answer = []dns.RR{addressRecord("mafia.local.", netip.MustParseAddr("192.168.4.1"))}
	for _, m := range []*dns.Msg{probe, known, ask(dns.TypeAAAA, "Mafia.local.", "x.local."), says(addressRecord("mafia.local.", netip.MustParseAddr("192.168.4.66"))), says(nothingElse("mafia.local.", dns.TypeA))} {
		data, err := m.Pack()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, uint16(groupPort), false)
		f.Add(data, uint16(40000), true)
		f.Add(data[:len(data)-3], uint16(groupPort), true)
	}
	f.Fuzz(func(t *testing.T, data []byte, port uint16, holds bool) {
		a := newAir(t)
		b := a.box("192.168.4.1", "fd00::1", "fe80::1")
		a.follow(b)
		if holds {
			a.pass(time.Minute)
		} else {
			a.pass(500 * time.Millisecond)
		}
		a.since()
		b.hear(packet{b.at.Index, netip.AddrPortFrom(netip.MustParseAddr("192.168.4.20"), port), data}, a.now)
		list := a.since()
		if len(list) > 1 {
			t.Errorf("%d answers", len(list))
		}
		for _, s := range list {
			if !holds {
				t.Errorf("it answers before it has the name: %v", s)
			}
			for _, rr := range append(s.Answer, s.Extra...) {
				if h := rr.Header(); h.Name != "mafia.local." && h.Name != reverseName(b.addr) && !strings.HasSuffix(h.Name, "d.f.ip6.arpa.") {
					t.Errorf("it speaks of %v", rr)
				}
			}
		}
		a.pass(20 * time.Second)
		if n := len(a.said); n > 12 || b.inUse == "" {
			t.Errorf("%d messages later, called %q", n, b.inUse)
		}
	})
}
