//go:build !linux

package listener

// On finds who listens on a TCP port; here always [ErrUnknown].
func On(port uint16) (Listener, error) { return Listener{}, ErrUnknown }
