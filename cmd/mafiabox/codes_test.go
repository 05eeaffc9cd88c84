package main

import (
	"bufio"
	"fmt"
	"image"
	"image/color"
	_ "image/png"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/qrcode"
	"golang.org/x/sys/unix"
)

// TestCodes decodes the codes that people scan: on the terminal and on the
// host's page, for the table and for the Wi-Fi.
func TestCodes(t *testing.T) {
	b := start(t, "--wifi-ssid", "Mafia-Club", "--wifi-password", "night-falls")
	const wifi = "WIFI:T:WPA;S:Mafia-Club;P:night-falls;;"
	join := b.url + "/j/" + b.code()

	printed := terminalCodes(b.out.String(), dark)
	if len(printed) != 2 {
		t.Fatalf("%d codes on the terminal:\n%s", len(printed), b.out)
	}
	for i, want := range []string{wifi, join} {
		if got := decode(t, printed[i]); got != want {
			t.Errorf("code %d on the terminal says %q, want %q", i+1, got, want)
		}
	}
	host, _ := b.seated(0)
	for _, part := range []string{"/t/1/code.png?v=", "/t/1/wifi.png?v=", join, "Mafia-Club", "night-falls"} {
		if page := host.get("/t/1/host"); !strings.Contains(page, part) {
			t.Errorf("the host's page lacks %s:\n%s", part, page)
		}
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

// TestCodesOnATerminal: on a terminal a code brings its colours along, as its
// ground may be light.
func TestCodesOnATerminal(t *testing.T) {
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("needs terminals: ", err)
	}
	defer master.Close()
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	terminal, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close()
	cmd := exec.Command(program, "--listen", "127.0.0.1:0", "--data", t.TempDir())
	cmd.Stdout = terminal
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer cmd.Process.Kill()
	time.AfterFunc(20*time.Second, func() { cmd.Process.Kill(); terminal.Close() })
	var code strings.Builder
	for lines := bufio.NewScanner(master); lines.Scan(); {
		line := strings.TrimSuffix(lines.Text(), "\r")
		if strings.HasPrefix(line, "ready: ") {
			break
		}
		if rest, ok := strings.CutPrefix(line, "\x1b[38;5;16;48;5;231m"); ok {
			swap := strings.NewReplacer("█", " ", " ", "█", "▀", "▄", "▄", "▀") // black on white, as light on dark
			fmt.Fprintln(&code, swap.Replace(strings.TrimSuffix(rest, "\x1b[0m")))
		}
	}
	for _, ground := range []color.Gray{dark, light} {
		pictures := terminalCodes(code.String(), ground)
		if len(pictures) != 1 {
			t.Fatalf("%d coloured codes:\n%s", len(pictures), &code)
		}
		if got := decode(t, pictures[0]); !strings.Contains(got, "/j/") {
			t.Errorf("on %v it says %q", ground, got)
		}
	}
}

// What a terminal's ground may be.
var dark, light = color.Gray{0}, color.Gray{255}

// decode reads a code with two readers that have nothing in common.
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
	if got := scanImage(t, picture); len(got) != 1 || got[0] != result.GetText() {
		t.Errorf("zbar reads %q, gozxing %q", got, result.GetText())
	}
	return result.GetText()
}

// terminalCodes paints what a terminal shows: each character is two modules above
// one another, and around a code is the terminal's own ground.
func terminalCodes(text string, ground color.Gray) (pictures []image.Image) {
	var rows []string
	flush := func() {
		if len(rows) > 10 {
			pictures = append(pictures, paint(rows, ground))
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

func paint(rows []string, ground color.Gray) image.Image {
	const module, border = 6, 20
	picture := image.NewGray(image.Rect(-border, -border, len([]rune(rows[0]))*module+border, len(rows)*2*module+border))
	for i := range picture.Pix {
		picture.Pix[i] = ground.Y
	}
	for y, row := range rows {
		for x, char := range []rune(row) {
			for half := range 2 {
				lit := char == '█' || char == '▀' && half == 0 || char == '▄' && half == 1
				for i := range module * module {
					c := dark
					if lit {
						c = light
					}
					picture.SetGray(x*module+i%module, (2*y+half)*module+i/module, c)
				}
			}
		}
	}
	return picture
}
