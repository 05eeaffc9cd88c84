// Command mafiabox is the box: it hosts tables of Mafia for phones on the local
// network, and replays game records.
package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/alecthomas/kong"
)

// What the program ends with, beside those of replay.
const (
	exitUsage  exitCode = 2 // the command line, or a file that it names, can't be read
	exitInUse  exitCode = 3 // another box uses the data folder
	exitListen exitCode = 4 // the address can't be listened on
)

const about = `A box that hosts the party game Mafia for the phones around it.

Without a command it serves. Every setting may stand on the command line, in the
environment (MAFIABOX_LISTEN and so on) or in a file of such lines (--config).

Exit codes: 0 all is well, 1 something failed or a check does not hold,
2 the command line or a file can't be read, 3 another box uses the data folder,
4 the address can't be listened on.`

type commands struct {
	Config kong.ConfigFlag `help:"Read settings from a file of lines such as MAFIABOX_LISTEN=:80." type:"existingfile" placeholder:"FILE" env:"MAFIABOX_CONFIG"`

	Serve    serveCmd    `cmd:"" default:"withargs" help:"Run the box. This is what happens without a command."`
	Replay   replayCmd   `cmd:"" help:"Replay game records: print them with their results, or check them."`
	Backup   backupCmd   `cmd:"" help:"Make a backup of everything that the data folder keeps."`
	Restore  restoreCmd  `cmd:"" help:"Bring a backup back into the data folder."`
	Rehearse rehearseCmd `cmd:"" help:"Play whole games against a box as phones do, and say whether it bears an evening."`
	Doctor   doctorCmd   `cmd:"" help:"Look at the machine and its network, and say what may keep phones away."`
	Wifi     wifiCmd     `cmd:"" help:"Make the machine's radio the box's own Wi-Fi."`

	Check    checkCmd    `cmd:"" name:"check-store" hidden:""`
	PanelOff panelOffCmd `cmd:"" hidden:"" help:"Turn the lamp and the buzzer off after a box that could not."`
}

func main() {
	dropEmpty()
	var c commands
	parser, err := kong.New(&c, kong.Name("mafiabox"), kong.Description(about), kong.UsageOnError(),
		kong.Configuration(readSettings), kong.ConfigureHelp(kong.HelpOptions{Compact: true}))
	if err != nil {
		panic(err) // the commands above don't fit together
	}
	ctx, err := parser.Parse(os.Args[1:])
	if err != nil {
		fmt.Fprintf(os.Stderr, "mafiabox: %v (mafiabox --help says more)\n", err)
		os.Exit(int(exitUsage))
	}
	err = ctx.Run()
	var code exitCode
	switch {
	case err == nil:
	case errors.As(err, &code): // it has said itself what was wrong
		os.Exit(int(code))
	default:
		fmt.Fprintf(os.Stderr, "mafiabox: %v\n", err)
		os.Exit(1)
	}
}
