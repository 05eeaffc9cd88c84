package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"github.com/google/renameio/v2"
	"github.com/mafiabox/mafiabox/server/radio"
	"github.com/mafiabox/mafiabox/systemd"
)

const (
	// settingsFile is where the unit reads the box's settings.
	settingsFile = "/etc/mafiabox/mafiabox.conf"
	// radioState is where NetworkManager keeps whether the radio is on.
	// Raspberry Pi OS is delivered with it off, as no country is set.
	radioState = "/var/lib/NetworkManager/NetworkManager.state"
)

// writeHotspot writes what makes the Wi-Fi, and gives the paths that it has
// written, also when it fails after some.
func writeHotspot(root string, h radio.Hotspot) (written []string, err error) {
	files, err := h.Files()
	if err != nil {
		return nil, err
	}
	if err := within(root, filepath.Join(root, settingsFile)); err != nil {
		return nil, err
	}
	settings, err := os.ReadFile(filepath.Join(root, settingsFile))
	if errors.Is(err, fs.ErrNotExist) {
		settings, err = systemd.Files.ReadFile("mafiabox.conf")
	}
	if err != nil {
		return nil, err
	}
	settings = set(settings, "MAFIABOX_WIFI_SSID", h.SSID)
	settings = set(settings, "MAFIABOX_WIFI_PASSWORD", h.Password)
	if !bytes.Contains(append([]byte("\n"), settings...), []byte("\nMAFIABOX_LISTEN=")) {
		settings = set(settings, "MAFIABOX_LISTEN", ":80") // where phones ask whether there is internet
	}
	files = append(files, radio.File{Path: settingsFile, Text: settings, Mode: 0o600}) // it holds codes as well
	state, err := os.ReadFile(filepath.Join(root, radioState))
	if off := []byte("\nWirelessEnabled=false\n"); err == nil && bytes.Contains(state, off) {
		state = bytes.Replace(state, off, []byte("\nWirelessEnabled=true\n"), 1)
		files = append(files, radio.File{Path: radioState, Text: state, Mode: 0o644})
	}
	for _, f := range files {
		path := filepath.Join(root, f.Path)
		if err := replace(root, path, f); err != nil {
			return written, err
		}
		written = append(written, path)
	}
	if h.Country == "" { // the system names one: an old one of ours may be another
		if err := os.Remove(filepath.Join(root, radio.CountryFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return written, err
		}
	}
	return written, nil
}

// replace puts a file in its place, with its own mode whatever was there. Whoever
// pulls the plug now has the old one or the new one.
func replace(root, path string, f radio.File) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if err := within(root, path); err != nil {
		return err
	}
	pending, err := renameio.NewPendingFile(path, renameio.WithStaticPermissions(f.Mode))
	if err != nil {
		return err
	}
	defer pending.Cleanup()
	if _, err := pending.Write(f.Text); err != nil {
		return err
	}
	return pending.CloseAtomicallyReplace()
}

// within refuses a path that a link on the card leads out of it: into the machine
// that the card is in.
func within(root, path string) error {
	top, err := filepath.EvalSymlinks(root)
	if err != nil {
		return err
	}
	for _, p := range []string{filepath.Dir(path), path} {
		real, err := filepath.EvalSymlinks(p)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if in, err := filepath.Rel(top, real); err != nil || !filepath.IsLocal(in) {
			return fmt.Errorf("%s leads to %s, out of %s: nothing is written there", p, real, root)
		}
	}
	return nil
}

// set sets a name in a file of settings: in the line that sets it, or else in
// that which shows its default, or else in a new one. All other lines stay.
func set(text []byte, name, value string) []byte {
	line := []byte(name + "=" + value)
	for _, before := range []string{`(?m)^[ \t]*(?:export[ \t]+)?`, `(?m)^#`} {
		setting := regexp.MustCompile(before + name + `[ \t]*=.*$`)
		if all := setting.FindAllIndex(text, -1); all != nil {
			last := all[len(all)-1] // the last one counts
			return append(append(bytes.Clone(text[:last[0]]), line...), text[last[1]:]...)
		}
	}
	if len(text) > 0 && text[len(text)-1] != '\n' {
		text = append(bytes.Clone(text), '\n')
	}
	return append(append(bytes.Clone(text), line...), '\n')
}
