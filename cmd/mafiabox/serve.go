package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/alecthomas/kong"
	"github.com/mafiabox/mafiabox/engine/rulesets"
	"github.com/mafiabox/mafiabox/hardware"
	"github.com/mafiabox/mafiabox/server"
	"github.com/mafiabox/mafiabox/server/checkup"
	"github.com/mafiabox/mafiabox/server/lan"
	"github.com/mafiabox/mafiabox/server/radio"
	"github.com/mafiabox/mafiabox/server/store"
	"github.com/mafiabox/mafiabox/static"
	"golang.org/x/sys/unix"
)

// serveCmd runs the box.
type serveCmd struct {
	Listen       string `help:"Address and port to serve on." default:":8080" env:"MAFIABOX_LISTEN"`
	Data         string `help:"Folder that keeps every game." default:"./mafiabox-data" env:"MAFIABOX_DATA"`
	BackupTo     string `help:"Folder of a second place for backups, on a stick that may come and go." env:"MAFIABOX_BACKUP_TO" placeholder:"FOLDER"`
	panelFlags   `embed:""`
	HostCode     string `help:"Code that makes a phone the host of the first table. Drawn and printed when not given." env:"MAFIABOX_HOST_CODE" placeholder:"CODE"`
	OwnerCode    string `help:"Code that makes a phone the owner of the box. Drawn and printed when not given." env:"MAFIABOX_OWNER_CODE" placeholder:"CODE"`
	Name         string `help:"What the box is called on its network: NAME.local. When somebody else is called that already, it takes NAME-2." default:"mafia" env:"MAFIABOX_NAME"`
	WifiSSID     string `name:"wifi-ssid" help:"Name of the Wi-Fi that phones should join, for its code. Without it only the address is shown." env:"MAFIABOX_WIFI_SSID" placeholder:"NAME"`
	WifiPassword string `name:"wifi-password" help:"Password of that Wi-Fi." env:"MAFIABOX_WIFI_PASSWORD" placeholder:"WORD"`
	Captive      string `help:"What phones hear that ask whether the internet is there: that all is well (success), first a sheet that says where the box is (portal-once), or nothing of the kind (off)." enum:"success,portal-once,off" default:"success" env:"MAFIABOX_CAPTIVE"`
	Clock        string `help:"Whether the box's clock is right: as the machine has a hardware clock (auto), trusted, or untrusted. An untrusted clock dates no record." enum:"auto,trusted,untrusted" default:"auto" env:"MAFIABOX_CLOCK"`
	Lang         string `help:"Language for phones that wish for none: en or ru." enum:"en,ru" default:"en" env:"MAFIABOX_LANG"`
}

// Help is what serve --help says besides its flags.
func (serveCmd) Help() string {
	return `A store that can't be opened, or fails, ends nothing: every page says so, and the box
tries again by itself.

Backups are kept in the data folder: small ones when a phase begins, one of
everything when a game ends; the oldest go. With --backup-to those of everything
go there as well. That folder is never made, and nothing is written to it while
it is on the disk of the data or of the system: make it on the stick, and while
the stick is out the box waits for it.

Exit codes: 0 it was told to stop, 1 something failed, 2 a setting can't be read,
3 another box uses the data folder, 4 the address can't be listened on.`
}

// Validate refuses settings with which there is nothing to serve, or that can't
// be meant.
func (c *serveCmd) Validate() error {
	switch {
	case c.Data == "":
		return errors.New("--data is empty: expected the folder that keeps every game")
	case c.Listen == "":
		return errors.New("--listen is empty: expected an address and port such as :8080")
	case c.WifiSSID == "" && c.WifiPassword != "":
		return errors.New("--wifi-password without --wifi-ssid: expected the name of that Wi-Fi as well")
	}
	if err := lan.CheckName(c.Name); err != nil {
		return fmt.Errorf("--name %w", err)
	}
	c.Data = kong.ExpandPath(c.Data)
	if c.BackupTo != "" {
		c.BackupTo = kong.ExpandPath(c.BackupTo)
	}
	return c.options().Check()
}

