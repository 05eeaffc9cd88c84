package store

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"maps"
	"slices"
	"time"
)

// A backup is one zip file, which any computer opens:
//
//	README.txt             what it is, in two lines
//	games/TABLE-N.mafia    a game's record, as its file holds it
//	games/TABLE-N.json     what the record does not hold
//	tables/ID.json         a document, byte for byte
//	backup.json            Contents: what must be there, with its sums
//
// The zip's own comment is the SHA-256 sum of everything before it, so that no
// byte changes unnoticed; the sums in backup.json then tell which parts are
// still whole. Documents tell whose phone holds which seat, and records hold
// every role: a backup is for the box's owner alone.
const (
	backupFormat = 2 // 1 had no annex.Left
	readmeName   = "README.txt"
	contentsName = "backup.json"
	gamesDir     = "games/"
	tablesDir    = "tables/"
)

const readme = "A backup of a mafiabox: \"mafiabox restore FILE\" brings it back. The .mafia files are the games, readable as they are; the rest lets phones find their seats again, so keep it to yourself.\n" +
	"Резервная копия mafiabox: её возвращает «mafiabox restore ФАЙЛ». Файлы .mafia — записи игр, их можно просто читать; по остальному телефоны снова находят свои места, поэтому никому её не давайте.\n"

// Made says which backup it is.
type Made struct {
	No    int       `json:"no"` // counts up: a box's clock may be wrong
	At    time.Time `json:"at"` // by that clock
	Whole bool      `json:"whole"`
}

// Contents is what a backup says of itself.
type Contents struct {
	Format int `json:"format"`
	Made
	Games   int               `json:"games"`
	Running int               `json:"running"` // of these
	Members map[string]member `json:"members"`
	Broken  []BrokenError     `json:"broken,omitempty"` // games that the store had no longer whole: what came before the break is here
}

// member is a part of a backup.
type member struct {
	Size int64  `json:"size"`
	Sum  string `json:"sha256"`
}

// annex is what a game has besides its record.
type annex struct {
	Over bool       `json:"over,omitempty"`
	Sum  string     `json:"sum"`  // of the last link of its chain
	Head int        `json:"head"` // how many bytes of the record are its head
	Acts []annexAct `json:"acts"`
	Left []int      `json:"left,omitempty"` // of its records by number; see record
}

type annexAct struct {
	Key    string `json:"key,omitempty"`
	Rules  string `json:"rules,omitempty"`
	Events int    `json:"events,omitempty"` // how many lines of the record follow the act's own
}

// GameID names a game.
type GameID struct {
	Table string
	N     int
}

// gathered is a game for a backup. One that is over is read when its turn
// comes: it does not change any more.
type gathered struct {
	GameID
	over bool
	game Game
	sum  string
	err  error
}

func (s *store) Backup(w io.Writer, made Made) (Contents, error) {
	c := Contents{Format: backupFormat, Made: made, Members: map[string]member{}}
	docs, games, err := s.gather(made.Whole)
	if err != nil {
		return c, err
	}
	seal := &sealing{w: w, sum: sha256.New()}
	z := zip.NewWriter(seal)
	add := func(name string, text []byte, limit int64) error {
		if int64(len(text)) > limit {
			return fmt.Errorf("%w: %s would have %d bytes in a backup, at most %d fit", ErrTooLong, name, len(text), limit)
		}
		part, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: made.At})
		if err != nil {
			return err
		}
		sum := sha256.Sum256(text)
		c.Members[name] = member{int64(len(text)), hex.EncodeToString(sum[:])}
		_, err = part.Write(text)
		return err
	}
	if err := add(readmeName, []byte(readme), maxValue); err != nil {
		return c, err
	}
	for _, g := range games {
		if g.over {
			g.game, g.sum, g.err = s.gameAndSum(g.Table, g.N)
		}
		var broken *BrokenError
		switch {
		case errors.As(g.err, &broken):
			c.Broken = append(c.Broken, *broken)
			if broken.No == 0 {
				continue
			}
		case g.err != nil:
			return c, g.err
		}
		c.Games++
		if !g.game.Over && g.err == nil {
			c.Running++
		}
		note, err := json.Marshal(g.game.annex(g.sum))
		if err != nil {
			return c, err
		}
		name := gamesDir + fileName(g.Table, g.N)
		if err := errors.Join(add(name, g.game.Text(), maxRecord), add(annexName(name), note, maxAnnex)); err != nil {
			return c, err
		}
	}
	for _, id := range slices.Sorted(maps.Keys(docs)) {
		if err := add(tablesDir+id+".json", docs[id], maxValue); err != nil {
			return c, err
		}
	}
	text, err := json.MarshalIndent(c, "", " ")
	if err != nil {
		return c, err
	}
	if err := add(contentsName, text, maxContents); err != nil {
		return c, err
	}
	delete(c.Members, contentsName) // it can't hold its own sum; the comment covers it
	if err := z.Close(); err != nil {
		return c, err
	}
	return c, seal.close()
}

// gather takes what may still change, between two commits. Of a backup that is
// not whole it takes each table's last game, and what else is not over: with
// the documents that is all that a table needs to go on.
func (s *store) gather(whole bool) (docs map[string][]byte, games []gathered, err error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return nil, nil, ErrClosed
	}
	if docs, err = s.tables(); err != nil {
		return nil, nil, err
	}
	err = eachGame(s.book, "game/", func(table string, n int) {
		games = append(games, gathered{GameID: GameID{table, n}})
	})
	if err != nil {
		return nil, nil, err
	}
	var wanted []gathered
	for i, g := range games {
		_, err := s.book.get(overKey(g.Table, g.N))
		if err != nil && !errors.Is(err, ErrNotFound) {
			return nil, nil, err
		}
		g.over = err == nil
		last := i+1 == len(games) || games[i+1].Table != g.Table
		if g.over && !last && !whole {
			continue
		}
		if !g.over {
			var t tail
			g.game, t, g.err = read(s.book, g.Table, g.N)
			g.sum = t.sum
		}
		wanted = append(wanted, g)
	}
	return docs, wanted, nil
}

func (s *store) gameAndSum(table string, n int) (Game, string, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return Game{}, "", ErrClosed
	}
	g, t, err := read(s.book, table, n)
	return g, t.sum, err
}

func (g Game) annex(sum string) annex {
	a := annex{Over: g.Over, Sum: sum, Head: len(g.Head), Acts: make([]annexAct, 0, len(g.Acts)), Left: g.left}
	for _, act := range g.Acts {
		a.Acts = append(a.Acts, annexAct{act.Key, act.Rules, len(act.Events)})
	}
	return a
}

func annexName(record string) string {
	return record[:len(record)-len(".mafia")] + ".json"
}

// sealing adds the sum of all that is written as the comment of the zip: the
// last two bytes of a zip without a comment are the comment's length.
type sealing struct {
	w    io.Writer
	sum  hash.Hash
	last []byte
}

func (s *sealing) Write(p []byte) (int, error) {
	s.last = append(s.last, p...)
	ready := s.last[:max(0, len(s.last)-2)]
	s.sum.Write(ready)
	if _, err := s.w.Write(ready); err != nil {
		return 0, err
	}
	s.last = append(s.last[:0], s.last[len(ready):]...)
	return len(p), nil
}

func (s *sealing) close() error {
	if string(s.last) != "\x00\x00" {
		return fmt.Errorf("store: the zip ends with %q, expected no comment", s.last)
	}
	_, err := s.w.Write(append([]byte{2 * sha256.Size, 0}, hex.EncodeToString(s.sum.Sum(nil))...))
	return err
}
