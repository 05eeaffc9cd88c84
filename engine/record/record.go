// Package record reads, writes, replays and checks game records: what PGN is
// to chess. A record is a text file, a line for each thing that happened. It
// names every random outcome, so it replays to exactly the same game.
//
//	rules boulevard
//	seats 7
//	role 1 don
//	…
//	begin
//	host night
//	1 shoot 5
//	host dawn
//	= all out 5 night
//
// A header says what was fixed before the game began. Then each line is an act,
// and the lines under it that begin with `=` or `!` say what it leads to.
//
// # Text
//
// Text stands in double quotes, on one line: \" and \\ are a quote and a
// backslash, \n a line's end, and \u001b (always four digits) any other
// character by its number. Control characters are always written that way, but
// for the tab: a record is safe to print on a terminal, and a file that holds
// raw ones is no record.
package record

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mafiabox/mafiabox/engine"
)

// MaxSize is the size of the largest record, in bytes.
const MaxSize = 16 << 20

// MaxSeats is the most seats that a table of any rule system has.
const MaxSeats = 40

// Record is one game as its file tells it.
type Record struct {
	Header
	Begin  int     // the number of the line `begin` in its file
	Checks []Check // of what the beginning leads to
	Lines  []Line  // one for each act, in order
}

// Line is one act of a record with the checks that stand under it.
type Line struct {
	Number int // of the line in its file
	Act    engine.Act
	Checks []Check
}

// Check is an `=` or `!` line: what an act leads to, or doesn't.
type Check struct {
	Number int    // of the line in its file
	Never  bool   // a `!` line: no result begins like this
	Words  string // the beginning of a result, such as "all out 5"
}

func (c Check) String() string {
	if c.Never {
		return "! " + c.Words
	}
	return "= " + c.Words
}

// SyntaxError says which line of a record can't be read, and what was expected.
type SyntaxError struct {
	Line int // from 1; zero when the error is not about one line of a file

	// Form and Args are the message as for fmt.Sprintf. Of other languages only
	// Form knows: an argument is of the record or of its format, or a message itself.
	Form string
	Args []any
}

func (e *SyntaxError) Error() string {
	if e.Line == 0 {
		return e.Msg()
	}
	return fmt.Sprintf("line %d: %s", e.Line, e.Msg())
}

// Msg is the message without its line, in English.
func (e *SyntaxError) Msg() string { return e.In(func(form string) string { return form }) }

// In is the message in another language, which has a form for each of ours.
func (e *SyntaxError) In(language func(form string) string) string {
	args := slices.Clone(e.Args)
	for i, arg := range args {
		if part, ok := arg.(*SyntaxError); ok {
			args[i] = part.In(language)
		}
	}
	return fmt.Sprintf(language(e.Form), args...)
}

// syntax is a syntax error whose line is still to be filled in.
func syntax(form string, args ...any) *SyntaxError { return &SyntaxError{Form: form, Args: args} }

// Format is the record as a file, with its checks and without comments.
func Format(r *Record) string {
	var b strings.Builder
	b.WriteString(FormatHeader(r.Header))
	for _, c := range r.Checks {
		fmt.Fprintln(&b, c)
	}
	for _, l := range r.Lines {
		fmt.Fprintln(&b, FormatAct(l.Act))
		for _, c := range l.Checks {
			fmt.Fprintln(&b, c)
		}
	}
	return b.String()
}
