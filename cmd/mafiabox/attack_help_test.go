package main

import "net/url"

// cookie is the header with the phone's cookies.
func (c *client) cookie() string {
	at, _ := url.Parse(c.b.url)
	text := ""
	for _, cookie := range c.http.Jar.Cookies(at) {
		if text != "" {
			text += "; "
		}
		text += cookie.String()
	}
	return text
}
