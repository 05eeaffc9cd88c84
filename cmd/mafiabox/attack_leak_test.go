package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

var addressIn = regexp.MustCompile(`(?:href|src|action|data-live|data-read|content|poster)="([^"]*)"`)

// TestAttackTraces plays an evening and searches what the program prints, the
// names of what it stores, and every address that it gives, for what nobody may
// read there: cookies, tokens, codes and roles.
func TestAttackTraces(t *testing.T) {
	t.Parallel()
	b := start(t)
	host, players := b.seated(7)
	otherHost, _ := b.secondTable()
	screen, owner := b.client(), b.client()
	screen.pair(host)
	owner.post("/box", form("code", "OWNER"))
	everybody := append([]*client{host, otherHost, screen, owner, b.client()}, players...)
	var addresses []string
	walk := func() {
		t.Helper()
		for _, c := range everybody {
			for _, path := range []string{"/", "/t/1", "/t/2", "/t/1/host", "/t/1/host?for=3", "/t/1/host/codes", "/t/2/host", "/host", "/box", "/screen", "/style", "/j/" + b.code(), "/j/" + b.code() + "?ticket=1", "/nothing", "/t/1/host/record.mafia"} {
				resp, err := c.http.Get(b.url + path)
				if err != nil {
					t.Fatal(err)
				}
				body, _ := io.ReadAll(resp.Body)
				resp.Body.Close()
				for _, m := range addressIn.FindAllSubmatch(body, -1) {
					addresses = append(addresses, string(m[1]))
				}
				for name, values := range resp.Header {
					if name != "Set-Cookie" {
						addresses = append(addresses, name+": "+strings.Join(values, " "))
					}
				}
			}
		}
	}
	redirected := func(c *client, path string, f url.Values) {
		t.Helper()
		c.forms++
		f.Set("key", c.token+fmt.Sprint("-walk", c.forms))
		resp, err := c.http.PostForm(b.url+path, f)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		addresses = append(addresses, resp.Header.Get("Location"))
	}
	host.get("/t/1/host")
	players[0].get("/t/1")
	walk()
	redirected(host, "/t/1/host/deal", byHand())
	walk()
	redirected(host, "/t/1/host/act", form("verb", "night"))
	redirected(players[0], "/t/1/night", form("p1", "4", "p2", "3"))
	redirected(players[0], "/t/1/night", form("p1", "1", "p2", "0"))
	var codes []string
	walk()
	codes = append(codes, host.ticket(1, 5), host.ticket(1, 6))
	fresh := b.client()
	fresh.get("/")
	redirected(fresh, "/j/"+b.code(), form("ticket", "1", "code", codes[1]))
	everybody = append(everybody, fresh)
	redirected(fresh, "/j/"+b.code(), form("ticket", "1", "code", "WRONGX"))
	redirected(fresh, "/join", form("code", b.code()))
	redirected(fresh, "/host", form("code", hostCode))
	redirected(fresh, "/box", form("code", "OWNER"))
	// What can't be read, with a cookie at its end.
	for _, bad := range []string{"GET /t/1 HTTP/1.1\r\nbroken\r\nHost: x\r\nCookie: ", "POST /t/1/act HTTP/9.9\r\nCookie: ", "\x16\x03\x01 Cookie: ", "GET /t/1 HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + strings.Repeat("x", 9000) + "\r\nCookie: "} {
		b.raw(bad + players[1].cookie() + "\r\n\r\n")
	}
	host.step("close")
	host.step("dawn")
	walk()
	b.kill()
	first := b.out.String()
	b.run()
	walk()
	host.step("end")
	host.post("/t/1/host/story", form())
	host.post("/t/1/host/next", form())
	walk()
	b.cmd.Process.Signal(syscall.SIGTERM)
	b.cmd.Wait()

	secrets := append(codes, hostCode, "OWNER", "ommissioner", "ivilian", "octor", "mafioso", "role=", " don\n", "=don")
	for _, c := range everybody {
		at, _ := url.Parse(b.url)
		for _, cookie := range c.http.Jar.Cookies(at) {
			if cookie.Name == "mafiabox" {
				token, _ := base64.RawURLEncoding.DecodeString(cookie.Value)
				sum := sha256.Sum256(token)
				device := hex.EncodeToString(sum[:])
				secrets = append(secrets, cookie.Value, hex.EncodeToString(token), base64.StdEncoding.EncodeToString(token), device, device[:16])
			}
		}
		if c.token != "" {
			secrets = append(secrets, c.token)
		}
	}
	if len(secrets) < 60 {
		t.Fatalf("only %d secrets", len(secrets))
	}
	search := func(where, text string) {
		t.Helper()
		for _, secret := range secrets {
			if at := strings.Index(text, secret); at >= 0 {
				t.Errorf("%s: %q in …%s…", where, secret, text[max(0, at-80):min(len(text), at+80)])
			}
		}
	}
	for _, out := range []string{first, b.out.String()} {
		for line := range strings.Lines(out) { // the welcome is for the host's eyes
			if !strings.HasPrefix(line, "Table ") && !strings.HasPrefix(line, "The host opens ") {
				search("what it prints", line)
			}
		}
	}
	if err := filepath.WalkDir(b.dir, func(path string, _ fs.DirEntry, err error) error {
		search("the name of a file", strings.TrimPrefix(path, b.dir))
		return err
	}); err != nil {
		t.Error(err)
	}
	seen := make(map[string]bool)
	for _, address := range addresses {
		if !seen[address] {
			seen[address] = true
			search("an address or header", address)
		}
	}
	if len(seen) < 50 {
		t.Errorf("only %d addresses", len(seen))
	}
}

