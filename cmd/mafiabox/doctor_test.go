package main

import (
	"bytes"
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/mafiabox/mafiabox/server"
)

// doctor looks at the system under a root, in English unless it is told otherwise.
func doctor(root string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, append([]string{"doctor", "--root", root}, args...)...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LANG=C"}
	return cmd
}

// found runs it and reads what it prints for programs.
func found(t *testing.T, cmd *exec.Cmd) map[string]string {
	t.Helper()
	var errs bytes.Buffer
	cmd.Args, cmd.Stderr = append(cmd.Args, "--json"), &errs
	out, _ := cmd.Output()
	var list []server.Found
	if err := json.Unmarshal(out, &list); err != nil {
		t.Fatalf("%v: %s%s", err, out, &errs)
	}
	cases, bad := make(map[string]string), 0
	for _, f := range list {
		if f.Found == "" || f.Heading == "" {
			t.Errorf("%+v says nothing", f)
		}
		if f.State == "bad" {
			bad = 1
		}
		cases[f.ID] = f.Case
	}
	if code := cmd.ProcessState.ExitCode(); code != bad || errs.Len() > 0 {
		t.Errorf("exit %d, want %d\n%s%s", code, bad, out, &errs)
	}
	return cases
}

// service is a system in which the box is a service, with settings.
func service(t *testing.T, settings string) string {
	t.Helper()
	root := t.TempDir()
	for path, text := range map[string]string{"etc/systemd/system/mafiabox.service": "[Unit]\n", settingsFile: settings} {
		path = filepath.Join(root, path)
		os.MkdirAll(filepath.Dir(path), 0o755)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// TestDoctor: it looks at the box as its service would start it, in the language
// of whoever asks, and tells no password.
func TestDoctor(t *testing.T) {
	root := service(t, "MAFIABOX_LISTEN=127.0.0.1:0\nMAFIABOX_WIFI_SSID=Mafia-KXTR\nMAFIABOX_WIFI_PASSWORD=night-falls\nMAFIABOX_CLOCK=trusted\n")
	if got := found(t, doctor(root)); got["port"] != "free" || got["wifi"] != "read" || got["clock"] != "trusted" || got["codes"] != "loopback" {
		t.Errorf("by its settings: %v", got)
	}
	if got := found(t, doctor(root, "--listen", "nonsense", "--wifi-ssid", "Our Club", "--clock", "untrusted")); got["port"] != "wrong" || got["wifi"] != "odd" || got["clock"] != "untrusted" {
		t.Errorf("with others: %v", got)
	}
	for _, c := range []struct {
		lang, says string
		args       []string
	}{
		{"C", "[to mend] Where the codes lead: 127.0.0.1:0 is this machine alone", nil},
		{"ru_RU.UTF-8", "[исправить] Куда ведут коды: 127.0.0.1:0", nil},
		{"ru_RU.UTF-8", "[to mend] Where the codes lead", []string{"--lang", "en"}},
	} {
		cmd := doctor(root, c.args...)
		cmd.Env = append(cmd.Env, "LANG="+c.lang)
		out, _ := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != 1 || !strings.Contains(string(out), c.says) || strings.Contains(string(out), "night-falls") {
			t.Errorf("%s %v: exit %d\n%s", c.lang, c.args, code, out)
		}
	}
	if out, _ := doctor(service(t, "")).Output(); !strings.Contains(string(out), ":80") {
		t.Errorf("it is not about the service's port:\n%s", out)
	}
	if out, _ := doctor(t.TempDir()).Output(); !strings.Contains(string(out), ":8080") {
		t.Errorf("it is not about the port that serve takes:\n%s", out)
	}
}

// TestDoctorBesideABox: a box that runs is no foreign program.
func TestDoctorBesideABox(t *testing.T) {
	b := start(t)
	_, port, _ := net.SplitHostPort(b.addr)
	for _, at := range []string{b.addr, ":" + port, "0.0.0.0:" + port} {
		if got := found(t, doctor("/", "--listen", at)); got["port"] != "own" {
			t.Errorf("%s: %v", at, got)
		}
	}
}

// TestDoctorWithoutRights: somebody without rights is told of what he can't see,
// and that a port below 1024 is not for him.
func TestDoctorWithoutRights(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root, to be somebody else")
	}
	dir := programForAll(t)
	root := service(t, "MAFIABOX_WIFI_SSID=Mafia-KXTR\n")
	for _, path := range []string{root, filepath.Dir(root)} {
		os.Chmod(path, 0o755)
	}
	cmd := doctor(root)
	cmd.Path, cmd.Dir = filepath.Join(dir, "mafiabox"), "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: syscall.CLONE_NEWNET, // where nobody has changed which ports are for everybody
		Credential: &syscall.Credential{Uid: 65534, Gid: 65534},
	}
	if got := found(t, cmd); got["settings"] != "hidden" || got["port"] != "forbidden" || got["addresses"] != "none" || got["name"] != "unasked" {
		t.Errorf("%v", got)
	}
}

// TestCheckupPage: the owner of the box, and nobody else, reads what was found.
func TestCheckupPage(t *testing.T) {
	t.Parallel()
	b := start(t, "--wifi-ssid", "Mafia-KXTR", "--wifi-password", "night-falls")
	host, players := b.seated(1)
	for _, c := range []*client{host, players[0], b.client()} {
		if status, body, err := c.ask("GET", "/box/checkup", nil); err != nil || status != 303 || strings.Contains(body, "Wi-Fi") {
			t.Errorf("who is not the owner gets %d %v\n%s", status, err, body)
		}
	}
	p := newPhone(t, chromium(t), "owner")
	p.do(chromedp.Navigate(b.url+"/box"), chromedp.SendKeys(chromedp.CSS("input[name=code]"), "OWNER"))
	p.click("main button")
	p.click(`a[href="/box/checkup"]`)
	p.shows("127.0.0.1") // which no phone can open
	for _, lang := range server.Languages {
		p.do(chromedp.Navigate(b.url+"/box/checkup?lang="+lang), chromedp.WaitReady(chromedp.CSS("main")))
		p.shoot(lang + "-checkup")
		p.unfold("#d-fine")
		p.shoot(lang + "-checkup-open")
		text := p.text()
		for _, want := range []string{"127.0.0.1", "Mafia-KXTR"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q is not there:\n%s", lang, want, text)
			}
		}
		if strings.Contains(text, "night-falls") || strings.Contains(text, "checkup.") {
			t.Errorf("%s: what must not be there:\n%s", lang, text)
		}
		if wide := p.eval(`document.documentElement.scrollWidth > innerWidth + 1 ? String(document.documentElement.scrollWidth) : ''`); wide != "" {
			t.Errorf("%s: it is %s wide", lang, wide)
		}
	}
}
