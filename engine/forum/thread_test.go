package forum_test

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/mafiabox/mafiabox/engine"
)

// TestThreadLeavesNothing: neither posts without a vote nor the clock acts
// between them are kept in a game, and the games before stay what they were.
func TestThreadLeavesNothing(t *testing.T) {
	g := begin(t, players)
	do(t, &g, "1 vote 2", "clock 2026-05-04T16:00:01Z")
	start := time.Date(2026, 5, 4, 16, 0, 1, 0, time.UTC)
	var early engine.Game
	for i := range 3000 {
		do(t, &g, "clock "+start.Add(time.Duration(i)*time.Second).Format(time.RFC3339), fmt.Sprintf(`%d post "post %d"`, i%13+1, i))
		if i == 100 {
			early = g
		}
	}
	if log, course := len(g.Log()), len(g.Course()); log != 1 || course != 3 {
		t.Errorf("%d acts and %d steps are kept, not the vote, and the beginning and the time with it", log, course)
	}
	if g.Posts() != 3000 || g.Seen(5).Posts != 3000 || g.LastNo() != 6002 {
		t.Errorf("%d posts, %d seen, the last act is %d", g.Posts(), g.Seen(5).Posts, g.LastNo())
	}
	if now := g.Course()[2].Act; now.No != 6001 || !now.Moment.Equal(start.Add(2999*time.Second)) {
		t.Errorf("it is %v, act %d", now.Moment, now.No)
	}
	if now := early.Course()[2].Act; early.Posts() != 101 || !now.Moment.Equal(start.Add(100*time.Second)) {
		t.Errorf("the game of then is at %v with %d posts", now.Moment, early.Posts())
	}
	before := g
	do(t, &g, "host undo", "2 vote 3", `host replay "x"`, "host undo")
	if g.Posts() != 3000 || g.Seen(engine.All).Posts != 3000 || before.Posts() != 3000 || g.Seen(engine.All).Seats[1].VotedFor != 3 {
		t.Errorf("%d posts after all", g.Posts())
	}
}

// TestTimeStandsAfterUndo: time does not go back with what is undone, nor when
// an earlier moment is told.
func TestTimeStandsAfterUndo(t *testing.T) {
	g := begin(t, nil)
	do(t, &g, "1 vote 11", "clock 2026-05-05T15:30:00Z", "clock 2026-05-05T15:20:00Z", `2 post "now"`)
	late, _, err := g.Do(engine.Act{By: 2, Verb: engine.Vote, Seats: []engine.Seat{11}})
	if err != nil || !late.Due().Equal(time.Date(2026, 5, 5, 22, 0, 0, 0, time.UTC)) {
		t.Errorf("a vote in the last hour: due %v, %v", late.Due(), err)
	}
	do(t, &g, "host undo")
	undone, _, err := g.Do(engine.Act{By: 2, Verb: engine.Vote, Seats: []engine.Seat{11}})
	if err != nil || !undone.Due().Equal(late.Due()) {
		t.Errorf("after an undo: due %v, %v", undone.Due(), err)
	}
}

// TestPostsThatVoteStand: what a post holds counts again whenever the acts
// before it are done again; a lock that was there already, too.
func TestPostsThatVoteStand(t *testing.T) {
	g := begin(t, players)
	do(t, &g, "12 vote 6", "12 lock", `12 post "locked"`, `3 post "themountainman > Reckless"`, `1 post "good day"`, "host undo 2")
	if s := g.Seen(engine.All); !s.Seats[11].Locked || s.Seats[2].VotedFor != 6 || s.Posts != 3 {
		t.Errorf("%+v", s)
	}
	seen := g.Seen(engine.ToHost)
	do(t, &g, `host replay "x"`)
	if s := g.Seen(engine.All); s.Seats[11].Locked || s.Seats[2].Voted || s.Posts != 3 {
		t.Errorf("%+v", s)
	}
	do(t, &g, "host undo")
	if s := g.Seen(engine.ToHost); !reflect.DeepEqual(s, seen) {
		t.Errorf("%+v, not %+v", s, seen)
	}
}
