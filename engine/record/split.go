package record

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// word is one word of a line. Quoted text is one word, and never equal to the
// same letters without quotes.
type word struct {
	text   string
	quoted bool
}

func (w word) String() string {
	if w.quoted {
		return quote(w.text)
	}
	return w.text
}

// isOneOf tells whether it is one of these words, unquoted.
func (w word) isOneOf(words ...string) bool {
	return !w.quoted && slices.Contains(words, w.text)
}

// split cuts a line into its words and drops its comment.
func split(line string) ([]word, error) {
	if !utf8.ValidString(line) {
		return nil, syntax("not UTF-8 text")
	}
	if i := strings.IndexFunc(line, raw); i >= 0 {
		r, _ := utf8.DecodeRuneInString(line[i:])
		return nil, syntax(`a control character: expected it in quotes, written \u%04x`, r)
	}
	var words []word
	for {
		line = strings.TrimLeft(line, " \t")
		if line == "" || line[0] == '#' {
			return words, nil
		}
		var w word
		var err error
		if w, line, err = first(line); err != nil {
			return nil, err
		}
		words = append(words, w)
	}
}

// raw tells which characters never stand in a record as they are.
func raw(r rune) bool { return unicode.IsControl(r) && r != '\t' }

// first takes the first word off a line that begins with one.
func first(line string) (w word, rest string, err error) {
	if line[0] != '"' {
		end := strings.IndexAny(line, " \t#\"")
		if end < 0 {
			end = len(line)
		} else if line[end] == '"' {
			return w, "", syntax("a quote inside a word: expected a space before it")
		}
		return word{text: line[:end]}, line[end:], nil
	}
	if w.text, rest, err = unquote(line[1:]); err != nil {
		return w, "", err
	}
	if rest != "" && !strings.ContainsRune(" \t#", rune(rest[0])) {
		return w, "", syntax("expected a space after the closing quote")
	}
	w.quoted = true
	return w, rest, nil
}

// unquote reads text up to its closing quote.
func unquote(s string) (text, rest string, err error) {
	var b strings.Builder
	for {
		i := strings.IndexAny(s, `"\`)
		if i < 0 {
			return "", "", syntax("expected a closing quote on the same line")
		}
		b.WriteString(s[:i])
		if s[i] == '"' {
			return b.String(), s[i+1:], nil
		}
		r, size, ok := escaped(s[i:])
		if !ok {
			return "", "", syntax(`a backslash in quotes: expected \", \\, \n or \u and four hexadecimal digits`)
		}
		b.WriteRune(r)
		s = s[i+size:]
	}
}

// escaped is the character that a text begins with, after a backslash, and how
// many bytes it takes.
func escaped(s string) (r rune, size int, ok bool) {
	if len(s) < 2 {
		return 0, 0, false
	}
	switch s[1] {
	case '"', '\\':
		return rune(s[1]), 2, true
	case 'n':
		return '\n', 2, true
	case 'u':
		if len(s) < 6 {
			return 0, 0, false
		}
		n, err := strconv.ParseUint(s[2:6], 16, 32)
		return rune(n), 6, err == nil && utf8.ValidRune(rune(n))
	}
	return 0, 0, false
}

// quote writes text as one word. What is not UTF-8 becomes U+FFFD, so that a
// record can always be read again.
func quote(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range strings.ToValidUTF8(text, "\uFFFD") {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case raw(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// join writes words as a line.
func join(words []word) string {
	line := make([]string, len(words))
	for i, w := range words {
		line[i] = w.String()
	}
	return strings.Join(line, " ")
}

// shown is a word as an error message shows it: on one line, and not too long.
func shown(w word) string {
	const most = 40
	text := []rune(w.text)
	if len(text) > most {
		text = append(text[:most], '…')
	}
	return strconv.Quote(string(text))
}
