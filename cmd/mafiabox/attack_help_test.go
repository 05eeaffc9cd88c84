package main

import (
	"bytes"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
)

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

// multi is a form in parts.
func multi(fields url.Values) (body, kind string) {
	var text bytes.Buffer
	w := multipart.NewWriter(&text)
	for name, values := range fields {
		for _, v := range values {
			_ = w.WriteField(name, v)
		}
	}
	w.Close()
	return text.String(), w.FormDataContentType()
}

// bare sends a body as it is, with the phone's cookie.
func (c *client) bare(path, kind, body string, header ...string) (status int, text string) {
	c.b.t.Helper()
	r, err := http.NewRequest("POST", c.b.url+path, strings.NewReader(body))
	if err != nil {
		c.b.t.Fatal(err)
	}
	r.Header.Set("Content-Type", kind)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	resp, err := c.http.Do(r)
	if err != nil {
		c.b.t.Fatal(err)
	}
	defer resp.Body.Close()
	all, _ := io.ReadAll(resp.Body)
	return resp.StatusCode, string(all)
}
