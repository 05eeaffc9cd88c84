package record

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mafiabox/mafiabox/engine"
)

// headline is one sort of header line.
type headline struct {
	usage string
	many  bool     // may stand more than once
	after string   // the header line that it comes after
	not   []string // header lines that it can't stand beside
	read  func(h *Header, args []word) error
}

// headlines are the header lines but for `rules` and `begin`, which frame them.
var headlines = map[string]headline{
	"date":  {usage: "YYYY-MM-DD", read: readDate},
	"table": {usage: `"TEXT"`, read: func(h *Header, args []word) error { return readText(&h.Table, args) }},
	"host":  {usage: `"TEXT"`, read: func(h *Header, args []word) error { return readText(&h.Host, args) }},
	"box":   {usage: "VERSION", read: readBox},
	"set":   {usage: "OPTION VALUE", many: true, read: readOption},
	"seats": {usage: fmt.Sprint("1…", MaxSeats), read: readSeats},
	"name":  {usage: `SEAT "TEXT"`, many: true, after: "seats", read: readName},
	"role":  {usage: "SEAT ROLE", many: true, after: "seats", not: []string{"cast", "deal"}, read: readRole},
	"cast":  {usage: "ROLE… (don civilian*4)", not: []string{"role"}, read: readCast},
	"deal":  {usage: "SEED", not: []string{"role"}, read: readDeal},
	"draw":  {usage: "first_gang irish|italian, draw known_mafia SEAT", many: true, read: readDraw},
	"clock": {usage: "MOMENT (2026-05-04T12:00:00-04:00)", read: readClock},
}

func readRules(known []engine.Ruleset, args []word) (engine.Ruleset, error) {
	var ids []string
	for _, r := range known {
		ids = append(ids, r.ID())
		if len(args) == 1 && args[0].isOneOf(r.ID()) {
			return r, nil
		}
	}
	if len(args) == 1 && !args[0].quoted {
		return nil, syntax("unknown rules %s: expected %s", shown(args[0]), strings.Join(ids, ", "))
	}
	return nil, syntax("expected: %s", "rules "+strings.Join(ids, "|"))
}

func readDate(h *Header, args []word) error {
	if len(args) != 1 || args[0].quoted {
		return errUnfit
	}
	if _, err := time.Parse(time.DateOnly, args[0].text); err != nil {
		return errUnfit
	}
	h.Date = args[0].text
	return nil
}

func readText(to *string, args []word) error {
	if len(args) != 1 || !args[0].quoted || args[0].text == "" {
		return errUnfit
	}
	*to = args[0].text
	return nil
}

func readBox(h *Header, args []word) error {
	if len(args) != 1 || args[0].quoted {
		return errUnfit
	}
	h.Box = args[0].text
	return nil
}

func readOption(h *Header, args []word) error {
	if len(args) != 2 || args[0].quoted || args[1].quoted {
		return errUnfit
	}
	name, value := args[0].text, args[1].text
	option, ok := engine.FindOption(h.Rules, name)
	if !ok {
		var names []string
		for _, o := range h.Rules.Options() {
			names = append(names, o.Name)
		}
		return syntax("unknown option %s of %s: expected %s", shown(args[0]), h.Rules.ID(), strings.Join(names, ", "))
	}
	if !option.Allows(value) {
		var expected any = strings.Join(option.Values, ", ")
		switch {
		case option.Zone:
			expected = syntax("a time zone, such as %s", expected)
		case option.Max > 0:
			expected = syntax("a number from %d to %d", option.Min, option.Max)
		}
		return syntax("%s can't be %s: expected %s", name, shown(args[1]), expected)
	}
	return addSetting(&h.Options, name, value)
}

func addSetting(to *[]Setting, name, value string) error {
	for _, s := range *to {
		if s.Name == name {
			return syntax("%s is %s already: expected it once", name, s.Value)
		}
	}
	*to = append(*to, Setting{name, value})
	return nil
}

func readSeats(h *Header, args []word) error {
	if len(args) != 1 || args[0].quoted {
		return errUnfit
	}
	n, ok := number(args[0].text)
	if !ok || n < 1 || n > MaxSeats {
		return errUnfit
	}
	h.Seats = n
	return nil
}

func readName(h *Header, args []word) error {
	if len(args) != 2 || !args[1].quoted || args[1].text == "" {
		return errUnfit
	}
	s, err := parseSeat(args[0], h.Seats)
	if err != nil {
		return err
	}
	if h.Names == nil {
		h.Names = make([]string, h.Seats)
	}
	return fill(h.Names, s, args[1].text, "name")
}

// fill gives a seat its one name or role.
func fill[T ~string](list []T, s engine.Seat, value T, what string) error {
	if list[s-1] != "" {
		return syntax("a second line %q for seat %d: expected one", what, s)
	}
	list[s-1] = value
	return nil
}

func readRole(h *Header, args []word) error {
	if len(args) != 2 || !isRole(args[1]) {
		return errUnfit
	}
	s, err := parseSeat(args[0], h.Seats)
	if err != nil {
		return err
	}
	if h.Roles == nil {
		h.Roles = make([]engine.Role, h.Seats)
	}
	return fill(h.Roles, s, engine.Role(args[1].text), "role")
}

// isRole tells whether a word may be a role's name. Whether these rules have
// such a role is seen when the game begins.
func isRole(w word) bool {
	return !w.quoted && w.text != "" && !strings.ContainsAny(w.text, "*@:")
}

func readCast(h *Header, args []word) error {
	for _, w := range args {
		name, times, many := strings.Cut(w.text, "*")
		n := 1
		if many {
			n, many = number(times)
			if !many || n < 1 {
				return errUnfit
			}
		}
		if !isRole(word{name, w.quoted}) {
			return errUnfit
		}
		if len(h.Cast)+n > MaxSeats {
			return syntax("expected at most %d roles", MaxSeats)
		}
		h.Cast = append(h.Cast, slices.Repeat([]engine.Role{engine.Role(name)}, n)...)
	}
	if h.Cast == nil {
		return errUnfit
	}
	return nil
}

func readDeal(h *Header, args []word) error {
	if len(args) != 1 || args[0].quoted {
		return errUnfit
	}
	seed, err := strconv.ParseUint(args[0].text, 10, 64)
	if err != nil || strconv.FormatUint(seed, 10) != args[0].text {
		return errUnfit
	}
	h.Dealt, h.Seed = true, seed
	return nil
}

func readDraw(h *Header, args []word) error {
	if len(args) != 2 || args[0].quoted {
		return errUnfit
	}
	switch args[0].text {
	case "first_gang":
		if !args[1].isOneOf("irish", "italian") {
			return errUnfit
		}
	case "known_mafia":
		if h.Seats == 0 {
			return syntax(`expected the line "seats" before "draw known_mafia"`)
		}
		if _, err := parseSeat(args[1], h.Seats); err != nil {
			return err
		}
	default:
		return errUnfit
	}
	return addSetting(&h.Draws, args[0].text, args[1].text)
}

func readClock(h *Header, args []word) error {
	if len(args) != 1 || args[0].quoted {
		return errUnfit
	}
	var err error
	h.Start, err = parseMoment(args[0].text)
	return err
}
