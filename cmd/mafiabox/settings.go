package main

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/joho/godotenv"
)

// dropEmpty takes empty settings out of the environment: a line such as
// MAFIABOX_LANG= leaves its default, there as in a file.
func dropEmpty() {
	for _, set := range os.Environ() {
		if name, value, _ := strings.Cut(set, "="); value == "" && strings.HasPrefix(name, "MAFIABOX_") {
			os.Unsetenv(name)
		}
	}
}

// settings are those of a file. Their names are those of the environment, which
// comes before the file.
type settings struct {
	file string
	text []byte
	set  map[string]string
}

func readSettings(r io.Reader) (kong.Resolver, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	set, err := godotenv.Parse(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("settings are lines such as MAFIABOX_LISTEN=:80: %w", err)
	}
	s := settings{"the settings", text, set}
	if file, ok := r.(*os.File); ok {
		s.file = file.Name()
	}
	return s, nil
}

// Validate refuses a file with a name that is none: whoever misspelt it would
// wonder why it does nothing.
func (s settings) Validate(app *kong.Application) error {
	var known []string
	kong.Visit(app, func(node kong.Visitable, next kong.Next) error {
		if flag, ok := node.(*kong.Flag); ok {
			for _, name := range flag.Envs {
				if !slices.Contains(known, name) { // several commands have it
					known = append(known, name)
				}
			}
		}
		return next(nil)
	})
	for _, name := range slices.Sorted(maps.Keys(s.set)) {
		if !slices.Contains(known, name) {
			return fmt.Errorf("%s:%d: there is no setting %s: expected one of %s", s.file, s.line(name), name, strings.Join(known, ", "))
		}
	}
	return nil
}

// line is the number of the line that sets a name.
func (s settings) line(name string) int {
	at := regexp.MustCompile(`(?m)^\s*(export\s+)?` + regexp.QuoteMeta(name) + `\s*[=:]`).FindIndex(s.text)
	if at == nil {
		return 1
	}
	return 1 + bytes.Count(s.text[:at[1]], []byte("\n"))
}

// Resolve gives a flag that is not on the command line its value.
func (s settings) Resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	for _, name := range flag.Envs {
		if value := os.Getenv(name); value != "" { // kong would let the file win
			return value, nil
		}
		if value := s.set[name]; value != "" {
			return value, nil
		}
	}
	return nil, nil
}