// Run serves until it is told to stop.
func (c *serveCmd) Run() error {
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelInfo}))
	ctx, stop := signal.NotifyContext(context.Background(), ends()...)
	defer stop()

	look, err := looker()
	if err != nil {
		return err
	}
	opens := stillOpening()
	keep, found, failed := store.OpenContext(ctx, c.Data, log, look...)
	opens()
	if failed != nil && ctx.Err() != nil {
		return nil // told to stop while it looked
	}
	if errors.Is(failed, store.ErrInUse) {
		fmt.Fprintf(os.Stderr, "mafiabox: another box uses the folder %s: stop it, or choose another with --data\n", c.Data)
		return exitInUse
	}
	listener, err := net.Listen("tcp", c.Listen)
	if err != nil {
		if failed == nil {
			keep.Close()
		}
		fmt.Fprintf(os.Stderr, "mafiabox: can't listen on %s: %v (--listen takes another address)\n", c.Listen, err)
		return exitListen
	}
	defer listener.Close()
	h := &house{serveCmd: c, look: look, listener: listener.(*net.TCPListener), log: log}
	h.network = lan.Look(c.Name, listener.Addr().(*net.TCPAddr).AddrPort(), log)
	h.keys = keyboard()
	if h.panel, err = hardware.Open(c.options(), log); err != nil {
		return err
	}
	defer h.panel.Close()
	if c.WifiSSID != "" {
		for _, odd := range lan.Misread(c.WifiSSID, c.WifiPassword) {
			log.Warn("phones may not read the Wi-Fi code", "why", odd)
		}
	}
	go giveBack(ctx)
	return h.run(ctx, opened{keep, found, failed})
}

// config is what a box is made of; keep is nil for one that waits for its store.
func (h *house) config(keep store.Store, found []store.Finding) server.Config {
	c, network := h.serveCmd, h.network
	config := server.Config{
		Store: keep, Found: found, Data: c.Data, BackupTo: c.BackupTo, Rulesets: rulesets.All, Files: static.Files, Lang: c.Lang,
		HostCode: c.HostCode, OwnerCode: c.OwnerCode, Port: network.Port(),
		Addresses: network.Addresses, Host: network.Host,
		WiFi: server.WiFi{SSID: c.WifiSSID, Password: c.WifiPassword}, Captive: server.Captive(c.Captive),
		Trusted: c.trusts(), Now: time.Now, Log: h.log, Before: h.last,
	}
	if boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id"); err == nil {
		config.Boot = strings.TrimSpace(string(boot))
	}
	if name, err := os.Hostname(); err == nil {
		config.Names = []string{name, name + ".local"}
	}
	config.Stations = radio.Stations("/")
	config.Examine = func(ctx context.Context) []checkup.Finding {
		places, reached := lan.Survey()
		return checkup.Machine{
			Data: c.Data, Root: "/", Places: places, Reached: reached, Listen: network.Listen(), Serving: true, Name: c.Name,
			SSID: c.WifiSSID, Password: c.WifiPassword, Clock: c.Clock, Access: radio.Access,
		}.Examine(ctx)
	}
	if h.panel.State().Form != hardware.None {
		config.Panel = consolePanel{h.panel}
	}
	return config
}

// trusts tells whether the machine's clock is right at boot: a Pi without a
// hardware clock comes up with the time at which it went down.
func (c *serveCmd) trusts() bool {
	if c.Clock == "auto" {
		there, flat := checkup.ClockChip("/")
		return there && !flat
	}
	return c.Clock == "trusted"
}

// welcome prints what a host needs to begin, once the box serves, and again when
// the codes lead elsewhere.
func (c *serveCmd) welcome(box *server.Box, network *lan.Network) {
	first, colours := box.Tables()[0], isTerminal(os.Stdout)
	ips, port := network.Addresses(), network.Port()
	fmt.Println()
	if c.WifiSSID != "" {
		fmt.Printf("Wi-Fi %s\n%s\n", c.WifiSSID, lan.Terminal(lan.WiFi(c.WifiSSID, c.WifiPassword), colours))
	}
	join := lan.URL(ips[0], port, "/j/"+first.Code())
	fmt.Printf("Players scan this, or open %s\n%s\n", join, lan.Terminal(join, colours))
	for _, t := range box.Tables() {
		fmt.Printf("Table %s: join code %s, host code %s\n", t.ID(), t.Code(), box.HostCode(t))
	}
	fmt.Printf("The host opens %s and types the host code. Owner code of the box: %s\n\n", lan.URL(ips[0], port, "/host"), box.OwnerCode())
	if ips[0].IsLoopback() {
		fmt.Println("No phone reaches this address yet. Codes follow when there is a network.")
	}
	for _, ip := range ips {
		fmt.Printf("ready: %s\n", lan.URL(ip, port, "/"))
	}
}

// isTerminal tells whether a person looks at it, and no file or journal keeps it.
func isTerminal(f *os.File) bool {
	_, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS) // /dev/null is a device, too
	return err == nil
}
