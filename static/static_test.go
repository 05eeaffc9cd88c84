package static

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"html/template"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// texts reads a language's texts, from all of its files: each is a string, or a
// form of it for each plural.
func texts(t *testing.T, lang string) map[string]any {
	t.Helper()
	more, err := fs.Glob(Files, "texts/*."+lang+".json")
	if err != nil {
		t.Fatal(err)
	}
	all := make(map[string]any)
	for _, path := range append([]string{"texts/" + lang + ".json"}, more...) {
		data, err := Files.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var some map[string]any
		if err := json.Unmarshal(data, &some); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		for key, text := range some {
			if all[key] != nil {
				t.Errorf("%s: %q stands in another file, too", path, key)
			}
			all[key] = text
		}
	}
	return all
}

// templates are the sources of all templates, by path.
func templates(t *testing.T) map[string]string {
	t.Helper()
	paths, err := fs.Glob(Files, "templates/*.html")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no templates (%v)", err)
	}
	all := make(map[string]string)
	for _, path := range paths {
		data, err := Files.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all[path] = string(data)
	}
	return all
}

func TestLanguagesHaveTheSameKeys(t *testing.T) {
	en, ru := texts(t, "en"), texts(t, "ru")
	for key := range en {
		if _, ok := ru[key]; !ok {
			t.Errorf("ru.json has no %q", key)
		}
	}
	for key := range ru {
		if _, ok := en[key]; !ok && !strings.HasPrefix(key, ofRecord) {
			t.Errorf("en.json has no %q", key)
		}
	}
}

// ofRecord begins the keys of what is wrong with a record: the English that the
// parser itself says.
const ofRecord = "record: "

// TestRecordErrorsAreTranslated: each message of the parser is there in Russian,
// with the same arguments in the same order.
func TestRecordErrorsAreTranslated(t *testing.T) {
	sources, err := filepath.Glob("../engine/record/*.go")
	if err != nil || len(sources) == 0 {
		t.Fatal("no sources", err)
	}
	ru, verbs, found := texts(t, "ru"), regexp.MustCompile(`%[a-z0-9]+`), make(map[string]bool)
	for _, path := range sources {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, is := n.(*ast.CallExpr)
			if !is || fmt.Sprint(call.Fun) != "syntax" {
				return true
			}
			literal, is := call.Args[0].(*ast.BasicLit)
			if !is {
				t.Errorf("%s: a message that is not written out where it is said", path)
				return true
			}
			form, _ := strconv.Unquote(literal.Value)
			text, _ := ru[ofRecord+form].(string)
			if want, got := verbs.FindAllString(form, -1), verbs.FindAllString(text, -1); !slices.Equal(want, got) || text == "" || len(want) != len(call.Args)-1 {
				t.Errorf("%s: %q with %d arguments is %q in Russian", path, form, len(call.Args)-1, text)
			}
			found[ofRecord+form] = true
			return true
		})
	}
	for key := range ru {
		if strings.HasPrefix(key, ofRecord) && !found[key] {
			t.Errorf("nothing says %q", key)
		}
	}
}

var argument = regexp.MustCompile(`\.[A-Z][A-Za-z]*`)

// forms are the forms of a text; a text without plurals has one.
func forms(text any) map[string]string {
	if text, ok := text.(string); ok {
		return map[string]string{"other": text}
	}
	all := make(map[string]string)
	for form, text := range text.(map[string]any) {
		all[form], _ = text.(string)
	}
	return all
}

func TestTextsAreWholeAndUseTheSameArguments(t *testing.T) {
	plurals := map[string][]string{"en": {"one", "other"}, "ru": {"few", "many", "one", "other"}}
	used := map[string]map[string][]string{}
	for lang, wanted := range plurals {
		used[lang] = make(map[string][]string)
		for key, text := range texts(t, lang) {
			if _, ok := text.(string); !ok {
				if got := slices.Sorted(maps.Keys(forms(text))); !slices.Equal(got, wanted) {
					t.Errorf("%s.json: %q has the plural forms %v, want %v", lang, key, got, wanted)
				}
			}
			for form, text := range forms(text) {
				if strings.TrimSpace(text) != text || text == "" {
					t.Errorf("%s.json: %q, form %s, is empty or begins or ends with space: %q", lang, key, form, text)
				}
				if strings.Contains(text, "!") {
					t.Errorf("%s.json: %q shouts: %q", lang, key, text)
				}
				if _, err := template.New(key).Parse(text); err != nil {
					t.Errorf("%s.json: %q: %v", lang, key, err)
				}
			}
			names := argument.FindAllString(forms(text)["other"], -1)
			slices.Sort(names)
			used[lang][key] = slices.Compact(names)
		}
	}
	for key, names := range used["en"] {
		if !slices.Equal(names, used["ru"][key]) {
			t.Errorf("%q uses %v in English and %v in Russian", key, names, used["ru"][key])
		}
	}
}

