package record

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/mafiabox/mafiabox/engine"
)

var known = []engine.Ruleset{toy{}}

// game is a record of three seats with these lines after begin, which is line 6.
func game(lines ...string) string {
	return "rules toy\nseats 3\nrole 1 don\nrole 2 town\nrole 3 town\nbegin\n" + strings.Join(lines, "\n") + "\n"
}

func TestSyntaxErrors(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", `line 1: expected "rules" and the name of a rule system before anything else`},
		{"only a comment", "# nothing\n\n", `line 2: expected "rules" and the name of a rule system before anything else`},
		{"rules not first", "seats 3\nrules toy\n", `line 1: expected "rules" and the name of a rule system before anything else`},
		{"begin alone", "begin\n", `line 1: expected "rules" and the name of a rule system before anything else`},
		{"unknown rules", "rules tarot\n", `line 1: unknown rules "tarot": expected toy`},
		{"nameless rules", "rules\n", `line 1: expected: rules toy`},
		{"two rules", "rules toy\nrules toy\n", `line 2: a second line "rules": expected one`},
		{"binary", "\x7fELF\x02\x01", `line 1: a control character: expected it in quotes, written \u007f`},
		{"NUL", "rules toy\nseats \x003\n", `line 2: a control character: expected it in quotes, written \u0000`},
		{"raw control in quotes", "rules toy\ntable \"a\x1b[2J\"\n", `line 2: a control character: expected it in quotes, written \u001b`},
		{"not UTF-8", "rules toy\ntable \"\xff\"\n", `line 2: not UTF-8 text`},
		{"unterminated", "rules toy\ntable \"a\n", `line 2: expected a closing quote on the same line`},
		{"escaped quote", `rules toy` + "\n" + `table "a\"`, `line 2: expected a closing quote on the same line`},
		{"escape", `rules toy` + "\n" + `table "\x"`, `line 2: a backslash in quotes: expected \", \\, \n or \u and four hexadecimal digits`},
		{"surrogate", `rules toy` + "\n" + `table "\ud800"`, `line 2: a backslash in quotes: expected \", \\, \n or \u and four hexadecimal digits`},
		{"glued quote", "rules toy\ntable a\"b\"\n", `line 2: a quote inside a word: expected a space before it`},
		{"glued word", "rules toy\ntable \"a\"b\n", `line 2: expected a space after the closing quote`},
		{"no begin", "rules toy\nseats 3\n", `line 2: the file ends before "begin"`},
		{"begin without seats", "rules toy\nbegin\n", `line 2: expected the line "seats" before "begin"`},
		{"begin with words", "rules toy\nseats 3\nbegin now\n", `line 3: expected nothing after begin`},
		{"two begins", game("begin"), `line 7: "begin" after begin: expected an act`},
		{"late header", game("role 3 town"), `line 7: "role" after begin: expected an act`},
		{"early act", "rules toy\nseats 3\n1 heal 2\n", `line 3: expected a header line or begin, not "1"`},
		{"early act of the host", "rules toy\nhost night\n", `line 2: expected: host "TEXT" (an act of the host comes after begin)`},
		{"early check", "rules toy\nseats 3\n= all stay\n", `line 3: expected begin or an act above a check`},

		{"two seats", "rules toy\nseats 3\nseats 3\n", `line 3: a second line "seats": expected one`},
		{"no seats", "rules toy\nseats 0\n", `line 2: expected: seats 1…40`},
		{"many seats", "rules toy\nseats 41\n", `line 2: expected: seats 1…40`},
		{"odd seats", "rules toy\nseats 03\n", `line 2: expected: seats 1…40`},
		{"name before seats", "rules toy\nname 1 \"Anna\"\n", `line 2: expected the line "seats" before "name"`},
		{"unquoted name", "rules toy\nseats 3\nname 1 Anna\n", `line 3: expected: name SEAT "TEXT"`},
		{"second name", "rules toy\nseats 3\nname 1 \"A\"\nname 1 \"B\"\n", `line 4: a second line "name" for seat 1: expected one`},
		{"name of nobody", "rules toy\nseats 3\nname 4 \"A\"\n", `line 3: there is no seat 4: expected 1 to 3`},
		{"role before seats", "rules toy\nrole 1 don\n", `line 2: expected the line "seats" before "role"`},
		{"seat 0", "rules toy\nseats 3\nrole 0 don\n", `line 3: there is no seat 0: expected 1 to 3`},
		{"second role", "rules toy\nseats 3\nrole 1 don\nrole 1 town\n", `line 4: a second line "role" for seat 1: expected one`},
		{"quoted role", "rules toy\nseats 3\nrole 1 \"don\"\n", `line 3: expected: role SEAT ROLE`},
		{"role beside deal", "rules toy\nseats 3\ndeal 4\nrole 1 don\n", `line 4: "role" beside "deal": expected one or the other`},
		{"deal beside role", "rules toy\nseats 3\nrole 1 don\ndeal 4\n", `line 4: "deal" beside "role": expected one or the other`},
		{"cast beside role", "rules toy\nseats 3\nrole 1 don\ncast don\n", `line 4: "cast" beside "role": expected one or the other`},
		{"two deals", "rules toy\ndeal 4\ndeal 4\n", `line 3: a second line "deal": expected one`},
		{"odd deal", "rules toy\ndeal -1\n", `line 2: expected: deal SEED`},
		{"empty cast", "rules toy\ncast\n", `line 2: expected: cast ROLE… (don civilian*4)`},
		{"cast times nothing", "rules toy\ncast town*0\n", `line 2: expected: cast ROLE… (don civilian*4)`},
		{"cast times twice", "rules toy\ncast town*2*2\n", `line 2: expected: cast ROLE… (don civilian*4)`},
		{"large cast", "rules toy\ncast don town*40\n", `line 2: expected at most 40 roles`},

		{"unknown option", "rules toy\nset color red\n", `line 2: unknown option "color" of toy: expected colour, speech_s`},
		{"bad value", "rules toy\nset colour green\n", `line 2: colour can't be "green": expected red, blue`},
		{"bad number", "rules toy\nset speech_s 4\n", `line 2: speech_s can't be "4": expected a number from 5 to 600`},
		{"set twice", "rules toy\nset colour red\nset colour red\n", `line 3: colour is red already: expected it once`},
		{"set nothing", "rules toy\nset colour\n", `line 2: expected: set OPTION VALUE`},
		{"bad date", "rules toy\ndate 2026-02-30\n", `line 2: expected: date YYYY-MM-DD`},
		{"bad clock", "rules toy\nclock noon\n", `line 2: expected a moment such as 2026-05-04T12:00:00-04:00, not "noon"`},
		{"clock without a zone", "rules toy\nclock 2026-05-04T12:00:00\n", `line 2: expected a moment such as 2026-05-04T12:00:00-04:00, not "2026-05-04T12:00:00"`},
		{"two clocks", "rules toy\nclock 2026-05-04T12:00:00Z\nclock 2026-05-04T12:00:00Z\n", `line 3: a second line "clock": expected one`},
		{"unknown draw", "rules toy\ndraw straw 3\n", `line 2: expected: draw first_gang irish|italian, draw known_mafia SEAT`},
		{"draw before seats", "rules toy\ndraw known_mafia 3\n", `line 2: expected the line "seats" before "draw known_mafia"`},
		{"empty table", "rules toy\ntable \"\"\n", `line 2: expected: table "TEXT"`},
		{"unknown header", "rules toy\nweather fine\n", `line 2: expected a header line or begin, not "weather"`},

		{"unknown audience", game("= everybody stay"), `line 7: expected all, host or a seat after =, not "everybody"`},
		{"no audience", game("!"), `line 7: expected all, host or a seat after !`},
		{"check of nobody", game("= 4 told"), `line 7: there is no seat 4: expected 1 to 3`},
		{"unknown result", game("! all oot 5"), `line 7: unknown result "oot"`},
		{"glued check", game("=all stay"), `line 7: expected a seat's number, host, clock or guest, not "=all"`},
		{"unknown act", game("1 heel 2"), `line 7: unknown verb "heel": after SEAT comes nominate|withdraw|vote|raise|lock|unlock|extension|post|whisper|bestmove|shoot|whack|attack|block|cover|swap|heal|check|guess|seek|compare|suspect|wait`},
		{"Windows lines", "rules toy\r\nseats 3\r\n1 heal 2\r\n", `line 3: expected a header line or begin, not "1"`},
		{"a long word", "rules toy\n" + strings.Repeat("x", 100), `line 2: expected a header line or begin, not "` + strings.Repeat("x", 40) + `…"`},
		{"a large file", strings.Repeat("#", MaxSize+1), `larger than 16 MiB`},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := Parse([]byte(c.text), known)
			if err == nil {
				t.Fatalf("read as\n%s", Format(r))
			}
			if _, ok := err.(*SyntaxError); !ok || err.Error() != c.want {
				t.Errorf("got  %T %v\nwant %s", err, err, c.want)
			}
		})
	}
}

