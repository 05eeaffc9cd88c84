package store

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// What is lost is noted before anything is mended, as afterwards both copies
// agree: a line of JSON for each finding. It is found again at each Open until
// somebody puts it away, with KeepFound. The file lies within the store, with
// which a restore puts it aside, and is what a restore itself leaves to be told.
const foundFile = "tables/found.json"

// maxFound is how many findings are kept; the log has the rest. A line is some
// hundred bytes, and is cut off at maxFoundLine.
const (
	maxFound     = 300
	maxFoundLine = 8 << 10
)

// same tells whether two findings tell the same, whatever lies aside of it: one
// that a pulled plug has kept from being mended is found twice.
func (f Finding) same(g Finding) bool {
	if f.What == Rebuilt && f.Aside != g.Aside {
		return false
	}
	return f.What == g.What && f.Table == g.Table && f.Game == g.Game && f.Good == g.Good && f.Unsure == g.Unsure
}

// lasting tells whether a finding is told until it is put away: where nothing is
// known to be lost, once is enough.
func (f Finding) lasting() bool { return f.What != Mended }

// unite is both, the earlier first, each once.
func unite(all, more []Finding) []Finding {
	for _, f := range more {
		if !slices.ContainsFunc(all, f.same) {
			all = append(all, f)
		}
	}
	return all
}

// readFound gives what is noted in a data folder. A line that the plug or the
// disk has spoilt tells nothing; no game hangs on it.
func readFound(dir string) (all []Finding, err error) {
	file, err := os.Open(filepath.Join(dir, foundFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	lines := bufio.NewScanner(io.LimitReader(file, 2*maxFound*maxFoundLine))
	lines.Buffer(nil, maxFoundLine)
	for lines.Scan() && len(all) < maxFound {
		var f Finding
		if json.Unmarshal(lines.Bytes(), &f) == nil && f.lasting() {
			all = unite(all, []Finding{f})
		}
	}
	return all, nil
}

// noteFound notes one more, synced.
func noteFound(dir string, f Finding) (err error) {
	if !f.lasting() {
		return nil
	}
	noted, err := readFound(dir)
	if err != nil || len(noted) >= maxFound || slices.ContainsFunc(noted, f.same) {
		return err
	}
	line, err := foundLine(f)
	if err != nil {
		return err
	}
	path := filepath.Join(dir, foundFile)
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	// It begins with a newline, too: the line before may be a torn one.
	if _, err = file.Write(append([]byte("\n"), line...)); err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil || len(noted) > 0 {
		return err
	}
	return syncDir(filepath.Dir(path))
}

func foundLine(f Finding) ([]byte, error) {
	f.Reason = f.Reason[:min(len(f.Reason), 500)]
	line, err := json.Marshal(f)
	if err == nil && len(line) >= maxFoundLine {
		err = fmt.Errorf("store: a finding takes %d bytes, at most %d fit", len(line), maxFoundLine)
	}
	return append(line, '\n'), err
}

// KeepFound makes these the findings that the next Open of the data folder has
// again, of the first 300 those that are lasting. None puts everything away.
func KeepFound(dir string, found []Finding) error {
	var text bytes.Buffer
	n := 0
	for _, f := range found {
		if !f.lasting() || n == maxFound {
			continue
		}
		line, err := foundLine(f)
		if err != nil {
			return err
		}
		text.Write(line)
		n++
	}
	path := filepath.Join(dir, foundFile)
	if n == 0 {
		if err := os.Remove(path); errors.Is(err, fs.ErrNotExist) {
			return nil
		} else if err != nil {
			return err
		}
		return syncDir(filepath.Dir(path))
	}
	return replaceFile(path, text.Bytes())
}

// replaceFile writes a small file, synced: at every moment there is the old one or the new one.
func replaceFile(path string, text []byte) error {
	err := writeSynced(path+unfinished, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
	if err == nil {
		err = os.Rename(path+unfinished, path)
	}
	if err != nil {
		return err
	}
	return syncDir(filepath.Dir(path))
}
