package server

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/server/store"
)

func (f *flaky) fail(err error) {
	f.mu.Lock()
	f.broken, f.err = err != nil, err
	f.mu.Unlock()
}

// live sends a form as a page's script does.
func (br *browser) live(path string, pairs ...string) *http.Response {
	br.Helper()
	form := url.Values{"key": {br.key()}}
	for i := 0; i+1 < len(pairs); i += 2 {
		form.Set(pairs[i], pairs[i+1])
	}
	r := httptest.NewRequest("POST", path, strings.NewReader(form.Encode()))
	r.Host = "192.168.4.1:8080"
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Cookie", br.cookie)
	r.Header.Set("X-Mafiabox", "live")
	resp, err := br.b.app.Test(r, 20000)
	if err != nil {
		br.Fatal(err)
	}
	return resp
}

// TestTroublePages: what can't be stored is refused with a page that says what
// is wrong, that nothing was done and what to do; nobody sees anything else than
// before, the panel and the owner are told, and the next form is accepted.
func TestTroublePages(t *testing.T) {
	for kind, of := range map[string]struct {
		err    error
		en, ru string
	}{
		diskFull:    {fmt.Errorf("%w: 12 MiB free at /secret", store.ErrFull), "The box&#39;s card is full", "Карта памяти коробки заполнена"},
		diskLocked:  {fmt.Errorf("badger err: %s", syscall.EROFS.Error()), "takes no writing", "не даёт записывать"},
		diskFailing: {&net.OpError{Op: "write", Err: syscall.EIO}, "answers with an error", "ответила ошибкой"},
		diskUnknown: {errors.New("strange"), "could not store this", "не смогла это сохранить"},
	} {
		t.Run(kind, func(t *testing.T) {
			disk := &flaky{Store: store.Memory()}
			s := besiege(t, func(c *Config) { c.Store = disk })
			s.night()
			cues := make(chan Cue, 100)
			go s.b.WatchPanel(func(c Cue) { cues <- c }, func(Cue) {}, func(bool) {})
			wait := func(want Cue) {
				t.Helper()
				for {
					select {
					case cue := <-cues:
						if cue == want {
							return
						}
					case <-time.After(5 * time.Second):
						t.Fatalf("the panel doesn't show %q", want)
					}
				}
			}
			wait(CueNight)
			before, record := s.state(), s.host.must("GET", "/t/1/host/record.mafia", 200)
			if page := s.owner.must("GET", "/box", 200); strings.Contains(page, "store just now") {
				t.Error("the owner is told of trouble where there is none")
			}
			disk.fail(of.err)
			for lang, want := range map[string]string{"en": of.en, "ru": of.ru} {
				none := map[string]string{"en": "nothing was done", "ru": "ничего не сделано"}[lang]
				// a player's form, told on his next page
				s.player.must("POST", "/t/1/night?lang="+lang, 303, "p1", "2", "p2", "0")
				page := s.player.must("GET", "/t/1?lang="+lang, 200)
				if !strings.Contains(page, want) || !strings.Contains(page, none) {
					t.Errorf("%s: the player reads no %q and %q", lang, want, none)
				}
				// a form outside of a game, which is answered at once
				page = s.other.must("POST", "/t/2/host/rules?lang="+lang, 503, "rules", "sport")
				if !strings.Contains(page, want) || !strings.Contains(page, none) {
					t.Errorf("%s: the host reads no %q and %q:\n%s", lang, want, none, page)
				}
				page = s.owner.must("POST", "/box/tables?lang="+lang, 503)
				if !strings.Contains(page, want) || !strings.Contains(page, none) {
					t.Errorf("%s: the owner reads no %q and %q:\n%s", lang, want, none, page)
				}
			}
			if now := s.state(); strings.ReplaceAll(now, "told", "") != before {
				t.Errorf("something was done: %s", changed(before, now))
			}
			if now := s.host.must("GET", "/t/1/host/record.mafia", 200); now != record {
				t.Errorf("the record has changed:\n%s", now)
			}
			wait(CueTrouble)
			page := s.owner.must("GET", "/box?lang=en", 200)
			if !strings.Contains(page, "store just now") || !strings.Contains(page, "The system says") {
				t.Errorf("the owner is not told:\n%s", page)
			}
			if kind == diskFull && strings.Contains(s.stranger.must("GET", "/box", 200), "MiB") {
				t.Error("a stranger reads what the system says")
			}
			disk.fail(nil)
			s.player.must("POST", "/t/1/night", 303, "p1", "2", "p2", "0")
			wait(CueNight)
			if page := s.owner.must("GET", "/box", 200); strings.Contains(page, "store just now") {
				t.Error("the owner is told of trouble that is over")
			}
		})
	}
}

