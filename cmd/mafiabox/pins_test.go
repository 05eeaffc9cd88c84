package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
)

// The lines of the emulated chip to which the panel is wired.
const (
	buttonLine = 3 // which the machine has for its power button as well
	lampLine   = 5
	buzzerLine = 6
)

var nightByButton = regexp.MustCompile(`(?m)^host night .*button$`)

// TestPanelOnPins: on an emulated machine for ARM a press of the button begins
// the night, and the lamp shows it; also when the chip comes after the box, and
// when it comes back after another program had the button. What the box leaves
// lit is turned off.
func TestPanelOnPins(t *testing.T) {
	if os.Getenv("MAFIABOX_LONG") == "" {
		t.Skip("boots a machine")
	}
	m := boot(t, "", "", "", "GPIO17", "", "GPIO27", "GPIO22", "")
	m.drive(buttonLine, true) // as the Pi's pull does

	host := m.begin()
	if m.drawn(host) {
		t.Fatalf("the pins are not used:\n%s", m.out)
	}
	m.night(host)
	m.run("kill -9 $box; wait $box; echo 'the box is dead'")
	m.says("the box is dead")
	m.run("/mafiabox panel-off; echo 'the panel is off'")
	m.says("the panel is off")
	m.dark("a box that was killed")

	chip := func(do string) string { return "echo 9030000.pl061 >/sys/bus/amba/drivers/pl061_gpio/" + do }
	m.run(chip("unbind"))
	host = m.begin()
	if !m.drawn(host) {
		t.Fatal("the console has no panel while there are no pins")
	}
	m.run(chip("bind"))
	m.until("the pins are used that came late", func() bool { return !m.drawn(host) })
	m.night(host)
	m.run("kill $box; wait $box; echo 'the box has ended'")
	m.says("the box has ended")
	m.dark("a box that has ended")

	m.run("modprobe gpio_keys")
	host = m.begin()
	if !m.drawn(host) || !strings.Contains(host.get("/t/1/host"), "Another program holds the pin GPIO17") {
		t.Fatalf("the console doesn't say that somebody has the button:\n%s", m.out)
	}
	m.run("rmmod gpio_keys; " + chip("unbind") + "; " + chip("bind"))
	m.until("the pins are used that came back", func() bool { return !m.drawn(host) })
	m.night(host)
}

// begin starts a box on a folder of its own.
func (m *machine) begin() (host *client) {
	m.t.Helper()
	m.run("/mafiabox serve --data $(mktemp -d) --host-code " + hostCode + " & box=$!")
	host = m.client()
	m.until("the box answers", func() bool {
		_, _, err := host.ask("GET", "/", nil)
		return err == nil
	})
	host.post("/host", form("code", hostCode))
	return host
}

// dark wants the outputs low.
func (m *machine) dark(after string) {
	m.t.Helper()
	if m.high(lampLine) || m.high(buzzerLine) {
		m.t.Errorf("%s leaves the panel on:\n%s", after, m.out)
	}
}

// drawn tells whether the console is the panel.
func (m *machine) drawn(host *client) bool {
	m.t.Helper()
	return strings.Contains(host.get("/t/1/host"), `id="f-press"`)
}

// night deals seven roles and presses the button. It ends while the lamp is lit.
func (m *machine) night(host *client) {
	m.t.Helper()
	blinks := func() {
		m.t.Helper()
		m.until("the lamp is lit", func() bool { return m.high(lampLine) })
		m.until("the lamp is dark", func() bool { return !m.high(lampLine) })
	}
	blinks() // as a table may be joined
	for i := range 7 {
		host.post("/t/1/host/people", form("do", "add", "name", fmt.Sprint("Player ", i+1)))
	}
	host.post("/t/1/host/deal", form("by", "box"))
	m.until("the lamp is dark", func() bool { return !m.high(lampLine) })
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) { // longer than a table to be joined is dark
		if m.high(lampLine) {
			m.t.Fatal("the lamp is lit before the night")
		}
	}
	m.drive(buttonLine, false)
	time.Sleep(150 * time.Millisecond)
	m.drive(buttonLine, true)
	m.until("night by the button", func() bool { return nightByButton.MatchString(host.record()) })
	if !strings.Contains(host.page("/t/1/host"), "Night 1") {
		m.t.Error("the console shows no night")
	}
	blinks()
	m.until("the lamp is lit again", func() bool { return m.high(lampLine) })
}
