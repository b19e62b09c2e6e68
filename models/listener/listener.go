// Package listener finds out which addresses a port of this machine is open on,
// and what the process behind it was told by its environment. It reads what the
// system shows and contacts nothing.
package listener

import (
	"errors"
	"net/netip"
	"strconv"
	"strings"
)

// Listener is who listens on a port.
type Listener struct {
	Addresses   []netip.Addr // the port is open on; the unspecified address means all
	PID         int          // 0: the process is another user's, or gone
	Environment []string     // "NAME=value" as the process started; nil: not readable
}

// ErrUnknown says that this system does not show who listens.
var ErrUnknown = errors.New("this system does not show who listens on a port")

// Beyond tells whether the port is open to other machines.
func (l Listener) Beyond() bool {
	for _, a := range l.Addresses {
		if !a.IsLoopback() {
			return true
		}
	}
	return false
}

// SwitchedOn tells whether a variable of the process's environment holds what
// Ollama takes for yes (envconfig.Bool): anything but nothing, 0 and false.
func (l Listener) SwitchedOn(name string) bool {
	for _, pair := range l.Environment {
		value, ok := strings.CutPrefix(pair, name+"=")
		if off, err := strconv.ParseBool(value); ok && value != "" && (off || err != nil) {
			return true
		}
	}
	return false
}
