package listener

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"strings"
)

// On finds who listens on a TCP port; [ErrUnknown] where the system does not
// show it, and no addresses where nobody does.
func On(port uint16) (Listener, error) {
	var l Listener
	var sockets []string
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		f, err := os.Open(table)
		if err != nil {
			continue // a machine without IPv6 has no second table
		}
		found, inodes := listening(f, port)
		f.Close()
		l.Addresses = append(l.Addresses, found...)
		sockets = append(sockets, inodes...)
	}
	if _, err := os.Stat("/proc/net/tcp"); err != nil {
		return l, ErrUnknown
	}
	l.PID = owner(sockets)
	if l.PID != 0 {
		if data, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", l.PID)); err == nil {
			l.Environment = strings.FieldsFunc(string(data), func(r rune) bool { return r == 0 })
		}
	}
	return l, nil
}

// stateListen is the state of a listening socket (linux include/net/tcp_states.h).
const stateListen = "0A"

// listening reads the addresses that a port is open on, and the inodes of the
// sockets (proc(5), /proc/net/tcp).
func listening(table io.Reader, port uint16) (addresses []netip.Addr, inodes []string) {
	lines := bufio.NewScanner(table)
	for lines.Scan() {
		f := strings.Fields(lines.Text())
		if len(f) < 10 || f[3] != stateListen {
			continue
		}
		host, hexPort, ok := strings.Cut(f[1], ":")
		n, err := strconv.ParseUint(hexPort, 16, 16)
		if !ok || err != nil || uint16(n) != port {
			continue
		}
		if addr, ok := parseAddr(host); ok {
			addresses = append(addresses, addr)
			inodes = append(inodes, f[9])
		}
	}
	return addresses, inodes
}

// parseAddr reads an address as the table has it: words of four bytes in the
// machine's order.
func parseAddr(text string) (netip.Addr, bool) {
	b, err := hex.DecodeString(text)
	if err != nil || len(b) != 4 && len(b) != 16 {
		return netip.Addr{}, false
	}
	for i := 0; i < len(b); i += 4 {
		binary.NativeEndian.PutUint32(b[i:], binary.BigEndian.Uint32(b[i:]))
	}
	addr, ok := netip.AddrFromSlice(b)
	return addr.Unmap(), ok
}

// owner is the process that holds one of the sockets, 0 where none can be seen.
func owner(sockets []string) int {
	processes, err := fs.Glob(os.DirFS("/proc"), "[0-9]*")
	if err != nil || len(sockets) == 0 {
		return 0
	}
	for _, pid := range processes {
		dir := "/proc/" + pid + "/fd"
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue
		}
		for _, e := range entries {
			target, err := os.Readlink(dir + "/" + e.Name())
			inode, ok := bytes.CutPrefix([]byte(target), []byte("socket:["))
			if err == nil && ok && slices.Contains(sockets, strings.TrimSuffix(string(inode), "]")) {
				n, _ := strconv.Atoi(pid) // digits are a number
				return n
			}
		}
	}
	return 0
}
