package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"syscall"

	"github.com/mafiabox/mafiabox/cmd/mafiabox/rehearsal"
	"github.com/mafiabox/mafiabox/engine/rulesets"
	"github.com/mafiabox/mafiabox/server"
	"github.com/mafiabox/mafiabox/static"
)

// rehearseCmd plays whole games against a box, as an evening does.
type rehearseCmd struct {
	URL       string `name:"url" help:"Address of a box that runs, such as http://192.168.1.20:8080. Without it one is started for this alone." placeholder:"URL"`
	OwnerCode string `help:"The owner's code of that box: the rehearsal opens tables of its own." env:"MAFIABOX_OWNER_CODE" placeholder:"CODE"`
	Table     string `help:"Rehearse at this table of that box, and at no other. It must be free." placeholder:"ID"`
	Dir       string `help:"Folder for the games of a box that is started for this alone. Name one on the card that the evening's games will be on: what the system has for passing things is often memory." type:"existingdir" placeholder:"FOLDER"`
	Tables    int    `help:"Tables at the same time. Not given: one for each game of --rules."`
	Phones    int    `help:"Phones at each table; where a game takes fewer, as many as it takes." default:"12"`
	Rules     string `help:"Which game: boulevard, sport, gangs, forum, or all of them, a table each." enum:"boulevard,sport,gangs,forum,all" default:"boulevard"`
	Games     int    `help:"Games at each table, one after another." default:"1"`
	Pace      string `help:"How fast everybody plays: as people do (human), only with shorter speeches, or as fast as the box takes it (machine)." enum:"human,machine" default:"machine"`
	Seed      uint64 `help:"Whoever plays chooses at random; with the same number alike, as far as the moments are. Drawn and printed when not given."`
	Lang      string `help:"Language of the report: en or ru; otherwise that of the terminal." enum:",en,ru" default:""`
	JSON      string `name:"json" help:"Write the report to this file, too, for programs." placeholder:"FILE"`
}

// Help is what rehearse --help says besides its flags.
func (rehearseCmd) Help() string {
	return `The dress rehearsal before an evening: phones that join, vote, fall asleep, wake and
lose their connection, a host who takes every step, a table screen, whole games.
Afterwards it says whether the box bears that. A game takes a minute or two at a
machine's pace, since a console takes a step every two seconds, and a quarter of an
hour at people's.

At a box that runs (--url) it opens tables of its own, or takes empty ones behind
the first, and leaves alone where somebody sits or plays. The players are called
"Rehearsal 1" and so on. Their games stay on the box as finished games; the tables
are left empty. All phones then share the one address from which this runs, and with
it one share of the box: run it on the box itself to see what many phones do.

Exit codes: 0 all is well, 1 something was lost or refused that must not be, or no
game came to its end.`
}

// Validate refuses what can't be rehearsed.
func (c *rehearseCmd) Validate() error {
	switch {
	case c.Phones < 1 || c.Phones > 40:
		return errors.New("--phones: expected 1 to 40")
	case c.Tables < 0 || c.Tables > 20:
		return errors.New("--tables: expected 1 to 20")
	case c.Games < 1 || c.Games > 1000:
		return errors.New("--games: expected 1 to 1000")
	case c.URL == "" && c.Table != "":
		return errors.New("--table without --url: expected the address of the box that has it")
	case c.URL != "" && c.Dir != "":
		return errors.New("--dir with --url: expected one of them; a box that runs has its folder")
	}
	return nil
}

// Run rehearses, and prints the report.
func (c *rehearseCmd) Run() error {
	texts, err := server.LoadTexts(static.Files, cmp.Or(c.Lang, ownLanguage()))
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), ends()...)
	defer stop()
	signal.Ignore(syscall.SIGPIPE) // nobody reads any more, which must not end it before its box
	config := rehearsal.Config{
		URL: c.URL, Owner: c.OwnerCode, Table: c.Table, Tables: c.Tables, Phones: c.Phones, Games: c.Games,
		Rules: []string{c.Rules}, Known: rulesets.All, Pace: rehearsal.Machine, Seed: c.Seed,
		Say: func(format string, args ...any) {
			if _, err := fmt.Fprintf(os.Stderr, format+"\n", args...); err != nil {
				stop()
			}
		},
	}
	if c.Rules == "all" {
		config.Rules = nil
		for _, r := range rulesets.All {
			config.Rules = append(config.Rules, r.ID())
		}
	}
	if config.Tables == 0 {
		config.Tables = len(config.Rules)
	}
	if c.Pace == rehearsal.Human.Name {
		config.Pace = rehearsal.Human
	}
	if config.Seed == 0 {
		config.Seed = rand.Uint64N(1_000_000) + 1
	}
	if c.URL == "" {
		box, err := startOwn(ctx, c.Dir)
		if err != nil {
			return err
		}
		defer box.stop()
		config.URL, config.Owner, config.Own = box.url, box.owner, true
	}
	report, err := rehearsal.Run(ctx, config)
	if report == nil {
		return err
	}
	if c.JSON != "" {
		text, _ := json.MarshalIndent(report, "", "  ")
		if err := os.WriteFile(c.JSON, append(text, '\n'), 0o644); err != nil {
			return err
		}
	}
	if len(report.Tables) > 0 {
		report.Write(os.Stdout, texts)
	}
	if err == nil && report.Fails() {
		return exitFails
	}
	return err
}
