package store

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

const childDir = "MAFIABOX_STORE_TEST_DIR"

// TestMain makes the test binary the child of TestKill and TestInUseElsewhere as
// well, and the process that looks at a store first.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "check-store" {
		if err := Check(os.Args[2], os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if dir := os.Getenv(childDir); dir != "" {
		if how := os.Getenv(childOpens); how != "" {
			if err := opens(dir, how); err != nil {
				fmt.Println(err)
				os.Exit(1)
			}
			os.Exit(0)
		}
		if err := child(dir); err != nil {
			fmt.Println("error", errors.Is(err, ErrInUse), err)
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}

// itself is the command that runs this test binary, through what runs programs
// of another machine if need be.
func itself(t testing.TB) []string {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return append(strings.Fields(os.Getenv("MAFIABOX_TEST_EXEC")), exe)
}

// childOf is this test binary as a process of its own, on a folder.
func childOf(t testing.TB, dir string, env ...string) *exec.Cmd {
	self := itself(t)
	cmd := exec.Command(self[0], self[1:]...)
	cmd.Env = append(append(os.Environ(), childDir+"="+dir), env...)
	return cmd
}

// looker is the command that looks at a store first.
func looker(t testing.TB) []string { return append(itself(t), "check-store") }

// child goes on with two games at two tables as fast as it can, and says what is acknowledged.
func child(dir string) error {
	var s Store
	var err error
	if part := os.Getenv(childUnsynced); part != "" {
		s, err = unsynced(dir, part)
	} else {
		s, _, err = Open(dir, nil)
	}
	if err != nil {
		return err
	}
	var wg sync.WaitGroup
	for _, table := range []string{"a", "b"} {
		wg.Go(func() {
			for err == nil {
				err = goOn(s, table)
			}
			fmt.Println("error", err)
			os.Exit(1)
		})
	}
	wg.Wait()
	return nil
}

// goOn plays one game to its end, or from where it stands. Every third Commit has
// the table's document, which is a number that counts up.
func goOn(s Store, table string) error {
	numbers, err := s.Games(table)
	if err != nil {
		return err
	}
	n := max(1, len(numbers))
	g, err := s.Game(table, n)
	if err == nil && g.Over {
		n, g, err = n+1, Game{}, ErrNotFound
	}
	docs, wrong := s.Tables()
	if wrong != nil {
		return wrong
	}
	doc, _ := strconv.Atoi(string(docs[table]))
	if errors.Is(err, ErrNotFound) {
		doc++
		err = s.Commit(Change{Table: table, Game: n, Head: []byte(head), Doc: fmt.Append(nil, doc)})
	}
	for no := len(g.Acts) + 1; err == nil && no <= 200; {
		to := min(no+rand.IntN(3), 200)
		c := Change{Table: table, Game: n, Acts: acts(no, to), Over: to == 200}
		if no%3 == 0 {
			doc++
			c.Doc = fmt.Append(nil, doc)
		}
		err = s.Commit(c)
		if err == nil {
			fmt.Println(table, n, to, doc)
		}
		no = to + 1
	}
	return err
}

func TestKill(t *testing.T) {
	if testing.Short() {
		t.Skip("kills processes for seconds")
	}
	dir, total := t.TempDir(), 0
	rounds := 10
	if os.Getenv("MAFIABOX_LONG") != "" {
		rounds = 100
	}
	for round := range rounds {
		after := time.Duration(200+rand.IntN(600)) * time.Millisecond
		if round%3 == 2 { // while it opens
			after = time.Duration(rand.IntN(60)) * time.Millisecond
		}
		cmd := childOf(t, dir)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(after, func() { cmd.Process.Kill() })
		acknowledged := acknowledgements(t, out)
		cmd.Wait()
		s, _ := mended(t, dir, looker(t)...)
		for id, is := range acknowledged {
			table, n, no := id.Table, id.N, is.act
			total += no
			g := game(t, s, table, n)
			if len(g.Acts) < no {
				t.Errorf("game %d of %s: %d acknowledged, %d there", n, table, no, len(g.Acts))
			}
			wantGame(t, s, table, n, len(g.Acts))
		}
		wantFilesButAside(t, s)
		s.Close()
	}
	t.Log(total, "acts acknowledged")
	if total < 10 {
		t.Error("too few commits to show anything")
	}
}

// wantFilesButAside allows what an unacknowledged commit left: lines set aside,
// or the file of a game that has not begun.
func wantFilesButAside(t *testing.T, s *store) {
	t.Helper()
	list, err := os.ReadDir(s.files.dir)
	if err != nil {
		t.Fatal(err)
	}
	next := map[string]bool{}
	for _, table := range []string{"a", "b"} {
		numbers, err := s.Games(table)
		if err != nil {
			t.Fatal(err)
		}
		next[fileName(table, len(numbers)+1)] = true
	}
	var others []string
	for _, e := range list {
		if strings.Contains(e.Name(), ".aside") || next[e.Name()] {
			others = append(others, e.Name())
		}
	}
	wantFiles(t, s, others...)
}

func TestInUseElsewhere(t *testing.T) {
	_, dir, _ := stored(t)
	cmd := childOf(t, dir)
	out, err := cmd.Output()
	if err == nil || !strings.HasPrefix(string(out), "error true ") {
		t.Fatalf("%v: %s", err, out)
	}
}
