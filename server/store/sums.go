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
//	# sum 17 6f0c…e1 {"key":"k-17","rules":"1","left":1}
//
// Only the box's own copy has these lines: what is given out is Game.Text.
const (
	sumMark = "# sum "
	endMark = "end"
	endLen  = int64(len(sumMark) + len(endMark) + 1 + sumLen + 1) // the length of the last line

	maxFile = 64 << 20 // bytes that are read of a record file
)

// noted is what a record file says of a record besides its lines.
type noted struct {
	Key   string `json:"key,omitempty"`
	Rules string `json:"rules,omitempty"`
	Left  int    `json:"left,omitempty"`
}

// appendLink adds to a record file's text what stands there for a record.
func appendLink(text []byte, no int, r record, sum string) []byte {
	switch {
	case no == atEnd:
		return fmt.Appendf(text, "%s%s %s\n", sumMark, endMark, sum)
	case no > atHead:
		text = appendActs(text, []Act{r.act(no)})
	case r.Left == 0:
		return fmt.Appendf(text, "%s%s%d %s\n", r.Head, sumMark, no, sum)
	default:
		text = append(text, r.Head...)
	}
	rest, err := json.Marshal(noted{r.Key, r.Rules, r.Left})
	if err != nil {
		panic(err) // two strings and a number
	}
	return fmt.Appendf(text, "%s%d %s %s\n", sumMark, no, sum, rest)
}

// link is a record as a file holds it; what it follows is not said there.
type link struct {
	record
	sum string
}

// parseFile takes the records out of a record file's text, by number; odd are
// those whose number is none, or not the next one. Whether each is what it was is
// for its sum to tell. Torn says that there is something after the last of them.
func parseFile(text []byte) (links map[int]link, odd []link, torn bool) {
	links = make(map[int]link)
	last, from, whole := 0, 0, 0 // the last act's number, where the next record begins, where the last one ended
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
		var n noted
		if rest != "" && json.Unmarshal([]byte(rest), &n) != nil {
			continue
		}
		whole = at
		switch {
		case word == endMark:
			no, l.Acts, l.Size = atEnd, last, int64(at)
		case err == nil && no == atHead:
			l.Head, l.Left = string(before), n.Left
		default:
			l.record = actRecord(string(before))
			l.Key, l.Rules, l.Left = n.Key, n.Rules, n.Left
			if err != nil || no != last+1 {
				odd = append(odd, l)
			}
			if err != nil || no < 0 || no > most {
				continue
			}
			last = no
		}
		if _, twice := links[no]; !twice {
			links[no] = l
		}
	}
	return links, odd, whole < len(text)
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
