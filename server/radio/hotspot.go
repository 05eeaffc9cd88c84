package radio

import (
	"bytes"
	"io/fs"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/mafiabox/mafiabox/server/lan"
	"github.com/mafiabox/mafiabox/systemd"
)

// Hotspot is the box's own Wi-Fi, as NetworkManager is to make it.
type Hotspot struct {
	SSID, Password string
	Country        string // two letters; empty: the system has one already
	Interface      string
	Address        netip.Prefix // the box's own, and how large its network is
	Channel        int          // 0: as NetworkManager likes
	Name           string       // the box's host name, without local
}

// ProbeHosts are the names that lead to the box in it.
func (Hotspot) ProbeHosts() []string { return lan.ProbeHosts() }

// Profile is where NetworkManager looks for the box's own Wi-Fi.
const Profile = "/etc/NetworkManager/system-connections/mafiabox.nmconnection"

// CountryFile is where the country is set, unless the system does.
const CountryFile = "/etc/modprobe.d/mafiabox.conf"

// File is a file that makes the Wi-Fi.
type File struct {
	Path string
	Text []byte
	Mode fs.FileMode
}

// Files are the files that make the Wi-Fi.
func (h Hotspot) Files() ([]File, error) {
	files := []File{
		{Path: Profile, Mode: 0o600}, // NetworkManager refuses one that others may read
		{Path: "/etc/NetworkManager/dnsmasq-shared.d/mafiabox.conf", Mode: 0o644},
		{Path: CountryFile, Mode: 0o644},
	}
	if h.Country == "" {
		files = files[:2]
	}
	for i, name := range []string{"mafiabox.nmconnection", "dnsmasq-mafiabox.conf", "cfg80211-mafiabox.conf"}[:len(files)] {
		t, err := template.ParseFS(systemd.Files, name)
		if err != nil {
			return nil, err
		}
		var text bytes.Buffer
		if err := t.Execute(&text, h); err != nil {
			return nil, err
		}
		files[i].Text = text.Bytes()
	}
	return files, nil
}

// Read reads name, password and interface of the Wi-Fi that a system has. It may
// be read by its administrator alone; without one the error is fs.ErrNotExist.
func Read(root string) (h Hotspot, err error) {
	data, err := os.ReadFile(filepath.Join(root, Profile))
	if err != nil {
		return h, err
	}
	for text := range strings.Lines(string(data)) {
		key, value, _ := strings.Cut(strings.TrimSpace(text), "=")
		value = strings.TrimSpace(value)
		switch strings.TrimSpace(key) {
		case "ssid":
			h.SSID = value
		case "psk":
			h.Password = value
		case "interface-name":
			h.Interface = value
		}
	}
	return h, nil
}
