package store

import (
	"archive/zip"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
)

// The limits of a backup that is read. Parts are read one at a time, so that
// the largest game, not the whole, has to fit the memory of a small computer.
const (
	MaxBackup   = 256 << 20 // of the file
	maxUnpacked = 1 << 30   // of all parts
	maxRecord   = 64 << 20  // of a game's record
	maxAnnex    = 16 << 20
	maxContents = 16 << 20
)

// ErrNoBackup says that a file is no backup, or is torn so that nothing of it can be read.
var ErrNoBackup = errors.New("not a backup of a mafiabox")

// ErrNewer says that a backup has a form that this program does not know yet.
var ErrNewer = errors.New("a backup of a newer mafiabox")

// DamagedError says which parts of a backup are not as they were written.
type DamagedError struct {
	Parts []string // each with what is wrong
}

func (e *DamagedError) Error() string {
	return "the backup is damaged: " + strings.Join(e.Parts, "; ")
}

// Backup is a backup that was read. Its games stay in the file until they are asked for.
type Backup struct {
	Contents
	Docs map[string][]byte
	Sum  string // of the whole file, from its comment

	parts map[string]*zip.File
	games []GameID
	close func() error
}

// OpenBackup reads the backup in a file, which stays open until Close.
func OpenBackup(path string) (*Backup, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	b, err := ReadBackup(file, info.Size())
	if b == nil {
		return nil, errors.Join(err, file.Close())
	}
	b.close = file.Close
	return b, err
}

// Close closes its file.
func (b *Backup) Close() error {
	if b.close == nil {
		return nil
	}
	return b.close()
}

// ReadBackup reads a backup and verifies all of it. The error is ErrNoBackup,
// ErrNewer, or a *DamagedError: then the Backup holds what is whole.
func ReadBackup(r io.ReaderAt, size int64) (*Backup, error) {
	if size > MaxBackup {
		return nil, fmt.Errorf("%w: it has %d MiB, expected %d at the most", ErrNoBackup, size>>20, MaxBackup>>20)
	}
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, fmt.Errorf("%w, or its end is missing: %w", ErrNoBackup, err)
	}
	b := &Backup{Docs: map[string][]byte{}, Sum: z.Comment, parts: map[string]*zip.File{}}
	for _, f := range z.File {
		b.parts[f.Name] = f
	}
	text, err := b.read(contentsName, maxContents)
	if err != nil {
		return nil, fmt.Errorf("%w: its list of contents, %s, can't be read: %w", ErrNoBackup, contentsName, err)
	}
	if err := json.Unmarshal(text, &b.Contents); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrNoBackup, contentsName, err)
	}
	switch {
	case b.Format > backupFormat:
		return nil, fmt.Errorf("%w: it has form %d, expected %d at the most", ErrNewer, b.Format, backupFormat)
	case b.Format < 1:
		return nil, fmt.Errorf("%w: %s names no form", ErrNoBackup, contentsName)
	}
	var total int64
	for name := range b.Members {
		if f := b.parts[name]; f != nil {
			total += int64(min(f.UncompressedSize64, maxUnpacked))
		}
		if total > maxUnpacked {
			return nil, fmt.Errorf("%w: its parts have more than %d MiB", ErrNoBackup, maxUnpacked>>20)
		}
	}
	damaged := b.verify()
	if whole, err := sealed(r, size, z.Comment); err != nil {
		return nil, err
	} else if !whole && len(damaged) == 0 {
		damaged = append(damaged, "the file as a whole was altered, none of its parts was")
	}
	if len(damaged) > 0 {
		return b, &DamagedError{damaged}
	}
	return b, nil
}

// sealed tells whether the comment is the sum of everything before it.
func sealed(r io.ReaderAt, size int64, comment string) (bool, error) {
	end := size - int64(len(comment)) - 2
	if len(comment) != 2*sha256.Size || end < 0 {
		return false, nil
	}
	h := sha256.New()
	if _, err := io.Copy(h, io.NewSectionReader(r, 0, end)); err != nil {
		return false, err
	}
	return comment == hex.EncodeToString(h.Sum(nil)), nil
}

// verify reads every part, and says what is wrong.
func (b *Backup) verify() (damaged []string) {
	say := func(name string, err error) { damaged = append(damaged, fmt.Sprintf("%s: %v", name, err)) }
	for _, name := range slices.Sorted(maps.Keys(b.Members)) {
		if id, ok := docName(name); ok {
			text, err := b.member(name, maxValue)
			if err != nil {
				say(name, err)
				continue
			}
			b.Docs[id] = text
		} else if id, ok := recordName(name); ok {
			if _, err := b.Game(id.Table, id.N); err != nil {
				say(name, err)
				continue
			}
			b.games = append(b.games, id)
		} else if id, ok := recordName(strings.TrimSuffix(name, ".json") + ".mafia"); ok {
			if _, there := b.Members[gamesDir+fileName(id.Table, id.N)]; !there {
				say(name, errors.New("its record is missing"))
			}
		} else if name != readmeName {
			say(name, errors.New("nobody knows what that is"))
		} else if _, err := b.member(name, maxValue); err != nil {
			say(name, err)
		}
	}
	slices.SortFunc(b.games, func(x, y GameID) int { return cmp.Or(strings.Compare(x.Table, y.Table), x.N-y.N) })
	return damaged
}

