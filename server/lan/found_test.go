package lan

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// besides are the machines that boxes run on: without Avahi, or beside one that
// calls the machine something else or as the box, and was there before or comes later.
var besides = []struct {
	name, host string
	later      bool
}{
	{"alone", "", false},
	{"Avahi of another name", "raspberrypi", false},
	{"Avahi of the same name", "mafia", false},
	{"Avahi of another name later", "raspberrypi", true},
	{"Avahi of the same name later", "mafia", true},
}

// TestFoundOnWire has the box found by Avahi in another machine that has heard
// nothing before: its service, its name to both kinds of address, its addresses'
// name. Then after the address changed and another interface came up, and not
// any more once it said goodbye.
func TestFoundOnWire(t *testing.T) {
	needs(t, "ip", "nsenter", "dbus-daemon", "avahi-daemon", "avahi-browse")
	t.Parallel()
	for _, beside := range besides {
		t.Run(beside.name, func(t *testing.T) {
			t.Parallel()
			w := newWires(t)
			at, house := w.place(), w.place()
			house.up("net0", "10.99.0.2/24", "fd99::2/64")
			at.ip("link add docker0 type veth peer name veth9") // must not be announced
			at.up("docker0", "172.17.0.1/16")
			var neighbour *avahi
			reverse := "mafia.local"
			if beside.host != "" {
				reverse = beside.host + ".local"
				if !beside.later {
					neighbour = at.avahiHere(beside.host)
				}
			}
			box := at.boxHere()
			time.Sleep(time.Second)
			at.up("net0", "10.99.0.1/24", "fd99::1/64")
			// One that is going, and that Avahi tells of no more.
			at.ip("addr add fd99::1:5/64 dev net0 nodad preferred_lft 0 valid_lft 1000")
			box.says(t, "called=mafia.local at=[10.99.0.1 fd99::1 fd99::1:5 127.0.0.1]")
			if beside.later {
				time.Sleep(2 * time.Second)
				neighbour = at.avahiHere(beside.host)
				time.Sleep(2 * time.Second)
			}
			time.Sleep(time.Second) // all is told: who comes now must ask

			listener := house.avahiHere("")
			listener.resolves("-4", "mafia.local", "10.99.0.1")
			listener.resolves("-6", "mafia.local", "fd99::1")
			listener.resolves("-a", "10.99.0.1", reverse)
			listener.resolves("-a", "fd99::1", reverse)
			listener.services("the box", "net0 mafia mafia.local 10.99.0.1")

			at.ip("addr del 10.99.0.1/24 dev net0")
			at.ip("addr add 10.99.0.7/24 dev net0")
			listener.services("its new address", "net0 mafia mafia.local 10.99.0.7")
			listener.resolves("-4", "mafia.local", "10.99.0.7")
			listener.resolves("-a", "10.99.0.7", reverse)

			// On two links zeroconf tells of it all the same.
			at.ip("addr del fd99::1:5/64 dev net0")
			at.ip("link add net1 type veth peer name net1 netns %d", house.hold.cmd.Process.Pid)
			house.up("net1", "10.98.0.2/24")
			at.up("net1", "10.98.0.1/24")
			listener.services("its other interface", "net0 mafia mafia.local 10.99.0.7", "net1 mafia mafia.local 10.98.0.1")

			box.end(t)
			listener.services("nothing, after the goodbye")
			if beside.host != "mafia" { // else the machine is still called so
				listener.resolves("-4", "mafia.local")
				listener.resolves("-6", "mafia.local")
			}
			if neighbour != nil {
				listener.resolves("-4", reverse, "10.99.0.7", "10.98.0.1")
				neighbour.unmoved()
			}
		})
	}
}

