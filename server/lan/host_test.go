package lan

import (
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/miekg/dns"
)

func TestNameIsFree(t *testing.T) {
	a := newAir(t)
	b := a.box("192.168.4.1", "fd00::1", "fe80::1")
	a.follow(b)
	a.pass(740 * time.Millisecond)
	if b.inUse != "" {
		t.Error("it has the name before it asked")
	}
	a.pass(10 * time.Second)
	list := a.since()
	probe := "? 1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.d.f.ip6.arpa. PTR; ? 1.4.168.192.in-addr.arpa. PTR; ? mafia.local. ANY; prop mafia.local. 120 A 192.168.4.1; prop mafia.local. 120 AAAA fd00::1"
	told := "mafia.local.! 120 A 192.168.4.1; mafia.local.! 120 AAAA fd00::1"
	want(t, list, probe, probe, probe, told, told)
	for i, every := range []time.Duration{0, 250 * time.Millisecond, 250 * time.Millisecond, 250 * time.Millisecond, time.Second} {
		if i > 0 && list[i].after-list[i-1].after != every || list[0].after > 250*time.Millisecond {
			t.Errorf("it speaks at %v", list[i].after)
		}
		if s := list[i]; s.Id != 0 || s.Response != (i > 2) || s.Authoritative != (i > 2) || s.to.IsValid() {
			t.Errorf("header %+v to %v", s.MsgHdr, s.to)
		}
	}
	if b.inUse != "mafia" {
		t.Errorf("it is called %q", b.inUse)
	}
	b.close()
	want(t, a.since(), reverseName(b.at.Addrs[1].Addr())+" 0 PTR mafia.local.; "+reverseName(b.at.Addrs[2].Addr())+" 0 PTR mafia.local.; 1.4.168.192.in-addr.arpa. 0 PTR mafia.local.; mafia.local. 0 A 192.168.4.1; mafia.local. 0 AAAA fd00::1; mafia.local. 0 AAAA fe80::1")
}

// TestTwoNames: boxes have different names, whoever comes first, also when they
// are switched on at once.
func TestTwoNames(t *testing.T) {
	for n := range 300 {
		a := newAir(t)
		boxes := []*onAir{a.box("192.168.4.1"), a.box("192.168.4.2"), a.box("192.168.4.3")}
		for _, b := range boxes {
			a.follow(b)
			a.pass(time.Duration(n%6) * 200 * time.Millisecond) // at once, and long after one another
		}
		a.pass(20 * time.Second)
		var called []string
		for _, b := range boxes {
			called = append(called, b.inUse)
		}
		slices.Sort(called)
		if !slices.Equal(called, []string{"mafia", "mafia-2", "mafia-3"}) {
			t.Fatalf("round %d: they are called %q", n, called)
		}
		if n%6 == 5 && boxes[0].inUse != "mafia" {
			t.Fatalf("the first lost its name")
		}
		if n := len(a.said); n > 60 {
			t.Fatalf("%d messages for three names", n)
		}
	}
}

// TestJoinedNetworks: two that had the same name, each in its own network, have
// two when the networks become one.
func TestJoinedNetworks(t *testing.T) {
	for range 100 {
		a := newAir(t)
		one, two := a.box("192.168.4.1"), a.box("192.168.4.2")
		a.apart = true
		a.follow(one, two)
		a.pass(5 * time.Second)
		if one.inUse != "mafia" || two.inUse != "mafia" {
			t.Fatalf("apart they are called %q and %q", one.inUse, two.inUse)
		}
		a.apart = false
		a.hears(one, "192.168.4.9:5353", ask(dns.TypeA, "mafia.local.")) // one answers, and two hears it
		a.pass(10 * time.Second)
		called := []string{one.inUse, two.inUse}
		slices.Sort(called)
		if !slices.Equal(called, []string{"mafia", "mafia-2"}) {
			t.Fatalf("they are called %q", called)
		}
	}
}

// TestTie: of two that ask for a name at once the one has it whose address is
// later; the other waits a second and asks again.
func TestTie(t *testing.T) {
	for _, c := range []struct {
		rival string
		waits bool
	}{{"192.168.4.4", false}, {"192.168.4.6", true}} {
		a := newAir(t)
		b := a.box("192.168.4.5")
		a.follow(b)
		a.pass(400 * time.Millisecond) // it has asked once or twice
		a.since()
		probe := ask(dns.TypeANY, "mafia.local.")
		probe.Ns = []dns.RR{addressRecord("mafia.local.", netip.MustParseAddr(c.rival))}
		a.hears(b, c.rival+":5353", probe)
		a.pass(900 * time.Millisecond)
		if n := len(a.since()); (n == 0) != c.waits {
			t.Errorf("against %s: %d messages in the next second", c.rival, n)
		}
		a.pass(5 * time.Second)
		if b.inUse != "mafia" {
			t.Errorf("against %s, which is not heard of again, it is called %q", c.rival, b.inUse)
		}
	}
}

