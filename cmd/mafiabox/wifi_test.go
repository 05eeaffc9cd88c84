package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/mafiabox/mafiabox/server/lan"
	"github.com/mafiabox/mafiabox/server/radio"
)

// wifi runs mafiabox wifi for the system under a root.
func wifi(root string, args ...string) (string, exitCode) {
	cmd := exec.Command(program, append([]string{"wifi", "--root", root}, args...)...)
	out, _ := cmd.CombinedOutput()
	return string(out), exitCode(cmd.ProcessState.ExitCode())
}

func contents(t *testing.T, path ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestWifi: the code that the box shows has the name and the password of the
// Wi-Fi that is set up, drawn or given, at first and after it is run again.
func TestWifi(t *testing.T) {
	root := t.TempDir()
	state := filepath.Join(root, radioState)
	os.MkdirAll(filepath.Dir(state), 0o755)
	os.WriteFile(state, []byte("[main]\nNetworkingEnabled=true\nWirelessEnabled=false\nWWANEnabled=true\n"), 0o644)
	same := func(what string, args ...string) radio.Hotspot {
		t.Helper()
		if out, code := wifi(root, args...); code != 0 {
			t.Fatalf("%s: exit %d\n%s", what, code, out)
		}
		h, err := radio.Read(root)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{radio.Profile, settingsFile} {
			if info, err := os.Stat(filepath.Join(root, path)); err != nil || info.Mode() != 0o600 {
				t.Errorf("%s: %s, which has the password, has mode %v (%v)", what, path, info.Mode(), err)
			}
		}
		b := &box{t: t, addr: "127.0.0.1:0"}
		b.serve(exec.Command(program, "--config", filepath.Join(root, settingsFile), "--listen", "127.0.0.1:0", "--data", t.TempDir()))
		defer b.kill()
		codes := terminalCodes(b.out.String(), dark)
		if len(codes) != 2 {
			t.Fatalf("%s: %d codes\n%s", what, len(codes), b.out)
		}
		if got := decode(t, codes[0]); got != lan.WiFi(h.SSID, h.Password) || h.SSID == "" || h.Password == "" {
			t.Errorf("%s: the code says %s, the Wi-Fi is %q, %q", what, got, h.SSID, h.Password)
		}
		return h
	}
	first := same("drawn", "--country", "de")
	if again := same("again"); again != first {
		t.Errorf("it was %+v and became %+v", first, again)
	}
	if drawn := same("new", "--new"); drawn.SSID == first.SSID || drawn.Password == first.Password {
		t.Errorf("--new leaves %+v", drawn)
	}
	if given := same("given", "--ssid", "Club-North", "--password", "night-falls", "--interface", "wlan1"); given.SSID != "Club-North" || given.Password != "night-falls" || given.Interface != "wlan1" {
		t.Errorf("given, it is %+v", given)
	}
	if got := radio.Country(root); got != "DE" {
		t.Errorf("the country is %q", got)
	}
	if got := contents(t, state); got != "[main]\nNetworkingEnabled=true\nWirelessEnabled=true\nWWANEnabled=true\n" {
		t.Errorf("the radio's state is\n%s", got)
	}
}

// TestWifiSettings: of the settings only the Wi-Fi's lines change, wherever they
// stand, and the port where none was chosen. They are for the administrator alone.
func TestWifiSettings(t *testing.T) {
	delivered := contents(t, "../../systemd/mafiabox.conf")
	args := []string{"--country", "DE", "--ssid", "Club-North", "--password", "night-falls"}
	for _, c := range []struct{ name, before, after string }{
		{"none", "", strings.NewReplacer("#MAFIABOX_LISTEN=:80", "MAFIABOX_LISTEN=:80", "#MAFIABOX_WIFI_SSID=", "MAFIABOX_WIFI_SSID=Club-North", "#MAFIABOX_WIFI_PASSWORD=", "MAFIABOX_WIFI_PASSWORD=night-falls").Replace(delivered)},
		{"of a router", "# mine\nMAFIABOX_WIFI_SSID='Our Club'\nMAFIABOX_LISTEN=:80\nexport MAFIABOX_WIFI_PASSWORD = 'a b'", "# mine\nMAFIABOX_WIFI_SSID=Club-North\nMAFIABOX_LISTEN=:80\nMAFIABOX_WIFI_PASSWORD=night-falls"},
		{"without them", "MAFIABOX_HOST_CODE=X", "MAFIABOX_HOST_CODE=X\nMAFIABOX_WIFI_SSID=Club-North\nMAFIABOX_WIFI_PASSWORD=night-falls\nMAFIABOX_LISTEN=:80\n"},
		{"of another port", "MAFIABOX_LISTEN=:8080", "MAFIABOX_LISTEN=:8080\nMAFIABOX_WIFI_SSID=Club-North\nMAFIABOX_WIFI_PASSWORD=night-falls\n"},
	} {
		root := t.TempDir()
		path := filepath.Join(root, settingsFile)
		if c.before != "" {
			os.MkdirAll(filepath.Dir(path), 0o755)
			os.WriteFile(path, []byte(c.before), 0o644)
		}
		if out, code := wifi(root, args...); code != 0 {
			t.Fatalf("%s: %d %s", c.name, code, out)
		}
		if got := contents(t, path); got != c.after {
			t.Errorf("%s: the settings are\n%s\nwant\n%s", c.name, got, c.after)
		}
		if info, err := os.Stat(path); err != nil || info.Mode() != 0o600 {
			t.Errorf("%s: the settings, which hold codes, have mode %v (%v)", c.name, info.Mode(), err)
		}
	}
}

// TestWifiAgain: what somebody has changed in between is mended or kept: modes, a
// profile written with spaces, the name of the box, another country.
func TestWifiAgain(t *testing.T) {
	root := t.TempDir()
	run := func(args ...string) {
		t.Helper()
		if out, code := wifi(root, args...); code != 0 {
			t.Fatalf("exit %d\n%s", code, out)
		}
	}
	run("--country", "DE")
	first, _ := radio.Read(root)
	profile, settings := filepath.Join(root, radio.Profile), filepath.Join(root, settingsFile)
	os.WriteFile(profile, []byte(strings.ReplaceAll(contents(t, profile), "=", " = ")), 0o600)
	os.WriteFile(settings, []byte(contents(t, settings)+"MAFIABOX_NAME=club-7\n"), 0o600)
	for _, path := range []string{profile, settings} {
		os.Chmod(path, 0o644)
	}
	os.MkdirAll(filepath.Join(root, "boot/firmware"), 0o755)
	os.WriteFile(filepath.Join(root, "boot/firmware/cmdline.txt"), []byte("cfg80211.ieee80211_regdom=GB"), 0o644)
	run()
	if again, _ := radio.Read(root); again.SSID != first.SSID || again.Password != first.Password {
		t.Errorf("it was %+v and became %+v", first, again)
	}
	for _, path := range []string{profile, settings} {
		if info, err := os.Stat(path); err != nil || info.Mode() != 0o600 {
			t.Errorf("%s is left with mode %v (%v)", path, info.Mode(), err)
		}
	}
	if names := contents(t, root, "etc/NetworkManager/dnsmasq-shared.d/mafiabox.conf"); !strings.Contains(names, "/club-7.local/") {
		t.Errorf("the box has another name there:\n%s", names)
	}
	if _, err := os.Stat(filepath.Join(root, radio.CountryFile)); err == nil {
		t.Error("two files name a country")
	}

	// A link on a card leads to the machine that it is in.
	outside := t.TempDir()
	os.Remove(settings)
	os.Symlink(filepath.Join(outside, "secret"), settings)
	os.WriteFile(filepath.Join(outside, "secret"), []byte("MAFIABOX_OWNER_CODE=THEIRS"), 0o600)
	if out, code := wifi(root); code != 1 || !strings.Contains(out, "out of "+root) || contents(t, outside, "secret") != "MAFIABOX_OWNER_CODE=THEIRS" {
		t.Errorf("exit %d\n%s", code, out)
	}
}

// TestWifiCountry: a radio may not send without a country, and a system names
// one in one place.
func TestWifiCountry(t *testing.T) {
	named := func(country string) string {
		root := t.TempDir()
		os.MkdirAll(filepath.Join(root, "boot/firmware"), 0o755)
		os.WriteFile(filepath.Join(root, "boot/firmware/cmdline.txt"), []byte("rootwait cfg80211.ieee80211_regdom="+country+"\n"), 0o644)
		return root
	}
	for _, c := range []struct {
		name, root string
		args       []string
		code       exitCode
		says       string
		file       bool // of our own
	}{
		{"none", t.TempDir(), nil, 1, "expected --country", false},
		{"given", t.TempDir(), []string{"--country", "uk"}, 0, "", true},
		{"the system's", named("GB"), nil, 0, "", false},
		{"the same", named("GB"), []string{"--country", "GB"}, 0, "", false},
		{"another", named("GB"), []string{"--country", "DE"}, 1, "raspi-config nonint do_wifi_country DE", false},
	} {
		out, code := wifi(c.root, c.args...)
		_, err := os.Stat(filepath.Join(c.root, "etc/modprobe.d/mafiabox.conf"))
		if code != c.code || !strings.Contains(out, c.says) || (err == nil) != c.file {
			t.Errorf("%s: exit %d, a file: %v\n%s", c.name, code, err == nil, out)
		}
		if _, err := os.Stat(filepath.Join(c.root, radio.Profile)); (err == nil) != (c.code == 0) {
			t.Errorf("%s: a Wi-Fi: %v", c.name, err == nil)
		}
	}
}

// TestWifiRefuses what phones, radios or NetworkManager would not take.
func TestWifiRefuses(t *testing.T) {
	for _, c := range [][2]string{
		{"--ssid=Our Club", "the name has characters other than"}, {"--ssid=Клуб-12345", "characters other than"}, {"--ssid=ABCDEF", "no letter after F"}, {"--ssid=" + strings.Repeat("Z", 33), "longer than 32"},
		{"--password=short-1", "8 to 63"}, {"--password=deadbeef", "no letter after F"}, {"--password=with space", "characters other than"}, {"--password=" + strings.Repeat("z", 64), "8 to 63"},
		{"--country=ZZ", "two letters such as DE"}, {"--country=DEU", "two letters"}, {"--country=EU", "two letters"}, {"--country=1", "two letters"},
		{"--address=8.8.8.8/24", "a private address"}, {"--address=192.168.77.0/24", "a private address"}, {"--address=192.168.77.255/24", "a private address"}, {"--address=192.168.77.1", "a private address"}, {"--address=192.168.77.1/30", "16 to 26 bits"}, {"--address=fd00::1/64", "a private address"},
		{"--channel=14", "1 to 11"}, {"--channel=-1", "1 to 11"}, {"--interface=a/b", "such as wlan0"}, {"--interface=x\ny", "such as wlan0"}, {"--interface=..", "such as wlan0"}, {"--name=a.b", "no name for a box"},
	} {
		root := t.TempDir()
		out, code := wifi(root, "--country=DE", c[0])
		if left, _ := os.ReadDir(root); code != exitUsage || !strings.Contains(out, c[1]) || len(left) > 0 {
			t.Errorf("%q: exit %d, %d files\n%s", c[0], code, len(left), out)
		}
	}
}

// programForAll is a folder with the program that everybody may start.
func programForAll(t *testing.T) (dir string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "mafiabox") // that of a test is for its owner alone
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	data, err := os.ReadFile(program)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "mafiabox"), data, 0o755)
	}
	if err == nil {
		err = os.Chmod(dir, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestWifiWithoutRights says what to do, and whose file it was.
func TestWifiWithoutRights(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root, to be somebody else")
	}
	dir := programForAll(t)
	root := filepath.Join(dir, "root")
	os.Mkdir(root, 0o755)
	cmd := exec.Command(filepath.Join(dir, "mafiabox"), "wifi", "--country", "DE", "--root", root)
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() != 1 || !bytes.Contains(out, []byte("run it with sudo")) || !bytes.Contains(out, []byte(root)) {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestDrawn: what is drawn can be read by every scanner, typed on any phone, and
// not be guessed; it is never the same.
func TestDrawn(t *testing.T) {
	name, word := regexp.MustCompile(`^Mafia-[A-Z]{4}$`), regexp.MustCompile(`^[a-z]{5}-[a-z]{5}-[a-z]{5}$`)
	seen := make(map[string]bool)
	var names int
	for range 5000 {
		ssid, password := drawSSID(), drawPassword()
		if odd := lan.Misread(ssid, password); odd != nil {
			t.Errorf("%s %s: %v", ssid, password, odd)
		}
		if !name.MatchString(ssid) || !word.MatchString(password) || strings.ContainsAny(ssid[6:], "IOQ") || strings.ContainsAny(password, "ilouaeq") {
			t.Errorf("%s %s", ssid, password)
		}
		if seen[password] {
			t.Errorf("%s twice", password)
		}
		seen[password] = true
		if !seen[ssid] {
			names++
		}
		seen[ssid] = true
	}
	if names < 4500 { // of 280,000
		t.Errorf("only %d names in 5000 draws", names)
	}
}
