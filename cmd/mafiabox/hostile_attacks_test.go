package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

// request is what a browser sends, as bytes.
func (c *client) request(method, path, body string, header ...string) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "%s %s HTTP/1.1\r\nHost: %s\r\n", method, path, c.b.addr)
	at, _ := url.Parse(c.b.url)
	for _, cookie := range c.http.Jar.Cookies(at) {
		fmt.Fprintf(&out, "Cookie: %s\r\n", cookie.String())
	}
	for i := 0; i+1 < len(header); i += 2 {
		fmt.Fprintf(&out, "%s: %s\r\n", header[i], header[i+1])
	}
	if method == http.MethodPost && !slices.Contains(header, "Content-Length") && !slices.Contains(header, "Transfer-Encoding") {
		fmt.Fprintf(&out, "Content-Length: %d\r\n", len(body))
	}
	if method == http.MethodPost && !slices.Contains(header, "Content-Type") {
		out.WriteString("Content-Type: application/x-www-form-urlencoded\r\n")
	}
	out.WriteString("\r\n" + body)
	return out.Bytes()
}

// upgrade asks for a stream.
func (c *client) upgrade(path string) []byte {
	return c.request("GET", path, "", "Upgrade", "websocket", "Connection", "Upgrade", "Sec-WebSocket-Version", "13", "Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==", "Origin", c.b.url)
}

// message is a frame of a stream, of which the client may lie about the size.
func message(kind byte, size uint64, text []byte) []byte {
	head := []byte{0x80 | kind, 0x80 | 127}
	head = binary.BigEndian.AppendUint64(head, size)
	return append(append(head, 0, 0, 0, 0), text...) // masked with nothing
}

// nightForms are forms of a night that are right in all but how many they are.
func (a *attacker) nightForms() (all [][]byte) {
	for range 1000 {
		all = append(all, a.seat.request("POST", "/t/1/night", a.seat.signed("do=none"), "Origin", a.b.url))
	}
	return all
}

// signed is a form with the token of the pages that the client was given.
func (c *client) signed(fields string) string {
	c.forms++
	return fmt.Sprintf("key=%s-%d&%s", c.token, c.forms, fields)
}

// nested is a multipart body in a multipart body in …
func nested(size int) string {
	var text strings.Builder
	for i := 0; text.Len() < size; i++ {
		fmt.Fprintf(&text, "--b%d\r\nContent-Disposition: form-data; name=\"a\"\r\nContent-Type: multipart/form-data; boundary=b%d\r\n\r\n", i, i+1)
	}
	return text.String()
}

