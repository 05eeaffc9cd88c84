package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/mafiabox/mafiabox/engine"
	"github.com/mafiabox/mafiabox/engine/record"
	"github.com/mafiabox/mafiabox/engine/rulesets"
)

// judge is somebody who plays a recorded game by taps on the console.
type judge struct {
	*party
	rec  *record.Record
	last time.Time // when a step was last taken
}

// TestJudge plays a recorded club game by taps on the console alone: nobody has
// a phone. What the box has recorded is the game, act for act.
func TestJudge(t *testing.T) {
	t.Parallel()
	path := filepath.Join("../../engine/testdata/sport-games/game-4871.mafia")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	j := &judge{party: newParty(t, chromium(t))}
	if j.rec, err = record.Parse(text, rulesets.All); err != nil {
		t.Fatal(err)
	}
	j.sit()
	shot := map[string]bool{}
	for i, line := range j.rec.Lines {
		a := line.Act
		was, drawn := j.record(), j.drawn()
		if j.tap(i, a) {
			what := record.FormatAct(a)
			j.until(what+" is recorded", func() bool { return j.record() != was })
			j.until("the console shows it", func() bool { return j.drawn() != drawn })
			if time.Since(j.last) < time.Second { // a step that asked had a frame for that, too
				time.Sleep(400 * time.Millisecond)
			}
			if kind := string(a.Verb) + string(phaseName(j.record())); !shot[kind] {
				shot[kind] = true
				j.host.shoot(fmt.Sprintf("judge-%02d-%s", i, a.Verb))
			}
		}
	}
	j.host.shows("Town")
	j.same(string(text))
}

// sit seats ten people without phones and deals the recorded roles by hand.
func (j *judge) sit() {
	j.Helper()
	j.host.unfold("#d-rules")
	j.host.click("#d-rules button[value=sport]")
	j.host.shows("Sport mafia")
	for seat := range j.rec.Seats {
		j.host.do(chromedp.SendKeys(chromedp.CSS("#f-add input[name=name]"), fmt.Sprint("Player ", seat+1)))
		j.host.click("#f-add button")
		j.host.shows(fmt.Sprint("Player ", seat+1))
	}
	j.host.unfold("#d-hand")
	for seat, role := range j.rec.Roles {
		j.host.do(chromedp.SetValue(chromedp.CSS(fmt.Sprintf("#f-hand select[name=role%d]", seat+1)), string(role)))
	}
	j.host.click("#f-hand button")
	j.host.sees("#f-night")
	j.last = time.Now()
}

// tap enters one act of the record; false where a tap before has entered it, too.
func (j *judge) tap(i int, a engine.Act) bool {
	j.Helper()
	switch a.Verb {
	case engine.Pass: // no tap is needed for it
		return false
	case engine.Night, engine.Vote, engine.Close, engine.Dawn:
		if a.By == engine.Host {
			j.stepTo(a.Verb)
			return true
		}
	case engine.Speech:
		j.speech(a.Seats[0])
	case engine.Nominate:
		j.press(fmt.Sprintf("#f-nominate-%d button[value='%d']", a.By, a.Seats[0]))
	case engine.Foul:
		j.foul(a.Seats[0])
	case engine.Votes:
		form := fmt.Sprintf("#f-votes-%d", a.Seats[0])
		if j.visible(form) == "" {
			j.press(fmt.Sprintf("details:has(> %s) summary", form))
		}
		j.tick(form, a.Seats[1:])
		j.press(form + " button.big")
	case engine.Raise:
		j.tick("#f-raise", a.Seats)
		j.press("#f-raise button")
	case engine.BestMove:
		form := fmt.Sprintf("#f-for-%d-bestmove", a.By)
		j.tick(form, a.Seats)
		j.press(form + " > button")
	case engine.Shoot:
		return j.shoot(i, a)
	case engine.Seek, engine.Check:
		j.calls()
		j.press(fmt.Sprintf("#f-call-%s-%d button[value='%d']", a.Verb, a.By, a.Seats[0]))
		j.host.sees(fmt.Sprintf(".caller:has(#f-call-%s-%d) .sign", a.Verb, a.By)) // before the close
	default:
		j.Fatalf("no tap for %s", record.FormatAct(a))
	}
	return true
}

// stepTo takes a step, by the large button or one beside it.
func (j *judge) stepTo(verb engine.Verb) {
	j.Helper()
	j.host.sees("#f-" + string(verb))
	time.Sleep(time.Until(j.last.Add(rest)))
	was := j.record()
	for range 2 {
		j.press("#f-" + string(verb) + " button")
		for end := time.Now().Add(time.Second); time.Now().Before(end) && j.record() == was; time.Sleep(50 * time.Millisecond) {
			if j.visible("#f-"+string(verb)+" .again") != "" {
				break
			}
		}
		if j.record() != was {
			break
		}
	}
	j.last = time.Now()
}

// speech gives the word: by the large button to who is next, else by hand.
func (j *judge) speech(seat engine.Seat) {
	j.Helper()
	if next := j.host.eval(`document.querySelector('#f-speech .turn .num')?.textContent ?? ''`); next == fmt.Sprint(seat) && time.Since(j.last) > rest {
		j.press("#f-speech button")
		j.last = time.Now()
		return
	}
	if j.visible("#f-word") == "" {
		j.press("#d-word summary")
	}
	j.press(fmt.Sprintf("#f-word button[value='%d']", seat))
}

