package record

import (
	"reflect"
	"testing"
	"time"

	"github.com/mafiabox/mafiabox/engine"
)

// awkward texts: what a record must quote, escape or leave alone.
var awkward = []string{"", "x", "\"quoted\" and \\ # no comment", "two\nlines\r\n\tand \x00 \x1b \u0085", "host votes 7: 1 @ Ünï \U0001F600 \u2028 \ufffd"}

// Every act that the grammar allows prints and reads back as the same act.
func TestActsRoundTrip(t *testing.T) {
	const seats = MaxSeats
	examples := map[string][]string{
		"null": {"null"}, "technical": {"technical"}, "mafia|gang|out|host": {"mafia", "gang", "out", "host"},
		"6h|weekend": {"1h", "240h", "weekend"}, "CHOICE": {"4", "nobody", "first-gang", "draw_after:3+3"},
		"N": {"1", "999999"}, "MOMENT": {"2026-05-04T18:00:00-04:00", "2026-05-04T18:00:00.25Z"},
	}
	acts := 0
	try := func(a engine.Act) {
		t.Helper()
		acts++
		line := FormatAct(a)
		got, err := ParseAct(line, seats)
		if err != nil || !sameAct(got, a) {
			t.Fatalf("%s\ngot  %+v, %v\nwant %+v", line, got, err, a)
		}
		if again := FormatAct(got); again != line {
			t.Fatalf("printed %q, then %q", line, again)
		}
	}
	for _, f := range grammar {
		words := examples[f.word.usage]
		if f.word.place != nowhere && words == nil {
			t.Fatalf("no example of %s", f.word.usage)
		}
		if f.word.place != must {
			words = append([]string{""}, words...)
		}
		spoken := awkward
		if !f.text {
			spoken = []string{""}
		}
		for n := f.fewest; n <= f.most; n++ {
			for _, w := range words {
				for _, text := range spoken {
					a := engine.Act{Verb: f.verb, Text: text}
					for i := range n {
						a.Seats = append(a.Seats, engine.Seat(seats-i%seats))
					}
					if w != "" {
						f.give(&a, w)
						if f.word.place == instead {
							a.Seats = nil
						}
					}
					for _, by := range whoSays(f.by) {
						a.By, a.For, a.Mends, a.At, a.Via = by.By, by.For, by.Mends, time.Time{}, ""
						try(a)
						a.At = time.Date(2026, 5, 4, 21, 4, 3, 2e8, time.UTC)
						try(a)
						a.Via = engine.ByPhone
						try(a)
					}
				}
			}
		}
	}
	if acts < 500 {
		t.Errorf("only %d acts tried", acts)
	}
}

func whoSays(s speaker) []engine.Act {
	switch s {
	case host:
		return []engine.Act{{By: engine.Host}}
	case clock:
		return []engine.Act{{By: engine.Clock}}
	case guest:
		return []engine.Act{{By: engine.Guest}}
	}
	return []engine.Act{{By: 1}, {By: MaxSeats}, {By: engine.Host, For: 5}, {By: engine.Host, For: 5, Mends: true}}
}

// sameAct compares two acts; of their moments what is printed.
func sameAct(a, b engine.Act) bool {
	same := formatMoment(a.At) == formatMoment(b.At) && formatMoment(a.Moment) == formatMoment(b.Moment)
	a.At, b.At, a.Moment, b.Moment = time.Time{}, time.Time{}, time.Time{}, time.Time{}
	return same && reflect.DeepEqual(a, b)
}

// One row says all about a verb and its speaker.
func TestOneRowEach(t *testing.T) {
	said := make(map[string]bool)
	for _, f := range grammar {
		row := string(f.by) + " " + string(f.verb)
		if said[row] {
			t.Errorf("two rows for %s", row)
		}
		said[row] = true
	}
}

