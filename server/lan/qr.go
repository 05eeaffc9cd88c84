package lan

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/skip2/go-qrcode"
)

// level is how much of a code may be spoilt before it can't be read: Medium
// bears 15 %, a reflection on a television or a crease in a card. More would
// mean more and smaller modules, and what phones fail at across a room is
// their size. (What the library calls High is the standard's Q, Highest is H.)
const level = qrcode.Medium

// The pixels that a module may have. Scanners can't read a code of one pixel a
// module; and a page must not be able to ask for a picture that fills the memory.
const (
	MinPixels = 3
	MaxPixels = 40
)

// PNG is a code as a picture, with so many pixels for each module and the quiet
// zone around it.
func PNG(text string, pixelsPerModule int) ([]byte, error) {
	if pixelsPerModule < MinPixels || pixelsPerModule > MaxPixels {
		return nil, fmt.Errorf("lan: %d pixels for a module, want %d to %d", pixelsPerModule, MinPixels, MaxPixels)
	}
	q, err := qrcode.New(text, level)
	if err != nil {
		return nil, fmt.Errorf("lan: code: %w", err)
	}
	// A negative size is pixels for a module. A positive one is that of the
	// picture, which then has modules of unequal size.
	return q.PNG(-pixelsPerModule)
}

// Size is how wide the picture of a code is, in modules with the quiet zone; 0
// when the text is too long for a code.
func Size(text string) int {
	q, err := qrcode.New(text, level)
	if err != nil {
		return 0
	}
	return 17 + 4*q.VersionNumber + 2*quiet
}

// quiet is the zone around a code, in modules, without which many scanners see nothing.
const quiet = 4

// Terminal is a code in half blocks. Scanners want dark modules on light ground,
// and what is light on a terminal its owner has chosen: with colours they are
// set, black on white, and it reads on any. Without, for what is no terminal, it
// is light text on a dark ground. A text too long for a code gives nothing.
func Terminal(text string, colours bool) string {
	q, err := qrcode.New(text, level)
	if err != nil {
		return ""
	}
	if !colours {
		return q.ToSmallString(false)
	}
	lines := strings.Split(strings.TrimSuffix(q.ToSmallString(true), "\n"), "\n")
	return blackOnWhite + strings.Join(lines, ownColours+"\n"+blackOnWhite) + ownColours + "\n"
}

// Of the 256 colours, as themes change the first sixteen.
const (
	blackOnWhite = "\x1b[38;5;16;48;5;231m"
	ownColours   = "\x1b[0m"
)

// Misread says what in a Wi-Fi's name and password scanners take for something
// else: some mind other characters than letters, digits and dashes, and some
// take a word of A to F alone for hexadecimal digits.
func Misread(ssid, password string) (odd []string) {
	check := func(what, text string) {
		if plain.MatchString(text) && !pastF.MatchString(text) {
			odd = append(odd, what+" has no letter after F")
		} else if !plain.MatchString(text) {
			odd = append(odd, what+" has characters other than A-Z, a-z, 0-9 and -")
		}
	}
	check("the name", ssid)
	if len(ssid) > 32 {
		odd = append(odd, "the name is longer than 32 bytes: no Wi-Fi has such a one")
	}
	if password == "" {
		return odd
	}
	check("the password", password)
	if len(password) < 8 || len(password) > 63 {
		odd = append(odd, fmt.Sprintf("the password has %d characters: WPA takes 8 to 63", len(password)))
	}
	return odd
}

var (
	plain = regexp.MustCompile(`^[A-Za-z0-9-]+$`)
	pastF = regexp.MustCompile(`[G-Zg-z]`)
)

// wifiEscapes are the characters that mean something in a Wi-Fi code.
var wifiEscapes = strings.NewReplacer(`\`, `\\`, `;`, `\;`, `,`, `\,`, `:`, `\:`, `"`, `\"`)

// WiFi is the text of a code that joins a network; without a password the
// network is open. Names and passwords of the box's own are made without the
// characters that are escaped here, and never all of A to F: there are
// scanners that get either wrong.
func WiFi(ssid, password string) string {
	if password == "" {
		return "WIFI:T:nopass;S:" + wifiEscapes.Replace(ssid) + ";;"
	}
	return "WIFI:T:WPA;S:" + wifiEscapes.Replace(ssid) + ";P:" + wifiEscapes.Replace(password) + ";;"
}
