package main

import (
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/mafiabox/mafiabox/engine/rulesets"
	"github.com/mafiabox/mafiabox/hardware"
	"github.com/mafiabox/mafiabox/server"
	"github.com/mafiabox/mafiabox/server/store"
	"github.com/mafiabox/mafiabox/static"
)

// slowCard is a store at work on what the button did until it is let go on.
type slowCard struct {
	store.Store
	works, done chan struct{}
}

func (s slowCard) Commit(changes ...store.Change) error {
	for _, c := range changes {
		for _, a := range c.Acts {
			if strings.Contains(a.Line, "host hold") {
				s.works <- struct{}{}
				<-s.done
			}
		}
	}
	return s.Store.Commit(changes...)
}

// TestPressesThatWait: the clock is paused by a press and stays so, though the
// button was held once more while the card was at work on that.
func TestPressesThatWait(t *testing.T) {
	listener, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	log := slog.New(slog.DiscardHandler)
	card := slowCard{store.Memory(), make(chan struct{}), make(chan struct{})}
	inside, err := server.Open(server.Config{
		Store: card, Rulesets: rulesets.All, Files: static.Files, Lang: "en", HostCode: hostCode, Trusted: true, Now: time.Now, Log: log,
		Addresses: func() []netip.Addr { return []netip.Addr{netip.MustParseAddr("127.0.0.1")} },
	})
	if err != nil {
		t.Fatal(err)
	}
	defer inside.Close()
	go inside.Serve(lend(listener))
	h := &house{listener: listener, log: log}
	if h.panel, err = hardware.Open(hardware.Options{Mode: hardware.Simulated}, log); err != nil {
		t.Fatal(err)
	}
	defer h.panel.Close()
	h.box.Store(inside)
	go h.press()
	refused := make(chan bool, 1)
	go inside.WatchPanel(func(cue server.Cue) {
		if cue == server.CueRefused && len(refused) == 0 {
			refused <- true
		}
	}, func(server.Cue) {}, func(bool) {})

	b := &box{t: t, url: "http://" + listener.Addr().String()}
	host := b.client()
	host.post("/host", form("code", hostCode))
	for i := range 7 {
		host.post("/t/1/host/people", form("do", "add", "name", fmt.Sprint("Player ", i+1)))
	}
	host.post("/t/1/host/deal", form())
	for _, verb := range []string{"night", "close", "dawn"} {
		host.step(verb)
	}
	host.post("/t/1/host/act", form("verb", "speech", "seat", "1"))
	h.panel.Press(2 * time.Second)
	<-card.works
	h.panel.Press(2 * time.Second)
	card.done <- struct{}{}
	for end := time.After(10 * time.Second); len(refused) == 0; {
		h.panel.Press(3 * time.Second) // no phone asks
		select {
		case <-card.works:
			t.Fatal("it pauses again")
		case <-end:
			t.Fatal("what is pressed later does nothing")
		case <-time.After(50 * time.Millisecond):
		}
	}
	if record := host.record(); strings.Count(record, "host hold") != 1 || strings.Contains(record, "host go") {
		t.Errorf("the record:\n%s", record)
	}
}
