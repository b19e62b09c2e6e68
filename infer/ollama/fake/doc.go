// Package fake is a scripted Ollama for tests and load: it speaks the server's
// API on a loopback port, answers every question in a way that depends on each
// word and picture of it in order, and misbehaves as its script says.
//
// A [Script] decides the reply to each chat request: an [Answer], or one of the
// faults, such as [Busy], [RunnerDied], [Cut], [EndlessBody]. Without a script
// the reply is the zero Answer, whose text is derived from the question. A reply
// counts the tokens of its prompt (one for eight bytes of a word, a fixed number
// for a picture) and refuses a prompt longer than the context, as real servers
// do.
//
// Every request is recorded, with the digest of each picture in place of its
// bytes. Under load that costs little: pictures are cut out of the request
// before its JSON is read.
//
// It imports nothing of infer, so that what it records is what was on the wire.
package fake
