package radio

import (
	"path/filepath"
	"regexp"
)

var regdom = regexp.MustCompile(`\bieee80211_regdom=([A-Z]{2})\b`)

// Boot is the country that the command line of the kernel names, where
// raspi-config and Raspberry Pi Imager write it; empty: none.
func Boot(root string) string {
	for _, file := range []string{"boot/firmware/cmdline.txt", "boot/cmdline.txt", "proc/cmdline"} {
		if m := regdom.FindStringSubmatch(read(filepath.Join(root, file))); m != nil {
			return m[1]
		}
	}
	return ""
}

// Country is the country in which the radio sends, by its two letters; empty:
// none is set, and it may use what is allowed everywhere.
func Country(root string) string {
	if now := line(filepath.Join(root, "sys/module/cfg80211/parameters/ieee80211_regdom")); regdom.MatchString("ieee80211_regdom=" + now) {
		return now
	}
	if set := Boot(root); set != "" {
		return set
	}
	files, _ := filepath.Glob(filepath.Join(root, "etc/modprobe.d/*.conf"))
	for _, file := range files {
		if m := option.FindStringSubmatch(read(file)); m != nil {
			return m[1]
		}
	}
	return ""
}

var option = regexp.MustCompile(`(?m)^\s*options\s+cfg80211\s.*\bieee80211_regdom=([A-Z]{2})\b`)

// Blocked tells whether the radio is switched off: by a program, as Raspberry Pi
// OS does until a country is set, or by a switch on the machine.
func Blocked(root string) (soft, hard bool) {
	switches, _ := filepath.Glob(filepath.Join(root, "sys/class/rfkill/*"))
	for _, s := range switches {
		if line(filepath.Join(s, "type")) == "wlan" {
			soft = soft || line(filepath.Join(s, "soft")) == "1"
			hard = hard || line(filepath.Join(s, "hard")) == "1"
		}
	}
	return soft, hard
}
