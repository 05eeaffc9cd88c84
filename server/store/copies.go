package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Beside Badger each table's document has a file of its own, in dir/tables. It
// has two places, written in turns: a write that is torn spoils the older one,
// and needs one sync and no renaming. Of the two the later one counts that is
// whole.
//
// A place is a line with a counter, the document's length, its sum and what was
// committed with it, then the document. It may hold remains of a longer one.
const (
	placeMark = "mafiabox document"
	placeSize = 17 * 4096 // the longest document, its line, and blocks of its own
)

// copied is a document with its number, counted from 1.
type copied struct {
	no   int64
	doc  []byte
	with []part // else of its Commit; where it would be too long, nothing
}

// part is what a Commit brings to a table's document or to a game: its number,
// or that of the last act.
type part struct {
	Key string `json:"key"`
	No  int64  `json:"no"`
}

// maxWith is how much of a place's line may say what a document was committed with.
const maxWith = 3 << 10

func (d copied) others() []byte {
	text, err := json.Marshal(d.with)
	if err != nil {
		panic(err) // strings and numbers
	}
	return text
}

// counted tells which one of a table's documents the book has, and the value that says so.
func counted(b book, table string) (no int64, value []byte, err error) {
	value, err = b.get(copyKey(table))
	if errors.Is(err, ErrNotFound) {
		return 0, nil, nil
	}
	if err != nil {
		return 0, nil, err
	}
	no, err = strconv.ParseInt(string(value), 10, 64)
	if err != nil {
		return 0, value, nil // the copy counts
	}
	return no, value, nil
}

func placeSum(table string, d copied) string {
	return sumOf(fmt.Sprintf("%s/%d %s", table, d.no, d.others()), d.doc)
}

func copyName(table string) string { return table + ".doc" }

// put writes a table's document to its place and syncs it.
func (f *files) put(table string, d copied) error {
	if len(d.others()) > maxWith {
		d.with = nil
	}
	text := fmt.Appendf(nil, "%s %d %d %s %s\n", placeMark, d.no, len(d.doc), placeSum(table, d), d.others())
	return f.place(table, d.no, append(text, d.doc...))
}

func (f *files) place(table string, no int64, text []byte) (err error) {
	path := filepath.Join(f.tables, copyName(table))
	file, err := os.OpenFile(path, os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		if file, err = os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o600); err == nil {
			_, wrong := file.WriteAt([]byte(void), (no+1)%2*placeSize)
			err = errors.Join(wrong, syncDir(f.tables))
		}
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if _, err := file.WriteAt(text, no%2*placeSize); err != nil {
		return err
	}
	return f.sync(file)
}

// void stands where no document is, or where one was taken back.
const void = "mafiabox nothing"

// unput makes a place one that does not count.
func (f *files) unput(table string, d copied) error {
	if _, err := os.Stat(filepath.Join(f.tables, copyName(table))); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return f.place(table, d.no, []byte(void))
}

// copyOf is the latest document of a table that is whole in its file; number 0
// when there is none. Partly says that the file holds one that is not; with an
// error there may be one.
func (f *files) copyOf(table string) (d copied, partly bool, err error) {
	file, err := os.Open(filepath.Join(f.tables, copyName(table)))
	if errors.Is(err, fs.ErrNotExist) {
		return d, false, nil
	}
	if err != nil {
		return d, false, err
	}
	defer file.Close()
	for i := range int64(2) {
		text := make([]byte, placeSize)
		n, wrong := file.ReadAt(text, i*placeSize)
		text = text[:n]
		if !errors.Is(wrong, io.EOF) {
			err = errors.Join(err, wrong)
		}
		one, ok := readPlace(table, text)
		switch {
		case ok && one.no > d.no:
			d = one
		case ok:
		case bytes.HasPrefix(text, []byte(void)):
		default:
			partly = true
		}
	}
	return d, partly, err
}

func readPlace(table string, text []byte) (d copied, ok bool) {
	line, rest, _ := bytes.Cut(text, []byte("\n"))
	var size int
	var sum, with string
	if _, err := fmt.Sscanf(string(line), placeMark+" %d %d %s %s", &d.no, &size, &sum, &with); err != nil || size < 0 || size > len(rest) {
		return d, false
	}
	if json.Unmarshal([]byte(with), &d.with) != nil {
		return d, false
	}
	d.doc = rest[:size:size]
	return d, d.no > 0 && sum == placeSum(table, d)
}

// copiedTables are the tables that have a file.
func (f *files) copiedTables() (tables []string, err error) {
	list, err := os.ReadDir(f.tables)
	for _, e := range list {
		if table, ok := strings.CutSuffix(e.Name(), ".doc"); ok && checkTable(table) == nil {
			tables = append(tables, table)
		}
	}
	return tables, err
}
