package main

import (
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"golang.org/x/sys/unix"
)

// disk is a small disk of its own, with ext4 on it as a Pi's card has.
type disk struct {
	t     *testing.T
	image string
	at    string // where it is mounted
	under string // where the image is, if that is a disk of its own
}

// below makes the disk under it as small as it may be, or so many MiB.
func (d *disk) below(size int) {
	d.t.Helper()
	var fs unix.Statfs_t
	if err := unix.Statfs(d.under, &fs); err != nil {
		d.t.Fatal(err)
	}
	if used := (fs.Blocks - fs.Bfree) * uint64(fs.Bsize); size == 1 {
		d.do("mount", "-o", fmt.Sprintf("remount,size=%d", used), d.under)
		return
	}
	d.do("mount", "-o", fmt.Sprintf("remount,size=%dm", size), d.under)
}

// onDisk is a box that is not started yet, with its data on a disk of so many MiB.
func onDisk(t *testing.T, size int64) (*box, *disk) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("mounting a disk needs root")
	}
	b := &box{t: t, dir: t.TempDir(), addr: "127.0.0.1:0"}
	d := &disk{t: t, image: filepath.Join(b.dir, "image"), at: filepath.Join(b.dir, "data")}
	if size == 0 { // one that fails on demand: its image is on a disk that can be made too small for it
		size, d.under = 600, filepath.Join(b.dir, "under")
		if err := os.Mkdir(d.under, 0o700); err != nil {
			t.Fatal(err)
		}
		d.do("mount", "-t", "tmpfs", "-o", "size=800m", "tmpfs", d.under)
		t.Cleanup(func() { exec.Command("umount", d.under).Run() })
		d.image = filepath.Join(d.under, "image")
	}
	file, err := os.Create(d.image)
	if err != nil {
		t.Fatal(err)
	}
	if err := file.Truncate(size << 20); err != nil {
		t.Fatal(err)
	}
	file.Close()
	options, errors := "has_journal", "remount-ro"
	if d.under != "" { // then it goes on after an error
		options, errors = "^has_journal", "continue"
	}
	d.do("mkfs.ext4", "-q", "-m", "0", "-O", options, "-e", errors, d.image)
	if err := os.Mkdir(d.at, 0o700); err != nil {
		t.Fatal(err)
	}
	d.mount("rw")
	t.Cleanup(func() {
		if b.cmd != nil && b.cmd.ProcessState == nil {
			b.kill()
		}
		exec.Command("umount", d.at).Run()
	})
	return b, d
}

func (d *disk) do(name string, args ...string) {
	d.t.Helper()
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		d.t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
}

func (d *disk) mount(mode string) {
	d.t.Helper()
	d.do("mount", "-o", "loop,"+mode, d.image, d.at)
}

func (d *disk) free() uint64 {
	var fs unix.Statfs_t
	if err := unix.Statfs(d.at, &fs); err != nil {
		d.t.Fatal(err)
	}
	return fs.Bavail * uint64(fs.Bsize)
}

// fill leaves so many MiB.
func (d *disk) fill(name string, leave uint64) {
	d.t.Helper()
	file, err := os.Create(filepath.Join(d.at, name))
	if err != nil {
		d.t.Fatal(err)
	}
	defer file.Close()
	for size := int64(0); d.free() > leave<<20; size += 1 << 20 {
		step := int64(min(1<<20, d.free()-leave<<20))
		if err := unix.Fallocate(int(file.Fd()), 0, size, step); err == unix.ENOSPC {
			break
		} else if err != nil {
			d.t.Fatal(err)
		}
	}
}

var waitsAt = regexp.MustCompile(`every page says so: (http://\S+)/\n`)

// waits starts the box where its store can't be opened: it serves all the same.
func (b *box) waits() {
	b.t.Helper()
	b.launch(b.command())
	b.until("it serves", func() bool {
		found := waitsAt.FindStringSubmatch(b.out.String())
		if found != nil {
			b.url, b.addr = found[1], strings.TrimPrefix(found[1], "http://")
		}
		return found != nil
	})
}

func (b *box) until(what string, is func() bool) {
	b.t.Helper()
	for deadline := time.Now().Add(patience); !is(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			b.t.Fatalf("not in time: %s\n%s", what, b.out)
		}
	}
}

