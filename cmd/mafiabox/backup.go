package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/mafiabox/mafiabox/server/store"
)

// backupCmd makes a backup of a box that is stopped.
type backupCmd struct {
	File string `arg:"" help:"The backup to make, such as mafiabox.zip; the name must be free." type:"path"`
	Data string `help:"Folder that keeps every game." default:"./mafiabox-data" env:"MAFIABOX_DATA" type:"path"`
}

// Help is what backup --help says besides its flags.
func (backupCmd) Help() string {
	return `The box must be stopped. While it runs its owner takes a backup from the page
/box, and it keeps the latest in the folder backups inside the data folder.

A backup is a zip file: the games in it (games/*.mafia) can be read as they are. It
holds every role, and what lets phones find their seats: keep it to yourself.

Exit codes: 0 it is made, 1 something failed, 2 there are no games or the name is
not free, 3 the box runs.`
}

// Run makes it.
func (c *backupCmd) Run() error {
	holds, err := store.Holds(c.Data)
	if err != nil {
		return fmt.Errorf("the data folder %s can't be read: %w", c.Data, err)
	}
	if !holds {
		fmt.Fprintf(os.Stderr, "mafiabox: %s keeps no games: expected the data folder of a box (--data)\n", c.Data)
		return exitUsage
	}
	look, err := looker()
	if err != nil {
		return err
	}
	keep, found, err := store.Open(c.Data, nil, look...)
	if err != nil {
		return c.refused(err)
	}
	for _, f := range found {
		fmt.Fprintf(os.Stderr, "mafiabox: %v\n", f)
	}
	defer func() { // opening it has made files
		if err := store.KeepOwner(c.Data); err != nil {
			fmt.Fprintf(os.Stderr, "mafiabox: %v\n", err)
		}
	}()
	defer keep.Close()
	made, err := store.SaveBackup(keep, store.Made{At: time.Now(), Whole: true}, c.File)
	if errors.Is(err, fs.ErrExist) {
		fmt.Fprintf(os.Stderr, "mafiabox: %s is there already: expected a name that is free\n", c.File)
		return exitUsage
	}
	if err != nil {
		return fmt.Errorf("the backup can't be made: %w", err)
	}
	for _, b := range made.Broken {
		fmt.Fprintf(os.Stderr, "mafiabox: %v: what comes before is in the backup\n", &b)
	}
	fmt.Printf("%s: %s, %d of them not over\n", c.File, count(made.Games, "game"), made.Running)
	return nil
}

// count is a number of things that are named with an s when they are many.
func count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}

func (c *backupCmd) refused(err error) error {
	if errors.Is(err, store.ErrInUse) {
		fmt.Fprintf(os.Stderr, "mafiabox: a box runs on %s: download the backup from its page /box, or stop it first\n", c.Data)
		return exitInUse
	}
	return fmt.Errorf("the data folder %s can't be opened: %w", c.Data, err)
}

// restoreCmd brings a backup back.
type restoreCmd struct {
	File    string `arg:"" help:"The backup." type:"path"`
	Data    string `help:"Folder that shall keep every game." default:"./mafiabox-data" env:"MAFIABOX_DATA" type:"path"`
	Replace bool   `help:"Move what the folder holds aside, inside of it, and put the backup in its place."`
	Partial bool   `help:"Of a damaged backup restore what is whole."`
}

// Help is what restore --help says besides its flags.
func (restoreCmd) Help() string {
	return `The box must be stopped. Started again it is as it was when the backup was made:
tables, seats, hosts and the games that were on. With sudo everything in the folder
goes to the folder's owner.

With --partial the box says on /box, when it is started next, what is missing. Of a
file whose end is cut off nothing can be restored: what it holds is said there.

Exit codes: 0 it is restored, 1 something failed or parts are missing, 2 the file
is no backup, it is damaged, or the folder holds games, 3 the box runs.`
}

// Run restores it.
func (c *restoreCmd) Run() error {
	b, err := store.OpenBackup(c.File)
	if b != nil {
		defer b.Close()
	}
	var damaged *store.DamagedError
	switch {
	case errors.As(err, &damaged):
		for _, part := range damaged.Parts {
			fmt.Fprintf(os.Stderr, "mafiabox: %s: damaged: %s\n", c.File, part)
		}
		if !c.Partial {
			fmt.Fprintf(os.Stderr, "mafiabox: nothing was restored. --partial restores the rest: %s, %s\n", count(len(b.Games()), "game"), count(len(b.Docs), "document"))
			return exitUsage
		}
	case err != nil:
		fmt.Fprintf(os.Stderr, "mafiabox: %s: %v\n", c.File, err)
		if c.Partial && errors.Is(err, store.ErrNoBackup) {
			fmt.Fprintln(os.Stderr, "mafiabox: --partial can't help here: what a backup holds is said at its end. Take another copy of it, or another backup")
		}
		return exitUsage
	}
	aside, err := store.Restore(c.Data, b, c.Replace, nil)
	err = errors.Join(err, store.KeepOwner(c.Data))
	switch {
	case errors.Is(err, store.ErrInUse):
		fmt.Fprintf(os.Stderr, "mafiabox: a box runs on %s: stop it first, or bring the backup back on its page /box\n", c.Data)
		return exitInUse
	case errors.Is(err, store.ErrHoldsGames):
		fmt.Fprintf(os.Stderr, "mafiabox: %s holds games: choose another folder with --data, or move them aside with --replace\n", c.Data)
		return exitUsage
	case err != nil:
		return fmt.Errorf("nothing was restored: %w", err)
	}
	if aside != "" {
		fmt.Printf("what was there before: %s\n", aside)
	}
	for _, broken := range b.Broken {
		fmt.Printf("broken when the backup was made: %v\n", &broken)
	}
	if !b.Whole {
		fmt.Println("this backup holds the last game of each table alone")
	}
	fmt.Printf("%s: %s restored\n", c.Data, count(len(b.Games()), "game"))
	if damaged != nil {
		for _, f := range b.Missing() {
			fmt.Printf("missing: %v\n", f)
		}
		fmt.Println("started next, the box says so to its owner, on /box")
		return exitFails
	}
	return nil
}