// TestTwoBoxesOnWire: two boxes have two names, whichever was first.
func TestTwoBoxesOnWire(t *testing.T) {
	needs(t, "ip", "nsenter", "dbus-daemon", "avahi-daemon", "avahi-browse")
	t.Parallel()
	for _, beside := range besides[:3] {
		for _, together := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, at once %v", beside.name, together), func(t *testing.T) {
				t.Parallel()
				w := newWires(t)
				one, two, house := w.place(), w.place(), w.place()
				one.up("net0", "10.99.0.1/24", "fd99::1/64")
				two.up("net0", "10.99.0.3/24", "fd99::3/64")
				house.up("net0", "10.99.0.2/24", "fd99::2/64")
				var neighbour *avahi
				if beside.host != "" {
					neighbour = one.avahiHere(beside.host)
					time.Sleep(2 * time.Second)
				}
				first := one.boxHere()
				if !together {
					first.says(t, "called=mafia.local")
				}
				second := two.boxHere()
				of1, of2 := "mafia", "mafia-2"
				if together && beside.host != "mafia" { // then it is a matter of luck
					first.says(t, "called=mafia")
					if strings.Contains(first.String(), "called=mafia-2") {
						of1, of2 = of2, of1
					}
				}
				first.says(t, "called="+of1+".local")
				second.says(t, "called="+of2+".local")
				listener := house.avahiHere("")
				want := []string{"net0 " + of1 + " " + of1 + ".local 10.99.0.1", "net0 " + of2 + " " + of2 + ".local 10.99.0.3"}
				if of1 == "mafia-2" {
					want[0], want[1] = want[1], want[0]
				}
				// Avahi's own order has mafia-2 behind mafia as well.
				listener.services("two boxes", want...)
				listener.resolves("-4", of1+".local", "10.99.0.1")
				listener.resolves("-4", of2+".local", "10.99.0.3")
				listener.resolves("-6", of2+".local", "fd99::3")
				for _, p := range []*process{first, second} {
					if strings.Contains(p.String(), "mafia-3") {
						t.Errorf("a name too many was tried:\n%s", p)
					}
				}
				if neighbour != nil {
					neighbour.unmoved()
				}
			})
		}
	}
}

// TestCableOnWire: a box whose cable is pulled and put in again, where somebody
// has taken its name in between, takes another.
func TestCableOnWire(t *testing.T) {
	needs(t, "ip", "nsenter")
	t.Parallel()
	w := newWires(t)
	one, two := w.place(), w.place()
	one.up("net0", "10.99.0.1/24")
	two.up("net0", "10.99.0.3/24")
	first := one.boxHere()
	first.says(t, "called=mafia.local at=[10.99.0.1 127.0.0.1]")
	w.bridge.ip("link set p1 down")
	first.says(t, "called= at=[10.99.0.1 127.0.0.1]")
	two.boxHere().says(t, "called=mafia.local at=[10.99.0.3 127.0.0.1]")
	w.bridge.ip("link set p1 up")
	first.says(t, "called=mafia-2.local at=[10.99.0.1 127.0.0.1]")
}

// TestDefenceOnWire: who wants the name of a box is told that it is taken.
func TestDefenceOnWire(t *testing.T) {
	needs(t, "ip", "nsenter", "dbus-daemon", "avahi-daemon", "avahi-publish")
	t.Parallel()
	w := newWires(t)
	at, house := w.place(), w.place()
	at.up("net0", "10.99.0.1/24", "fd99::1/64")
	house.up("net0", "10.99.0.2/24", "fd99::2/64")
	box := at.boxHere()
	box.says(t, "called=mafia.local")
	listener := house.avahiHere("house")
	said := listener.tool("timeout", "5", "avahi-publish", "-a", "-R", "mafia.local", "10.99.0.66")
	if !strings.Contains(said, "ame collision") {
		t.Errorf("another takes the box's name; avahi-publish says:\n%s", said)
	}
	listener.resolves("-4", "mafia.local", "10.99.0.1")
	if strings.Contains(box.String(), "mafia-2") {
		t.Errorf("the box lost its name:\n%s", box)
	}
}

// TestPortIsTaken: where somebody keeps the group's port for himself the box has
// no name, says so once, and has one as soon as he is gone.
func TestPortIsTaken(t *testing.T) {
	needs(t, "ip", "nsenter")
	t.Parallel()
	at := newWires(t).place()
	squatter := at.helper("squatter", 0)
	squatter.says(t, "squatting")
	at.up("net0", "10.99.0.1/24")
	box := at.boxHere()
	time.Sleep(2*poll + time.Second)
	if said := box.String(); strings.Count(said, "address already in use") != 1 || strings.Contains(said, "mafia.local") {
		t.Errorf("while the port is taken it says\n%s", said)
	}
	squatter.end(t)
	box.says(t, "called=mafia.local at=[10.99.0.1 127.0.0.1]")
}

