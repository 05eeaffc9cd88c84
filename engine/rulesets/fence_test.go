package rulesets_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// allowed are the packages that the engine may import. It has no I/O, no clock,
// no dice of its own: bufio and io are for what a caller hands in, math/rand/v2
// for the shuffle that a seed fixes, time for moments and zones, sync/atomic for
// two Games that grow from one on two goroutines of a caller.
var allowed = []string{
	"bufio", "cmp", "errors", "fmt", "io", "iter", "maps", "math/bits", "math/rand/v2", "reflect", "slices", "strconv", "strings", "sync/atomic", "time", "time/tzdata",
	"unicode", "unicode/utf8",
}

// forbidden are the functions of allowed packages that look at the machine.
var forbidden = map[string][]string{
	"time": {"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker", "Local"},
	"rand": {"Int", "IntN", "Int32", "Int32N", "Int64", "Int64N", "Uint32", "Uint32N", "Uint64", "Uint64N", "UintN", "Uint", "N", "Float32", "Float64", "Perm", "Shuffle", "NormFloat64", "ExpFloat64"},
	"fmt":  {"Print", "Println", "Printf", "Scan", "Scanln", "Scanf"},
}

const module = "github.com/mafiabox/mafiabox/"

// TestFence keeps the engine a matter of values: what it imports, and that
// nothing in it looks at a clock, at dice or at another goroutine.
func TestFence(t *testing.T) {
	files := 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		files++
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, 0)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			name, _ := strconv.Unquote(spec.Path.Value)
			if !slices.Contains(allowed, name) && !strings.HasPrefix(name+"/", module+"engine/") {
				t.Errorf("%s imports %s", path, name)
			}
			if spec.Name != nil && spec.Name.Name != "_" {
				t.Errorf("%s gives %s another name: this test knows it by its own", path, name)
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt, *ast.SelectStmt, *ast.SendStmt, *ast.ChanType:
				t.Errorf("%s: a goroutine or a channel", set.Position(n.Pos()))
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok && slices.Contains(forbidden[x.Name], n.Sel.Name) {
					t.Errorf("%s: %s.%s", set.Position(n.Pos()), x.Name, n.Sel.Name)
				}
			}
			return true
		})
		return nil
	})
	if err != nil || files == 0 {
		t.Fatalf("%d files: %v", files, err)
	}
}
