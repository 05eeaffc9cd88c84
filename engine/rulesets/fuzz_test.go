package rulesets_test

import (
	"bytes"
	"testing"

	"github.com/mafiabox/mafiabox/engine/record"
	"github.com/mafiabox/mafiabox/engine/rulesets"
)

// FuzzReplay: whatever reads as a record of these rules is played without a
// panic, and what is printed of it, with the offers of everybody, is a record
// that holds.
func FuzzReplay(f *testing.F) {
	for _, text := range recordTexts(f) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := record.Parse(data, rulesets.All)
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := record.Print(&out, r, true); err != nil {
			t.Fatal(err)
		}
		again, err := record.Parse(out.Bytes(), rulesets.All)
		if err != nil {
			t.Fatalf("%v in what was printed:\n%s", err, &out)
		}
		for _, m := range record.Verify(again) {
			t.Errorf("what was printed does not hold: %s", m)
		}
	})
}
