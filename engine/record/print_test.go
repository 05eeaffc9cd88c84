package record

import (
	"strings"
	"testing"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/boulevard"
)

func parse(t *testing.T, text string, rules ...engine.Ruleset) *Record {
	t.Helper()
	r, err := Parse([]byte(text), rules)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func printed(t *testing.T, r *Record, offers bool) string {
	t.Helper()
	var b strings.Builder
	if err := Print(&b, r, offers); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

const short = `rules toy
seats 3
name 2 "Anna"
role 1 don
role 2 town
role 3 town
begin
host night
1 heal 2
3 vote 2
host warn 2 "x"
host stop "fire"
host dawn
`

func TestPrint(t *testing.T) {
	r := parse(t, short, toy{})
	const want = `rules toy
seats 3
name 2 "Anna"
role 1 don
role 2 town
role 3 town
begin
= 1 told role don
= 2 told role town
= 3 told role town
= all phase day 0
host night
= all phase night 1
1 heal 2
= 1 chose 1 heal 2
= all owed 0
3 vote 2
= 3 refused phase
host warn 2 "x"
= all out 2 left
host stop "fire"
= all stopped "fire"
host dawn
= host refused stopped
# all phase night 1
# all stopped "fire"
# 1 don
# 2 town "Anna", out: left
# 3 town
`
	if got := printed(t, r, false); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestPrintOffers(t *testing.T) {
	got := printed(t, parse(t, game("host night", "1 heal 2"), toy{}), true)
	for _, want := range []string{
		"\nhost night\n= all phase night 1\n= host offer dawn 0 0\n= host offer undo 0 0\n= 1 offer heal 1 1 1 2 3\n= 2 offer heal 1 1 1 2 3\n= 3 offer heal 1 1 1 2 3\n",
		"\n1 heal 2\n= 1 chose 1 heal 2\n= all owed 0\n# all phase night 1\n", // nothing changed
	} {
		if !strings.Contains(got, want) {
			t.Errorf("got\n%s\nwithout\n%s", got, want)
		}
	}
}

// evening is a game in which a good deal goes wrong.
const evening = `rules boulevard
date 2026-05-04
table "The \"long\" one"
set day_tie ask
seats 9
name 3 "Anna\nZ"
role 1 don
role 2 mafia
role 3 doctor
role 4 maniac
role 5 civilian
role 6 commissioner
role 7 putana
role 8 civilian
role 9 civilian
begin
1 shoot 5
host night @2026-05-04T21:04:03.2Z button
1 shoot 5
3 heal 5 @2026-05-04T21:05:03.2Z phone
6 check 2
5 suspect 2
1 shoot 8
host note "something \"odd\"\n# not a comment"
host undo 7
host correct 6 check 4
host close
host undo
host for 9 wait
host warn 5 "talking"
host close
host dawn
host correct 3 heal 6
host speech 3
3 nominate 2
host vote
host votes 2: 1 3 5
host close
host decide "goes on"
host night
host stop "a fire"
1 shoot 9
host resume
1 shoot 9
host replay "again"
1 shoot 6
host dawn
host disqualify 4 "x"
host end
`

// What is printed is a record that says the same, with every check holding.
func TestPrintedRecordHolds(t *testing.T) {
	for _, text := range []string{
		game("host night", "1 heal 2", "1 vote 2", "host undo", "host end", "host night"),
		evening,
	} {
		r := parse(t, text, toy{}, boulevard.Standard)
		for _, offers := range []bool{false, true} {
			once := printed(t, r, offers)
			again := parse(t, once, toy{}, boulevard.Standard)
			if m := Verify(again); m != nil {
				t.Errorf("%v\n%s", m, once)
			}
			if twice := printed(t, again, offers); twice != once {
				t.Errorf("printed\n%s\nand then\n%s", once, twice)
			}
		}
	}
}

// A game's own record leaves out what was refused, so its acts have other
// numbers, and still replays to the same.
func TestWrite(t *testing.T) {
	r := parse(t, evening, boulevard.Standard)
	last, played := accepted(r)
	var b strings.Builder
	if err := Write(&b, r.Header, last.Game, played); err != nil {
		t.Fatal(err)
	}
	written := b.String()
	again := parse(t, written, boulevard.Standard)
	if m := Verify(again); m != nil {
		t.Errorf("%v\n%s", m, written)
	}
	if len(again.Lines) >= len(r.Lines) {
		t.Errorf("%d acts, of %d", len(again.Lines), len(r.Lines))
	}
	for _, want := range []string{"\ntable \"The \\\"long\\\" one\"\n", "\nset day_tie ask\n", "\nset peek night\n", "\nname 3 \"Anna\\nZ\"\n", "\nhost undo 6\n", "Z phone\n"} {
		if !strings.Contains(written, want) {
			t.Errorf("no %q in\n%s", want, written)
		}
	}
	for replayed := range Play(again) {
		if len(replayed.Events) == 1 && replayed.Events[0].Kind == engine.Refused {
			t.Errorf("refused: %s", FormatAct(replayed.Line.Act))
		}
	}
	b.Reset()
	last, played = accepted(again)
	if err := Write(&b, again.Header, last.Game, played); err != nil || b.String() != written {
		t.Errorf("written again, %v:\n%s\nat first:\n%s", err, b.String(), written)
	}
}

// accepted plays a record: its last moment, and what was not refused.
func accepted(r *Record) (last Step, played []engine.Entry) {
	for last = range Play(r) {
		if last.Game.LastNo() == last.Line.Act.No && !last.Opening() {
			played = append(played, engine.Entry{Act: last.Line.Act, Events: last.Events})
		}
	}
	return last, played
}
