package lan

import (
	"slices"
	"strings"
)

// Probe is what a system asks of a network to learn whether the internet is
// behind it, and the answer that it takes for a yes. It asks any of the hosts for
// any of the paths, by plain http.
type Probe struct {
	Who    string // asks it
	Hosts  []string
	Paths  []string
	Answer Answer
}

// Answer is compared by whoever asked, often byte for byte.
type Answer struct {
	Status int
	Type   string // of the body
	Body   string
	Header string // one more that counts; "" for none
	Value  string
}

var (
	noContent = Answer{Status: 204}
	// NetworkManager believes this header before it looks at the body, of which
	// each distribution expects another.
	online = func(status int, body string) Answer {
		return Answer{status, "text/plain", body, "X-NetworkManager-Status", "online"}
	}
	plainText = func(body string) Answer { return Answer{Status: 200, Type: "text/plain", Body: body} }
	page      = func(body string) Answer { return Answer{Status: 200, Type: "text/html", Body: body} }
)

// Probes are those of phones, computers and browsers. Most makers of Android
// phones have their own host beside Google's, as China can't reach that.
var Probes = []Probe{
	{"iOS, macOS", []string{"captive.apple.com"}, []string{"/hotspot-detect.html", "/library/test/success.html"}, page(success)},
	{"iOS, macOS", []string{
		"www.apple.com", "www.appleiphonecell.com", "www.itools.info", "www.ibook.info", "www.airport.us", "www.thinkdifferent.us",
	}, []string{"/library/test/success.html"}, page(success)},

	{"Android, Chrome", []string{
		"connectivitycheck.gstatic.com", "connectivitycheck.android.com", "clients1.google.com", "clients3.google.com", "clients4.google.com",
		"www.google.com", "play.googleapis.com", "www.gstatic.com", "www.google.cn", "g.cn",
	}, []string{"/generate_204", "/gen_204"}, noContent},
	{"Android of other makers", []string{
		"connectivity.samsung.com.cn", "connect.rom.miui.com", "connectivitycheck.platform.hicloud.com", "connectivitycheck.cbg-app.huawei.com",
		"connectivitycheck.platform.hihonorcloud.com", "conn1.oppomobile.com", "conn2.oppomobile.com", "conn1.coloros.com", "conn2.coloros.com",
		"wifi.vivo.com.cn", "www.qualcomm.cn", "fireoscaptiveportal.com", "connectivitycheck.grapheneos.network",
	}, []string{"/generate_204"}, noContent},
	{"Kindle", []string{"spectrum.s3.amazonaws.com"}, []string{"/kindle-wifi/wifistub.html"}, page(kindle)},

	{"Windows", []string{"www.msftconnecttest.com", "ipv6.msftconnecttest.com"}, []string{"/connecttest.txt"}, plainText("Microsoft Connect Test")},
	{"Windows", []string{"www.msftncsi.com", "ipv6.msftncsi.com"}, []string{"/ncsi.txt"}, plainText("Microsoft NCSI")},
	{"Edge", []string{"edge-http.microsoft.com"}, []string{"/captiveportal/generate_204"}, noContent},
	{"Firefox", []string{"detectportal.firefox.com"}, []string{"/success.txt"}, plainText("success\n")},
	{"Firefox", []string{"detectportal.firefox.com"}, []string{"/canonical.html"}, page(`<meta http-equiv="refresh" content="0;url=https://support.mozilla.org/kb/captive-portal"/>`)},

	{"GNOME", []string{"nmcheck.gnome.org"}, []string{"/check_network_status.txt"}, online(200, "NetworkManager is online\n")},
	{"Debian", []string{"network-test.debian.org"}, []string{"/nm"}, online(200, "NetworkManager is online\n")},
	{"Ubuntu", []string{"connectivity-check.ubuntu.com"}, []string{"/"}, online(204, "")},
	{"Fedora", []string{"fedoraproject.org"}, []string{"/static/hotspot.txt"}, online(200, "OK\n")},
	{"Arch", []string{"ping.archlinux.org"}, []string{"/nm-check.txt"}, online(200, "NetworkManager is online\n")},
	{"Arch", []string{"www.archlinux.org"}, []string{"/check_network_status.txt"}, online(200, "NetworkManager is online\n")},
	{"openSUSE", []string{"conncheck.opensuse.org"}, []string{"/"}, online(200, "NetworkManager is online\n")},
	{"KDE", []string{"networkcheck.kde.org"}, []string{"/"}, online(200, "OK\n")},
	{"ConnMan, of televisions", []string{"ipv4.connman.net", "ipv6.connman.net"}, []string{"/online/status.html"}, Answer{200, "text/html", "<html><body></body></html>\n", "X-ConnMan-Status", "online"}},
}

const (
	success = "<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>\n"
	// What counts is the number in the body.
	kindle = "<html><head><title>Kindle Reachability Probe Page</title></head><body>81ce4465-7167-4dcb-835b-dcc9e44c112a</body></html>\n"
)

// byProbe are the answers by host and path, which begins with a slash.
var byProbe = func() map[string]Answer {
	all := make(map[string]Answer)
	for _, p := range Probes {
		for _, host := range p.Hosts {
			for _, path := range p.Paths {
				all[host+path] = p.Answer
			}
		}
	}
	return all
}()

// ProbeAnswer is what a host name, in small letters, answers to a path when all
// is well; false when no system asks that for a probe.
func ProbeAnswer(host, path string) (Answer, bool) {
	a, ok := byProbe[host+path]
	return a, ok
}

// ProbeHosts are the names that a network without internet has to lead to the
// box, so that it can answer.
func ProbeHosts() []string {
	var all []string
	for _, p := range Probes {
		all = append(all, p.Hosts...)
	}
	slices.SortFunc(all, strings.Compare)
	return slices.Compact(all)
}
