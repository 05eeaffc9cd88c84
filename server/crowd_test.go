package server

import (
	"fmt"
	"net"
	"syscall"
	"testing"
)

// socket is a connection from an address that does nothing.
type socket struct {
	net.Conn
	from   string
	closed bool
}

func (s *socket) RemoteAddr() net.Addr {
	return &net.TCPAddr{IP: net.ParseIP(s.from), Port: 1}
}

func (s *socket) Close() error {
	s.closed = true
	return nil
}

// lines is how many of n connections from the addresses come in.
func lines(c *crowd, n int, from func(i int) string) (in []*line) {
	for i := range n {
		if l := c.enter(&socket{from: from(i)}); l != nil {
			in = append(in, l)
		}
	}
	return in
}

func always(ip string) func(int) string { return func(int) string { return ip } }

// TestCrowd: no address has more than its share, a phone with a network of
// addresses no more than that network's, and a full box still takes who has few.
func TestCrowd(t *testing.T) {
	var c crowd
	for _, x := range []struct {
		who  string
		from func(int) string
		want int
	}{
		{"a phone", always("192.168.4.7"), clientLines},
		{"a phone with IPv6", always("fd00::7"), clientLines},
		{"the same phone as IPv4 in IPv6", always("::ffff:192.168.4.7"), 0},
		{"a phone with many addresses", func(i int) string { return fmt.Sprintf("2001:db8::%x", i) }, networkShare * clientLines},
	} {
		if n := len(lines(&c, 2*maxLines, x.from)); n != x.want {
			t.Errorf("%s has %d connections, want %d", x.who, n, x.want)
		}
	}
	rest := maxLines - c.open
	if n := len(lines(&c, rest, always("127.0.0.1"))); n != rest {
		t.Errorf("the box itself has %d connections, want the %d that are left", n, rest)
	}
	if n := len(lines(&c, 3, always("192.168.4.8"))); n != 3 || c.open != maxLines {
		t.Errorf("a full box takes %d of 3 connections of a phone that has none, and has %d", n, c.open)
	}
	for _, g := range c.guests {
		for len(g.lines) > 0 {
			g.lines[0].Close()
		}
	}
	if c.open != 0 {
		t.Errorf("%d connections are left when all have gone", c.open)
	}
	for i := range 5 * maxGuests {
		for _, l := range lines(&c, 1, always(fmt.Sprintf("10.%d.%d.1", i/250, i%250))) {
			l.pays(1)
			l.Close()
		}
	}
	if len(c.guests) > maxGuests {
		t.Errorf("%d addresses are remembered", len(c.guests))
	}
}

// full is a listener of a system that has no socket to give, at first.
type full struct {
	net.Listener
	tries int
}

func (f *full) Accept() (net.Conn, error) {
	if f.tries++; f.tries < 3 {
		return nil, &net.OpError{Op: "accept", Err: syscall.EMFILE}
	}
	return &socket{from: "192.168.4.7"}, nil
}

// TestDoorWaits: when the system has no more sockets the box goes on later.
func TestDoorWaits(t *testing.T) {
	if conn, err := (door{&full{}, &crowd{}}).Accept(); err != nil || conn == nil {
		t.Errorf("accepted %v, %v", conn, err)
	}
}

// TestStrangersAreForgotten: forms of any number of devices leave little behind,
// and never at the cost of who sits at the table.
func TestStrangersAreForgotten(t *testing.T) {
	seated := hash([]byte("seated"))
	table := newTable(nil, "1", moment{doc: doc{People: []person{{Device: seated}}}})
	table.remember(seated[:deviceInKey]+"key", answer{})
	for i := range 5 * keptDevices {
		table.remember(hash(fmt.Append(nil, i))[:deviceInKey]+"key", answer{})
	}
	if len(table.keys) > keptDevices || len(table.answers) > keptDevices {
		t.Errorf("answers to %d devices are kept", len(table.keys))
	}
	if _, known := table.answers[seated[:deviceInKey]+"key"]; !known {
		t.Error("the answer to a seat is forgotten")
	}
}
