// Package server runs a private Ollama: one that belongs to this process
// alone, on a loopback port of its own, with models in a directory of its own.
// It finds, starts and stops the process and nothing else; whether the server
// answers is asked through a function of the caller, so that the package needs
// no network.
//
// # Design
//
// A private server must not outlive lightbox, because a forgotten runner holds
// memory of the graphics card. Three things see to that. [Server.Stop] ends it.
// Where lightbox is killed, the kernel ends it on Linux (a parent death signal)
// and on Windows (a job object). What is left even so, and on other systems, the
// next [Start] clears: it takes the directories whose lock is free, and ends the
// processes whose environment is marked with such a directory.
//
// The death signal is SIGTERM. Ollama answers it by ending its runners; SIGKILL
// would leave them running.
//
// The server gets OLLAMA_MODELS as a path relative to its working directory.
// Ollama writes the path of a blob into the manifest of a model that is created
// from it, and the manifest's hash is the model's digest. With the relative path
// the digest is the same in every run and on every machine.
//
// A server can also be given a model directory that exists ([Config.Models]). It
// is told not to prune it.
package server
