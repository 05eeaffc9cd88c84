package checkup_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/grandcat/zeroconf"
	"github.com/mafiabox/mafiabox/server/checkup"
	"github.com/mafiabox/mafiabox/server/lan"
	"github.com/miekg/dns"
)

// What a network answers is tried on a wire: two network namespaces joined by a
// veth pair, one that looks and one that answers. The test binary starts itself
// as the only process of each; the namespaces end with it.

// role tells a test binary that it is such a process, and which.
const role = "MAFIABOX_CHECKUP_ROLE"

func TestMain(m *testing.M) {
	switch os.Getenv(role) {
	case "":
		os.Exit(m.Run())
	case "look":
		look()
	case "answer":
		answer(os.Getenv("MAFIABOX_CHECKUP_ON"), os.Getenv("MAFIABOX_CHECKUP_IS"), os.Getenv("MAFIABOX_CHECKUP_SERVICE"))
	}
}

// look examines the machine when it is told to, until its input ends.
func look() {
	var m checkup.Machine
	for in := json.NewDecoder(os.Stdin); ; {
		m = checkup.Machine{}
		if in.Decode(&m) != nil {
			return
		}
		m.Places, m.Reached = lan.Survey()
		m.Access = func(string) (bool, int, error) { return false, 0, nil }
		if err := json.NewEncoder(os.Stdout).Encode(m.Examine(context.Background())); err != nil {
			panic(err)
		}
	}
}

// answer says on a link that evening.local is an address, to whoever asks the
// group, and announces a service as boxes do.
func answer(on, is, service string) {
	i, err := net.InterfaceByName(on)
	if err != nil {
		panic(err)
	}
	if service != "" {
		var text []string
		if service != "Printer" {
			text = lan.ServiceText
		}
		if _, err := zeroconf.RegisterProxy(service, "_http._tcp", "local.", 80, "printer", nil, text, []net.Interface{*i}); err != nil {
			panic(err)
		}
	}
	c, err := net.ListenMulticastUDP("udp4", i, &net.UDPAddr{IP: net.IPv4(224, 0, 0, 251), Port: 5353})
	if err != nil {
		panic(err)
	}
	fmt.Println("ready")
	buffer := make([]byte, 9000)
	for {
		n, from, err := c.ReadFromUDP(buffer)
		if err != nil {
			panic(err)
		}
		var q dns.Msg
		if q.Unpack(buffer[:n]) != nil || q.Response {
			continue
		}
		for _, question := range q.Question {
			if !strings.EqualFold(question.Name, "evening.local.") || question.Qtype != dns.TypeA || is == "" {
				continue
			}
			rr, err := dns.NewRR("Evening.local. 10 IN A " + is)
			if err != nil {
				panic(err)
			}
			r := new(dns.Msg).SetReply(&q)
			r.Answer = append(r.Answer, rr)
			data, err := r.Pack()
			if err != nil {
				panic(err)
			}
			_, _ = c.WriteToUDP([]byte("no packet of names"), from) // nobody may stumble over it
			_, _ = c.WriteToUDP(data, from)
		}
	}
}

// begin starts the test binary in a network of its own.
func begin(t *testing.T, as string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	cmd.Env = append(os.Environ(), role+"="+as)
	cmd.Stderr = t.Output()
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET}
	return cmd
}

// TestNames: who has the name that the box wants, and which other boxes there
// are. Nobody waits longer than it takes.
func TestNames(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root, to make network namespaces")
	}
	for _, p := range []string{"ip", "nsenter"} {
		if _, err := exec.LookPath(p); err != nil {
			t.Skipf("needs %s (packages iproute2, util-linux)", p)
		}
	}
	for _, c := range []struct {
		on, is, service string
		serving         bool
		want            []string
		says            string
	}{
		{"mb1", "", "", false, []string{"name.free"}, "evening.local"},
		{"mb1", "", "", true, []string{"name.silent"}, "evening.local"},
		{"mb1", "10.99.0.2", "", true, []string{"name.other"}, "10.99.0.2"},
		{"mb1", "", "mafiabox-2", false, []string{"name.free", "boxes.some"}, "mafiabox-2 (10.99.0.2)"},
		{"mb1", "", "Printer", false, []string{"name.free"}, ""},
		{"mb0", "10.99.0.1", "mafiabox", true, []string{"name.own"}, ""}, // the box itself
	} {
		t.Run(strings.Join(c.want, " ")+" "+c.service, func(t *testing.T) {
			t.Parallel()
			looks := begin(t, "look")
			in, err := looks.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			out, err := looks.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := looks.Start(); err != nil {
				t.Skipf("no new namespaces on this machine: %v", err)
			}
			t.Cleanup(func() { looks.Process.Kill(); looks.Wait() })
			there := fmt.Sprint(looks.Process.Pid)
			ip := func(args string) {
				t.Helper()
				if out, err := exec.Command("nsenter", append([]string{"--net", "--target", there}, strings.Fields("ip "+args)...)...).CombinedOutput(); err != nil {
					t.Fatalf("ip %s: %v\n%s", args, err, out)
				}
			}
			// The other end's namespace is a sleeper's, as the answering process
			// wants its interface there when it begins.
			house := exec.Command("sleep", "60")
			house.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET}
			if err := house.Start(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { house.Process.Kill(); house.Wait() })
			ip("link set lo up")
			ip(fmt.Sprint("link add mb0 type veth peer name mb1 netns ", house.Process.Pid))
			ip("addr add 10.99.0.1/24 dev mb0")
			ip("link set mb0 up")
			there = fmt.Sprint(house.Process.Pid)
			ip("addr add 10.99.0.2/24 dev mb1")
			ip("link set mb1 up")
			if c.on == "mb0" {
				there = fmt.Sprint(looks.Process.Pid)
			}
			answers := exec.Command("nsenter", "--net", "--target", there, os.Args[0], "-test.run=^$")
			answers.Env = append(os.Environ(), role+"=answer", "MAFIABOX_CHECKUP_ON="+c.on, "MAFIABOX_CHECKUP_IS="+c.is, "MAFIABOX_CHECKUP_SERVICE="+c.service)
			answers.Stderr = t.Output()
			ready, err := answers.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := answers.Start(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { answers.Process.Kill(); answers.Wait() })
			if said, err := bufio.NewReader(ready).ReadString('\n'); said != "ready\n" {
				t.Fatalf("nobody answers: %v", err)
			}

			if err := json.NewEncoder(in).Encode(map[string]any{"Root": t.TempDir(), "Listen": "10.99.0.1:8080", "Name": "Evening", "Serving": c.serving}); err != nil {
				t.Fatal(err)
			}
			var findings []checkup.Finding
			if err := json.NewDecoder(out).Decode(&findings); err != nil {
				t.Fatal(err)
			}
			var got, words []string
			for _, f := range findings {
				if f.ID == "name" || f.ID == "boxes" {
					got, words = append(got, f.ID+"."+f.Case), append(words, texts(t, "en").Found(f).Found)
				}
			}
			if !slices.Equal(got, c.want) || !strings.Contains(strings.Join(words, "\n"), c.says) {
				t.Errorf("%v %q, want %v %q", got, words, c.want, c.says)
			}
		})
	}
}
