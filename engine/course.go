package engine

// Course is the game as it counts now: the beginning, whose act is zero, and
// the acts that stand with all that they lead to. Each is by its subject and as
// its last correction has it, in the place in which it counts; hands counted
// are one vote a seat. What was undone, corrected or put aside by a replay is
// in the Log alone. Like the Log it holds every secret.
func (g Game) Course() []Entry {
	course := make([]Entry, 0, len(g.steps))
	for _, s := range g.steps {
		course = append(course, Entry{Act: s.act, Events: s.events})
	}
	return course
}