// attacks are all that he knows, each with a part of its strength.
func (a *attacker) attacks(part int) []attack {
	b, stranger := a.b, a.b.client()
	stranger.get("/")
	live := a.seat.upgrade("/t/1/live?as=seat")
	half := []byte("GET / HTTP/1.1\r\nHost: " + b.addr + "\r\nX-Half")
	var parts strings.Builder
	for range 700 {
		parts.WriteString("--b0\r\nContent-Disposition: form-data; name=\"p1\"\r\n\r\n1\r\n")
	}
	lies := [][]byte{
		stranger.request("POST", "/host", strings.Repeat("a", 1<<20)),
		stranger.request("POST", "/host", "code=A", "Content-Length", "60000"),
		stranger.request("POST", "/host", "code=A", "Content-Length", "999999999999"),
		stranger.request("POST", "/host", "code=A", "Content-Length", "-5"),
		stranger.request("POST", "/host", strings.Repeat("b", 60000), "Content-Length", "4"),
		stranger.request("POST", "/host", strings.Repeat("1000\r\n"+strings.Repeat("c", 4096)+"\r\n", 64), "Transfer-Encoding", "chunked"),
		stranger.request("POST", "/host", strings.Repeat("1\r\nc\r\n", 60000), "Transfer-Encoding", "chunked"),
		stranger.request("POST", "/host", "1;"+strings.Repeat("x", 1<<18), "Transfer-Encoding", "chunked"),
		stranger.request("GET", "/", "", "X-Huge", strings.Repeat("h", 1<<18)),
		stranger.request("GET", "/"+strings.Repeat("p", 1<<16), ""),
		stranger.request("GET", "/", strings.Repeat("a: b\r\n", 1<<14)),
	}
	deep := [][]byte{
		a.seat.request("POST", "/t/1/act", a.seat.signed(strings.Repeat("seat=1&", 9000))),
		a.seat.request("POST", "/t/1/night", a.seat.signed(strings.Repeat("p1=1&", 10000))),
		stranger.request("POST", "/j/"+b.code(), stranger.signed(strings.Repeat("name=%ff&", 7000))),
		stranger.request("POST", "/j/"+b.code(), stranger.signed("name="+strings.Repeat("%E2%80%AE%cc%81\xff", 3000))),
		stranger.request("POST", "/j/"+b.code(), nested(60000), "Content-Type", "multipart/form-data; boundary=b0"),
		stranger.request("POST", "/host", parts.String()+"--b0--\r\n", "Content-Type", "multipart/form-data; boundary=b0"),
		stranger.request("POST", "/host", strings.Repeat("[", 60000), "Content-Type", "application/json"),
		stranger.request("GET", "/j/%ff%fe\xff?lang=%ff"+strings.Repeat("&a=1", 900), "", "Cookie", "lang=\xff\xfe"),
	}
	loud := [][]byte{
		message(1, 1<<62, bytes.Repeat([]byte{'a'}, 1<<16)),
		message(1, 1<<20, bytes.Repeat([]byte{'b'}, 1<<20)),
		message(1, 4, []byte("\xff\xfe\xff\xfe")),
		bytes.Repeat(message(9, 0, nil), 5000),
		bytes.Repeat(message(1, 1, []byte("c")), 5000),
	}
	return []attack{
		{"1000 sockets of one address", oneFiles, a.each(1000/part, oneAddress, a.hold(nil))},
		{"1000 sockets of 20 addresses", allFiles, a.each(1000/part, someAddresses, a.hold(nil))},
		{"1000 half headers", allFiles, a.each(1000/part, someAddresses, a.hold(half))},
		{"slow headers", allFiles, a.each(300/part, 3, a.drip("GET / HTTP/1.1\r\n", bytes.Repeat([]byte("x"), 60)))},
		{"slow bodies", allFiles, a.each(300/part, 3, a.drip(string(stranger.request("POST", "/host", "", "Content-Length", "1000")), bytes.Repeat([]byte("x"), 60)))},
		{"1000 deaf streams of a seat", allFiles, a.each(1000/part, 4, a.deaf(live, 0))},
		{"1000 deaf streams of a screen", oneFiles, a.each(1000/part, oneAddress, a.deaf(a.screen.upgrade("/screen/live"), 0))},
		{"loud streams", allFiles, func(ctx context.Context) {
			var all sync.WaitGroup
			for _, text := range loud {
				all.Go(func() { a.each(20/part, oneAddress, a.hold(append(slices.Clone(live), text...)))(ctx) })
			}
			all.Wait()
		}},
		{"bodies and headers that lie", allFiles, a.flood(100/part, 2, lies...)},
		{"deep bodies", allFiles, a.flood(100/part, 2, deep...)},
		{"pipelined requests", allFiles, a.each(40/part, oneAddress, a.hold(bytes.Repeat(a.seat.request("GET", "/t/1", ""), 3000)))},
		{"60 pages at the same moment", oneFiles, a.each(60/part, oneAddress, a.rush(a.seat.request("GET", "/t/1", "")))},
		{"pipelined and never read", allFiles, a.each(100/part, 2, a.deaf(bytes.Repeat(stranger.request("GET", "/static/video/awake.mp4", ""), 100), 0))},
		{"500 a second: GET /", oneFiles, a.flood(500/part, oneAddress, stranger.request("GET", "/", ""))},
		{"500 a second: GET /t/1", oneFiles, a.flood(500/part, oneAddress, a.seat.request("GET", "/t/1", ""))},
		{"500 a second: POST /t/1/night", oneFiles, func(ctx context.Context) {
			a.flood(500/part, oneAddress, a.nightForms()...)(ctx)
		}},
		{"500 a second: POST /host", oneFiles, a.flood(500/part, oneAddress, stranger.request("POST", "/host", stranger.signed("code=WRONGX"), "Origin", b.url))},
	}
}

// lazy opens connections on which next to nothing happens, and gives how to
// tell, later on, whether the box has ended each of them and kept little for it.
func (a *attacker) lazy() map[string]func() bool {
	gone := make(map[string]func() bool)
	for name, send := range map[string]string{
		"a slow header":      "GET / HTTP/1.1\r\n",
		"a slow body":        string(a.seat.request("POST", "/host", "", "Content-Length", "1000")),
		"a deaf reader":      strings.Repeat(string(a.seat.request("GET", "/static/css/mafiabox.css", "")), 1000),
		"a half-open stream": string(a.seat.upgrade("/t/1/live?as=seat")),
	} {
		conn, err := dialer("127.0.0.99").Dial("tcp", a.b.addr)
		if err != nil {
			a.b.t.Fatal(err)
		}
		a.b.t.Cleanup(func() { conn.Close() })
		go func() {
			conn.Write([]byte(send))
			for strings.Contains(name, "slow") {
				time.Sleep(time.Second)
				if _, err := conn.Write([]byte("x")); err != nil {
					return
				}
			}
		}()
		gone[name] = func() bool {
			conn.SetReadDeadline(time.Now().Add(3 * time.Second))
			n, err := io.Copy(io.Discard, conn)
			var late net.Error
			return n < 1<<20 && (!errors.As(err, &late) || !late.Timeout())
		}
	}
	return gone
}

// together is all of it at once: as many sockets and requests as before in one.
func (a *attacker) together() attack {
	return attack{"all of it", allFiles, func(ctx context.Context) {
		var all sync.WaitGroup
		for _, at := range a.attacks(10) {
			all.Go(func() { at.run(ctx) })
		}
		all.Wait()
	}}
}
