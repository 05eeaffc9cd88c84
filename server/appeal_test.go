package server

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mafiabox/mafiabox/engine"
)

// TestAppealLength: an answer may be as long as its field lets it be, and what is
// longer is refused with its length, lost to nobody.
func TestAppealLength(t *testing.T) {
	s := besiege(t)
	s.night()
	s.host.must("POST", "/t/1/host/act", 303, "verb", "end")
	text := strings.Repeat("ж", engine.TextMax)
	if page := s.host.must("POST", "/t/1/host/appeal", 422, "seat", "2", "text", text+"ж"); !strings.Contains(page, fmt.Sprintf("%d characters, and has %d", engine.TextMax, engine.TextMax+1)) {
		t.Errorf("too long an appeal:\n%s", plainText(page))
	}
	s.host.must("POST", "/t/1/host/appeal", 303, "seat", "2", "text", text)
	no := fmt.Sprint(s.b.Table("1").now.Load().game.LastNo())
	if page := s.host.must("GET", "/t/1/host", 200); !strings.Contains(page, fmt.Sprintf(`maxlength="%d"`, answerMax)) {
		t.Errorf("the field of an answer takes another length than %d", answerMax)
	}
	answer := strings.Repeat("щ", answerMax)
	if page := s.host.must("POST", "/t/1/host/appeal", 422, "answers", no, "text", answer+"щ"); !strings.Contains(page, fmt.Sprintf("%d characters, and has %d", answerMax, answerMax+1)) {
		t.Errorf("too long an answer:\n%s", plainText(page))
	}
	s.host.must("POST", "/t/1/host/appeal", 303, "answers", no, "text", answer)
	if page := s.host.must("GET", "/archive/1/1", 200); !strings.Contains(page, text) || !strings.Contains(page, answer) {
		t.Errorf("the game is without its appeal or the answer:\n%s", plainText(page))
	}
}

// TestLogSays: the log names what took an act back, a correction is among what it
// corrects, and a text of a file can't turn or hide what stands around it.
func TestLogSays(t *testing.T) {
	const text = `rules boulevard
seats 5
role 1 don
role 2 doctor
role 3 commissioner
role 4 civilian
role 5 civilian
begin
host night
2 heal 4
3 check 4
host undo 3
1 shoot 5
host close
host correct 2 heal 5
host dawn
host replay "mis` + "\u202e" + `read"
1 shoot 4
host undo
host end
`
	s := besiege(t)
	if status, page, to := s.owner.upload(text, "anyway", "1"); status != 303 {
		t.Fatalf("%d %s\n%s", status, to, plainText(page))
	}
	log := func(query string) string { return plainText(s.host.must("GET", "/archive/import/1/log"+query, 200)) }
	all := log("")
	for _, want := range []string{"taken back by 4", "taken back by 11", "of the round that 9 started again", "«misread»"} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q in\n%s", want, all)
		}
	}
	if strings.Contains(all, "\u202e") {
		t.Error("a mark that turns the text is on the page")
	}
	if nights := log("?kind=night&seat=2"); !strings.Contains(nights, "replaced by 7") || !strings.Contains(nights, "heal → 5 (corrected)") {
		t.Errorf("the nights of 2:\n%s", nights)
	}
	if mends := log("?kind=mend"); !strings.Contains(mends, "heal → 5") || strings.Contains(mends, "shoot") {
		t.Errorf("what was mended:\n%s", mends)
	}
}
