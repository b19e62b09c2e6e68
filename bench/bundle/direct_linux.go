package bundle

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// direct is a file that is written past the cache of the system, where its file
// system can: a disk then works from the first part on, and what else is cached
// stays so. It takes parts of whole blocks, but for the last.
type direct struct {
	file *os.File
	on   bool
}

func newDirect(f *os.File) *direct {
	d := &direct{file: f}
	d.on = d.set(true) == nil
	return d
}

// set turns it on or off.
func (d *direct) set(on bool) error {
	raw, err := d.file.SyscallConn()
	if err != nil {
		return err
	}
	controlled := raw.Control(func(fd uintptr) {
		var flags int
		if flags, err = unix.FcntlInt(fd, unix.F_GETFL, 0); err != nil {
			return
		}
		flags &^= unix.O_DIRECT
		if on {
			flags |= unix.O_DIRECT
		}
		_, err = unix.FcntlInt(fd, unix.F_SETFL, flags)
	})
	return errors.Join(controlled, err)
}

// directBlock is a multiple of the blocks that disks have.
const directBlock = 4096

func (d *direct) Write(p []byte) (int, error) {
	whole := len(p)
	if d.on {
		whole -= len(p) % directBlock
	}
	n, err := d.file.Write(p[:whole])
	if !d.on || n == len(p) || err != nil && !errors.Is(err, unix.EINVAL) {
		return n, err
	}
	d.on = false
	if err := d.set(false); err != nil {
		return n, err
	}
	k, err := d.file.Write(p[n:])
	return n + k, err
}
