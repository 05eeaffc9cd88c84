package hardware

import (
	"io"
	"os"
	"strings"
	"syscall"
	"testing"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/gpio/gpiotest"
)

func TestPinText(t *testing.T) {
	for text, want := range map[string]Pin{
		"17":              {Line: "GPIO17"},
		"017":             {Line: "GPIO17"},
		"0":               {Line: "GPIO0"},
		"GPIO4":           {Line: "GPIO4"},
		"GPIO22-low":      {Line: "GPIO22", Level: "low"},
		"22-high":         {Line: "GPIO22", Level: "high"},
		"gpiochip0:17":    {Line: "gpiochip0:17"},
		"gpiochip4:3-low": {Line: "gpiochip4:3", Level: "low"},
	} {
		var p Pin
		if err := p.UnmarshalText([]byte(text)); err != nil || p != want {
			t.Errorf("%s is %v (%v)", text, p, err)
		}
		var again Pin
		if err := again.UnmarshalText([]byte(p.String())); err != nil || again != p {
			t.Errorf("%s is written %s", text, p)
		}
	}
	for _, text := range []string{"", "x", "GPIO", "-1", "1234", "GPIO17-", "GPIO17-LOW", "!17", "17 ", "gpio17", "gpiochip0", "gpiochip0:", "gpiochip0:x", "gpiochip0:99999", "/dev/gpiochip0:1", "17\n", strings.Repeat("1", 1<<20)} {
		var p Pin
		err := p.UnmarshalText([]byte(text))
		if err == nil || !strings.Contains(err.Error(), "GPIO17") || len(err.Error()) > 400 {
			t.Errorf("%.20q: %v, %.500v", text, p, err)
		}
	}
}

func TestOptionsCheck(t *testing.T) {
	for _, c := range []struct {
		o    Options
		want string // in the error; empty: none
	}{
		{Options{}, ""},
		{Options{Mode: "sim"}, ""},
		{Options{Mode: "loud"}, "auto, sim or off"},
		{Options{Button: Pin{Line: "GPIO22"}}, "three pins"},
		{Options{Lamp: Pin{Line: "GPIO5"}, Buzzer: Pin{Line: "GPIO5", Level: "low"}}, "three pins"},
		{Options{Button: Pin{Line: "GPIO27"}, Lamp: Pin{Line: "GPIO17"}}, ""},
	} {
		_, err := open(c.o, quiet(), func(string) (gpio.PinIO, error) { return nil, errNoChip })
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c.o, err)
		}
	}
}

// TestLevels has each pin the usual way round and the other.
func TestLevels(t *testing.T) {
	for _, c := range []struct {
		name                 string
		button, lamp, buzzer string // levels
		pressed, lit, sounds gpio.Level
	}{
		{"as is usual", "", "", "", gpio.Low, gpio.High, gpio.High},
		{"the same, said", "low", "high", "high", gpio.Low, gpio.High, gpio.High},
		{"the other way round", "high", "low", "low", gpio.High, gpio.Low, gpio.Low},
	} {
		t.Run(c.name, func(t *testing.T) {
			pins := map[string]*gpiotest.Pin{}
			for _, name := range []string{"GPIO17", "GPIO27", "GPIO22"} {
				pins[name] = &gpiotest.Pin{N: name, L: !c.pressed, EdgesChan: make(chan gpio.Level, 1)}
			}
			find := func(line string) (gpio.PinIO, error) { return pins[line], nil }
			o := Options{Button: Pin{Level: c.button}, Lamp: Pin{Level: c.lamp}, Buzzer: Pin{Level: c.buzzer}}.withDefaults()
			b, err := openBoard(o, quiet(), find)
			if err != nil {
				t.Fatal(err)
			}
			button, lamp, buzzer := pins["GPIO17"], pins["GPIO27"], pins["GPIO22"]
			if pull := map[gpio.Level]gpio.Pull{gpio.Low: gpio.PullUp, gpio.High: gpio.PullDown}[c.pressed]; button.P != pull {
				t.Errorf("the button has %s", button.P)
			}
			for _, on := range []bool{false, true, false} {
				if err := b.out(on, !on); err != nil {
					t.Fatal(err)
				}
				if (lamp.Read() == c.lit) != on || (buzzer.Read() == c.sounds) == on {
					t.Errorf("lamp %v, buzzer %v for %v", lamp.Read(), buzzer.Read(), on)
				}
			}
			button.Lock()
			button.L = c.pressed
			button.Unlock()
			got, quit := make(chan bool, 1000), make(chan struct{})
			ended := make(chan error, 1)
			go func() { ended <- b.watch(true, func(Press) {}, func(down bool) { got <- down }, quit) }()
			for down := false; !down; down = <-got {
			}
			close(quit)
			if err := <-ended; err != nil {
				t.Error(err)
			}
		})
	}
}

