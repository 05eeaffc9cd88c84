package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
	"github.com/mafiabox/mafiabox/server"
)

// checkEvery is how often the box looks after itself where nobody has said how
// often he wants to hear of it.
const checkEvery = 10 * time.Second

// tell tells systemd, where it has asked to be told. Without it nothing happens.
func tell(state, status string) {
	daemon.SdNotify(false, state+"\nSTATUS="+strings.ReplaceAll(status, "\n", "; "))
}

// The store is opened before the box serves. A year of games that is put together
// again takes a slow card longer than systemd waits for a start; whoever takes
// longer than this hangs.
const (
	openingBeat = 30 * time.Second
	openingGoes = 4 * openingBeat // so long systemd waits for the next word
	openingEnds = time.Hour
)

// stillOpening tells systemd to wait on while the store is opened, until it is over.
func stillOpening() (over func()) {
	ctx, stop := context.WithTimeout(context.Background(), openingEnds)
	say := func() {
		tell(fmt.Sprintf("EXTEND_TIMEOUT_USEC=%d", openingGoes.Microseconds()), "Opening the store.")
	}
	say()
	go func() {
		tick := time.NewTicker(openingBeat)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				say()
			case <-ctx.Done():
				return
			}
		}
	}()
	return stop
}

// lookAfter tells systemd that the box is well, each time that it was found so:
// one that hangs says nothing, and is started anew.
func lookAfter(ctx context.Context, at net.Addr, box func() *server.Box, log *slog.Logger) {
	if os.Getenv("NOTIFY_SOCKET") == "" {
		return // nobody listens
	}
	every := checkEvery
	if within, err := daemon.SdWatchdogEnabled(false); err == nil && within > 0 {
		every = within / 3
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		b := box()
		if err := wellWithin(ctx, every, at, b); err == nil {
			tell(daemon.SdNotifyWatchdog, b.Status())
		} else if ctx.Err() == nil {
			log.Error("the box does not answer itself", "error", err)
			tell("", "Not well: "+err.Error())
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// wellWithin looks whether the box does its work, and answers on the network as
// it does a phone.
func wellWithin(ctx context.Context, within time.Duration, at net.Addr, b *server.Box) error {
	ctx, stop := context.WithTimeout(ctx, within)
	defer stop()
	if err := b.Alive(ctx); err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+reach(at)+"/", nil)
	if err != nil {
		return err
	}
	once := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	answer, err := once.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, io.LimitReader(answer.Body, 1<<20)); err != nil {
		return err
	}
	if answer.StatusCode >= 500 && answer.StatusCode != http.StatusServiceUnavailable { // that says that it waits, and it does
		return fmt.Errorf("the first page has the status %s", answer.Status)
	}
	return nil
}

// reach is where the machine itself reaches an address that is listened on.
func reach(at net.Addr) string {
	tcp := at.(*net.TCPAddr)
	ip := tcp.IP
	if ip.IsUnspecified() {
		ip = net.IPv4(127, 0, 0, 1)
	}
	return (&net.TCPAddr{IP: ip, Port: tcp.Port, Zone: tcp.Zone}).String()
}
