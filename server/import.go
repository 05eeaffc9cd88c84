package server

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/record"
	"github.com/mafiabox/mafiabox/server/store"
)

// A game comes as a record: a finished one into the archive, one without an end
// to be gone on with at a table. It is stored with what these rules tell. A file
// of a box is given out again as it came, byte for byte; of another one spaces
// and comments are put straight, and lines that the rules refuse left out.

// The limits of a file, besides its size: a game of a club has hundreds of acts.
const (
	maxImported   = 20_000           // acts
	importedLines = 20 * maxImported // with what they led to: each takes many times its bytes while it is read
	longImport    = 20 * time.Second // to play it
	readWithin    = 5 * time.Second  // for the archive to know what there is
	importChunk   = 512 << 10        // bytes of one commit, half of what the store takes
)

// incoming is a game that came as a file.
type incoming struct {
	store.Game
	game  engine.Game
	names []string
	left  int // lines that the rules refuse, as the file itself says
	// Differences are where these rules tell something else than the file does.
	differences []record.Mismatch
}

// readRecord plays a record. The error is a problem that names the line.
func readRecord(text []byte, rulesets []engine.Ruleset) (in incoming, err error) {
	if bytes.Count(text, []byte("\n")) > importedLines || countActs(text) > maxImported+maxHead {
		return in, say("import_acts", "Max", maxImported, "Lines", importedLines)
	}
	r, err := record.Parse(text, rulesets)
	var syntax *record.SyntaxError
	switch {
	case len(bytes.TrimSpace(text)) == 0:
		return in, say("import_empty")
	case errors.As(err, &syntax) && syntax.Line > 0:
		return in, say("import_line", "Line", syntax.Line, "Why", syntax)
	case err != nil:
		return in, say("import_bad", "Why", err.Error())
	case len(r.Lines) > maxImported:
		return in, say("import_acts", "Max", maxImported, "Lines", importedLines)
	}
	numbers := make(map[int]int) // of the acts: a record counts those that were refused, too
	until := time.Now().Add(longImport)
	for step := range record.Play(r) {
		switch {
		case step.Err != nil:
			return in, say("import_setup", "Line", r.Begin, "Why", asProblem(step.Err))
		case time.Now().After(until):
			return in, say("import_slow")
		case step.Opening():
			in.Head = importedHead(text, r.Header, step.Events)
			continue
		case len(step.Events) == 1 && step.Events[0].Kind == engine.Refused && step.Game.LastNo() != step.Line.Act.No:
			in.left++
			if !slices.ContainsFunc(step.Line.Checks, func(c record.Check) bool { return strings.Contains(c.Words, " "+string(engine.Refused)) }) {
				in.differences = append(in.differences, record.Mismatch{Line: step.Line.Number, Want: record.FormatAct(step.Line.Act), Got: record.FormatEvent(step.Events[0])})
			}
			continue
		}
		act := step.Line.Act
		numbers[act.No] = len(in.Acts) + 1
		act.N = numbers[act.N]
		line := store.Act{No: len(in.Acts) + 1, Line: record.FormatAct(act), Rules: rulesVersion}
		for _, e := range step.Events {
			line.Events = append(line.Events, record.FormatEvent(e))
		}
		in.Acts = append(in.Acts, line)
	}
	in.differences = append(in.differences, record.Verify(r)...)
	slices.SortStableFunc(in.differences, func(a, b record.Mismatch) int { return a.Line - b.Line })
	var m moment
	if err := m.restore(in.Game, rulesets, time.Time{}); err != nil { // as the box will when it is opened
		return in, say("import_bad", "Why", err.Error())
	}
	in.game, in.names = m.game, headNames(in.Game, rulesets)
	return in, nil
}

// maxHead is more lines than any head has.
const maxHead = 1000

// countActs is how many lines of a record may be acts.
func countActs(text []byte) (n int) {
	for line := range bytes.Lines(text) {
		if line = bytes.TrimLeft(line, " \t"); len(line) > 1 && !bytes.ContainsAny(line[:1], "=!#\r\n") {
			n++
		}
	}
	return n
}

// importedHead is the head as a box writes it.
func importedHead(text []byte, h record.Header, opening []engine.Event) []byte {
	var b strings.Builder
	if line, _, _ := strings.Cut(string(text), "\n"); strings.HasPrefix(line, setComment) {
		fmt.Fprintln(&b, strings.Map(printable, strings.TrimRight(line, "\r")))
	}
	b.WriteString(record.FormatHeader(h))
	for _, e := range opening {
		fmt.Fprintln(&b, "=", record.FormatEvent(e))
	}
	return []byte(b.String())
}

