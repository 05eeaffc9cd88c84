package server

import "github.com/mafiabox/mafiabox/server/store"

const sampleMade = "2026-05-04 21:40"

// sampleBackups are the page of backups in trouble, and with a file looked at.
func (w words) sampleBackups() []backupPage {
	page := backupPage{words: w, Key: "SAMPLE", Wanted: true, Refused: true, Tell: []string{"1", "2"}, Places: []backupRow{
		{Heading: w.T("backup.here"), Folder: "/var/lib/mafiabox/backups", When: sampleMade, N: 112},
		{Heading: w.T("backup.second"), Folder: "/media/stick/mafiabox", When: sampleMade, N: 108, Wrong: w.T("backup.absent")},
	}}
	shown := backupPage{words: w, Key: "SAMPLE", Playing: []string{"2"}, Shown: &backupShown{
		When: sampleMade, N: 112, Tables: 2, Games: 31, Running: 1, Part: true,
		Broken: []store.BrokenError{{Table: "1", Game: 7, No: 215}, {Table: "2", Game: 1}},
	}}
	return []backupPage{page, shown}
}
