// Package lan is the box on its network: which addresses phones reach it at,
// the codes that lead them there, and its name among those of the house.
package lan

import (
	"cmp"
	"encoding/hex"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Link is a network interface, as far as the box cares for it.
type Link struct {
	Name  string
	Index int
	Flags net.Flags
	Radio bool           // Wi-Fi, or a bridge with Wi-Fi among its ports
	Addrs []netip.Prefix // each with the network that it is in
	Going []netip.Addr   // those of them that are not to be used for anything new
}

// links describes the machine's interfaces. One that can't be read is left
// out: it may have gone in between.
func links() ([]Link, error) {
	interfaces, err := net.Interfaces()
	if err != nil {
		return nil, err
	}
	var list []Link
	going := deprecated()
	for _, i := range interfaces {
		addrs, err := i.Addrs()
		if err != nil {
			continue
		}
		l := Link{Name: i.Name, Index: i.Index, Flags: i.Flags, Radio: radio(i.Name), Going: going[i.Name]}
		for _, a := range addrs {
			if n, ok := a.(*net.IPNet); ok {
				if addr, ok := netip.AddrFromSlice(n.IP); ok {
					bits, _ := n.Mask.Size()
					l.Addrs = append(l.Addrs, netip.PrefixFrom(addr.Unmap(), bits))
				}
			}
		}
		list = append(list, l)
	}
	return list, nil
}

// deprecated lists the IPv6 addresses whose time runs out, by interface: the old
// one of a network that has been given another, and privacy addresses of yesterday.
func deprecated() map[string][]netip.Addr {
	const flag = 0x20 // IFA_F_DEPRECATED
	list := make(map[string][]netip.Addr)
	text, _ := os.ReadFile("/proc/net/if_inet6") // address, index, length of prefix, scope, flags, name; but for the last in hex
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if len(f) != 6 {
			continue
		}
		addr, err := hex.DecodeString(f[0])
		flags, _ := strconv.ParseUint(f[4], 16, 32)
		if a, ok := netip.AddrFromSlice(addr); ok && err == nil && flags&flag != 0 {
			list[f[5]] = append(list[f[5]], a)
		}
	}
	return list
}

// radio tells whether an interface is Wi-Fi. An access point is often a port of
// a bridge, and the bridge has the address.
func radio(name string) bool {
	dir := filepath.Join("/sys/class/net", name)
	if _, err := os.Stat(filepath.Join(dir, "phy80211")); err == nil || strings.HasPrefix(name, "wl") {
		return true
	}
	ports, _ := filepath.Glob(filepath.Join(dir, "brif", "*"))
	return slices.ContainsFunc(ports, func(p string) bool { return radio(filepath.Base(p)) })
}

// inner matches names of interfaces behind which no phone sits: bridges and
// ends of containers, virtual machines, tunnels. Others that are bridges (br0,
// br-lan) or stand on another (macvlan0, eth0.7) lead into the house.
var inner = regexp.MustCompile(`^(docker|br-[0-9a-f]{12}$|veth|virbr|vnet|vmnet|vboxnet|tun|tap|wg|tailscale|zt|lxc|lxdbr|incusbr|podman|cni|flannel|cali|dummy)`)

// reachable tells whether phones may sit behind the link.
func (l Link) reachable() bool {
	// A point-to-point link is a tunnel or a modem, whatever its name.
	return l.Flags&net.FlagUp != 0 && l.Flags&(net.FlagLoopback|net.FlagPointToPoint) == 0 && !inner.MatchString(l.Name)
}

// usable are the link's addresses that can be written into a code. A
// link-local IPv6 address can't: it means nothing without the phone's own name
// for its interface.
func (l Link) usable() []netip.Prefix {
	var list []netip.Prefix
	if !l.reachable() {
		return nil
	}
	for _, p := range l.Addrs {
		if a := p.Addr(); a.Is4() && a.IsLinkLocalUnicast() || a.IsGlobalUnicast() {
			list = append(list, p)
		}
	}
	return list
}

// choose lists the addresses that phones can reach, the likeliest first. IPv4
// goes first, as every phone and every scanner gets it right; then private
// addresses, as phones sit in the same house; then the way there.
func choose(links []Link) []netip.Addr {
	type choice struct {
		addr                  netip.Addr
		family, nearness, via int
	}
	var list []choice
	for _, l := range links {
		for _, p := range l.usable() {
			c := choice{addr: p.Addr(), via: l.via(p)}
			if c.addr.Is6() {
				c.family = 1
			}
			switch {
			case slices.Contains(l.Going, c.addr):
				c.nearness = 3
			case c.addr.IsPrivate():
			case c.addr.IsLinkLocalUnicast(): // nobody handed out an address: better than none
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

// via is how near an address is to phones: the box's own Wi-Fi, another one,
// the wire, then the rest. Whoever opens a Wi-Fi takes the first address of its
// network, as NetworkManager does and access points in general; guests get a later one.
func (l Link) via(p netip.Prefix) int {
	switch {
	case l.Radio && p.Masked().Addr().Next() == p.Addr():
		return 0
	case l.Radio:
		return 1
	case strings.HasPrefix(l.Name, "eth"), strings.HasPrefix(l.Name, "en"):
		return 2
	}
	return 3
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