// foul gives a foul; one that costs something says so, and is tapped again.
func (j *judge) foul(seat engine.Seat) {
	j.Helper()
	form := fmt.Sprintf("#f-foul-%d", seat)
	if j.visible(form) == "" {
		j.press(fmt.Sprintf("details.asks:has(%s) summary", form))
	}
	j.press(form + " button")
}

// shoot enters shots: of all at once where they agree.
func (j *judge) shoot(i int, a engine.Act) bool {
	j.Helper()
	j.calls()
	shots := func(from int) (seats []engine.Seat) {
		for _, l := range j.rec.Lines[from:] {
			if l.Act.Verb != engine.Shoot || l.Act.Seats[0] != a.Seats[0] {
				break
			}
			seats = append(seats, l.Act.By.Seat())
		}
		return seats
	}
	if i > 0 && j.rec.Lines[i-1].Act.Verb == engine.Shoot && j.rec.Lines[i-1].Act.Seats[0] == a.Seats[0] {
		return false // entered with the one before
	}
	id := strings.ReplaceAll(strings.Trim(fmt.Sprint(shots(i)), "[]"), " ", "-")
	if form := "#f-call-shoot-" + id; j.host.eval(fmt.Sprintf(`document.querySelector(%q) ? 'yes' : ''`, form)) != "" && j.visible(form) != "" {
		j.press(fmt.Sprintf("%s button[value='%d']", form, a.Seats[0]))
		return true
	}
	form := fmt.Sprintf("#f-call-shoot-%d", a.By)
	if j.visible(form) == "" {
		j.press("[id^=d-apart] summary")
	}
	j.press(fmt.Sprintf("%s button[value='%d']", form, a.Seats[0]))
	return true
}

// calls opens the calls of the night.
func (j *judge) calls() {
	j.Helper()
	j.host.sees("#d-calls")
	if j.visible("#d-calls .call") == "" {
		j.press("#d-calls > summary")
	}
}

// tick brings a form's ticks to those seats.
func (j *judge) tick(form string, seats []engine.Seat) {
	j.Helper()
	j.host.sees(form)
	for seat := range j.rec.Seats {
		box := fmt.Sprintf(`input[type=checkbox]:is([value="%d"], [value="%02[1]d"])`, seat+1)
		is := j.host.eval(fmt.Sprintf(`(() => { const i = document.querySelector(%q); return !i || i.disabled ? 'gone' : i.checked ? 'yes' : '' })()`, form+" "+box))
		if want := slices.Contains(seats, engine.Seat(seat+1)); is != "gone" && (is == "yes") != want {
			j.press(form + " label:has(> " + box + ")")
		}
	}
}

// drawn names the frame that the console shows: it has new keys in its forms.
func (j *judge) drawn() string {
	return j.host.eval(`[...document.querySelectorAll('main [name=key]')].at(-1).value.replace(/\..*/, '')`)
}

// press taps something in the middle of the console, where nothing lies over it.
func (j *judge) press(selector string) {
	j.Helper()
	j.host.sees(selector)
	j.host.eval(fmt.Sprintf(`(() => { document.querySelector(%q).scrollIntoView({block: 'center'}); return '' })()`, selector))
	j.host.click(selector)
}

// visible tells whether something is to be seen on the console.
func (j *judge) visible(selector string) string {
	return j.host.eval(fmt.Sprintf(`document.querySelector(%q)?.checkVisibility() ? 'yes' : ''`, selector))
}

var phaseLine = regexp.MustCompile(`= all phase (\w+)`)

// phaseName is the phase in which a record ends.
func phaseName(rec string) string {
	all := phaseLine.FindAllStringSubmatch(rec, -1)
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1][1]
}

var (
	stamp   = regexp.MustCompile(` @\S+ (phone|host|button|box)$`)
	entered = regexp.MustCompile(`^host for (\d+ )`)
)

// acts are the lines of a record that are acts, as they were meant: without
// when and by what, who entered them, and passes.
func acts(text string) (lines []string) {
	_, text, _ = strings.Cut(text, "\nbegin\n")
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.ContainsAny(line[:1], "=!#") || strings.HasPrefix(line, "clock ") {
			continue
		}
		line = entered.ReplaceAllString(stamp.ReplaceAllString(line, ""), "$1")
		if line != "host pass" {
			lines = append(lines, line)
		}
	}
	return lines
}

// same compares the box's record with the game that was played, act for act, and
// has the program hold it against the game's own checks.
func (j *judge) same(want string) {
	j.Helper()
	got := j.record()
	if is, was := acts(got), acts(want); !slices.Equal(is, was) {
		j.Errorf("played:\n%s\nrecorded:\n%s", strings.Join(was, "\n"), strings.Join(is, "\n"))
		return
	}
	head, _, _ := strings.Cut(got, "\nbegin\n")
	_, body, _ := strings.Cut(want, "\nbegin\n")
	played := acts(got)
	checked := []string{head, "begin"}
	for line := range strings.Lines(body) {
		line = strings.TrimSpace(line)
		switch {
		case line == "host pass", line == "":
		case strings.ContainsAny(line[:1], "=!"):
			checked = append(checked, line)
		default:
			checked, played = append(checked, played[0]), played[1:]
		}
	}
	file := filepath.Join(j.TempDir(), "played.mafia")
	if err := os.WriteFile(file, []byte(strings.Join(checked, "\n")+"\n"), 0o644); err != nil {
		j.Fatal(err)
	}
	if out, err := exec.Command(program, "replay", "--check", file).CombinedOutput(); err != nil {
		j.Errorf("%v: %s", err, out)
	}
}
