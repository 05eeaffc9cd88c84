package hardware

import "time"

// Sim is the simulated panel: its button is pressed by a call, its lamp and
// buzzer are looked at on a page. It works wherever there are no pins.
type Sim struct {
	*player
	*presses
}

// NewSim makes a simulated panel.
func NewSim() *Sim {
	return &Sim{newPlayer(func(bool, bool) {}), newPresses()}
}

// Press presses the button now, as if it had been held that long.
func (s *Sim) Press(held time.Duration) {
	s.put(Press{At: time.Now().Add(-held), Held: held})
}

// Close ends the panel.
func (s *Sim) Close() error {
	s.stop()
	s.close()
	return nil
}

// Describe says that the panel is simulated.
func (s *Sim) Describe() string { return "simulated" }
