package server

import (
	"slices"
	"strings"
)

// forgetStranger drops the answers to one device that has no seat and is no
// host, as anybody may send forms under any number of tokens.
func (t *Table) forgetStranger() {
	d := t.now.Load().doc
	for device, keys := range t.keys {
		known := func(whole string) bool { return strings.HasPrefix(whole, device) }
		if slices.ContainsFunc(d.Hosts, known) || slices.ContainsFunc(d.People, func(p person) bool { return known(p.Device) }) {
			continue
		}
		for _, key := range keys {
			delete(t.answers, key)
		}
		delete(t.keys, device)
		return
	}
}
