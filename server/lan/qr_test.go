package lan

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os/exec"
	"strings"
	"testing"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/qrcode"
)

// texts are what the box's codes hold, and what they might come to hold.
var texts = []string{
	"http://192.168.4.1/j/ABCDE",
	"http://192.168.4.1:8080/j/ABCDE",
	"http://[fd12:3456:789a::5]:8080/j/ABCDE",
	WiFi("mafiabox", "quiet-otter-47"),
	WiFi(`a;b,c:d"e\f`, `p\a;s,s:w"d`),
	WiFi("Клуб на Лиговке", "мирный житель"),
	WiFi("open", ""),
}

// networks try what scanners take for something else.
var networks = [][2]string{ // name and password
	{`a;b,c:d"e\f`, `p\a;s,s:w"d`}, {`\`, `\\\\;;;;`}, {`;`, `::::,,,,`}, {`"quoted"`, `"in quotes"`}, {`WIFI:S:x;;`, `T:WPA;P:x;H:true;;`},
	{"Кафе на Лиговке", "мирный житель"}, {"🦊 Лиса", "ночь 🌙 наступает"}, {" ends with spaces ", "  two  spaces  "}, {"CAFE", "DEADBEEF42"}, {"0x1234", "00000000"},
	{"it's <b>&amp;</b>", "100% $HOME `id` #!/"}, {"李小龍", "功夫功夫功夫"}, {strings.Repeat(";", 32), strings.Repeat(`"`, 63)},
}

// TestNetworksComeBack reads names and passwords with every odd character from
// their codes, in a picture and on a terminal, and finds them unchanged.
func TestNetworksComeBack(t *testing.T) {
	for _, n := range networks {
		code := WiFi(n[0], n[1])
		data, err := PNG(code, 6)
		if err != nil {
			t.Fatal(err)
		}
		picture, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if want := Size(code) * 6; picture.Bounds().Dx() != want {
			t.Errorf("%q is %d pixels wide, want %d", n, picture.Bounds().Dx(), want)
		}
		coloured := Terminal(code, true)
		for _, shown := range []image.Image{picture, screen(Terminal(code, false), true), screen(coloured, true), screen(coloured, false)} {
			if f := fields(decode(t, shown)); f["S"] != n[0] || f["P"] != n[1] || f["T"] != "WPA" || len(f) != 3 {
				t.Errorf("%q comes back as %q", n, f)
			}
		}
	}
}

// decode reads a code with two readers that have nothing in common.
func decode(t *testing.T, img image.Image) string {
	t.Helper()
	bmp, err := gozxing.NewBinaryBitmapFromImage(img)
	if err != nil {
		t.Fatal(err)
	}
	r, err := qrcode.NewQRCodeReader().Decode(bmp, nil)
	if err != nil {
		t.Fatalf("can't be read: %v", err)
	}
	if got := zbar(t, img); got != r.GetText() {
		t.Errorf("zbar reads %q, gozxing %q", got, r.GetText())
	}
	return r.GetText()
}

func zbar(t *testing.T, img image.Image) string {
	t.Helper()
	path, err := exec.LookPath("zbarimg")
	if err != nil {
		t.Skip("needs zbarimg (package zbar-tools)")
	}
	var file bytes.Buffer
	if err := png.Encode(&file, img); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "-q", "--raw", "-Sdisable", "-Sqrcode.enable", "-")
	cmd.Stdin = &file
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("zbar: %v", err)
	}
	return strings.TrimSuffix(string(out), "\n")
}

func TestPNG(t *testing.T) {
	for _, text := range texts {
		for _, pixels := range []int{MinPixels, 8, MaxPixels} {
			data, err := PNG(text, pixels)
			if err != nil {
				t.Fatal(err)
			}
			img, err := png.Decode(bytes.NewReader(data))
			if err != nil {
				t.Fatal(err)
			}
			if got := decode(t, img); got != text {
				t.Errorf("%d pixels: read %q, want %q", pixels, got, text)
			}
			size := img.Bounds().Dx()
			if size%pixels != 0 || size != img.Bounds().Dy() {
				t.Errorf("%d pixels for a module give a picture of %v", pixels, img.Bounds())
			}
			// The quiet zone: four modules of white before the first black one.
			for y := range size {
				for x := range 4 * pixels {
					if g := color.GrayModel.Convert(img.At(x, y)).(color.Gray); g.Y != 255 {
						t.Fatalf("%d pixels: the quiet zone is not white at %d,%d", pixels, x, y)
					}
				}
			}
			if g := color.GrayModel.Convert(img.At(4*pixels, 4*pixels)).(color.Gray); g.Y != 0 {
				t.Errorf("%d pixels: no finder pattern after four modules", pixels)
			}
		}
	}
	for _, pixels := range []int{-8, 0, 1, MinPixels - 1, MaxPixels + 1, 1 << 30} {
		if _, err := PNG("x", pixels); err == nil {
			t.Errorf("%d pixels for a module are taken", pixels)
		}
	}
	if _, err := PNG(strings.Repeat("x", 4000), 8); err == nil {
		t.Error("a text too long for a code is taken")
	}
}

