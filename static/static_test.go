package static

import (
	"encoding/json"
	"html/template"
	"io/fs"
	"maps"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// texts reads a language's texts: each is a string, or a form of it for each plural.
func texts(t *testing.T, lang string) map[string]any {
	t.Helper()
	data, err := Files.ReadFile("texts/" + lang + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]any
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatalf("texts/%s.json: %v", lang, err)
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
		if _, ok := en[key]; !ok {
			t.Errorf("en.json has no %q", key)
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
	for _, page := range []string{"start", "join", "seat", "seat-main", "host", "host-main", "host-login", "box", "message"} {
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

func TestScriptParses(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node here")
	}
	if out, err := exec.Command(node, "--check", "js/live.js").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
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
}
