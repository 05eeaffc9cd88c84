package main

import (
	"encoding/json"
	"io/fs"
	"maps"
	"os/exec"
	"testing"

	"github.com/mafiabox/mafiabox/hardware"
	"github.com/mafiabox/mafiabox/server"
	"github.com/mafiabox/mafiabox/static"
)

// TestCuesHaveWords: what the panel shows, and why it isn't on pins, is said on
// the console in every language.
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
		for _, fault := range hardware.Faults() {
			if texts[fault] == nil {
				t.Errorf("%s: no text for %s", lang, fault)
			}
		}
	}
}

// TestPanelOff: the unit runs it after every end, so where there is nothing to
// turn off it says nothing.
func TestPanelOff(t *testing.T) {
	for _, mode := range []string{"sim", "off"} { // auto depends on the machine
		if out, err := exec.Command(program, "panel-off", "--panel", mode).CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: %v\n%s", mode, err, out)
		}
	}
}
