package main

import (
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

// TestHelp: every level has its help, which names settings and exit codes.
func TestHelp(t *testing.T) {
	for _, c := range []struct {
		args []string
		says []string
	}{
		{[]string{"--help"}, []string{"--config", "serve", "replay", "Exit codes"}},
		{[]string{"serve", "--help"}, []string{"--listen", "--data", "--panel", "--host-code", "--owner-code", "--wifi-ssid", "--wifi-password", "--clock", "--lang", "MAFIABOX_LISTEN", `":8080"`, "./mafiabox-data", "Exit codes", "3 another box"}},
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