// TestTwoLinksOnWire: a box that is in one network twice, by cable and by radio,
// hears itself on both, and keeps its name.
func TestTwoLinksOnWire(t *testing.T) {
	needs(t, "ip", "nsenter", "dbus-daemon", "avahi-daemon", "avahi-browse")
	t.Parallel()
	w := newWires(t)
	at, house := w.place(), w.place()
	w.join(at, "net1")
	at.up("net0", "10.99.0.1/24", "fd99::1/64")
	house.up("net0", "10.99.0.2/24", "fd99::2/64")
	box := at.boxHere()
	box.says(t, "called=mafia.local")
	at.up("net1", "10.99.0.7/24", "fd99::7/64")
	box.says(t, "called=mafia.local at=[10.99.0.1 10.99.0.7 fd99::1 fd99::7 127.0.0.1]")
	time.Sleep(3 * time.Second)
	listener := house.avahiHere("")
	listener.resolves("-4", "mafia.local", "10.99.0.1", "10.99.0.7")
	listener.resolves("-a", "10.99.0.7", "mafia.local")
	at.ip("addr del 10.99.0.7/24 dev net1")
	at.ip("addr add 10.99.0.8/24 dev net1")
	box.says(t, "called=mafia.local at=[10.99.0.1 10.99.0.8 fd99::1 fd99::7 127.0.0.1]")
	time.Sleep(3 * time.Second)
	if n := strings.Count(box.String(), "the box's name"); n != 1 {
		t.Errorf("the box lost its name:\n%s", box)
	}
	box.end(t)
	listener.resolves("-4", "mafia.local")
	listener.resolves("-6", "mafia.local")
}

// TestProgramOnWire has the real program found, and its first page opened from
// the house at the address and port that were announced.
func TestProgramOnWire(t *testing.T) {
	needs(t, "ip", "nsenter", "dbus-daemon", "avahi-daemon", "avahi-browse", "curl")
	t.Parallel()
	dir := t.TempDir()
	program := filepath.Join(dir, "mafiabox")
	if out, err := exec.Command("go", "build", "-o", program, "../../cmd/mafiabox").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	w := newWires(t)
	at, house := w.place(), w.place()
	house.up("net0", "10.99.0.2/24", "fd99::2/64")
	listener := house.avahiHere("")
	box := begin(t, at.command(program, "--listen", fmt.Sprint(":", port), "--name", "club-7", "--data", filepath.Join(dir, "data"), "--panel", "off"), 0)
	time.Sleep(time.Second)
	at.up("net0", "10.99.0.1/24", "fd99::1/64")
	at.ip("addr add fd99::1:5/64 dev net0 nodad preferred_lft 0 valid_lft 1000")
	listener.services("the box", "net0 club-7 club-7.local 10.99.0.1")
	listener.resolves("-6", "club-7.local", "fd99::1")
	for _, host := range []string{"10.99.0.1", "club-7.local"} {
		out, err := house.command("curl", "-sS", "--max-time", "5", "--resolve", fmt.Sprintf("club-7.local:%d:10.99.0.1", port), fmt.Sprintf("http://%s:%d/", host, port)).CombinedOutput()
		if err != nil || !strings.Contains(string(out), `action="/join"`) {
			t.Errorf("its page from the house, at %s: %v\n%s", host, err, out)
		}
	}

	// Another address: the codes lead there, on the screen and on the terminal.
	at.ip("addr add 10.99.0.7/24 dev net0")
	at.ip("addr del 10.99.0.1/24 dev net0")
	at.ip("addr replace 10.99.0.7/24 dev net0") // the second of a network may go with the first
	there := fmt.Sprintf("http://10.99.0.7:%d", port)
	listener.until("the codes lead there", func() (string, bool) {
		out, _ := house.command("curl", "-sS", "--max-time", "5", there+"/screen").CombinedOutput()
		return string(out) + box.String(), strings.Contains(string(out), ">"+there+"<") && strings.Contains(box.String(), there+"/j/")
	})
	if page := fmt.Sprintf("open http://127.0.0.1:%d/j/", port); !strings.Contains(box.String(), page) || !strings.Contains(box.String(), "No phone reaches this address yet") {
		t.Errorf("without a network it said\n%s", box)
	}
	_ = box.cmd.Process.Signal(syscall.SIGTERM)
	listener.services("nothing, after the goodbye")
	listener.resolves("-6", "club-7.local")
}
