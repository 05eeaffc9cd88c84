package lan

import (
	"context"
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// moves tells when links or their addresses have changed, as the kernel says
// so, until ctx ends. Where it can't be asked nothing is told.
func moves(ctx context.Context) <-chan struct{} {
	told := make(chan struct{}, 1)
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, unix.NETLINK_ROUTE)
	if err != nil {
		return told
	}
	f := os.NewFile(uintptr(fd), "netlink") // not blocking: closing it ends a read
	const groups = unix.RTMGRP_LINK | unix.RTMGRP_IPV4_IFADDR | unix.RTMGRP_IPV6_IFADDR
	if err := unix.Bind(fd, &unix.SockaddrNetlink{Family: unix.AF_NETLINK, Groups: groups}); err != nil {
		f.Close()
		return told
	}
	context.AfterFunc(ctx, func() { f.Close() })
	go func() {
		buf := make([]byte, 64<<10)
		for {
			// What it says is not read: the links are looked at instead. When
			// more happened than the socket holds, reading fails once.
			if _, err := f.Read(buf); err != nil && !errors.Is(err, unix.ENOBUFS) {
				return
			}
			select {
			case told <- struct{}{}:
			default:
			}
		}
	}()
	return told
}
