package main

import (
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/fasthttp/websocket"
)

const (
	honestPhones = 12
	tries        = 5   // rounds of one attack at the most
	mostSlower   = 5   // how much longer the slowest hundredth may take under an attack
	mostMemory   = 128 // MB
	grown        = 1.2 // of the memory before, once the attacks are over
)

// TestHostile: while somebody on the network does what he can to a box, the
// phones at its table are answered nearly as fast as before, none is turned
// away, each act counts, and the box stays small.
func TestHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	long := time.Duration(1)
	if os.Getenv("MAFIABOX_LONG") != "" {
		long = 2
	}
	if os.MkdirAll("/dev/shm/mafiabox-test", 0o700) == nil {
		t.Setenv("TMPDIR", "/dev/shm/mafiabox-test") // a disk that others use tells nothing of the box
	}
	b := start(t)
	first(b.cmd.Process.Pid)
	first(os.Getpid())
	h := newHonest(t, b)
	a := newAttacker(t, b, h.host)
	h.players = append(h.players, a.seat)
	let := a.lazy()
	began := time.Now()
	memory := b.watchMemory()
	h.night(2*time.Second*long, func() {}) // warms the box up
	h.undisturbed(2 * time.Second * long)
	before := memory.top.Load() // the store's own table fills and empties with any play
	for _, attack := range append(a.attacks(1), a.together()) {
		t.Run(attack.name, func(t *testing.T) {
			h.under(t, a, attack, memory, long)
		})
	}
	t.Logf("undisturbed: acts %v, pages %v, in %d rounds", h.usual(0), h.usual(1), len(h.calm[0]))
	after := memory.now()
	for end := time.Now().Add(30 * time.Second); float64(after) > grown*float64(before) && time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		after = memory.now()
	}
	t.Logf("memory: %d MB before, %d MB after", before>>10, after>>10)
	if float64(after) > grown*float64(before) {
		t.Errorf("the box took %d kB before the attacks and keeps %d kB", before, after)
	}
	t.Run("next to nothing", func(t *testing.T) {
		time.Sleep(time.Until(began.Add(42 * time.Second)))
		for name, gone := range let {
			if !gone() {
				t.Errorf("%s is still let in", name)
			}
		}
	})
	for i, s := range h.streams {
		select {
		case <-s.done:
			t.Errorf("the page of phone %d lost its stream", i+1)
		default:
		}
	}
	if text := b.out.String(); len(text) > 20_000 {
		t.Errorf("the attacks left %d bytes in the log:\n%s", len(text), text[:2000])
	}
}

// under compares nights under an attack with those between.
func (h *honest) under(t *testing.T, a *attacker, attack attack, memory *memory, long time.Duration) {
	var slower [2]float64
	memory.top.Store(0)
	memory.files.Store(0)
	for try := 1; ; try++ { // other work on this machine falls into single rounds, what an attack does shows in each
		h.undisturbed(800 * time.Millisecond * long)
		var stop func()
		wild := h.night(1200*time.Millisecond*long, func() {
			stop = a.begin(attack)
			time.Sleep(500 * time.Millisecond) // until it stands
		})
		stop()
		for i := range wild {
			slower[i] = float64(p99(wild[i])) / float64(h.usual(i))
		}
		t.Logf("acts %8v = %4.1f, pages %8v = %4.1f; %3d MB, %3d files; %s", p99(wild[0]), slower[0], p99(wild[1]), slower[1], memory.top.Load()>>10, memory.files.Load(), a.said())
		if max(slower[0], slower[1]) <= mostSlower || try == tries {
			break
		}
	}
	if max(slower[0], slower[1]) > mostSlower {
		t.Errorf("acts take %.1f and pages %.1f times as long as undisturbed", slower[0], slower[1])
	}
	if n := memory.files.Load(); n > int64(attack.files) {
		t.Errorf("the box has %d files open", n)
	}
	if mb := memory.top.Load() >> 10; mb > mostMemory {
		t.Errorf("the box takes %d MB", mb)
	}
}

// first lets a process go before the others on this machine, where that is
// allowed: what they do is not what is measured.
func first(pid int) {
	threads, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	for _, thread := range threads {
		id, _ := strconv.Atoi(thread.Name())
		_ = syscall.Setpriority(syscall.PRIO_PROCESS, id, -10)
	}
}

// honest is a table of phones that play.
type honest struct {
	*evening
	streams []*stream
	calm    [2][]time.Duration // the p99 of acts and of pages in each undisturbed night
}

// at gives a phone an address of its own.
func (c *client) at(ip string) *client {
	c.http.Transport = &http.Transport{DisableKeepAlives: true, DialContext: dialer(ip).DialContext}
	return c
}

func dialer(ip string) *net.Dialer {
	return &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(ip)}, Timeout: 5 * time.Second}
}

func newHonest(t *testing.T, b *box) *honest {
	host, players := b.seated(honestPhones)
	for i, p := range append(slices.Clone(players), host) {
		p.at(fmt.Sprintf("127.0.1.%d", i+1))
	}
	h := &honest{evening: &evening{T: t, b: b, host: host, players: players, rng: rand.New(rand.NewPCG(1, 2))}}
	for i, p := range players {
		s := p.dialFrom(fmt.Sprintf("127.0.1.%d", i+1), "/t/1/live?as=seat")
		h.streams = append(h.streams, s)
	}
	return h
}

