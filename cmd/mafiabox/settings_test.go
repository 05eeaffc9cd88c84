package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestSettings: a setting stands in a file, in the environment or on the
// command line, each before the one named first.
func TestSettings(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "mafiabox.conf")
	text := "# a comment\nMAFIABOX_HOST_CODE=FROMFILE\nMAFIABOX_OWNER_CODE=\"OWNER FILE\"\nMAFIABOX_WIFI_SSID=Club-Net\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("MAFIABOX_WIFI_SSID", "From-Env")
	b := &box{t: t, dir: dir, addr: "127.0.0.1:0"}
	out := b.serve(exec.Command(program, "--config", file, "--listen", "127.0.0.1:0", "--data", filepath.Join(dir, "data"), "--owner-code", "FLAG"))
	defer b.kill()
	for _, want := range []string{"host code FROMFILE", "Owner code of the box: FLAG", "Wi-Fi From-Env"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not printed:\n%s", want, out)
		}
	}
}

// TestEmptySettings: an empty value, in the environment or in a file, is none.
func TestEmptySettings(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "mafiabox.conf")
	if err := os.WriteFile(file, []byte("MAFIABOX_PANEL=\nMAFIABOX_HOST_CODE=FROMFILE\nMAFIABOX_OWNER_CODE=\nMAFIABOX_WIFI_PASSWORD=''\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"LANG", "HOST_CODE", "CLOCK", "DATA", "LISTEN", "WIFI_SSID"} {
		t.Setenv("MAFIABOX_"+name, "")
	}
	b := &box{t: t, dir: dir, addr: "127.0.0.1:0"}
	out := b.serve(exec.Command(program, "--config", file, "--listen", "127.0.0.1:0", "--data", filepath.Join(dir, "data")))
	defer b.kill()
	if !strings.Contains(out.String(), "host code FROMFILE") || !regexp.MustCompile(`Owner code of the box: \w{8}`).MatchString(out.String()) {
		t.Errorf("it says\n%s", out)
	}
}

// TestBadSettings: what can't be meant is said in one line that names it.
func TestBadSettings(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "mafiabox.conf")
	text := "# a comment\nMAFIABOX_LANG=ru\n\n  MAFIABOX_LISTN=:80\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"--data", ""}, "--data is empty: expected the folder"},
		{[]string{"serve", "--data="}, "--data is empty: expected the folder"},
		{[]string{"--listen", ""}, "--listen is empty: expected an address"},
		{[]string{"--wifi-password", "night-falls"}, "--wifi-password without --wifi-ssid"},
		{[]string{"--name", "Our club"}, `--name "Our club" is no name for a box: expected letters a-z`},
		{[]string{"--panel-button", "GPIO"}, `--panel-button: "GPIO" is no pin: expected a number or name such as 17 or GPIO17`},
		{[]string{"--panel-lamp", "22"}, "button GPIO17, lamp GPIO22 and buzzer GPIO22: expected three pins"},
		{[]string{"panel-off", "--panel-buzzer=gpiochip0"}, "expected a number or name such as 17 or GPIO17, or chip and line"},
		{[]string{"--config", file}, file + ":4: there is no setting MAFIABOX_LISTN: expected one of MAFIABOX_CONFIG, MAFIABOX_LISTEN"},
	} {
		cmd := exec.Command(program, c.args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if code := exitCode(cmd.ProcessState.ExitCode()); code != exitUsage || !strings.Contains(string(out), c.says) || strings.Count(string(out), "\n") != 1 {
			t.Errorf("%q: exit %d (want %d) %v\n%s", c.args, code, exitUsage, err, out)
		}
	}
}

