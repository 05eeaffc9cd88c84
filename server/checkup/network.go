package checkup

import (
	"context"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/mafiabox/mafiabox/server/lan"
)

// addresses tells where phones can reach the machine, and which of its
// addresses are left out as no phone sits behind them.
func (m Machine) addresses(context.Context) []Finding {
	var list, left []string
	onlyLinkLocal := true
	for _, p := range m.Places {
		for _, a := range p.Phones {
			list = append(list, p.Name+" "+a.String())
			onlyLinkLocal = onlyLinkLocal && a.IsLinkLocalUnicast()
		}
		if p.Inner {
			left = append(left, p.Name)
		}
	}
	f := Finding{ID: "addresses", Case: "some", State: OK, With: []any{"List", strings.Join(list, ", "), "N", len(list)}}
	switch {
	case len(list) == 0:
		f.Case, f.State = "none", Bad
	case onlyLinkLocal:
		f.Case, f.State = "linklocal", Bad
	}
	all := []Finding{f}
	if len(left) > 0 {
		all = append(all, Finding{"left", "some", OK, []any{"List", strings.Join(left, ", ")}})
	}
	return all
}

// codes tells which address the codes lead to.
func (m Machine) codes(context.Context) []Finding {
	_, text, err := net.SplitHostPort(m.Listen)
	port, err2 := strconv.Atoi(text)
	if err != nil || err2 != nil {
		return nil // the port's finding says so
	}
	at := m.Reached
	own, alone := m.held()
	switch {
	case alone && own.IsLoopback():
		return []Finding{{"codes", "loopback", Bad, []any{"Listen", m.Listen}}}
	case alone && !m.has(own):
		return []Finding{{"codes", "elsewhere", Bad, []any{"Listen", m.Listen}}}
	case alone:
		return []Finding{{"codes", "held", OK, []any{"URL", lan.URL(own, port, "/")}}}
	case len(at) == 0:
		return []Finding{{"codes", "none", Bad, nil}}
	case m.networks() > 1:
		return []Finding{{"codes", "first", Note, []any{"URL", lan.URL(at[0], port, "/")}}}
	}
	return []Finding{{"codes", "held", OK, []any{"URL", lan.URL(at[0], port, "/")}}}
}

// networks is in how many networks with phones the machine is.
func (m Machine) networks() (n int) {
	for _, p := range m.Places {
		if len(p.Phones) > 0 {
			n++
		}
	}
	return n
}

// has tells whether an address is one of the machine's own.
func (m Machine) has(a netip.Addr) bool {
	return slices.ContainsFunc(m.Places, func(p lan.Place) bool { return slices.Contains(p.Addrs, a) })
}
