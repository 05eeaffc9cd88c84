package lan

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/grandcat/zeroconf"
)

// Network is the box's place in the networks that it is in: the addresses under
// which phones reach it, and its name there. Both may change at any time.
type Network struct {
	name   string
	listen netip.AddrPort
	log    *slog.Logger

	mu     sync.Mutex
	addrs  []netip.Addr
	called string // the name in use, without its domain; empty: none
}

// Look looks at the network for a box that wants to be called name in local and
// serves on an address and port; an unspecified address stands for all. The box
// has no name until Follow has found it free.
func Look(name string, listen netip.AddrPort, log *slog.Logger) *Network {
	n := &Network{name: name, listen: netip.AddrPortFrom(listen.Addr().Unmap(), listen.Port()), log: log}
	now, _ := links() // what can't be read now is looked at again
	n.addrs = n.reached(now)
	return n
}

// Addresses are those under which the box is reached, the likeliest for phones
// first. Alone on its machine the box still serves, so there is always one.
func (n *Network) Addresses() []netip.Addr {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.addrs)
}

// Host is the name under which the box is found, such as mafia.local; empty
// while it has none.
func (n *Network) Host() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.called == "" {
		return ""
	}
	return n.called + ".local"
}

// Listen is the address and port on which the box serves; without an address it
// is on all of them.
func (n *Network) Listen() string {
	if n.listen.Addr().IsUnspecified() {
		return fmt.Sprint(":", n.Port())
	}
	return n.listen.String()
}

// Port is the port on which the box serves.
func (n *Network) Port() int { return int(n.listen.Port()) }

// Follow follows the network and calls changed when addresses or name are others.
// It tells the network the box's name, and that it has pages. It ends with ctx,
// when the goodbye is said. What fails is told to the log once and tried again.
func (n *Network) Follow(ctx context.Context, changed func()) {
	group := newGroup()
	defer group.close()
	host := newResponder(n.name, group.send)
	service := announcer{log: n.log, register: n.register}

	moved := moves(ctx)
	look := time.NewTimer(0)
	addrs, failure := n.Addresses(), ""
	for {
		var due <-chan time.Time
		if at := host.due(); !at.IsZero() {
			due = time.After(time.Until(at))
		}
		heard, looks := packet{}, false
		select {
		case <-ctx.Done():
			service.close()
			host.close()
			time.Sleep(100 * time.Millisecond)
			host.close() // again, as on a busy radio one is lost easily
			return
		case <-look.C:
			looks = true
		case <-moved:
			looks = true
		case heard = <-group.heard:
		case <-due:
		}
		now := time.Now()
		if looks {
			look.Reset(poll)
			found, err := links()
			if err == nil {
				var on []Link
				on, err = group.join(n.announced(found))
				host.follow(on, owned(found...), now)
				addrs = n.reached(found)
			}
			if err != nil && err.Error() != failure {
				n.log.Warn("lan: the network can't be followed everywhere, trying on", "err", err)
			}
			failure = text(err)
		}
		if heard.data != nil {
			host.hear(heard, now)
		}
		host.step(now)
		service.keep(host.holds(), host.inUse, now)
		if n.set(addrs, host.inUse) {
			changed()
		}
	}
}

// set keeps what holds now, and tells whether that is something else than before.
func (n *Network) set(addrs []netip.Addr, called string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if slices.Equal(addrs, n.addrs) && called == n.called {
		return false
	}
	if called != n.called {
		n.log.Info("lan: the box's name", "name", called, "wanted", n.name)
	}
	n.addrs, n.called = addrs, called
	return true
}

// served are the links with those of their addresses on which the box serves: all
// of them, those of IPv4, or one.
func (n *Network) served(all []Link) (list []Link) {
	at := n.listen.Addr()
	for _, l := range all {
		l.Addrs = slices.DeleteFunc(slices.Clone(l.Addrs), func(p netip.Prefix) bool {
			return p.Addr() != at && !(at.IsUnspecified() && (at.Is6() || p.Addr().Is4()))
		})
		list = append(list, l)
	}
	return list
}

// reached are the addresses under which the box is reached.
func (n *Network) reached(all []Link) []netip.Addr {
	if at := n.listen.Addr(); !at.IsUnspecified() {
		return []netip.Addr{at}
	}
	return append(choose(n.served(all)), netip.AddrFrom4([4]byte{127, 0, 0, 1}))
}

// announced are the links on which the box is announced: those where phones
// are, with an address for them, that carry multicast. One whose cable was pulled
// may lead elsewhere when it is back, where the name is asked for anew.
func (n *Network) announced(all []Link) (list []Link) {
	for _, l := range n.served(all) {
		if l.Flags&net.FlagMulticast != 0 && l.Flags&net.FlagRunning != 0 && len(l.usable()) > 0 {
			list = append(list, l)
		}
	}
	return list
}

// ServiceText is what the service says of itself: where its pages begin, and that
// it is a box, however it is called.
var ServiceText = []string{"txtvers=1", "path=/", Product}

// Product marks a box among the services of a network.
const Product = "product=mafiabox"

// register announces the box's pages through zeroconf. Without addresses it
// answers on each link with that link's own, so that a phone on the box's radio
// isn't sent to the cable's; but then also those that are going. On a single link it
// is given those that the name has.
func (n *Network) register(on []Link, called string) (func(), error) {
	var interfaces []net.Interface
	for _, l := range on {
		i, err := net.InterfaceByName(l.Name)
		if err != nil {
			return nil, err
		}
		interfaces = append(interfaces, *i)
	}
	var addrs []string
	if len(on) == 1 {
		for _, a := range on[0].named() {
			addrs = append(addrs, a.String())
		}
	}
	// The host goes without its domain: given mafia.local. it would announce
	// mafia.local.local. The service is called as the host, whose name is the
	// box's alone, as zeroconf doesn't ask whether a service's name is free.
	s, err := zeroconf.RegisterProxy(called, "_http._tcp", "local.", n.Port(), called, addrs, ServiceText, interfaces)
	if err != nil {
		return nil, err
	}
	return s.Shutdown, nil
}

// owned are all addresses of these links.
func owned(all ...Link) (addrs []netip.Addr) {
	for _, l := range all {
		addrs = append(addrs, addresses(l.Addrs)...)
	}
	return addrs
}

// addresses are those of prefixes.
func addresses(prefixes []netip.Prefix) (addrs []netip.Addr) {
	for _, p := range prefixes {
		addrs = append(addrs, p.Addr())
	}
	return addrs
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
