package server

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mafiabox/mafiabox/engine/rulesets"
)

var (
	word    = regexp.MustCompile(`[A-Z]?[a-z]+('t)?`)
	records = regexp.MustCompile(`\.mafia\b`) // the end of a record's name
	// What else is called like a role: a side.
	namesakes = map[string]string{"story.go": "town"}
)

// wordsOf are the words in a name or a text: donSeeks and role.don are two each.
func wordsOf(s string) (all []string) {
	for _, w := range word.FindAllString(records.ReplaceAllString(s, ""), -1) {
		all = append(all, strings.ToLower(w))
	}
	return all
}

// TestFence: what a role does is the engine's alone, so nothing here knows one
// by its name, in code or in texts, but for the samples of the style page. A
// rule system with other roles needs no change here.
func TestFence(t *testing.T) {
	var roles []string
	for _, rules := range rulesets.All {
		for _, info := range rules.Roles() {
			roles = append(roles, string(info.Role))
		}
	}
	looked, samples := 0, 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, 0)
		if err != nil {
			return err
		}
		sample := strings.HasPrefix(path, "page_style")
		looked++
		ast.Inspect(file, func(n ast.Node) bool {
			text := ""
			switch n := n.(type) {
			case *ast.ImportSpec:
				if path, _ := strconv.Unquote(n.Path.Value); strings.Contains(path, "/engine/") && !slices.Contains([]string{"record", "rulesets", "sheet"}, path[strings.LastIndex(path, "/")+1:]) {
					t.Errorf("%s: imports %s, which is one rule system", set.Position(n.Pos()), path)
				}
				return false
			case *ast.Ident:
				text = n.Name
			case *ast.BasicLit:
				text = n.Value
			}
			for _, w := range wordsOf(text) {
				switch {
				case !slices.Contains(roles, w), namesakes[filepath.ToSlash(path)] == w:
				case sample:
					samples++
				default:
					t.Errorf("%s: knows the role %s: %s", set.Position(n.Pos()), w, text)
				}
			}
			return true
		})
		return nil
	})
	if err != nil || looked < 30 || samples < 10 { // else it looks at nothing
		t.Errorf("%d files, %d roles in samples: %v", looked, samples, err)
	}
}
