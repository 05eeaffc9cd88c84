package main

import (
	"net"
	"sync"
	"time"
)

// lent is the listener for one box. Phones keep their address while one box
// closes and the next one opens: what is closed is the loan, and who comes
// meanwhile waits for the next.
type lent struct {
	*net.TCPListener
	back chan struct{}
	once *sync.Once
}

func lend(l *net.TCPListener) lent {
	l.SetDeadline(time.Time{})
	return lent{l, make(chan struct{}), new(sync.Once)}
}

// Accept waits for the next connection, until the listener was given back.
func (l lent) Accept() (net.Conn, error) {
	conn, err := l.TCPListener.Accept()
	select {
	case <-l.back:
		if err == nil {
			conn.Close() // too late: its phone asks again
		}
		return nil, net.ErrClosed // a timeout would be waited out
	default:
		return conn, err
	}
}

// Close gives it back.
func (l lent) Close() error {
	l.once.Do(func() { close(l.back) })
	return l.SetDeadline(time.Now()) // ends the Accept that waits
}
