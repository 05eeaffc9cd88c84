// Package radio is the machine's own Wi-Fi: which chip it has and how many
// phones that bears, who is in it, in which country it sends, and the files
// that make it the box's access point.
//
// What it reads of a system lies under a root, so that a card that is mounted
// somewhere, or a made-up tree, can be read as well.
package radio

import (
	"os"
	"path/filepath"
	"strings"
)

// Radio is a wireless interface of the machine.
type Radio struct {
	Interface string
	Driver    string // the kernel's; brcmfmac on a Pi
	Chip      string // 43430 or 43455; empty for one that is none of a Pi's
	Firmware  string // which of its two a 43455 has, standard or minimal; empty: unknown
	Most      int    // stations that it bears for certain; 0: nobody knows
}

// The two firmwares of a 43455 that Raspberry Pi OS has. The minimal one gives
// up roaming and radar channels for more stations.
const (
	Standard = "standard"
	Minimal  = "minimal"
)

// chips are the chips of Pis by the number they have on the SDIO bus. The 43436
// of a Zero 2 W calls itself 43430, too.
var chips = map[string]string{"0xa9a6": "43430", "0xa9bf": "43455"}

// Radios lists the wireless interfaces.
func Radios(root string) []Radio {
	var list []Radio
	found, _ := filepath.Glob(filepath.Join(root, "sys/class/net/*/phy80211"))
	for _, path := range found {
		dir := filepath.Dir(path)
		r := Radio{Interface: filepath.Base(dir), Chip: chips[line(filepath.Join(dir, "device/device"))]}
		if driver, err := os.Readlink(filepath.Join(dir, "device/driver")); err == nil {
			r.Driver = filepath.Base(driver)
		}
		if r.Chip == "43455" {
			r.Firmware = firmware(root)
		}
		r.Most = bears(r.Chip, r.Firmware)
		list = append(list, r)
	}
	return list
}

// bears is how many stations a chip has been seen to bear. A 43455 bears seven
// to ten with its standard firmware, depending on its version, and one too many
// has crashed it: so the least. An unknown firmware is taken for the standard.
func bears(chip, firmware string) int {
	switch {
	case chip == "43430":
		return 10
	case chip == "43455" && firmware == Minimal:
		return 19
	case chip == "43455":
		return 7
	}
	return 0
}

// firmware is what a 43455 will be given when it starts.
func firmware(root string) string {
	file := filepath.Base(follow(root, "/lib/firmware/cypress/cyfmac43455-sdio.bin"))
	for _, name := range []string{Standard, Minimal} {
		if strings.HasSuffix(file, "-"+name+".bin") {
			return name
		}
	}
	return ""
}

// follow is the file that a chain of links ends at. Links from the top of the
// file system are from the root: on a mounted card they would lead elsewhere.
func follow(root, path string) string {
	for range 10 { // as links may go round in a circle
		link, err := os.Readlink(filepath.Join(root, path))
		if err != nil {
			break
		}
		if !filepath.IsAbs(link) {
			link = filepath.Join(filepath.Dir(path), link)
		}
		path = link
	}
	return path
}

// line is a file's first line, or nothing when it can't be read.
func line(path string) string {
	text, _, _ := strings.Cut(read(path), "\n")
	return strings.TrimSpace(text)
}

// read is a file's text, or nothing when it can't be read or is no text that
// belongs here: those of /sys and /etc have a few lines.
func read(path string) string {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > 1<<20 {
		return ""
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return string(data)
}
