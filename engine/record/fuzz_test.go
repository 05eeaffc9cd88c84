package record

import (
	"io"
	"testing"
)

// FuzzParse: nothing that is read makes the program panic, and whatever reads
// as a record prints, reads back and plays as the same one.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		full, short, game(), game("= all phase day 0", "host votes 3: 1 2", `host whisper 2 "\u001b\"\\\n"`, "! all"),
		game("host for 1 heal 2", "host correct 1 vote null", "host undo 1", "clock 2026-05-04T18:00:00+00:00", "= 3 offer heal 1"),
		"rules toy\ncast don town*4\nseats 5\ndeal 0\ndraw first_gang irish\nset speech_s 600\nbegin\nhost rule @\nhost rule a:b*c",
		"\uFEFFrules toy\r\nseats 40\r\nbegin\r\n40 suspect 1 2 3 4 @2026-05-04T18:00:00.123456789+05:45\r\n",
		"rules toy\nseats \x00", "\"", "rules \"toy\"", "rules toy\ntable \"\\u00", "# only\n#", "= all", "\xff\xfe",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := Parse(data, known)
		if err != nil {
			if e, ok := err.(*SyntaxError); !ok || e.Msg() == "" || e.Line < 1 {
				t.Fatalf("%T %v", err, err)
			}
			return
		}
		text := Format(r)
		again, err := Parse([]byte(text), known)
		if err != nil {
			t.Fatalf("%v in what was printed:\n%s", err, text)
		}
		if Format(again) != text {
			t.Fatalf("printed\n%s\nand then\n%s", text, Format(again))
		}
		for i, l := range r.Lines {
			if !sameAct(l.Act, again.Lines[i].Act) {
				t.Fatalf("%+v\nbecame %+v", l.Act, again.Lines[i].Act)
			}
		}
		if a, b := Verify(r), Verify(again); len(a) != len(b) {
			t.Fatalf("%v\nbecame %v", a, b)
		}
		if err := Print(io.Discard, r, true); err != nil {
			t.Fatal(err)
		}
	})
}
