package lan

import (
	"bytes"
	"net"
	"net/netip"
	"slices"
	"strings"

	"github.com/miekg/dns"
)

// The numbers of RFC 6762.
const (
	ttl       = 120     // seconds for which a record holds
	legacyTTL = 10      // the same, for who knows nothing of multicast
	flush     = 1 << 15 // in a record's class: forget what you knew of this
	unicast   = 1 << 15 // in a question's class: tell me alone
)

// maxNamed is how many addresses of a link the name stands for. More would not
// fit a packet.
const maxNamed = 16

// has tells whether one of the link's addresses is of a kind.
func (l Link) has(kind func(netip.Addr) bool) bool {
	return slices.ContainsFunc(l.Addrs, func(p netip.Prefix) bool { return kind(p.Addr()) })
}

// named are the addresses of the link that the name stands for there. They are
// those that Avahi tells, as two that tell different ones of a name take each other
// for a stranger: none that is going, and a link-local one of IPv6 only where
// there is no better.
func (l Link) named() []netip.Addr {
	var list, local []netip.Addr
	for _, p := range l.Addrs {
		switch a := p.Addr(); {
		case slices.Contains(l.Going, a):
		case a.Is4() && a.IsLinkLocalUnicast(), a.IsGlobalUnicast():
			list = append(list, a)
		case a.IsLinkLocalUnicast():
			local = append(local, a)
		}
	}
	if !slices.ContainsFunc(list, netip.Addr.Is6) {
		list = append(list, local...)
	}
	return list[:min(len(list), maxNamed)]
}

// near tells whether an address is on the link itself.
func (l Link) near(addr netip.Addr) bool {
	addr = addr.WithZone("")
	return addr.IsLinkLocalUnicast() || slices.ContainsFunc(l.Addrs, func(p netip.Prefix) bool { return p.Contains(addr) })
}

// addressRecord says that a name has an address.
func addressRecord(name string, addr netip.Addr) dns.RR {
	head := dns.RR_Header{Name: name, Rrtype: dns.TypeA, Class: dns.ClassINET | flush, Ttl: ttl}
	if addr.Is4() {
		return &dns.A{Hdr: head, A: net.IP(addr.AsSlice())}
	}
	head.Rrtype = dns.TypeAAAA
	return &dns.AAAA{Hdr: head, AAAA: net.IP(addr.AsSlice())}
}

// reverseName is the name under which an address is asked for its name.
func reverseName(addr netip.Addr) string {
	name, _ := dns.ReverseAddr(addr.String()) // it knows every address
	return name
}

func reverseRecord(addr netip.Addr, name string) dns.RR {
	return &dns.PTR{Hdr: dns.RR_Header{Name: reverseName(addr), Rrtype: dns.TypePTR, Class: dns.ClassINET | flush, Ttl: ttl}, Ptr: name}
}

// nothingElse says that a name has records of these types and no others: who
// asks for IPv6 needn't wait where there is none.
func nothingElse(name string, types ...uint16) dns.RR {
	return &dns.NSEC{Hdr: dns.RR_Header{Name: name, Rrtype: dns.TypeNSEC, Class: dns.ClassINET | flush, Ttl: ttl}, NextDomain: name, TypeBitMap: types}
}

// addressIn is the address that a record tells.
func addressIn(rr dns.RR) (addr netip.Addr, ok bool) {
	switch rr := rr.(type) {
	case *dns.A:
		addr, ok = netip.AddrFromSlice(rr.A)
	case *dns.AAAA:
		addr, ok = netip.AddrFromSlice(rr.AAAA)
	}
	return addr.Unmap(), ok
}

// sameName tells whether two names are one: letter case is of no matter.
func sameName(a, b string) bool { return strings.EqualFold(a, b) }

// data is what a record says, as it stands in a packet.
func data(rr dns.RR) []byte {
	buf := make([]byte, dns.Len(rr)+1)
	end, err := dns.PackRR(rr, buf, 0, nil, false)
	if err != nil {
		return nil
	}
	start, err := dns.PackDomainName(rr.Header().Name, make([]byte, 256), 0, nil, false)
	if err != nil {
		return nil
	}
	return buf[start+10 : end] // after type, class, time and length
}

// sameRecord tells whether two records say the same of the same name.
func sameRecord(a, b dns.RR) bool {
	return a.Header().Rrtype == b.Header().Rrtype && sameName(a.Header().Name, b.Header().Name) && bytes.Equal(data(a), data(b))
}

// later compares what two propose for a name when both ask for it at once: the
// later one in the order of RFC 6762, 8.2, has it. It is negative when the first
// is earlier, and 0 when both say the same.
func later(ours, theirs []dns.RR) int {
	order := func(a, b dns.RR) int {
		x, y := a.Header(), b.Header()
		if c := int(x.Class&^flush) - int(y.Class&^flush); c != 0 {
			return c
		}
		if c := int(x.Rrtype) - int(y.Rrtype); c != 0 {
			return c
		}
		return bytes.Compare(data(a), data(b))
	}
	return slices.CompareFunc(slices.SortedFunc(slices.Values(ours), order), slices.SortedFunc(slices.Values(theirs), order), order)
}
