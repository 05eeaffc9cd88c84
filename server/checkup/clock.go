package checkup

import (
	"context"
	"os"
	"path/filepath"
)

// clock tells whether the box believes its clock.
func (m Machine) clock(context.Context) []Finding {
	switch m.Clock {
	case "trusted":
		return []Finding{{ID: "clock", Case: "trusted", State: OK}}
	case "untrusted":
		return []Finding{{ID: "clock", Case: "untrusted", State: Note}}
	}
	switch chip, flat := ClockChip(m.Root); {
	case !chip:
		return []Finding{{ID: "clock", Case: "none", State: Note}}
	case flat:
		return []Finding{{ID: "clock", Case: "flat", State: Note}}
	}
	return []Finding{{ID: "clock", Case: "chip", State: OK}}
}

// ClockChip tells whether a machine has a clock that goes on without power, and
// whether that clock is known to lack the battery for it. Without one a machine
// comes up with about the time at which it went down. A Pi 5 has a chip in any
// case, and says what its battery has.
func ClockChip(root string) (there, flat bool) {
	clocks, _ := filepath.Glob(filepath.Join(root, "dev/rtc*"))
	volts, _ := filepath.Glob(filepath.Join(root, "sys/class/rtc/*/battery_voltage"))
	for _, file := range volts {
		microvolts, err := os.ReadFile(file)
		flat = flat || err == nil && len(microvolts) < len("1000000\n") // less than a volt
	}
	return len(clocks) > 0, flat
}
