package rehearsal

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// choose makes choices that the form offers, at random.
func (p *phone) choose(f *form) (url.Values, bool) {
	chosen := url.Values{}
	if f.id == nightForm {
		return p.picks(f)
	}
	groups := slices.Concat(f.groups("radio"), f.groups("checkbox"))
	slices.Sort(groups)
	groups = slices.Compact(groups)
	if len(groups) > 1 { // a seat or a word: either, not both
		groups = groups[p.rng.IntN(len(groups)):][:1]
	}
	for _, name := range groups {
		open := f.choices(name)
		if len(open) == 0 {
			return nil, false
		}
		chosen.Set(name, p.one(open))
	}
	for _, name := range f.groups("select") {
		open := f.choices(name)
		chosen.Set(name, open[p.rng.IntN(len(open))])
	}
	for _, name := range f.groups("text") {
		chosen.Set(name, fmt.Sprintf("Rehearsal, line %d.", p.rng.IntN(1000)))
	}
	if name, value, ok := p.button(f); ok {
		chosen.Set(name, value)
	}
	return chosen, true
}

// button is one of the form's buttons that send something.
func (p *phone) button(f *form) (name, value string, ok bool) {
	var open []field
	for _, b := range f.fields {
		if b.kind == "button" && b.name != "" && !b.shut {
			open = append(open, b)
		}
	}
	if len(open) == 0 {
		return "", "", false
	}
	b := open[p.rng.IntN(len(open))]
	return b.name, b.value, true
}

// picks fills in the form of a night: somebody else for each pick, or nothing.
func (p *phone) picks(f *form) (url.Values, bool) {
	nothing := slices.Contains(f.choices("do"), "none")
	chosen := url.Values{"do": {"send"}}
	used := make(map[string]bool)
	for _, name := range f.groups("radio") {
		open := slices.DeleteFunc(f.choices(name), func(v string) bool { return strings.Trim(v, "0") == "" || used[v] })
		if len(open) == 0 {
			chosen.Set(name, "00")
			continue
		}
		pick := p.one(open)
		used[pick] = true
		chosen.Set(name, pick)
	}
	if nothing && (len(used) == 0 || p.chance(oftenNothing)) {
		for _, name := range f.groups("radio") {
			chosen.Set(name, "00")
		}
		chosen.Set("do", "none")
		return chosen, true
	}
	return chosen, len(used) > 0
}

// sentBy is what a form says, once it was accepted.
func sentBy(f *form, data url.Values) sent {
	if f.id != nightForm {
		s := sent{verb: data.Get("verb"), word: data.Get("word"), text: data.Get("text")}
		for _, v := range data["seat"] {
			n, _ := strconv.Atoi(v)
			s.seats = append(s.seats, n)
		}
		return s
	}
	s := sent{whole: true}
	if data.Get("do") == "none" {
		return s
	}
	for _, name := range f.groups("radio") {
		if n, _ := strconv.Atoi(data.Get(name)); n > 0 {
			s.seats = append(s.seats, n)
		} else {
			s.whole = false
		}
	}
	return s
}

// one is one of several choices.
func (p *phone) one(open []string) string {
	if p.chance(oftenFirst) {
		return open[0]
	}
	return open[p.rng.IntN(len(open))]
}
