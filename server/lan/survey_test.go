package lan

import (
	"net"
	"net/netip"
	"reflect"
	"testing"
)

func TestSurvey(t *testing.T) {
	addrs := func(texts ...string) (list []netip.Addr) {
		for _, text := range texts {
			list = append(list, netip.MustParseAddr(text))
		}
		return list
	}
	down := link("eth0", 0, "10.0.0.1")
	got := survey([]Link{
		link("lo", net.FlagUp|net.FlagLoopback, "127.0.0.1"), link("wlan0", up, "192.168.77.1", "fe80::1"), link("docker0", up, "172.17.0.1"),
		link("wg0", net.FlagUp|net.FlagPointToPoint, "10.8.0.1"), down, link("eth1", up),
	})
	want := []Place{
		{Name: "lo", Addrs: addrs("127.0.0.1")},
		{Name: "wlan0", Addrs: addrs("192.168.77.1", "fe80::1"), Phones: addrs("192.168.77.1")},
		{Name: "docker0", Addrs: addrs("172.17.0.1"), Inner: true},
		{Name: "wg0", Addrs: addrs("10.8.0.1"), Inner: true},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
}
