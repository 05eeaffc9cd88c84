package server

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"mime/multipart"
	"os"
	"path/filepath"

	"github.com/gofiber/fiber/v2"
	"github.com/mafiabox/mafiabox/server/store"
)

// A backup is brought back in two steps: the owner sends the file and sees what
// is in it, and then says that it shall be.

// ErrRestoring says that the box ends to begin anew with a backup.
var ErrRestoring = errors.New("a backup is to be restored")

// uploadPath is where the file is sent to.
const uploadPath = "/box/backup/upload"

// backupShown is what is in a file that was uploaded.
type backupShown struct {
	Sum, When                 string
	N, Tables, Games, Running int
	Part                      bool // not all games are in it
	Broken                    []store.BrokenError
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
	path := filepath.Join(b.cfg.Data, store.Uploaded)
	if err := store.Fits(b.cfg.Data, sent.Size); errors.Is(err, store.ErrFull) {
		return b.noRoom(c)
	}
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

// uploadUnfit tells whether the owner's file was not taken for want of room: see
// takesMore.
func (b *Box) uploadUnfit(c *fiber.Ctx, err error) bool {
	return errors.Is(err, fiber.ErrRequestEntityTooLarge) && c.Path() == uploadPath && b.backups != nil && b.owns(c) &&
		errors.Is(store.Fits(b.cfg.Data, int64(c.Request().Header.ContentLength())), store.ErrFull)
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
	if err := os.Remove(filepath.Join(b.cfg.Data, store.Uploaded)); err != nil && !errors.Is(err, fs.ErrNotExist) {
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
	path := filepath.Join(b.cfg.Data, store.Uploaded)
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
