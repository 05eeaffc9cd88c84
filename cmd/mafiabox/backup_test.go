package main

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime/multipart"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/mafiabox/mafiabox/server/store"
)

// run runs a command of the program to its end.
func run(t *testing.T, args ...string) (exitCode, string) {
	t.Helper()
	out, err := exec.Command(program, args...).CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if exit != nil {
		return exitCode(exit.ExitCode()), string(out)
	}
	return 0, string(out)
}

func (b *box) owner() *client {
	b.t.Helper()
	owner := b.client()
	owner.post("/box", form("code", "OWNER"))
	owner.get("/box")
	return owner
}

// sums are the lines of a record file that a record has not.
var sums = regexp.MustCompile(`(?m)^# sum .*\n`)

// toNight2 plays a first night and day without anybody's answer.
func toNight2(b *box, host *client) {
	b.t.Helper()
	host.post("/t/1/host/deal", form("by", "box"))
	for _, verb := range []string{"night", "close", "dawn", "night"} {
		host.step(verb)
	}
}

// upload sends a file as the form with the file does.
func (c *client) upload(path string, file []byte) (int, string) {
	c.b.t.Helper()
	var body bytes.Buffer
	m := multipart.NewWriter(&body)
	m.WriteField("key", c.token+"-upload")
	part, err := m.CreateFormFile("file", "mafiabox.zip")
	if err != nil {
		c.b.t.Fatal(err)
	}
	part.Write(file)
	m.Close()
	r, err := http.NewRequest("POST", c.b.url+path, &body)
	if err != nil {
		c.b.t.Fatal(err)
	}
	r.Header.Set("Content-Type", m.FormDataContentType())
	r.Header.Set("Origin", c.b.url)
	resp, err := c.http.Do(r)
	if err != nil {
		return 0, err.Error() // who sends too much may see the line cut
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
	return resp.StatusCode, string(text)
}

// TestBackupGoesOn: a game in its second night is downloaded, restored into a
// new folder, and goes on there with the same phones.
func TestBackupGoesOn(t *testing.T) {
	t.Parallel()
	b := start(t)
	host, players := b.seated(7)
	toNight2(b, host)
	owner := b.owner()
	if status, _, _ := owner.ask("GET", "/box/backup.zip", nil); status != 303 {
		t.Fatalf("the backup of a game that is on is handed out before the table was told: %d", status)
	}
	owner.post("/box/backup/open", form())
	file := []byte(owner.get("/box/backup.zip"))
	if page := players[0].get("/t/1"); !strings.Contains(page, "owner of the box") {
		t.Errorf("nobody is told:\n%s", page)
	}
	rec, seats := host.record(), []string{}
	for _, p := range players {
		seats = append(seats, p.page("/t/1"))
	}
	b.cmd.Process.Signal(os.Interrupt)
	b.cmd.Wait()

	path := filepath.Join(b.dir, "taken.zip")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	z, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	inside, err := z.Open("games/1-1.mafia")
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(inside); err != nil || string(text) != rec {
		t.Errorf("the record in the backup is another one (%v):\n%s", err, text)
	}
	other := filepath.Join(b.dir, "other")
	if code, out := run(t, "restore", path, "--data", other); code != 0 || !strings.Contains(out, "1 game restored") {
		t.Fatal(code, out)
	}
	if err := errors.Join(os.RemoveAll(filepath.Join(b.dir, "data")), os.Rename(other, filepath.Join(b.dir, "data"))); err != nil {
		t.Fatal(err)
	}
	b.run()
	if now := host.record(); now != rec {
		t.Errorf("another record:\n%s\nwas\n%s", now, rec)
	}
	for i, p := range players {
		if now := p.page("/t/1"); now != seats[i] {
			t.Errorf("seat %d finds\n%s\nwas\n%s", i+1, now, seats[i])
		}
	}
	host.step("close")
	if now := host.record(); !strings.HasPrefix(now, rec) || len(now) == len(rec) {
		t.Errorf("the game does not go on:\n%s", now)
	}
}

var shownSum = regexp.MustCompile(`name="sum" value="([0-9a-f]{64})"`)

// TestBackupUpload: the owner brings a backup back by the page, after he has
// seen what is in it; the box begins anew by itself, and phones go on.
func TestBackupUpload(t *testing.T) {
	t.Parallel()
	b := start(t)
	host, players := b.seated(7)
	toNight2(b, host)
	b.kill()
	b.run() // on an address that it will take again
	owner := b.owner()
	owner.post("/box/backup/open", form())
	file := []byte(owner.get("/box/backup.zip"))
	rec := host.record()
	host.step("close")
	host.step("dawn")
	later := host.record()

	var newer bytes.Buffer
	z := zip.NewWriter(&newer)
	contents, err := z.Create("backup.json")
	if err == nil {
		_, err = io.WriteString(contents, `{"format": 99}`)
	}
	if err := errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		file []byte
		says string
	}{
		"no zip":      {[]byte("hello"), "no backup"},
		"torn":        {file[:len(file)/2], "no backup"},
		"newer":       {newer.Bytes(), "newer mafiabox"},
		"a bit wrong": {append(append(bytes.Clone(file[:200]), file[200]^1), file[201:]...), "damaged"},
	} {
		if status, body := owner.upload("/box/backup/upload", c.file); status != 422 || !strings.Contains(body, c.says) {
			t.Errorf("%s: %d\n%s", name, status, body)
		}
	}
	status, body := owner.upload("/box/backup/upload", append(bytes.Clone(file), make([]byte, 200<<10)...))
	if status != 422 {
		t.Errorf("a longer file: %d\n%s", status, body)
	}
	status, body = owner.upload("/box/backup/upload", file)
	sum := shownSum.FindStringSubmatch(body)
	if status != 200 || sum == nil || !strings.Contains(body, "1 table, 1 game, 1 of them not over") {
		t.Fatalf("%d\n%s", status, body)
	}
	if now := host.record(); now != later {
		t.Fatal("it was restored before it was confirmed")
	}
	if status, body, _ := owner.ask("POST", "/box/backup/restore", form("sum", strings.Repeat("0", 64))); status != 409 {
		t.Errorf("another file than was shown: %d\n%s", status, body)
	}
	if !strings.Contains(body, "Table 1 is playing: this game goes aside with everything else.") || strings.Contains(body, "Number 0") {
		t.Errorf("it is not said which game goes aside:\n%s", body)
	}
	if status, body, _ := owner.ask("POST", "/box/backup/restore", form("sum", sum[1])); status != 422 || !strings.Contains(body, "A game is on.") || !strings.Contains(body, "Table 1 is playing") || shownSum.FindStringSubmatch(body)[1] != sum[1] {
		t.Errorf("a game that is on goes aside unasked: %d\n%s", status, body)
	}
	owner.post("/box/backup/leave", form())
	if _, err := os.Stat(filepath.Join(b.dir, "data", "upload.zip")); err == nil {
		t.Error("the file that was not taken stays")
	}
	if status, _, _ := owner.ask("POST", "/box/backup/restore", form("sum", sum[1], "sure", "1")); status != 409 {
		t.Errorf("a file that was left is restored: %d", status)
	}
	if status, body := owner.upload("/box/backup/upload", file); status != 200 {
		t.Errorf("%d\n%s", status, body)
	}
	if status, body, err := owner.ask("POST", "/box/backup/restore", form("sum", sum[1], "sure", "1")); status != 200 || !strings.Contains(body, "starts anew") {
		t.Fatalf("%d %v\n%s", status, err, body)
	}
	eventually(t, "the game is where the backup was made", func() bool {
		status, now, err := host.ask("GET", "/t/1/host/record.mafia", nil)
		return err == nil && status == 200 && now == rec
	})
	players[0].get("/t/1")
	host.step("close")
	aside, err := filepath.Glob(filepath.Join(b.dir, "data", "aside", "*", "games", "1-1.mafia"))
	if err != nil || len(aside) != 1 {
		t.Fatal("what was there before is not kept:", aside, err)
	}
	if text, err := os.ReadFile(aside[0]); err != nil || sums.ReplaceAllString(string(text), "") != later {
		t.Errorf("%v:\n%s", err, text)
	}
	if left, _ := filepath.Glob(filepath.Join(b.dir, "data", "*.zip")); len(left) != 0 {
		t.Error("left:", left)
	}
}

