package hardware

import (
	"encoding/binary"
	"flag"
	"os"
	"runtime"
	"syscall"
	"testing"
	"time"

	"periph.io/x/conn/v3/gpio"
)

var idleFor = flag.Duration("idle", 3*time.Second, "how long TestIdleCost measures each panel")

// pipePin waits for edges as gpioioctl does: it reads an event from a file with
// a deadline, and asks the kernel for each level.
type pipePin struct {
	*cdevPin
	events *os.File
}

func (p pipePin) WaitForEdge(timeout time.Duration) bool {
	if p.events.SetReadDeadline(time.Now().Add(timeout)) != nil {
		return false
	}
	var event [12]uint32
	return binary.Read(p.events, binary.LittleEndian, &event) == nil
}

func (p pipePin) Read() gpio.Level {
	var stat syscall.Stat_t
	_ = syscall.Fstat(int(os.Stdin.Fd()), &stat)
	return p.cdevPin.Read()
}

// TestIdleCost measures the processor time of an idle panel on pins against that
// of none, over the same time.
func TestIdleCost(t *testing.T) {
	events, edges, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer events.Close()
	defer edges.Close()
	r := &rig{}
	r.plug()
	find := func(line string) (gpio.PinIO, error) {
		if line == r.button.name {
			return pipePin{r.button, events}, nil
		}
		return r.find(line)
	}
	spent := func(mode string) time.Duration {
		p, err := open(Options{Mode: mode}, quiet(), find)
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		p.Show(Day)
		time.Sleep(200 * ms) // until it is idle
		runtime.GC()         // what earlier tests left is not ours
		before := processorTime(t)
		time.Sleep(*idleFor)
		return processorTime(t) - before
	}
	without, with := spent(None), spent(Auto)
	share := float64(with-without) / float64(*idleFor)
	t.Logf("%v with, %v without in %v: %.3f %% of a core", with, without, *idleFor, 100*share)
	if share > 0.002 {
		t.Errorf("an idle panel takes %.2f %% of a core", 100*share)
	}
	if n := r.button.looks(); n < int(*idleFor/idle)/2 {
		t.Errorf("the button was looked at %d times", n)
	}
}

// processorTime is what this process has used of all processors.
func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
