package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/mafiabox/mafiabox/engine/record"
	"github.com/mafiabox/mafiabox/engine/rulesets"
)

// replayCmd replays game records: it prints what each line leads to, or
// compares it with what the record says.
type replayCmd struct {
	Check  bool     `help:"Compare with the = and ! lines in each file, and print those that fail."`
	Offers bool     `help:"Print what everybody may do, too, whenever that changes."`
	Files  []string `arg:"" name:"file" help:"Game records."`
}

// exitCode is how the program ends, when it has said all there is to say.
type exitCode int

func (c exitCode) Error() string { return "exit code " + strconv.Itoa(int(c)) }

// What replay ends with, beside zero. The greatest of all files is the program's.
const (
	exitFails      exitCode = 1 // a check does not hold
	exitUnreadable exitCode = 2 // a file can't be read
)

// Help is what replay --help says besides its flags.
func (replayCmd) Help() string {
	return `Exit codes: 0 all is well, 1 a check does not hold or a game never began (--check),
2 a record can't be read.`
}

// Run replays the files.
func (c *replayCmd) Run() error {
	if code := c.replay(os.Stdout, os.Stderr); code != 0 {
		return code
	}
	return nil
}

func (c *replayCmd) replay(out, errs io.Writer) exitCode {
	var code exitCode
	for _, file := range c.Files {
		r, err := readRecord(file)
		if err != nil {
			fmt.Fprintln(errs, err)
			code = exitUnreadable
			continue
		}
		if err := record.NotBegun(r); err != nil {
			fmt.Fprintf(errs, "%s:%d: the game never began: %v\n", file, r.Begin, err)
			if c.Check {
				code = max(code, exitFails)
			}
		}
		if c.Check {
			for _, m := range record.Verify(r) {
				fmt.Fprintf(out, "%s:%s\n", file, m)
				code = max(code, exitFails)
			}
			continue
		}
		if len(c.Files) > 1 {
			fmt.Fprintf(out, "# %q\n", file)
		}
		if err := record.Print(out, r, c.Offers); err != nil {
			fmt.Fprintln(errs, err)
			return exitUnreadable
		}
	}
	return code
}

// readRecord reads a file. The error names it, and the line where there is one.
func readRecord(name string) (*record.Record, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, record.MaxSize+1)) // one byte more is refused by Parse
	if err != nil {
		return nil, err
	}
	r, err := record.Parse(data, rulesets.All)
	var syntax *record.SyntaxError
	switch {
	case errors.As(err, &syntax) && syntax.Line > 0:
		return nil, fmt.Errorf("%s:%d: %s", name, syntax.Line, syntax.Msg())
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}
