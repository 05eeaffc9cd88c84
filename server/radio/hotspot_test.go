package radio

import (
	"bytes"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mafiabox/mafiabox/server/lan"
	"github.com/miekg/dns"
)

var club = Hotspot{
	SSID: "Mafia-KXTR", Password: "bcdfg-hjkmn-prstv", Country: "DE", Interface: "wlan0",
	Address: netip.MustParsePrefix("192.168.77.1/24"), Channel: 6, Name: "mafia",
}

// tool finds a program; those of the administrator are not in everybody's path.
func tool(t *testing.T, name, pkg string) string {
	t.Helper()
	for _, dir := range append(filepath.SplitList(os.Getenv("PATH")), "/usr/sbin", "/sbin") {
		if path, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return path
		}
	}
	t.Skipf("needs %s (package %s)", name, pkg)
	return ""
}

func files(t *testing.T, h Hotspot) (profile, names, country string) {
	t.Helper()
	list, err := h.Files()
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != 3 {
		t.Fatalf("%d files", len(list))
	}
	if list[0].Path != Profile || list[0].Mode != 0o600 {
		t.Errorf("the profile, which has the password, is %s, mode %v", list[0].Path, list[0].Mode)
	}
	return string(list[0].Text), string(list[1].Text), string(list[2].Text)
}

// values are those of a file of sections, each under its section's name.
func values(text string) map[string]string {
	all, section := make(map[string]string), ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			section = line
		} else if key, value, ok := strings.Cut(line, "="); ok && !strings.HasPrefix(line, "#") {
			all[section+key] = strings.TrimSuffix(value, ";")
		}
	}
	return all
}

// TestProfile has NetworkManager itself read the profile: it leaves out what it
// doesn't know, and what is not as it stands there if it isn't said.
func TestProfile(t *testing.T) {
	nmcli := tool(t, "nmcli", "network-manager")
	for _, h := range []Hotspot{club, {SSID: "Z", Password: strings.Repeat("z", 63), Interface: "wlx001122334455", Country: "RU", Address: netip.MustParsePrefix("10.0.0.1/16"), Name: "x"}} {
		profile, _, _ := files(t, h)
		cmd := exec.Command(nmcli, "--offline", "connection", "modify", "connection.id", "mafiabox")
		cmd.Stdin = strings.NewReader(profile)
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		if err := cmd.Run(); err != nil || errs.Len() > 0 {
			t.Fatalf("nmcli: %v %s\n%s", err, &errs, profile)
		}
		got, ours := values(out.String()), values(profile)
		for key, value := range ours {
			if key == "[connection]autoconnect" {
				value = "" // its default, which it leaves out
			}
			if got[key] != value {
				t.Errorf("%s: nmcli reads %q, we wrote %q", key, got[key], value)
			}
		}
		for key, want := range map[string]string{
			"[wifi]mode": "ap", "[wifi]band": "bg", "[wifi]ssid": h.SSID, "[wifi-security]psk": h.Password,
			"[wifi-security]key-mgmt": "wpa-psk", "[wifi-security]proto": "rsn", "[wifi-security]pairwise": "ccmp", "[wifi-security]group": "ccmp", "[wifi-security]pmf": "1",
			"[ipv4]method": "shared", "[ipv4]address1": h.Address.String(), "[ipv6]method": "disabled", "[connection]interface-name": h.Interface,
		} {
			if got[key] != want {
				t.Errorf("%s is %q, want %q", key, got[key], want)
			}
		}
		if _, ok := got["[wifi]channel"]; ok != (h.Channel != 0) {
			t.Errorf("channel %d is %q", h.Channel, got["[wifi]channel"])
		}
	}
}

// TestRead: what was written is read again, by the box and from a mounted card.
func TestRead(t *testing.T) {
	profile, _, _ := files(t, club)
	h, err := Read(tree(t, map[string]string{Profile: profile}))
	if err != nil || h.SSID != club.SSID || h.Password != club.Password || h.Interface != club.Interface {
		t.Errorf("%+v %v", h, err)
	}
	if _, err := Read(t.TempDir()); !os.IsNotExist(err) {
		t.Errorf("without a profile: %v", err)
	}
}

