package lan

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

const busConf = `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <listen>unix:path=%s/bus</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow user="*"/> <allow own="*"/> <allow send_destination="*"/> <allow eavesdrop="true"/>
  </policy>
</busconfig>
`

const avahiConf = `[server]
host-name=%s
use-ipv4=yes
use-ipv6=yes
[wide-area]
enable-wide-area=no
[publish]
disable-publishing=%s
publish-workstation=no
`

// avahi is an Avahi that runs somewhere, with a message bus of its own.
type avahi struct {
	*process
	at  *place
	dir string
}

// avahiHere starts Avahi in a place. With a host name it tells that, as on any
// machine; without it only listens. It knows nothing of what was told before.
func (p *place) avahiHere(host string) *avahi {
	dir, err := os.MkdirTemp("", "lan") // short, as a socket's path must be
	if err != nil {
		p.Fatal(err)
	}
	p.Cleanup(func() { _ = os.RemoveAll(dir) })
	quiet := "no"
	if host == "" {
		host, quiet = "listener", "yes"
	}
	for name, text := range map[string]string{"bus.conf": fmt.Sprintf(busConf, dir), "avahi.conf": fmt.Sprintf(avahiConf, host, quiet)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			p.Fatal(err)
		}
	}
	a := &avahi{at: p, dir: dir}
	a.process = p.helper("avahi", syscall.CLONE_NEWNS|syscall.CLONE_NEWPID, "MAFIABOX_LAN_DIR="+dir, a.bus())
	a.says(p.T, "Server startup complete.")
	return a
}

// bus is the setting that leads to its message bus.
func (a *avahi) bus() string { return "DBUS_SYSTEM_BUS_ADDRESS=unix:path=" + a.dir + "/bus" }

// tool runs one of Avahi's tools beside it.
func (a *avahi) tool(args ...string) string {
	cmd := a.at.command(args...)
	cmd.Env = append(os.Environ(), a.bus())
	out, _ := cmd.CombinedOutput() // what it fails with is part of what it says
	return string(out)
}

// until tries until ok, and fails when that takes too long.
func (a *avahi) until(what string, ok func() (said string, ok bool)) {
	a.at.Helper()
	began := time.Now()
	for {
		said, ok := ok()
		if ok {
			a.at.Logf("%s, after %.1f s: %s", what, time.Since(began).Seconds(), strings.TrimSpace(said))
			return
		}
		if time.Since(began) > 20*time.Second {
			a.at.Errorf("not found: %s; Avahi says:\n%s", what, said)
			return
		}
		time.Sleep(200 * time.Millisecond)
	}
}

// services waits until exactly these are found, each as "interface name host
// address": its IPv4 address, as found through IPv4.
func (a *avahi) services(what string, want ...string) {
	a.at.Helper()
	a.until(what, func() (string, bool) {
		// Without -k it prints a title for the type; and the name of the
		// interface is looked up where it runs.
		out := a.tool("avahi-browse", "-rptk", "_http._tcp")
		var got []string
		for line := range strings.Lines(out) {
			// =;interface;protocol;name;type;domain;host;address;port;text
			f := strings.Split(strings.TrimSpace(line), ";")
			if len(f) == 10 && f[0] == "=" && f[2] == "IPv4" && !strings.Contains(f[7], ":") && f[8] == fmt.Sprint(port) && f[9] == `"product=mafiabox" "path=/" "txtvers=1"` {
				got = append(got, strings.Join([]string{f[1], f[3], f[6], f[7]}, " "))
			}
		}
		slices.Sort(got)
		return out, slices.Equal(got, want) && (len(want) > 0 || out == "")
	})
}

// resolves waits until a question has one of these answers, or without any is not
// answered. -4 and -6 ask for a name's address, -a for an address's name.
func (a *avahi) resolves(how, what string, want ...string) {
	a.at.Helper()
	args := []string{"avahi-resolve", how, what}
	if how != "-a" {
		args = []string{"avahi-resolve", how, "-n", what}
	}
	a.until(strings.Join(args, " "), func() (string, bool) {
		out := a.tool(args...)
		if len(want) == 0 {
			return out, strings.HasPrefix(out, "Failed to resolve")
		}
		got, _ := strings.CutPrefix(strings.TrimSpace(out), what+"\t")
		return out, slices.Contains(want, got)
	})
}

// unmoved checks that it was never provoked into another name.
func (a *avahi) unmoved() {
	a.at.Helper()
	if said := a.String(); strings.Contains(said, "onflict") || strings.Contains(said, "collision") {
		a.at.Errorf("Avahi beside the box lost its name:\n%s", said)
	}
}
