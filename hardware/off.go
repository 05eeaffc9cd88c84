package hardware

import (
	"errors"

	"periph.io/x/conn/v3/gpio"
)

// TurnOff turns lamp and buzzer off for a program that ended without doing so.
// A machine without pins is no error.
//
// The kernel frees the pins of a program that is gone. With its own default they
// become inputs, and the Pi's pull-downs switch them off; but Raspberry Pi OS
// sets pinctrl_bcm2835.persist_gpio_outputs, and there they stay as they were: a
// buzzer would sound until somebody pulls the plug. Set to off and freed again
// they are silent on both.
//
// What is on when its pin is low is so on the first kind of system only where the
// pin is pulled up: the Pi does that from power-on with GPIO0 to 8, and pulls all
// others down until a box sets them.
func TurnOff(o Options) error { return turnOff(o, findPin) }

func turnOff(o Options, find finder) error {
	if err := o.Check(); err != nil {
		return err
	}
	o = o.withDefaults()
	if o.Mode != Auto {
		return nil
	}
	var errs []error
	for _, p := range []Pin{o.Lamp, o.Buzzer} {
		pin, err := find(p.Line)
		if errors.Is(err, errNoChip) {
			return nil
		}
		if err == nil {
			err = pin.Out(p.level(false, gpio.High))
		}
		if err != nil {
			errs = append(errs, pinError{p, err})
		}
	}
	return errors.Join(errs...)
}
