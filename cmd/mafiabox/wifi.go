package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net/netip"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/joho/godotenv"
	"github.com/mafiabox/mafiabox/server"
	"github.com/mafiabox/mafiabox/server/lan"
	"github.com/mafiabox/mafiabox/server/radio"
	"golang.org/x/text/language"
)

// wifiCmd makes the machine's radio the box's own Wi-Fi.
type wifiCmd struct {
	SSID      string `name:"ssid" help:"Name of the Wi-Fi: letters, digits and dashes, as some phones misread the rest. Drawn when not given." placeholder:"NAME"`
	Password  string `help:"Its password, 8 to 63 of the same. Drawn when not given." placeholder:"WORD"`
	Country   string `help:"The country in which it sends, by its two letters. Needed unless the system has one." placeholder:"XX"`
	Interface string `help:"The radio." default:"wlan0" placeholder:"NAME"`
	Address   string `help:"The box's address in it, and how large the network is." default:"192.168.77.1/24" placeholder:"IP/BITS"`
	Channel   int    `help:"Channel, 1 to 11; chosen by NetworkManager when not given." placeholder:"N"`
	Name      string `help:"Host name of the box, for phones that look up NAME.local in this Wi-Fi. As the settings have it when not given." env:"MAFIABOX_NAME" placeholder:"NAME"`
	New       bool   `help:"Draw a new name and password, though there are some."`
	Root      string `help:"Where the system is that it is for: another one for a card that is mounted." default:"/" type:"existingdir" placeholder:"DIR"`

	hotspot radio.Hotspot
}

// Help is what wifi --help says besides its flags.
func (wifiCmd) Help() string {
	return `For Raspberry Pi OS from Bookworm on, and any Linux with NetworkManager. Name and
password are kept when it is run again. It writes

  /etc/NetworkManager/system-connections/mafiabox.nmconnection   the Wi-Fi
  /etc/NetworkManager/dnsmasq-shared.d/mafiabox.conf             names in it
  /etc/modprobe.d/mafiabox.conf                                  the country, unless the system names one
  /etc/mafiabox/mafiabox.conf                                    name and password, for the code

and begins with the next start of the machine.`
}

var interfaceName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,14}$`)

// Validate refuses what NetworkManager, the radio or a phone would not take.
func (c *wifiCmd) Validate() error {
	// For what is not given a word stands in that is in order.
	if odd := lan.Misread(cmp.Or(c.SSID, "Mafia"), cmp.Or(c.Password, "long-enough")); len(odd) > 0 {
		return fmt.Errorf("phones can't be relied upon to read the code of this Wi-Fi: %s", strings.Join(odd, "; "))
	}
	if c.Country != "" {
		region, err := language.ParseRegion(strings.ToUpper(c.Country))
		if err != nil || len(c.Country) != 2 || !region.IsCountry() {
			return fmt.Errorf("--country %s: expected two letters such as DE", c.Country)
		}
		c.Country = region.Canonicalize().String() // UK is GB
	}
	address, err := netip.ParsePrefix(c.Address)
	switch {
	case err != nil || !address.Addr().Is4() || !address.Addr().IsPrivate() || address.Bits() < 16 || address.Bits() > 26 ||
		address.Addr() == address.Masked().Addr() || !address.Contains(address.Addr().Next()):
		return fmt.Errorf("--address %s: expected a private address and 16 to 26 bits, such as 192.168.77.1/24", c.Address)
	case !interfaceName.MatchString(c.Interface):
		return fmt.Errorf("--interface %q: expected a name such as wlan0", c.Interface)
	case c.Channel < 0 || c.Channel > 11:
		return fmt.Errorf("--channel %d: expected 1 to 11, which every country allows", c.Channel)
	}
	if err := lan.CheckName(cmp.Or(c.Name, "mafia")); err != nil {
		return fmt.Errorf("--name: %w", err)
	}
	c.hotspot = radio.Hotspot{SSID: c.SSID, Password: c.Password, Country: c.Country,
		Interface: c.Interface, Address: address, Channel: c.Channel, Name: c.Name}
	return nil
}

// Run writes the files.
func (c *wifiCmd) Run() error {
	h := c.hotspot
	before, err := radio.Read(c.Root)
	switch {
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%w: run it with sudo", err)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	case c.New:
		before = radio.Hotspot{}
	}
	if h.Name == "" {
		set, _ := godotenv.Read(filepath.Join(c.Root, settingsFile))
		h.Name = cmp.Or(set["MAFIABOX_NAME"], "mafia")
	}
	if h.SSID == "" {
		h.SSID = cmp.Or(before.SSID, drawSSID())
	}
	if h.Password == "" {
		h.Password = cmp.Or(before.Password, drawPassword())
	}
	if odd := lan.Misread(h.SSID, h.Password); len(odd) > 0 { // somebody edited the profile
		return fmt.Errorf("the Wi-Fi that there is has a name or password that phones may misread: %s. --new draws others", strings.Join(odd, "; "))
	}
	switch boot := radio.Boot(c.Root); {
	case boot != "" && h.Country != "" && h.Country != boot:
		return fmt.Errorf("--country %s, but the system says %s where it starts: change it there, with \"sudo raspi-config nonint do_wifi_country %s\"", h.Country, boot, h.Country)
	case boot != "":
		h.Country = "" // two that say it might one day say two things
	case h.Country == "":
		if h.Country = radio.Country(c.Root); h.Country == "" {
			return errors.New("no country: expected --country with two letters such as DE, as a radio may not send without")
		}
	}
	written, err := writeHotspot(c.Root, h)
	for _, path := range written {
		fmt.Println("written:", path)
	}
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("%w: run it with sudo", err)
	}
	if err != nil {
		return err
	}
	fmt.Printf("\nWi-Fi %s, password %s. The box is at %s in it.\n", h.SSID, h.Password, h.Address.Addr())
	fmt.Printf("%s is the box's from the next start on, and leaves any Wi-Fi that it is in now.\n\n", h.Interface)
	if c.Root == "/" {
		fmt.Println("Now: sudo reboot")
	} else {
		fmt.Println("Now: unmount the card and start the machine with it.")
	}
	return nil
}

// drawSSID draws a name that differs from that of the box next door.
func drawSSID() string { return "Mafia-" + server.Draw("ABCDEFGHJKLMNPRSTUVWXYZ", 4) }

// drawPassword draws three groups of five letters, 63 bits: nobody finds one by
// trying what he heard in the air. They are small, as phones begin a password,
// without those that look alike, and without vowels, so that they are no words.
func drawPassword() string {
	const consonants = "bcdfghjkmnprstvwxyz"
	for {
		password := server.Draw(consonants, 5) + "-" + server.Draw(consonants, 5) + "-" + server.Draw(consonants, 5)
		if len(lan.Misread("Mafia", password)) == 0 {
			return password
		}
	}
}
