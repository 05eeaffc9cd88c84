package store

import (
	"bufio"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

const childDir = "MAFIABOX_STORE_TEST_DIR"

// TestMain makes the test binary the child of TestKill and TestInUseElsewhere as well.
func TestMain(m *testing.M) {
	if dir := os.Getenv(childDir); dir != "" {
		if err := child(dir); err != nil {
			fmt.Println("error", errors.Is(err, ErrInUse), err)
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}

// child goes on with two games at two tables as fast as it can, and says what is acknowledged.
func child(dir string) error {
	s, err := Open(dir, nil)
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

// goOn plays one game to its end, or from where it stands.
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
	begin := Change{Table: table, Game: n, Head: []byte(head), Doc: fmt.Append(nil, n)}
	if errors.Is(err, ErrNotFound) {
		err = s.Commit(begin)
	}
	for no := len(g.Acts) + 1; err == nil && no <= 200; {
		to := min(no+rand.IntN(3), 200)
		err = s.Commit(Change{Table: table, Game: n, Acts: acts(no, to), Over: to == 200})
		if err == nil {
			fmt.Println(table, n, to)
		}
		no = to + 1
	}
	return err
}

func TestKill(t *testing.T) {
	if testing.Short() {
		t.Skip("kills processes for seconds")
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
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
		cmd := exec.Command(exe)
		cmd.Env = append(os.Environ(), childDir+"="+dir)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(after, func() { cmd.Process.Kill() })
		acknowledged := map[[2]any]int{}
		for lines := bufio.NewScanner(out); lines.Scan(); {
			var table string
			var n, no int
			if _, err := fmt.Sscan(lines.Text(), &table, &n, &no); err != nil {
				t.Error(lines.Text())
				continue
			}
			acknowledged[[2]any{table, n}] = no
			total++
		}
		cmd.Wait()
		s := open(t, dir)
		for at, no := range acknowledged {
			table, n := at[0].(string), at[1].(int)
			g := game(t, s, table, n)
			if len(g.Acts) < no {
				t.Errorf("game %d of %s: %d acknowledged, %d there", n, table, no, len(g.Acts))
			}
			wantGame(t, s, table, n, len(g.Acts))
		}
		wantFilesButAside(t, s)
		s.Close()
	}
	t.Log(total, "commits acknowledged")
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
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	_, dir, _ := stored(t)
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), childDir+"="+dir)
	out, err := cmd.Output()
	if err == nil || !strings.HasPrefix(string(out), "error true ") {
		t.Fatalf("%v: %s", err, out)
	}
}
