package main

import (
	"fmt"
	"os"
	"regexp"
	"slices"
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
// when it comes back after another program had the button, and when it goes in the
// middle of a night. The console follows by itself. What the box leaves lit is
// turned off.
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

	console, _ := host.dial("/t/1/live?as=host", m.url)
	shown := func(what string, is func(page string) bool) {
		t.Helper()
		m.until("the console shows by itself "+what, func() bool { return slices.ContainsFunc(console.take(), is) })
	}
	holds := func(text string) func(string) bool {
		return func(page string) bool { return strings.Contains(page, text) }
	}
	m.drive(buttonLine, false)
	shown("that the button is held", holds("The button is held"))
	m.run(chip("unbind")) // a chip that is away reads as held
	shown("that the chip is away", holds("The chip with the pins is away"))
	if page := host.page("/t/1/host"); !strings.Contains(page, "Night 1") || strings.Count(host.record(), "\nhost ") != 1 {
		t.Errorf("without its pins the night is another:\n%s\n%s", host.record(), page)
	}
	m.drive(buttonLine, true)
	m.run(chip("bind"))
	shown("the pins again", holds("Button GPIO17"))
	m.until("the lamp is lit, as the night goes on", func() bool { return m.high(lampLine) })
	m.until("the lamp is dark, as the night goes on", func() bool { return !m.high(lampLine) })
	if shows := host.panel(); shows != "night. lamp: blinks" {
		t.Errorf("the panel shows %q", shows)
	}
	m.tap()
	shown("that the button asks, as nobody has answered", holds("press once more. "))
	m.tap()
	shown("that the night is closed", holds("night closed. "))
	m.run("kill $box; wait $box; echo 'the last box has ended'")
	m.says("the last box has ended")
	m.dark("a box whose chip was away")
}

// tap presses the button shortly.
func (m *machine) tap() {
	m.t.Helper()
	m.drive(buttonLine, false)
	time.Sleep(150 * time.Millisecond)
	m.drive(buttonLine, true)
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
	m.tap()
	m.until("the buzzer sounds", func() bool { return m.high(buzzerLine) })
	m.until("the buzzer is silent", func() bool { return !m.high(buzzerLine) })
	m.until("night by the button", func() bool { return nightByButton.MatchString(host.record()) })
	if !strings.Contains(host.page("/t/1/host"), "Night 1") {
		m.t.Error("the console shows no night")
	}
	blinks()
	m.until("the lamp is lit again", func() bool { return m.high(lampLine) })
}
