package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/mafiabox/mafiabox/engine/record"
)

const held = `rules boulevard
seats 5
cast don commissioner civilian*3
deal 1
begin
= all phase day 0
host night
= all phase night 1
host night
= host refused phase
`

func TestReplay(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	holds := file("holds.mafia", held)
	fails := file("fails.mafia", held+"! host refused\n= all stay\n")
	broken := file("broken.mafia", "rules boulevard\nseats 5\nrole 6 don\n")
	large := file("large.mafia", strings.Repeat("#", record.MaxSize+1))
	missing := filepath.Join(dir, "missing.mafia")
	fewer := file("fewer.mafia", "rules boulevard\nseats 7\nrole 1 don\nrole 2 doctor\nbegin\nhost night\n")
	undealt := file("undealt.mafia", "rules boulevard\nseats 5\ncast don commissioner civilian*3\nbegin\nhost night\n= all phase night 1\n")
	expected := file("expected.mafia", "rules boulevard\nseats 7\nrole 1 don\nbegin\n= host refused setup\n")
	onlyNever := file("never.mafia", "rules boulevard\nseats 40\ndeal 1\nbegin\n! all phase\n! host refused setup\n")

	for _, c := range []struct {
		name      string
		cmd       replayCmd
		code      exitCode
		out, errs string
	}{
		{"holds", replayCmd{Check: true, Files: []string{holds}}, 0, "", ""},
		{"fails", replayCmd{Check: true, Files: []string{fails, holds}}, 1,
			fails + ":11: want no host refused, got host refused phase\n" + fails + ":12: want all stay, got host refused phase\n", ""},
		{"broken, and the rest is done", replayCmd{Check: true, Files: []string{broken, fails}}, 2,
			fails + ":11: want no host refused, got host refused phase\n" + fails + ":12: want all stay, got host refused phase\n",
			broken + ":3: there is no seat 6: expected 1 to 5\n"},
		{"broken to print", replayCmd{Files: []string{broken}}, 2, "", broken + ":3: there is no seat 6: expected 1 to 5\n"},
		{"fewer roles than seats", replayCmd{Check: true, Files: []string{fewer, holds}}, 1, "",
			fewer + ":5: the game never began: 2 roles for 7 seats: expected one for each, or a deal\n"},
		{"a cast without a deal", replayCmd{Check: true, Files: []string{undealt, broken}}, 2,
			undealt + ":6: want all phase night 1, got host refused setup\n",
			undealt + ":4: the game never began: 0 roles for 5 seats: expected one for each, or a deal\n" + broken + ":3: there is no seat 6: expected 1 to 5\n"},
		{"no game, as expected", replayCmd{Check: true, Files: []string{expected}}, 0, "", ""},
		{"no game, against what is expected", replayCmd{Check: true, Files: []string{onlyNever}}, 1,
			onlyNever + ":6: want no host refused setup, got host refused setup\n",
			onlyNever + ":4: the game never began: 40 seats: these rules take 5 to 20\n"},
		{"no game, printed", replayCmd{Files: []string{fewer}}, 0,
			"rules boulevard\nseats 7\nrole 1 don\nrole 2 doctor\nbegin\n= host refused setup\nhost night\n= host refused setup\n# not begun: 2 roles for 7 seats: expected one for each, or a deal\n",
			fewer + ":5: the game never began: 2 roles for 7 seats: expected one for each, or a deal\n"},
		{"large", replayCmd{Files: []string{large}}, 2, "", large + ": larger than 16 MiB\n"},
		{"missing", replayCmd{Check: true, Files: []string{missing}}, 2, "", "open " + missing + ": no such file or directory\n"},
		{"a folder", replayCmd{Check: true, Files: []string{dir}}, 2, "", "read " + dir + ": is a directory\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out, errs bytes.Buffer
			code := c.cmd.replay(&out, &errs)
			if code != c.code || out.String() != c.out || errs.String() != c.errs {
				t.Errorf("got  %d\n%s%s\nwant %d\n%s%s", code, &out, &errs, c.code, c.out, c.errs)
			}
		})
	}
}