// TestOneLineTwice: a number and a name may be the same line.
func TestOneLineTwice(t *testing.T) {
	pin := newCdevPin("GPIO17")
	if _, err := openBoard(Options{Button: Pin{Line: "gpiochip0:17"}}.withDefaults(), quiet(),
		func(string) (gpio.PinIO, error) { return pin, nil }); err == nil || !strings.Contains(err.Error(), "same line") {
		t.Error(err)
	}
}

// TestFindPin runs against the machine as it is: it must neither fail hard
// nor find what isn't there.
func TestFindPin(t *testing.T) {
	for range 2 {
		for _, line := range []string{"GPIO999", "gpiochip999:3", "gpiochip0:9999"} {
			if p, err := findPin(line); err == nil {
				t.Errorf("found %s: %v", line, p)
			}
		}
	}
}

// TestDescriptorZero: periph closes it, and no other file may come to be there.
func TestDescriptorZero(t *testing.T) {
	saved, err := syscall.Dup(0)
	if err != nil {
		t.Skip("there is no standard input")
	}
	defer func() { _ = syscall.Dup3(saved, 0, 0); syscall.Close(saved) }()
	var c chipList
	for range 3 {
		if !c.sparesZero() {
			t.Fatal("0 is of importance")
		}
		syscall.Close(0)
		c.fillZero()
		f, err := os.Open("pins.go")
		if err != nil {
			t.Fatal(err)
		}
		if f.Fd() == 0 {
			t.Error("a file came to be 0")
		}
		f.Close()
	}
	syscall.Close(0)
	f, err := os.Open("pins.go") // somebody was faster
	if err != nil {
		t.Fatal(err)
	}
	c.fillZero()
	if f.Fd() != 0 || c.sparesZero() {
		t.Errorf("the file at %d would be lost", f.Fd())
	}
	if _, err := io.ReadAll(f); err != nil {
		t.Error(err)
	}
	f.Close()
}

// TestPanelOff turns off what a program left on that ended without doing so.
func TestPanelOff(t *testing.T) {
	r := &rig{}
	r.plug()
	r.lamp.level, r.buzzer.level = gpio.High, gpio.High
	for _, mode := range []string{Simulated, None} {
		if err := turnOff(Options{Mode: mode}, r.find); err != nil || r.buzzer.is() != gpio.High {
			t.Errorf("%s: %v", mode, err)
		}
	}
	if err := turnOff(Options{Lamp: Pin{Level: "low"}}, r.find); err != nil || r.buzzer.is() != gpio.Low || r.lamp.is() != gpio.High {
		t.Error(err, r.buzzer.is(), r.lamp.is())
	}
	r.unplug(syscall.ENODEV)
	if err := turnOff(Options{}, r.find); err != nil {
		t.Errorf("no pins: %v", err)
	}
	r.plug()
	r.buzzer.level = gpio.High
	r.lamp.fail(syscall.EBUSY)
	if err := turnOff(Options{}, r.find); err == nil || r.buzzer.is() != gpio.Low {
		t.Errorf("one pin is taken: %v, buzzer %v", err, r.buzzer.is())
	}
}
