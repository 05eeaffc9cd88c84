package lan

import (
	"encoding/binary"
	"net/netip"
	"slices"
	"time"

	"github.com/miekg/dns"
)

// How seldom everybody on a link is told the same: RFC 6762, 6. Who probes must
// get his answer in time.
const (
	seldom      = time.Second
	seldomProbe = 250 * time.Millisecond
)

// recently: what everybody was told that lately may be told to one alone.
const recently = ttl / 4 * time.Second

// maxQuestions is how many a packet may ask: names in it can point at one another,
// so that a small one with many of them costs much to read.
const maxQuestions = 64

// hear takes a packet that came in on a link.
func (r *responder) hear(p packet, now time.Time) {
	i := slices.IndexFunc(r.wires, func(w *wire) bool { return w.Index == p.link })
	if i < 0 || !r.wires[i].near(p.from.Addr()) {
		return
	}
	if len(p.data) < 12 || binary.BigEndian.Uint16(p.data[4:]) > maxQuestions {
		return
	}
	w := r.wires[i]
	m := new(dns.Msg)
	if m.Unpack(p.data) != nil || m.Opcode != dns.OpcodeQuery || m.Rcode != dns.RcodeSuccess {
		return
	}
	switch {
	case !m.Response:
		r.asked(w, m, p.from, now)
	case p.from.Port() == groupPort:
		r.heard(w, m, now)
	}
}

// heard learns from what others tell.
func (r *responder) heard(w *wire, m *dns.Msg, now time.Time) {
	for _, rr := range slices.Concat(m.Answer, m.Extra) {
		w.yield(rr, r.fullName())
		addr, ok := addressIn(rr)
		switch {
		case !ok || !sameName(rr.Header().Name, r.fullName()):
		case !r.ours(addr, now):
			if rr.Header().Ttl > 0 {
				r.lose(w, now)
				return
			}
		case rr.Header().Ttl <= ttl/2 && w.held() && slices.Contains(w.named(), addr):
			w.steps, w.next = probes, now // a neighbour takes back what still holds: say it again
		}
	}
}

// yield leaves the reverse name of an address to who else claims it. It is
// nobody's on a link but the machine's, so he is a neighbour there: Avahi, which
// gives addresses the machine's name and would take another one for itself if the
// box claimed them too. When he goes he says so.
func (w *wire) yield(rr dns.RR, name string) {
	ptr, ok := rr.(*dns.PTR)
	if !ok || sameName(ptr.Ptr, name) {
		return
	}
	for _, a := range w.named() {
		if sameName(ptr.Hdr.Name, reverseName(a)) {
			w.elsewhere[a] = ptr.Hdr.Ttl > 0
		}
	}
}

// asked answers a question, or a probe: a question that says what its asker
// wants the name for.
func (r *responder) asked(w *wire, m *dns.Msg, from netip.AddrPort, now time.Time) {
	var rivals []dns.RR
	for _, rr := range m.Ns {
		w.yield(rr, r.fullName())
		if sameName(rr.Header().Name, r.fullName()) {
			rivals = append(rivals, rr)
		}
	}
	strangers := slices.ContainsFunc(rivals, func(rr dns.RR) bool {
		addr, ok := addressIn(rr)
		return !ok || !r.ours(addr, now)
	})
	switch {
	case len(rivals) > 0 && !strangers: // ourselves, or a neighbour that is called as we are
	case w.held():
		r.answer(w, m, from, len(rivals) > 0, now)
	case strangers && later(r.addresses(w.named()), rivals) < 0:
		w.ask(now.Add(yields))
	}
}

