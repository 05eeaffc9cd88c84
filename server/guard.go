package server

import (
	"bytes"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"
)

// What a page may load, and who may ask for one. Any site that a phone visits can
// make it send requests here, and any name can be made to lead here.

const policy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; media-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// guard lets in what is meant for this box: its own names and addresses, and
// forms that come from its own pages.
func (b *Box) guard(c *fiber.Ctx) error {
	shield(c)
	if headers := append([]byte("\n"), c.Request().Header.RawHeaders()...); bytes.Count(bytes.ToLower(headers), []byte("\nhost:")) > 1 {
		return fiber.ErrBadRequest // which one was meant?
	}
	if !b.meant(c) {
		return b.youAreHere(c)
	}
	c.Set(fiber.HeaderContentSecurityPolicy, policy+"; connect-src 'self' ws://"+hostOf(c)) // older Safari: 'self' is http alone
	if c.Method() != fiber.MethodGet && c.Method() != fiber.MethodHead || c.Get("Upgrade") != "" {
		switch c.Get("Sec-Fetch-Site") { // browsers say nothing where they don't trust the connection
		case "", "same-origin", "none":
		default:
			return fiber.ErrForbidden
		}
		if origin := c.Get(fiber.HeaderOrigin); origin != "" {
			from, err := url.Parse(origin)
			if err != nil || from.Host != hostOf(c) {
				return fiber.ErrForbidden
			}
		}
		if c.Get("Upgrade") == "" && !ownForm(c) {
			return say("strange_form")
		}
	}
	if fromElsewhere(c) {
		return b.again(c)
	}
	return c.Next()
}

// fromElsewhere tells whether a link of another site led here without a cookie:
// a browser keeps a strict one back then, though the visitor may have a seat.
func fromElsewhere(c *fiber.Ctx) bool {
	return c.Get("Sec-Fetch-Site") == "cross-site" && c.Get("Sec-Fetch-Mode") == "navigate" && deviceOf(c) == "" && c.Query("again") == ""
}

// again has the browser ask once more, by a page of the box's own: with its
// cookie, if it has one. To give it another would take its seat away.
func (b *Box) again(c *fiber.Ctx) error {
	w, link := b.wordsFor(c), "/"+strings.TrimLeft(c.Path(), "/\\")+"?again=1"
	if query := c.Request().URI().QueryString(); len(query) > 0 {
		link += "&" + string(query)
	}
	c.Type("html", "utf-8")
	return c.Render("again", messagePage{w, w.T("again.title"), w.T("again.text"), link, w.T("error.link")})
}

// shield sets what every answer carries, also one to a request that could not
// be read.
func shield(c *fiber.Ctx) {
	c.Set(fiber.HeaderXContentTypeOptions, "nosniff")
	c.Set(fiber.HeaderReferrerPolicy, "same-origin") // no-referrer would make the Origin of our own forms "null"
	c.Set(fiber.HeaderXFrameOptions, "DENY")
	c.Set(fiber.HeaderCacheControl, "no-store")
	c.Set(fiber.HeaderContentSecurityPolicy, policy)
}

// hostOf is the Host header itself; fiber's Hostname believes a header that any
// page may set.
func hostOf(c *fiber.Ctx) string { return string(c.Request().Header.Host()) }

// meant tells whether a request is for this box.
func (b *Box) meant(c *fiber.Ctx) bool {
	return b.own(hostOf(c)) && b.own(string(c.Request().Host())) // the second is of an address that names a host itself
}

// own tells whether a Host header names this box.
func (b *Box) own(host string) bool {
	name := host
	if h, port, err := net.SplitHostPort(host); err == nil {
		if _, err := strconv.ParseUint(port, 10, 16); err != nil {
			return false
		}
		name = h
	} else if strings.HasPrefix(host, "[") && strings.HasSuffix(host, "]") {
		name = host[1 : len(host)-1]
	}
	name = strings.ToLower(strings.TrimSuffix(name, "."))
	if addr, err := netip.ParseAddr(name); err == nil {
		if addr.IsLoopback() && addr.Zone() == "" { // a zone may be any text
			return true
		}
		for _, own := range b.cfg.Addresses() {
			if own == addr {
				return true
			}
		}
		return false
	}
	if name == "localhost" || name != "" && strings.EqualFold(name, b.cfg.Host()) {
		return true
	}
	for _, own := range b.cfg.Names {
		if strings.EqualFold(own, name) {
			return true
		}
	}
	return false
}
