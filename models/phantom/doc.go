// Package phantom holds a tiny trained vision model and its judge, with the
// definitions that a server creates them from. They let lightbox be tried and
// tested end to end on a real server, on a CPU, with known answers; README.md
// beside this file says what they are and what they answer.
package phantom
