package record

import (
	"fmt"
	"strings"
	"time"

	"github.com/mafiabox/mafiabox/engine"
)

// Header is what a record says before the game begins.
type Header struct {
	Rules   engine.Ruleset
	Date    string // such as 2026-05-04; empty when not said, as the next three
	Table   string
	Host    string
	Box     string    // the version of the box that wrote the record
	Options []Setting // in the order set
	Seats   int
	Names   []string // by seat, empty for a seat without a name; nil when there are none

	// The deal: a role for each seat, or a set of roles and the seed that
	// shuffles it. Without a Cast the set is the usual one of the rules.
	Roles []engine.Role // by seat; nil when the deal is a seed's
	Cast  []engine.Role
	Dealt bool // there is a seed
	Seed  uint64

	Draws []Setting
	Start time.Time // the moment at which the game begins; zero without deadlines
}

// Setting is the value of an option, or a drawn outcome.
type Setting struct{ Name, Value string }

// Name is what a seat is called: its name, or its number.
func (h Header) Name(s engine.Seat) string {
	if int(s) <= len(h.Names) && h.Names[s-1] != "" {
		return h.Names[s-1]
	}
	return formatSeat(s)
}

// Setup is what the game begins with. The error is an *engine.SetupError: the
// deal does not fit the number of seats.
func (h Header) Setup() (engine.Setup, error) {
	fewest, most := h.Rules.Seats()
	if h.Seats < fewest || h.Seats > most {
		return engine.Setup{}, &engine.SetupError{Problem: "seats", Got: h.Seats, Min: fewest, Max: most}
	}
	roles := h.Roles
	if h.Dealt {
		cast := h.Cast
		if cast == nil {
			cast = h.Rules.Cast(h.Seats)
		}
		roles = engine.Deal(cast, h.Seed)
	}
	if dealt := count(roles); dealt != h.Seats || len(roles) != h.Seats {
		return engine.Setup{}, &engine.SetupError{Problem: "count", Got: dealt, Min: h.Seats}
	}
	return engine.Setup{
		Seats:   h.Seats,
		Options: values(h.Options),
		Roles:   roles,
		Names:   h.Names,
		Draws:   values(h.Draws),
		Start:   h.Start,
	}, nil
}

// count is how many seats have a role.
func count(roles []engine.Role) (n int) {
	for _, r := range roles {
		if r != "" {
			n++
		}
	}
	return n
}

func values(settings []Setting) map[string]string {
	m := make(map[string]string)
	for _, s := range settings {
		m[s.Name] = s.Value
	}
	return m
}

// FormatHeader writes a header up to and with its line `begin`.
func FormatHeader(h Header) string {
	var b strings.Builder
	line := func(words ...any) { fmt.Fprintln(&b, words...) }
	line("rules", h.Rules.ID())
	if h.Date != "" {
		line("date", h.Date)
	}
	if h.Table != "" {
		line("table", quote(h.Table))
	}
	if h.Host != "" {
		line("host", quote(h.Host))
	}
	if h.Box != "" {
		line("box", h.Box)
	}
	for _, s := range h.Options {
		line("set", s.Name, s.Value)
	}
	line("seats", h.Seats)
	for i, name := range h.Names {
		if name != "" {
			line("name", i+1, quote(name))
		}
	}
	for i, role := range h.Roles {
		if role != "" {
			line("role", i+1, role)
		}
	}
	if h.Cast != nil {
		line("cast", formatCast(h.Cast))
	}
	if h.Dealt {
		line("deal", h.Seed)
	}
	for _, s := range h.Draws {
		line("draw", s.Name, s.Value)
	}
	if !h.Start.IsZero() {
		line("clock", formatMoment(h.Start))
	}
	line("begin")
	return b.String()
}

// formatCast writes a set of roles, equal neighbours as one word: civilian*4.
func formatCast(cast []engine.Role) string {
	var words []string
	for i := 0; i < len(cast); {
		n := 1
		for i+n < len(cast) && cast[i+n] == cast[i] {
			n++
		}
		word := string(cast[i])
		if n > 1 {
			word += fmt.Sprint("*", n)
		}
		words = append(words, word)
		i += n
	}
	return strings.Join(words, " ")
}