func TestTemplatesParse(t *testing.T) {
	all, err := template.ParseFS(Files, "templates/*.html")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range []string{"start", "join", "seat", "seat-main", "host", "host-main", "host-login", "box", "again", "message", "here", "screen", "screen-main", "screen-free", "codes", "cards", "style", "thread", "post", "tally", "letters", "host-letters", "host-change", "log", "votes-now", "post-form", "checkup"} {
		if all.Lookup(page) == nil {
			t.Errorf("no template %q", page)
		}
	}
}

var key = regexp.MustCompile(`\.T "([^"]+)"|\.T \(printf "([^"%]+)%s"`)

func TestTemplatesUseKnownKeys(t *testing.T) {
	en := texts(t, "en")
	found := 0
	for path, source := range templates(t) {
		for _, m := range key.FindAllStringSubmatch(source, -1) {
			found++
			if _, ok := en[m[1]]; m[1] != "" && !ok {
				t.Errorf("%s uses the text %q, which is in no language", path, m[1])
			}
			made := func(key string) bool { return strings.HasPrefix(key, m[2]) }
			if m[2] != "" && !slices.ContainsFunc(slices.Collect(maps.Keys(en)), made) {
				t.Errorf("%s uses texts %q…, of which there is none", path, m[2])
			}
		}
	}
	if found < 100 {
		t.Fatalf("only %d texts found in templates: is the pattern right?", found)
	}
}

// families are the keys that are made of a name of the game, by where they are
// made: of each there may be as many texts as there are such names.
var families = map[string]string{
	"mended.":    "server/mend.go",
	"answer.":    "server/words.go",
	"ask.":       "server/words.go",
	"choice.":    "server/words.go",
	"event.":     "server/words.go",
	"fate.":      "server/words.go",
	"phase.":     "server/words.go",
	"problem.":   "server/words.go",
	"refused.":   "server/words.go",
	"role.":      "server/words.go",
	"ruling.":    "server/words.go",
	"side.":      "server/words.go",
	"verb.":      "server/words.go",
	"option.":    "server/view_lobby.go",
	"value.":     "server/view_lobby.go",
	"error.":     "server/app.go",
	"stage.":     "server/page_box.go",
	"rules.":     "server/view_lobby.go",
	"style.":     "server/page_style.go",
	"cause.":     "static/templates/parts.html",
	"call.":      "server/view_calls.go",
	"clock.":     "static/templates/judge.html",
	"cue.":       "static/templates/host.html",
	"fault.":     "hardware/pins.go",
	"panel.":     "cmd/mafiabox/panel.go",
	"channel.":   "server/page_letters.go",
	"checkup.":   "server/page_checkup.go",
	"reading.":   "server/view_thread.go",
	"time.":      "server/hours.go",
	"trouble.":   "server/trouble.go",
	"via.":       "server/view_record.go",
	"log.":       "server/view_record.go",
	"change.":    "server/change.go",
	"decide.":    "server/view_ways.go",
	"replay.":    "server/view_ways.go",
	"people.":    "server/page_people.go",
	"rehearsal.": "cmd/mafiabox/rehearsal/verdict.go",
}

// stepped are the families of the host's steps: only steps have them.
var stepped = []string{"next.", "say.", "does."}

var (
	goKey    = regexp.MustCompile(`\.T(?:Or)?\("([^"]+)"[,)]`)
	sayKey   = regexp.MustCompile(`\bsay\("([^"]+)"[,)]`)
	stepList = regexp.MustCompile(`(?m)^var steps = \[\]engine\.Verb(.*)`)
	stepName = regexp.MustCompile(`engine\.([A-Z][a-z]+)`)
	occasion = regexp.MustCompile(`\treturn "([a-z]+)"\n`)
)

// sources are the program's Go files that make texts, by path from its root.
func sources(t *testing.T) map[string]string {
	t.Helper()
	paths, err := filepath.Glob("../server/*.go")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no sources (%v)", err)
	}
	all := make(map[string]string)
	for _, path := range append(paths, "../cmd/mafiabox/rehearsal/verdict.go", "../hardware/pins.go", "../cmd/mafiabox/panel.go") {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(path, "_test.go") {
			all[strings.TrimPrefix(filepath.ToSlash(path), "../")] = string(data)
		}
	}
	return all
}

