package engine

// Verb is what an act does.
type Verb string

// The verbs of all rule systems. Their arguments are in record's grammar.
const (
	Night   Verb = "night"
	Close   Verb = "close"
	Dawn    Verb = "dawn"
	Speech  Verb = "speech"
	Pass    Verb = "pass"
	Vote    Verb = "vote"
	Votes   Verb = "votes"
	Raise   Verb = "raise"
	Hold    Verb = "hold"
	Go      Verb = "go"
	Rule    Verb = "rule"
	Extend  Verb = "extend"
	Advance Verb = "clock" // the clock's one act: time moves on

	Nominate  Verb = "nominate"
	Withdraw  Verb = "withdraw"
	Lock      Verb = "lock"
	Unlock    Verb = "unlock"
	Post      Verb = "post"
	Whisper   Verb = "whisper"
	Extension Verb = "extension"
	BestMove  Verb = "bestmove"

	Shoot   Verb = "shoot"
	Whack   Verb = "whack"
	Attack  Verb = "attack"
	Block   Verb = "block"
	Cover   Verb = "cover"
	Swap    Verb = "swap"
	Heal    Verb = "heal"
	Check   Verb = "check"
	Guess   Verb = "guess"
	Seek    Verb = "seek"
	Compare Verb = "compare"
	Suspect Verb = "suspect"
	Wait    Verb = "wait"

	Warn       Verb = "warn"
	Foul       Verb = "foul"
	Disqualify Verb = "disqualify"
	Suspend    Verb = "suspend"
	Leave      Verb = "leave"

	Stop   Verb = "stop"
	Resume Verb = "resume"
	Decide Verb = "decide"
	Undo   Verb = "undo"
	Replay Verb = "replay" // the round starts again from its opening
	Note   Verb = "note"
	Appeal Verb = "appeal"
	End    Verb = "end"

	// Verbs of `told` that are no acts.
	ToldRole Verb = "role"
	ToldAlly Verb = "ally"
)

// Kind is what an event says.
type Kind string

// The kinds of events.
const (
	Told       Kind = "told"
	PhaseIs    Kind = "phase"
	Voted      Kind = "voted"
	Asked      Kind = "asked"
	Owed       Kind = "owed"
	Stopped    Kind = "stopped"
	Resumed    Kind = "resumed"
	Candidates Kind = "candidates"
	Tallied    Kind = "tally"
	Tie        Kind = "tie"
	AskAll     Kind = "ask"
	Out        Kind = "out"
	Stay       Kind = "stay"
	Void       Kind = "void"
	Missed     Kind = "missed"
	Warned     Kind = "warned"
	Muted      Kind = "muted"
	Fouls      Kind = "fouls"
	Decision   Kind = "decision"
	Ruling     Kind = "ruling"
	Refused    Kind = "refused"
	Chose      Kind = "chose"
	Nominated  Kind = "nominated"
	Speaks     Kind = "speech"
	Closes     Kind = "closes"
	Offered    Kind = "offer"
	Trace      Kind = "trace"
	Win        Kind = "win"
	Draw       Kind = "draw"
	RoleIs     Kind = "role"
	Suspended  Kind = "suspended"
)

// Phase is where a game stands.
type Phase struct {
	Name string
	N    int // the day's or night's number
}

// The names of phases.
const (
	Day     = "day"
	Voting  = "vote"
	Split   = "split"
	Runoff  = "runoff"
	Special = "special"
	Nights  = "night"
	Closed  = "closed" // the night is closed, the morning not yet announced
	Ended   = "ended"
)

// Refusal is why an act changed nothing: the code of a `refused` result.
type Refusal string

func (r Refusal) Error() string { return "refused: " + string(r) }

// The refusals. Where several hold, the first in this order is given.
const (
	RefusedEnded    Refusal = "ended"
	RefusedStopped  Refusal = "stopped"
	RefusedRuling   Refusal = "ruling"
	RefusedRevealed Refusal = "revealed"
	RefusedUnknown  Refusal = "unknown"
	RefusedDead     Refusal = "dead"
	RefusedRole     Refusal = "role"
	RefusedPhase    Refusal = "phase"
	RefusedTurn     Refusal = "turn"
	RefusedTarget   Refusal = "target"
	RefusedLimit    Refusal = "limit"
	RefusedSetup    Refusal = "setup"
)

// Causes of leaving, as `out` gives them.
const (
	ByVote         = "vote"
	ByNight        = "night"
	ByFouls        = "fouls"
	ByDisqualified = "disqualified"
	ByMissed       = "missed"
	ByLeft         = "left"
	ByRuling       = "ruling"
)

// Conduct are the host's acts about how people behave: they are done while a
// game is stopped or waits for a ruling, and a replayed round keeps them.
func (v Verb) Conduct() bool {
	switch v {
	case Warn, Foul, Disqualify, Suspend, Leave:
		return true
	}
	return false
}

// ByDay tells whether a choice of that verb is made by day, where everybody may
// look at the page: a vote, a hand for the leaving of all, a request for time.
func (v Verb) ByDay() bool { return v == Vote || v == Raise || v == Extension }

// written are the acts that nobody takes back or corrects.
func (v Verb) written() bool { return v == Post || v == Whisper }

// mending are the acts that a stopped game still takes, besides conduct.
func (v Verb) mending() bool {
	switch v {
	case Undo, Replay, Decide, Rule, Note, End, Resume:
		return true
	}
	return false
}

// Skipped are the acts that Undo passes over.
func (v Verb) Skipped() bool {
	switch v {
	case Advance, Note, Decide, Stop, Resume, Post, Whisper, Appeal:
		return true
	}
	return false
}

// outlasts are the acts that a replayed round keeps: conduct, and what was
// written or decided meanwhile.
func (v Verb) outlasts() bool {
	return v.Conduct() || v.written() || v == Decide
}

// enginesOwn are the acts that the engine does itself; they are the host's alone.
func (v Verb) enginesOwn() bool {
	return v.mending() && v != Rule || v == Stop || v == Appeal || v == Votes || v == Advance
}
