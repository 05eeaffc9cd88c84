package store

import "fmt"

// What is what was found, and done about it.
type What string

const (
	// Mended: one copy had what the other lacked or had broken. Nothing is known to be lost.
	Mended What = "mended"
	// Lost: what came after Finding.Good is in no copy; or all of it. See Finding.Unsure.
	Lost What = "lost"
	// Rebuilt: Badger could not be used. It was set aside and made anew from the
	// files beside it.
	Rebuilt What = "rebuilt"
	// Anew: a document is whole, and nothing that the box can read. It was set
	// aside and begins anew. Open doesn't find this: what is in one it doesn't know.
	Anew What = "anew"
)

// Finding is what Open found not to be as it was committed. Of a game that ended
// by a pulled plug it is often the last act, that nobody was told of: Mended.
// What is Lost or Rebuilt is given at each Open again, until KeepFound leaves it out.
type Finding struct {
	What   What   `json:"what"`
	Table  string `json:"table,omitempty"`  // empty: of the whole store
	Game   int    `json:"game,omitempty"`   // zero: of the table's document
	Good   int    `json:"good"`             // of a game: its last good act; -1 when not even its head is left, or nothing of the document
	Unsure bool   `json:"unsure,omitempty"` // of a game that is Lost: nobody knows whether anything came after Good
	Aside  string `json:"aside,omitempty"`  // the folder or file that holds what was set aside; empty: none
	Unread bool   `json:"unread,omitempty"` // its file could not be read, or not to its end
	Reason string `json:"reason,omitempty"` // of Rebuilt: what was wrong, for the log

	Restored bool `json:"restored,omitempty"` // of Lost: it was damaged in the backup that was restored
	Told     bool `json:"told,omitempty"`     // the tables have stored what their hosts are to be told of it
}

func (f Finding) String() string {
	of := "the store"
	switch {
	case f.Game > 0:
		of = fmt.Sprintf("table %s, game %d", f.Table, f.Game)
	case f.Table != "":
		of = "the document of table " + f.Table
	}
	text := of
	switch {
	case f.What == Rebuilt:
		text += " could not be used and is made anew from its copies: " + f.Reason
	case f.What == Lost && f.Game == 0 && f.Good < 0:
		text += " is lost"
	case f.What == Anew:
		text += " can't be read and begins anew"
	case f.What == Lost && f.Game == 0:
		text += " is lost in its last form: the one before it counts"
	case f.What == Lost && f.Good < 0:
		text += " is lost"
	case f.What == Lost && f.Unsure:
		text += fmt.Sprintf(": act %d is the last good one, what came after it, if anything did, is lost", f.Good)
	case f.What == Lost:
		text += fmt.Sprintf(": act %d is the last good one, what came after it is lost", f.Good)
	case f.Game == 0 && f.Unread:
		text += " is as the other copy has it"
	case f.Game == 0:
		text += " comes from its second copy"
	default:
		text += fmt.Sprintf(": what one copy lacked comes from the other, up to act %d", f.Good)
	}
	if f.Unread {
		text += "; the file beside Badger could not be read"
	}
	if f.Restored {
		text += "; it was damaged in the backup that was restored"
	}
	if f.Aside != "" {
		text += "; set aside as " + f.Aside
	}
	return text
}
