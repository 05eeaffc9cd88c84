// Package systemd holds what the box needs of the system that starts it: the
// unit, its settings, the group that owns the pins. There is no code in it;
// its tests let systemd itself judge the files.
package systemd
