// Package checkup looks at the machine that a box runs on and says what may
// keep phones away from it: addresses, names, the port, the Wi-Fi, the clock.
// It changes nothing, and what it can't read it says so.
package checkup

import (
	"context"
	"net/netip"
	"time"

	"github.com/mafiabox/mafiabox/server/lan"
)

// State is how a finding is to be taken.
type State string

const (
	OK   State = "ok"   // as it should be
	Note State = "note" // worth knowing, and nothing is broken
	Bad  State = "bad"  // the evening will not go well with it
)

// Finding is one thing that was found.
type Finding struct {
	ID    string // what was looked at
	Case  string // how it is; with the ID it names the text that says so
	State State
	With  []any // of that text, by name and value
}

// Machine is what is to be looked at.
type Machine struct {
	Data     string                                          // where the box keeps its games; empty: nobody knows
	Root     string                                          // where its files lie
	Places   []lan.Place                                     // its network
	Reached  []netip.Addr                                    // its addresses that phones reach, the likeliest first
	Listen   string                                          // where the box serves, or is to
	Serving  bool                                            // the box itself asks
	Name     string                                          // the host name that it wants, without local
	SSID     string                                          // of the Wi-Fi that its code leads to; empty: none is shown
	Password string                                          // of that Wi-Fi
	Clock    string                                          // whether its clock is right: auto, trusted or untrusted
	Hidden   string                                          // a file of settings that can't be read; empty: none
	Access   func(radio string) (point bool, n int, e error) // whether a radio is an access point, and how many are in it
}

// within is how long all of it may take.
const within = 3 * time.Second

// Examine looks at everything at once. It takes a second, for the answers of
// the network, and never much longer: what doesn't come in time is said so.
func (m Machine) Examine(ctx context.Context) []Finding {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	checks := []struct {
		id   string
		look func(context.Context) []Finding
	}{
		{"settings", m.settings}, {"addresses", m.addresses}, {"codes", m.codes}, {"name", m.names}, {"port", m.port}, {"mdns", m.neighbours},
		{"radio", m.radio}, {"hotspot", m.hotspot}, {"wifi", m.wifi}, {"country", m.country}, {"blocked", m.blocked}, {"clock", m.clock}, {"disk", m.disk},
	}
	results := make([]chan []Finding, len(checks))
	for i, c := range checks {
		results[i] = make(chan []Finding, 1) // nobody may be left to take it
		go func() { results[i] <- c.look(ctx) }()
	}
	var all []Finding
	for i, c := range checks {
		select {
		case found := <-results[i]:
			all = append(all, found...)
		case <-ctx.Done():
			select {
			case found := <-results[i]: // it was there in time
				all = append(all, found...)
			default:
				all = append(all, Finding{ID: c.id, Case: "late", State: Note})
			}
		}
	}
	return all
}

// Worst is the gravest state of findings.
func Worst(findings []Finding) State {
	worst := OK
	for _, f := range findings {
		if f.State == Bad || worst == OK {
			worst = f.State
		}
	}
	return worst
}

// settings tells that the box's settings can't be read, so that the rest is
// about a box without them.
func (m Machine) settings(context.Context) []Finding {
	if m.Hidden == "" {
		return nil
	}
	return []Finding{{"settings", "hidden", Note, []any{"File", m.Hidden}}}
}

// held is the address that codes hold, when the box listens on one alone.
func (m Machine) held() (netip.Addr, bool) {
	at, err := netip.ParseAddrPort(m.Listen)
	if err != nil || at.Addr().IsUnspecified() {
		return netip.Addr{}, false
	}
	return at.Addr().Unmap(), true
}
