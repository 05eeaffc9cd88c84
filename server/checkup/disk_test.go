package checkup

import (
	"os"
	"path/filepath"
	"testing"
)

// TestDisk: what is told of the disk; a full one and a locked one are made real
// where the program is tested.
func TestDisk(t *testing.T) {
	dir := t.TempDir()
	look := func(data string) string {
		found := Machine{Data: data}.disk(t.Context())
		if len(found) != 1 {
			t.Fatalf("%+v", found)
		}
		return found[0].Case
	}
	if is := look(dir); is != "short" {
		t.Errorf("without a ballast: %s", is)
	}
	if err := os.WriteFile(filepath.Join(dir, "ballast"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if is := look(dir); is != "room" {
		t.Errorf("with a ballast: %s", is)
	}
	if is := look(filepath.Join(dir, "none")); is != "unknown" {
		t.Errorf("no folder: %s", is)
	}
}
