// Package systemd holds what the box needs of the system around it: the unit,
// its settings, the group that owns the pins, and the files that make the box's
// own Wi-Fi. There is no code in it; its tests let the programs that read the
// files judge them.
package systemd

import "embed"

// Files are those that the program writes itself: the settings as they are
// delivered, and templates of the Wi-Fi's files.
//
//go:embed mafiabox.conf mafiabox.nmconnection dnsmasq-mafiabox.conf cfg80211-mafiabox.conf
var Files embed.FS
