package server

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxName is the longest name, in characters.
const maxName = 32

// maxPile is the most marks on one letter.
const maxPile = 4

// tidyName makes a name fit to be shown: one line, single spaces, no control
// characters and none that turn the direction of the text around it. The
// problem is a text's key.
func tidyName(typed string) (name, problem string) {
	if !utf8.ValidString(typed) {
		return "", "name_unreadable"
	}
	name = cleanName(typed)
	switch {
	case !strings.ContainsFunc(name, seen) || fold(name) == "":
		return "", "name_empty"
	case utf8.RuneCountInString(name) > maxName, written(name) > 4*maxName:
		return "", "name_long"
	}
	return name, ""
}

// shownName is a name of a record, which may be anybody's file, as pages and
// tables show it. It may be longer than one that is typed, but not without end.
func shownName(name string) string {
	name = cleanName(strings.ToValidUTF8(name, "\uFFFD"))
	if !strings.ContainsFunc(name, seen) {
		return ""
	}
	return cut(name, 2*maxName)
}

func cleanName(typed string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case hidden(r), r == 0x200E, r == 0x200F, strings.ContainsRune(blanks, r):
			return -1
		}
		return r
	}, typed)
	return fewMarks(norm.NFC.String(strings.Join(strings.Fields(name), " "))) // after what stood between letters has gone
}

// hidden tells whether a character is not seen and changes what is: a control
// character, a mark that turns the direction of the text around it, or one that
// hides in it.
func hidden(r rune) bool {
	return unicode.IsControl(r) || r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 || r == 0x061C ||
		r == 0xFEFF || r == 0x200B || r == 0x034F || r == 0x00AD || r == 0x180E || r >= 0x2060 && r <= 0x206F || r >= 0xFFF9 && r <= 0xFFFB
}

// blanks are letters and symbols that nobody sees.
const blanks = "\u3164\u2800\u115f\u1160\uffa0"

// seen tells whether a character is one by itself: marks only change others.
func seen(r rune) bool {
	return unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S)
}

// fewMarks drops marks at the beginning, which would change what stands before
// the name, and of a pile of them those that no writing needs: they would be
// drawn over the neighbours.
func fewMarks(name string) string {
	name = strings.TrimLeftFunc(name, func(r rune) bool { return unicode.Is(unicode.M, r) || r == ' ' })
	pile := 0
	return strings.Map(func(r rune) rune {
		if pile++; !unicode.Is(unicode.M, r) {
			pile = 0
		}
		if pile > maxPile {
			return -1
		}
		return r
	}, name)
}

// lookalikes are letters of other alphabets that look like these.
var lookalikes = strings.NewReplacer(
	"а", "a", "в", "b", "е", "e", "ё", "e", "к", "k", "м", "m", "н", "h", "о", "o", "р", "p", "с", "c", "т", "t", "у", "y", "х", "x", "і", "i", "ј", "j", "ѕ", "s",
	"α", "a", "ε", "e", "ι", "i", "κ", "k", "ν", "v", "ο", "o", "ρ", "p", "τ", "t", "υ", "y", "χ", "x",
)

// fold makes equal what a table would read as equal: letter case, look-alike
// letters, accents' spelling, spaces and joiners.
func fold(name string) string {
	name = strings.ToLower(norm.NFKC.String(name))
	name = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Mn, r) && r == 0xFE0F {
			return -1
		}
		return r
	}, name)
	return lookalikes.Replace(name)
}

// distinctName gives a name a number when the table has an equal one.
func distinctName(name string, people []person) string {
	taken := func(n string) bool {
		for _, p := range people {
			if fold(p.Name) == fold(n) {
				return true
			}
		}
		return false
	}
	for n, free := 2, name; ; n++ {
		if !taken(free) {
			return free
		}
		free = name + " " + strconv.Itoa(n)
	}
}
