package record

import (
	"fmt"
	"strings"
	"testing"
)

func TestVerify(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"nothing checked", game("host night", "1 heal 2"), ``},
		{"the beginning", game("= 1 told role don", "= 3 told role", "= all phase day 0", "! all out"), ``},
		{"a prefix", game("host night", "= all", "1 heal 2", "= 1 chose 1", "= all owed"), ``},
		{"not a prefix of words", game("host night", "1 heal 2", "= 1 chose 1 hea"), `9: want 1 chose 1 hea, got 1 chose 1 heal 2`},
		{"longer than the result", game("host night", "= all phase night 1 now"), `8: want all phase night 1 now, got all phase night 1`},
		{"another", game("host night", "= all phase night 2"), `8: want all phase night 2, got all phase night 1`},
		{"nothing at all", game("host note \"x\"", "= all stay"), `8: want all stay, got nothing`},
		{"in order", game("host night", "1 heal 2", "= 1 chose 1 heal 2", "= all owed 0"), ``},
		{"out of order", game("host night", "1 heal 2", "= all owed 0", "= 1 chose 1 heal 2"), `10: want 1 chose 1 heal 2, got it before the line above`},
		{"once each", game("host night", "1 heal 2", "= all owed 0", "= all owed 0"), `10: want all owed 0, got it before the line above`},
		{"never", game("host night", "! all phase"), `8: want no all phase, got all phase night 1`},
		{"never among others", game("host night", "1 heal 2", "= all owed", "! 1 chose"), `10: want no 1 chose, got 1 chose 1 heal 2`},
		{"of a seat that is not there", game("= 4 told role don"), `line 7: there is no seat 4: expected 1 to 3`},
		{"the nearest of several", game("= 2 told role don"), `7: want 2 told role don, got 2 told role town`},
		{"several as near", game("= all stay"), `7: want all stay, got all phase day 0`},
		{"quoted text is one word", game(`host decide "the table goes on"`, `= all decision "the table goes on"`, `= all decision`), `9: want all decision, got it before the line above`},
		{"a part of quoted text", game(`host decide "the table"`, `= all decision the`), `8: want all decision the, got all decision "the table"`},
		{"a refusal", game("1 heal 2", "= 1 refused phase", "host for 1 heal 2", "= host refused phase"), ``},
		{"of the host's act for a seat", game("host for 1 heal 2", "= 1 refused"), `8: want 1 refused, got host refused phase`},
		{"a change of the night", game("host night", "1 heal 2", "host correct 1 heal 3", "= 1 chose 1 heal 3"), ``},
		{"offers", game("host night", "= 3 offer heal 1 1 1 2 3", "= 1 offer heal", "! 3 offer vote", "= all phase", "= host offer dawn 0 0"), ``},
		{"no such offer", game("= 3 offer heal"), `7: want 3 offer heal, got 3 offer vote 1 1 1 2 3 null`},
		{"an offer is no event", game("host night", "! 3"), ``},
		{"an offer that is not wanted", game("! 3 offer vote"), `7: want no 3 offer vote, got 3 offer vote 1 1 1 2 3 null`},
		{"a moment in another spelling", game("host night", "= all closes 2026-05-05T12:00:00+00:00"),
			`8: want all closes 2026-05-05T12:00:00Z, got all phase night 1`},
		{"two that fail", game("= all stay", "= all void"), "7: want all stay, got all phase day 0\n8: want all void, got all phase day 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			r, err := Parse([]byte(c.text), known)
			if err != nil {
				got = append(got, err.Error())
			} else {
				for _, m := range Verify(r) {
					got = append(got, fmt.Sprint(m))
				}
			}
			if s := strings.Join(got, "\n"); s != c.want {
				t.Errorf("got\n%s\nwant\n%s", s, c.want)
			}
		})
	}
}

// A deal that does not fit is a result, not an error of the file; without a
// game every act is refused, whoever enters it.
func TestRefusedSetup(t *testing.T) {
	for _, head := range []string{
		"rules toy\nseats 3\n",
		"rules toy\nseats 3\nrole 1 don\n",
		"rules toy\nseats 3\nrole 1 don\nrole 2 town\nrole 3 wizard\n",
		"rules toy\nseats 3\ncast don town*3\ndeal 1\n",
		"rules toy\nseats 3\ncast don town*2\n",
		"rules toy\nseats 13\ndeal 1\n",
	} {
		text := head + "begin\n= host refused setup\n! all\nhost night\n= host refused setup\n1 heal 2\n= 1 refused setup\n= 1\n" +
			"clock 2026-05-04T18:00:00Z\n= clock refused setup\n! host offer\n"
		r, err := Parse([]byte(text), known)
		if err != nil {
			t.Errorf("%s%v", head, err)
			continue
		}
		m := Verify(r)
		if len(m) != 1 || !strings.HasPrefix(m[0].String(), fmt.Sprint(strings.Count(head, "\n")+8, ": want 1, got it before")) {
			t.Errorf("%s%v", head, m)
		}
		if printed := printed(t, r, true); !strings.Contains(printed, "# not begun: ") {
			t.Error(printed)
		}
	}
}
