package server

import (
	"bytes"
	"html/template"
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"github.com/mafiabox/mafiabox/server/store"
	"github.com/mafiabox/mafiabox/static"
)

var defined = regexp.MustCompile(`\{\{define "([^"]+)"\}\}`)

// TestStyleDrawsEveryBlock: whatever block a page is made of, the style page has
// a sample of it. Each block is given a mark here, to be found in what is drawn;
// what opens and ends whole pages can't stand inside of one.
func TestStyleDrawsEveryBlock(t *testing.T) {
	b, _ := open(t, store.Memory())
	defer b.Close()
	paths, err := fs.Glob(static.Files, "templates/*.html")
	if err != nil {
		t.Fatal(err)
	}
	all, blocks := template.New(""), make(map[string]string) // the block's own source
	for _, path := range paths {
		source, err := fs.ReadFile(static.Files, path)
		if err != nil {
			t.Fatal(err)
		}
		parts := strings.Split(string(source), `{{define "`)
		for _, part := range parts[1:] {
			name, body, _ := strings.Cut(part, `"}}`)
			blocks[name] = body
		}
		if _, err := all.Parse(defined.ReplaceAllString(string(source), `{{define "$1"}}<i data-block="$1"></i>`)); err != nil {
			t.Fatal(err)
		}
	}
	var page bytes.Buffer
	if err := all.ExecuteTemplate(&page, "style", b.stylePage(words{b.texts.in("en")})); err != nil {
		t.Fatal(err)
	}
	drawn := 0
	for name, body := range blocks {
		frame := strings.HasPrefix(body, "<!doctype") || strings.HasSuffix(name, "foot") || strings.Contains(body, `template "head"`) || strings.Contains(body, `-head" .}}`)
		switch {
		case frame:
		case strings.Contains(page.String(), `data-block="`+name+`"`):
			drawn++
		default:
			t.Errorf("no sample draws %q", name)
		}
	}
	if drawn < 40 {
		t.Errorf("only %d blocks are drawn: is the pattern right?", drawn)
	}
}
