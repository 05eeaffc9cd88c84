package checkup

import (
	"context"

	"github.com/mafiabox/mafiabox/server/store"
)

// disk tells whether the box can store its games.
func (m Machine) disk(context.Context) []Finding {
	if m.Data == "" {
		return nil
	}
	is, err := store.Look(m.Data)
	if err != nil {
		return []Finding{{"disk", "unknown", Note, []any{"Folder", m.Data}}}
	}
	f := Finding{"disk", "room", OK, []any{"Free", is.Free >> 20}}
	switch {
	case is.Locked:
		f.Case, f.State = "locked", Bad
	case is.Full:
		f.Case, f.State = "full", Bad
	case !is.Ballast:
		f.Case, f.State = "short", Note
	}
	return []Finding{f}
}
