package lan

import (
	"log/slog"
	"slices"
	"strings"
	"time"
)

const (
	// poll is how often the links are looked at, should their changes not be told.
	poll = 3 * time.Second
	// patience is the longest time between two tries to register.
	patience = time.Minute
)

// announcer tells the network that the box has pages: a service _http._tcp in
// local, called as the box is. It keeps one registration in step with the links
// and the name. What fails is told to the log once and tried again: without the
// service a table still has its codes.
type announcer struct {
	log      *slog.Logger
	register func(on []Link, host string) (goodbye func(), err error)

	on      []Link // where the last try was made
	host    string // under which name
	goodbye func() // nil: nothing is registered
	failure string
	next    time.Time     // the next try, after one that failed
	wait    time.Duration // how long after the next failure
}

// keep announces on these links, where the box holds that name.
func (a *announcer) keep(on []Link, host string, now time.Time) {
	if host != a.host || !slices.EqualFunc(on, a.on, equal) {
		// The new announcement follows within the second for which listeners
		// keep a name that said goodbye.
		a.close()
		a.on, a.host, a.next, a.wait = on, host, time.Time{}, poll
	}
	if a.goodbye != nil || len(on) == 0 || now.Before(a.next) {
		return
	}
	goodbye, err := a.register(on, host)
	if err != nil {
		a.next, a.wait = now.Add(a.wait), min(2*a.wait, patience)
		if a.failure != err.Error() {
			a.failure = err.Error()
			a.log.Warn("lan: the box can't be announced, trying on", "err", err)
		}
		return
	}
	a.goodbye, a.failure = goodbye, ""
	a.log.Info("lan: announced", "as", host, "on", names(on))
}

// close says goodbye.
func (a *announcer) close() {
	if a.goodbye != nil {
		a.goodbye()
		a.goodbye = nil
	}
}

// equal leaves the flags out: some change with nothing that matters here.
func equal(a, b Link) bool {
	return a.Name == b.Name && a.Index == b.Index && slices.Equal(a.Addrs, b.Addrs) && slices.Equal(a.Going, b.Going)
}

func names(links []Link) string {
	var list []string
	for _, l := range links {
		list = append(list, l.Name)
	}
	return strings.Join(list, " ")
}
