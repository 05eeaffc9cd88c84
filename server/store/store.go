// Package store keeps tables and their games where a pulled plug can't take
// them: a table's document, and of each game its head and its acts.
//
// There are two forms with one behaviour. Memory is for tests. Open is the
// box's: Badger holds everything, and beside it each game has its record file and
// each table a copy of its document, so that either mends the other. Nothing else
// in the project knows of Badger.
package store

import (
	"errors"
	"fmt"
	"io"
)

// Store keeps tables and games. What Commit returned nil for is still there
// after a power cut. All methods may be called from several goroutines.
type Store interface {
	// Tables gives every table's document by the table's id.
	Tables() (map[string][]byte, error)
	// Game gives a game, its chain verified. The error is ErrNotFound, or a
	// *BrokenError: then the Game holds what comes before the break.
	Game(table string, n int) (Game, error)
	// EachAct shows the acts of a game from that number on, in order, until see
	// wants no more; see leaves the store alone. Only those are read, so it costs
	// the same late in a long game as early: each is verified by its own sum and
	// follows the one shown before it, but the chain from the head is not
	// verified. The error is ErrNotFound, or a *BrokenError after what comes
	// before the break.
	EachAct(table string, n, from int, see func(Act) (more bool)) error
	// Games gives the numbers of a table's games, ascending.
	Games(table string) ([]int, error)
	// Last gives the highest number that a game of the table ever had, also a
	// deleted one; zero: none.
	Last(table string) (int, error)
	// Commit stores all of the changes or none, in the order given. After an
	// error the store holds what it held before, and the same changes may be
	// tried again; only after ErrStopped is that open until it is opened anew.
	Commit(...Change) error
	// Backup writes a backup of what is stored at this moment, whole or with
	// what is needed to go on alone. Commits wait only while the running games
	// are read.
	Backup(io.Writer, Made) (Contents, error)
	// Close ends it. Everything committed is already safe without it.
	Close() error
}

// Change is what happened at one table.
type Change struct {
	// Table is the table's id: letters, digits, `-` and `_`, as it becomes part of a file's name.
	Table string
	// Doc is the table's new document; nil leaves the old one.
	Doc []byte
	// Game is the number, from 1, of the game that Head, Acts and Over belong to.
	Game int
	// Head begins the game: its record up to the `begin` line and the results
	// of it, each line ending in a newline. Nil begins no game.
	Head []byte
	// Acts are the acts done since the last Commit.
	Acts []Act
	// Over says that the game has ended: nothing may follow.
	Over bool
	// Gone deletes the game and its record file; Head, Acts and Over are empty
	// then. Its number is never used again. A game of nearly 10,000 acts doesn't
	// fit one commit and is ErrTooLong.
	Gone bool

	left []int // of all the game's records by number, as a backup has them; nil: what this Commit makes them
}

// records are how many the change adds to its game.
func (c Change) records() int {
	n := len(c.Acts)
	if c.Head != nil {
		n++
	}
	if c.Over {
		n++
	}
	return n
}

// Act is one act of a game, with what it led to and what is needed to answer
// for it later.
type Act struct {
	No     int      // from 1, without gaps
	Line   string   // its line of the record, without the newline
	Events []string // the `=` lines that it led to, without the `= `
	Key    string   // the client's key, so that a repeated act gets its first answer
	Rules  string   // the version of the rules that made the events
}

// Game is a stored game.
type Game struct {
	Head []byte
	Acts []Act
	Over bool

	left []int // of its records by number; see record
}

// Text is the game's record as its file holds it.
func (g Game) Text() []byte {
	return appendActs(append([]byte(nil), g.Head...), g.Acts)
}

func appendActs(text []byte, acts []Act) []byte {
	for _, a := range acts {
		text = append(append(text, a.Line...), '\n')
		for _, e := range a.Events {
			text = append(append(append(text, "= "...), e...), '\n')
		}
	}
	return text
}

// The errors that a caller may want to tell apart.
var (
	// ErrNotFound says that there is no such game.
	ErrNotFound = errors.New("store: no such game")
	// ErrInvalid says that a change can't be stored as it is: a bad table id, a
	// line with a newline in it, text that is not UTF-8.
	ErrInvalid = errors.New("store: not a valid change")
	// ErrOrder says that a change does not follow what is stored: a gap between
	// acts, a game begun twice, an act after the end.
	ErrOrder = errors.New("store: out of order")
	// ErrTooLong says that a document, a head, an act or a whole Commit is longer than the store takes.
	ErrTooLong = errors.New("store: too long")
	// ErrInUse says that another process has the folder open.
	ErrInUse = errors.New("store: already in use by another mafiabox")
	// ErrFull says that the disk has too little room left to write safely.
	ErrFull = errors.New("store: the disk is nearly full")
	// ErrStopped says that a write failed in a way that leaves open what is on
	// the disk. The store writes nothing more until it is opened again.
	ErrStopped = errors.New("store: stopped after a failed write")
	// ErrClosed says that the store is closed.
	ErrClosed = errors.New("store: closed")
)

// BrokenError says where a stored game stops being what was committed: a
// record is altered, missing, or belongs elsewhere. Such a game takes no more
// acts until the next Open has mended it.
type BrokenError struct {
	Table string
	Game  int
	No    int // the first act that can't be trusted; zero is the head
}

func (e *BrokenError) Error() string {
	if e.No == 0 {
		return fmt.Sprintf("store: game %d of table %s is broken at its head", e.Game, e.Table)
	}
	return fmt.Sprintf("store: game %d of table %s is broken at act %d", e.Game, e.Table, e.No)
}