// TestTroubleEnds: a box in trouble finds out by itself that the disk is well.
func TestTroubleEnds(t *testing.T) {
	t.Parallel()
	disk := &flaky{Store: store.Memory()}
	b, table, _ := dealt(t, disk, 7)
	disk.fail(store.ErrFull)
	if err := act(table, "", night1); !errors.Is(err, errStorage) {
		t.Fatal(err)
	}
	disk.fail(nil)
	for deadline := time.Now().Add(2 * probeBeats * nightBeat); b.trouble.Load() != nil; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it is still in trouble")
		}
	}
}

// TestReopened: when the store has stopped, it is open what became of a form. So
// nobody is told that nothing was done: the form comes again with its key to the
// box that opens the store anew, which knows who everybody is.
func TestReopened(t *testing.T) {
	for _, stored := range []bool{false, true} {
		disk := &stopping{Store: store.Memory()}
		s := besiege(t, func(c *Config) { c.Store = disk })
		s.night()
		acts := len(s.b.Tables()[0].now.Load().game.Log())
		disk.stop, disk.after = true, stored
		key := s.player.key()
		for range 2 { // the second is refused by a store that has stopped
			resp := s.player.live("/t/1/night", "key", key, "p1", "2", "p2", "0")
			if resp.StatusCode != 503 || resp.Header.Get("Retry-After") == "" {
				t.Errorf("the script hears %s", resp.Status)
			}
		}
		for lang, want := range map[string]string{"en": "may have counted or not", "ru": "могло засчитаться, а могло и нет"} {
			page := s.player.must("POST", "/t/1/night?lang="+lang, 503, "p1", "2", "p2", "0")
			if !strings.Contains(page, want) || strings.Contains(page, "othing was done") {
				t.Errorf("the page says nothing of it:\n%s", page)
			}
			if !strings.Contains(page, `http-equiv="refresh"`) {
				t.Error("the page doesn't come again by itself")
			}
		}
		select {
		case err := <-s.b.Failed():
			if !errors.Is(err, store.ErrStopped) {
				t.Error(err)
			}
		default:
			t.Fatal("nobody is told that the store has failed")
		}
		codes := []string{s.b.OwnerCode(), s.b.HostCode(s.b.Tables()[0]), s.b.HostCode(s.b.Tables()[1])}
		s.b.Close()
		disk.stop = false
		config := s.b.cfg
		config.Before, config.OwnerCode, config.HostCode = s.b, "", ""
		again, err := Open(config)
		if err != nil {
			t.Fatal(err)
		}
		s.b = again
		if now := []string{again.OwnerCode(), again.HostCode(again.Tables()[0]), again.HostCode(again.Tables()[1])}; !slices.Equal(now, codes) {
			t.Errorf("the codes were %v and are %v", codes, now)
		}
		for _, who := range []*browser{s.player, s.host, s.owner} {
			who.b = again
		}
		for range 2 {
			if resp := s.player.live("/t/1/night", "key", key, "p1", "2", "p2", "0"); resp.StatusCode != 200 {
				t.Errorf("the form that came again got %s", resp.Status)
			}
		}
		if log := again.Tables()[0].now.Load().game.Log(); len(log) != acts+1 {
			t.Errorf("stored %v: %d acts more, want one: %+v", stored, len(log)-acts, log)
		}
		s.host.must("GET", "/t/1/host", 200)
		if page := s.owner.must("GET", "/box", 200); !strings.Contains(page, again.Tables()[0].Code()) {
			t.Error("the owner is nobody any more")
		}
	}
}

// stopping is a store that stops, before it has stored something or after.
type stopping struct {
	store.Store
	stop, after bool
}

func (s *stopping) Commit(changes ...store.Change) error {
	if !s.stop {
		return s.Store.Commit(changes...)
	}
	if s.after {
		s.after = false
		s.Store.Commit(changes...)
	}
	return store.ErrStopped
}

