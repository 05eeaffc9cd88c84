package main

import (
	"context"
	"runtime/debug"
	"time"
)

// giveBackEvery is how often memory that is not needed goes back to the system.
const giveBackEvery = 10 * time.Second

// giveBack returns what a rush has left behind. A program in Go collects when
// it allocates; a box that has nothing to do would keep the memory of its worst
// minute, on a machine that has little. It takes some milliseconds of one
// processor, in which pages go on being answered.
func giveBack(ctx context.Context) {
	tick := time.NewTicker(giveBackEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			debug.FreeOSMemory()
		case <-ctx.Done():
			return
		}
	}
}
