package hardware

import (
	"encoding/binary"
	"flag"
	"net/netip"
	"os"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/mafiabox/mafiabox/engine/rulesets"
	"github.com/mafiabox/mafiabox/server"
	"github.com/mafiabox/mafiabox/server/store"
	"github.com/mafiabox/mafiabox/static"
	"periph.io/x/conn/v3/gpio"
)

var idleFor = flag.Duration("idle", 3*time.Second, "how long TestIdleCost measures each panel")

// pipePin waits for edges as gpioioctl does: it reads an event from a file with
// a deadline, and asks the kernel for each level that it reads or sets.
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
	p.kernel()
	return p.cdevPin.Read()
}

func (p pipePin) Out(l gpio.Level) error {
	p.kernel()
	return p.cdevPin.Out(l)
}

func (p pipePin) kernel() {
	var stat syscall.Stat_t
	_ = syscall.Fstat(0, &stat) // not p.events.Fd, which would take its deadlines away
}

// TestIdleCost measures the processor time of an idle box with a panel on pins,
// which then shows that a table may be joined, against that of the same box
// without one, over the same time.
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
		pin, err := r.find(line)
		if err != nil {
			return nil, err
		}
		return pipePin{pin.(*cdevPin), events}, nil
	}
	keep, _, err := store.Open(t.TempDir(), quiet())
	if err != nil {
		t.Fatal(err)
	}
	defer keep.Close()
	spent := func(mode string) time.Duration {
		p, err := open(Options{Mode: mode}, quiet(), find)
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		box, err := server.Open(server.Config{
			Store: keep, Rulesets: rulesets.All, Files: static.Files, Lang: "en", Trusted: true, Now: time.Now, Log: quiet(),
			Addresses: func() []netip.Addr { return []netip.Addr{netip.MustParseAddr("127.0.0.1")} },
		})
		if err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			box.WatchPanel(func(cue server.Cue) { p.Show(Cue(cue)) }, func(cue server.Cue) { p.Light(Cue(cue)) }, p.Silence)
		}()
		defer func() { box.Close(); <-ended }()
		time.Sleep(time.Second) // until it is idle
		if shows := p.State().Cue; (shows == Ready) != (mode != None) {
			t.Fatalf("%s: an idle box shows %q", mode, shows)
		}
		flashes := r.lamp.sets()
		defer func() {
			if n := r.lamp.sets() - flashes; mode != None && n < int(*idleFor/time.Second)/3 {
				t.Errorf("the lamp was set %d times", n)
			}
		}()
		runtime.GC() // what earlier tests left is not ours
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
