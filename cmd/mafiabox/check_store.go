package main

import (
	"os"

	"github.com/mafiabox/mafiabox/server/store"
)

// checkCmd looks at a copy of a store before the box opens it: what kills this
// process does not kill the box. Nobody else calls it.
type checkCmd struct {
	Dir string `arg:""`
}

// Run says which games are not whole, and ends with an error when the store is not to be opened.
func (c *checkCmd) Run() error { return store.Check(c.Dir, os.Stdout) }

// looker is the command of that process.
func looker() ([]string, error) {
	exe, err := os.Executable()
	return []string{exe, "check-store"}, err
}
