package systemd

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// unit copies the unit to a directory of its own, with a program that exists.
func unit(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		t.Skip("needs systemd-analyze (package systemd)")
	}
	text, err := os.ReadFile("mafiabox.service")
	if err != nil {
		t.Fatal(err)
	}
	const program = "/usr/bin/mafiabox "
	for _, line := range []string{"\nExecStart=" + program + "serve\n", "\nExecStopPost=-" + program + "panel-off\n"} {
		if !strings.Contains(string(text), line) {
			t.Fatalf("the unit has no line %q", line)
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "mafiabox.service")
	changed := strings.ReplaceAll(string(text), program, self+" ")
	if err := os.WriteFile(path, []byte(changed), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestVerify has systemd read the unit: an unknown or misplaced setting is a
// line on its output, and no error.
func TestVerify(t *testing.T) {
	out, err := exec.Command("systemd-analyze", "verify", "--man=no", unit(t)).CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestSecurity keeps the unit as closed as it is; 10 is wide open.
func TestSecurity(t *testing.T) {
	const most = 1.8
	out, err := exec.Command("systemd-analyze", "security", "--offline=true", "--no-pager", unit(t)).CombinedOutput()
	m := regexp.MustCompile(`exposure level for \S+: ([0-9.]+)`).FindSubmatch(out)
	if m == nil {
		t.Fatalf("no level: %v\n%s", err, out)
	}
	level, err := strconv.ParseFloat(string(m[1]), 64)
	if err != nil || level > most {
		t.Errorf("level %s, want %v at most\n%s", m[1], most, out)
	}
	t.Logf("exposure level %s", m[1])
}

// TestRestarts checks that a box that hangs or ends is started again, and where
// the start limit stands: in [Service] systemd would ignore it, and a bad disk
// would end in a permanent stop.
func TestRestarts(t *testing.T) {
	text, err := os.ReadFile("mafiabox.service")
	if err != nil {
		t.Fatal(err)
	}
	head, body, _ := strings.Cut(string(text), "\n[Service]\n")
	if !strings.Contains(head, "\nStartLimitIntervalSec=0\n") {
		t.Error("[Unit] has no StartLimitIntervalSec=0")
	}
	for _, line := range []string{"Restart=always", "Type=notify", "NotifyAccess=main", "WatchdogSec=30s"} {
		if !strings.Contains(body, "\n"+line+"\n") {
			t.Errorf("[Service] has no %s", line)
		}
	}
}

// TestConf checks that the file changes nothing as it is delivered, and has
// each setting once with its default and a sentence before it.
func TestConf(t *testing.T) {
	text, err := os.ReadFile("mafiabox.conf")
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	before := ""
	for n, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		switch {
		case line != "" && line[0] != '#':
			t.Errorf("line %d is not commented out: %s", n+1, line)
		case strings.HasPrefix(line, "#MAFIABOX_"):
			got += line[1:] + "\n"
			if !strings.HasPrefix(before, "# ") {
				t.Errorf("line %d has no sentence before it", n+1)
			}
		case line != "" && line != "#" && !strings.HasPrefix(line, "# "):
			t.Errorf("line %d is neither a setting nor a sentence: %s", n+1, line)
		}
		before = line
	}
	const want = `MAFIABOX_LISTEN=:80
MAFIABOX_DATA=/var/lib/mafiabox
MAFIABOX_BACKUP_TO=
MAFIABOX_PANEL=auto
MAFIABOX_PANEL_BUTTON=GPIO17
MAFIABOX_PANEL_LAMP=GPIO27
MAFIABOX_PANEL_BUZZER=GPIO22
MAFIABOX_HOST_CODE=
MAFIABOX_OWNER_CODE=
MAFIABOX_NAME=mafia
MAFIABOX_WIFI_SSID=
MAFIABOX_WIFI_PASSWORD=
MAFIABOX_CAPTIVE=success
MAFIABOX_CLOCK=auto
MAFIABOX_LANG=en
`
	if got != want {
		t.Errorf("the settings are\n%s\nwant\n%s", got, want)
	}
}
