package server

import (
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"
)

// hostTime takes what time it is: the phone's, by its script, or what the host
// has typed.
func (b *Box) hostTime(c *fiber.Ctx) error {
	m := tableOf(c).now.Load()
	zone := m.zone(b.rules(m.doc))
	says, err := time.ParseInLocation(timeForm, c.FormValue("local"), zone)
	if now := c.FormValue("now"); now != "" {
		var ms int64
		ms, err = strconv.ParseInt(now, 10, 64)
		says = time.UnixMilli(ms).In(zone)
	}
	if err != nil || says.Year() < 2020 || says.Year() > 2099 {
		return b.drawHost(c, fiber.StatusUnprocessableEntity, say("bad_time"))
	}
	if err := b.confirm(says, c.FormValue("sure") != ""); err != nil {
		return b.drawHost(c, statusOf(err), err)
	}
	return done(c, "/t/"+tableOf(c).id+"/host")
}
