package listener

import (
	"net"
	"net/netip"
	"os"
	"slices"
	"strings"
	"testing"
)

func TestOn(t *testing.T) {
	for address, beyond := range map[string]bool{"127.0.0.1:0": false, "0.0.0.0:0": true, "[::1]:0": false} {
		l, err := net.Listen("tcp", address)
		if err != nil {
			t.Logf("%s: %v", address, err) // no IPv6 here
			continue
		}
		port := l.Addr().(*net.TCPAddr).AddrPort().Port()
		found, err := On(port)
		if err != nil {
			t.Fatal(err)
		}
		if found.Beyond() != beyond || len(found.Addresses) != 1 || found.PID != os.Getpid() {
			t.Errorf("%s: %+v", address, found)
		}
		if !slices.Equal(found.Environment, nonEmpty(os.Environ())) && !slices.ContainsFunc(found.Environment, func(s string) bool { return strings.HasPrefix(s, "PATH=") }) {
			t.Errorf("%s: environment %v", address, found.Environment)
		}
		l.Close()
		if found, err := On(port); err != nil || len(found.Addresses) > 0 || found.PID != 0 {
			t.Errorf("closed: %+v, %v", found, err)
		}
	}
}

func nonEmpty(list []string) []string {
	return slices.DeleteFunc(list, func(s string) bool { return s == "" })
}

func TestListening(t *testing.T) {
	const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:2CAA 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4711 1 0000000000000000 100 0 0 10 0
   1: 0100007F:2CAA 0100007F:9999 01 00000000:00000000 00:00000000 00000000     0        0 4712 1 0000000000000000 100 0 0 10 0
   2: 00000000000000000000000000000000:2CAA 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4713 1 0
   3: 0100007F:2CAB 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4714 1 0
   4: zz:2CAA 00000000:0000 0A x
`
	addresses, inodes := listening(strings.NewReader(table), 11434)
	want := []netip.Addr{netip.MustParseAddr("127.0.0.1"), netip.MustParseAddr("::")}
	if !slices.Equal(addresses, want) || !slices.Equal(inodes, []string{"4711", "4713"}) {
		t.Errorf("addresses %v, inodes %v", addresses, inodes)
	}
}

func TestSwitchedOn(t *testing.T) {
	l := Listener{Environment: []string{"A=1", "B=0", "C=false", "D=", "E=yes", "F=TRUE", "G=2", "AB=0"}}
	for name, want := range map[string]bool{"A": true, "B": false, "C": false, "D": false, "E": true, "F": true, "G": true, "H": false} {
		if l.SwitchedOn(name) != want {
			t.Errorf("%s: %v, want %v", name, !want, want)
		}
	}
}
