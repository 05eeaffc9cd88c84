package main

import (
	"net/url"
	"testing"
)

// TestRepeatedAfterAKill: a phone that got no answer sends its form again with
// the same key. When the plug was pulled in between, the table is as the form
// left it the first time.
func TestRepeatedAfterAKill(t *testing.T) {
	t.Parallel()
	b := start(t)
	host, players := b.seated(7)
	late := b.client()
	late.get("/j/" + b.code())
	for i, c := range []struct {
		who  *client
		path string
		form url.Values
	}{
		{late, "/j/" + b.code(), form("name", "Late")},
		{host, "/t/1/host/people", form("do", "add", "name", "Gus")},
		{host, "/t/1/host/people", form("do", "remove", "seat", "2")},
		{host, "/t/1/host/people", form("do", "move", "seat", "1", "to", "4")},
		{host, "/t/1/host/people", form("do", "shuffle")},
		{host, "/t/1/host/people", form("do", "close-up")},
		{host, "/t/1/host/sets", form("do", "keep", "name", "Fridays")},
		{host, "/t/1/host/deal", form("by", "box")},
		{host, "/t/1/host/act", form("verb", "end")},
		{host, "/t/1/host/next", form()},
		{host, "/t/1/host/people", form("do", "evening")},
	} {
		before := host.page("/t/1/host")
		c.form.Set("key", string(rune('a'+i)))
		c.who.post(c.path, c.form)
		page := host.page("/t/1/host")
		if page == before {
			t.Fatalf("%s %v shows nothing", c.path, c.form)
		}
		b.kill()
		b.run()
		c.who.post(c.path, c.form)
		if now := host.page("/t/1/host"); now != page {
			t.Errorf("%s %v, repeated: the host's page was\n%s\nand is\n%s", c.path, c.form, page, now)
		}
	}
	if status, _, _ := players[0].ask("GET", "/t/1", nil); status != 303 {
		t.Errorf("a seat of the last evening: %d", status)
	}
}
