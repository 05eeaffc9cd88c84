package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
)

// A Badger that is made anew knows of nothing until everything is mended, and
// then only the backups may still hold what no file has. A pulled plug must not
// make it pass for a whole one with the first game that it got: so long a note
// says what is going on. It lies within the store, with which a restore puts it
// aside.
const rebuildFile = "tables/rebuild.json"

// rebuild is that note.
type rebuild struct {
	Aside  string `json:"aside,omitempty"`  // the folder in which the Badger before lies, from the data folder; empty: there was none
	Reason string `json:"reason,omitempty"` // why
}

// rebuilding gives the note, if there is one; nil if Badger, that was to be set
// aside, still has its place: then nothing was done yet.
func rebuilding(dir string, log *slog.Logger) *rebuild {
	text, err := os.ReadFile(filepath.Join(dir, rebuildFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	r := &rebuild{}
	if err == nil {
		err = json.Unmarshal(text, r)
	}
	if err != nil { // it was one, whatever the disk has made of the note
		log.Warn("the note of a rebuild can't be read", "err", err)
		return &rebuild{}
	}
	if r.Aside != "" {
		if _, err := os.Lstat(filepath.Join(dir, r.Aside, inside)); errors.Is(err, fs.ErrNotExist) {
			r.done(dir, log)
			return nil
		}
	}
	return r
}

func (r *rebuild) note(dir string) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return replaceFile(filepath.Join(dir, rebuildFile), text)
}

// done ends the rebuild. A note that stays has backups looked at in vain.
func (r *rebuild) done(dir string, log *slog.Logger) {
	if r == nil {
		return
	}
	path := filepath.Join(dir, rebuildFile)
	if err := errors.Join(os.Remove(path), syncDir(filepath.Dir(path))); err != nil {
		log.Warn("the note of a rebuild can't be taken away", "err", err)
	}
}

// mendNoted mends, and gives all that is to be told: also what was noted before,
// and nobody has put away. Again is nil where Badger is not known to be a new one.
func (s *store) mendNoted(dir string, again *rebuild, broken map[GameID]bool) ([]Finding, error) {
	log := s.files.log
	if again == nil {
		empty := true
		err := s.book.scan("", func(string, func() ([]byte, error)) (string, error) { empty = false; return "", errEnough })
		if err == nil && empty {
			again = &rebuild{}
			err = again.note(dir)
		}
		if err != nil {
			return nil, fmt.Errorf("store: %w", err)
		}
	}
	_, err := os.Lstat(filepath.Join(dir, restoredFile))
	restored := err == nil
	old := backups{ring: Ring{filepath.Join(dir, "backups")}, log: log, first: again != nil, looked: restored}
	defer old.close()
	s.note = func(f Finding) {
		if err := noteFound(dir, f); err != nil {
			log.Warn("what was found is told only this time", "found", f, "err", err)
		}
	}
	all, err := readFound(dir)
	if err != nil {
		log.Warn("what was found before can't be read", "err", err)
	}
	if again != nil && again.Aside != "" {
		f := Finding{What: Rebuilt, Aside: filepath.Join(dir, again.Aside), Reason: again.Reason} // all of it lies beside what was set aside
		s.note(f)
		all = unite(all, []Finding{f})
	}
	found, err := s.mend(&old, broken)
	if err != nil {
		return nil, err
	}
	again.done(dir, log)
	if restored {
		backUpRestored(dir, s, old.ring, log)
	}
	return unite(all, found), nil
}
