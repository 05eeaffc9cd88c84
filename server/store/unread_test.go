package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// unreadable are the ways in which a file can't be read, though its name is there.
var unreadable = map[string]func(path string) error{
	"a loop": func(path string) error { return errors.Join(os.Remove(path), os.Symlink(filepath.Base(path), path)) },
	"a folder": func(path string) error {
		return errors.Join(os.Remove(path), os.Mkdir(path, 0o700), os.WriteFile(filepath.Join(path, "in it"), nil, 0o600))
	},
}

// unread is the findings of files that could not be read, by what is said of them.
func unread(found []Finding) (all []string) {
	for _, f := range found {
		if f.Unread {
			all = append(all, fmt.Sprint(f.What, " ", f.Table, " ", f.Game, " ", f.Good))
		}
	}
	return all
}

// One file that can't be read counts as one that holds nothing, is set aside, and
// is told. The store opens.
func TestUnreadable(t *testing.T) {
	for kind, spoil := range unreadable {
		for _, c := range []struct{ name, whole, alone string }{ // what is told with Badger, and without
			{"games/a-1.mafia", "mended a 1 5", "lost a 1 -1"},
			{"tables/a.doc", "mended a 0 0", "lost a 0 -1"},
		} {
			for _, badger := range []bool{true, false} {
				t.Run(fmt.Sprint(kind, " ", filepath.Base(c.name), " ", badger), func(t *testing.T) {
					s, dir, _ := stored(t)
					commit(t, s, Change{Table: "b", Game: 1, Head: []byte(head), Acts: acts(1, 3), Doc: []byte("b")})
					s.Close()
					if err := spoil(filepath.Join(dir, c.name)); err != nil {
						t.Fatal(err)
					}
					want := c.whole
					if !badger {
						want = c.alone
						if err := os.RemoveAll(filepath.Join(dir, inside)); err != nil {
							t.Fatal(err)
						}
					}
					s, found := mended(t, dir)
					if got := unread(found); len(got) != 1 || got[0] != want {
						t.Fatal(found)
					}
					for _, f := range found {
						if _, err := os.Lstat(f.Aside); f.Unread && (err != nil || !strings.Contains(f.String(), "could not be read")) {
							t.Error(f, err)
						}
					}
					wantGame(t, s, "b", 1, 3)
					docs, err := s.Tables()
					if err != nil || string(docs["b"]) != "b" {
						t.Error(docs, err)
					}
					if badger {
						wantGame(t, s, "a", 1, 5)
						if string(docs["a"]) != "{}" {
							t.Error(docs)
						}
					}
					if badger || c.alone == "lost a 0 -1" {
						commit(t, s, Change{Table: "a", Game: 1, Acts: acts(6, 7), Doc: []byte("new")})
					}
					s.Close()
					told := found
					_, found = mended(t, dir)
					if found = slices.DeleteFunc(found, func(f Finding) bool { return slices.ContainsFunc(told, f.same) }); len(found) > 0 {
						t.Error("again:", found)
					}
				})
			}
		}
	}
}

// An inode that the disk has lost can't even be moved. The store opens with what
// Badger has, tells it at every start, and other tables go on.
func TestLostInode(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root mounts")
	}
	image := filepath.Join(t.TempDir(), "img")
	run(t, "truncate", "--size=300M", image)
	run(t, "mkfs.ext4", "-q", "-F", image)
	disk := mount(t, image)
	dir := filepath.Join(disk, "data")
	s := open(t, dir)
	commit(t, s, Change{Table: "a", Game: 1, Head: []byte(head), Acts: acts(1, 5), Doc: []byte("{}")},
		Change{Table: "b", Game: 1, Head: []byte(head), Acts: acts(1, 3), Doc: []byte("b")})
	s.Close()
	unmount(t, disk)
	run(t, "debugfs", "-w", "-R", "clri /data/games/a-1.mafia", image)
	run(t, "debugfs", "-w", "-R", "clri /data/tables/a.doc", image)
	run(t, "mount", "-o", "loop", image, disk)
	if _, err := os.ReadFile(filepath.Join(dir, "games", "a-1.mafia")); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Fatal("it is no lost inode:", err)
	} else {
		t.Log(err)
	}
	for range 2 {
		s, found := mended(t, dir)
		if got := unread(found); len(got) != 2 || got[0] != "mended a 0 0" || got[1] != "mended a 1 5" {
			t.Fatal(found)
		}
		wantGame(t, s, "a", 1, 5)
		if docs, err := s.Tables(); err != nil || string(docs["a"]) != "{}" {
			t.Error(docs, err)
		}
		n := len(game(t, s, "b", 1).Acts)
		commit(t, s, Change{Table: "b", Game: 1, Acts: acts(n+1, n+1), Doc: []byte("b")}, Change{Table: "a", Game: n, Head: []byte(head)})
		if err := s.Commit(Change{Table: "a", Game: 1, Acts: acts(6, 6)}); err == nil || errors.Is(err, ErrStopped) {
			t.Error("stored without its second copy:", err)
		}
		s.Close()
	}
	unmount(t, disk)
}

// A folder that can't be read, or files that are another user's, are no spoilt file.
func TestUnreadableFolder(t *testing.T) {
	for _, part := range []string{"games", "tables"} {
		s, dir, _ := stored(t)
		s.Close()
		path := filepath.Join(dir, part)
		if err := errors.Join(os.Rename(path, path+"2"), os.Symlink(part, path)); err != nil {
			t.Fatal(err)
		}
		if _, _, err := Open(dir, nil); err == nil {
			t.Error("opened without", part)
		}
	}
	if ofFile(&fs.PathError{Err: unix.EACCES}) || ofFile(nil) || !ofFile(errors.New("input/output error")) {
		t.Error("what is of the file, and what of who runs the box")
	}
}
