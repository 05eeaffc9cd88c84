package rehearsal

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/fasthttp/websocket"
	"golang.org/x/net/html"
)

type node = html.Node

// stream is a live page: what it shows now, and since when it shows each moment
// of the game.
type stream struct {
	b    *browser
	path string

	mu     sync.Mutex
	conn   *websocket.Conn
	awake  bool
	shown  string        // the page's main part
	of     string        // the moment of the game that it shows
	since  time.Time     // when it came to that
	try    int           // the latest to connect
	lives  int           // how often it was connected
	wake   chan struct{} // a frame has come
	reader sync.WaitGroup
}

func newStream(b *browser, path string) *stream {
	return &stream{b: b, path: path, wake: make(chan struct{}, 1)}
}

// silence is how long a stream that brings nothing is believed to be there: the
// box gives a sign of life every few seconds.
const silence = 15 * time.Second

var errDropped = errors.New("the stream was dropped meanwhile")

// connect opens the stream; the first frame is the page as it is now.
func (s *stream) connect(ctx context.Context) error {
	s.mu.Lock()
	s.try++
	try := s.try
	s.mu.Unlock()
	return s.reach(ctx, try)
}

// reach opens a connection, unless another try has begun since or the stream was dropped.
func (s *stream) reach(ctx context.Context, try int) error {
	at, err := url.Parse(s.b.box)
	if err != nil {
		return err
	}
	header := http.Header{"Origin": {s.b.box}, "Accept-Language": {"en"}}
	for _, cookie := range s.b.http.Jar.Cookies(at) {
		header.Add("Cookie", cookie.String())
	}
	if s.b.pace != nil {
		if err := s.b.pace.WaitN(ctx, 1); err != nil {
			return err
		}
	}
	dialer := websocket.Dialer{NetDialContext: s.b.dial.DialContext, HandshakeTimeout: answerWait}
	conn, _, err := dialer.DialContext(ctx, "ws"+strings.TrimPrefix(s.b.box, "http")+s.path, header)
	if err != nil {
		return err
	}
	conn.SetReadLimit(largest)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.try != try {
		conn.Close()
		return errDropped
	}
	s.conn, s.awake = conn, true
	s.lives++
	s.reader.Go(func() { s.read(ctx, conn, try) })
	return nil
}

func (s *stream) read(ctx context.Context, conn *websocket.Conn, try int) {
	for {
		conn.SetReadDeadline(time.Now().Add(silence))
		_, text, err := conn.ReadMessage()
		if err != nil {
			break
		}
		now := time.Now()
		_, shown, ok := strings.Cut(string(text), "\n")
		if !ok {
			continue // a sign of life
		}
		s.mu.Lock()
		s.shown = shown
		if of := momentOf(shown); of != s.of || s.since.IsZero() {
			s.of, s.since = of, now
		}
		s.mu.Unlock()
		s.signal()
	}
	s.mu.Lock()
	lost := s.try == try
	if lost {
		s.awake = false
	}
	s.mu.Unlock()
	if !lost || ctx.Err() != nil {
		return
	}
	s.b.count.add(func(r *Report) { r.Streams++ })
	for sleep(ctx, s.b.again/2) == nil {
		if err := s.reach(ctx, try); err == nil || errors.Is(err, errDropped) {
			return
		}
	}
}

func (s *stream) signal() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// drop loses the connection without a word, as a phone does that falls asleep.
func (s *stream) drop() {
	s.mu.Lock()
	conn := s.conn
	s.awake = false
	s.try++
	s.mu.Unlock()
	if conn != nil {
		conn.NetConn().Close()
	}
}

// close ends it for good.
func (s *stream) close() {
	s.drop()
	s.reader.Wait()
}

// now is what the page shows.
func (s *stream) now() *page {
	s.mu.Lock()
	shown := s.shown
	s.mu.Unlock()
	return parse(shown)
}

// moment is which moment of the game the page shows, and since when; life is
// how often it was connected, zero for a page that nobody looks at.
func (s *stream) moment() (of string, since time.Time, life int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.awake {
		return s.of, s.since, 0
	}
	return s.of, s.since, s.lives
}

// momentOf is the moment of the game that a page shows.
func momentOf(shown string) string {
	for _, mark := range []string{`data-of="`, `name="of" value="`} {
		if _, rest, ok := strings.Cut(shown, mark); ok {
			of, _, _ := strings.Cut(rest, `"`)
			return of
		}
	}
	return ""
}
