package main

import (
	"encoding/xml"
	"net/url"
	"strings"
)

// pageForm is a form as it stands on a page.
type pageForm struct {
	action string
	fields []pageField
}

type pageField struct {
	name, value, kind string
	checked, disabled bool
}

// formsOf are the forms of a page by their ids.
func formsOf(page string) map[string]*pageForm {
	d := xml.NewDecoder(strings.NewReader(page))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	forms := make(map[string]*pageForm)
	var f *pageForm
	for {
		token, err := d.Token()
		if err != nil {
			return forms
		}
		switch e := token.(type) {
		case xml.StartElement:
			a := make(map[string]string)
			has := func(name string) bool { _, ok := a[name]; return ok }
			for _, attr := range e.Attr {
				a[attr.Name.Local] = attr.Value
			}
			switch e.Name.Local {
			case "form":
				f = &pageForm{action: a["action"]}
				forms[a["id"]] = f
			case "input":
				if f != nil {
					f.fields = append(f.fields, pageField{a["name"], a["value"], a["type"], has("checked"), has("disabled")})
				}
			}
		case xml.EndElement:
			if e.Name.Local == "form" {
				f = nil
			}
		}
	}
}

// data is what a browser makes of the form, in the page's order. A choice may
// be one that the page has switched off or doesn't have at all.
func (f *pageForm) data(choice map[string]string, suffix, button string) string {
	var parts []string
	add := func(name, value string) { parts = append(parts, url.QueryEscape(name)+"="+url.QueryEscape(value)) }
	done := make(map[string]bool)
	for _, field := range f.fields {
		chosen, own := choice[field.name]
		switch {
		case field.kind == "radio" && own:
			if !done[field.name] {
				add(field.name, chosen)
			}
			done[field.name] = true
		case (field.kind == "radio" || field.kind == "checkbox") && !field.checked:
		case field.name == "key":
			add("key", field.value+suffix)
		default:
			add(field.name, field.value)
		}
	}
	if button != "" {
		add("do", button)
	}
	return strings.Join(parts, "&")
}

// choices are the values of a choice on the page, those that may be made and those that may not.
func (f *pageForm) choices(name string) (open, shut []string) {
	for _, field := range f.fields {
		if field.name == name && field.disabled {
			shut = append(shut, field.value)
		} else if field.name == name {
			open = append(open, field.value)
		}
	}
	return open, shut
}
