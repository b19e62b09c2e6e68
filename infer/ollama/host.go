package ollama

import (
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"

	"lightbox/infer"
)

// defaultPort is where Ollama listens unless told otherwise.
const defaultPort = 11434

// Host is the address of a server: an IP address and a port. Its zero value is
// 127.0.0.1:11434.
type Host struct{ addr netip.AddrPort }

// Port is the TCP port.
func (h Host) Port() uint16 { return h.addrPort().Port() }

// ParseHost reads the forms that OLLAMA_HOST takes: nothing, an address, an
// address and port, ":port", with "http://" before and "/" after, IPv6 in
// brackets or bare. As in Ollama, "http://" without a port means port 80. The
// address of all interfaces means this machine, and so does "localhost", without
// a lookup. Any other name, and a public address, is a Fault with
// [infer.ReasonRemote]; what cannot be read at all is another error.
func ParseHost(s string) (Host, error) {
	text := strings.Trim(strings.TrimSpace(s), `"'`)
	port := uint16(defaultPort)
	if scheme, rest, ok := strings.Cut(text, "://"); ok {
		switch strings.ToLower(scheme) {
		case "http":
			text, port = rest, 80
		case "https":
			return Host{}, fmt.Errorf("parsing host %q: https is not supported, a local server speaks http", s)
		default:
			return Host{}, fmt.Errorf("parsing host %q: unknown scheme %q", s, scheme)
		}
	}
	if strings.Contains(text, "@") {
		return Host{}, fmt.Errorf("parsing host: user names and passwords are not supported")
	}
	text = strings.TrimSuffix(text, "/")
	if strings.ContainsAny(text, "/?#") {
		return Host{}, fmt.Errorf("parsing host %q: a path is not supported", s)
	}
	name, port, err := splitPort(text, port)
	if err != nil {
		return Host{}, fmt.Errorf("parsing host %q: %w", s, err)
	}
	addr, err := parseAddr(name)
	if err != nil {
		return Host{}, err
	}
	h := Host{netip.AddrPortFrom(addr, port)}
	if !h.Loopback() && !h.Private() {
		return Host{}, notLocal("%s is a public address", addr)
	}
	return h, nil
}

// splitPort cuts the port off. A bare IPv6 address has none.
func splitPort(s string, otherwise uint16) (name string, port uint16, err error) {
	if inner, ok := strings.CutPrefix(s, "["); ok && strings.HasSuffix(inner, "]") {
		return strings.TrimSuffix(inner, "]"), otherwise, nil
	}
	if _, err := netip.ParseAddr(s); err == nil || !strings.Contains(s, ":") {
		return s, otherwise, nil
	}
	name, text, err := net.SplitHostPort(s)
	if err != nil {
		return "", 0, err
	}
	n, err := strconv.ParseUint(text, 10, 16)
	if err != nil || n == 0 {
		return "", 0, fmt.Errorf("port %q is not between 1 and 65535", text)
	}
	return name, uint16(n), nil
}

func parseAddr(name string) (netip.Addr, error) {
	v4 := netip.AddrFrom4([4]byte{127, 0, 0, 1})
	if name == "" || strings.EqualFold(name, "localhost") {
		return v4, nil
	}
	addr, err := netip.ParseAddr(name)
	if err != nil || addr.Zone() != "" {
		return netip.Addr{}, notLocal("host %q: only IP addresses and localhost can be used, names are not looked up", name)
	}
	addr = addr.Unmap()
	switch {
	case addr == netip.IPv4Unspecified():
		return v4, nil
	case addr == netip.IPv6Unspecified():
		return netip.IPv6Loopback(), nil
	}
	return addr, nil
}

func notLocal(format string, args ...any) error {
	return &infer.Fault{Reason: infer.ReasonRemote, Detail: fmt.Sprintf(format, args...)}
}

// addrPort resolves the zero value.
func (h Host) addrPort() netip.AddrPort {
	if !h.addr.IsValid() {
		return netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), defaultPort)
	}
	return h.addr
}

// Loopback tells whether the address is this machine's own.
func (h Host) Loopback() bool { return h.addrPort().Addr().IsLoopback() }

// Private tells whether the address belongs to a private network: RFC 1918 or
// RFC 4193. Link-local and shared (100.64.0.0/10) addresses do not.
func (h Host) Private() bool { return h.addrPort().Addr().IsPrivate() }

// String is the address and port, IPv6 in brackets.
func (h Host) String() string { return h.addrPort().String() }