// TestEcho: a name that is shown as somebody else's once, and not when it is asked
// for, stays the box's. Nobody's word counts that doesn't come from the group's port.
func TestEcho(t *testing.T) {
	a, b := settled(t, "192.168.4.1")
	other := says(addressRecord("mafia.local.", netip.MustParseAddr("192.168.4.66")))
	a.hears(b, "192.168.4.66:40000", other)
	a.pass(5 * time.Second)
	want(t, a.since())
	a.hears(b, "192.168.4.66:5353", other)
	for range 50 {
		a.pass(100 * time.Millisecond)
		if b.inUse != "mafia" {
			t.Fatalf("it is called %q", b.inUse)
		}
	}
	if n := len(a.since()); n != 5 {
		t.Errorf("%d messages, want three probes and two announcements", n)
	}
}

// TestLiar: who says of each name that it is his own gets no flood out of it.
func TestLiar(t *testing.T) {
	a := newAir(t)
	b := a.box("192.168.4.1")
	a.follow(b)
	for range 6000 { // ten minutes
		a.pass(100 * time.Millisecond)
		a.hears(b, "192.168.4.66:5353", says(addressRecord(b.fullName(), netip.MustParseAddr("192.168.4.66"))))
	}
	if n := len(a.since()); n < 100 || n > 300 {
		t.Errorf("%d messages", n)
	}
	a.pass(10 * time.Second)
	if !strings.HasPrefix(b.inUse, "mafia-") {
		t.Errorf("left alone it is called %q", b.inUse)
	}
}

// TestAddressChanges: in the same network another address is told at once, and
// the old one taken back; another network is asked first.
func TestAddressChanges(t *testing.T) {
	a := newAir(t)
	b := a.box("192.168.4.1", "fd00::1")
	a.follow(b)
	a.pass(5 * time.Second)
	a.since()
	a.follow(b)
	a.pass(5 * time.Second)
	want(t, a.since())
	b.set("192.168.4.7", "fd00::1")
	a.follow(b)
	a.pass(5 * time.Second)
	told := "mafia.local.! 120 A 192.168.4.7; mafia.local.! 120 AAAA fd00::1"
	want(t, a.since(), "1.4.168.192.in-addr.arpa. 0 PTR mafia.local.; mafia.local. 0 A 192.168.4.1", told, told)

	b.set("10.0.0.7", "fe80::1")
	a.follow(b)
	a.pass(5 * time.Second)
	if list := a.since(); len(list) != 5 || len(list[0].Ns) != 2 || list[4].short() != "mafia.local.! 120 A 10.0.0.7; mafia.local.! 120 AAAA fe80::1" {
		want(t, list, "three probes and two announcements")
	}
	if b.inUse != "mafia" {
		t.Errorf("it is called %q", b.inUse)
	}
	b.follow(nil, nil, a.now)
	if b.inUse != "" || !b.due().IsZero() {
		t.Errorf("without a network it is called %q", b.inUse)
	}
}

// TestNeighbour: what is said of the machine's own addresses is no claim of a
// stranger's, and reverse names are left to who has them.
func TestNeighbour(t *testing.T) {
	a := newAir(t)
	b := a.box("192.168.4.1")
	a.follow(b)
	own := addressRecord("Mafia.local.", b.addr)
	for range 4 { // while it asks and afterwards
		a.pass(300 * time.Millisecond)
		probe := ask(dns.TypeANY, "mafia.local.")
		probe.Ns = []dns.RR{own}
		a.hears(b, "192.168.4.1:5353", probe)
		a.hears(b, "192.168.4.1:5353", says(own))
	}
	a.pass(5 * time.Second)
	if n := len(a.since()); n != 5 || b.inUse != "mafia" {
		t.Errorf("%d messages, want 5; called %q", n, b.inUse)
	}

	gone := addressRecord("mafia.local.", b.addr)
	gone.Header().Ttl = 0
	a.hears(b, "192.168.4.1:5353", says(gone))
	a.pass(3 * time.Second)
	told := "mafia.local.! 120 A 192.168.4.1"
	want(t, a.since(), told, told)

	const reverse = "1.4.168.192.in-addr.arpa."
	answer := reverse + "! 120 PTR mafia.local."
	a.hears(b, "192.168.4.9:5353", ask(dns.TypePTR, reverse))
	want(t, a.since(), answer)
	a.pass(2 * time.Second)
	other := reverseRecord(b.addr, "raspberrypi.local.")
	probe := ask(dns.TypeANY, reverse)
	probe.Ns = []dns.RR{other}
	a.hears(b, "192.168.4.1:5353", probe)
	a.pass(2 * time.Second)
	a.hears(b, "192.168.4.9:5353", ask(dns.TypePTR, reverse))
	a.hears(b, "192.168.4.9:5353", ask(dns.TypeANY, reverse))
	want(t, a.since())
	other.Header().Ttl = 0
	a.hears(b, "192.168.4.1:5353", says(other))
	a.hears(b, "192.168.4.9:5353", ask(dns.TypePTR, reverse))
	want(t, a.since(), answer)
}

func TestCheckName(t *testing.T) {
	for _, name := range []string{"mafia", "m", "7", "club-7", "a--b", strings.Repeat("x", 60)} {
		if err := CheckName(name); err != nil {
			t.Error(err)
		}
	}
	for _, name := range []string{"", "Mafia", "mafia box", "-mafia", "mafia-", "-", "мафия", "mafia.local", "a_b", "mafia\n", strings.Repeat("x", 61)} {
		if err := CheckName(name); err == nil || !strings.Contains(err.Error(), "expected letters a-z") {
			t.Errorf("%q: %v", name, err)
		}
	}
}