// TestMalformedRecords: the program says in one line, with the file and the
// line, what is wrong with a record that can't be read, and never tries it.
func TestMalformedRecords(t *testing.T) {
	head := "rules boulevard\nseats 5\n"
	dealt := head + "deal 1\nbegin\n"
	path := filepath.Join(t.TempDir(), "game.mafia")
	for _, c := range []struct{ name, text, says string }{
		{"an unknown verb", dealt + "host night\n1 fly 2\n", `:6: unknown verb "fly"`},
		{"an unknown header", head + "colour blue\nbegin\n", `:3: expected a header line or begin, not "colour"`},
		{"an unknown option", "rules boulevard\nset luck yes\n" + head, `:2: unknown option "luck"`},
		{"a seat that isn't there", dealt + "host night\n6 wait\n", ":6: there is no seat 6: expected 1 to 5"},
		{"a target that isn't there", dealt + "host night\n1 shoot 9\n", ":6: there is no seat 9: expected 1 to 5"},
		{"no target", dealt + "host night\n1 shoot\n", ":6: expected: 1 shoot SEAT"},
		{"two deals", head + "deal 1\ndeal 2\nbegin\n", `:4: a second line "deal": expected one`},
		{"a deal and roles", head + "role 1 don\ndeal 2\nbegin\n", `:4: "deal" beside "role"`},
		{"no begin", head + "deal 1\nhost night\n", `:4: expected: host "TEXT" (an act of the host comes after begin)`},
		{"nothing after the header", head + "deal 1\n", `:3: the file ends before "begin"`},
		{"empty", "", ":1: expected \"rules\""},
		{"binary junk", "\x7fELF\x02\x01\x01\x00\xff\xfe\n\x00\x00", ":1: not UTF-8 text"},
		{"junk in a game", dealt + "host night\n\x00\x1b[2J\n", ":6: a control character"},
		{"not UTF-8", dealt + "host note \"\xff\xfe\"\n", ":5: not UTF-8 text"},
		{"an open quote", dealt + "host note \"to be\n", ":5: expected a closing quote"},
		{"too large", dealt + strings.Repeat("#", record.MaxSize), ": larger than 16 MiB"},
	} {
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{{"replay", path}, {"replay", "--check", path}} {
			var out, errs bytes.Buffer
			cmd := exec.Command(program, args...)
			cmd.Stdout, cmd.Stderr = &out, &errs
			cmd.Run()
			said := errs.String()
			if code := exitCode(cmd.ProcessState.ExitCode()); code != exitUnreadable || out.Len() > 0 {
				t.Errorf("%s: exit %d\n%s%s", c.name, code, &out, said)
			}
			if !strings.HasPrefix(said, path+c.says) || strings.Count(said, "\n") != 1 || strings.IndexFunc(said, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }) >= 0 {
				t.Errorf("%s: it says %q", c.name, said)
			}
		}
	}
}

// What replay prints is a record that it accepts.
func TestReplayPrintsARecord(t *testing.T) {
	dir := t.TempDir()
	given, printed := filepath.Join(dir, "given.mafia"), filepath.Join(dir, "printed.mafia")
	if err := os.WriteFile(given, []byte(held), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, offers := range []bool{false, true} {
		var out, errs bytes.Buffer
		if code := (&replayCmd{Offers: offers, Files: []string{given}}).replay(&out, &errs); code != 0 {
			t.Fatalf("%d %s", code, &errs)
		}
		if has := strings.Contains(out.String(), "\n= host offer dawn 0 0\n"); has != offers {
			t.Errorf("offers: %v\n%s", offers, &out)
		}
		if err := os.WriteFile(printed, out.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		var failed bytes.Buffer
		if code := (&replayCmd{Check: true, Files: []string{printed}}).replay(&failed, &failed); code != 0 {
			t.Errorf("%d %s\n%s", code, &failed, &out)
		}
	}
}

// Of several files each is named.
func TestReplayNamesFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.mafia")
	if err := os.WriteFile(path, []byte(held), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	(&replayCmd{Files: []string{path, path}}).replay(&out, &errs)
	if n := strings.Count(out.String(), "# \""+path+"\"\n"); n != 2 {
		t.Errorf("named %d times:\n%s%s", n, &out, &errs)
	}
}
