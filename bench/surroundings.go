package bench

import (
	"net/netip"

	"lightbox/bench/record"
	"lightbox/models/listener"
)

// lookAround finds out what this machine shows of the server: who can reach it,
// and whether it was told to write requests down. Neither keeps a run from
// beginning; both stand in the report.
func (r *run) lookAround() {
	r.server.Reachable, r.server.Logging = record.ReachUnknown, "unknown"
	if !r.cfg.Host.Loopback() {
		return
	}
	l, err := listener.On(r.cfg.Host.Port())
	if err != nil || len(l.Addresses) == 0 { // another system's, or in another namespace
		return
	}
	r.server.Reachable = record.ReachMachine
	if l.Beyond() {
		r.server.Reachable = record.ReachOthers
	}
	if l.Environment == nil { // another user's process
		return
	}
	r.server.Logging = "off"
	if l.SwitchedOn("OLLAMA_DEBUG_LOG_REQUESTS") || l.SwitchedOn("OLLAMA_DEBUG") {
		r.server.Logging = "on"
		r.warn("the server writes what it is asked to files of its own: start it without OLLAMA_DEBUG_LOG_REQUESTS and OLLAMA_DEBUG")
	}
}

// contacted lists the addresses that were dialled. The port of a private server
// is another one every time.
func (r *run) contacted() []string {
	all := r.client.Contacted()
	for i, address := range all {
		if at, err := netip.ParseAddrPort(address); err == nil && r.cfg.HostHidden {
			all[i] = at.Addr().String()
		}
	}
	return all
}
