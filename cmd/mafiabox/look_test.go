package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestStopWhileLooking: a box that is stopped, or killed, while another process
// looks at its store leaves the store where it is. That process ends with it.
func TestStopWhileLooking(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.seated(5)
	b.kill()
	data := filepath.Join(b.dir, "data")
	before, err := os.Stat(filepath.Join(data, "badger"))
	if err != nil {
		t.Fatal(err)
	}
	for name, stop := range map[string]func(box, look int) error{
		// As systemd does: each of them is told, in whatever order.
		"the look first": func(box, look int) error {
			syscall.Kill(look, syscall.SIGTERM)
			time.Sleep(20 * time.Millisecond)
			return syscall.Kill(-box, syscall.SIGTERM)
		},
		"the box first": func(box, look int) error {
			err := syscall.Kill(-box, syscall.SIGTERM)
			syscall.Kill(look, syscall.SIGTERM) // it may have ended by then
			return err
		},
		"a terminal":  func(box, _ int) error { return syscall.Kill(-box, syscall.SIGINT) },
		"a kill":      func(box, _ int) error { return syscall.Kill(box, syscall.SIGKILL) },
		"one who can": func(_, look int) error { return syscall.Kill(look, syscall.SIGTERM) },
	} {
		cmd := b.command()
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		b.launch(cmd)
		late := time.AfterFunc(patience, func() { cmd.Process.Signal(syscall.SIGQUIT) }) // where it hangs
		look := 0
		for end := time.Now().Add(patience); look == 0; time.Sleep(time.Millisecond) {
			if look = childOf(cmd.Process.Pid, "check-store"); time.Now().After(end) {
				t.Fatalf("%s: nobody looks:\n%s", name, b.out)
			}
		}
		if err := stop(cmd.Process.Pid, look); err != nil {
			t.Fatal(name, err)
		}
		if name == "one who can" { // the box looks once more
			select {
			case <-b.out.ready:
			case <-time.After(patience):
				t.Fatalf("the box is not ready:\n%s", b.out)
			}
			b.kill()
		} else if err := cmd.Wait(); (err == nil) == (name == "a kill") {
			t.Errorf("%s: %v\n%s", name, err, b.out)
		}
		late.Stop()
		eventually(t, "the look ends with its box: "+name, func() bool {
			_, err := os.Stat(fmt.Sprint("/proc/", look, "/exe"))
			return err != nil
		})
		now, err := os.Stat(filepath.Join(data, "badger"))
		if err != nil || !os.SameFile(before, now) {
			t.Errorf("%s: the store is not where it was: %v\n%s", name, err, b.out)
			before = now
		}
		if aside, _ := filepath.Glob(filepath.Join(data, "aside", "*")); len(aside) > 0 {
			t.Fatalf("%s: set aside: %v\n%s", name, aside, b.out)
		}
	}
}

// childOf is a process that another has begun with this argument; 0: there is none.
func childOf(parent int, arg string) int {
	lists, _ := filepath.Glob(fmt.Sprint("/proc/", parent, "/task/*/children"))
	for _, list := range lists {
		text, _ := os.ReadFile(list)
		for _, child := range strings.Fields(string(text)) {
			line, _ := os.ReadFile("/proc/" + child + "/cmdline")
			if pid, err := strconv.Atoi(child); err == nil && strings.Contains(string(line), arg) {
				return pid
			}
		}
	}
	return 0
}