// raw sends bytes as they are and gives the first answer's text.
func (b *box) raw(text string) string {
	b.t.Helper()
	conn, err := net.Dial("tcp", b.addr)
	if err != nil {
		b.t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(5 * time.Second))
	io.WriteString(conn, text)
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return "no answer: " + err.Error()
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	head := fmt.Sprintln(resp.StatusCode)
	for name, values := range resp.Header {
		head += name + ": " + strings.Join(values, ", ") + "\n"
	}
	return head + "\n" + string(body)
}

// TestAttackRawHosts writes requests by hand that a client's library would not:
// whichever way a foreign name is put, it gets nothing of the box.
func TestAttackRawHosts(t *testing.T) {
	t.Parallel()
	b := start(t)
	host, players := b.seated(5)
	host.dealUsualOf(5)
	cookie := players[0].cookie()
	players[0].get("/t/1")
	body := "verb=wait&key=" + players[0].token + "-raw"
	post := fmt.Sprintf("Content-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n", len(body))
	before := host.record()
	for name, c := range map[string]struct {
		text string
		want string // statuses
	}{
		"a foreign name":                {"GET /t/1 HTTP/1.1\r\nHost: evil.example\r\n", "421"},
		"its form":                      {"POST /t/1/act HTTP/1.1\r\nHost: evil.example\r\n" + post, "421"},
		"no name":                       {"GET /t/1 HTTP/1.1\r\n", "421 400"},
		"no name of old":                {"GET /t/1 HTTP/1.0\r\n", "421 400"},
		"an empty name":                 {"GET /t/1 HTTP/1.1\r\nHost:\r\n", "421 400"},
		"two names, its own last":       {"GET /t/1 HTTP/1.1\r\nHost: evil.example\r\nHost: " + b.addr + "\r\n", "400"},
		"two names, its own first":      {"GET /t/1 HTTP/1.1\r\nHost: " + b.addr + "\r\nhost: evil.example\r\n", "400"},
		"the own name in the target":    {"GET http://" + b.addr + "/t/1 HTTP/1.1\r\nHost: evil.example\r\n", "421 400"},
		"a foreign name in the target":  {"GET http://evil.example/t/1 HTTP/1.1\r\nHost: " + b.addr + "\r\n", "421 400"},
		"a foreign user in the target":  {"GET http://evil.example@" + b.addr + "/t/1 HTTP/1.1\r\nHost: evil.example\r\n", "421 400"},
		"the own name in the path":      {"GET /x://" + b.addr + "/t/1 HTTP/1.1\r\nHost: evil.example\r\n", "421 400"},
		"the own name without a scheme": {"GET //" + b.addr + "/t/1 HTTP/1.1\r\nHost: \r\n", "421 400"},
		"a user before the own name":    {"GET /t/1 HTTP/1.1\r\nHost: evil.example@" + b.addr + "\r\n", "421 400"},
		"the own name in other headers": {"GET /t/1 HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: " + b.addr + "\r\nForwarded: host=" + b.addr + "\r\nX-Forwarded-Server: localhost\r\n", "421"},
		"a name behind a tab":           {"GET /t/1 HTTP/1.1\r\nHost: " + b.addr + "\tevil.example\r\n", "421 400"},
		"a port that is none":           {"GET /t/1 HTTP/1.1\r\nHost: 127.0.0.1:80;script-src\r\n", "421 400"},
		"a folded name":                 {"GET /t/1 HTTP/1.1\r\nHost: evil.example\r\n " + b.addr + "\r\n", "421 400"},
		"the server's options":          {"OPTIONS * HTTP/1.1\r\nHost: evil.example\r\n", "421 400 405"},
		"a tunnel":                      {"CONNECT " + b.addr + " HTTP/1.1\r\nHost: evil.example\r\n", "421 400 405"},
		"a trace":                       {"TRACE /t/1 HTTP/1.1\r\nHost: evil.example\r\n", "421 400 405"},
		"a stream":                      {"GET /t/1/live?as=seat HTTP/1.1\r\nHost: evil.example\r\nOrigin: http://" + b.addr + "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n", "421"},
		"a request that can't be read":  {"GET /t/1 HTTP/1.1\r\nnonsense\r\nHost: " + b.addr + "\r\n", "400"},
		"headers without an end":        {"GET /t/1 HTTP/1.1\r\nHost: " + b.addr + "\r\nX: " + strings.Repeat("x", 20000) + "\r\n", "431"},
		"a body that is too long":       {"POST /t/1/act HTTP/1.1\r\nHost: " + b.addr + "\r\nContent-Length: 99999999\r\n", "413"},
	} {
		text := c.text + "Cookie: " + cookie + "\r\nConnection: close\r\n\r\n"
		if strings.Contains(c.text, "Upgrade") {
			text = c.text + "Cookie: " + cookie + "\r\n\r\n"
		}
		if strings.Contains(c.text, post) {
			text += body
		}
		answer := b.raw(text)
		status, _, _ := strings.Cut(answer, "\n")
		if !strings.Contains(c.want, status) {
			t.Errorf("%s: %s", name, answer)
			continue
		}
		for _, secret := range []string{"Player", "Don", "Set-Cookie", "Location", b.code(), players[0].token, "evil.example", "script-src\n", strings.TrimPrefix(cookie, "mafiabox=")} {
			if strings.Contains(answer, secret) {
				t.Errorf("%s: the answer has %q:\n%s", name, secret, answer)
			}
		}
		for _, must := range []string{"no-store", "default-src 'none'", "nosniff", "DENY"} {
			if !strings.Contains(answer, must) {
				t.Errorf("%s: the answer lacks %s:\n%s", name, must, answer)
			}
		}
		if status == "421" && !strings.Contains(answer, b.url) && strings.Contains(c.text, "GET") {
			t.Errorf("%s: it doesn't say where the box is:\n%s", name, answer)
		}
	}
	if now := host.record(); now != before {
		t.Errorf("the game changed: %q", actLines(before, now))
	}
}

// dealUsualOf deals to fewer people.
func (c *client) dealUsualOf(n int) {
	c.b.t.Helper()
	f := form("by", "hand")
	for i, role := range []string{"don", "doctor", "commissioner", "civilian", "civilian"}[:n] {
		f.Add(fmt.Sprint("role", i+1), role)
	}
	c.post("/t/1/host/deal", f)
}
