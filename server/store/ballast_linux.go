package store

import (
	"os"

	"golang.org/x/sys/unix"
)

// allocate takes so many bytes of the disk for a file, that hold nothing.
func allocate(file *os.File, size int64) error { return unix.Fallocate(int(file.Fd()), 0, 0, size) }

// locked tells whether the disk takes no writing.
func locked(fs unix.Statfs_t) bool { return fs.Flags&unix.ST_RDONLY != 0 }