// Every text that is asked for is there, and none is there that nobody asks for.
func TestTextsAreThoseThatAreUsed(t *testing.T) {
	en, server, pages := texts(t, "en"), sources(t), templates(t)
	used := make(map[string]string) // by whom
	for path, source := range server {
		for _, m := range goKey.FindAllStringSubmatch(source, -1) {
			used[m[1]] = path
		}
		for _, m := range sayKey.FindAllStringSubmatch(source, -1) {
			used["problem."+m[1]] = path
		}
	}
	for path, source := range pages {
		for _, m := range key.FindAllStringSubmatch(source, -1) {
			if m[1] != "" {
				used[m[1]] = path
			}
		}
	}
	steps := stepName.FindAllStringSubmatch(strings.Join(stepList.FindStringSubmatch(server["server/step.go"])[1:], ""), -1)
	for _, m := range steps {
		for _, family := range stepped {
			used[family+strings.ToLower(m[1])] = "server/step.go"
		}
	}
	if len(used) < 200 || len(steps) < 5 {
		t.Fatalf("only %d texts and %d steps are used: are the patterns right?", len(used), len(steps))
	}

	for key, path := range used {
		if _, ok := en[key]; !ok {
			t.Errorf("%s uses the text %q, which is in no language", path, key)
		}
	}
	for family, path := range families {
		source := server[path] + pages[strings.TrimPrefix(path, "static/")]
		if !strings.Contains(source, `"`+family) {
			t.Errorf("%s makes no texts %s… any more", path, family)
		}
	}
	occasions := make(map[string]bool) // on which a step may have words of its own
	for _, m := range occasion.FindAllStringSubmatch(server["server/view_host.go"], -1) {
		occasions[m[1]] = true
	}
	for key := range en {
		family, _, _ := strings.Cut(key, ".")
		at := strings.LastIndex(key, ".")
		step := slices.Contains(stepped, family+".") && used[key[:max(0, at)]] != "" && occasions[key[at+1:]]
		if used[key] == "" && families[family+"."] == "" && !step {
			t.Errorf("nobody uses the text %q", key)
		}
	}
}

var (
	action    = regexp.MustCompile(`(?s)\{\{.*?\}\}`)
	tag       = regexp.MustCompile(`(?s)<[^>]*>`)
	spoken    = regexp.MustCompile(`(?s)\b(?:alt|title|aria-label|placeholder)\s*=\s*"([^"]*)"`)
	aWord     = regexp.MustCompile(`\pL+`)
	entityRef = regexp.MustCompile(`&[a-z]+;`)
)

// Whatever is said stands in the texts, where it can be said in every language.
func TestTemplatesSayNothingThemselves(t *testing.T) {
	for path, source := range templates(t) {
		source = action.ReplaceAllString(source, "")
		for _, m := range spoken.FindAllStringSubmatch(source, -1) {
			for _, word := range aWord.FindAllString(m[1], -1) {
				t.Errorf("%s says %q in %s: let a text say it", path, word, m[0])
			}
		}
		for _, word := range aWord.FindAllString(entityRef.ReplaceAllString(tag.ReplaceAllString(source, " "), ""), -1) {
			t.Errorf("%s says %q: let a text say it", path, word)
		}
	}
}

// What is forbidden by the pages' policy would silently not work.
var inline = regexp.MustCompile(`(?i)<script(?:[^>]*\ssrc=)?[^>]*>|<style|\sstyle\s*=|\son[a-z]+\s*=|javascript:`)

func TestTemplatesHaveNothingInline(t *testing.T) {
	for path, source := range templates(t) {
		for _, found := range inline.FindAllString(source, -1) {
			if strings.HasPrefix(found, "<script") && strings.Contains(found, "src=") {
				continue
			}
			t.Errorf("%s has %q: scripts and styles stand in files of their own", path, found)
		}
	}
}

// What a hold covers is hidden without any style, too.
func TestHoldsAreHidden(t *testing.T) {
	found := 0
	for path, source := range templates(t) {
		for _, tag := range regexp.MustCompile(`<[a-z]+[^>]*class="secret[^>]*>`).FindAllString(source, -1) {
			if found++; !strings.Contains(tag, " hidden ") {
				t.Errorf("%s has %s without the attribute hidden", path, tag)
			}
		}
	}
	if found < 15 {
		t.Errorf("only %d holds found: is the pattern right?", found)
	}
}

// form is a form's opening tag up to its end.
var form = regexp.MustCompile(`(?s)<form ([^>]*)>(.*?)</form>`)

