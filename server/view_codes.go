package server

import (
	"net"
	"strconv"
	"strings"

	"github.com/mafiabox/mafiabox/server/lan"
)

// WiFi is the network that phones join before they come to a table.
type WiFi struct {
	SSID     string // empty: no code for it is shown
	Password string // empty: the network is open
}

// code is what its code holds.
func (n WiFi) code() string { return lan.WiFi(n.SSID, n.Password) }

// Long tells whether it needs more room in letters than most.
func (n WiFi) Long() bool { return len(n.SSID) > 16 || len(n.Password) > 30 }

// codesView is how one comes to a table: by two codes, or by what they hold in
// letters. Everybody who is near may read it, the Wi-Fi's password, too.
type codesView struct {
	WiFi    WiFi
	Net     picture // of the Wi-Fi
	Join    picture // of the address below
	URL     string
	Code    string // the join code
	Address string // where it is typed
	Named   string // the same by the box's name; "" when it has none
}

// picture is a code as a picture. Its address changes with what it holds, so
// that a page that is drawn again shows the new one.
type picture struct {
	Src  string
	Wide int // pixels, each module being qrModule
}

func newPicture(path, text string) picture {
	return picture{path + "?v=" + hash([]byte(text))[:8], lan.Size(text) * qrModule}
}

func (b *Box) codesOf(t *Table, m *moment) codesView {
	v := codesView{Code: m.doc.Code, URL: b.address("/j/" + m.doc.Code), Address: strings.TrimSuffix(b.address("/"), "/"), WiFi: b.cfg.WiFi}
	v.Join = newPicture("/t/"+t.id+"/code.png", v.URL)
	if v.WiFi.SSID != "" {
		v.Net = newPicture("/t/"+t.id+"/wifi.png", v.WiFi.code())
	}
	v.Named = named(b.cfg.Host(), b.cfg.Port)
	return v
}

// named is a host name as an address that can be typed.
func named(host string, port int) string {
	switch {
	case host == "":
		return ""
	case port == 80:
		return "http://" + host
	}
	return "http://" + net.JoinHostPort(host, strconv.Itoa(port))
}
