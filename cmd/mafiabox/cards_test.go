package main

import (
	"bytes"
	"fmt"
	"image"
	_ "image/png"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// TestCards prints the cards of a table on both papers, and reads them from there:
// each has its seat's number, the Wi-Fi's code and its own.
func TestCards(t *testing.T) {
	t.Parallel()
	const wifi = "WIFI:T:WPA;S:Mafia-Club;P:night-falls;;"
	b := start(t, "--wifi-ssid", "Mafia-Club", "--wifi-password", "night-falls")
	plain := start(t)
	p := newPhone(t, chromium(t), "host")
	for _, c := range []struct {
		name, query string
		b           *box
		seats, leaf int
		code        string // of a seat
		says        []string
	}{
		{"evening", "?n=12", b, 12, 2, b.url + "/j/" + b.code() + "?seat=%d", []string{"Mafia-Club", "night-falls", b.url, b.code()}},
		{"always", "?n=9&always=1", b, 9, 2, b.url + "/?seat=%d", []string{"Mafia-Club", "night-falls", b.url, "the five letters"}},
		{"one", "?n=16", plain, 16, 2, plain.url + "/j/" + plain.code() + "?seat=%d", []string{plain.url, plain.code()}},
		{"all", "", plain, 20, 3, plain.url + "/j/" + plain.code() + "?seat=%d", []string{plain.url}},
	} {
		host, _ := c.b.seated(0)
		p.is(host)
		for _, lang := range []string{"ru", "en"} {
			at := c.b.url + "/t/1/host/cards" + c.query + "&lang=" + lang
			if c.query == "" {
				at = c.b.url + "/t/1/host/cards?lang=" + lang
			}
			p.do(chromedp.Navigate(at))
			p.eval(`Promise.all([...document.images].map(i => i.decode())).then(() => '')`)
			p.shoot(lang + "-cards-" + c.name)
		}
		for paper, size := range map[string][2]float64{"A4": {210 / 25.4, 297 / 25.4}, "Letter": {8.5, 11}} {
			pdf, err := chromedp.Run(p.page, chromedp.PrintToPDF(func(p *page.PrintToPDFParams) {
				p.PaperWidth, p.PaperHeight, p.PreferCSSPageSize = size[0], size[1], new(bool)
			}))
			if err != nil {
				t.Fatal(err)
			}
			text, leaves := printed(t, pdf)
			var seats []string
			for _, word := range strings.Fields(text) {
				if n := len(word); n <= 2 && strings.Trim(word, "0123456789") == "" {
					seats = append(seats, word)
				}
			}
			if len(leaves) != c.leaf {
				t.Fatalf("%s on %s: %d pages, want %d", c.name, paper, len(leaves), c.leaf)
			}
			var numbers []string
			for i := range c.seats {
				numbers = append(numbers, fmt.Sprint(i+1))
				left, right := cut(leaves[i/8], i%8)
				if got, want := scanImage(t, right), fmt.Sprintf(c.code, i+1); len(got) != 1 || got[0] != want {
					t.Errorf("%s on %s: the card of seat %d says %q, want %q", c.name, paper, i+1, got, want)
				}
				if got := scanImage(t, left); c.b == b && (len(got) != 1 || got[0] != wifi) {
					t.Errorf("%s on %s: the card of seat %d says %q of the Wi-Fi", c.name, paper, i+1, got)
				}
			}
			seats = slices.DeleteFunc(seats, func(s string) bool { return s == "1." || s == "2." })
			if !slices.Equal(slices.Sorted(slices.Values(seats)), slices.Sorted(slices.Values(numbers))) {
				t.Errorf("%s on %s: the seats %q", c.name, paper, seats)
			}
			for _, says := range c.says {
				if n := strings.Count(solid(text), solid(says)); n != c.seats {
					t.Errorf("%s on %s: %d cards of %d say %q:\n%s", c.name, paper, n, c.seats, says, text)
				}
			}
			if strings.Contains(text, "Print this page") || c.name == "always" && strings.Contains(solid(text), b.code()) {
				t.Errorf("%s on %s: it prints what is not for the cards:\n%s", c.name, paper, text)
			}
		}
	}

	host, _ := b.seated(0)
	for _, n := range []string{"0", "41", "-1", "x", "1e9", strings.Repeat("9", 400)} {
		if status, body, err := host.ask("GET", "/t/1/host/cards?n="+n, nil); err != nil || status != 422 || !strings.Contains(body, "from 1 to 40") {
			t.Errorf("%s cards: %d %v\n%s", n, status, err, body)
		}
	}
	if cards := strings.Count(host.get("/t/1/host/cards?n=40"), `class="card"`); cards != 40 {
		t.Errorf("%d cards of 40", cards)
	}
	for path, want := range map[string]string{
		"/t/1/host/card/7.png": b.url + "/j/" + b.code() + "?seat=7", "/t/1/host/card/40.png?always=1": b.url + "/?seat=40",
	} {
		picture, _, err := image.Decode(strings.NewReader(host.get(path)))
		if err != nil {
			t.Fatal(err)
		}
		if got := decode(t, picture); got != want {
			t.Errorf("%s says %q, want %q", path, got, want)
		}
	}
	for _, seat := range []string{"0", "41", "x", "-1"} {
		if status, _, _ := host.ask("GET", "/t/1/host/card/"+seat+".png", nil); status != 404 {
			t.Errorf("a card of seat %s: %d", seat, status)
		}
	}
}

// solid is a text without spaces: where letters stand apart, what reads them back
// from a page finds spaces between some.
func solid(text string) string { return strings.Join(strings.Fields(text), "") }

const dots = 200 // an inch, as a cheap printer has them

// cut takes a card from its page, and halves it: on each side stands one code.
func cut(page image.Image, i int) (left, right image.Image) {
	const mm = dots / 25.4
	x := (float64(page.Bounds().Dx())/mm-190)/2 + float64(i%2)*95
	y := 8 + float64(i/2)*65
	part := func(from, to float64) image.Image {
		return page.(interface {
			SubImage(image.Rectangle) image.Image
		}).SubImage(image.Rect(int((x+from)*mm), int(y*mm), int((x+to)*mm), int((y+65)*mm)))
	}
	return part(0, 47), part(47, 95)
}

// printed is what stands on paper: the text, and each page as a picture.
func printed(t *testing.T, pdf []byte) (text string, pages []image.Image) {
	t.Helper()
	if _, err := exec.LookPath("pdftoppm"); err != nil {
		t.Skip("no pdftoppm: `make test` as root installs it")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "cards.pdf")
	if err := os.WriteFile(file, pdf, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("pdftotext", "-layout", file, "-").Output()
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("pdftoppm", "-png", "-r", fmt.Sprint(dots), file, filepath.Join(dir, "page")).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "page*.png"))
	slices.Sort(files)
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		picture, _, err := image.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, picture)
	}
	return string(out), pages
}
