// Package lan is the box on its network: which addresses phones reach it at,
// the codes that lead them there, and its name among the services of the house.
package lan

import (
	"cmp"
	"net"
	"net/netip"
	"slices"
	"strings"
)

// Link is a network interface, as far as the choice of addresses goes.
type Link struct {
	Name  string
	Flags net.Flags
	Addrs []netip.Addr
}

// Addresses lists the addresses of this machine that phones can reach, the
// best one first. It is empty while no network is up.
func Addresses() []netip.Addr { return choose(links()) }

// links describes the machine's interfaces. One that can't be read is left
// out: it may have gone in between.
func links() []Link {
	interfaces, err := net.Interfaces()
	if err != nil {
		return nil
	}
	var list []Link
	for _, i := range interfaces {
		addrs, err := i.Addrs()
		if err != nil {
			continue
		}
		l := Link{Name: i.Name, Flags: i.Flags}
		for _, a := range addrs {
			if n, ok := a.(*net.IPNet); ok {
				if addr, ok := netip.AddrFromSlice(n.IP); ok {
					l.Addrs = append(l.Addrs, addr.Unmap())
				}
			}
		}
		list = append(list, l)
	}
	return list
}

// inner are the beginnings of names of interfaces behind which no phone sits:
// bridges and ends of containers, virtual machines, tunnels.
var inner = []string{"docker", "br-", "veth", "virbr", "vnet", "tun", "tap", "wg", "tailscale",
	"zt", "lxc", "lxdbr", "podman", "cni", "flannel", "cali"}

// reachable tells whether phones may sit behind the link.
func (l Link) reachable() bool {
	// A point-to-point link is a tunnel or a modem, whatever its name.
	if l.Flags&net.FlagUp == 0 || l.Flags&(net.FlagLoopback|net.FlagPointToPoint) != 0 {
		return false
	}
	return !slices.ContainsFunc(inner, func(p string) bool { return strings.HasPrefix(l.Name, p) })
}

// usable are the link's addresses that can be written into a code. A
// link-local IPv6 address can't: it means nothing without the phone's own name
// for its interface.
func (l Link) usable() []netip.Addr {
	var list []netip.Addr
	if !l.reachable() {
		return nil
	}
	for _, a := range l.Addrs {
		if a.Is4() && a.IsLinkLocalUnicast() || a.IsGlobalUnicast() {
			list = append(list, a)
		}
	}
	return list
}

// choose is Addresses for the links that it is given. IPv4 goes first, as
// every phone and every scanner gets it right; then private addresses, as
// phones sit in the same house; then the radio, as they sit on it.
func choose(links []Link) []netip.Addr {
	type choice struct {
		addr                  netip.Addr
		family, nearness, via int
	}
	var list []choice
	for _, l := range links {
		for _, a := range l.usable() {
			c := choice{addr: a, via: via(l.Name)}
			if a.Is6() {
				c.family = 1
			}
			switch {
			case a.IsPrivate():
			case a.IsLinkLocalUnicast(): // nobody handed out an address: better than none
				c.nearness = 2
			default:
				c.nearness = 1
			}
			list = append(list, c)
		}
	}
	slices.SortStableFunc(list, func(a, b choice) int {
		return cmp.Or(a.family-b.family, a.nearness-b.nearness, a.via-b.via)
	})
	var addrs []netip.Addr
	for _, c := range list {
		if !slices.Contains(addrs, c.addr) {
			addrs = append(addrs, c.addr)
		}
	}
	return addrs
}

// via is how near a link is to phones: the radio, then the wire, then the rest.
func via(name string) int {
	switch {
	case strings.HasPrefix(name, "wl"):
		return 0
	case strings.HasPrefix(name, "eth"), strings.HasPrefix(name, "en"):
		return 1
	}
	return 2
}

// URL is the address of a page of the box. Codes hold addresses, not names:
// many phones can't look up a name in local.
func URL(addr netip.Addr, port int, path string) string {
	host := addr.String()
	switch {
	case port != 80:
		host = netip.AddrPortFrom(addr, uint16(port)).String()
	case addr.Is6():
		host = "[" + host + "]"
	}
	return "http://" + host + "/" + strings.TrimPrefix(path, "/")
}
