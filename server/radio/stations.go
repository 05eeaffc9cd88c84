package radio

import (
	"errors"
	"os"
	"sync"
	"time"

	"github.com/mdlayher/wifi"
)

// Access asks the kernel whether an interface is an access point, and how many
// stations are in it. Nobody needs to be privileged for that.
func Access(name string) (point bool, stations int, err error) {
	c, err := wifi.New()
	if errors.Is(err, os.ErrNotExist) {
		return false, 0, nil // a kernel without Wi-Fi
	}
	if err != nil {
		return false, 0, err
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(time.Second)); err != nil {
		return false, 0, err
	}
	interfaces, err := c.Interfaces()
	if err != nil {
		return false, 0, err
	}
	for _, i := range interfaces {
		if i.Name != name || i.Type != wifi.InterfaceTypeAP {
			continue
		}
		list, err := c.StationInfo(i)
		return true, len(list), err
	}
	return false, 0, nil
}

// counted is how long a count of stations holds: many pages ask at once.
const counted = 3 * time.Second

// Stations gives how many stations are in the machine's access point, and how
// many it bears: 0 when nobody knows, and when it is none. It may be called as
// often as one likes; the kernel is asked every few seconds at most.
func Stations(root string) func() (now, most int) {
	var (
		mu        sync.Mutex
		at        time.Time
		now, most int
	)
	return func() (int, int) {
		mu.Lock()
		defer mu.Unlock()
		if at.IsZero() || time.Since(at) > counted {
			now, most = 0, 0
			for _, r := range Radios(root) {
				if point, n, err := Access(r.Interface); err == nil && point {
					now, most = n, r.Most
				}
			}
			at = time.Now()
		}
		return now, most
	}
}
