package server

import (
	"errors"
	"net"
	"net/netip"
	"slices"
	"sync"
	"syscall"
	"time"

	"golang.org/x/time/rate"
)

// Who may take how much of the box. Whoever is on the network can open sockets
// and send what he likes, so each address has a share that no honest phone
// comes near, and all of them together never get more than the machine bears.
//
// A browser opens six connections to a box and a stream for each page, and a
// whole table may sit behind one address when a router hides it: the shares are
// made for that table. The box's own address has no share, only its place among
// all: a screen or a proxy on it speaks for many.
const (
	maxLines      = 512              // open connections of the whole box
	clientLines   = 64               // of one address
	pacePerSecond = 40               // requests of one address
	paceBurst     = 120              // at once: a dozen phones that load a page and all it needs
	clientWorks   = 3                // requests and pushes of one address that are worked on at a time
	formPrice     = 4                // a form counts as so many requests: it is stored, and drawn for everybody
	held          = time.Second      // a refusal waits so long, as who doesn't wait for answers asks no faster for them
	maxGuests     = 2 * maxLines     // addresses remembered, with a connection or without
	networkShare  = 4                // an IPv6 network has the shares of so many phones
	lineBuffer    = 64 << 10         // bytes of a connection that the system keeps each way; by itself it keeps megabytes
	fullPause     = time.Second / 10 // between tries to accept while the system has no socket to give
)

// crowd is everybody who has a connection to the box, or had one just now.
type crowd struct {
	mu     sync.Mutex
	guests map[netip.Prefix]*guest
	open   int // connections
}

// guest is one address, or all of an IPv6 network, of whose addresses one phone
// may take as many as it likes.
type guest struct {
	share int     // of how many phones
	lines []*line // its connections, the oldest first
	pace  *rate.Limiter
	works chan struct{} // one for each request that is worked on
}

// line is a connection that somebody has to the box.
type line struct {
	net.Conn
	crowd *crowd
	of    []*guest // the address, and the network when it is IPv6
	own   bool     // the box's own: a screen on it, a proxy in front of it
	gone  bool
}

// door is the listener through which the crowd comes in.
type door struct {
	net.Listener
	crowd *crowd
}

// Accept waits for the next connection that may come in. The others are closed
// without a word: an answer would cost more than they are worth.
func (d door) Accept() (net.Conn, error) {
	for {
		conn, err := d.Listener.Accept()
		if errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) || errors.Is(err, syscall.ENOBUFS) || errors.Is(err, syscall.ENOMEM) {
			time.Sleep(fullPause) // returned to fasthttp it would end the box
			continue
		}
		if err != nil {
			return nil, err
		}
		tcp, _ := conn.(*net.TCPConn)
		l := d.crowd.enter(conn)
		if l == nil {
			if tcp != nil {
				tcp.SetLinger(0) // nothing of it stays in the system either
			}
			conn.Close()
			continue
		}
		if tcp != nil {
			tcp.SetReadBuffer(lineBuffer)
			tcp.SetWriteBuffer(lineBuffer)
		}
		return l, nil
	}
}

// enter gives a connection its place, or nil when there is none. When the box is
// full, who has the fewest goes first: it takes the place of the oldest
// connection of whoever has the most. So many addresses keep nobody out either.
func (c *crowd) enter(conn net.Conn) *line {
	c.mu.Lock()
	defer c.mu.Unlock()
	l := &line{Conn: conn, crowd: c}
	l.own, l.of = c.who(conn.RemoteAddr())
	for _, g := range l.of {
		if !l.own && len(g.lines) >= clientLines*g.share {
			return nil
		}
	}
	if c.open >= maxLines {
		most := l.of[0]
		for _, g := range c.guests {
			if g.share == 1 && len(g.lines) > len(most.lines) {
				most = g
			}
		}
		if most == l.of[0] {
			return nil
		}
		oldest := most.lines[0]
		oldest.Conn.Close()
		c.leave(oldest)
	}
	c.open++
	for _, g := range l.of {
		g.lines = append(g.lines, l)
	}
	return l
}

// who is the guest of an address.
func (c *crowd) who(addr net.Addr) (own bool, of []*guest) {
	var ip netip.Addr
	if tcp, ok := addr.(*net.TCPAddr); ok {
		ip = tcp.AddrPort().Addr().Unmap().WithZone("")
	}
	if !ip.IsValid() {
		ip = netip.IPv4Unspecified()
	}
	if len(c.guests)+2 > maxGuests {
		c.forget() // before, as who comes has no connection yet
	}
	own = ip == netip.AddrFrom4([4]byte{127, 0, 0, 1}) || ip == netip.IPv6Loopback()
	of = append(of, c.guest(netip.PrefixFrom(ip, ip.BitLen()), 1))
	if ip.Is6() {
		network, _ := ip.Prefix(64)
		of = append(of, c.guest(network, networkShare))
	}
	return own, of
}

func (c *crowd) guest(of netip.Prefix, share int) *guest {
	if g := c.guests[of]; g != nil {
		return g
	}
	if c.guests == nil {
		c.guests = make(map[netip.Prefix]*guest)
	}
	g := &guest{
		share: share,
		pace:  rate.NewLimiter(rate.Limit(pacePerSecond*share), paceBurst*share),
		works: make(chan struct{}, clientWorks*share),
	}
	c.guests[of] = g
	return g
}

// forget drops those who have no connection: who has rested, or else all.
func (c *crowd) forget() {
	before := len(c.guests)
	for of, g := range c.guests {
		if len(g.lines) == 0 && g.pace.Tokens() >= float64(g.pace.Burst()) {
			delete(c.guests, of)
		}
	}
	if len(c.guests) < before {
		return
	}
	for of, g := range c.guests {
		if len(g.lines) == 0 {
			delete(c.guests, of)
		}
	}
}

// leave takes a connection from those who have it; the lock is held.
func (c *crowd) leave(l *line) {
	if l.gone {
		return
	}
	l.gone = true
	c.open--
	for _, g := range l.of {
		g.lines = slices.DeleteFunc(g.lines, func(other *line) bool { return other == l })
	}
}

// Close ends the connection, also one that became a stream.
func (l *line) Close() error {
	l.crowd.mu.Lock()
	l.crowd.leave(l)
	l.crowd.mu.Unlock()
	return l.Conn.Close()
}

// pays tells whether the address may ask for something of that price now.
func (l *line) pays(price int) bool {
	if l.own {
		return true
	}
	now, ok := time.Now(), true // not the box's clock, which tests move
	for _, g := range l.of {
		ok = g.pace.AllowN(now, price) && ok
	}
	return ok
}

// work waits until the address has few enough requests worked on. All of them
// share the processors, so who sends many at once would else have most of them.
func (l *line) work(closing <-chan struct{}) (done func()) {
	if l == nil || l.own {
		return func() {}
	}
	got := 0
	done = func() {
		for _, g := range l.of[:got] {
			<-g.works
		}
	}
	for _, g := range l.of {
		select {
		case g.works <- struct{}{}:
			got++
		case <-closing:
			return done
		}
	}
	return done
}