func docName(name string) (id string, ok bool) {
	id, ok = strings.CutPrefix(name, tablesDir)
	if ok {
		id, ok = strings.CutSuffix(id, ".json")
	}
	return id, ok && checkTable(id) == nil
}

func recordName(name string) (GameID, bool) {
	base, ok := strings.CutPrefix(name, gamesDir)
	base, _ = strings.CutSuffix(base, ".mafia")
	at := strings.LastIndex(base, "-")
	if !ok || at < 0 {
		return GameID{}, false
	}
	n, err := strconv.Atoi(base[at+1:])
	id := GameID{base[:at], n}
	return id, err == nil && n >= 1 && n <= most && checkTable(id.Table) == nil && name == gamesDir+fileName(id.Table, n)
}

// Games are the games that are whole, by table and number.
func (b *Backup) Games() []GameID { return b.games }

// Missing is what the backup should hold and does not hold whole.
func (b *Backup) Missing() (all []Finding) {
	for _, name := range slices.Sorted(maps.Keys(b.Members)) {
		if id, ok := docName(name); ok && b.Docs[id] == nil {
			all = append(all, Finding{What: Lost, Table: id, Good: -1, Restored: true})
		}
		if id, ok := recordName(name); ok && !slices.Contains(b.games, id) {
			all = append(all, Finding{What: Lost, Table: id.Table, Game: id.N, Good: -1, Restored: true})
		}
	}
	return all
}

// Game gives a game, verified.
func (b *Backup) Game(table string, n int) (Game, error) {
	name := gamesDir + fileName(table, n)
	text, err := b.member(name, maxRecord)
	if err != nil {
		return Game{}, err
	}
	note, err := b.member(annexName(name), maxAnnex)
	if err != nil {
		return Game{}, fmt.Errorf("%s: %w", annexName(name), err)
	}
	var a annex
	if err := json.Unmarshal(note, &a); err != nil {
		return Game{}, fmt.Errorf("%s: %w", annexName(name), err)
	}
	g, ok := a.game(text)
	if !ok {
		return Game{}, fmt.Errorf("it does not go with %s", annexName(name))
	}
	if sum, err := g.chain(table, n, func(int, record, []byte, string) {}); err != nil || sum != a.Sum {
		return Game{}, errors.Join(errors.New("its chain is broken"), err)
	}
	return g, nil
}

// game takes a record apart again.
func (a annex) game(text []byte) (g Game, ok bool) {
	if a.Head < 0 || a.Head > len(text) {
		return g, false
	}
	g.Head, g.Over = bytes.Clone(text[:a.Head]), a.Over
	text = text[a.Head:]
	line := func() (string, bool) {
		before, after, found := bytes.Cut(text, []byte("\n"))
		text = after
		return string(before), found
	}
	for i, note := range a.Acts {
		act := Act{No: i + 1, Key: note.Key, Rules: note.Rules}
		if act.Line, ok = line(); !ok {
			return g, false
		}
		for range note.Events {
			told, whole := line()
			event, is := strings.CutPrefix(told, "= ")
			if !whole || !is {
				return g, false
			}
			act.Events = append(act.Events, event)
		}
		g.Acts = append(g.Acts, act)
	}
	if g.left = a.Left; g.left == nil {
		g.left = make([]int, 1+len(g.Acts))
	}
	return g, len(text) == 0 && len(g.left) == 1+len(g.Acts)
}

// member gives a part that is as the contents say.
func (b *Backup) member(name string, limit int64) ([]byte, error) {
	is, there := b.Members[name]
	if !there {
		return nil, errors.New("missing")
	}
	text, err := b.read(name, limit)
	if err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(text); int64(len(text)) != is.Size || hex.EncodeToString(sum[:]) != is.Sum {
		return nil, errors.New("altered")
	}
	return text, nil
}

func (b *Backup) read(name string, limit int64) ([]byte, error) {
	f := b.parts[name]
	if f == nil {
		return nil, errors.New("missing")
	}
	if f.UncompressedSize64 > uint64(limit) {
		return nil, fmt.Errorf("%d bytes, expected %d at the most", f.UncompressedSize64, limit)
	}
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	text := bytes.NewBuffer(make([]byte, 0, min(f.UncompressedSize64, 64<<10)))
	if _, err := text.ReadFrom(io.LimitReader(r, limit+1)); err != nil {
		return nil, err
	}
	return text.Bytes(), nil
}
