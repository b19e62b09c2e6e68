// Package ollama asks a local Ollama. It is the one place of the project that
// opens network connections to a model server, through one transport that is
// sealed:
//
//   - It dials one address, given as a number. No name is looked up.
//   - That address is this machine's, or one of a private network where the
//     caller allows it. A public address is refused always.
//   - It uses no proxy, whatever the environment says, follows no redirect, keeps
//     no cookie, sends no signature, and reads no compressed reply.
//   - Headers and bodies of replies are limited in bytes, bodies in JSON values too.
//
// [Client.Contacted] lists the addresses dialled.
//
// # Replies
//
// The transport notes how every body ended, and only a body that ended cleanly
// is a reply: a cut connection must not pass for a reply that the server broke
// off. Chat requests are sent without streaming and read by this package, with
// the types of Ollama's client; that client, which would lose such an end,
// serves the other calls.
//
// Everything that the machine did wrong is an [infer.Fault], told apart by the
// texts of the server; these differ between its releases, and both generations
// (the Go engine up to 0.2x, llama-server from 0.30) are understood.
//
// # Models that are not local
//
// A server forwards some models to another machine, by their name or by a
// setting of the model. Such names are refused before anything is sent;
// [Client.Facts] refuses models that are marked so; a reply that says it came
// from elsewhere is a fault.
package ollama