// answer tells what the box knows of what it is asked.
func (r *responder) answer(w *wire, m *dns.Msg, from netip.AddrPort, probed bool, now time.Time) {
	records, alone := r.records(w, w.named()), true
	var answers, extra []dns.RR
	for _, q := range m.Question {
		if c := q.Qclass &^ unicast; c != dns.ClassINET && c != dns.ClassANY {
			continue
		}
		for _, rr := range r.matching(records, q) {
			alone = alone && q.Qclass&unicast != 0
			if !holds(answers, rr) {
				answers = append(answers, rr)
			}
		}
	}
	answers = slices.DeleteFunc(answers, func(rr dns.RR) bool { // what he knows already
		return slices.ContainsFunc(m.Answer, func(k dns.RR) bool { return k.Header().Ttl >= ttl/2 && sameRecord(k, rr) })
	})
	if len(answers) == 0 {
		return
	}
	if slices.ContainsFunc(answers, func(rr dns.RR) bool { return sameName(rr.Header().Name, r.fullName()) }) {
		// Who asks for one kind of address asks for the other next.
		for _, rr := range r.matching(records, dns.Question{Name: r.fullName(), Qtype: dns.TypeANY}) {
			if !holds(answers, rr) {
				extra = append(extra, rr)
			}
		}
	}
	switch {
	case from.Port() != groupPort:
		r.legacy(w, m, answers, from, now)
	case alone && !probed && w.toldAll(answers, now):
		if w.replies.AllowN(now, 1) {
			reply := reply()
			reply.Answer, reply.Extra = answers, extra
			r.send(w.Link, from, reply)
		}
	case probed:
		r.tell(w, answers, seldomProbe, now)
	default:
		r.tell(w, answers, seldom, now, extra...)
	}
}

// matching are the records that answer a question. For a name that is ours there
// is an answer to any: that there is nothing.
func (r *responder) matching(records []dns.RR, q dns.Question) (found []dns.RR) {
	var types []uint16
	name := ""
	for _, rr := range records {
		if h := rr.Header(); sameName(h.Name, q.Name) {
			name = h.Name
			if !slices.Contains(types, h.Rrtype) {
				types = append(types, h.Rrtype)
			}
			if q.Qtype == h.Rrtype || q.Qtype == dns.TypeANY {
				found = append(found, rr)
			}
		}
	}
	slices.Sort(types)
	if name == "" || len(found) > 0 && (q.Qtype != dns.TypeANY || len(types) > 1 || types[0] == dns.TypePTR) {
		return found
	}
	return append(found, nothingElse(name, types...))
}

// legacy answers who asks as one asks a name server: him alone, with his
// question, and nothing that only those understand who listen on.
func (r *responder) legacy(w *wire, q *dns.Msg, answers []dns.RR, to netip.AddrPort, now time.Time) {
	if !w.replies.AllowN(now, 1) {
		return
	}
	m := reply()
	m.Id, m.Question = q.Id, q.Question[:1]
	for _, rr := range answers {
		h := rr.Header()
		if h.Rrtype != dns.TypeNSEC && sameName(h.Name, q.Question[0].Name) {
			h.Ttl, h.Class = legacyTTL, dns.ClassINET
			m.Answer = append(m.Answer, rr)
		}
	}
	if len(m.Answer) > 0 {
		r.send(w.Link, to, m)
	}
}

// tell tells everybody on the link what they were not told just now.
func (r *responder) tell(w *wire, answers []dns.RR, every time.Duration, now time.Time, extra ...dns.RR) {
	m := reply()
	justNow := func(rr dns.RR) bool {
		last, ok := w.told[key(rr)]
		return ok && now.Sub(last) < every
	}
	m.Answer = slices.DeleteFunc(answers, justNow)
	if len(m.Answer) == 0 {
		return
	}
	m.Extra = slices.DeleteFunc(extra, justNow)
	for _, rr := range slices.Concat(m.Answer, m.Extra) {
		w.told[key(rr)] = now
	}
	r.send(w.Link, netip.AddrPort{}, m)
}

// toldAll tells whether everybody was told these recently.
func (w *wire) toldAll(records []dns.RR, now time.Time) bool {
	return !slices.ContainsFunc(records, func(rr dns.RR) bool {
		last, ok := w.told[key(rr)]
		return !ok || now.Sub(last) >= recently
	})
}

// key is a record without how long it holds.
func key(rr dns.RR) string {
	h := rr.Header()
	return dns.TypeToString[h.Rrtype] + " " + h.Name + " " + string(data(rr))
}

func holds(list []dns.RR, rr dns.RR) bool {
	return slices.ContainsFunc(list, func(other dns.RR) bool { return sameRecord(other, rr) })
}

func reply() *dns.Msg {
	m := new(dns.Msg)
	m.Response, m.Authoritative, m.Compress = true, true, true
	return m
}