// TestNames asks dnsmasq itself, started as NetworkManager starts it, with no
// other server to ask: the names have the box's address and no other, and others
// are refused at once.
func TestNames(t *testing.T) {
	dnsmasq := tool(t, "dnsmasq", "dnsmasq-base")
	_, names, _ := files(t, club)
	dir := t.TempDir()
	path := filepath.Join(dir, "mafiabox.conf")
	if err := os.WriteFile(path, []byte(names), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(dnsmasq, "--test", "--conf-file="+path).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s\n%s", err, out, names)
	}
	port := freePort(t)
	cmd := exec.Command(dnsmasq, "--keep-in-foreground", "--conf-file=/dev/null", "--no-hosts", "--no-resolv", "--pid-file=", "--user=root",
		"--bind-interfaces", "--listen-address=127.0.0.1", "--port="+fmt.Sprint(port), "--conf-dir="+dir)
	cmd.Stdout, cmd.Stderr = t.Output(), t.Output()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { cmd.Process.Kill(); cmd.Wait() }()
	ask := func(name string, kind uint16) *dns.Msg {
		t.Helper()
		q := new(dns.Msg).SetQuestion(name, kind)
		for end := time.Now().Add(20 * time.Second); ; time.Sleep(50 * time.Millisecond) { // it has to start
			r, err := dns.Exchange(q, fmt.Sprint("127.0.0.1:", port))
			if err == nil {
				return r
			}
			if time.Now().After(end) {
				t.Fatal(err)
			}
		}
	}
	all := regexp.MustCompile(`[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]+`).FindAllString(strings.Join(regexp.MustCompile(`(?m)^address=.*$`).FindAllString(names, -1), "\n"), -1)
	for _, name := range []string{
		"captive.apple.com", "connectivitycheck.gstatic.com", "connectivitycheck.android.com", "clients3.google.com", "www.msftconnecttest.com",
		"www.msftncsi.com", "detectportal.firefox.com", "nmcheck.gnome.org", "connectivity-check.ubuntu.com", "mafia.local",
	} {
		if !slices.Contains(all, name) {
			t.Errorf("%s is not among %v", name, all)
		}
	}
	for _, name := range all {
		if name != "mafia.local" && !slices.ContainsFunc(lan.Probes, func(p lan.Probe) bool { return slices.Contains(p.Hosts, name) }) {
			t.Errorf("%s is led here, and the box doesn't know what it is asked for there", name)
		}
		name += "."
		r := ask(name, dns.TypeA)
		if len(r.Answer) != 1 || r.Answer[0].(*dns.A).A.String() != "192.168.77.1" {
			t.Errorf("%s is %v", name, r.Answer)
		}
		if r := ask(name, dns.TypeAAAA); r.Rcode != dns.RcodeSuccess || len(r.Answer) != 0 {
			t.Errorf("%s for IPv6: %s %v", name, dns.RcodeToString[r.Rcode], r.Answer)
		}
	}
	for _, name := range []string{"www.google.com.", "www.apple.com.", "club.local.", "example.com."} {
		if r := ask(name, dns.TypeA); len(r.Answer) != 0 {
			t.Errorf("%s is %v: it is not ours", name, r.Answer)
		}
	}
}

// TestCountryFile: what is written is what is read.
func TestCountryFile(t *testing.T) {
	_, _, country := files(t, club)
	if got := Country(tree(t, map[string]string{"etc/modprobe.d/mafiabox.conf": country})); got != "DE" {
		t.Errorf("%q is read from\n%s", got, country)
	}
	set := club
	set.Country = ""
	if list, err := set.Files(); err != nil || len(list) != 2 {
		t.Errorf("where the system names a country: %d files %v", len(list), err)
	}
}

// freePort is a port that nobody uses at the moment.
func freePort(t *testing.T) int {
	t.Helper()
	c, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	return c.LocalAddr().(*net.UDPAddr).Port
}