// TestOddWiFi: a name or a password that phones may misread is warned of, and
// the code is shown all the same.
func TestOddWiFi(t *testing.T) {
	for _, c := range []struct {
		args []string
		says int // warnings
	}{
		{[]string{"--wifi-ssid", "Mafia-Club", "--wifi-password", "night-falls"}, 0},
		{[]string{"--wifi-ssid", "Mafia Club", "--wifi-password", "short"}, 2},
	} {
		b := start(t, c.args...)
		warnings := func() int { // they come by another way than what is printed
			return strings.Count(b.out.String(), "level=WARN msg=\"phones may not read the Wi-Fi code\"")
		}
		eventually(t, fmt.Sprintf("%q: %d warnings", c.args, c.says), func() bool { return warnings() >= c.says })
		if n := warnings(); n != c.says {
			t.Errorf("%q: %d warnings\n%s", c.args, n, b.out)
		}
		if n := len(terminalCodes(b.out.String(), dark)); n != 2 {
			t.Errorf("%q: %d codes", c.args, n)
		}
	}
}

// TestHelp: every level has its help, which names settings and exit codes.
func TestHelp(t *testing.T) {
	for _, c := range []struct {
		args []string
		says []string
	}{
		{[]string{"--help"}, []string{"--config", "serve", "replay", "Exit codes"}},
		{[]string{"serve", "--help"}, []string{"--listen", "--data", "--panel", "--panel-button", "--panel-lamp", "--panel-buzzer", "MAFIABOX_PANEL_BUZZER", "GPIO22", "--host-code", "--owner-code", "--name", "--wifi-ssid", "--wifi-password", "--captive", "--clock", "--lang", "MAFIABOX_LISTEN", `":8080"`, "./mafiabox-data", "Exit codes", "3 another box"}},
		{[]string{"wifi", "--help"}, []string{"--ssid", "--password", "--country", "--interface", "--address", "--channel", "--new", "--root", "mafiabox.nmconnection"}},
		{[]string{"doctor", "--help"}, []string{"--listen", "--wifi-ssid", "--json", "--lang", "/etc/mafiabox/mafiabox.conf", "Exit codes: 0"}},
		{[]string{"replay", "--help"}, []string{"--check", "--offers", "<file>", "Exit codes", "2 a record can't be read"}},
	} {
		out, err := exec.Command(program, c.args...).CombinedOutput()
		if err != nil {
			t.Errorf("%v: %v", c.args, err)
		}
		for _, want := range c.says {
			if !strings.Contains(string(out), want) {
				t.Errorf("%v does not name %s:\n%s", c.args, want, out)
			}
		}
	}
}

var unitLine = regexp.MustCompile(`(?m)^(ExecStart|Environment)=(.*)$`)

// TestUnit runs what the unit runs, as the unit would: its command with its
// environment, %S being the folder of states and the port one that is free.
func TestUnit(t *testing.T) {
	unit, err := os.ReadFile("../../systemd/mafiabox.service")
	if err != nil {
		t.Fatal(err)
	}
	states := t.TempDir()
	var cmd *exec.Cmd
	env := os.Environ()
	for _, line := range unitLine.FindAllStringSubmatch(string(unit), -1) {
		value := strings.ReplaceAll(line[2], "%S", states)
		if line[1] == "Environment" {
			env = append(env, strings.Replace(value, "MAFIABOX_LISTEN=:80", "MAFIABOX_LISTEN=127.0.0.1:0", 1))
			continue
		}
		words := strings.Fields(value)
		if words[0] != "/usr/bin/mafiabox" {
			t.Fatalf("it starts %s", words[0])
		}
		cmd = exec.Command(program, words[1:]...)
	}
	if cmd == nil || !strings.Contains(string(unit), "\nStateDirectory=mafiabox\n") {
		t.Fatal("no command, or no folder of states")
	}
	cmd.Env, cmd.Dir = env, "/"
	b := &box{t: t, addr: "127.0.0.1:0"}
	b.serve(cmd)
	defer b.kill()
	b.client().get("/")
	if entries, err := os.ReadDir(filepath.Join(states, "mafiabox")); err != nil || len(entries) == 0 {
		t.Errorf("nothing is kept in its folder of states: %v", err)
	}
}
