package main

import "syscall"

// bound lets Ctrl-C reach the rehearsal alone, which then ends its box, and ends
// the box even when the rehearsal is killed.
var bound = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