const full = `# the whole header
rules toy
date 2026-05-04
table "The \"long\" one"
host "Anna\nand Boris"   # two of them
box 0.3.0
set colour blue
set speech_s 30
seats 5
name 3 "Zoë \\ \u001b"
cast don town*3 town
deal 18446744073709551615
draw known_mafia 3
draw first_gang irish
clock 2026-05-04T12:00:00-04:00
begin
= all phase day 0
! 3 told role doctor
host night @2026-05-04T21:04:03.2Z button

	3	heal 5
= 3 chose 3 heal 5
`

func TestParse(t *testing.T) {
	r, err := Parse([]byte(full), known)
	if err != nil {
		t.Fatal(err)
	}
	zone := time.FixedZone("", -4*60*60)
	want := &Record{
		Header: Header{
			Rules: toy{}, Date: "2026-05-04", Table: `The "long" one`, Host: "Anna\nand Boris", Box: "0.3.0",
			Options: []Setting{{"colour", "blue"}, {"speech_s", "30"}},
			Seats:   5, Names: []string{"", "", "Zoë \\ \x1b", "", ""},
			Cast: []engine.Role{"don", "town", "town", "town", "town"}, Dealt: true, Seed: 1<<64 - 1,
			Draws: []Setting{{"known_mafia", "3"}, {"first_gang", "irish"}},
			Start: time.Date(2026, 5, 4, 12, 0, 0, 0, zone),
		},
		Begin:  16,
		Checks: []Check{{17, false, "all phase day 0"}, {18, true, "3 told role doctor"}},
		Lines: []Line{
			{Number: 19, Act: engine.Act{By: engine.Host, Verb: engine.Night, No: 1, Via: engine.ByButton, At: time.Date(2026, 5, 4, 21, 4, 3, 2e8, time.UTC)}},
			{Number: 21, Act: engine.Act{By: 3, Verb: engine.Heal, Seats: []engine.Seat{5}, No: 2}, Checks: []Check{{22, false, "3 chose 3 heal 5"}}},
		},
	}
	if !r.Start.Equal(want.Start) || formatMoment(r.Start) != formatMoment(want.Start) {
		t.Errorf("begins %v, want %v", r.Start, want.Start)
	}
	want.Start = r.Start // two zones with the same offset
	if !reflect.DeepEqual(r, want) {
		t.Errorf("got  %+v\nwant %+v", r, want)
	}
	again, err := Parse([]byte(Format(r)), known)
	if err != nil || Format(again) != Format(r) {
		t.Errorf("%v: printed and read again:\n%s\nwant\n%s", err, Format(again), Format(r))
	}
	if m := Verify(r); m != nil {
		t.Error(m)
	}
	if r.Name(3) != "Zoë \\ \x1b" || r.Name(4) != "4" {
		t.Errorf("called %q and %q", r.Name(3), r.Name(4))
	}
}