// A form is sent again until it is answered, so each names itself, and the
// script knows it by its id when the page is drawn anew.
func TestFormsCanBeRepeated(t *testing.T) {
	found := 0
	for path, source := range templates(t) {
		for _, m := range form.FindAllStringSubmatch(source, -1) {
			found++
			if strings.Contains(m[1], "data-plain") {
				continue
			}
			if !strings.Contains(m[2], `name="key"`) || !strings.Contains(m[1], `id="`) {
				t.Errorf("%s: a form without a key or an id: <form %s>", path, m[1])
			}
		}
	}
	if found < 20 {
		t.Fatalf("only %d forms found: is the pattern right?", found)
	}
}

func TestScriptsParse(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node here")
	}
	scripts, err := filepath.Glob("js/*.js")
	if err != nil || len(scripts) < 2 {
		t.Fatalf("%d scripts %v", len(scripts), err)
	}
	for _, script := range scripts {
		if out, err := exec.Command(node, "--check", script).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", script, err, out)
		}
	}
}

// Everything goes over a box's own Wi-Fi to twenty phones at once.
func TestAssetsAreSmall(t *testing.T) {
	total := 0
	for _, path := range []string{"css/mafiabox.css", "js/live.js"} {
		data, err := Files.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		total += len(data)
	}
	if total > 30<<10 {
		t.Errorf("style and script have %d bytes, more than 30 KB", total)
	}

	// A seat's page on a night of twenty with two picks each.
	page := nightStub{Lang: "ru", texts: texts(t, "ru"), Key: "ABCDEFGHJKLMNPQR", Of: "1.night.2.61", Heading: "Ночь 2", Stage: "playing", Table: "1", Night: true, Asks: true, Nothing: true, Owed: 20, Role: "Мирный житель"}
	for i := range 20 {
		page.Seats = append(page.Seats, seatStub{Seat: i + 1, Name: "Александра К."})
	}
	page.Me = page.Seats[19]
	for i := range 2 {
		page.Picks = append(page.Picks, pickStub{N: i + 1, Ask: "Кого вы подозреваете?", Seats: page.Seats})
	}
	all, err := template.ParseFS(Files, "templates/*.html")
	if err != nil {
		t.Fatal(err)
	}
	var drawn bytes.Buffer
	if err := all.ExecuteTemplate(&drawn, "seat", page); err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(drawn.String(), `type="radio"`); got != 2*21 {
		t.Fatalf("the page has %d choices, want 42", got)
	}
	if strings.Contains(drawn.String(), "<video") {
		t.Error("the film is loaded before anybody started it")
	}
	t.Logf("style and script: %d bytes, page: %d", total, drawn.Len())
	if total += drawn.Len(); total > 40<<10 {
		t.Errorf("a seat's page takes %d bytes before it can be used, more than 40 KB", total)
	}
}

// A nightStub is what the server gives a seat's page at night.
type nightStub struct {
	texts                                                    map[string]any
	Lang, Key, Of, Heading, Table, Error, Result, Stage      string
	Role, Side                                               string
	Help, Rules                                              string
	Game, Owed                                               int
	Aloud, Frozen, Stopped, Over, Night, Asks, ReadNow, Sent bool
	Nothing, Leads                                           bool
	Allies, Notes, Chosen, Offers, Story, Notices            []string
	Title, Done                                              string
	VotesNow                                                 []string
	Ticket                                                   string
	Write                                                    *offerStub
	Letters                                                  []string
	Me                                                       seatStub
	Seats, AskAll                                            []seatStub
	Picks                                                    []pickStub
}

// An offerStub is never filled: the night's page has no channel in most games.
type offerStub struct {
	Label, Ask string
	Text       int
	Words      []struct{ Value string }
}

type seatStub struct {
	Shut             bool
	Fouls, Technical int
	Seat             int
	Name             string
	Out              bool
}

type pickStub struct {
	N     int
	Ask   string
	Seats []seatStub
}

func (nightStub) Keeps() string { return "" }

// T is the longest form of a text.
func (s nightStub) T(key string, _ ...any) string {
	longest := ""
	for _, text := range forms(s.texts[key]) {
		if len(text) > len(longest) {
			longest = text
		}
	}
	return longest
}

func TestFilmIsSmall(t *testing.T) {
	total := 0
	for _, path := range []string{"video/awake.mp4", "video/awake.webm"} {
		data, err := Files.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		total += len(data)
	}
	if total > 12<<10 {
		t.Errorf("the films have %d bytes, more than 12 KB", total)
	}
}
