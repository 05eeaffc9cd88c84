package checkup

import (
	"context"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mafiabox/mafiabox/server/lan"
	"github.com/miekg/dns"
	"golang.org/x/net/ipv4"
)

const (
	// services is the name under which boxes announce their pages.
	services = "_http._tcp.local."
	// listens is how long answers are waited for: responders may take half a
	// second, and a radio may lose the first question.
	listens = 1200 * time.Millisecond
)

// group is where names in local are asked for.
var group = net.UDPAddr{IP: net.IPv4(224, 0, 0, 251), Port: 5353}

// names asks the network who is called as the box is to be, and which other
// boxes there are.
func (m Machine) names(ctx context.Context) []Finding {
	host := strings.ToLower(m.Name) + ".local."
	f := Finding{ID: "name", With: []any{"Name", strings.TrimSuffix(host, ".")}}
	records, err := m.ask(ctx, dns.Question{Name: host, Qtype: dns.TypeA, Qclass: toMe}, dns.Question{Name: services, Qtype: dns.TypePTR, Qclass: toMe})
	if err != nil {
		f.Case, f.State = "unasked", Note
		return []Finding{f}
	}
	var ours, others, boxes []string
	for _, a := range records {
		switch rr := a.record.(type) {
		case *dns.A:
			if addr, ok := netip.AddrFromSlice(rr.A.To4()); ok && strings.EqualFold(rr.Hdr.Name, host) {
				if m.has(addr) {
					ours = append(ours, addr.String())
				} else {
					others = append(others, addr.String())
				}
			}
		case *dns.TXT:
			if instance, ok := strings.CutSuffix(rr.Hdr.Name, "."+services); ok && slices.Contains(rr.Txt, lan.Product) && !m.has(a.from) {
				boxes = append(boxes, instance+" ("+a.from.String()+")")
			}
		}
	}
	switch {
	case len(others) > 0:
		f.Case, f.State = "other", Note
		f.With = append(f.With, "Who", list(others))
	case len(ours) > 0:
		f.Case, f.State = "own", OK
	case m.Serving || answers(ctx, m.Listen):
		f.Case, f.State = "silent", Note
	default:
		f.Case, f.State = "free", OK
	}
	all := []Finding{f}
	if len(boxes) > 0 {
		all = append(all, Finding{"boxes", "some", Note, []any{"List", list(boxes)}})
	}
	return all
}

// toMe asks for an answer to the asker alone. Some responders send it to the whole
// network otherwise, even to one who asks from a port that hears none of that.
const toMe = dns.ClassINET | 1<<15

// list is each of some words once, in order, and not without end: anybody in the
// network can answer.
func list(words []string) string {
	slices.Sort(words)
	if words = slices.Compact(words); len(words) > 5 {
		words = append(words[:5], "…")
	}
	return strings.Join(words, ", ")
}

// answer is a record and who sent it.
type answer struct {
	from   netip.Addr
	record dns.RR
}

// ask puts questions to every network that phones are on, twice, and gathers
// what is answered. It asks from a port of its own, so that answers come to it
// alone and nobody takes them for announcements. The error is that nobody could
// be asked.
func (m Machine) ask(ctx context.Context, questions ...dns.Question) ([]answer, error) {
	packet, err := (&dns.Msg{Question: questions}).Pack()
	if err != nil {
		return nil, err
	}
	var last error = net.UnknownNetworkError("none is up")
	end := time.Now().Add(listens)
	found := make(chan []answer)
	asked := 0
	for _, p := range m.Places {
		if c, err := question(p, end); err != nil {
			last = err
		} else if c != nil {
			asked++
			go func() { found <- listen(ctx, c, packet) }()
		}
	}
	if asked == 0 {
		return nil, last
	}
	var all []answer
	for range asked {
		all = append(all, <-found...)
	}
	return all, nil
}

// question opens a socket for asking in a place; none where no phones are.
func question(p lan.Place, end time.Time) (net.PacketConn, error) {
	at := slices.IndexFunc(p.Phones, netip.Addr.Is4)
	if at < 0 {
		return nil, nil
	}
	i, err := net.InterfaceByName(p.Name)
	if err != nil {
		return nil, err
	}
	c, err := net.ListenUDP("udp4", net.UDPAddrFromAddrPort(netip.AddrPortFrom(p.Phones[at], 0)))
	if err != nil {
		return nil, err
	}
	err = ipv4.NewPacketConn(c).SetMulticastInterface(i)
	if err == nil {
		err = c.SetDeadline(end)
	}
	if err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// listen sends a packet twice and reads answers until the socket's time is up.
func listen(ctx context.Context, c net.PacketConn, packet []byte) (all []answer) {
	defer c.Close()
	stop := context.AfterFunc(ctx, func() { c.Close() })
	defer stop()
	again := time.AfterFunc(listens/3, func() { _, _ = c.WriteTo(packet, &group) })
	defer again.Stop()
	if _, err := c.WriteTo(packet, &group); err != nil {
		return nil
	}
	buffer := make([]byte, 9000) // the largest that these names are sent in
	for range 200 {              // whoever floods is not listened to any longer
		n, from, err := c.ReadFrom(buffer)
		if err != nil {
			return all
		}
		var reply dns.Msg
		if reply.Unpack(buffer[:n]) != nil || !reply.Response {
			continue
		}
		sender := from.(*net.UDPAddr).AddrPort().Addr().Unmap()
		for _, record := range append(reply.Answer, reply.Extra...) {
			all = append(all, answer{sender, record})
		}
	}
	return all
}

// neighbours tells which programs of this machine answer for names in local.
// Several can share that port.
func (m Machine) neighbours(context.Context) []Finding {
	who, hidden := m.holders("udp", uint16(group.Port))
	_, err := os.Stat(filepath.Join(m.Root, "run/avahi-daemon/pid"))
	avahi := err == nil || slices.Contains(who, "avahi-daemon")
	who = slices.DeleteFunc(who, func(name string) bool { return strings.HasPrefix(name, "mafiabox") })
	f := Finding{ID: "mdns", Case: "alone", State: OK, With: []any{"Who", strings.Join(who, ", ")}}
	switch {
	case slices.Contains(who, "systemd-resolve"):
		f.Case, f.State = "resolved", Note
	case avahi && len(who) <= 1:
		f.Case = "avahi"
	case len(who) > 0:
		f.Case, f.State = "some", Note
	case hidden > 0 && !m.Serving: // else they are the box's own, or such as avahi
		f.Case, f.State = "hidden", Note
	}
	return []Finding{f}
}
