package server

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/mafiabox/mafiabox/engine/record"
	"github.com/mafiabox/mafiabox/server/store"
	"github.com/valyala/fasthttp"
)

// The owner's pages of backups. A backup holds every role of the games that are
// on, so while one is on it is handed out only after the table was told.

const (
	backupName = "backup.zip"     // of the one that is downloaded
	longestWay = 10 * time.Minute // the longest that one may take on its way, or to the box
)

// backupLine is what /box itself says of backups.
type backupLine struct {
	words
	When   string // of the newest on the card; empty: there is none
	Wrong  bool
	Second bool // only in the second place
}

type backupPage struct {
	words
	Key, Error string
	Wanted     bool // one is being made
	Places     []backupRow
	Refused    bool     // the last could not be restored
	Tell       []string // tables with a game of which they have to be told first
	Shown      *backupShown
	Playing    []string // tables whose game would go aside with the rest
}

// backupRow is a place for backups.
type backupRow struct {
	Heading, Folder string
	When            string
	N               int    // its number
	Wrong           string // why the last could not be made
}

func (b *Box) backupLine(w words) *backupLine {
	if b.backups == nil {
		return nil
	}
	line := &backupLine{words: w}
	for i, row := range b.backupPlaces(w) {
		if row.Wrong != "" {
			line.Second = i > 0 && !line.Wrong
			line.Wrong = true
		}
		if line.When == "" {
			line.When = row.When
		}
	}
	return line
}

func (b *Box) when(t time.Time) string {
	return t.In(b.cfg.Now().Location()).Format("2006-01-02 15:04")
}

func (b *Box) backupPlaces(w words) (rows []backupRow) {
	for i, p := range []*backupPlace{b.backups.here, b.backups.second} {
		if p == nil {
			continue
		}
		row := backupRow{Heading: w.T("backup.here"), Folder: p.ring.Dir}
		if i > 0 {
			row.Heading = w.T("backup.second")
		}
		newest, err := p.look()
		if newest != nil {
			row.When, row.N = b.when(newest.At), newest.No
		}
		switch {
		case errors.Is(err, store.ErrAbsent):
			row.Wrong = w.T("backup.absent")
		case errors.Is(err, store.ErrSameDisk):
			row.Wrong = w.T("backup.samedisk")
		case errors.Is(err, store.ErrFull):
			row.Wrong = w.T("backup.full")
		case errors.Is(err, errSilent):
			row.Wrong = w.T("backup.silent")
		case err != nil:
			row.Wrong = w.T("backup.failed")
		}
		rows = append(rows, row)
	}
	return rows
}

// mustTell are the tables whose game may not be handed out yet. Of a frozen one
// nobody can be told any more, and nobody plays it on.
func (b *Box) mustTell() (all []*Table) {
	for _, t := range b.Tables() {
		if m := t.now.Load(); !m.ownerReads() && m.frozen == "" {
			all = append(all, t)
		}
	}
	return all
}

// playing are the tables at which a game is on. A frozen one is not over.
func (b *Box) playing() (all []string) {
	for _, t := range b.Tables() {
		if t.now.Load().secret() {
			all = append(all, t.id)
		}
	}
	return all
}

// ofOwner lets only the owner of a box that makes backups on.
func (b *Box) ofOwner(c *fiber.Ctx) error {
	switch {
	case b.backups == nil:
		return fiber.ErrNotFound
	case b.owns(c):
		return c.Next()
	case c.Method() == fiber.MethodGet:
		return c.Redirect("/box", fiber.StatusSeeOther)
	}
	return fiber.ErrForbidden
}

func (b *Box) backupPage(c *fiber.Ctx) error { return b.drawBackup(c, backupPage{}) }

func (b *Box) drawBackup(c *fiber.Ctx, p backupPage) error {
	p.words, p.Key, p.Wanted = b.wordsFor(c), newKey(deviceOf(c)), c.Query("wanted") != ""
	p.Places = b.backupPlaces(p.words)
	if _, err := os.Stat(filepath.Join(b.cfg.Data, store.RestoreRefused)); err == nil && p.Shown == nil {
		p.Refused = true
	}
	for _, t := range b.mustTell() {
		p.Tell = append(p.Tell, t.id)
	}
	if p.Shown != nil {
		p.Playing = b.playing()
	}
	c.Type("html", "utf-8")
	return c.Render("backup", p)
}

