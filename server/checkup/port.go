package checkup

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// port tells whether the box can have its port, or who has it.
func (m Machine) port(ctx context.Context) []Finding {
	f := Finding{ID: "port", With: []any{"Listen", m.Listen}}
	_, text, err := net.SplitHostPort(m.Listen)
	port, err2 := strconv.ParseUint(text, 10, 16)
	if err != nil || err2 != nil {
		f.Case, f.State = "wrong", Bad
		return []Finding{f}
	}
	if m.Serving {
		f.Case, f.State = "own", OK
		return []Finding{f}
	}
	l, err := net.Listen("tcp", m.Listen)
	switch {
	case err == nil:
		l.Close()
		f.Case, f.State = "free", OK
	case errors.Is(err, fs.ErrPermission):
		f.Case, f.State = "forbidden", Bad
	case !errors.Is(err, syscall.EADDRINUSE):
		f.Case, f.State = "never", Bad
		f.With = append(f.With, "Error", err.Error())
	case answers(ctx, m.Listen):
		f.Case, f.State = "own", OK
	default:
		f.Case, f.State = "taken", Bad
		who, _ := m.holders("tcp", uint16(port))
		if len(who) == 0 {
			f.Case = "taken.hidden"
		}
		f.With = append(f.With, "Who", strings.Join(who, ", "))
	}
	return []Finding{f}
}

// answers tells whether a box serves there: its pages, whatever they say, have
// its style sheet. It is asked by an address, as it has no pages for other names.
func answers(ctx context.Context, at string) bool {
	if host, port, err := net.SplitHostPort(at); err == nil {
		if addr, err := netip.ParseAddr(host); host == "" || err == nil && addr.IsUnspecified() {
			at = net.JoinHostPort("127.0.0.1", port)
		}
	}
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+at+"/", nil)
	if err != nil {
		return false
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}} // without the environment's proxy
	resp, err := client.Do(r)
	if err != nil {
		return false
	}
	defer resp.Body.Close()
	page, err := io.ReadAll(io.LimitReader(resp.Body, 64<<10))
	return err == nil && strings.Contains(string(page), "/static/css/mafiabox.css")
}