// TestBackupSecrecy: who is not the owner has no backup of anything, and can't bring one.
func TestBackupSecrecy(t *testing.T) {
	t.Parallel()
	b := start(t)
	host, players := b.seated(5)
	for name, c := range map[string]*client{"stranger": b.client(), "host": host, "player": players[0]} {
		c.ask("GET", "/host", nil) // its forms have a token
		for _, path := range []string{"/box/backup", "/box/backup.zip"} {
			status, body, err := c.ask("GET", path, nil)
			if err != nil || status != 303 || body != "" {
				t.Errorf("%s: GET %s: %d %q %v", name, path, status, body, err)
			}
		}
		for _, path := range []string{"/box/backup", "/box/backup/open", "/box/backup/restore", "/box/backup/leave"} {
			if status, _, err := c.ask("POST", path, form()); err != nil || status != 403 {
				t.Errorf("%s: POST %s: %d %v", name, path, status, err)
			}
		}
		if status, _ := c.upload("/box/backup/upload", []byte("PK")); status != 403 {
			t.Errorf("%s: upload: %d", name, status)
		}
		if status, _ := c.upload("/box/backup/upload", make([]byte, 1<<20)); status != 413 && status != 0 {
			t.Errorf("%s: a long upload: %d", name, status)
		}
	}
	for _, name := range []string{"upload.zip", "restore.zip"} {
		if _, err := os.Stat(filepath.Join(b.dir, "data", name)); err == nil {
			t.Error(name, "was written")
		}
	}
	// The folder is the box's alone.
	toNight2(b, host)
	kept := b.kept("data/backups", 1)
	if info, err := os.Stat(filepath.Dir(kept[0].Path)); err != nil || info.Mode().Perm() != 0o700 {
		t.Error(info.Mode(), err)
	}
}