// backUpNow makes a whole one everywhere: before a stick is taken home.
func (b *Box) backUpNow(c *fiber.Ctx) error {
	b.backups.want(true)
	return done(c, "/box/backup?wanted=1")
}

// openBackup tells every table at which a game is on, and hands the backup out.
func (b *Box) openBackup(c *fiber.Ctx) error {
	for _, t := range b.mustTell() {
		if err := t.Do("", (*draft).openToOwner); err != nil && !errors.Is(err, errFrozen) {
			return err
		}
	}
	return done(c, "/box/"+backupName)
}

// sendBackup makes a whole backup of this moment and sends it.
func (b *Box) sendBackup(c *fiber.Ctx) error {
	if len(b.mustTell()) > 0 {
		return c.Redirect("/box/backup", fiber.StatusSeeOther)
	}
	if !b.backups.handing.TryLock() {
		return say("backup_busy")
	}
	defer b.backups.handing.Unlock()
	file, err := os.CreateTemp(b.cfg.Data, "download-*.tmp")
	if err != nil {
		return err
	}
	os.Remove(file.Name()) // it goes with the request, whatever becomes of that
	made := b.made(true)
	made.No++
	_, err = b.store.Backup(&sparing{to: file, dir: b.cfg.Data}, made)
	var size int64
	if err == nil {
		size, err = file.Seek(0, io.SeekCurrent)
	}
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if errors.Is(err, store.ErrFull) {
		file.Close()
		return b.noRoom(c)
	}
	if err != nil {
		return errors.Join(err, file.Close())
	}
	if len(b.mustTell()) > 0 { // a game has begun meanwhile, and may be in it
		file.Close()
		return c.Redirect("/box/backup", fiber.StatusSeeOther)
	}
	c.Attachment(fmt.Sprintf("mafiabox-%s.zip", made.At.Format("2006-01-02-1504")))
	return c.SendStream(file, int(size)) // and closes it
}

// sparing writes to the disk of the data, as long as that has room besides for
// what the store wants.
type sparing struct {
	to   io.Writer
	dir  string
	left int // of what was found to fit
}

// sparingStep is how much is written before there is another look, in bytes.
const sparingStep = 1 << 20

func (s *sparing) Write(p []byte) (int, error) {
	if s.left < len(p) {
		s.left = max(sparingStep, len(p))
		if err := store.Fits(s.dir, int64(s.left)); err != nil {
			return 0, err
		}
	}
	s.left -= len(p)
	return s.to.Write(p)
}

func (b *Box) noRoom(c *fiber.Ctx) error {
	return b.drawBackup(c.Status(fiber.StatusInsufficientStorage), backupPage{Error: b.wordsFor(c).T("backup.noroom")})
}

// takesMore gives who may take or bring a file the room and the time for it:
// the owner for a backup, him and hosts for a game; nobody else.
func (b *Box) takesMore(h *fasthttp.RequestHeader) (more fasthttp.RequestConfig) {
	path, _, _ := strings.Cut(string(h.RequestURI()), "?")
	token := readToken(string(h.Cookie(cookieName)))
	if token == nil {
		return more
	}
	switch device := hash(token); {
	case path == importPath && h.IsPost() && b.ofClub(device):
		more.ReadTimeout, more.MaxRequestBodySize = importTime, record.MaxSize+importRoom
	case path == uploadPath && h.IsPost() && b.backups != nil && b.isOwner(device) && store.Fits(b.cfg.Data, int64(h.ContentLength())) == nil:
		more.WriteTimeout, more.ReadTimeout, more.MaxRequestBodySize = longestWay, longestWay, store.MaxBackup+maxBody
	case path == "/box/"+backupName && b.backups != nil && b.isOwner(device):
		more.WriteTimeout = longestWay
	}
	return more
}
