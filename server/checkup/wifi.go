package checkup

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/mafiabox/mafiabox/server/lan"
	"github.com/mafiabox/mafiabox/server/radio"
)

// radio tells which chips the machine's own Wi-Fi has and how many phones they
// bear.
func (m Machine) radio(context.Context) []Finding {
	radios := radio.Radios(m.Root)
	if len(radios) == 0 {
		return []Finding{{ID: "radio", Case: "none", State: OK}}
	}
	var all []Finding
	for _, r := range radios {
		point, n, err := m.Access(r.Interface)
		f := Finding{"radio", "unknown", OK, []any{"Radio", r.Interface, "Driver", r.Driver, "Chip", r.Chip, "Most", r.Most, "N", n}}
		switch {
		case err != nil:
			f.Case, f.State = "unasked", Note
		case !point && r.Most == 0:
			f.Case = "guest"
		case !point:
			f.Case = "guest.known"
		case r.Most == 0:
			f.State = Note
		case n >= r.Most:
			f.Case, f.State = "full", Bad
		case r.Chip == "43455" && r.Firmware != radio.Minimal:
			f.Case, f.State = "standard", Note
		default:
			f.Case = "bears"
		}
		all = append(all, f)
	}
	return all
}

// hotspot tells whether the machine is set up to be an access point, whether it
// is one, and whether the code leads into it.
func (m Machine) hotspot(context.Context) []Finding {
	f := Finding{ID: "hotspot", Case: "up", State: OK}
	h, err := radio.Read(m.Root)
	f.With = []any{"SSID", h.SSID, "Radio", h.Interface}
	switch {
	case errors.Is(err, fs.ErrNotExist) && len(radio.Radios(m.Root)) == 0:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		f.Case = "none"
		return []Finding{f}
	case err != nil: // the box itself may not read it, and can see its radio
		f.Case, f.State = "hidden", Note
		for _, r := range radio.Radios(m.Root) {
			if point, _, err := m.Access(r.Interface); err == nil && point {
				f.Case, f.State = "running", OK
			}
		}
		return []Finding{f}
	}
	point, _, asked := m.Access(h.Interface)
	_, manager := os.Stat(filepath.Join(m.Root, "run/NetworkManager"))
	switch {
	case manager != nil:
		f.Case, f.State = "unmanaged", Bad
	case h.SSID != m.SSID || h.Password != m.Password:
		f.Case, f.State = "differs", Bad
		if m.SSID == "" {
			f.Case = "unshown"
		}
	case asked == nil && !point:
		f.Case, f.State = "down", Bad
	}
	return []Finding{f}
}

// wifi tells whether phones will read the code of the Wi-Fi.
func (m Machine) wifi(context.Context) []Finding {
	f := Finding{"wifi", "read", OK, []any{"SSID", m.SSID}}
	switch {
	case m.SSID == "":
		f.Case, f.State = "none", Note
	case len(lan.Misread(m.SSID, m.Password)) > 0:
		f.Case, f.State = "odd", Note
	case m.Password == "":
		f.Case, f.State = "open", Note
	}
	return []Finding{f}
}

// country tells in which country the radio sends.
func (m Machine) country(context.Context) []Finding {
	if len(radio.Radios(m.Root)) == 0 {
		return nil
	}
	if country := radio.Country(m.Root); country != "" {
		return []Finding{{"country", "set", OK, []any{"Country", country}}}
	}
	return []Finding{{ID: "country", Case: "none", State: Note}}
}

// blocked tells whether the radio is switched off.
func (m Machine) blocked(context.Context) []Finding {
	switch soft, hard := radio.Blocked(m.Root); {
	case hard:
		return []Finding{{ID: "blocked", Case: "hard", State: Bad}}
	case soft:
		return []Finding{{ID: "blocked", Case: "soft", State: Bad}}
	}
	return nil
}
