package checkup

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// listening is the state of a TCP socket that waits for connections, as the
// kernel writes it.
const listening = "0A"

// holders names the programs that have a port open, by the kernel's lists in
// /proc. Of other people's programs only the administrator learns the names;
// hidden is how many sockets remain without one. The box itself is none of those
// that share a port, whatever its program is called.
func (m Machine) holders(network string, port uint16) (who []string, hidden int) {
	sockets := make(map[string]bool) // by inode: whether somebody is known to have it
	for _, list := range []string{network, network + "6"} {
		data, err := os.ReadFile(filepath.Join(m.Root, "proc/net", list))
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(data)) {
			// The number, local and remote address, state, …; the inode is the tenth.
			field := strings.Fields(line)
			if len(field) < 10 || network == "tcp" && field[3] != listening {
				continue
			}
			if _, at, _ := strings.Cut(field[1], ":"); at == fmt.Sprintf("%04X", port) {
				sockets[field[9]] = false
			}
		}
	}
	if len(sockets) == 0 {
		return nil, 0
	}
	files, _ := filepath.Glob(filepath.Join(m.Root, "proc/[0-9]*/fd/*"))
	for _, file := range files {
		link, err := os.Readlink(file)
		inode, ok := strings.CutPrefix(link, "socket:[")
		if err != nil || !ok {
			continue
		}
		inode = strings.TrimSuffix(inode, "]")
		if _, ok := sockets[inode]; !ok {
			continue
		}
		sockets[inode] = true
		process := filepath.Dir(filepath.Dir(file))
		if network == "udp" && m.own(process) { // which several can share
			continue
		}
		name, err := os.ReadFile(filepath.Join(process, "comm"))
		if err != nil {
			continue
		}
		if name := strings.TrimSpace(string(name)); !slices.Contains(who, name) {
			who = append(who, name)
		}
	}
	for _, known := range sockets {
		if !known {
			hidden++
		}
	}
	slices.Sort(who)
	return who, hidden
}

// own tells whether a process, by its folder in /proc, is of the box.
func (m Machine) own(process string) bool {
	if filepath.Base(process) == strconv.Itoa(os.Getpid()) {
		return true
	}
	ours, err := os.Readlink(filepath.Join(m.Root, "proc/self/exe"))
	if err != nil {
		return false
	}
	is, err := os.Readlink(filepath.Join(process, "exe"))
	return err == nil && strings.TrimSuffix(is, gone) == strings.TrimSuffix(ours, gone)
}

// gone is what the kernel adds to the path of a program that was replaced while it runs.
const gone = " (deleted)"
