package radio

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tree makes a root of files by path. A text that begins with -> is a link.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for path, text := range files {
		path = filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		var err error
		if to, ok := strings.CutPrefix(text, "->"); ok {
			err = os.Symlink(to, path)
		} else {
			err = os.WriteFile(path, []byte(text), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// pi is a Pi's radio with a chip, as /sys has it: the interface is a link.
func pi(device string) map[string]string {
	const dev = "sys/devices/platform/soc/fe300000.mmcnr/mmc_host/mmc1/mmc1:0001/mmc1:0001:1/"
	return map[string]string{
		"sys/class/net/wlan0":      "->../../devices/platform/soc/fe300000.mmcnr/mmc_host/mmc1/mmc1:0001/mmc1:0001:1/net/wlan0",
		dev + "net/wlan0/phy80211": "->../../ieee80211/phy0",
		dev + "ieee80211/phy0/x":   "",
		dev + "net/wlan0/device":   "->../..",
		dev + "device":             device + "\n",
		dev + "driver":             "->../../../../../../../bus/sdio/drivers/brcmfmac",
	}
}

func TestRadios(t *testing.T) {
	const brcm, cypress = "lib/firmware/brcm/brcmfmac43455-sdio.bin", "lib/firmware/cypress/cyfmac43455-sdio.bin"
	for _, c := range []struct {
		name, device string
		more         map[string]string
		want         Radio
	}{
		{"3, Zero W, Zero 2 W", "0xa9a6", nil, Radio{Chip: "43430", Most: 10}},
		{"4 as delivered", "0xa9bf", map[string]string{
			brcm: "->../cypress/cyfmac43455-sdio.bin", cypress: "->/etc/alternatives/cyfmac43455-sdio.bin",
			"etc/alternatives/cyfmac43455-sdio.bin": "->/lib/firmware/cypress/cyfmac43455-sdio-standard.bin",
		}, Radio{Chip: "43455", Firmware: Standard, Most: 7}},
		{"4 with the minimal firmware", "0xa9bf", map[string]string{
			cypress:                                 "->/etc/alternatives/cyfmac43455-sdio.bin",
			"etc/alternatives/cyfmac43455-sdio.bin": "->/lib/firmware/cypress/cyfmac43455-sdio-minimal.bin",
		}, Radio{Chip: "43455", Firmware: Minimal, Most: 19}},
		{"linked by hand", "0xa9bf", map[string]string{cypress: "->cyfmac43455-sdio-minimal.bin"}, Radio{Chip: "43455", Firmware: Minimal, Most: 19}},
		{"one firmware alone", "0xa9bf", map[string]string{cypress: "binary"}, Radio{Chip: "43455", Most: 7}},
		{"links in a circle", "0xa9bf", map[string]string{cypress: "->cyfmac43455-sdio.bin"}, Radio{Chip: "43455", Most: 7}},
		{"another chip", "0x1234", nil, Radio{}},
	} {
		files := pi(c.device)
		for path, text := range c.more {
			files[path] = text
		}
		c.want.Interface, c.want.Driver = "wlan0", "brcmfmac"
		if got := Radios(tree(t, files)); !slices.Equal(got, []Radio{c.want}) {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
	if got := Radios(tree(t, map[string]string{"sys/class/net/eth0/device/device": "0xa9a6\n"})); got != nil {
		t.Errorf("a cable is taken for a radio: %+v", got)
	}
}

func TestCountry(t *testing.T) {
	const now = "sys/module/cfg80211/parameters/ieee80211_regdom"
	for _, c := range []struct {
		name       string
		files      map[string]string
		want, boot string
	}{
		{"none", map[string]string{now: "00\n", "proc/cmdline": "quiet\n"}, "", ""},
		{"in effect", map[string]string{now: "RU\n"}, "RU", ""},
		{"raspi-config", map[string]string{now: "00\n", "boot/firmware/cmdline.txt": "console=tty1 rootwait cfg80211.ieee80211_regdom=GB\n"}, "GB", "GB"},
		{"before Bookworm", map[string]string{"boot/cmdline.txt": "cfg80211.ieee80211_regdom=FR rootwait\n"}, "FR", "FR"},
		{"at this start", map[string]string{"proc/cmdline": "cfg80211.ieee80211_regdom=FR\n"}, "FR", "FR"},
		{"our file", map[string]string{"etc/modprobe.d/mafiabox.conf": "# a comment\noptions cfg80211 ieee80211_regdom=DE\n"}, "DE", ""},
		{"one of others", map[string]string{"etc/modprobe.d/a.conf": "options cfg80211 x=1 ieee80211_regdom=DE\n"}, "DE", ""},
		{"commented out", map[string]string{"etc/modprobe.d/a.conf": "# options cfg80211 ieee80211_regdom=DE\n"}, "", ""},
	} {
		root := tree(t, c.files)
		if got := Country(root); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if got := Boot(root); got != c.boot {
			t.Errorf("%s: the kernel is told %q, want %q", c.name, got, c.boot)
		}
	}
}

func TestBlocked(t *testing.T) {
	for _, c := range []struct {
		kind, softly, hardly string
		soft, hard           bool
	}{
		{"wlan", "0", "0", false, false}, {"wlan", "1", "0", true, false}, {"wlan", "0", "1", false, true}, {"bluetooth", "1", "1", false, false},
	} {
		root := tree(t, map[string]string{
			"sys/class/rfkill/rfkill3/type": c.kind + "\n", "sys/class/rfkill/rfkill3/soft": c.softly + "\n", "sys/class/rfkill/rfkill3/hard": c.hardly + "\n",
			"sys/class/rfkill/rfkill9/type": "wlan\n",
		})
		if soft, hard := Blocked(root); soft != c.soft || hard != c.hard {
			t.Errorf("%+v: %v %v", c, soft, hard)
		}
	}
}

// TestStations: a machine without a radio has nobody in it, and no error.
func TestStations(t *testing.T) {
	if now, most := Stations(t.TempDir())(); now != 0 || most != 0 {
		t.Errorf("%d of %d", now, most)
	}
	point, n, err := Access("none")
	if point || n != 0 || err != nil {
		t.Errorf("an interface that isn't there: %v %d %v", point, n, err)
	}
}
