package lan

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/miekg/dns"
	"golang.org/x/time/rate"
)

// The times of RFC 6762.
const (
	probes        = 3 // times that one asks whether a name is free
	probeEvery    = 250 * time.Millisecond
	announcements = 2 // times that one says that it is taken
	announceEvery = time.Second
	yields        = time.Second     // how long who loses a name to another that asks waits before he asks again
	weary         = 5 * time.Second // the same for a name, after wearyAfter that were taken
	wearyAfter    = 10
	lastNumber    = 99 // of names that are tried
)

// formerFor is how long an address counts as ours after it went: what was said
// of it may still be on its way.
const formerFor = 10 * time.Second

// CheckName tells why a box can't be called that; nil when it can. It is one
// label of a name, with room for a number.
func CheckName(name string) error {
	if !regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,58}[a-z0-9])?$`).MatchString(name) {
		return fmt.Errorf("%q is no name for a box: expected letters a-z, digits and dashes, at most 60, with no dash at either end", name)
	}
	return nil
}

// responder holds the box's name in local on its links. It asks there whether
// the name is free, says that it is taken, answers for it, and takes the next
// one, mafia-2 for mafia, when somebody else has it: RFC 6762 for host names.
// Time and packets are handed to it.
type responder struct {
	base   string
	number int    // 1: the name as it is
	inUse  string // the name while it is held anywhere, without the domain
	wires  []*wire
	mine   []netip.Addr                                 // all addresses of this machine
	former map[netip.Addr]time.Time                     // those that went of late, and when
	send   func(on Link, to netip.AddrPort, m *dns.Msg) // an address that is none: to everybody
}

// wire is what a responder knows of one link.
type wire struct {
	Link
	steps     int                  // taken: probes, then announcements
	next      time.Time            // when the next is due
	told      map[string]time.Time // when everybody was last told a record
	elsewhere map[netip.Addr]bool  // addresses whose reverse name somebody else holds
	replies   *rate.Limiter        // to single askers
}

func newResponder(name string, send func(Link, netip.AddrPort, *dns.Msg)) *responder {
	return &responder{base: name, number: 1, former: make(map[netip.Addr]time.Time), send: send}
}

// name is the name that is held or asked for, without the domain.
func (r *responder) name() string {
	if r.number == 1 {
		return r.base
	}
	return r.base + "-" + strconv.Itoa(r.number)
}

func (r *responder) fullName() string { return r.name() + ".local." }

// held tells whether the name is the box's on that link.
func (w *wire) held() bool { return w.steps > probes }

// holds are the links on which the name is the box's.
func (r *responder) holds() (links []Link) {
	for _, w := range r.wires {
		if w.held() {
			links = append(links, w.Link)
		}
	}
	return links
}

// ask begins anew to ask for the name.
func (w *wire) ask(at time.Time) { w.steps, w.next = 0, at }

// jitter keeps boxes that get power at once from speaking at once.
func jitter() time.Duration { return rand.N(probeEvery) }

// follow takes the links on which the name is to be held from now on, and all
// addresses of the machine. Where the network has changed the name is asked for;
// where only an address has, it is told.
func (r *responder) follow(links []Link, mine []netip.Addr, now time.Time) {
	for _, a := range r.mine {
		if !slices.Contains(mine, a) {
			r.former[a] = now
		}
	}
	r.mine = mine
	maps.DeleteFunc(r.former, func(_ netip.Addr, went time.Time) bool { return now.Sub(went) > formerFor })
	var wires []*wire
	for _, l := range links {
		i := slices.IndexFunc(r.wires, func(w *wire) bool { return w.Index == l.Index })
		switch {
		case i < 0 || !sameNet(r.wires[i].Link, l):
			w := &wire{Link: l, told: make(map[string]time.Time), elsewhere: make(map[netip.Addr]bool), replies: rate.NewLimiter(20, 40)}
			w.ask(now.Add(jitter()))
			wires = append(wires, w)
		case !equal(r.wires[i].Link, l):
			w := r.wires[i]
			gone := slices.DeleteFunc(owned(w.Link), func(a netip.Addr) bool { return slices.Contains(l.named(), a) })
			w.Link = l
			if w.held() {
				r.goodbye(w, r.records(w, gone))
				w.steps, w.next = probes, now
			}
			wires = append(wires, w)
		default:
			wires = append(wires, r.wires[i])
		}
	}
	r.wires = wires
	if len(wires) == 0 {
		r.number, r.inUse = 1, "" // elsewhere the name may be free
	}
}

// sameNet tells whether a link, as it was and as it is, leads into the same network.
func sameNet(was, is Link) bool {
	return slices.ContainsFunc(was.Addrs, func(p netip.Prefix) bool {
		return !p.Addr().IsLinkLocalUnicast() && slices.ContainsFunc(is.Addrs, func(q netip.Prefix) bool { return p.Masked() == q.Masked() })
	})
}

// due is when step is to be called next; zero when nothing is.
func (r *responder) due() (at time.Time) {
	for _, w := range r.wires {
		if !w.next.IsZero() && (at.IsZero() || w.next.Before(at)) {
			at = w.next
		}
	}
	return at
}

// step does what is due.
func (r *responder) step(now time.Time) {
	for _, w := range r.wires {
		if w.next.IsZero() || now.Before(w.next) {
			continue
		}
		switch w.steps++; {
		case w.steps <= probes:
			r.probe(w)
			w.next = now.Add(probeEvery)
		default:
			r.inUse = r.name()
			r.tell(w, r.addresses(w.named()), announceEvery, now)
			if w.next = now.Add(announceEvery); w.steps == probes+announcements {
				w.next = time.Time{}
			}
		}
	}
}

// probe asks everybody whether the name is free and says what it is wanted for.
// Answers for everybody are wanted: Avahi beside the box would take those for it
// alone, as both listen at one port. Reverse names are asked for and not
// proposed: who has them keeps them.
func (r *responder) probe(w *wire) {
	m := new(dns.Msg)
	m.Compress = true
	m.Question = []dns.Question{{Name: r.fullName(), Qtype: dns.TypeANY, Qclass: dns.ClassINET}}
	for _, a := range w.named() {
		m.Question = append(m.Question, dns.Question{Name: reverseName(a), Qtype: dns.TypePTR, Qclass: dns.ClassINET})
	}
	m.Ns = r.addresses(w.named())
	for _, rr := range m.Ns {
		rr.Header().Class = dns.ClassINET
	}
	r.send(w.Link, netip.AddrPort{}, m)
}

// goodbye takes records back. It is said of all addresses of a link: zeroconf has
// told more of them than the name stands for.
func (r *responder) goodbye(w *wire, records []dns.RR) {
	for _, rr := range records {
		rr.Header().Ttl, rr.Header().Class = 0, dns.ClassINET
	}
	for some := range slices.Chunk(records, maxNamed) {
		m := reply()
		m.Answer = some
		r.send(w.Link, netip.AddrPort{}, m)
	}
}

// close takes back all that was told.
func (r *responder) close() {
	for _, w := range r.wires {
		if w.held() {
			r.goodbye(w, r.records(w, owned(w.Link)))
		}
	}
}

// lose is called when somebody else shows the name as his own. One that was held
// is asked for anew: if the other means it he answers. One that is asked for is his.
func (r *responder) lose(w *wire, now time.Time) {
	if w.held() {
		w.ask(now)
		return
	}
	for _, w := range r.wires {
		if w.held() {
			r.goodbye(w, r.records(w, owned(w.Link)))
		}
	}
	r.number = r.number%lastNumber + 1
	r.inUse = ""
	at := now.Add(jitter())
	if r.number > wearyAfter {
		at = at.Add(weary)
	}
	for _, w := range r.wires {
		clear(w.told)
		w.ask(at)
	}
}

// ours tells whether an address is this machine's. A name that stands for it is
// told by the box or by a neighbour on the machine: Avahi, when the machine is
// called as the box is.
func (r *responder) ours(addr netip.Addr, now time.Time) bool {
	went, ok := r.former[addr]
	return slices.Contains(r.mine, addr) || ok && now.Sub(went) < formerFor
}

// addresses says that the box has these addresses.
func (r *responder) addresses(addrs []netip.Addr) (list []dns.RR) {
	for _, a := range addrs {
		list = append(list, addressRecord(r.fullName(), a))
	}
	return list
}

// records are all that the box says on a link of these addresses: that they are
// its own, and of each its name unless somebody else says it.
func (r *responder) records(w *wire, addrs []netip.Addr) []dns.RR {
	list := r.addresses(addrs)
	for _, a := range addrs {
		if !w.elsewhere[a] {
			list = append(list, reverseRecord(a, r.fullName()))
		}
	}
	return list
}