func TestByteOrderMark(t *testing.T) {
	if _, err := Parse([]byte("\uFEFF"+game()), known); err != nil {
		t.Error(err)
	}
}

// A record reads the same wherever the machine stands.
func TestMomentsIgnoreTheMachine(t *testing.T) {
	old := time.Local
	defer func() { time.Local = old }()
	time.Local = time.FixedZone("here", -4*60*60)
	m, err := parseMoment("2026-05-04T12:00:00-04:00")
	if err != nil || m.Location() == time.Local {
		t.Errorf("%v %v", m, err)
	}
}

func TestSetup(t *testing.T) {
	for _, c := range []struct {
		name string
		h    Header
		want engine.SetupError
	}{
		{"too few", Header{Seats: 1, Dealt: true}, engine.SetupError{Problem: "seats", Got: 1, Min: 2, Max: 12}},
		{"nothing dealt", Header{Seats: 3}, engine.SetupError{Problem: "count", Got: 0, Min: 3}},
		{"one without a role", Header{Seats: 3, Roles: []engine.Role{"don", "", "town"}}, engine.SetupError{Problem: "count", Got: 2, Min: 3}},
		{"small cast", Header{Seats: 3, Dealt: true, Cast: []engine.Role{"don"}}, engine.SetupError{Problem: "count", Got: 1, Min: 3}},
		{"large cast", Header{Seats: 3, Dealt: true, Cast: make([]engine.Role, 4)}, engine.SetupError{Problem: "count", Got: 0, Min: 3}},
	} {
		c.h.Rules = toy{}
		if _, err := c.h.Setup(); !reflect.DeepEqual(err, &c.want) {
			t.Errorf("%s: got %v, want %v", c.name, err, &c.want)
		}
	}
	setup, err := Header{Rules: toy{}, Seats: 4, Dealt: true, Seed: 7}.Setup()
	if want := engine.Deal(toy{}.Cast(4), 7); err != nil || !reflect.DeepEqual(setup.Roles, want) {
		t.Errorf("dealt %v, %v; want %v", setup.Roles, err, want)
	}
}
