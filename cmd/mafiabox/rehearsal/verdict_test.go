package rehearsal

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mafiabox/mafiabox/server"
	"github.com/mafiabox/mafiabox/static"
)

// TestVerdict: what is said follows from the report alone, with the right
// plurals, and who must not lead an evening is told so.
func TestVerdict(t *testing.T) {
	good := Report{Tables: []Table{{ID: "1", Rules: "sport", Phones: 6, Games: 1}, {ID: "2", Rules: "forum", Phones: 6, Games: 1}}, Phase: Times{N: 40, Median: 400, P95: 900, Worst: 1100}}
	with := func(change func(*Report)) Report {
		r := good
		r.Tables = slices.Clone(r.Tables)
		change(&r)
		return r
	}
	en, ru := texts(t, "en"), texts(t, "ru")
	for _, c := range []struct {
		name  string
		r     Report
		fails bool
		want  string
	}{
		{"good", good, false, "Phones: 12, tables: 2. Nothing was lost, nothing refused. From a step to the last phone: 0.4 s at the middle, 1.1 s at the worst. This box bears the evening."},
		{"one of each", with(func(r *Report) {
			r.Tables = []Table{{ID: "1", Rules: "gangs", Phones: 1, Games: 1}}
			r.Phase = Times{N: 1, Median: 7, Worst: 8}
		}), false,
			"Phones: 1, tables: 1. Nothing was lost, nothing refused. From a step to the last phone: less than 0.1 s at the middle, less than 0.1 s at the worst. This box bears the evening."},
		{"few phones", with(func(r *Report) { r.Tables[1] = Table{ID: "1", Rules: "sport", Phones: 2, Filled: 4, Games: 1} }), false,
			"Phones: 8, tables: 2. Nothing was lost, nothing refused. 4 seats were filled without phones, so of an evening with a phone at each it says little. From"},
		{"one short", with(func(r *Report) { r.Tables[1] = Table{ID: "1", Rules: "sport", Phones: 5, Filled: 1, Games: 1} }), false, "1 seat was filled without a phone, so"},
		{"one lost", with(func(r *Report) { r.Lost = 1 }), true, "1 act was accepted and is not in the record."},
		{"lost", with(func(r *Report) { r.Lost = 13 }), true, "13 acts were accepted and are not in the record. From a step to the last phone: 0.4 s at the middle, 1.1 s at the worst. This box must lead no evening: it does not keep what it has accepted. Look at its card and its power supply, and take another."},
		{"one refused", with(func(r *Report) { r.Refused = 1 }), true, "Nothing was lost. 1 act was refused though the page offered it."},
		{"refused", with(func(r *Report) { r.Refused = 2 }), true, "2 acts were refused though the page offered them."},
		{"counted twice", with(func(r *Report) { r.Spare = 1 }), true, "1 act is in the record and was not sent, or not as often."},
		{"not answered", with(func(r *Report) { r.Silent = 3 }), true, "3 acts got no answer within 90 s."},
		{"unread", with(func(r *Report) { r.Unread = 1 }), true, "1 record does not replay to the same game."},
		{"slow", with(func(r *Report) { r.Phase.P95 = 4000; r.Tap = Times{9, 300, 2000, 2500} }), false, "This box bears the evening, but slowly: from a tap to its answer it took 0.3 s at the middle and 2.5 s at the worst."},
		{"behind", with(func(r *Report) { r.Behind = 1 }), false, "1 page did not show a new phase within 10 s. This box bears the evening, but slowly"},
		{"broken off", with(func(r *Report) { r.Broken = "the power" }), false, "But it was broken off before every game was over, so it says little of an evening."},
		{"nothing", with(func(r *Report) { r.Tables = []Table{{ID: "1", Rules: "gangs", Phones: 5}} }), true, "Phones: 5, tables: 1. No game came to its end, so nothing is known of this box."},
		{"away", with(func(r *Report) { r.Streams = 1 }), false, "This box bears the evening. A page lost its connection once and came back"},
		{"one address", with(func(r *Report) { r.Waited, r.Shared = 2, true }), false, "The box asked 2 times to wait: all phones of this rehearsal have one address"},
	} {
		if got := c.r.Verdict(en); !strings.Contains(got, c.want) || c.r.Fails() != c.fails {
			t.Errorf("%s: fails %v\n%s\nwant\n%s", c.name, c.r.Fails(), got, c.want)
		}
		if got := c.r.Verdict(en); c.fails && strings.Contains(got, "bears the evening") {
			t.Errorf("%s: %s", c.name, got)
		}
		var b strings.Builder
		c.r.Write(&b, ru)
		if english := regexp.MustCompile(`[A-Za-z.]{3,}`).FindAllString(strings.NewReplacer("mafiabox doctor", "", "Wi-Fi", "", "--pace", "", "--seed", "").Replace(b.String()), -1); english != nil {
			t.Errorf("%s, in Russian: %q in\n%s", c.name, english, b.String())
		}
	}
}

func texts(t *testing.T, lang string) server.Texts {
	texts, err := server.LoadTexts(static.Files, lang)
	if err != nil {
		t.Fatal(err)
	}
	return texts
}
