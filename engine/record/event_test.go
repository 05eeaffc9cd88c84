package record

import (
	"reflect"
	"testing"
	"time"

	"github.com/mafiabox/mafiabox/engine"
)

func TestFormatEvent(t *testing.T) {
	seats := func(s ...engine.Seat) []engine.Seat { return s }
	words := func(w ...string) []string { return w }
	zone := time.FixedZone("", -4*60*60)
	for want, e := range map[string]engine.Event{
		"3 told role doctor":                   {To: 3, Kind: engine.Told, Verb: engine.ToldRole, Words: words("doctor")},
		"3 told ally 1 don":                    {To: 3, Kind: engine.Told, Verb: engine.ToldAlly, Seats: seats(1), Words: words("don")},
		"3 told suspended":                     {To: 3, Kind: engine.Told, Words: words("suspended")},
		"6 told check 2 mafia":                 {To: 6, Kind: engine.Told, Verb: engine.Check, Seats: seats(2), Words: words("mafia")},
		"6 told check 2 none corrected":        {To: 6, Kind: engine.Told, Verb: engine.Check, Seats: seats(2), Words: words("none"), Corrected: true},
		"7 told compare 2 3 same":              {To: 7, Kind: engine.Told, Verb: engine.Compare, Seats: seats(2, 3), Words: words("same")},
		"all phase night 2":                    {To: engine.All, Kind: engine.PhaseIs, Words: words("night"), N: 2},
		"all phase day 0":                      {To: engine.All, Kind: engine.PhaseIs, Words: words("day")},
		"all phase ended":                      {To: engine.All, Kind: engine.PhaseIs, Words: words("ended")},
		"all voted 3 7":                        {To: engine.All, Kind: engine.Voted, Of: 3, Seats: seats(7)},
		"all voted 3 null":                     {To: engine.All, Kind: engine.Voted, Of: 3, Words: words("null")},
		"all voted 3":                          {To: engine.All, Kind: engine.Voted, Of: 3},
		"3 asked 5 7":                          {To: 3, Kind: engine.Asked, Seats: seats(5, 7)},
		"all owed 0":                           {To: engine.All, Kind: engine.Owed},
		`all stopped "a \"card\""`:             {To: engine.All, Kind: engine.Stopped, Text: `a "card"`},
		`all stopped ""`:                       {To: engine.All, Kind: engine.Stopped},
		"all resumed":                          {To: engine.All, Kind: engine.Resumed},
		"all candidates 4 10 1":                {To: engine.All, Kind: engine.Candidates, Seats: seats(4, 10, 1)},
		"all tally 4:6 8:0":                    {To: engine.All, Kind: engine.Tallied, Tally: []engine.Count{{Seat: 4, Votes: 6}, {Seat: 8}}},
		"all out 5 night":                      {To: engine.All, Kind: engine.Out, Of: 5, Words: words("night")},
		"all fouls 4 3":                        {To: engine.All, Kind: engine.Fouls, Of: 4, N: 3},
		"all missed 7 1":                       {To: engine.All, Kind: engine.Missed, Of: 7, N: 1},
		`all decision "The\nend"`:              {To: engine.All, Kind: engine.Decision, Text: "The\nend"},
		"host ruling day-tie 4 8 nobody":       {To: engine.ToHost, Kind: engine.Ruling, Words: words("day-tie", "4", "8", "nobody")},
		"guest refused role":                   {To: engine.Audience(engine.Guest), Kind: engine.Refused, Words: words("role")},
		"3 chose 3 heal 5":                     {To: 3, Kind: engine.Chose, Of: 3, Verb: engine.Heal, Seats: seats(5)},
		"all speech 3 60":                      {To: engine.All, Kind: engine.Speaks, Of: 3, N: 60},
		"all speech 3 0":                       {To: engine.All, Kind: engine.Speaks, Of: 3},
		"all closes 2026-05-05T12:00:00-04:00": {To: engine.All, Kind: engine.Closes, Moment: time.Date(2026, 5, 5, 12, 0, 0, 0, zone)},
		"host trace 1 shoot 5: swapped 6, protected": {To: engine.ToHost, Kind: engine.Trace, Of: 1, Verb: engine.Shoot, Seats: seats(5),
			Fates: []engine.Fate{{What: "swapped", Seat: 6}, {What: "protected"}}},
		"host trace 3 wait":               {To: engine.ToHost, Kind: engine.Trace, Of: 3, Verb: engine.Wait},
		"5 told 3 whisper mafia \"a: b\"": {To: 5, Kind: engine.Told, Of: 3, Verb: engine.Whisper, Words: words("mafia"), Text: "a: b"},
		"5 told whisper host \"\\n\"":     {To: 5, Kind: engine.Told, Verb: engine.Whisper, Words: words("host"), Text: "\n"},
		"all chose extend weekend":        {To: engine.All, Kind: engine.Chose, Verb: engine.Extend, Words: words("weekend")},
		"all fouls 4 technical 1":         {To: engine.All, Kind: engine.Fouls, Of: 4, Words: words("technical"), N: 1},
		"all win town":                    {To: engine.All, Kind: engine.Win, Words: words("town")},
		"all role 3 doctor":               {To: engine.All, Kind: engine.RoleIs, Of: 3, Words: words("doctor")},
		"nobody draw":                     {Kind: engine.Draw},
	} {
		if got := FormatEvent(e); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		if got, err := ParseEvent(want); err != nil || !sameEvent(got, e) {
			t.Errorf("%s is read as %+v, %v", want, got, err)
		}
	}
	for _, line := range []string{"", "all", "all nothing", "41 owed 3", "me owed 3", "all owed", "all owed 03", "all owed 3 4", "all out 5 night ", `all out 5 "night"`, "all voted 7 x\ny", "3 offer heal 1 1 4", `all decision "a`, "all closes today"} {
		if got, err := ParseEvent(line); err == nil {
			t.Errorf("%q is read as %+v", line, got)
		}
	}
}

// sameEvent tells whether two events say the same: a moment has no zone's name
// once it was written.
func sameEvent(a, b engine.Event) bool {
	at := a.Moment.Equal(b.Moment)
	a.Moment, b.Moment = time.Time{}, time.Time{}
	return at && reflect.DeepEqual(a, b)
}

func TestFormatOffer(t *testing.T) {
	for want, o := range map[string]engine.Offer{
		"3 offer heal 1 1 4 5 6":    {Verb: engine.Heal, Min: 1, Max: 1, Seats: []engine.Seat{4, 5, 6}, Barred: []engine.Seat{2}},
		"3 offer vote 1 1 4 5 null": {Verb: engine.Vote, Min: 1, Max: 1, Seats: []engine.Seat{4, 5}, Words: []string{"null"}},
		"3 offer whisper 0 0 mafia": {Verb: engine.Whisper, Words: []string{"mafia"}, TextMax: 500},
	} {
		if got := FormatOffer(3, o); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}
