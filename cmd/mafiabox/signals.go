package main

import (
	"os"
	"os/signal"
	"syscall"
)

// ends are the signals that tell the program to end in order. A line that is cut,
// such as that of SSH, hangs up; who began it under nohup does not want that heard.
func ends() []os.Signal {
	all := []os.Signal{syscall.SIGTERM, syscall.SIGINT}
	if !signal.Ignored(syscall.SIGHUP) {
		all = append(all, syscall.SIGHUP)
	}
	return all
}
