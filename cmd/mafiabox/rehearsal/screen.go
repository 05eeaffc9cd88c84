package rehearsal

import (
	"context"
	"errors"
	"strings"
)

// screen is a table's screen: it shows its code until a host types that, and
// then the table.
type screen struct {
	*stream
	*browser
}

// code is what an unpaired screen shows.
func (s *screen) code(ctx context.Context) (string, error) {
	page, _, err := s.load(ctx, "/screen")
	if err != nil {
		return "", err
	}
	for _, n := range page.find(func(n *node) bool { return is(n, "pair") }) {
		return strings.TrimSpace(text(n)), nil
	}
	return "", errors.New("the screen shows no code")
}

// show opens the screen's stream, once it is paired.
func (s *screen) show(ctx context.Context) error {
	s.stream = newStream(s.browser, "/screen/live")
	return s.connect(ctx)
}
