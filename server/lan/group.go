package lan

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"sync"
	"syscall"
	"time"

	"github.com/miekg/dns"
	"golang.org/x/net/ipv4"
	"golang.org/x/net/ipv6"
)

// Where names in local are asked for and told.
const groupPort = 5353

var (
	group4 = &net.UDPAddr{IP: net.IPv4(224, 0, 0, 251), Port: groupPort}
	group6 = &net.UDPAddr{IP: net.ParseIP("ff02::fb"), Port: groupPort}
)

// maxPacket is the largest packet that is read, in bytes: RFC 6762, 17.
const maxPacket = 9000

// packet is one that came in on a link.
type packet struct {
	link int // index of the interface
	from netip.AddrPort
	data []byte
}

// group is the box's membership in the multicast groups of names, on any number
// of links. Its port is shared: with zeroconf's own sockets, and with Avahi.
type group struct {
	v4    *ipv4.PacketConn
	v6    *ipv6.PacketConn
	heard chan packet
	done  chan struct{}
	ended sync.WaitGroup
}

func newGroup() *group { return &group{heard: make(chan packet, 64), done: make(chan struct{})} }

// join joins on these links and returns those where it is in. It can be called
// again, with the same links or others; a link that went takes its membership along.
func (g *group) join(links []Link) (in []Link, err error) {
	for _, l := range links {
		if e := g.joinOne(l); e != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", l.Name, e))
			continue
		}
		in = append(in, l)
	}
	return in, err
}

func (g *group) joinOne(l Link) error {
	on := &net.Interface{Index: l.Index, Name: l.Name}
	var err error
	if l.has(netip.Addr.Is4) {
		if g.v4 == nil {
			err = g.open4()
		}
		if err == nil {
			err = ignoreTwice(g.v4.JoinGroup(on, group4))
		}
	}
	if err == nil && l.has(netip.Addr.Is6) {
		if g.v6 == nil {
			err = g.open6()
		}
		if err == nil {
			err = ignoreTwice(g.v6.JoinGroup(on, group6))
		}
	}
	return err
}

// ignoreTwice is what joining says, but for a link where one has joined before.
func ignoreTwice(err error) error {
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil
	}
	return err
}

// open4 opens the socket for IPv4. Given the group's address, ListenUDP listens
// on all and lets others use the port as well. A packet must have gone no way but
// the link's: hop limit 255.
func (g *group) open4() error {
	conn, err := net.ListenUDP("udp4", group4)
	if err != nil {
		return err
	}
	g.v4 = ipv4.NewPacketConn(conn)
	err = errors.Join(g.v4.SetControlMessage(ipv4.FlagInterface, true), g.v4.SetMulticastTTL(255), g.v4.SetTTL(255))
	g.listen(func(buf []byte) (n, link int, from net.Addr, err error) {
		n, control, from, err := g.v4.ReadFrom(buf)
		if control != nil {
			link = control.IfIndex
		}
		return n, link, from, err
	})
	return err
}

func (g *group) open6() error {
	conn, err := net.ListenUDP("udp6", group6)
	if err != nil {
		return err
	}
	g.v6 = ipv6.NewPacketConn(conn)
	err = errors.Join(g.v6.SetControlMessage(ipv6.FlagInterface, true), g.v6.SetMulticastHopLimit(255), g.v6.SetHopLimit(255))
	g.listen(func(buf []byte) (n, link int, from net.Addr, err error) {
		n, control, from, err := g.v6.ReadFrom(buf)
		if control != nil {
			link = control.IfIndex
		}
		return n, link, from, err
	})
	return err
}

// listen hands on what read gives, until the socket is closed.
func (g *group) listen(read func([]byte) (n, link int, from net.Addr, err error)) {
	g.ended.Go(func() {
		buf := make([]byte, maxPacket)
		for {
			n, link, from, err := read(buf)
			if errors.Is(err, net.ErrClosed) {
				return
			}
			if err != nil { // of one packet; not in a busy loop should it stay
				time.Sleep(100 * time.Millisecond)
				continue
			}
			addr := from.(*net.UDPAddr).AddrPort()
			select {
			case g.heard <- packet{link, netip.AddrPortFrom(addr.Addr().Unmap(), addr.Port()), append([]byte(nil), buf[:n]...)}:
			case <-g.done:
				return
			}
		}
	})
}

// send sends to an address on a link, or with none to everybody there. What
// can't be sent is lost, as any packet may be.
func (g *group) send(on Link, to netip.AddrPort, m *dns.Msg) {
	data, err := m.Pack()
	if err != nil {
		return
	}
	dst4, dst6 := group4, group6
	if to.IsValid() {
		dst4, dst6 = net.UDPAddrFromAddrPort(to), net.UDPAddrFromAddrPort(to)
	}
	if g.v4 != nil && on.has(netip.Addr.Is4) && (!to.IsValid() || to.Addr().Is4()) {
		_, _ = g.v4.WriteTo(data, &ipv4.ControlMessage{IfIndex: on.Index}, dst4)
	}
	if g.v6 != nil && on.has(netip.Addr.Is6) && (!to.IsValid() || to.Addr().Is6()) {
		_, _ = g.v6.WriteTo(data, &ipv6.ControlMessage{IfIndex: on.Index}, dst6)
	}
}

func (g *group) close() {
	close(g.done)
	if g.v4 != nil {
		g.v4.Close()
	}
	if g.v6 != nil {
		g.v6.Close()
	}
	g.ended.Wait()
}