// screen draws what a terminal shows whose own colours are light on dark, or
// dark on light: each character a cell of 8 by 16 pixels, with some ground around.
func screen(s string, dark bool) image.Image {
	ground, ink := color.Gray{255}, color.Gray{0}
	if dark {
		ground, ink = ink, ground
	}
	own := [2]color.Gray{ground, ink}
	lines := strings.Split(strings.TrimSuffix(s, "\n"), "\n")
	width := len([]rune(uncoloured(lines[0])))
	const border = 3
	img := image.NewGray(image.Rect(0, 0, (width+2*border)*8, (len(lines)+2*border)*16))
	for i := range img.Pix {
		img.Pix[i] = own[0].Y
	}
	for row, line := range lines {
		if rest, ok := strings.CutPrefix(line, blackOnWhite); ok {
			ground, ink, line = color.Gray{255}, color.Gray{0}, rest
		} else {
			ground, ink = own[0], own[1]
		}
		for col, r := range []rune(strings.TrimSuffix(line, ownColours)) {
			for y := range 16 {
				c := ground
				if r == '█' || r == '▀' && y < 8 || r == '▄' && y >= 8 {
					c = ink
				}
				for x := range 8 {
					img.SetGray((col+border)*8+x, (row+border)*16+y, c)
				}
			}
		}
	}
	return img
}

func uncoloured(s string) string {
	return strings.NewReplacer(blackOnWhite, "", ownColours, "").Replace(s)
}

func TestTerminal(t *testing.T) {
	for _, text := range texts {
		plain, coloured := Terminal(text, false), Terminal(text, true)
		for name, img := range map[string]image.Image{
			"plain on black": screen(plain, true), "coloured on black": screen(coloured, true), "coloured on white": screen(coloured, false),
		} {
			if got := decode(t, img); got != text {
				t.Errorf("%s: read %q, want %q", name, got, text)
			}
		}
		for _, s := range []string{plain, uncoloured(coloured)} {
			if bad := strings.Trim(s, " █▀▄\n"); bad != "" {
				t.Errorf("characters %q", bad)
			}
		}
		for line := range strings.Lines(coloured) { // else the colours run on to the window's edge
			if !strings.HasPrefix(line, blackOnWhite) || !strings.HasSuffix(line, ownColours+"\n") {
				t.Errorf("line %q", line)
			}
		}
	}
	if Terminal(strings.Repeat("x", 4000), true) != "" {
		t.Error("a text too long gives a code")
	}
}

func TestWiFi(t *testing.T) {
	for _, c := range []struct{ ssid, password, want string }{
		{"mafiabox", "quiet-otter-47", "WIFI:T:WPA;S:mafiabox;P:quiet-otter-47;;"},
		{"open", "", "WIFI:T:nopass;S:open;;"},
		{`a;b,c`, `d:e"f\g`, `WIFI:T:WPA;S:a\;b\,c;P:d\:e\"f\\g;;`},
		{`\;`, `;;`, `WIFI:T:WPA;S:\\\;;P:\;\;;;`},
	} {
		got := WiFi(c.ssid, c.password)
		if got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
		if f := fields(got); f["S"] != c.ssid || f["P"] != c.password {
			t.Errorf("%s reads as %q", got, f)
		}
	}
}

func TestMisread(t *testing.T) {
	const chars, hex, length = "other than", "no letter after F", "8 to 63"
	for _, c := range []struct {
		ssid, password string
		want           []string // a part of each
	}{
		{"Mafia-Club", "night-falls", nil},
		{"Mafia-Club", "", nil},
		{"mafia club", "night-falls", []string{chars}},
		{"Клуб", "тихая ночь", []string{chars, chars}},
		{"café", "naïve-Zoë", []string{chars, chars}}, // zbar takes the accents for Chinese
		{"CAFE-42", "DEADBEEF", []string{hex, hex}},
		{"Mafia", "g", []string{length}},
		{"Mafia", strings.Repeat("g", 63), nil},
		{"Mafia", strings.Repeat("g", 64), []string{length}},
		{strings.Repeat("g", 33), "", []string{"longer than 32"}},
		{"Mafia", "a;b", []string{chars, length}},
	} {
		got := Misread(c.ssid, c.password)
		if len(got) != len(c.want) {
			t.Errorf("%q %q: %q", c.ssid, c.password, got)
			continue
		}
		for i, want := range c.want {
			if !strings.Contains(got[i], want) {
				t.Errorf("%q %q: %q, want %q", c.ssid, c.password, got[i], want)
			}
		}
	}
}

// fields reads a Wi-Fi code as a scanner does.
func fields(code string) map[string]string {
	f := map[string]string{}
	var key, part strings.Builder
	in := &key
	rest := []rune(strings.TrimPrefix(code, "WIFI:"))
	for i := 0; i < len(rest); i++ {
		switch r := rest[i]; {
		case r == '\\' && i+1 < len(rest):
			i++
			in.WriteRune(rest[i])
		case r == ':' && in == &key:
			in = &part
		case r == ';':
			if key.Len() > 0 {
				f[key.String()] = part.String()
			}
			key.Reset()
			part.Reset()
			in = &key
		default:
			in.WriteRune(r)
		}
	}
	return f
}
