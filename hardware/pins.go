package hardware

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"syscall"

	"periph.io/x/conn/v3/gpio"
)

// Pin is a pin, and the level at which its button is pressed, its lamp lit or
// its buzzer sounding.
type Pin struct {
	Line  string // "GPIO17", or "gpiochip0:17" by chip and number
	Level string // "low" or "high"; empty: as is usual for what hangs on it
}

const low, high = "low", "high"

var pinForm = regexp.MustCompile(`^(?:(?:GPIO)?0{0,2}(\d{1,3})|(gpiochip\d{1,3}:\d{1,4}))(?:-(low|high))?$`)

// UnmarshalText reads a pin as people write it: 17, GPIO17, gpiochip0:17, each
// also with -low or -high behind it. The last form is for chips whose lines have no names.
func (p *Pin) UnmarshalText(text []byte) error {
	m := pinForm.FindStringSubmatch(string(text))
	if m == nil {
		return fmt.Errorf("%.40q is no pin: expected a number or name such as 17 or GPIO17, or chip and line such as gpiochip0:17; then -low or -high where that is what presses, lights or sounds", text)
	}
	*p = Pin{Line: m[2], Level: m[3]}
	if m[1] != "" {
		p.Line = "GPIO" + m[1]
	}
	return nil
}

// String is the pin as it is read.
func (p Pin) String() string {
	if p.Level == "" {
		return p.Line
	}
	return p.Line + "-" + p.Level
}

// or fills in what is not said. The usual level isn't kept apart from one that was said.
func (p Pin) or(line, level string) Pin {
	if p.Line == "" {
		p.Line = line
	}
	if p.Level == level {
		p.Level = ""
	}
	return p
}

// level is that of a pin which is pressed, lit or sounding, or not, where usual
// is the level of one that is.
func (p Pin) level(on bool, usual gpio.Level) gpio.Level {
	if p.Level != "" {
		usual = p.Level == high
	}
	return gpio.Level(on) == usual
}

// Fault is why the pins are not used: the key of a text, and the pin that it
// speaks of, if it speaks of one.
type Fault struct{ Key, Pin string }

const (
	faultNone    = "fault.none"    // the machine has no pins, or none yet
	faultGone    = "fault.gone"    // it had, and their chip is away
	faultDenied  = "fault.denied"  // the program may not open the chips
	faultUnknown = "fault.unknown" // no chip has this pin
	faultTaken   = "fault.taken"   // another program holds it
	faultRefused = "fault.refused" // anything else
)

// Faults are the keys of all faults.
func Faults() []string {
	return []string{faultNone, faultGone, faultDenied, faultUnknown, faultTaken, faultRefused}
}

var (
	errNoChip = errors.New("the machine has no GPIO chip")
	errDenied = errors.New("/dev/gpiochip* may not be opened: expected to be in the group gpio")
	errNoPin  = errors.New("no chip has it")
)

// pinError is what went wrong with a pin.
type pinError struct {
	pin Pin
	err error
}

func (e pinError) Error() string { return "pin " + e.pin.Line + ": " + e.err.Error() }
func (e pinError) Unwrap() error { return e.err }

func faultOf(err error) Fault {
	var at pinError
	errors.As(err, &at)
	switch {
	case errors.Is(err, errNoChip):
		return Fault{Key: faultNone}
	case errors.Is(err, errDenied):
		return Fault{Key: faultDenied}
	case errors.Is(err, errNoPin):
		return Fault{faultUnknown, at.pin.Line}
	case says(err, syscall.EBUSY):
		return Fault{faultTaken, at.pin.Line}
	case says(err, syscall.ENODEV):
		return Fault{Key: faultGone}
	}
	return Fault{faultRefused, at.pin.Line}
}

// says tells whether an error is one of the kernel's, of which periph (v3.8.5)
// hands on the words alone, at the end of its own.
func says(err error, errno syscall.Errno) bool {
	return strings.HasSuffix(err.Error(), errno.Error())
}
