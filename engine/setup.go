package engine

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
)

// Options gives every option of a rule system its value: as set, or its
// default. An unknown name or value is a *SetupError.
func Options(r Ruleset, set map[string]string) (map[string]string, error) {
	all := make(map[string]string)
	for _, o := range r.Options() {
		all[o.Name] = o.Values[0]
	}
	for _, name := range slices.Sorted(maps.Keys(set)) {
		value := set[name]
		o, ok := FindOption(r, name)
		if !ok || !o.Allows(value) {
			return nil, &SetupError{Problem: "option", Option: name + " " + value}
		}
		all[name] = value
	}
	return all, nil
}

// FindOption is the option of that name.
func FindOption(r Ruleset, name string) (Option, bool) {
	for _, o := range r.Options() {
		if o.Name == name {
			return o, true
		}
	}
	return Option{}, false
}

// Deal gives a set of roles to the seats in the order that the seed shuffles
// them into: Fisher–Yates from the last place down. It is the same for the same
// seed for ever, so a record may name the seed instead of the roles.
func Deal(cast []Role, seed uint64) []Role {
	seats := make([]int, len(cast))
	for i := range seats {
		seats[i] = i
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	for i := len(seats) - 1; i > 0; i-- {
		j := rng.IntN(i + 1)
		seats[i], seats[j] = seats[j], seats[i]
	}
	roles := make([]Role, len(cast))
	for i, seat := range seats {
		roles[seat] = cast[i]
	}
	return roles
}

func number(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err == nil && strconv.Itoa(n) != s {
		err = strconv.ErrSyntax
	}
	return n, err
}

func setupProblem(e *SetupError) string {
	switch e.Problem {
	case "seats":
		return fmt.Sprintf("%d seats: these rules take %d to %d", e.Got, e.Min, e.Max)
	case "count":
		return fmt.Sprintf("%d roles for %d seats: expected one for each, or a deal", e.Got, e.Min)
	case "role":
		return fmt.Sprintf("role %q is not in this game", e.Role)
	case "twice":
		return fmt.Sprintf("role %q may be dealt once only", e.Role)
	case "deal":
		return fmt.Sprintf("role %q is dealt %d times: these rules have %d", e.Role, e.Got, e.Min)
	case "no_black":
		return "nobody of the mafia who can shoot"
	case "too_many_black":
		return fmt.Sprintf("%d of the mafia's side: fewer than the others are needed", e.Got)
	case "option":
		return "no such option or value: " + e.Option
	case "draw":
		return "no draw of " + e.Option
	}
	return "setup: " + e.Problem
}