// kept waits for so many backups in a folder of the test.
func (b *box) kept(dir string, n int) (all []store.Kept) {
	b.t.Helper()
	eventually(b.t, fmt.Sprint(n, " backups in ", dir), func() bool {
		var err error
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(b.dir, dir)
		}
		if all, err = (store.Ring{Dir: dir}).List(); err != nil {
			b.t.Fatal(err)
		}
		return len(all) >= n
	})
	return all
}

// TestBackupSecondPlace: a stick that comes and goes. Nothing is written where
// it should be while it is out, and a game never notices.
func TestBackupSecondPlace(t *testing.T) {
	t.Parallel()
	mount, err := os.MkdirTemp("/dev/shm", "stick") // another disk than that of the test
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(mount) })
	stick := filepath.Join(mount, "mafiabox")
	b := start(t, "--backup-to", stick)
	owner := b.owner()
	places := func() string { return owner.get("/box/backup") }
	if page := places(); !strings.Contains(page, "The folder is not there") {
		t.Errorf("%s", page)
	}
	owner.post("/box/backup", form())
	b.kept("data/backups", 1)
	if _, err := os.Stat(stick); err == nil {
		t.Fatal("the box has made the folder of a stick that is out")
	}
	if page := owner.get("/box"); !strings.Contains(page, "in trouble") {
		t.Errorf("the owner isn't told:\n%s", page)
	}
	if err := os.Mkdir(stick, 0o700); err != nil {
		t.Fatal(err)
	}
	owner.post("/box/backup", form())
	on := b.kept(stick, 1)
	if on[0].Kind != "whole" {
		t.Error(on)
	}
	if page := owner.get("/box"); strings.Contains(page, "in trouble") {
		t.Errorf("the stick is in again:\n%s", page)
	}
	if backup, err := store.OpenBackup(on[0].Path); err != nil || backup.No != on[0].No {
		t.Error(err)
	}
	if page := owner.get("/box/backup"); strings.Contains(page, "none yet") {
		t.Errorf("%s", mainPart.FindString(page))
	}
	if err := os.Rename(stick, stick+"-out"); err != nil {
		t.Fatal(err)
	}
	host, _ := b.seated(7)
	toNight2(b, host)
	if page := places(); !strings.Contains(page, "The folder is not there") || strings.Contains(page, "none yet") || !strings.Contains(page, fmt.Sprintf("Number %d, made", on[0].No)) {
		t.Errorf("%s", page)
	}
	if page := owner.get("/box"); !strings.Contains(page, "the second place is in trouble") {
		t.Errorf("%s", mainPart.FindString(page))
	}
	// The empty folder where a stick would be is on the box's own disk.
	own := start(t, "--backup-to", t.TempDir())
	if page := own.owner().get("/box/backup"); !strings.Contains(page, "box&#39;s own disk") && !strings.Contains(page, "box's own disk") {
		t.Errorf("%s", page)
	}
}

// TestBackupRing: phases make small ones, the end of a game a whole one.
func TestBackupRing(t *testing.T) {
	t.Parallel()
	b := start(t)
	host, _ := b.seated(7)
	toNight2(b, host)
	small := b.kept("data/backups", 1) // what waits becomes one
	for _, k := range small {
		if k.Kind != "small" {
			t.Error(k)
		}
	}
	host.step("end")
	if !strings.Contains(host.record(), "host end") {
		t.Fatalf("not over:\n%s", host.record())
	}
	eventually(t, "a whole one", func() bool { return b.kept("data/backups", 1)[0].Kind == "whole" })
	backup, err := store.OpenBackup(b.kept("data/backups", 1)[0].Path)
	if err != nil {
		t.Fatal(err)
	}
	if g, err := backup.Game("1", 1); err != nil || string(g.Text()) != host.record() {
		t.Errorf("%v:\n%s", err, g.Text())
	}
	if page := b.owner().get("/box"); !strings.Contains(page, "the last one 20") || strings.Contains(page, "in trouble") {
		t.Errorf("%s", page)
	}
}

