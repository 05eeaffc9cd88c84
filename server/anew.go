package server

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mafiabox/mafiabox/server/store"
)

// A document may be of a newer box, by way of a backup, or rotten in spite of
// its sum. One of them must not shut the box.

// takeUnread takes the documents that this box can't read out of docs, and begins
// them anew. What they are is set aside first, and told to the owner; a table's is
// told to its host as well.
func (b *Box) takeUnread(docs map[string][]byte) error {
	unread := make(map[string][]byte)
	for id, text := range docs {
		if err := readable(id, text); err != nil {
			b.log.Error("a document can't be read and begins anew", "document", id, "error", err)
			unread[id+".json"] = text
		}
	}
	if len(unread) == 0 {
		return nil
	}
	aside := ""
	if b.cfg.Data != "" {
		var err error
		if aside, err = store.SetAside(b.cfg.Data, "unread", unread); err != nil {
			return fmt.Errorf("what can't be read can't be set aside either: %w", err)
		}
	}
	b.cfg.Found = slices.Clone(b.cfg.Found)
	for _, name := range slices.Sorted(maps.Keys(unread)) {
		id := strings.TrimSuffix(name, ".json")
		docs[id] = []byte("{}")
		switch {
		case strings.HasPrefix(id, heldPrefix):
			docs[id] = encodeHeld([]heldAct{})
		case id != clubID && id != bookID:
			docs[id] = b.newDoc().encode()
		}
		if err := b.store.Commit(store.Change{Table: id, Doc: docs[id]}); err != nil {
			return err // or it would be set aside again at each start
		}
		f := store.Finding{What: store.Anew, Table: id}
		if aside != "" {
			f.Aside = filepath.Join(aside, name)
		}
		b.cfg.Found = append(b.cfg.Found, f)
	}
	return nil
}

// readable is an error when a document is not what the box keeps under that id.
func readable(id string, text []byte) error {
	switch {
	case id == clubID:
		return json.Unmarshal(text, new(clubDoc))
	case id == bookID:
		return new(book).decode(text)
	case strings.HasPrefix(id, heldPrefix):
		return json.Unmarshal(text, new([]heldAct))
	}
	return new(doc).decode(text)
}

// anew says what begins anew.
func (w words) anew(f store.Finding) string {
	args := []any{"Table", f.Table, "Aside", f.Aside}
	switch {
	case f.Table == clubID:
		return w.T("backup.anew.club", args...)
	case f.Table == bookID:
		return w.T("backup.anew.people", args...)
	case strings.HasPrefix(f.Table, heldPrefix):
		table, _, _ := strings.Cut(strings.TrimPrefix(f.Table, heldPrefix), "-")
		return w.T("backup.anew.held", "Table", table, "Aside", f.Aside)
	}
	return w.T("backup.anew.table", args...)
}
