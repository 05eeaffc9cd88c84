package main

import (
	"image"
	"image/color"
	_ "image/png"
	"strings"
	"testing"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/qrcode"
)

// TestCodes decodes the codes that people scan: on the terminal and on the
// host's page, for the table and for the Wi-Fi.
func TestCodes(t *testing.T) {
	b := start(t, "--wifi-ssid", "Mafia-Club", "--wifi-password", "night-falls")
	const wifi = "WIFI:T:WPA;S:Mafia-Club;P:night-falls;;"
	join := b.url + "/j/" + b.code()

	printed := terminalCodes(b.out.String())
	if len(printed) != 2 {
		t.Fatalf("%d codes on the terminal:\n%s", len(printed), b.out)
	}
	for i, want := range []string{wifi, join} {
		if got := decode(t, printed[i]); got != want {
			t.Errorf("code %d on the terminal says %q, want %q", i+1, got, want)
		}
	}
	host, _ := b.seated(0)
	if page := host.get("/t/1/host"); !strings.Contains(page, "/t/1/code.png") || !strings.Contains(page, "/t/1/wifi.png") || !strings.Contains(page, join) {
		t.Errorf("the host's page lacks a code or the address:\n%s", page)
	}
	for path, want := range map[string]string{"/t/1/code.png": join, "/t/1/wifi.png": wifi} {
		picture, _, err := image.Decode(strings.NewReader(host.get(path)))
		if err != nil {
			t.Fatal(err)
		}
		if got := decode(t, picture); got != want {
			t.Errorf("%s says %q, want %q", path, got, want)
		}
	}
}

func decode(t *testing.T, picture image.Image) string {
	t.Helper()
	bitmap, err := gozxing.NewBinaryBitmapFromImage(picture)
	if err != nil {
		t.Fatal(err)
	}
	result, err := qrcode.NewQRCodeReader().Decode(bitmap, nil)
	if err != nil {
		return err.Error()
	}
	return result.GetText()
}

// terminalCodes paints what a dark terminal shows: each character is two
// modules above one another.
func terminalCodes(text string) (pictures []image.Image) {
	var rows []string
	flush := func() {
		if len(rows) > 10 {
			pictures = append(pictures, paint(rows))
		}
		rows = nil
	}
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, "\n"); strings.ContainsAny(line, "█▀▄") {
			rows = append(rows, line)
		} else {
			flush()
		}
	}
	flush()
	return pictures
}

func paint(rows []string) image.Image {
	const module = 6
	picture := image.NewGray(image.Rect(0, 0, len([]rune(rows[0]))*module, len(rows)*2*module))
	for y, row := range rows {
		for x, char := range []rune(row) {
			for half := range 2 {
				lit := char == '█' || char == '▀' && half == 0 || char == '▄' && half == 1
				for i := range module * module {
					if lit {
						picture.SetGray(x*module+i%module, (2*y+half)*module+i/module, color.Gray{255})
					}
				}
			}
		}
	}
	return picture
}
