package server

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"math/big"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/mafiabox/mafiabox/engine"
)

// Who a visitor is: this file is the only place where that is decided. A
// browser holds one token of 128 bits in a cookie; tables keep its hash beside
// the seat and among the hosts. Names, addresses and numbers prove nothing.

const (
	cookieName = "mafiabox"
	cookieLife = 400 * 24 * time.Hour // the longest that browsers keep
)

// viewer is what a visitor is at one table.
type viewer struct {
	device string // the hash of his token; empty without one
	seat   engine.Seat
	host   bool
}

// viewerOf tells what the visitor is at a table.
func viewerOf(c *fiber.Ctx, m *moment) viewer {
	device := deviceOf(c)
	return viewer{device, m.doc.seatOf(device), m.doc.hosts(device)}
}

// deviceOf is the hash of the visitor's token, or "" without one.
func deviceOf(c *fiber.Ctx) string {
	if token := tokenOf(c); token != nil {
		return hash(token)
	}
	return ""
}

// tokenOf is the visitor's token, or nil.
func tokenOf(c *fiber.Ctx) []byte { return readToken(c.Cookies(cookieName)) }

func readToken(cookie string) []byte {
	token, err := base64.RawURLEncoding.DecodeString(cookie)
	if err != nil || len(token) != 16 {
		return nil
	}
	return token
}

// knownDevice is the visitor's device; he is given a token when he has none.
func knownDevice(c *fiber.Ctx) string { return hash(knownToken(c)) }

func knownToken(c *fiber.Ctx) []byte {
	if token := tokenOf(c); token != nil {
		return token
	}
	token := make([]byte, 16)
	rand.Read(token)
	c.Cookie(&fiber.Cookie{
		Name: cookieName, Value: base64.RawURLEncoding.EncodeToString(token),
		Path: "/", MaxAge: int(cookieLife / time.Second), HTTPOnly: true, SameSite: fiber.CookieSameSiteStrictMode,
	})
	return token
}

func hash(secret []byte) string {
	sum := sha256.Sum256(secret)
	return hex.EncodeToString(sum[:])
}

// codeFits compares a typed code in a time that tells nothing about it.
func codeFits(typed, code string) bool {
	a, b := sha256.Sum256([]byte(typed)), sha256.Sum256([]byte(code))
	return code != "" && subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

// letters are those that nobody mistakes for another, spoken or printed.
const letters = "ABCDEFGHJKLMNPRSTUVWXYZ"

// secretCode is how many letters a code has that nobody may guess: at 500
// guesses a second, from as many addresses as one likes, one in 9,000 is found
// in a night of five hours.
const secretCode = 8

// newCode draws a code of n letters.
func newCode(n int) string { return Draw(letters, n) }

// Draw draws n of these letters, each by itself, so that nobody can guess them.
func Draw(letters string, n int) string {
	text := make([]byte, n)
	for i := range text {
		k, err := rand.Int(rand.Reader, big.NewInt(int64(len(letters))))
		if err != nil {
			panic(err) // the system has no randomness: nothing here would be safe
		}
		text[i] = letters[k.Int64()]
	}
	return string(text)
}

// formToken is what a visitor's own pages put into their forms. Another site can
// make his browser send a form with its cookie, and can't read this.
func formToken(device string) string { return hash([]byte("form " + device))[:32] }

// newKey draws a client key for the forms of a visitor's page.
func newKey(device string) string { return formToken(device) + "-" + newCode(16) }

// ownForm tells whether a form comes from a page that the box gave this visitor.
func ownForm(c *fiber.Ctx) bool {
	device, key := deviceOf(c), c.Request().PostArgs().Peek("key")
	if c.Path() == uploadPath || c.Path() == importPath { // the forms with a file
		if form, err := c.MultipartForm(); err == nil && len(form.Value["key"]) == 1 {
			key = []byte(form.Value["key"][0])
		}
	}
	token := formToken(device)
	return device != "" && len(key) >= len(token) && subtle.ConstantTimeCompare(key[:len(token)], []byte(token)) == 1
}
