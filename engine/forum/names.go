package forum

import (
	"slices"
	"strings"
	"unicode"

	"github.com/mafiabox/mafiabox/engine"
)

// name is a player's name as people shorten it.
type name struct {
	whole    string   // folded
	words    []string // folded, without figures
	initials string
	number   string // its figures
}

// fold is a name as it is compared: case, spaces and underscores don't matter.
func fold(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || unicode.IsSpace(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, s)
}

// newName splits a name into words at spaces, underscores, figures and where
// small letters turn to capitals.
func newName(s string) name {
	n := name{whole: fold(s)}
	var word []rune
	end := func() {
		if len(word) > 0 {
			n.words = append(n.words, fold(string(word)))
			n.initials += string(unicode.ToLower(word[0]))
			word = nil
		}
	}
	for _, r := range s {
		switch {
		case unicode.IsDigit(r):
			n.number += string(r)
			end()
		case r == '_' || unicode.IsSpace(r):
			end()
		default:
			if len(word) > 0 && unicode.IsUpper(r) && unicode.IsLower(word[len(word)-1]) {
				end()
			}
			word = append(word, r)
		}
	}
	end()
	return n
}

// shortFor tells whether a folded text is short for the name: its beginning, a
// whole word of it, or its initials or first letter, with or without its number.
func (n name) shortFor(text string) bool {
	if strings.HasPrefix(n.whole, text) || slices.Contains(n.words, text) {
		return true
	}
	if n.initials == "" {
		return false
	}
	first := string([]rune(n.initials)[:1])
	return text == n.initials || text == first || n.number != "" && (text == n.initials+n.number || text == first+n.number)
}

// A typed name may be misspelt by two letters, from four letters on.
const (
	mostMisspelt  = 2
	fewestLetters = 4
)

func (n name) misspelt(text string) bool {
	a, b := []rune(n.whole), []rune(text)
	return min(len(a), len(b)) >= fewestLetters && near(a, b)
}

// resembles tells whether a text is too short to count as misspelt and yet like the name.
func (n name) resembles(text string) bool {
	a, b := []rune(n.whole), []rune(text)
	return n.number != "" && text == n.number || min(len(a), len(b)) == fewestLetters-1 && distance(a, b) == 1
}

func near(a, b []rune) bool {
	if d := len(a) - len(b); d > mostMisspelt || d < -mostMisspelt {
		return false
	}
	return distance(a, b) <= mostMisspelt
}

// distance is how many letters must be put in, left out or changed to make one of the other.
func distance(a, b []rune) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(diagonal+cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// called are the seats whose name is like a text, and whether that is sure. An
// exact name beats all else; what is short for a name must be so for one alone.
func (g *game) called(text string) (seats []engine.Seat, sure bool) {
	text = fold(text)
	trimmed := strings.TrimFunc(text, func(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) })
	for _, like := range []func(name) bool{
		func(n name) bool { return text != "" && n.whole == text },
		func(n name) bool { return trimmed != "" && n.whole == trimmed },
		func(n name) bool { return trimmed != "" && n.shortFor(trimmed) },
		func(n name) bool { return n.misspelt(trimmed) },
	} {
		if seats = g.named(like); len(seats) > 0 {
			return seats, len(seats) == 1
		}
	}
	return g.named(func(n name) bool { return n.resembles(trimmed) }), false
}

// mostWords is how many words the longest name may be typed in.
func (g *game) mostWords() (most int) {
	for _, n := range g.names {
		most = max(most, len(n.words)+1)
	}
	return most
}

func (g *game) named(like func(name) bool) (seats []engine.Seat) {
	for i, n := range g.names {
		if like(n) {
			seats = append(seats, engine.Seat(i+1))
		}
	}
	return seats
}