// wantWaiting wants the page of a box without a store, on any address.
func (b *box) wantWaiting(why map[string]string) {
	b.t.Helper()
	for lang, says := range map[string]string{"en": "t store just now", "ru": "сейчас не может сохранять"} {
		who := b.client()
		who.lang = lang
		for _, path := range []string{"/", "/host", "/t/1", "/t/1/host", "/box", "/screen"} {
			status, page, err := who.ask("GET", path, nil)
			if err != nil || status != 503 || !strings.Contains(page, says) || !strings.Contains(page, why[lang]) || !strings.Contains(page, `http-equiv="refresh"`) {
				b.t.Errorf("GET %s: %d %v\n%s", path, status, err, mainPart.FindString(page))
			}
		}
	}
}

// back waits until the store is open again.
func (b *box) back(who *client) {
	b.t.Helper()
	b.until("the box is back", func() bool {
		status, _, err := who.ask("GET", "/", nil)
		return err == nil && status == 200
	})
}

// playing is a host and five players in a night.
func (b *box) playing() (host *client, players []*client) {
	b.t.Helper()
	host, players = b.seated(5)
	host.post("/t/1/host/deal", form("by", "box"))
	host.step("night")
	return host, players
}

// TestDiskFull: a disk that fills up while a game is on gives its ballast for the
// rest of it. When that is used up, too, forms are refused and say why; the box
// starts on what is left of it, and goes on where there is room again.
func TestDiskFull(t *testing.T) {
	t.Parallel()
	b, d := onDisk(t, 600)
	b.run()
	ballast := filepath.Join(d.at, "ballast")
	var is syscall.Stat_t
	if err := syscall.Stat(ballast, &is); err != nil || is.Blocks*512 < 100<<20 {
		t.Fatalf("the ballast takes %d bytes (%v)", is.Blocks*512, err)
	}
	if free := d.free() >> 20; free < 192 {
		t.Errorf("on a card with 512 MB free %d MiB stay for games", free)
	}
	host, players := b.playing()

	// full to the last byte while it is off: it starts, and takes acts
	d.fill("others", 0)
	b.kill()
	b.run()
	players[0].post("/t/1/night", form("p1", "2", "p2", "0", "key", "first"))
	if _, err := os.Stat(ballast); err == nil {
		t.Error("the ballast is still there")
	}
	if free := d.free() >> 20; free < 100 {
		t.Errorf("%d MiB for the rest of the evening", free)
	}

	owner := b.client()
	owner.ask("POST", "/box", form("code", "OWNER"))
	if page := owner.get("/box/checkup"); !strings.Contains(page, "no reserve any more") {
		t.Errorf("the owner is not told that the ballast is gone:\n%s", mainPart.FindString(page))
	}
	if page := owner.get("/box"); !strings.Contains(page, "The card is nearly full: ") {
		t.Errorf("the owner's page does not say that the card is nearly full:\n%s", mainPart.FindString(page))
	}

	// full again: refused, and nothing is shown that was not stored
	d.fill("more", 0)
	record, page := host.record(), players[1].page("/t/1")
	for lang, want := range map[string]string{"en": "card is full", "ru": "Карта памяти коробки заполнена"} {
		players[1].lang = lang
		status, body, err := players[1].send("/t/1/night", form("p1", "3", "p2", "0", "key", "full"+lang))
		if err != nil || !strings.Contains(body, want) {
			t.Errorf("a form on a full disk: %d %q %v", status, body, err)
		}
	}
	players[1].lang = "en"
	if host.record() != record || players[1].page("/t/1") != page {
		t.Error("something is shown that was not stored")
	}
	if page := owner.get("/box"); !strings.Contains(page, "The card is full") {
		t.Errorf("the owner is not told:\n%s", page)
	}

	// and started on a full disk without a ballast
	b.kill()
	b.waits()
	b.wantWaiting(map[string]string{"en": "The card is full", "ru": "Карта памяти заполнена"})
	if err := os.Remove(filepath.Join(d.at, "more")); err != nil {
		t.Fatal(err)
	}
	b.back(host)
	if host.record() != record {
		t.Errorf("the record was\n%s\nand is\n%s", record, host.record())
	}
	b.once(host, players, form("p1", "3", "p2", "0", "key", "fullen"), record)
	if err := os.Remove(filepath.Join(d.at, "others")); err != nil {
		t.Fatal(err)
	}
	players[2].post("/t/1/night", form("p1", "1", "p2", "0"))
	if _, err := os.Stat(ballast); err != nil {
		t.Error("there is room again, and no ballast:", err)
	}
}

