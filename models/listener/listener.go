// Package listener finds out which addresses a port of this machine is open on,
// and what the process behind it was told by its environment. It reads what the
// system shows and contacts nothing.
package listener

import (
	"errors"
	"net/netip"
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
