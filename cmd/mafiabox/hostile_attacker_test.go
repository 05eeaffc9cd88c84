package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// attacker is who sits at the table, has the table's screen, and other plans.
type attacker struct {
	b      *box
	seat   *client
	screen *client
	mu     sync.Mutex
	count  map[string]int // answers, by what they begin with
}

const (
	oneAddress, someAddresses = 1, 20
	oneFiles, allFiles        = 150, 580 // of the box: what its limits allow, its own and the table's
)

func newAttacker(t *testing.T, b *box, host *client) *attacker {
	a := &attacker{b: b, seat: b.client().at("127.0.0.2"), screen: b.client().at("127.0.0.2")}
	code := b.code()
	a.seat.post("/j/"+code, form("name", "Mallory", "key", "mallory"))
	pairing := regexp.MustCompile(`[A-Z]{4}\b`).FindAllString(mainPart.FindString(a.screen.get("/screen")), -1)
	for _, code := range pairing {
		if len(code) == 4 {
			host.ask("POST", "/t/1/host/screen", form("code", code))
		}
	}
	return a
}

// attack is something that is done to the box until the context ends.
type attack struct {
	name  string
	files int // that the box may have open
	run   func(ctx context.Context)
}

// begin runs an attack; end lets go of all it holds.
func (a *attacker) begin(at attack) (end func()) {
	a.mu.Lock()
	a.count = make(map[string]int)
	a.mu.Unlock()
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		at.run(ctx)
	}()
	return func() { stop(); <-done }
}

// said tells what the box answered.
func (a *attacker) said() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	var all []string
	for _, k := range slices.Sorted(maps.Keys(a.count)) {
		all = append(all, fmt.Sprint(k, ": ", a.count[k]))
	}
	return strings.Join(all, ", ")
}

func (a *attacker) note(answer string) {
	a.mu.Lock()
	a.count[answer]++
	a.mu.Unlock()
}

// from is the n-th of so many addresses.
func from(n, addresses int) string { return fmt.Sprintf("127.0.0.%d", 2+n%addresses) }

// each does something with each of many connections until the end. One that is
// closed is opened again a second later.
func (a *attacker) each(n, addresses int, do func(ctx context.Context, conn net.Conn)) func(context.Context) {
	return func(ctx context.Context) {
		var all sync.WaitGroup
		for i := range n {
			all.Go(func() {
				pause := time.Duration(i) * 500 * time.Microsecond
				for {
					select {
					case <-ctx.Done():
						return
					case <-time.After(pause):
					}
					pause = time.Second
					conn, err := dialer(from(i, addresses)).Dial("tcp", a.b.addr)
					if err != nil {
						a.note("not open")
						continue
					}
					end := context.AfterFunc(ctx, func() { conn.Close() })
					do(ctx, conn)
					end()
					conn.Close()
				}
			})
		}
		all.Wait()
	}
}

// hold sends something and then reads until the box ends it.
func (a *attacker) hold(send []byte) func(context.Context, net.Conn) {
	return func(ctx context.Context, conn net.Conn) {
		a.note("opened")
		conn.Write(send)
		io.Copy(io.Discard, conn)
	}
}

// deaf sends something, again and again if told so, and reads nothing.
func (a *attacker) deaf(send []byte, again int) func(context.Context, net.Conn) {
	return func(ctx context.Context, conn net.Conn) {
		conn.(*net.TCPConn).SetReadBuffer(4 << 10)
		a.note("opened")
		for range 1 + again {
			if _, err := conn.Write(send); err != nil {
				return
			}
		}
		select {
		case <-ctx.Done():
		case <-time.After(20 * time.Second):
		}
	}
}

// rush sends a request each second, on all connections at the same moment.
func (a *attacker) rush(request []byte) func(context.Context, net.Conn) {
	return func(ctx context.Context, conn net.Conn) {
		a.note("opened")
		go io.Copy(io.Discard, conn)
		for ctx.Err() == nil {
			time.Sleep(time.Until(time.Now().Truncate(time.Second).Add(time.Second)))
			if _, err := conn.Write(request); err != nil {
				return
			}
		}
	}
}

// drip sends a byte a second.
func (a *attacker) drip(at string, send []byte) func(context.Context, net.Conn) {
	return func(ctx context.Context, conn net.Conn) {
		a.note("opened")
		conn.Write([]byte(at))
		for _, c := range send {
			if _, err := conn.Write([]byte{c}); err != nil {
				return
			}
			select {
			case <-ctx.Done():
				return
			case <-time.After(time.Second):
			}
		}
	}
}

// flood sends so many requests a second, each on a connection of its own, and
// waits for no answer before the next.
func (a *attacker) flood(perSecond, addresses int, requests ...[]byte) func(context.Context) {
	return func(ctx context.Context) {
		tick := time.NewTicker(time.Second / time.Duration(perSecond))
		defer tick.Stop()
		var all sync.WaitGroup
		for i := 0; ; i++ {
			select {
			case <-ctx.Done():
				all.Wait()
				return
			case <-tick.C:
			}
			all.Go(func() {
				conn, err := dialer(from(i, addresses)).Dial("tcp", a.b.addr)
				if err != nil {
					a.note("not open")
					return
				}
				defer conn.Close()
				conn.SetDeadline(time.Now().Add(2 * time.Second))
				end := context.AfterFunc(ctx, func() { conn.Close() })
				defer end()
				go conn.Write(requests[i%len(requests)])
				var status [12]byte
				if _, err := io.ReadFull(conn, status[:]); err != nil {
					a.note("no answer")
					return
				}
				a.note(string(status[9:]))
			})
		}
	}
}
