package lan

import (
	"net"
	"net/netip"
)

// Place is a network interface that is up, and what the box makes of it.
type Place struct {
	Name   string
	Addrs  []netip.Addr
	Phones []netip.Addr // those of them that phones reach and a code can hold
	Inner  bool         // no phone sits behind it: it belongs to containers or a tunnel
}

// Survey describes the machine's interfaces, and lists the addresses that phones
// can reach, the likeliest first.
func Survey() ([]Place, []netip.Addr) {
	now, _ := links() // what can't be read isn't there for the box either
	return survey(now), choose(now)
}

func survey(links []Link) (list []Place) {
	for _, l := range links {
		if l.Flags&net.FlagUp != 0 && len(l.Addrs) > 0 {
			list = append(list, Place{l.Name, owned(l), addresses(l.usable()), !l.reachable() && l.Flags&net.FlagLoopback == 0})
		}
	}
	return list
}