// TestBackupCommands: each refusal says what to do, and damages nothing.
func TestBackupCommands(t *testing.T) {
	t.Parallel()
	b := start(t)
	host, _ := b.seated(7)
	toNight2(b, host)
	data, file := filepath.Join(b.dir, "data"), filepath.Join(b.dir, "b.zip")
	is := func(code exitCode, says string, args ...string) {
		t.Helper()
		got, out := run(t, args...)
		if got != code || !strings.Contains(out, says) {
			t.Errorf("%v: exit %d (want %d), want %q:\n%s", args, got, code, says, out)
		}
	}
	is(exitInUse, "page /box", "backup", file, "--data", data)
	b.kill()
	is(exitUsage, "keeps no games", "backup", file, "--data", filepath.Join(b.dir, "none"))
	is(0, "1 game, 1 of them not over", "backup", file, "--data", data)
	is(exitUsage, "a name that is free", "backup", file, "--data", data)
	bare := filepath.Join(b.dir, "bare")
	if err := errors.Join(os.CopyFS(bare, os.DirFS(data)), os.RemoveAll(filepath.Join(bare, "badger"))); err != nil {
		t.Fatal(err)
	}
	is(0, "1 game, 1 of them not over", "backup", file+"-bare", "--data", bare)
	if info, err := os.Stat(file); err != nil || info.Mode() != 0o600 {
		t.Error(info, err)
	}
	is(exitUsage, "--replace", "restore", file, "--data", data)
	is(0, filepath.Join(data, "aside"), "restore", file, "--data", data, "--replace")
	b.run()
	is(exitInUse, "stop it first", "restore", file, "--data", data, "--replace")
	host.step("close")

	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if status, page := b.owner().upload("/box/backup/upload", text); status != 200 || !strings.Contains(page, "Made by a command 20") || strings.Contains(page, "Number 0") {
		t.Errorf("a backup made by a command: %d\n%s", status, mainPart.FindString(page))
	}
	b.kill()
	b.run()
	if _, err := os.Stat(filepath.Join(data, "upload.zip")); err == nil {
		t.Error("a file that was looked at stays after a restart")
	}
	at := bytes.Index(text, []byte("games/1-1.mafia")) + 100
	text[at] ^= 1
	if err := os.WriteFile(file+"2", text, 0o600); err != nil {
		t.Fatal(err)
	}
	fresh := filepath.Join(b.dir, "fresh")
	is(exitUsage, "damaged: games/1-1.mafia", "restore", file+"2", "--data", fresh)
	if _, err := os.Stat(fresh); err == nil {
		t.Error("a damaged backup was restored in part, unasked")
	}
	is(exitUsage, "the rest: 0 games, 1 document\n", "restore", file+"2", "--data", fresh)
	is(exitFails, "missing: table 1, game 1 is lost; it was damaged in the backup", "restore", file+"2", "--data", fresh, "--partial")
	partly := &box{t: t, dir: t.TempDir(), addr: "127.0.0.1:0"}
	if err := os.Rename(fresh, filepath.Join(partly.dir, "data")); err != nil {
		t.Fatal(err)
	}
	partly.run()
	t.Cleanup(partly.kill)
	if page := partly.owner().get("/box"); !strings.Contains(page, "Table 1: game 1 is lost.") || !strings.Contains(page, "damaged in the backup that was restored") {
		t.Errorf("the owner is not told what is missing:\n%s", mainPart.FindString(page))
	}
	if err := os.WriteFile(file+"4", text[:len(text)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	is(exitUsage, "--partial can't help", "restore", file+"4", "--data", filepath.Join(b.dir, "third"), "--partial")
	is(exitUsage, "not a backup", "restore", filepath.Join(data, "games", "1-1.mafia"), "--data", filepath.Join(b.dir, "third"))
	is(exitUsage, "no such file", "restore", file+"3", "--data", filepath.Join(b.dir, "third"))
	is(0, "--partial", "restore", "--help")
	is(0, "the stick is out", "serve", "--help")
}

// TestBackupAsRoot: after root has made and restored a backup, the box still
// owns its folder.
func TestBackupAsRoot(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root gives files away")
	}
	t.Parallel()
	b := start(t)
	b.seated(3)
	b.kill()
	data, file := filepath.Join(b.dir, "data"), filepath.Join(b.dir, "b.zip")
	own := func() {
		t.Helper()
		err := filepath.WalkDir(data, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := d.Info()
			if err == nil && info.Sys().(*syscall.Stat_t).Uid != 4321 {
				t.Error("not the box's:", path)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
	if err := filepath.WalkDir(data, func(path string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Lchown(path, 4321, 4321))
	}); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(b.dir, "link") // as systemd makes one
	if err := os.Symlink(data, link); err != nil {
		t.Fatal(err)
	}
	if code, out := run(t, "backup", file, "--data", link); code != 0 {
		t.Fatal(code, out)
	}
	own()
	if code, out := run(t, "restore", file, "--data", link, "--replace"); code != 0 {
		t.Fatal(code, out)
	}
	own()
}