// night is a night of one game in which every phone changes its mind for so
// long; begun is called before. It gives what acts and pages took.
func (h *honest) night(length time.Duration, begun func()) (took [2][]time.Duration) {
	h.T.Helper()
	h.deal()
	h.host.step("night")
	living := h.living()
	begun()
	var mu sync.Mutex
	var sending sync.WaitGroup
	end := time.Now().Add(length)
	sent := make([][]string, honestPhones)
	for i, p := range h.players[:honestPhones] {
		rng := rand.New(rand.NewPCG(uint64(i), uint64(h.forms)))
		own := &evening{T: h.T, roles: h.roles, rng: rng}
		sending.Go(func() {
			time.Sleep(time.Duration(rng.IntN(150)) * time.Millisecond)
			for n := 0; time.Now().Before(end); n++ {
				picks := own.picks(i+1, living)
				began := time.Now()
				status, body, err := p.ask("POST", "/t/1/night", form("p1", picks[0], "p2", picks[1], "key", fmt.Sprint("night", n, began.UnixNano()), "do", button(picks)))
				act := time.Since(began)
				if err != nil || status != 303 {
					h.T.Errorf("phone %d's act: %d %v\n%s", i+1, status, err, body)
				} else {
					sent[i] = append(sent[i], picks...)
				}
				began = time.Now()
				status, body, err = p.ask("GET", "/t/1", nil)
				page := time.Since(began)
				if err != nil || status != 200 {
					h.T.Errorf("phone %d's page: %d %v\n%s", i+1, status, err, body)
				}
				mu.Lock()
				took[0], took[1] = append(took[0], act), append(took[1], page)
				mu.Unlock()
				time.Sleep(time.Duration(120+rng.IntN(60)) * time.Millisecond)
			}
		})
	}
	sending.Wait()
	rec := h.host.record()
	for i, picks := range sent {
		var named []string
		for _, l := range regexp.MustCompile(fmt.Sprintf(`(?m)^%d \w+ .*$`, i+1)).FindAllString(rec, -1) {
			words, _, _ := strings.Cut(l, " @")
			named = append(named, strings.Fields(words)[2:]...)
		}
		if !slices.Equal(named, picks) {
			h.T.Errorf("phone %d named %v and the record has %v", i+1, picks, named)
		}
	}
	h.host.step("end")
	h.host.post("/t/1/host/next", form())
	return took
}

// undisturbed is a night without an attack.
func (h *honest) undisturbed(length time.Duration) {
	h.T.Helper()
	for i, took := range h.night(length, func() {}) {
		h.calm[i] = append(h.calm[i], p99(took))
	}
}

// usual is the p99 of acts or pages in the middle one of the undisturbed nights;
// or in the last one when that was slower, as then the machine has other work.
func (h *honest) usual(i int) time.Duration {
	all := slices.Sorted(slices.Values(h.calm[i]))
	return max(all[len(all)/2], h.calm[i][len(h.calm[i])-1])
}

// p99 is what the slowest hundredth takes at least.
func p99(all []time.Duration) time.Duration {
	if len(all) == 0 {
		return time.Hour
	}
	all = slices.Sorted(slices.Values(all))
	return all[(len(all)*99-1)/100].Round(10 * time.Microsecond)
}

// dialFrom opens a stream from an address.
func (c *client) dialFrom(ip, path string) *stream {
	c.b.t.Helper()
	was := websocket.DefaultDialer
	websocket.DefaultDialer = &websocket.Dialer{NetDialContext: dialer(ip).DialContext}
	defer func() { websocket.DefaultDialer = was }()
	s, status := c.dial(path, c.b.url)
	if s == nil {
		c.b.t.Fatalf("no stream: %d", status)
	}
	return s
}

// memory watches what the box takes.
type memory struct {
	b     *box
	top   atomic.Int64 // kB, the most that was seen
	files atomic.Int64 // the most that were open, sockets among them
}

func (b *box) watchMemory() *memory {
	m, over := &memory{b: b}, make(chan struct{})
	b.t.Cleanup(func() { close(over) })
	go func() {
		for {
			select {
			case <-over:
				return
			case <-time.After(20 * time.Millisecond):
				m.top.Store(max(m.top.Load(), m.now()))
				files, _ := os.ReadDir(fmt.Sprintf("/proc/%d/fd", b.cmd.Process.Pid))
				m.files.Store(max(m.files.Load(), int64(len(files))))
			}
		}
	}()
	return m
}

var resident = regexp.MustCompile(`VmRSS:\s+(\d+)`)

// now is what the process has of the memory, in kB.
func (m *memory) now() int64 {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", m.b.cmd.Process.Pid))
	if found := resident.FindSubmatch(text); found != nil {
		kb, _ := strconv.ParseInt(string(found[1]), 10, 64)
		return kb
	}
	return 0
}
