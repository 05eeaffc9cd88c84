package server

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime/multipart"
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

// ErrRestoring says that the box ends to begin anew with a backup.
var ErrRestoring = errors.New("a backup is to be restored")

const (
	backupName = "backup.zip"         // of the one that is downloaded
	uploadName = "upload.zip"         // of the one that is looked at, in the data folder
	uploadPath = "/box/backup/upload" // where it is sent to
	longestWay = 10 * time.Minute     // the longest that either may take on its way
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

// backupShown is what is in a file that was uploaded.
type backupShown struct {
	Sum, When                 string
	N, Tables, Games, Running int
	Part                      bool // not all games are in it
	Broken                    []store.BrokenError
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
	_, err = b.store.Backup(file, made)
	var size int64
	if err == nil {
		size, err = file.Seek(0, io.SeekCurrent)
	}
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
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
	case path == uploadPath && h.IsPost() && b.backups != nil && b.isOwner(device):
		more.WriteTimeout, more.ReadTimeout, more.MaxRequestBodySize = longestWay, longestWay, store.MaxBackup+maxBody
	case path == "/box/"+backupName && b.backups != nil && b.isOwner(device):
		more.WriteTimeout = longestWay
	}
	return more
}

// takeBackup looks at an uploaded file and shows what is in it.
func (b *Box) takeBackup(c *fiber.Ctx) error {
	w := b.wordsFor(c)
	sent, err := c.FormFile("file")
	if err != nil {
		return b.drawBackup(c.Status(fiber.StatusUnprocessableEntity), backupPage{Error: w.T("backup.nofile")})
	}
	if !b.backups.handing.TryLock() {
		return say("backup_busy")
	}
	defer b.backups.handing.Unlock()
	path := filepath.Join(b.cfg.Data, uploadName)
	if err := saveUpload(sent, path); err != nil {
		return err
	}
	backup, err := store.OpenBackup(path)
	if backup != nil {
		defer backup.Close()
	}
	if err != nil {
		b.log.Warn("an uploaded backup is refused", "error", err)
		os.Remove(path)
		p := backupPage{Error: w.T("backup.refused")}
		var damaged *store.DamagedError
		if errors.As(err, &damaged) {
			p.Error = w.T("backup.damaged")
		}
		if errors.Is(err, store.ErrNewer) {
			p.Error = w.T("backup.newer")
		}
		return b.drawBackup(c.Status(fiber.StatusUnprocessableEntity), p)
	}
	return b.drawBackup(c, backupPage{Shown: b.show(backup)})
}

func saveUpload(sent *multipart.FileHeader, path string) error {
	from, err := sent.Open()
	if err != nil {
		return err
	}
	defer from.Close()
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, from)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		os.Remove(path)
	}
	return err
}

func (b *Box) show(backup *store.Backup) *backupShown {
	s := &backupShown{
		Sum: backup.Sum, When: b.when(backup.At), N: backup.No, Games: backup.Contents.Games, Running: backup.Running,
		Part: !backup.Whole, Broken: backup.Broken,
	}
	for _, text := range backup.Docs {
		var d doc
		if json.Unmarshal(text, &d) == nil && d.Code != "" {
			s.Tables++
		}
	}
	return s
}

// leaveBackup leaves everything as it is.
func (b *Box) leaveBackup(c *fiber.Ctx) error {
	if !b.backups.handing.TryLock() {
		return say("backup_busy")
	}
	defer b.backups.handing.Unlock()
	b.dropUpload()
	return done(c, "/box/backup")
}

// dropUpload removes the file that was looked at and not taken.
func (b *Box) dropUpload() {
	if err := os.Remove(filepath.Join(b.cfg.Data, uploadName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		b.log.Warn("an uploaded backup stays", "error", err)
	}
}

// restoreBackup ends the box, so that it begins anew with the file that was
// shown.
func (b *Box) restoreBackup(c *fiber.Ctx) error {
	if !b.backups.handing.TryLock() {
		return say("backup_busy")
	}
	defer b.backups.handing.Unlock()
	w := b.wordsFor(c)
	path := filepath.Join(b.cfg.Data, uploadName)
	backup, err := store.OpenBackup(path)
	if err != nil || backup.Sum != c.FormValue("sum") { // another was uploaded meanwhile
		if backup != nil {
			backup.Close()
		}
		return b.drawBackup(c.Status(fiber.StatusConflict), backupPage{Error: w.T("backup.gone")})
	}
	if len(b.playing()) > 0 && c.FormValue("sure") == "" {
		p := backupPage{Error: w.T("backup.unsure"), Shown: b.show(backup)}
		backup.Close()
		return b.drawBackup(c.Status(fiber.StatusUnprocessableEntity), p)
	}
	if err := errors.Join(backup.Close(), store.AskRestore(b.cfg.Data, path)); err != nil {
		return err
	}
	os.Remove(filepath.Join(b.cfg.Data, store.RestoreRefused)) // one before
	b.log.Warn("the owner restores a backup", "number", backup.No)
	b.fail(ErrRestoring)
	return b.message(c, fiber.StatusOK, w.T("backup.restoring"), w.T("backup.restoring.text"), "/box", w.T("backup.back"))
}
