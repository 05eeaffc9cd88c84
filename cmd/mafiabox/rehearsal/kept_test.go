package rehearsal

import (
	"strings"
	"testing"

	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/record"
)

func acts(t *testing.T, text string) (all []engine.Act) {
	t.Helper()
	for line := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ';' }) {
		a, err := record.ParseAct(strings.TrimSpace(line), 20)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, a)
	}
	return all
}

// TestCompare: what a seat has sent is found in the record in its order and
// once, whatever its picks of a night count as; what is missing is lost, and
// what nobody has sent is told, too.
func TestCompare(t *testing.T) {
	night := func(seats ...int) sent { return sent{seats: seats, whole: true} }
	vote := func(seat int) sent { return sent{verb: "vote", seats: []int{seat}} }
	for _, c := range []struct {
		name        string
		record      string
		sent        []sent
		lost, spare int
	}{
		{"nothing", "", nil, 0, 0},
		{"two purposes", "3 check 5; 3 suspect 7; 3 vote 2", []sent{night(5, 7), vote(2)}, 0, 0},
		{"one purpose", "3 swap 5 7", []sent{night(5, 7)}, 0, 0},
		{"another mind", "3 check 5; 3 suspect 7; 3 wait; 3 check 1; 3 suspect 2", []sent{night(5, 7), night(1, 2)}, 0, 0},
		{"nobody", "3 wait; 3 wait; 3 check 5; 3 suspect 7", []sent{night(), night(), night(5, 7)}, 0, 0},
		{"a pick that waits for the other", "3 wait", []sent{{seats: []int{5}}}, 0, 0},
		{"by the host for another", "host for 3 vote 2; 4 vote 2", nil, 0, 0},
		{"lost", "3 check 5; 3 suspect 7", []sent{night(5, 7), vote(2)}, 1, 0},
		{"half of a night lost", "3 check 5", []sent{night(5, 7)}, 1, 1},
		{"nobody lost", "3 vote 2", []sent{night(), vote(2)}, 1, 0},
		{"lost, and alike later", "3 vote 2; 3 check 5; 3 suspect 7; 3 vote 2", []sent{night(5, 7), vote(2), night(5, 7), vote(2)}, 1, 0},
		{"counted twice", "3 vote 2; 3 vote 2", []sent{vote(2)}, 0, 1},
		{"of nobody", "3 vote 4; 3 vote 2", []sent{vote(2)}, 0, 1},
		{"another word", "3 post \"I\"", []sent{{verb: "post", text: "You"}}, 1, 1},
	} {
		lost, spare := compare(actsOf(acts(t, c.record), 3), c.sent)
		if len(lost) != c.lost || len(spare) != c.spare {
			t.Errorf("%s: lost %v, spare %v, want %d and %d", c.name, lost, spare, c.lost, c.spare)
		}
	}
}

// TestForms: a form's data is what a browser sends, and what a page has switched
// off is not offered.
func TestForms(t *testing.T) {
	p := parse(`<div data-of="1.day.1.3"><form id="f-vote" action="/t/1/act"><input type="hidden" name="key" value="k"><input type="hidden" name="of" value="1.day.1.3">
<input type="radio" name="seat" value="02"><input type="radio" name="seat" value="03" disabled><input type="checkbox" name="sure" checked value="1"><button>Send</button></form>
<details><form id="f-note"><textarea name="text">
two
lines</textarea><select name="word"><option value="a">A<option selected>b</select><button class="grave" name="do" value="x">Go</button></form></details></div>`)
	vote, note := p.form("f-vote"), p.form("f-note")
	if p.of != "1.day.1.3" || vote == nil || note == nil || vote.folded || !note.folded || !note.grave {
		t.Fatalf("read as %+v, %+v, %+v", p, vote, note)
	}
	data := vote.data(map[string][]string{"seat": {"02"}})
	if key := data.Get("key"); key == "k" || !strings.HasPrefix(key, "k.") {
		t.Errorf("the key of a form that is filled in is %q", key)
	}
	data.Del("key")
	if got := data.Encode(); got != "of=1.day.1.3&seat=02&sure=1" {
		t.Errorf("sends %s", got)
	}
	if !vote.offers(map[string][]string{"seat": {"02"}}) || vote.offers(map[string][]string{"seat": {"03"}}) || vote.offers(map[string][]string{"seat": {"04"}}) {
		t.Error("offers what it does not have, or not what it has")
	}
	if got := note.data(nil).Encode(); got != "text=two%0Alines&word=b" {
		t.Errorf("sends %s", got)
	}
}