// keepGame stores a finished game in the archive. Nobody else does so meanwhile.
func (b *Box) keepGame(in incoming) (gameID, error) {
	for until := time.Now().Add(readWithin); b.archive.reads(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(until) {
			return gameID{}, say("import_reads")
		}
	}
	if id, known := b.archive.same(playSum(in.Game)); known {
		return id, say("import_known")
	}
	id := gameID{importID, b.club.imported() + 1}
	err := b.dropComing()
	changes := inChunks(id, in.Game)
	for i, change := range changes {
		if err == nil {
			err = b.club.change(func(c *clubDoc) error { // its number is never used again, whatever becomes of the rest
				c.Imports, c.Coming = id.game, id.game
				if i == len(changes)-1 {
					c.Coming = 0
				}
				return nil
			}, change)
		}
	}
	switch {
	case errors.Is(err, store.ErrTooLong), errors.Is(err, store.ErrInvalid):
		return id, say("import_bad", "Why", err.Error())
	case err != nil:
		return id, err
	}
	return id, b.index(id)
}

// dropComing drops a game of which a part has come: its last commit failed, or a
// plug was pulled. One that has its end is whole, whatever an older club says.
func (b *Box) dropComing() error {
	n := b.club.coming()
	if n == 0 {
		return nil
	}
	var half []store.Change
	if g, err := b.store.Game(importID, n); !errors.Is(err, store.ErrNotFound) && !g.Over {
		half = append(half, store.Change{Table: importID, Game: n, Gone: true})
	}
	return b.club.change(func(c *clubDoc) error {
		c.Coming = 0
		return nil
	}, half...)
}

// inChunks are the commits that store a game. Until the last of them it has no end.
func inChunks(id gameID, g store.Game) (changes []store.Change) {
	now, size := store.Change{Table: id.table, Game: id.game, Head: g.Head}, 0
	for _, a := range g.Acts {
		length := len(a.Line) + len(strings.Join(a.Events, "  ")) + 300 // of its sums and its key
		if size += length; size > importChunk && len(now.Acts) > 0 {
			changes = append(changes, now)
			now, size = store.Change{Table: id.table, Game: id.game}, length
		}
		now.Acts = append(now.Acts, a)
	}
	now.Over = true
	return append(changes, now)
}

// imported is the number of the last game that came as a file.
func (c *club) imported() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.Imports
}

// coming is the number of the game that is being stored.
func (c *club) coming() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.Coming
}

// resume goes on with a game that came as a file. Its people have no phones: who
// sits there takes his seat by a ticket of the host.
func (d *draft) resume(in incoming) error {
	if err := d.inLobby(); err != nil {
		return err
	}
	setup, rules := in.game.Setup(), in.game.Rules()
	if len(inChunks(gameID{}, in.Game)) > 1 { // a pulled plug must not leave half of it
		return say("import_resume_long", "Max", importChunk>>10)
	}
	if !setup.Start.IsZero() && !d.known {
		return say("time_unsure")
	}
	after := d.moment
	after.doc = d.doc.clone()
	after.doc.Stage, after.doc.Rules, after.doc.Set, after.doc.Cast = playing, rules.ID(), "", nil
	after.doc.Clock, after.clock, after.pages, after.asked = clockNote{}, clockwork{}, nil, confirm{}
	if err := after.restore(in.Game, d.box.cfg.Rulesets, d.now); err != nil {
		return err
	}
	options := make(map[string]string)
	for name, value := range setup.Options {
		if o, ok := engine.FindOption(rules, name); ok && value != o.Values[0] {
			options[name] = value
		}
	}
	d.closeLast()
	after.doc.Game, after.doc.Deleted, after.doc.Options[rules.ID()], after.doc.People = d.doc.Game+1, false, options, seatsNamed(in.names)
	after.doc.Story, after.doc.Read, after.doc.Misled, after.doc.Sat = false, nil, nil, 0 // nobody has sat out a game that was on already
	after.doc.Led, after.doc.Opened = len(d.doc.Hosts), false
	after.doc.Held, after.doc.Away, after.doc.Alive = nil, nil, d.time
	d.moment, d.dirty, d.heard = after, true, true
	d.stepAt, d.settled = d.now, true
	change := d.change()
	change.Head, change.Acts = in.Head, slices.Clip(in.Acts)
	return d.fromThere()
}

// fromThere lets a game with deadlines stand still from its last moment until
// now: its rounds last as long as they would have.
func (d *draft) fromThere() error {
	if !d.dated() || d.game.Seen(engine.All).Stopped {
		return nil
	}
	now := d.time
	for i, verb := range []engine.Verb{engine.Stop, engine.Resume} {
		d.time = []time.Time{d.due.moved, now}[i]
		d.advance(d.time)
		if _, err := d.do(engine.Act{By: engine.Host, Verb: verb, Via: engine.ByBox}); err != nil {
			return err
		}
	}
	return nil
}

// seatsNamed are people without phones. A table tells equal names apart.
func seatsNamed(names []string) (people []person) {
	for i, name := range names {
		tidy, bad := tidyName(name)
		if bad != "" {
			tidy = fmt.Sprint(i + 1)
		}
		people = append(people, person{Name: distinctName(tidy, people)})
	}
	return people
}
