package main

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// The tests here run the real program and speak to it as phones do.

var program string // built once

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "mafiabox")
	if err != nil {
		panic(err)
	}
	program = filepath.Join(dir, "mafiabox")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%s\n%v\n", out, err)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// box is the program running on a data folder.
type box struct {
	t    *testing.T
	dir  string
	addr string // the same after a restart
	url  string
	args []string
	env  []string
	cmd  *exec.Cmd
	out  *output
}

// output keeps what the program prints and tells when it is ready.
type output struct {
	mu    sync.Mutex
	text  bytes.Buffer
	ready chan string
}

func (o *output) read(r io.Reader) {
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		o.mu.Lock()
		fmt.Fprintln(&o.text, lines.Text())
		o.mu.Unlock()
		if url, ok := strings.CutPrefix(lines.Text(), "ready: "); ok {
			select {
			case o.ready <- strings.TrimSuffix(url, "/"):
			default:
			}
		}
	}
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

const hostCode = "SESAME"

// start runs a box on a folder of its own.
func start(t *testing.T, args ...string) *box {
	b := &box{t: t, dir: t.TempDir(), addr: "127.0.0.1:0", args: args}
	b.run()
	t.Cleanup(func() {
		if b.cmd.ProcessState == nil {
			b.kill()
		}
	})
	return b
}

func (b *box) run() {
	b.t.Helper()
	b.serve(b.command())
}

// command is that of the box.
func (b *box) command() *exec.Cmd {
	args := append([]string{"serve", "--listen", b.addr, "--data", filepath.Join(b.dir, "data"), "--panel", "sim", "--host-code", hostCode, "--owner-code", "OWNER"}, b.args...)
	return exec.Command(program, args...)
}

// launch starts a command that is to serve.
func (b *box) launch(cmd *exec.Cmd) {
	b.t.Helper()
	b.cmd = cmd
	b.cmd.Env = append(cmd.Environ(), b.env...)
	b.out = &output{ready: make(chan string, 1)}
	stdout, err := b.cmd.StdoutPipe()
	if err != nil {
		b.t.Fatal(err)
	}
	b.cmd.Stderr = &lockedWriter{o: b.out}
	if err := b.cmd.Start(); err != nil {
		b.t.Fatal(err)
	}
	go b.out.read(stdout)
}

// serve starts a command that is to serve, and waits until it does.
func (b *box) serve(cmd *exec.Cmd) *output {
	b.t.Helper()
	b.launch(cmd)
	select {
	case url := <-b.out.ready:
		if url != b.url { // else phones may be reading it
			b.url, b.addr = url, strings.TrimPrefix(url, "http://")
		}
	case <-time.After(patience):
		b.cmd.Process.Kill()
		b.t.Fatalf("the box is not ready:\n%s", b.out)
	}
	return b.out
}

type lockedWriter struct{ o *output }

func (w *lockedWriter) Write(p []byte) (int, error) {
	w.o.mu.Lock()
	defer w.o.mu.Unlock()
	return w.o.text.Write(p)
}

// kill is the pulled plug, as far as a process can be pulled.
func (b *box) kill() {
	b.cmd.Process.Signal(syscall.SIGKILL)
	b.cmd.Wait()
}

// client is one phone: a browser with its own cookies.
type client struct {
	b     *box
	http  *http.Client
	lang  string
	token string // of the forms on its pages
	forms int    // sent
}

func (b *box) client() *client {
	jar, _ := cookiejar.New(nil)
	return &client{b: b, lang: "en", http: &http.Client{
		Jar: jar, Timeout: 30 * time.Second,
		Transport:     &http.Transport{DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// ask does one request and gives status and body; err is a lost connection. A
// form's key gets the token of the pages that were seen before.
func (c *client) ask(method, path string, form url.Values, header ...string) (status int, body string, err error) {
	if form != nil && c.token == "" {
		c.ask("GET", "/", nil)
	}
	var text io.Reader
	if form != nil {
		form = maps.Clone(form)
		c.forms++
		form.Set("key", c.token+"-"+cmp.Or(form.Get("key"), fmt.Sprint(c.forms)))
		text = strings.NewReader(form.Encode())
	}
	r, err := http.NewRequest(method, c.b.url+path, text)
	if err != nil {
		return 0, "", err
	}
	r.Header.Set("Accept-Language", c.lang)
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Origin", c.b.url)
	}
	for i := 0; i+1 < len(header); i += 2 {
		if header[i] == "Host" {
			r.Host = header[i+1]
		}
		r.Header.Set(header[i], header[i+1])
	}
	resp, err := c.http.Do(r)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	all, err := io.ReadAll(resp.Body)
	if found := formToken.FindSubmatch(all); found != nil && form == nil {
		c.token = string(found[1])
	}
	return resp.StatusCode, string(all), err
}

var formToken = regexp.MustCompile(`name="key" value="([0-9a-f]{32})-`)

// get is a page that must be there.
func (c *client) get(path string) string {
	c.b.t.Helper()
	status, body, err := c.ask("GET", path, nil)
	if err != nil || status != 200 {
		c.b.t.Fatalf("GET %s: %d %v\n%s\n%s", path, status, err, body, c.b.out)
	}
	return body
}

// post is a form that must be accepted.
func (c *client) post(path string, form url.Values) {
	c.b.t.Helper()
	if status, body, err := c.send(path, form); err != nil || body != "" {
		c.b.t.Fatalf("POST %s %v: %d %v\n%s\n%s", path, form, status, err, body, c.b.out)
	}
}

// send sends a form as a page's script does. The body says why it was refused,
// and is empty when it was accepted.
func (c *client) send(path string, form url.Values) (status int, body string, err error) {
	status, body, err = c.ask("POST", path, form, "X-Mafiabox", "live")
	body = strings.TrimSpace(body)
	if body == "" && status != 200 && status != 204 && status != 303 {
		body = fmt.Sprint("status ", status)
	}
	return status, body, err
}

var (
	mainPart = regexp.MustCompile(`(?s)<main.*</main>`)
	anew     = regexp.MustCompile(`(value|data-key)="[0-9a-f]{32}-[A-Z]{16}[^"]*"|data-left="\d+"|(?s)<section class="box panel">.*?</section>`)
)

// page is what a page shows, without what is drawn anew each time.
func (c *client) page(path string) string {
	c.b.t.Helper()
	return anew.ReplaceAllString(mainPart.FindString(c.get(path)), "")
}

// form makes a form of pairs.
func form(pairs ...string) url.Values {
	f := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		f.Add(pairs[i], pairs[i+1])
	}
	return f
}

var joinCode = regexp.MustCompile(`join code ([A-Z]{5})`)

// code is the join code that the box printed.
func (b *box) code() string {
	b.t.Helper()
	found := joinCode.FindStringSubmatch(b.out.String())
	if found == nil {
		b.t.Fatalf("no join code printed:\n%s", b.out)
	}
	return found[1]
}

// seated is a host and so many players who have joined by the code.
func (b *box) seated(n int) (host *client, players []*client) {
	b.t.Helper()
	host = b.client()
	host.post("/host", form("code", hostCode))
	for i := range n {
		p := b.client()
		p.get("/j/" + b.code())
		p.post("/j/"+b.code(), form("name", fmt.Sprintf("Player %d", i+1), "key", fmt.Sprint("join", i)))
		players = append(players, p)
	}
	return host, players
}

// step is a host's act without arguments.
func (c *client) step(verb string) {
	c.b.t.Helper()
	c.post("/t/1/host/act", form("verb", verb))
}

// record is the running game's record, as its host may take it.
func (c *client) record() string { return c.get("/t/1/host/record.mafia") }