// TestWaiting: a box without a store says so on every page, in both languages,
// and nothing else; systems hear that the network is well, the panel is told.
func TestWaiting(t *testing.T) {
	s := besiege(t)
	config := openConfig()
	config.Before = s.b
	b, err := Waiting(config, fmt.Errorf("%w at /secret", store.ErrFull))
	if err != nil {
		t.Fatal(err)
	}
	cues := make(chan Cue, 1)
	go b.WatchPanel(func(c Cue) { cues <- c }, func(Cue) {}, func(bool) {})
	if cue := <-cues; cue != CueTrouble || b.Press(PressShort, b.cfg.Now()) != CueTrouble || b.Press(PressLong, b.cfg.Now()) != CueTrouble {
		t.Errorf("the panel shows %q", cue)
	}
	who := &browser{T: t, b: b, cookie: s.host.cookie}
	for lang, want := range map[string]string{"en": "t store just now", "ru": "сейчас не может сохранять"} {
		for _, r := range s.routes() {
			for _, method := range []string{"GET", "POST"} {
				if strings.HasPrefix(r.path, "/static") {
					continue
				}
				page := who.must(method, r.path+"?lang="+lang, 503, "code", "SESAME")
				if !strings.Contains(page, want) || !strings.Contains(page, `http-equiv="refresh"`) {
					t.Errorf("%s %s says:\n%s", method, r.path, page)
				}
				for _, secret := range append(secrets, "/secret", "Quentin", s.b.Tables()[0].Code()) {
					if r.path != "/j/"+s.b.Tables()[0].Code() && strings.Contains(page, secret) && !strings.Contains(r.path, secret) {
						t.Errorf("%s %s tells %q", method, r.path, secret)
					}
				}
			}
		}
	}
	if page := who.must("GET", "/?lang=en", 503); !strings.Contains(page, "The card is full") {
		t.Errorf("it doesn't say why:\n%s", page)
	}
	b.Wait(errors.New("read-only file system"))
	if page := who.must("GET", "/?lang=en", 503); !strings.Contains(page, "takes no writing") {
		t.Errorf("it doesn't say why now:\n%s", page)
	}
	r := httptest.NewRequest("GET", "/generate_204", nil)
	r.Host = "connectivitycheck.gstatic.com"
	if resp, err := b.app.Test(r); err != nil || resp.StatusCode != 204 {
		t.Errorf("a phone that asks for the internet: %v %v", resp, err)
	}
	if err := b.Alive(t.Context()); err != nil {
		t.Error(err)
	}
	b.Close()
}

// TestSlowDisk: while the disk takes five seconds, the form that is stored waits
// and is answered, pages are drawn, and the box is well.
func TestSlowDisk(t *testing.T) {
	t.Parallel()
	disk := &flaky{Store: store.Memory()}
	s := besiege(t, func(c *Config) { c.Store = disk })
	s.night()
	const slow = 5 * time.Second
	disk.set(false, slow)
	began, answered := time.Now(), make(chan *http.Response, 1)
	key := s.player.key()
	go func() { answered <- s.player.live("/t/1/night", "key", key, "p1", "2", "p2", "0") }()
	time.Sleep(slow / 10)
	for _, page := range []string{"/t/1/host", "/", "/box"} {
		s.host.must("GET", page, 200)
	}
	ctx, stop := context.WithTimeout(t.Context(), slow/5)
	defer stop()
	if err := s.b.Alive(ctx); err != nil {
		t.Errorf("a box that waits for its disk: %v", err)
	}
	if since := time.Since(began); since > slow {
		t.Errorf("pages took %v", since)
	}
	resp := <-answered
	if since := time.Since(began); since < slow {
		t.Errorf("answered after %v, before it was stored", since)
	}
	if resp.StatusCode != 200 {
		t.Errorf("answered with %s", resp.Status)
	}
	disk.set(false, 0)
	if log := s.b.Tables()[0].now.Load().game.Log(); log[len(log)-1].Act.By != engine.Actor(1) {
		t.Errorf("the log ends with %+v", log[len(log)-1])
	}
}

// TestAlive: a table that hangs is noticed, and so is a store that can't be read.
func TestAlive(t *testing.T) {
	disk := &unread{Store: store.Memory()}
	b, table, _ := dealt(t, disk, 7)
	look := func() error {
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		return b.Alive(ctx)
	}
	if err := look(); err != nil {
		t.Error(err)
	}
	disk.broken = true
	if err := look(); err != nil {
		t.Error(err)
	}
	select {
	case <-b.Failed():
	default:
		t.Error("nobody is told that the store can't be read")
	}
	hangs, end := make(chan struct{}), make(chan struct{})
	go table.Do("", func(*draft) error { close(hangs); <-end; return nil })
	<-hangs
	if err := look(); err == nil || !strings.Contains(err.Error(), "table 1") {
		t.Errorf("a table hangs, and it is said: %v", err)
	}
	close(end)
}

type unread struct {
	store.Store
	broken bool
}

func (u *unread) Tables() (map[string][]byte, error) {
	if u.broken {
		return nil, errors.New("rotten")
	}
	return u.Store.Tables()
}
