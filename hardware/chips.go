package hardware

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"periph.io/x/conn/v3/driver"
	"periph.io/x/conn/v3/driver/driverreg"
	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/gpio/gpioreg"
	"periph.io/x/host/v3/gpioioctl"
)

// finder gives the pin of a line.
type finder func(line string) (gpio.PinIO, error)

// findPin finds a pin of the kernel's GPIO character devices.
//
// Of periph's drivers only this one is linked. The others map the processor's
// registers, as root through /dev/mem, which on a Pi 5 are not where they
// think, and want sysfs numbers and the device tree. This one needs no more
// than the group gpio, works alike on every Pi, and does no harm as root.
func findPin(line string) (gpio.PinIO, error) {
	chips.Lock()
	defer chips.Unlock()
	if err := chips.look(); err != nil {
		return nil, err
	}
	if chip, number, ok := strings.Cut(line, ":"); ok {
		n, err := strconv.Atoi(number)
		for _, c := range gpioioctl.Chips {
			if err == nil && c.Name() == chip && n >= 0 && n < c.LineCount() {
				return c.ByNumber(n), nil
			}
		}
	} else if p := gpioreg.ByName(line); p != nil {
		return p, nil
	}
	return nil, errNoPin
}

// chips are the machine's GPIO chips, as periph found them when it last looked.
// There is one list in the process, as there is one in periph.
var chips chipList

type chipList struct {
	sync.Mutex
	ran  bool
	seen string                // /dev/gpiochip* at that time
	gone []*gpioioctl.GPIOChip // those of earlier times
	zero *syscall.Stat_t       // what descriptor 0 is while it is nobody else's; nil before the first look
}

// look has periph look again when /dev/gpiochip* has changed, and only then: it
// logs what it can't open, and each look costs a descriptor a chip.
func (c *chipList) look() error {
	paths, _ := filepath.Glob("/dev/gpiochip*") // the pattern is a good one
	now, opened := "", 0
	for _, path := range paths {
		f, err := os.Open(path)
		if err == nil {
			opened++
			f.Close()
		}
		if info, err := os.Stat(path); err == nil {
			now += fmt.Sprintln(path, info.ModTime().UnixNano(), opened)
		}
	}
	switch {
	case now == "":
		return errNoChip
	case opened == 0:
		return errDenied
	case now == c.seen:
		return nil
	}
	if !c.sparesZero() {
		return errors.New("the chips have changed, and can't be looked at before a restart")
	}
	// periph looks once. To have it look again its registry has to be empty.
	for _, chip := range gpioioctl.Chips {
		for _, line := range chip.Lines() {
			_ = gpioreg.Unregister(line.Name()) // lines without a name never were in it
		}
	}
	// Neither closed nor dropped: either would have periph close each descriptor
	// twice, and the second time it may be that of another file.
	c.gone = append(c.gone, gpioioctl.Chips...)
	gpioioctl.Chips = nil
	err := c.run()
	c.fillZero()
	c.seen = now
	return err
}

// run runs periph's driver, for the first time or again.
func (c *chipList) run() error {
	state, err := driverreg.Init() // does nothing but the first time
	if err != nil || !c.ran {
		c.ran = true
		return err
	}
	drivers := append([]driver.Impl(nil), state.Loaded...)
	for _, f := range append(state.Skipped, state.Failed...) {
		drivers = append(drivers, f.D)
	}
	for _, d := range drivers { // there is one
		if _, err := d.Init(); err != nil {
			return err
		}
	}
	return nil
}

// sparesZero tells whether descriptor 0 may be lost. periph (v3.8.5) closes it
// with each chip that it closes, as it forgets the number first; and it closes
// one on a Pi 5, where gpiochip4 is another name of gpiochip0. At the first look
// 0 is the standard input, of which who reads it has made a copy. Later it might be a file of the
// store, but for fillZero.
func (c *chipList) sparesZero() bool {
	var now syscall.Stat_t
	if syscall.Fstat(0, &now) != nil {
		return true // nobody's, and closing it harms nobody
	}
	if c.zero == nil {
		c.zero = &now
	}
	return now.Dev == c.zero.Dev && now.Ino == c.zero.Ino
}

// fillZero makes descriptor 0 a file of no importance if it was closed.
func (c *chipList) fillZero() {
	var now syscall.Stat_t
	if syscall.Fstat(0, &now) == nil {
		return // as it was, or somebody was faster and sparesZero will see it
	}
	// Not os.Open, whose file would close 0 once more when it is collected.
	fd, err := syscall.Open(os.DevNull, syscall.O_RDWR|syscall.O_CLOEXEC, 0)
	if err != nil {
		return
	}
	if fd != 0 {
		syscall.Close(fd)
		return
	}
	if syscall.Fstat(0, &now) == nil {
		c.zero = &now
	}
}
