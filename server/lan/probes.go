package lan

import "slices"

// Probe is what a system asks of a network to learn whether the internet is
// behind it, and the answer that it takes for a yes. It asks any of the hosts for
// any of the paths, by plain http.
type Probe struct {
	Who    string // asks it
	Hosts  []string
	Paths  []string
	Answer Answer
	Shared bool // the hosts have other things, too, and a box with internet must not take them
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
	{Who: "iOS, macOS", Hosts: []string{"captive.apple.com"}, Paths: []string{"/hotspot-detect.html", "/library/test/success.html"}, Answer: page(success)},
	{Who: "iOS, macOS", Hosts: []string{"www.appleiphonecell.com", "www.itools.info", "www.ibook.info", "www.airport.us", "www.thinkdifferent.us"},
		Paths: []string{"/library/test/success.html"}, Answer: page(success)},
	{Who: "iOS, macOS", Hosts: []string{"www.apple.com"}, Paths: []string{"/library/test/success.html"}, Answer: page(success), Shared: true},

	{Who: "Android, Chrome", Hosts: []string{"connectivitycheck.gstatic.com", "connectivitycheck.android.com", "clients3.google.com"},
		Paths: []string{"/generate_204", "/gen_204"}, Answer: noContent},
	{Who: "Android, Chrome", Hosts: []string{"clients1.google.com", "clients4.google.com", "www.google.com", "play.googleapis.com", "www.gstatic.com", "www.google.cn", "g.cn"},
		Paths: []string{"/generate_204", "/gen_204"}, Answer: noContent, Shared: true},
	{Who: "Android of other makers", Hosts: []string{
		"connectivity.samsung.com.cn", "connect.rom.miui.com", "connectivitycheck.platform.hicloud.com", "connectivitycheck.cbg-app.huawei.com",
		"connectivitycheck.platform.hihonorcloud.com", "conn1.oppomobile.com", "conn2.oppomobile.com", "conn1.coloros.com", "conn2.coloros.com",
		"wifi.vivo.com.cn", "fireoscaptiveportal.com", "connectivitycheck.grapheneos.network",
	}, Paths: []string{"/generate_204"}, Answer: noContent},
	{Who: "Android of other makers", Hosts: []string{"www.qualcomm.cn"}, Paths: []string{"/generate_204"}, Answer: noContent, Shared: true},
	{Who: "Kindle", Hosts: []string{"spectrum.s3.amazonaws.com"}, Paths: []string{"/kindle-wifi/wifistub.html"}, Answer: page(kindle), Shared: true},

	{Who: "Windows", Hosts: []string{"www.msftconnecttest.com", "ipv6.msftconnecttest.com"}, Paths: []string{"/connecttest.txt"}, Answer: plainText("Microsoft Connect Test")},
	{Who: "Windows", Hosts: []string{"www.msftncsi.com", "ipv6.msftncsi.com"}, Paths: []string{"/ncsi.txt"}, Answer: plainText("Microsoft NCSI")},
	{Who: "Edge", Hosts: []string{"edge-http.microsoft.com"}, Paths: []string{"/captiveportal/generate_204"}, Answer: noContent, Shared: true},
	{Who: "Firefox", Hosts: []string{"detectportal.firefox.com"}, Paths: []string{"/success.txt"}, Answer: plainText("success\n")},
	{Who: "Firefox", Hosts: []string{"detectportal.firefox.com"}, Paths: []string{"/canonical.html"}, Answer: page(`<meta http-equiv="refresh" content="0;url=https://support.mozilla.org/kb/captive-portal"/>`)},

	{Who: "GNOME", Hosts: []string{"nmcheck.gnome.org"}, Paths: []string{"/check_network_status.txt"}, Answer: online(200, "NetworkManager is online\n")},
	{Who: "Debian", Hosts: []string{"network-test.debian.org"}, Paths: []string{"/nm"}, Answer: online(200, "NetworkManager is online\n")},
	{Who: "Ubuntu", Hosts: []string{"connectivity-check.ubuntu.com"}, Paths: []string{"/"}, Answer: online(204, "")},
	{Who: "Fedora", Hosts: []string{"fedoraproject.org"}, Paths: []string{"/static/hotspot.txt"}, Answer: online(200, "OK\n"), Shared: true},
	{Who: "Arch", Hosts: []string{"ping.archlinux.org"}, Paths: []string{"/nm-check.txt"}, Answer: online(200, "NetworkManager is online\n")},
	{Who: "Arch", Hosts: []string{"www.archlinux.org"}, Paths: []string{"/check_network_status.txt"}, Answer: online(200, "NetworkManager is online\n"), Shared: true},
	{Who: "openSUSE", Hosts: []string{"conncheck.opensuse.org"}, Paths: []string{"/"}, Answer: online(200, "NetworkManager is online\n")},
	{Who: "KDE", Hosts: []string{"networkcheck.kde.org"}, Paths: []string{"/"}, Answer: online(200, "OK\n")},
	{Who: "ConnMan, of televisions", Hosts: []string{"ipv4.connman.net", "ipv6.connman.net"}, Paths: []string{"/online/status.html"}, Answer: Answer{200, "text/html", "<html><body></body></html>\n", "X-ConnMan-Status", "online"}},
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

// ProbeHosts are the names that a network without internet leads to the box, so
// that it can answer: those that are there for nothing else.
func ProbeHosts() (all []string) {
	for _, p := range Probes {
		for _, host := range p.Hosts {
			if !p.Shared && !slices.Contains(all, host) {
				all = append(all, host)
			}
		}
	}
	return all
}
