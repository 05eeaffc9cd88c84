//go:build !linux

package main

import "syscall"

// bound lets Ctrl-C reach the rehearsal alone, which then ends its box.
var bound = &syscall.SysProcAttr{Setpgid: true}