func TestActErrors(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"", "expected an act"},
		{"@2026-05-04T21:04:03Z phone", "expected an act"},
		{"3", "expected a verb after 3"},
		{"host", "expected a verb after host"},
		{"host for", "expected: host for SEAT and an act of that seat"},
		{"host for 5", "expected a verb after host for 5"},
		{"host for x heal 2", "expected a seat's number"},
		{"host correct 11 heal 2", "there is no seat 11: expected 1 to 10"},
		{"host for 5 night", `"night" comes after host, not after SEAT`},
		{"host for 5 for 5 heal 2", `unknown verb "for": after SEAT comes nominate|withdraw|vote|raise|lock|unlock|extension|post|whisper|bestmove|shoot|whack|attack|block|cover|swap|heal|check|guess|seek|compare|suspect|wait`},
		{"0 heal 2", "there is no seat 0: expected 1 to 10"},
		{"11 heal 2", "there is no seat 11: expected 1 to 10"},
		{"-1 heal 2", `expected a seat's number, host, clock or guest, not "-1"`},
		{"Anna heal 2", `expected a seat's number, host, clock or guest, not "Anna"`},
		{`"3" heal 2`, `expected a seat's number, host, clock or guest, not "3"`},
		{`3 "heal" 2`, `expected a verb, not the text "heal"`},
		{"3 heal", "expected: 3 heal SEAT"},
		{"3 heal 2 4", "expected: 3 heal SEAT"},
		{"3 heal two", "expected: 3 heal SEAT"},
		{"3 heal 02", "expected: 3 heal SEAT"},
		{"3 heal 11", "there is no seat 11: expected 1 to 10"},
		{"3 heal 0", "there is no seat 0: expected 1 to 10"},
		{`3 heal 2 "please"`, "expected: 3 heal SEAT"},
		{"3 check 1 2 3", "expected: 3 check SEAT [SEAT]"},
		{"3 swap 1", "expected: 3 swap SEAT SEAT"},
		{"3 suspect 1 2 4 5 6", "expected: 3 suspect SEAT [SEAT] [SEAT] [SEAT]"},
		{"3 bestmove", "expected: 3 bestmove SEAT [SEAT] [SEAT]"},
		{"3 wait 1", "expected: 3 wait"},
		{"3 vote", "expected: 3 vote SEAT|null"},
		{"3 vote 7 null", "expected: 3 vote SEAT|null"},
		{"3 vote nil", "expected: 3 vote SEAT|null"},
		{"host vote 7", "expected: host vote"},
		{"host votes 7", "expected: host votes SEAT: SEAT…"},
		{"host votes 7:", "expected: host votes SEAT: SEAT…"},
		{"host votes 7 1 3", "expected: host votes SEAT: SEAT…"},
		{"host votes 7: 1 3:", "expected: host votes SEAT: SEAT…"},
		{"host votes 11: 1 3", "there is no seat 11: expected 1 to 10"},
		{"3 votes 7: 1", `"votes" comes after host, not after SEAT`},
		{"host heal 3", `"heal" comes after SEAT, not after host`},
		{"guest vote 3", `"vote" comes after host|SEAT, not after guest`},
		{"host raise", "expected: host raise SEAT…"},
		{"3 raise 4", "expected: 3 raise"},
		{"host foul 4 tech", "expected: host foul SEAT [technical]"},
		{"host foul technical", "expected: host foul SEAT [technical]"},
		{"host warn 4", `expected: host warn SEAT "TEXT"`},
		{"host stop", `expected: host stop "TEXT"`},
		{"host stop because", `expected: host stop "TEXT"`},
		{`host stop "a" "b"`, `expected: host stop "TEXT"`},
		{"host rule", "expected: host rule CHOICE"},
		{"host rule two words", "expected: host rule CHOICE"},
		{"host extend 6", "expected: host extend 6h|weekend"},
		{"host extend 0h", "expected: host extend 6h|weekend"},
		{"host extend -6h", "expected: host extend 6h|weekend"},
		{"host undo 0", "expected: host undo [N]"},
		{"host undo last", "expected: host undo [N]"},
		{"3 post Anna", `expected: 3 post "TEXT"`},
		{`3 whisper "psst"`, `expected: 3 whisper mafia|gang|out|host "TEXT"`},
		{`3 whisper 4 "psst"`, `expected: 3 whisper mafia|gang|out|host "TEXT"`},
		{`host whisper mafia "psst"`, `expected: host whisper SEAT "TEXT"`},
		{"clock", "expected: clock MOMENT"},
		{"clock 12:00", "expected: clock MOMENT"},
		{"clock 0001-01-01T00:00:00Z", "expected: clock MOMENT"},
		{"3 heal 2 @noon phone", `expected a moment such as 2026-05-04T12:00:00-04:00, not "noon"`},
		{"3 heal 2 @2026-05-04T21:04:03Z pager", `expected phone, host, button or box at the end, not "pager"`},
		{"3 heal 2 @2026-05-04T21:04:03Z phone 4", `expected phone, host, button or box at the end, not "phone"`},
		{"3 heal 2\n4 heal 2", `a control character: expected it in quotes, written \u000a`},
	} {
		if a, err := ParseAct(c.line, 10); err == nil || err.Error() != c.want {
			t.Errorf("%s\ngot  %v %+v\nwant %s", c.line, err, a, c.want)
		}
	}
}

func TestActs(t *testing.T) {
	for line, want := range map[string]engine.Act{
		"host votes 7: 1 3 5":        {By: engine.Host, Verb: engine.Votes, Seats: []engine.Seat{7, 1, 3, 5}},
		"host for 5 heal 2":          {By: engine.Host, For: 5, Verb: engine.Heal, Seats: []engine.Seat{2}},
		"host correct 5 vote null":   {By: engine.Host, For: 5, Mends: true, Verb: engine.Vote, Word: "null"},
		"host rule 4":                {By: engine.Host, Verb: engine.Rule, Word: "4"},
		"host undo 12":               {By: engine.Host, Verb: engine.Undo, N: 12},
		`host whisper 4 "\n# \"a"`:   {By: engine.Host, Verb: engine.Whisper, Seats: []engine.Seat{4}, Text: "\n# \"a"},
		`3 whisper out "" # nothing`: {By: 3, Verb: engine.Whisper, Word: "out"},
		`guest post "hi"`:            {By: engine.Guest, Verb: engine.Post, Text: "hi"},
	} {
		if a, err := ParseAct(line, 10); err != nil || !reflect.DeepEqual(a, want) {
			t.Errorf("%s\ngot  %+v, %v\nwant %+v", line, a, err, want)
		}
	}
}

// What is not text at all still makes a line that can be read.
func TestTextIsMadeUTF8(t *testing.T) {
	a, err := ParseAct(FormatAct(engine.Act{By: 3, Verb: engine.Post, Text: "a\xffb"}), 3)
	if err != nil || a.Text != "a\uFFFDb" {
		t.Errorf("%q, %v", a.Text, err)
	}
}