// TestBackupWithoutRoom: a backup that the disk has no room for is neither taken
// nor made, the owner is told so, and what a box has left of one is gone when
// the next opens its store.
func TestBackupWithoutRoom(t *testing.T) {
	t.Parallel()
	b, d := onDisk(t, 600)
	b.run()
	owner := b.owner()
	d.fill("filler", 80)
	large := make([]byte, 40<<20)
	const says = "too little room left for that"
	before := d.free()
	// Its size is told first, and the line may be cut while it still comes.
	if status, page := owner.upload("/box/backup/upload", large); status != 0 && (status != 507 || !strings.Contains(page, says)) || d.free() < before {
		t.Errorf("a file without room: %d, %d MiB are left\n%s", status, d.free()>>20, page)
	}
	if err := os.Remove(filepath.Join(d.at, "filler")); err != nil {
		t.Fatal(err)
	}
	d.fill("filler", 64)
	before = d.free()
	if status, page := owner.upload("/box/backup/upload", large[:90<<10]); status != 507 || !strings.Contains(page, says) || d.free() < before {
		t.Errorf("a small one: %d, %d MiB are left\n%s", status, d.free()>>20, page)
	}
	if status, page, err := owner.ask("GET", "/box/backup.zip", nil); err != nil || status != 507 || !strings.Contains(page, says) {
		t.Errorf("a download: %d %v\n%s", status, err, page)
	}
	if _, err := os.Stat(filepath.Join(d.at, "ballast")); err != nil {
		t.Error("the ballast is gone:", err)
	}
	b.kill()
	for _, name := range []string{"ballast", "filler"} {
		if err := os.Remove(filepath.Join(d.at, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(d.at, "upload.zip"), large, 0o600); err != nil {
		t.Fatal(err)
	}
	d.fill("filler", 0)
	b.run() // with the room of what was left
	if _, err := os.Stat(filepath.Join(d.at, "upload.zip")); err == nil {
		t.Error("it stays")
	}
}

// TestReadOnly: a box that is started on a disk that takes no writing says so on
// every page, and opens by itself once it does.
func TestReadOnly(t *testing.T) {
	t.Parallel()
	b, d := onDisk(t, 600)
	b.run()
	host, players := b.playing()
	record := host.record()
	b.kill()
	d.do("mount", "-o", "remount,ro", d.at)
	b.waits()
	b.wantWaiting(map[string]string{"en": "takes no writing", "ru": "не даёт записывать"})
	if status, body, err := players[0].send("/t/1/night", form("p1", "2", "p2", "0", "key", "ro")); status != 503 || err != nil || !strings.Contains(body, "t store just now") {
		t.Errorf("a form: %d %q %v", status, body, err)
	}
	d.do("mount", "-o", "remount,rw", d.at)
	b.back(host)
	if host.record() != record {
		t.Errorf("the record was\n%s\nand is\n%s", record, host.record())
	}
	players[0].post("/t/1/night", form("p1", "2", "p2", "0", "key", "ro"))
}

// TestDiskLocked: a card that fails while a game is on becomes read-only, as
// Linux has it. Every page says so, and what was accepted is there on the next one.
func TestDiskLocked(t *testing.T) {
	t.Parallel()
	b, d := onDisk(t, 600)
	b.run()
	host, players := b.playing()
	players[0].post("/t/1/night", form("p1", "2", "p2", "0", "key", "first"))
	record := host.record()
	device, err := exec.Command("findmnt", "-no", "SOURCE", d.at).Output()
	if err != nil {
		t.Fatal(err)
	}
	trigger := fmt.Sprintf("/sys/fs/ext4/%s/trigger_fs_error", filepath.Base(strings.TrimSpace(string(device))))
	if err := os.WriteFile(trigger, []byte("a bad card"), 0o200); err != nil {
		t.Fatal(err)
	}
	f := form("p1", "3", "p2", "0", "key", "lost")
	if status, body, err := players[1].send("/t/1/night", f); err == nil && status != 503 {
		t.Errorf("the form that met it: %d %q", status, body)
	}
	b.wantTrouble(host)
	b.wantWaiting(map[string]string{"en": "takes no writing", "ru": "не даёт записывать"})
	if b.cmd.Process.Signal(syscall.Signal(0)) != nil {
		t.Error("the process has ended")
	}
	b.kill()
	d.do("umount", d.at)
	exec.Command("fsck.ext4", "-fy", d.image).Run() // 1 where it mended something
	d.mount("rw")
	b.run()
	b.once(host, players, f, record)
}

// TestDiskFails: a disk that answers with errors for a while. The same process
// has a store again when they end.
func TestDiskFails(t *testing.T) {
	t.Parallel()
	b, d := onDisk(t, 0)
	b.run()
	host, players := b.playing()
	players[0].post("/t/1/night", form("p1", "2", "p2", "0", "key", "first"))
	record := host.record()
	owner := b.client()
	owner.ask("POST", "/box", form("code", "OWNER"))
	d.below(1) // no block that was not written before can be
	f := form("p1", "3", "p2", "0", "key", "lost")
	for n := 0; ; n++ { // a block may have been written before
		if status, _, err := players[1].send("/t/1/night", f); err == nil && status == 503 {
			break
		}
		if n > 1000 {
			t.Fatal("the disk never failed")
		}
		record = host.record()
		f = form("p1", fmt.Sprint(1+n%5), "p2", "0", "key", fmt.Sprint("lost", n))
	}
	b.wantTrouble(host)
	b.wantWaiting(map[string]string{"en": "The card is full", "ru": "Карта памяти заполнена"}) // so the loop device has it
	d.below(800)
	b.back(host)
	if page := owner.get("/box"); !strings.Contains(page, b.code()) {
		t.Error("the owner is nobody any more")
	}
	b.once(host, players, f, record)
	if b.cmd.Process.Signal(syscall.Signal(0)) != nil {
		t.Error("the process has ended")
	}
}

// wantTrouble waits until every page says that there is no store.
func (b *box) wantTrouble(who *client) {
	b.t.Helper()
	b.until("every page says so", func() bool {
		status, _, err := who.ask("GET", "/", nil)
		return err == nil && status == 503
	})
}

// once wants the record that was there, and a form that comes again to count once.
func (b *box) once(host *client, players []*client, f url.Values, record string) {
	b.t.Helper()
	if found := host.record(); !strings.HasPrefix(found, record) {
		b.t.Errorf("the record was\n%s\nand is\n%s", record, found)
	}
	players[0].post("/t/1/night", form("p1", "2", "p2", "0", "key", "first"))
	players[1].post("/t/1/night", f)
	once := host.record()
	players[1].post("/t/1/night", f)
	if gained := strings.TrimPrefix(host.record(), record); gained == "" || host.record() != once {
		b.t.Errorf("the record gained\n%s", gained)
	}
}

// TestDiskStands: a disk that stands still for five seconds makes a form wait,
// and it is answered once it was stored.
func TestDiskStands(t *testing.T) {
	t.Parallel()
	b, d := onDisk(t, 600)
	b.run()
	host, players := b.playing()
	record := host.record()
	d.do("fsfreeze", "-f", d.at)
	const stands = 5 * time.Second
	began := time.Now()
	time.AfterFunc(stands, func() { exec.Command("fsfreeze", "-u", d.at).Run() })
	players[0].post("/t/1/night", form("p1", "2", "p2", "0"))
	if since := time.Since(began); since < stands {
		t.Errorf("answered after %v, when nothing could be stored", since)
	}
	if host.record() == record {
		t.Error("nothing was stored")
	}
}

// TestDiskFailsPhones: pages that are open say that the box can't store, come
// back by themselves, and what was sent meanwhile counts, once.
func TestDiskFailsPhones(t *testing.T) {
	t.Parallel()
	browser := chromium(t)
	b, d := onDisk(t, 0)
	b.run()
	host, player := newPhone(t, browser, "host"), newPhone(t, browser, "player")
	player.do(chromedp.Navigate(b.url+"/j/"+b.code()), chromedp.SendKeys(chromedp.CSS("input[name=name]"), "Anna"))
	player.click(".big")
	player.shows("Anna")
	host.do(chromedp.Navigate(b.url+"/host"), chromedp.SendKeys(chromedp.CSS("input[name=code]"), hostCode))
	host.click(".big")
	host.shows("Anna")
	d.below(1)
	for n := 0; ; n++ { // a block may have been written before
		name := fmt.Sprint("Grandma", n)
		host.do(chromedp.SendKeys(chromedp.CSS("#f-add input[name=name]"), name))
		host.click("#f-add button")
		var text string
		b.until("the form is answered", func() bool {
			text = host.text()
			return strings.Contains(text, name) || strings.Contains(text, "t store just now")
		})
		if strings.Contains(text, "t store just now") {
			d.below(800)
			host.shows(name)
			player.shows(name)
			if n := strings.Count(host.text(), name); n > 2 {
				t.Errorf("%s is there %d times:\n%s", name, n, host.text())
			}
			return
		}
		if n > 30 {
			t.Fatal("the disk never failed")
		}
	}
}
