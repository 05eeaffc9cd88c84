package lan

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/grandcat/zeroconf"
	"github.com/miekg/dns"
)

const (
	// hostName is what the box is called in local. Without the domain: given
	// "mafia.local." zeroconf announces mafia.local.local.
	hostName = "mafia"

	// poll is how often the addresses are looked at. A phone that joins right
	// after the radio is up waits no longer for the name.
	poll = 3 * time.Second
	// patience is the longest time between two tries to register.
	patience = time.Minute
)

// Announce tells the network that the box has pages: a service _http._tcp in
// local, under a name that people read. It goes on until ctx ends and returns
// when the goodbye is said. While no network is up it waits for one; when the
// addresses change it announces again. What fails is told to the log once and
// tried again: without the name a table still has its codes.
func Announce(ctx context.Context, name string, port int, txt []string, log *slog.Logger) {
	a := announcer{log: log, links: links, register: func(on []Link) (func(), error) {
		return register(on, name, port, txt)
	}}
	a.run(ctx)
}

// announcer keeps one registration in step with the links.
type announcer struct {
	log      *slog.Logger
	links    func() []Link
	register func([]Link) (goodbye func(), err error)
}

func (a *announcer) run(ctx context.Context) {
	var (
		on      []Link // where the last try was made
		goodbye func()
		failure string
		next    time.Time     // the next try, after one that failed
		wait    time.Duration // how long after the next failure
	)
	for {
		now := announced(a.links())
		changed := !slices.EqualFunc(on, now, equal)
		if changed && goodbye != nil {
			// The new announcement follows within the second for which listeners
			// keep a name that said goodbye.
			goodbye()
			goodbye = nil
		}
		if changed {
			on, next, wait = now, time.Time{}, poll
		}
		if goodbye == nil && len(on) > 0 && !time.Now().Before(next) {
			var err error
			if goodbye, err = a.register(on); err != nil {
				goodbye = nil
				next, wait = time.Now().Add(wait), min(2*wait, patience)
				if failure != err.Error() {
					failure = err.Error()
					a.log.Warn("lan: the box can't be announced, trying on", "err", err)
				}
			} else {
				failure = ""
				a.log.Info("lan: announced", "on", names(on))
			}
		}
		select {
		case <-time.After(poll):
		case <-ctx.Done():
			if goodbye != nil {
				goodbye()
			}
			return
		}
	}
}

// announced are the links on which the box is announced: those where phones
// are, with an address for them, that carry multicast.
func announced(links []Link) []Link {
	var list []Link
	for _, l := range links {
		if l.Flags&net.FlagMulticast != 0 && len(l.usable()) > 0 {
			list = append(list, Link{Name: l.Name, Flags: l.Flags, Addrs: l.usable()})
		}
	}
	return list
}

// equal leaves the flags out: some change with nothing that matters here.
func equal(a, b Link) bool { return a.Name == b.Name && slices.Equal(a.Addrs, b.Addrs) }

func names(links []Link) string {
	var list []string
	for _, l := range links {
		list = append(list, l.Name)
	}
	return strings.Join(list, " ")
}

// register announces through zeroconf. Addresses are not handed to it: then it
// answers on each link with that link's own, and a phone on the box's radio
// isn't sent to the cable's address.
func register(on []Link, name string, port int, txt []string) (func(), error) {
	instance, err := label(name)
	if err != nil {
		return nil, err
	}
	var interfaces []net.Interface
	for _, l := range on {
		i, err := net.InterfaceByName(l.Name)
		if err != nil {
			return nil, err
		}
		interfaces = append(interfaces, *i)
	}
	s, err := zeroconf.RegisterProxy(instance, "_http._tcp", "local.", port, hostName, nil, txt, interfaces)
	if err != nil {
		return nil, err
	}
	return s.Shutdown, nil
}

// label is a name as zeroconf wants it: one label of a DNS name, escaped just
// as the library below writes it when it reads a question, as the two are
// compared as texts. The library itself does it, for which characters are
// escaped differs between its versions.
func label(name string) (string, error) {
	name = strings.ToValidUTF8(name, "")
	for len(name) > 63 { // bytes; not in the middle of a letter
		_, size := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-size]
	}
	// zeroconf trims dots and would leave half an escape behind.
	if name = strings.Trim(name, ". "); name == "" {
		return "", fmt.Errorf("lan: the box has no name")
	}
	wire := append([]byte{byte(len(name))}, name...)
	text, _, err := dns.UnpackDomainName(append(wire, 0), 0)
	if err != nil {
		return "", fmt.Errorf("lan: name %q: %w", name, err)
	}
	return strings.TrimSuffix(text, "."), nil
}
