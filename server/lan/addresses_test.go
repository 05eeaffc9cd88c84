package lan

import (
	"log/slog"
	"net"
	"net/netip"
	"slices"
	"strings"
	"testing"
)

const up = net.FlagUp | net.FlagBroadcast | net.FlagMulticast | net.FlagRunning

// link is a link with these addresses, each in a network of the usual size.
func link(name string, flags net.Flags, addrs ...string) Link {
	l := Link{Name: name, Index: len(name), Flags: flags, Radio: strings.HasPrefix(name, "wl")}
	for _, a := range addrs {
		addr := netip.MustParseAddr(a)
		l.Addrs = append(l.Addrs, netip.PrefixFrom(addr, map[bool]int{true: 24, false: 64}[addr.Is4()]))
	}
	return l
}

func TestChoose(t *testing.T) {
	radioBridge := link("br0", up, "10.42.0.1")
	radioBridge.Radio = true
	going := link("eth0", up, "10.0.0.3", "fd00::4", "fd00::5")
	going.Going = []netip.Addr{netip.MustParseAddr("fd00::4")}
	lo := link("lo", net.FlagUp|net.FlagLoopback, "127.0.0.1", "::1")
	for _, c := range []struct {
		name  string
		links []Link
		want  []string
	}{
		{"nothing", nil, nil},
		{"loopback only", []Link{lo}, nil},
		{"the box's own radio", []Link{lo, link("wlan0", up, "192.168.4.1", "fe80::1")}, []string{"192.168.4.1"}},
		{"radio before cable", []Link{lo, link("eth0", up, "192.168.1.20"), link("wlan0", up, "10.42.0.1")}, []string{"10.42.0.1", "192.168.1.20"}},
		{"the radio that the box opens before the one that it joins", []Link{link("wlan0", up, "10.0.0.3"), link("wlan1", up, "10.42.0.1"), link("eth0", up, "10.1.0.1")}, []string{"10.42.0.1", "10.0.0.3", "10.1.0.1"}},
		{"an access point in a bridge", []Link{link("eth0", up, "10.0.0.3"), radioBridge}, []string{"10.42.0.1", "10.0.0.3"}},
		{"an address that is going", []Link{going}, []string{"10.0.0.3", "fd00::5", "fd00::4"}},
		{"names by place", []Link{link("usb0", up, "10.0.0.3"), link("enp3s0", up, "10.0.0.2"), link("wlp2s0", up, "10.0.0.1")}, []string{"10.0.0.1", "10.0.0.2", "10.0.0.3"}},
		{"down", []Link{link("wlan0", net.FlagBroadcast, "10.0.0.1"), link("eth0", up, "10.0.0.2")}, []string{"10.0.0.2"}},
		{"IPv4 first, wherever", []Link{link("wlan0", up, "2001:db8::5", "fd00::5"), link("eth0", up, "203.0.113.7")}, []string{"203.0.113.7", "fd00::5", "2001:db8::5"}},
		{"private first, wherever", []Link{link("wlan0", up, "203.0.113.7"), link("eth0", up, "172.16.0.9")}, []string{"172.16.0.9", "203.0.113.7"}},
		{"nobody gave an address", []Link{link("wlan0", up, "169.254.7.7"), link("eth0", up, "203.0.113.7")}, []string{"203.0.113.7", "169.254.7.7"}},
		{"containers and tunnels", []Link{
			link("docker0", up, "172.17.0.1"), link("br-0a1b2c3d4e5f", up, "172.18.0.1"), link("veth12ab", up, "172.17.0.2"),
			link("virbr0", up, "192.168.122.1"), link("tun0", up, "10.8.0.2"), link("tap1", up, "10.9.0.2"), link("wg0", up, "10.10.0.1"),
			link("tailscale0", up, "100.64.0.1"), link("ztabc", up, "10.147.0.1"), link("lxcbr0", up, "10.0.3.1"),
			link("podman0", up, "10.88.0.1"), link("cni0", up, "10.244.0.1"),
			link("corp", up|net.FlagPointToPoint, "10.77.0.1"), link("incusbr0", up, "10.1.0.1"), link("vboxnet0", up, "192.168.56.1"), link("dummy0", up, "10.2.0.1"),
			link("net0", up, "10.0.0.1"), link("br0", up, "10.0.0.2"), link("br-lan", up, "10.0.0.3"), link("macvlan0", up, "10.0.0.4"),
		}, []string{"10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4"}},
		{"not for phones", []Link{link("eth0", up, "0.0.0.0", "224.0.0.1", "255.255.255.255", "::", "ff02::1", "fe80::1")}, nil},
		{"twice the same", []Link{link("br0", up, "10.0.0.1"), link("eth0", up, "10.0.0.1")}, []string{"10.0.0.1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, a := range choose(c.links) {
				got = append(got, a.String())
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

// TestLook looks at this machine, whatever it has.
func TestLook(t *testing.T) {
	n := Look("mafia", netip.MustParseAddrPort("[::]:80"), slog.New(slog.DiscardHandler))
	addrs := n.Addresses()
	for _, a := range addrs[:len(addrs)-1] {
		if a.IsLoopback() || a.Is4In6() || a.Zone() != "" {
			t.Errorf("address %v", a)
		}
	}
	if last := addrs[len(addrs)-1].String(); last != "127.0.0.1" || n.Host() != "" {
		t.Errorf("the last is %s, its name %q", last, n.Host())
	}
	both := []Link{link("wlan0", up, "192.168.4.1", "fd00::1")}
	n = Look("mafia", netip.MustParseAddrPort("0.0.0.0:80"), slog.New(slog.DiscardHandler))
	if got := n.announced(both); len(n.reached(both)) != 2 || len(got) != 1 || len(got[0].Addrs) != 1 {
		t.Errorf("serving on IPv4 alone: %v, announced %v", n.reached(both), got)
	}
	all, err := links()
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range []string{"127.0.0.1:80", "[::ffff:192.0.2.1]:80"} {
		at := netip.MustParseAddrPort(one)
		n := Look("mafia", at, slog.New(slog.DiscardHandler))
		if got := n.Addresses(); len(got) != 1 || got[0] != at.Addr().Unmap() || len(n.announced(all)) > 0 {
			t.Errorf("serving on %s alone: %v, announced on %v", one, got, n.announced(all))
		}
	}
}

func TestURL(t *testing.T) {
	for _, c := range []struct {
		addr string
		port int
		path string
		want string
	}{
		{"192.168.4.1", 80, "/j/ABCDE", "http://192.168.4.1/j/ABCDE"},
		{"192.168.4.1", 8080, "/j/ABCDE", "http://192.168.4.1:8080/j/ABCDE"},
		{"192.168.4.1", 80, "", "http://192.168.4.1/"},
		{"192.168.4.1", 80, "j", "http://192.168.4.1/j"},
		{"fd00::5", 80, "/", "http://[fd00::5]/"},
		{"fd00::5", 8080, "/", "http://[fd00::5]:8080/"},
	} {
		if got := URL(netip.MustParseAddr(c.addr), c.port, c.path); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}
