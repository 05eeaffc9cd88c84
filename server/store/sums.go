package store

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// A record file holds after its head, after each act and at its end a comment
// with the record's number, its sum, and what else Badger knows of it. So the
// file alone is a whole copy of the game, that tells by itself where it stops
// being what was committed; and it is still a record that anybody can replay.
//
//	3 vote 5
//	= all voted 3
//	# sum 17 6f0c…e1 {"key":"k-17","rules":"1"}
const (
	sumMark = "# sum "
	endMark = "end"
	endLen  = int64(len(sumMark) + len(endMark) + 1 + sumLen + 1) // the length of the last line

	maxFile = 64 << 20 // bytes that are read of a record file
)

// noted is what a record file says of an act besides its lines.
type noted struct {
	Key   string `json:"key,omitempty"`
	Rules string `json:"rules,omitempty"`
}

// appendLink adds to a record file's text what stands there for a record.
func appendLink(text []byte, no int, r record, sum string) []byte {
	switch no {
	case atHead:
		text = append(text, r.Head...)
		return fmt.Appendf(text, "%s%d %s\n", sumMark, no, sum)
	case atEnd:
		return fmt.Appendf(text, "%s%s %s\n", sumMark, endMark, sum)
	}
	rest, err := json.Marshal(noted{r.Key, r.Rules})
	if err != nil {
		panic(err) // two strings
	}
	text = appendActs(text, []Act{r.act(no)})
	return fmt.Appendf(text, "%s%d %s %s\n", sumMark, no, sum, rest)
}

// link is a record as a file holds it; what it follows is not said there.
type link struct {
	record
	sum string
}

// parseFile takes the records out of a record file's text, by number. Whether
// each is what it was is for its sum to tell. Torn says that there is something
// after the last of them.
func parseFile(text []byte) (links map[int]link, torn bool) {
	links = make(map[int]link)
	last, from := 0, 0 // the last act's number, where the next record begins
	for at := 0; at < len(text); {
		end := bytes.IndexByte(text[at:], '\n')
		if end < 0 {
			break
		}
		line := string(text[at : at+end])
		before := text[from:at]
		at += end + 1
		mark, ok := strings.CutPrefix(line, sumMark)
		if !ok {
			continue
		}
		from = at
		word, rest, _ := strings.Cut(mark, " ")
		sum, rest, _ := strings.Cut(rest, " ")
		no, err := strconv.Atoi(word)
		l := link{sum: sum}
		switch {
		case word == endMark:
			no, l.Acts, l.Size = atEnd, last, int64(at)
		case err != nil || no < 0 || no > most:
			continue
		case no == atHead:
			l.Head = string(before)
		default:
			var n noted
			if json.Unmarshal([]byte(rest), &n) != nil {
				continue
			}
			l.record, last = actRecord(string(before)), no
			l.Key, l.Rules = n.Key, n.Rules
		}
		if _, twice := links[no]; !twice {
			links[no] = l
		}
	}
	return links, from < len(text)
}

// actRecord is the act of these lines.
func actRecord(lines string) (r record) {
	for line := range strings.Lines(lines) {
		line = strings.TrimSuffix(line, "\n")
		if event, ok := strings.CutPrefix(line, "= "); ok && r.Line != "" {
			r.Events = append(r.Events, event)
		} else if r.Line == "" {
			r.Line = line
		} // else: no record of ours, and its sum says so
	}
	return r
}
