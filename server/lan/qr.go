package lan

import (
	"fmt"
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

// PNG is a code as a picture, with so many pixels for each module and the
// quiet zone of four modules without which many scanners see nothing.
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

// Terminal is a code in half blocks for a terminal. Scanners want dark modules
// on light ground, so it depends on the terminal's colours: dark is light text
// on a dark ground. A text too long for a code gives nothing.
func Terminal(text string, dark bool) string {
	q, err := qrcode.New(text, level)
	if err != nil {
		return ""
	}
	return q.ToSmallString(!dark)
}

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
