package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The keys: doc/TABLE and copy/TABLE, and of a game game/TABLE/N/head,
// game/TABLE/N/act/NO, game/TABLE/N/over; of a deleted one gone/TABLE/N alone.
// Numbers have six digits, so that keys sort as numbers do.
const (
	docs    = "doc/"
	copies  = "copy/" // which one of a table's documents that is, counted from 1
	most    = 999_999
	longest = 64 // of a table's id
)

// The limits of length. A value that reached Badger's threshold would go to
// its value log, which after a tear reads as empty without an error. A
// transaction has to fit Badger's batch: 15 % of a memtable.
const (
	maxValue  = 64<<10 - 1
	maxCommit = 1 << 20
	maxPairs  = 10_000
)

func docKey(table string) string         { return docs + table }
func copyKey(table string) string        { return copies + table }
func games(table string) string          { return "game/" + table + "/" }
func gameKey(table string, n int) string { return fmt.Sprintf("game/%s/%06d/", table, n) }
func headKey(table string, n int) string { return gameKey(table, n) + "head" }
func overKey(table string, n int) string { return gameKey(table, n) + "over" }
func actsKey(table string, n int) string { return gameKey(table, n) + "act/" }
func actKey(table string, n, no int) string {
	return fmt.Sprintf("%s%06d", actsKey(table, n), no)
}

// The numbers of what is no act of a game.
const (
	atHead = 0
	atEnd  = most + 1
)

// linkKey is the key of a game's record: its head, an act or its end.
func linkKey(table string, n, no int) string {
	switch no {
	case atHead:
		return headKey(table, n)
	case atEnd:
		return overKey(table, n)
	}
	return actKey(table, n, no)
}

// splitGame takes the table and the game's number out of any key of a game.
func splitGame(key string) (table string, n int, ok bool) {
	part := strings.SplitN(key, "/", 4)
	if len(part) != 4 || part[0] != "game" {
		return "", 0, false
	}
	n, err := strconv.Atoi(part[2])
	return part[1], n, err == nil
}

func checkTable(table string) error {
	if table == "" || len(table) > longest {
		return fmt.Errorf("%w: table id %q: 1 to %d bytes", ErrInvalid, table, longest)
	}
	for _, c := range table {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '_':
		default:
			return fmt.Errorf("%w: table id %q: only letters, digits, - and _", ErrInvalid, table)
		}
	}
	return nil
}

// record is what stands under a key of a game: the head, an act or the end.
type record struct {
	Prev   string   `json:"prev,omitempty"` // the sum of the record before it
	Head   string   `json:"head,omitempty"`
	Line   string   `json:"line,omitempty"`
	Events []string `json:"events,omitempty"`
	Key    string   `json:"key,omitempty"`
	Rules  string   `json:"rules,omitempty"`
	Acts   int      `json:"acts,omitempty"` // of the end: how many acts there are
	Size   int64    `json:"size,omitempty"` // of the end: how long the record file is
	Left   int      `json:"left,omitempty"` // of its Commit: so many records of the game from this one on; 0: an end, or of an older box, which did not say
}

// act is the act that the record holds.
func (r record) act(no int) Act {
	return Act{No: no, Line: r.Line, Events: r.Events, Key: r.Key, Rules: r.Rules}
}

// A value is the record's own SHA-256 sum, a space, and the record as JSON. The
// sum covers the key too, and each record names the sum of the one before it.
// With the sum of the one before alone, an altered last act would go unnoticed,
// and any other would be blamed on the act after it.
const sumLen = 2 * sha256.Size

func seal(key string, r record) (value []byte, sum string, err error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(r); err != nil {
		return nil, "", err
	}
	body := bytes.TrimSuffix(b.Bytes(), []byte("\n"))
	sum = sumOf(key, body)
	value = append([]byte(sum+" "), body...)
	if len(value) > maxValue {
		return nil, "", fmt.Errorf("%w: %s takes %d bytes, at most %d fit", ErrTooLong, key, len(value), maxValue)
	}
	return value, sum, nil
}

func unseal(key string, value []byte, prev string) (r record, sum string, ok bool) {
	if len(value) <= sumLen || value[sumLen] != ' ' {
		return r, "", false
	}
	sum, body := string(value[:sumLen]), value[sumLen+1:]
	if sum != sumOf(key, body) || json.Unmarshal(body, &r) != nil {
		return r, "", false
	}
	return r, sum, r.Prev == prev
}

func sumOf(key string, body []byte) string {
	h := sha256.New()
	h.Write([]byte(key + "\n"))
	h.Write(body)
	return hex.EncodeToString(h.Sum(nil))
}

