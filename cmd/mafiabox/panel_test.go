package main

import (
	"encoding/json"
	"io/fs"
	"maps"
	"testing"

	"github.com/mafiabox/mafiabox/hardware"
	"github.com/mafiabox/mafiabox/server"
	"github.com/mafiabox/mafiabox/static"
)

// TestCuesHaveWords: what the panel shows is said on the console in every language.
func TestCuesHaveWords(t *testing.T) {
	if len(hardware.Cues()) < 10 {
		t.Fatal(hardware.Cues())
	}
	for _, lang := range server.Languages {
		paths, err := fs.Glob(static.Files, "texts/*"+lang+".json")
		if err != nil {
			t.Fatal(err)
		}
		texts := make(map[string]any)
		for _, path := range paths {
			data, err := fs.ReadFile(static.Files, path)
			some := make(map[string]any)
			if err == nil {
				err = json.Unmarshal(data, &some)
			}
			if err != nil {
				t.Fatal(path, err)
			}
			maps.Copy(texts, some)
		}
		for _, cue := range hardware.Cues() {
			if texts["cue."+string(cue)] == nil {
				t.Errorf("%s: no text for the cue %s", lang, cue)
			}
		}
	}
}
