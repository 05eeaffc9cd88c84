package rehearsal

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"

	"golang.org/x/net/html"
)

// page is what a browser has of a page: its forms, and little else.
type page struct {
	of    string // the moment of the game that it shows; empty without a game
	forms []*form
	root  *html.Node
}

// form is a form as it stands on a page.
type form struct {
	id, action string
	folded     bool // in a part that is shut until somebody opens it
	grave      bool // its button can't be undone
	again      bool // its button waits for a second press
	fields     []field
}

// field is something that a form sends: an input, a choice, a button.
type field struct {
	name, value, kind string
	checked, shut     bool
	needed            bool
}

// parse reads a page, or the part of one that a stream brings.
func parse(text string) *page {
	root, err := html.Parse(strings.NewReader(text))
	if err != nil {
		return &page{root: &html.Node{}} // a reader of a string has no errors
	}
	p := &page{root: root}
	var walk func(n *html.Node, in *form, folded bool)
	walk = func(n *html.Node, in *form, folded bool) {
		if n.Type == html.ElementNode {
			if of, ok := attr(n, "data-of"); ok {
				p.of = of
			}
			switch n.Data {
			case "details":
				_, open := attr(n, "open")
				folded = folded || !open
			case "form":
				in = &form{id: get(n, "id"), action: get(n, "action"), folded: folded}
				p.forms = append(p.forms, in)
			case "input", "select", "textarea", "button":
				if in != nil {
					in.add(n)
				}
			}
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c, in, folded)
		}
	}
	walk(root, nil, false)
	if p.of == "" { // a console has it in its forms alone
		for _, f := range p.forms {
			if of := f.value("of"); of != "" {
				p.of = of
			}
		}
	}
	return p
}

// add takes a field of the form.
func (f *form) add(n *html.Node) {
	has := func(name string) bool { _, ok := attr(n, name); return ok }
	base := field{name: get(n, "name"), value: get(n, "value"), kind: get(n, "type"), checked: has("checked"), shut: has("disabled"), needed: has("required")}
	switch n.Data {
	case "select":
		base.kind = "select"
		each(n, func(o *html.Node) {
			if o.Data != "option" {
				return
			}
			choice := base
			value, ok := attr(o, "value")
			if !ok {
				value = strings.TrimSpace(text(o))
			}
			_, choice.checked = attr(o, "selected")
			choice.value = value
			f.fields = append(f.fields, choice)
		})
		return
	case "textarea":
		base.kind, base.value = "text", text(n)
	case "button":
		if base.kind == "button" {
			return // it is held, and sends nothing
		}
		base.kind = "button"
		f.grave = f.grave || is(n, "grave")
		f.again = f.again || is(n, "again")
	case "input":
		if base.kind == "" {
			base.kind = "text"
		}
	}
	f.fields = append(f.fields, base)
}

// form is the one of that id, or nil.
func (p *page) form(id string) *form {
	for _, f := range p.forms {
		if f.id == id {
			return f
		}
	}
	return nil
}

// to is the first form that goes to an address with that end, or nil.
func (p *page) to(end string) *form {
	for _, f := range p.forms {
		if strings.HasSuffix(f.action, end) {
			return f
		}
	}
	return nil
}

// value is what the form has in a field, before anybody has touched it.
func (f *form) value(name string) string {
	for _, field := range f.fields {
		if field.name == name {
			return field.value
		}
	}
	return ""
}

// choices are the values that may be chosen in a field.
func (f *form) choices(name string) (open []string) {
	for _, field := range f.fields {
		if field.name == name && !field.shut {
			open = append(open, field.value)
		}
	}
	return open
}

// groups are the names of the form's choices of a kind, in the page's order.
func (f *form) groups(kind string) (names []string) {
	for _, field := range f.fields {
		if field.kind == kind && !slices.Contains(names, field.name) {
			names = append(names, field.name)
		}
	}
	return names
}

// offers tells whether all of that could be chosen in the form.
func (f *form) offers(data url.Values) bool {
	for _, name := range slices.Concat(f.groups("radio"), f.groups("checkbox"), f.groups("button")) {
		if name == "" {
			continue
		}
		for _, value := range data[name] {
			if !slices.Contains(f.choices(name), value) {
				return false
			}
		}
	}
	return true
}

// filled counts the forms that were filled in.
var filled atomic.Int64

// data is what a browser sends of the form: hidden fields, what is chosen in
// advance, and for the rest what is given. Its key is new each time, as a page's
// script makes it: what is sent again with the same key counts once.
func (f *form) data(chosen url.Values) url.Values {
	data := url.Values{}
	for _, field := range f.fields {
		_, own := chosen[field.name]
		switch {
		case field.name == "", field.shut, field.kind == "button", own && field.kind != "hidden":
		case (field.kind == "radio" || field.kind == "checkbox") && !field.checked:
		case field.kind == "select" && !field.checked:
			if !data.Has(field.name) { // a browser shows the first until another is selected
				data.Set(field.name, field.value)
			}
		case field.kind == "select":
			data.Set(field.name, field.value)
		default:
			data.Add(field.name, field.value)
		}
	}
	for name, values := range chosen {
		for _, v := range values {
			data.Add(name, v)
		}
	}
	if data.Has("key") {
		data.Set("key", fmt.Sprintf("%s.%d", data.Get("key"), filled.Add(1)))
	}
	return data
}

func attr(n *html.Node, name string) (string, bool) {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val, true
		}
	}
	return "", false
}

func get(n *html.Node, name string) string {
	value, _ := attr(n, name)
	return value
}

// is tells whether an element has a class.
func is(n *html.Node, class string) bool {
	return slices.Contains(strings.Fields(get(n, "class")), class)
}

// each visits every element in a part of a page.
func each(n *html.Node, visit func(*html.Node)) {
	for d := range n.Descendants() {
		if d.Type == html.ElementNode {
			visit(d)
		}
	}
}

// find is every element that fits.
func (p *page) find(fits func(*html.Node) bool) (found []*html.Node) {
	each(p.root, func(n *html.Node) {
		if fits(n) {
			found = append(found, n)
		}
	})
	return found
}

// text is what is written in a part of a page.
func text(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}
