package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/joho/godotenv"
	"github.com/mafiabox/mafiabox/server"
	"github.com/mafiabox/mafiabox/server/checkup"
	"github.com/mafiabox/mafiabox/server/lan"
	"github.com/mafiabox/mafiabox/server/radio"
	"github.com/mafiabox/mafiabox/static"
)

// doctorCmd looks at the machine. Its settings are those of serve; what is not
// given here is as the service has it, where there is one.
type doctorCmd struct {
	Listen       string `help:"Address and port of the box." env:"MAFIABOX_LISTEN" placeholder:"ADDRESS"`
	Name         string `help:"Host name of the box." env:"MAFIABOX_NAME"`
	WifiSSID     string `name:"wifi-ssid" help:"Name of the Wi-Fi that its code leads to." env:"MAFIABOX_WIFI_SSID" placeholder:"NAME"`
	WifiPassword string `name:"wifi-password" help:"Password of that Wi-Fi." env:"MAFIABOX_WIFI_PASSWORD" placeholder:"WORD"`
	Clock        string `help:"Whether the clock is right: auto, trusted or untrusted." enum:",auto,trusted,untrusted" default:"" env:"MAFIABOX_CLOCK"`
	Lang         string `help:"Language: en or ru; otherwise that of the terminal." enum:",en,ru" default:""`
	JSON         bool   `name:"json" help:"Print a list for programs."`
	Root         string `help:"Where the files of the system lie." default:"/" type:"existingdir" hidden:""`
}

// Help is what doctor --help says besides its flags.
func (doctorCmd) Help() string {
	return `Settings are those of the service (/etc/mafiabox/mafiabox.conf) unless they are
given. With sudo it sees more. It changes nothing.

Exit codes: 0 nothing is to be mended, 1 something is.`
}

// unitFiles are where the service may be: installed by a package, or by hand.
var unitFiles = []string{"/usr/lib/systemd/system/mafiabox.service", "/lib/systemd/system/mafiabox.service", "/etc/systemd/system/mafiabox.service"}

// machine is what is to be looked at.
func (c *doctorCmd) machine() checkup.Machine {
	m := checkup.Machine{Root: c.Root, Access: radio.Access}
	m.Places, m.Reached = lan.Survey()
	listen := ":8080"
	for _, unit := range unitFiles {
		if _, err := os.Stat(filepath.Join(c.Root, unit)); err == nil {
			listen = ":80"
		}
	}
	set, err := godotenv.Read(filepath.Join(c.Root, settingsFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		m.Hidden = settingsFile
	}
	m.Listen = cmp.Or(c.Listen, set["MAFIABOX_LISTEN"], listen)
	m.Name = cmp.Or(c.Name, set["MAFIABOX_NAME"], "mafia")
	m.SSID, m.Password = c.WifiSSID, c.WifiPassword
	if m.SSID == "" {
		m.SSID, m.Password = set["MAFIABOX_WIFI_SSID"], set["MAFIABOX_WIFI_PASSWORD"]
	}
	m.Data = set["MAFIABOX_DATA"]
	m.Clock = cmp.Or(c.Clock, set["MAFIABOX_CLOCK"], "auto")
	return m
}

// Run looks, prints and tells by its exit code whether something is bad.
func (c *doctorCmd) Run() error {
	texts, err := server.LoadTexts(static.Files, cmp.Or(c.Lang, ownLanguage()))
	if err != nil {
		return err
	}
	findings := c.machine().Examine(context.Background())
	var found []server.Found
	for _, f := range findings {
		found = append(found, texts.Found(f))
	}
	if c.JSON {
		out := json.NewEncoder(os.Stdout)
		out.SetEscapeHTML(false)
		out.SetIndent("", " ")
		err = out.Encode(found)
	} else {
		for _, f := range found {
			fmt.Printf("[%s] %s: %s\n", f.Word, f.Heading, f.Found)
			if f.Do != "" {
				fmt.Printf("    %s\n", f.Do)
			}
		}
	}
	if err == nil && checkup.Worst(findings) == checkup.Bad {
		return exitFails
	}
	return err
}

// ownLanguage is the language of whoever sits at the terminal.
func ownLanguage() string {
	if strings.HasPrefix(cmp.Or(os.Getenv("LC_ALL"), os.Getenv("LC_MESSAGES"), os.Getenv("LANG")), "ru") {
		return "ru"
	}
	return "en"
}