func checkText(what, text string) error {
	switch {
	case !utf8.ValidString(text): // JSON would store something else in its place
		return fmt.Errorf("%w: %s is not UTF-8", ErrInvalid, what)
	case strings.Contains(text, "\n"):
		return fmt.Errorf("%w: %s holds a newline", ErrInvalid, what)
	}
	return nil
}

func checkAct(a Act) error {
	if a.Line == "" || strings.HasPrefix(a.Line, sumMark) {
		return fmt.Errorf("%w: act %d has no line", ErrInvalid, a.No)
	}
	for _, text := range append([]string{a.Line, a.Key, a.Rules}, a.Events...) {
		if err := checkText(fmt.Sprintf("act %d", a.No), text); err != nil {
			return err
		}
	}
	return nil
}

func checkHead(head []byte) error {
	if !bytes.HasSuffix(head, []byte("\n")) {
		return fmt.Errorf("%w: a head ends with a newline", ErrInvalid)
	}
	if !utf8.Valid(head) {
		return fmt.Errorf("%w: the head is not UTF-8", ErrInvalid)
	}
	if bytes.Contains(append([]byte("\n"), head...), []byte("\n"+sumMark)) {
		return fmt.Errorf("%w: the head has a line with a sum", ErrInvalid)
	}
	return nil
}

// tail is where a game stands: what the next act has to follow.
type tail struct {
	no   int    // of the last act
	sum  string // of the last record
	size int64  // of the record file
	over bool
}

// read gives a game and where it stands, verified from the head on.
func read(b book, table string, n int) (g Game, t tail, err error) {
	t, err = follow(b, table, n, func(no int, r record, _ string) {
		switch no {
		case atHead:
			g.Head = []byte(r.Head)
		case atEnd:
			g.Over = true
			return
		default:
			g.Acts = append(g.Acts, r.act(no))
		}
		g.left = append(g.left, r.Left)
	})
	return g, t, err
}

// follow shows a game's records from the head on, each verified and following
// the one before it, and gives where the game stands.
func follow(b book, table string, n int, see func(no int, r record, sum string)) (t tail, err error) {
	broken := func(no int) (tail, error) {
		return t, &BrokenError{Table: table, Game: n, No: no}
	}
	take := func(no int, r record, sum string) {
		t.sum, t.size = sum, t.size+int64(len(appendLink(nil, no, r, sum)))
		see(no, r, sum)
	}
	key := headKey(table, n)
	value, err := b.get(key)
	if errors.Is(err, ErrNotFound) {
		// Acts without a head are no game that was never there: something is lost.
		orphan := false
		err = b.scan(gameKey(table, n), func(string, func() ([]byte, error)) (string, error) {
			orphan = true
			return "", errEnough
		})
		if err == nil && orphan {
			return broken(0)
		}
		if err == nil {
			err = ErrNotFound
		}
	}
	if err != nil {
		return t, err
	}
	r, sum, ok := unseal(key, value, "")
	if !ok {
		return broken(0)
	}
	take(atHead, r, sum)
	err = b.scan(actsKey(table, n), func(key string, value func() ([]byte, error)) (string, error) {
		v, err := value()
		if err != nil {
			return "", err
		}
		r, sum, ok := unseal(key, v, t.sum)
		if !ok || key != actKey(table, n, t.no+1) {
			return "", &BrokenError{Table: table, Game: n, No: t.no + 1}
		}
		t.no++
		take(t.no, r, sum)
		return "", nil
	})
	if err != nil {
		return t, err
	}
	key = overKey(table, n)
	value, err = b.get(key)
	if errors.Is(err, ErrNotFound) {
		return t, nil
	}
	if err != nil {
		return t, err
	}
	r, sum, ok = unseal(key, value, t.sum)
	if !ok || r.Acts != t.no {
		return broken(t.no + 1)
	}
	t.over = true
	take(atEnd, r, sum)
	return t, nil
}

// eachAct goes through a game's acts from that number on.
func eachAct(b book, table string, n, from int, see func(Act) bool) error {
	if _, err := b.get(headKey(table, n)); err != nil {
		return err
	}
	from = max(from, 1)
	if from > most { // whose key would not sort as its number does
		return nil
	}
	no, prev, first := from, "", actKey(table, n, from)
	return b.scan(actsKey(table, n), func(key string, value func() ([]byte, error)) (string, error) {
		if key < first {
			return first, nil
		}
		v, err := value()
		if err != nil {
			return "", err
		}
		r, sum, ok := unseal(key, v, prev)
		if ok = ok || no == from && sum != ""; !ok || key != actKey(table, n, no) {
			return "", &BrokenError{Table: table, Game: n, No: no}
		}
		if !see(r.act(no)) {
			return "", errEnough
		}
		no, prev = no+1, sum
		return "", nil
	})
}
